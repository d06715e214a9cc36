/** Types of API answers: those of the SDK, those of the console API, and short names for their parts. */
import type { Card } from '@emboss/sdk';
import type { LiveEvents, Overview, SearchResult, Session, TransactionDetail } from './api-types.gen.ts';

export type {
  Card,
  CardDetails,
  Clock,
  Credentials,
  Decision,
  DeclineLimits,
  Message,
  SpendControls,
  SpendControlsUse,
} from '@emboss/sdk';
export type {
  AuthenticationDetail,
  CardLook,
  ConsoleCustomer as Customer,
  ConsoleDesign as CardDesign,
  Enrolment,
  FoundCard,
  HistoryEntry,
  LiveEvent,
  Overview,
  RecoveryCodes,
  SearchResult,
  SearchResults,
  Session,
  ShipmentDetail,
  SupportLimits,
  TransactionDetail,
  TransactionLife,
  TransactionLifeEvent as LifeEvent,
  TransactionTimeline,
} from './api-types.gen.ts';

export type Role = Session['operator']['role'];
export type Program = Session['programs'][number];

export type CardStatus = Card['status'];
export type MatchedBy = SearchResult['matchedBy'];

export type Channel = NonNullable<TransactionDetail['channel']>;
export type Decline = NonNullable<TransactionDetail['decline']>;

export type OverviewWindow = Overview['window'];
export type Live = LiveEvents;

/** One page of a list; `next` continues it, null at the end. */
export interface Slice<Row> {
  results: Row[];
  next: string | null;
}
