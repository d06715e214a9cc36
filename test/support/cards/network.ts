import { afterAll, expect } from 'vitest';
import { ACCOUNTS, nameOfAccount } from '../../../src/ledger/accounts.ts';
import { postTransfers } from '../../../src/ledger/post-transfers.ts';
import { halfEvenShare } from '../../model/half-even.ts';
import { sql } from '../database/database.ts';
import { creditFindings } from '../database/money-checks.ts';
import { type Answer, appForTests, type TestApp, type TestAppOptions } from '../server/test-app.ts';
import { cardRows } from './card-rows.ts';
import { credentialsOf, retrieve } from './card-states.ts';
import { CARDS, createCard } from './cards.ts';

/** A program with both of its keys: the app's own, or one made for a test that changes terms or the clock. */
export type Owner = Pick<TestApp, 'program' | 'key' | 'networkKey'>;

/** One app for all tests of a file; its books must balance at the end. */
export function networkApp(options: TestAppOptions = {}): TestApp {
  const app = appForTests(options);
  afterAll(() => expectSoundBooks(app));
  return app;
}

/** A card with all that the network knows of it. */
export interface PayingCard {
  id: string;
  owner: Owner;
  number: string;
  expiry: string;
  cvv: string;
}

export async function payingCard(
  app: TestApp,
  changes: Record<string, unknown> = {},
  owner: Owner = app,
): Promise<PayingCard> {
  const { id } = await createCard(app, changes, owner.key);
  return { id, owner, ...(await networkView(app, id, owner)) };
}

/** The card as it is after a reissue. */
export async function networkView(app: TestApp, cardId: string, owner: Owner = app) {
  const { cardNumber: number, cvv, expiryDate } = await credentialsOf(app, cardId, owner.key);
  return { number, cvv, expiry: expiryDate.slice(0, 7) };
}

/** Terms are set by SQL, because there is no API for them. */
export async function setTerms(app: TestApp, owner: Owner, terms: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(terms).map((column, index) => `${column} = $${index + 2}`);
  const values = [owner.program.id, ...Object.values(terms)];
  await sql(app.databaseUrl, `update programs set ${columns.join(', ')} where id = $1`, values);
}

/** A program of its own, for a test that moves the clock or has terms of its own. */
export async function ownProgram(
  app: TestApp,
  terms: Record<string, unknown> = {},
  currency = 'EUR',
): Promise<Owner> {
  const owner = await app.addProgram({ currency });
  if (Object.keys(terms).length > 0) await setTerms(app, owner, terms);
  return owner;
}

export async function setControls(app: TestApp, { id, owner }: PayingCard, body: object): Promise<void> {
  const answer = await app.call('PUT', `${CARDS}${id}/spend-controls/`, { body, key: owner.key });
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
}

export async function adjust(app: TestApp, { id, owner }: PayingCard, amount: number): Promise<void> {
  const body = { amount, reference: 'test' };
  const answer = await app.call('POST', `${CARDS}${id}/balance-adjustments/`, { body, key: owner.key });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
}

export async function fund(app: TestApp, owner: Owner, amountMinor: bigint): Promise<void> {
  const accounts = { debitAccountId: ACCOUNTS.funding, creditAccountId: ACCOUNTS.master };
  const transfer = { movementId: owner.program.id, code: 'funding' as const, ...accounts, amountMinor };
  await app.db.transaction(async (tx) => postTransfers(tx, owner.program.id, [transfer], Date.now()));
}

export type NetworkPath = 'authorizations' | 'increments' | 'reversals' | 'clearings' | 'refunds';

export const send = (app: TestApp, path: NetworkPath, body: object, owner: Owner = app): Promise<Answer> =>
  app.call('POST', `/api/v1/network/${path}/`, { body, key: null, networkKey: owner.networkKey });

/** Sends a message that must be answered with 200, as a decline is too; returns the answer's body. */
export async function accepted(
  app: TestApp,
  path: NetworkPath,
  body: object,
  owner: Owner = app,
): Promise<Answer['body']> {
  const answer = await send(app, path, body, owner);
  expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  return answer.body;
}

let made = 0;
/** Unlike every other, in an order that reads well in a failure. */
export const newMessageId = (kind: string): string => `${kind}-${++made}`;

export const MERCHANT = { id: 'm-77', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' };
/** As it is stored and returned. */
export const STORED_MERCHANT = { ...MERCHANT, country: 'GBR' };

export const authorizationOf = (
  { number, expiry, owner }: PayingCard,
  amount: string,
  changes: Record<string, unknown> = {},
) => ({
  external_transaction_id: newMessageId('net'),
  card_number: number,
  expiry,
  amount,
  currency: owner.program.currency,
  channel: 'POS',
  merchant: MERCHANT,
  ...changes,
});

/** Abroad: in another currency, with what it comes to in the card's. */
export const abroad = (amount: string, currency: string, bill_amount: string, bill_currency = 'EUR') => ({
  amount,
  currency,
  bill_amount,
  bill_currency,
});

/** What cleared or came back, in the card's own currency. */
const moneyOf = ({ owner: { program } }: PayingCard, amount: string) =>
  abroad(amount, program.currency, amount, program.currency);

export const clearingOf = (
  card: PayingCard,
  external_transaction_id: string,
  amount: string,
  changes: Record<string, unknown> = {},
) => ({
  external_transaction_id,
  clearing_id: newMessageId('clr'),
  ...moneyOf(card, amount),
  ...changes,
});

export const incrementOf = (
  { owner }: PayingCard,
  external_transaction_id: string,
  amount: string,
  changes: Record<string, unknown> = {},
) => ({
  external_transaction_id,
  increment_id: newMessageId('inc'),
  amount,
  currency: owner.program.currency,
  ...changes,
});

export const reversalOf = (external_transaction_id: string, changes: Record<string, unknown> = {}) => ({
  external_transaction_id,
  reversal_id: newMessageId('rev'),
  ...changes,
});

export const refundOf = (card: PayingCard, amount: string, changes: Record<string, unknown> = {}) => ({
  refund_id: newMessageId('ref'),
  ...moneyOf(card, amount),
  ...changes,
});

export const authorize = (
  app: TestApp,
  card: PayingCard,
  amount: string,
  changes: Record<string, unknown> = {},
): Promise<Answer['body']> =>
  accepted(app, 'authorizations', authorizationOf(card, amount, changes), card.owner);

/** An approval's `external_transaction_id`; the test fails here when it was declined. */
export async function hold(
  app: TestApp,
  card: PayingCard,
  amount: string,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const answer = await authorize(app, card, amount, changes);
  expect([answer.approved, answer.decline_reason]).toEqual([true, null]);
  return answer.external_transaction_id;
}

export const availableOf = async (app: TestApp, { id, owner }: PayingCard): Promise<number> =>
  (await retrieve(app, id, owner.key)).availableCredit;

/** The card's transactions as the merchant sees them, newest first. */
export async function transactionsOf(app: TestApp, { id, owner }: PayingCard): Promise<Answer['body'][]> {
  const { body } = await app.call('GET', `/api/v1/merchant/cards/${id}/transactions/`, { key: owner.key });
  expect(body.count).toBe(body.results.length);
  return body.results;
}

/** A program's own accounts by name, where they are not zero; the cards' accounts are left out. */
export async function balancesOf(app: TestApp, { program }: Owner): Promise<Record<string, bigint>> {
  const rows = await app.db.query<{ id: string; balance: bigint }>(
    {
      text: 'select id, balance_minor as balance from ledger_accounts where program_id = $1 and balance_minor <> 0',
    },
    [program.id],
  );
  const named = rows.map(({ id, balance }) => [nameOfAccount(id), balance] as const);
  return Object.fromEntries(named.filter(([name]) => !name.startsWith('card ')));
}

export const eventsOf = async (app: TestApp, card: PayingCard) => (await cardRows(app, card.id)).events;

/** The names of a card's `transaction` events, oldest first. */
export const eventNames = async (app: TestApp, card: PayingCard): Promise<string[]> =>
  (await eventsOf(app, card)).map(({ name }) => name).filter((name) => !name.startsWith('card.'));

const FAULTS = `
  select 'the accounts of ' || program_id || ' do not sum to zero' as fault
  from ledger_accounts group by program_id having sum(balance_minor) <> 0
  union all
  select 'the balance of ' || a.id || ' is not what its transfers make it'
  from ledger_accounts a
  where balance_minor <> (
    select coalesce(sum(case when credit_account_id = a.id then amount_minor else -amount_minor end), 0)
    from ledger_transfers t where t.program_id = a.program_id and a.id in (t.debit_account_id, t.credit_account_id))
  union all
  select 'the events of ' || k.card_id || ' are not numbered without gaps'
  from card_counters k
  left join lateral (
    select count(*), coalesce(max(card_sequence), 0) as last, coalesce(min(card_sequence), 1) as first
    from events e where e.program_id = k.program_id and e.card_id = k.card_id) e on true
  where (e.count, e.last, e.first) is distinct from (k.event_sequence, k.event_sequence, 1)
  union all
  select 'a limit of ' || card_id || ' counts below zero'
  from card_counters where least(day_spent_minor, month_spent_minor, total_spent_minor) < 0
  union all
  select 'the movement of ' || t.id || ' belongs to no event'
  from ledger_transfers t
  where code in ('hold', 'release', 'clearing', 'refund') and not exists (
    select from events e where e.program_id = t.program_id and e.id = t.movement_id)`;

interface HeldRow {
  programId: string;
  held: bigint;
  cleared: bigint;
  fxCleared: bigint;
  isForeign: boolean;
  bps: number;
  atm: bigint;
}

/**
 * After all tests of a file: the books balance, the holds are those of the transactions, credit moves as the modes say,
 * the events are dense.
 */
export async function expectSoundBooks(app: TestApp): Promise<void> {
  expect(await app.db.query({ text: FAULTS })).toEqual([]);
  expect(await creditFindings(app.databaseUrl)).toEqual([]);
  const holds = await app.db.query<HeldRow>({
    text: `select program_id, held_minor as held, cleared_minor as cleared, fx_fee_bps as bps,
                  fx_cleared_minor as fx_cleared, currency <> bill_currency as is_foreign, atm_fee_minor as atm
           from transactions where held_minor > 0`,
  });
  const expected = new Map<string, bigint>();
  for (const { programId, held, cleared, fxCleared, isForeign, bps, atm } of holds) {
    const fxFee = isForeign ? halfEvenShare(fxCleared + held, bps) - halfEvenShare(fxCleared, bps) : 0n;
    const fees = fxFee + (cleared === 0n ? atm : 0n);
    expected.set(programId, (expected.get(programId) ?? 0n) + held + fees);
  }
  const kept = await app.db.query<{ programId: string; balance: bigint }>(
    {
      text: `select program_id, balance_minor as balance from ledger_accounts
             where id = $1 and balance_minor <> 0`,
    },
    [ACCOUNTS.holds],
  );
  expect(new Map(kept.map(({ programId, balance }) => [programId, balance]))).toEqual(expected);
}
