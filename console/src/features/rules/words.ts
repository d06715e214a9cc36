import type { MatchedRule, Rule } from '@emboss/sdk';
import type { Tone } from '../../components/status-badge.tsx';

type Status = Rule['status'];
type Action = Rule['action'];
type Reason = NonNullable<Rule['reason']>;
type Effect = MatchedRule['effect'];

export const STATUSES: Record<Status, string> = {
  PREPARING: 'Preparing',
  SHADOW: 'Shadow',
  ACTIVE: 'Active',
  ARCHIVED: 'Archived',
};

export const STATUS_TONES: Record<Status, Tone> = {
  PREPARING: 'warn',
  SHADOW: 'cool',
  ACTIVE: 'good',
  ARCHIVED: 'quiet',
};

export const STATUS_WORDS: Record<Status, string> = {
  PREPARING: 'Its counters are being filled from earlier purchases. Then it is in shadow.',
  SHADOW: 'It is evaluated for every authorization and decides nothing.',
  ACTIVE: 'It decides authorizations.',
  ARCHIVED: 'It is no longer evaluated.',
};

export const ACTIONS: Record<Action, string> = {
  DECLINE: 'Decline',
  FLAG: 'Flag',
  REQUIRE_AUTHENTICATION: 'Require authentication',
};

export const ACTION_WORDS: Record<Action, string> = {
  DECLINE: 'The purchase is declined.',
  FLAG: 'The match is recorded. Nothing is declined.',
  REQUIRE_AUTHENTICATION: 'An online purchase without 3-D Secure is declined. Other purchases are flagged.',
};

export const REASONS: Record<Reason, string> = {
  NOT_PERMITTED: 'Not permitted (57)',
  SUSPECTED_FRAUD: 'Suspected fraud (59)',
  LIMIT: 'Limit exceeded (61)',
  COUNT: 'Too many purchases (65)',
};

export const EFFECTS: Record<Effect, readonly [label: string, tone: Tone]> = {
  DECLINED: ['Declined', 'bad'],
  FLAGGED: ['Flagged', 'warn'],
  AUTHENTICATION_REQUIRED: ['Authentication required', 'bad'],
  WOULD_DECLINE: ['Would decline', 'cool'],
  WOULD_FLAG: ['Would flag', 'cool'],
  WOULD_REQUIRE_AUTHENTICATION: ['Would require authentication', 'cool'],
};

/** Fields of the catalogue. One that is not here is shown by its name. */
const FIELDS: Record<string, string> = {
  billAmount: 'Amount',
  currency: 'Currency',
  country: 'Country of the merchant',
  mcc: 'Merchant category',
  channel: 'Channel',
  type: 'Type',
  'merchant.id': 'Merchant id',
  'merchant.name': 'Merchant name',
  foreign: 'Foreign currency',
  hour: 'Hour (UTC)',
  weekday: 'Weekday (1 is Monday)',
  initiator: 'Initiated by',
  recurring: 'Recurring',
  entryMode: 'Entry mode',
  authenticated: 'Authenticated with 3-D Secure',
  cvvGiven: 'CVV given',
  'card.type': 'Card type',
  'card.ageDays': 'Age of the card in days',
  'card.design': 'Card design id',
  'customer.id': 'Customer id',
};

export const METADATA_FIELD = 'card.metadata.';

export const fieldWords = (name: string): string =>
  name.startsWith(METADATA_FIELD)
    ? `Card metadata ${name.slice(METADATA_FIELD.length)}`
    : (FIELDS[name] ?? name);

const OPERATORS: Record<string, string> = {
  eq: 'is',
  ne: 'is not',
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  between: 'between',
  in: 'is one of',
  notIn: 'is none of',
  inList: 'is in list',
  notInList: 'is not in list',
  startsWith: 'starts with',
  contains: 'contains',
  isNull: 'is missing',
};
export const operatorWords = (name: string): string => OPERATORS[name] ?? name;

export const MEASURES = { COUNT: 'Purchases', AMOUNT: 'Amount spent', DECLINES: 'Earlier declines' } as const;
export const PER = { CARD: 'Card', CUSTOMER: 'Customer', CARD_MERCHANT: 'Card and merchant' } as const;
export const WINDOWS = {
  minutes: 'Minutes until now',
  DAY: 'Today (UTC)',
  WEEK: 'This week (UTC)',
  MONTH: 'This month (UTC)',
} as const;

export const LIST_TYPES = {
  merchant: 'Merchant ids',
  country: 'Countries',
  mcc: 'Merchant categories',
  customer: 'Customer ids',
  text: 'Text',
} as const;
