import { TOTP } from 'otpauth';
import { FILE_TYPES } from '../../src/reports/report.ts';
import type { Dice } from './dice.ts';
import type { Person, Stage, Tenant } from './stage.ts';
import type { Known } from './values.ts';

const MOST_KEPT = 60;

export interface KnownCard {
  id: string;
  number: string | undefined;
  cvv: string | undefined;
  expiry: string | undefined;
  /** Its challenges of 3-D Secure go to the merchant. */
  isForwarded?: boolean;
  /** It may have been changed without a check. */
  isUncertain?: boolean;
}

export interface Session {
  cookie: string;
  csrfToken: string;
}

/** With what is known of the second factor: what was begun, the secret in use, the codes that are left. */
export interface Guest extends Person, Session {
  begun?: { enrolment: string; secret: string };
  secret?: string;
  recoveryCodes: string[];
}

/** A clearing or a refund by the network's id, with its transaction. */
interface Presented {
  kind: 'clearing' | 'refund';
  id: string;
  transactionId: string;
}

/** The ids that a lane has received, to be sent back where they belong and where they do not. */
export interface Pool {
  tenant: Tenant;
  /** An administrator who uses the console during the whole lane. */
  session: Session;
  /** Signs in and out, forgets passwords and is locked out; then another one comes. */
  guest: Guest;
  cards: KnownCard[];
  transactions: string[];
  externals: string[];
  messages: string[];
  /** Purchases that hold something, as far as this lane knows. */
  held: Array<{ id: string; externalId: string }>;
  /** Clearings and refunds, which can be reversed. */
  presented: Presented[];
  /** By the network's ids, and by ours those that wait for the cardholder's answer. */
  authentications: string[];
  challenges: string[];
  /** Other authentications of the sandbox, by our ids. */
  simulated: string[];
  endpoints: string[];
  events: string[];
  keys: string[];
  /** People of the program beside the lane's own, those with a second factor, and a session of each. */
  people: string[];
  secured: string[];
  sessions: Record<string, string>;
  /** Ids of customers, and the newest note about each. */
  customers: string[];
  notes: Record<string, string>;
  views: string[];
  /** With the token of the link. */
  invitations: Array<{ id: string; token: string }>;
  blocked: string[];
  references: string[];
  batches: string[];
  rules: string[];
  /** With the rule, if it is one that is stored. */
  backtests: Array<{ id: string; ruleId: string | null }>;
  lists: string[];
  links: string[];
  applicants: string[];
  idempotencyKeys: string[];
  clock: string;
  made: number;
}

export const newPool = (tenant: Tenant): Pool => ({
  tenant,
  session: { cookie: '', csrfToken: '' },
  guest: { email: '', password: '', cookie: '', csrfToken: '', recoveryCodes: [] },
  cards: [],
  transactions: [],
  externals: [],
  messages: [],
  held: [],
  presented: [],
  authentications: [],
  challenges: [],
  simulated: [],
  endpoints: [],
  events: [],
  keys: [],
  people: [],
  secured: [],
  sessions: {},
  customers: [],
  notes: {},
  views: [],
  invitations: [],
  blocked: [],
  references: [],
  batches: [],
  rules: [],
  backtests: [],
  lists: [],
  links: [],
  applicants: [],
  idempotencyKeys: [],
  clock: '',
  made: 0,
});

/** Old ones are removed, so that a long run also uses new records. */
export function remember<T>(list: T[], ...items: T[]): void {
  for (const item of items) if (!list.includes(item)) list.push(item);
  while (list.length > MOST_KEPT) list.shift();
}

/** In `sessions`: the guest's own session. */
export const GUEST = 'guest';
const UNKNOWN_ID = '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f';
const AMOUNTS = [
  '1.00',
  '2.50',
  '0.01',
  '10',
  '7.25',
  '0',
  '0.00',
  '49.99',
  '0001.5',
  '100000',
  '9999999999999.99',
  '1.005',
  '0.1',
];
/** Draws a number even if the list is empty: later choices must not depend on it. */
const anyOf = (list: string[], dice: Dice): string => dice.pick(list.length === 0 ? [UNKNOWN_ID] : list);

const DAY_MS = 86_400_000;

/** The last time in an answer, which is past by now, or a day later. */
function timeFrom(clock: string, dice: Dice): string | undefined {
  const isAhead = dice.chance(0.7);
  if (clock === '') return undefined;
  return isAhead ? new Date(Date.parse(clock) + DAY_MS).toISOString() : clock;
}

/** Each code is taken once: for what is set up already, one that was kept for the case. */
const codeFor = ({ guest: { begun, secret, recoveryCodes } }: Pool): string | undefined =>
  secret === undefined && begun ? new TOTP({ secret: begun.secret }).generate() : recoveryCodes[0];

/** Of rules. */
const CONDITIONS = [
  { field: 'billAmount', op: 'eq', value: '77.77' },
  {
    all: [
      { field: 'country', op: 'in', value: ['ATA'] },
      { not: { field: 'foreign', op: 'eq', value: false } },
    ],
  },
  {
    any: [
      { field: 'card.metadata.tier', op: 'eq', value: 'x' },
      { field: 'mcc', op: 'inList', value: 'mcc:crypto' },
    ],
  },
];

/** What a field of this name should hold to be about something real. */
export function knownTo(pool: Pool, stage: Stage, dice: Dice): Known {
  const cards = pool.cards.map(({ id }) => id);
  const fresh = (kind: string) => () => {
    if (dice.chance(0.15) && pool.messages.length > 0) return dice.pick(pool.messages);
    return `${kind}-${++pool.made}${dice.chance(0.1) ? dice.pick([' ', '/ü', "'", '%00', '😀']) + pool.made : ''}`;
  };
  // A path names the person before the session, and the customer before the note. Without a person, the session is the
  // guest's own.
  let operatorId = GUEST;
  let customerId = '';
  let ruleId = '';
  const values: Record<string, () => unknown> = {
    programId: () => pool.tenant.programId,
    cardId: () => anyOf(cards, dice),
    card_id: () => anyOf(cards, dice),
    transactionId: () => anyOf(pool.transactions, dice),
    transaction_id: () => anyOf(pool.transactions, dice),
    external_transaction_id: () =>
      pool.externals.length > 0 && dice.chance(0.3) ? dice.pick(pool.externals) : fresh('net')(),
    reversal_id: fresh('rev'),
    clearing_id: fresh('clr'),
    refund_id: fresh('ref'),
    increment_id: fresh('inc'),
    card_number: () => pool.cards.find(({ number }) => number)?.number,
    amount: () => (dice.chance(0.8) ? dice.pick(AMOUNTS) : undefined),
    bill_amount: () => (dice.chance(0.8) ? dice.pick(AMOUNTS) : undefined),
    currency: () => (dice.chance(0.8) ? 'EUR' : undefined),
    bill_currency: () => (dice.chance(0.9) ? 'EUR' : undefined),
    country: () => undefined,
    authentication_id: () =>
      pool.authentications.length > 0 && dice.chance(0.5) ? dice.pick(pool.authentications) : fresh('acs')(),
    authenticationId: () => anyOf(pool.challenges.length > 0 ? pool.challenges : pool.simulated, dice),
    tokenizationId: fresh('tok'),
    endpointId: () => anyOf(pool.endpoints, dice),
    eventId: () => anyOf(pool.events, dice),
    kind: () => 'authorization',
    keyId: () => anyOf(pool.keys, dice),
    batchId: () => anyOf(pool.batches, dice),
    // A path names the rule before its backtest.
    ruleId: () => {
      const tried = pool.backtests.flatMap((backtest) => backtest.ruleId ?? []);
      ruleId = anyOf(tried.length > 0 && dice.chance(0.4) ? tried : pool.rules, dice);
      return ruleId;
    },
    backtestId: () => {
      const own = pool.backtests.filter((backtest) => backtest.ruleId === ruleId);
      const ids = (own.length > 0 ? own : pool.backtests).map(({ id }) => id);
      return anyOf(ids, dice);
    },
    // No more than a few purchases meet it: the others go on.
    when: () => dice.pick(CONDITIONS),
    sample: () => ({ mcc: '5411', billAmount: '10' }),
    customerIds: () => anyOf(pool.customers, dice),
    cardIds: () => anyOf(cards, dice),
    replaces: () => anyOf(pool.rules, dice),
    from: () => (dice.chance(0.8) ? '2026-11-01' : undefined),
    to: () => (dice.chance(0.8) ? '2026-11-01' : undefined),
    listName: () => (pool.lists.length > 0 && dice.chance(0.7) ? dice.pick(pool.lists) : fresh('list')()),
    operatorId: () => {
      const signedIn = Object.keys(pool.sessions).filter((id) => id !== GUEST);
      operatorId = anyOf(dice.pick([pool.people, pool.secured, signedIn]), dice);
      return operatorId;
    },
    sessionId: () => pool.sessions[operatorId] ?? UNKNOWN_ID,
    customerId: () => {
      const noted = Object.keys(pool.notes);
      customerId = anyOf(noted.length > 0 && dice.chance(0.5) ? noted : pool.customers, dice);
      return customerId;
    },
    noteId: () => pool.notes[customerId] ?? UNKNOWN_ID,
    viewId: () => anyOf(pool.views, dice),
    approvalId: () => anyOf(pool.tenant.approvals, dice),
    invitationId: () =>
      anyOf(
        pool.invitations.map(({ id }) => id),
        dice,
      ),
    token: () =>
      anyOf(
        pool.invitations.map(({ token }) => token),
        dice,
      ),
    blockedCardId: () => anyOf(pool.blocked, dice),
    reference_id: () => anyOf(pool.references, dice),
    reportId: () => UNKNOWN_ID,
    fileName: () => 'emboss-daily.csv',
    // Few: the same file is sent again, and found.
    file_id: () => dice.pick(['clr-1', 'clr-2', 'clr-3']),
    fileType: () => dice.pick([...FILE_TYPES, 'yearly']),
    date: () =>
      dice.pick(['2020-01-01', '2024-02-29', '2026-11-01', '2026-11-14', '2099-01-01', '2023-02-30']),
    cardDesignID: () => dice.pick(['black', 'sold-out', 'none', '漢']),
    cardDesign: () => dice.pick(['black', 'black', 'black', 'sold-out', 'none']),
    kycApplicantId: () =>
      dice.chance(0.2) && pool.applicants.length > 0
        ? dice.pick(pool.applicants)
        : `applicant-${++pool.made}`,
    expiryDate: () => dice.pick(['2029-12-31', '2031-01-31', '2028-02-29', '2026-12-15', '2040-06-30']),
    spendLimit: () => dice.pick([250, 1000, 0, 12.5, 99999.99]),
    after: () => (dice.chance(0.5) ? anyOf([...cards, ...pool.transactions], dice) : undefined),
    before: () =>
      dice.chance(0.5) ? anyOf([...cards, ...pool.transactions, ...pool.events], dice) : undefined,
    url: () => stage.receiverUrl + dice.pick(['/hook', '/', '/a?b=c', '/%00', '/ü', '/x#y', '/../..']),
    since: () => dice.pick(['2026-11-14T00:00:00Z', '2020-01-01T00:00:00+01:00', '2026-11-15T10:00:00.123Z']),
    now: () => timeFrom(pool.clock, dice),
    endsAt: () => timeFrom(pool.clock, dice),
    advance_seconds: () => dice.pick([0, 0, 1, 60, 3_600, 86_400, 0.5, 700_000]),
    email: () => (dice.chance(0.5) ? pool.guest.email : undefined),
    password: () => (dice.chance(0.7) ? pool.guest.password : undefined),
    currentPassword: () => (dice.chance(0.85) ? pool.guest.password : undefined),
    newPassword: () => (dice.chance(0.8) ? `another password ${++pool.made}` : undefined),
    enrolment: () => pool.guest.begun?.enrolment,
    code: () => (dice.chance(0.85) ? codeFor(pool) : undefined),
    // Nothing that ends within the run: whether it has ended would depend on how fast the machine is.
    overlapSeconds: () => dice.pick([0, 3_600, 86_400, 31_536_000]),
    expires: () => '1999999999',
    signature: () => 'AAAA',
    q: () =>
      dice.pick(['ada', 'customer-42', 'Lovelace', 'net-1', '9999', cards[0] ?? 'x', "o'", '%', '_', '漢']),
    reason: () =>
      dice.pick(['lost', 'stolen', 'fraud suspected', 'requested by the cardholder', 'Étage 漢字']),
  };
  return (name) => values[name]?.();
}
