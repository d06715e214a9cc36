import type { CardFacts } from '../../cards/card-facts.ts';
import type { EventName } from '../../events/names.ts';
import type { Day } from '../../kernel/calendar.ts';
import { newId } from '../../kernel/ids.ts';
import type { Transfer } from '../../ledger/transfer.ts';
import type { Program } from '../../programs/program.ts';
import type { EvaluatedAttempt, ProgramRules } from '../../rules/rule.ts';
import type { Counters } from '../../rules/velocity/counters.ts';
import type { Subjects } from '../../rules/velocity/subjects.ts';
import type { Presentment } from './presentment.ts';
import { eventView, type TransactionRecord } from './transaction.ts';

/** The program whose terms apply, and program time. */
export interface Setting {
  program: Program;
  nowMs: number;
  today: Day;
  /** Absent: the program has none. */
  rules?: ProgramRules | undefined;
  /** Absent: its rules have no velocities. */
  velocities?: Velocities | undefined;
}

/** What velocities count at this time, and for whom a transaction counts. */
export interface Velocities {
  counters: Counters;
  subjectsOf(transaction: Pick<TransactionRecord, 'cardId' | 'acceptor'>): Subjects;
}

export interface TransactionEvent {
  /** Also the id of the movement in the ledger. */
  id: string;
  name: EventName<'transaction'>;
  data: Record<string, unknown>;
}

/** Of money that belongs to no card. */
export interface ProgramEvent {
  id: string;
  eventType: 'settlement';
  eventName: EventName<'settlement'>;
  data: Record<string, unknown>;
}

export const newEvent = (
  name: TransactionEvent['name'],
  { nowMs }: Pick<Setting, 'nowMs'>,
  ...view: Parameters<typeof eventView>
): TransactionEvent => ({ id: newId(nowMs), name, data: eventView(...view) });

/** The effects of applying a message. Absent parts do not change. */
export interface Effects<Response> {
  response: Response;
  /** The card after the message. */
  card?: CardFacts;
  /** The id of the authentication that the transaction uses from now on. */
  usedAuthentication?: string;
  /** The message blocked the card. */
  blocks?: boolean;
  /** The transaction after the message. */
  transaction?: TransactionRecord;
  /** The clearing or refund after the message. */
  presentment?: Presentment;
  event?: TransactionEvent;
  /** What the rules of the program said of the attempt. */
  evaluated?: EvaluatedAttempt;
  /** Refunds that came before the purchase they name, with the events of their links. */
  linked?: ReadonlyArray<{ transaction: TransactionRecord; event: TransactionEvent }>;
  /** An event that belongs to no card. */
  programEvent?: ProgramEvent;
  transfers: Transfer[];
}
