import { afterAll, expect } from 'vitest';
import { ACCOUNTS, nameOfAccount } from '../../../src/ledger/accounts.ts';
import { postTransfers } from '../../../src/ledger/post-transfers.ts';
import { halfEvenShare } from '../../model/half-even.ts';
import { creditFindings } from '../database/money-checks.ts';
import { type Answer, appForTests, type TestApp, type TestAppOptions } from '../server/test-app.ts';
import { cardRows } from './card-rows.ts';
import { act, credentialsOf, retrieve } from './card-states.ts';
import { CARDS, createCard } from './cards.ts';

/** A program with both of its keys: the app's own, or one made for a test that changes terms or the clock. */
export type Owner = Pick<TestApp, 'program' | 'key' | 'networkKey'>;

/** One app for all tests of a file; its books must balance at the end. */
export function networkApp(options: TestAppOptions = {}): TestApp {
  const app = appForTests(options);
  afterAll(() => expectSoundBooks(app));
  return app;
}

type Changes = Record<string, unknown>;

/** A card with all that the network knows of it, and the messages about it that its program's network sends. */
export class PayingCard {
  readonly app: TestApp;
  readonly id: string;
  readonly owner: Owner;
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;

  constructor(known: Pick<PayingCard, 'app' | 'id' | 'owner' | 'number' | 'expiry' | 'cvv'>) {
    ({ app: this.app, id: this.id, owner: this.owner } = known);
    ({ number: this.number, expiry: this.expiry, cvv: this.cvv } = known);
  }

  /** The same card, as a network sees it that knows something else of it. */
  with(changes: Partial<Pick<PayingCard, 'app' | 'owner' | 'number' | 'expiry' | 'cvv'>>): PayingCard {
    return new PayingCard({ ...this, ...changes });
  }

  /** Not a CVV of this card. */
  get wrongCvv(): string {
    return this.cvv === '000' ? '001' : '000';
  }

  /** As it is after a reissue. */
  async renewed(): Promise<PayingCard> {
    return this.with(await networkView(this.app, this.id, this.owner));
  }

  send(path: NetworkPath, body: object): Promise<Answer> {
    return send(this.app, path, body, this.owner);
  }

  /** Each sends a message that must be answered with 200, as a decline is too; returns the answer's body. */
  authorize(amount: string, changes: Changes = {}): Promise<Answer['body']> {
    return accepted(this.app, 'authorizations', authorizationOf(this, amount, changes), this.owner);
  }
  increment(purchaseId: string, amount: string, changes: Changes = {}): Promise<Answer['body']> {
    return accepted(this.app, 'increments', incrementOf(this, purchaseId, amount, changes), this.owner);
  }
  clear(purchaseId: string, amount: string, changes: object = {}): Promise<Answer['body']> {
    const request = { ...clearingOf(this, purchaseId, amount), ...changes };
    return accepted(this.app, 'clearings', request, this.owner);
  }
  reverse(purchaseId: string, changes: Changes = {}): Promise<Answer['body']> {
    return accepted(this.app, 'reversals', reversalOf(purchaseId, changes), this.owner);
  }
  refund(amount: string, changes: object = {}): Promise<Answer['body']> {
    return accepted(this.app, 'refunds', { ...refundOf(this, amount), ...changes }, this.owner);
  }

  /** An approval's `external_transaction_id`; the test fails here when it was declined. */
  async hold(amount: string, changes: Changes = {}): Promise<string> {
    const answer = await this.authorize(amount, changes);
    expect([answer.approved, answer.decline_reason]).toEqual([true, null]);
    return answer.external_transaction_id;
  }

  /** Sends a message that must be refused with this message. */
  async refuse(path: NetworkPath, body: object, message: string, code = 400): Promise<void> {
    const answer = await this.send(path, body);
    expect([answer.status, answer.body]).toEqual([code, { code, message, status: 'failed' }]);
  }

  act(action: string): Promise<Answer> {
    return act(this.app, this.id, action, this.owner.key);
  }

  async setControls(body: object): Promise<void> {
    const options = { body, key: this.owner.key };
    const answer = await this.app.call('PUT', `${CARDS}${this.id}/spend-controls/`, options);
    expect([answer.status, answer.body.message]).toEqual([200, undefined]);
  }

  async adjust(amount: number): Promise<void> {
    const options = { body: { amount, reference: 'test' }, key: this.owner.key };
    const answer = await this.app.call('POST', `${CARDS}${this.id}/balance-adjustments/`, options);
    expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  }

  async available(): Promise<number> {
    return (await retrieve(this.app, this.id, this.owner.key)).availableCredit;
  }

  balances(): Promise<Record<string, bigint>> {
    return balancesOf(this.app, this.owner);
  }

  /** The card's transactions as the merchant sees them, newest first. */
  async transactions(): Promise<Answer['body'][]> {
    const path = `/api/v1/merchant/cards/${this.id}/transactions/`;
    const { body } = await this.app.call('GET', path, { key: this.owner.key });
    expect(body.count).toBe(body.results.length);
    return body.results;
  }

  async events() {
    return (await cardRows(this.app, this.id)).events;
  }

  /** The names of its `transaction` events, oldest first. */
  async eventNames(): Promise<string[]> {
    return (await this.events()).map(({ name }) => name).filter((name) => !name.startsWith('card.'));
  }
}

export async function payingCard(
  app: TestApp,
  changes: Changes = {},
  owner: Owner = app,
): Promise<PayingCard> {
  const { id } = await createCard(app, changes, owner.key);
  return new PayingCard({ app, id, owner, ...(await networkView(app, id, owner)) });
}

async function networkView(app: TestApp, cardId: string, owner: Owner) {
  const { cardNumber: number, cvv, expiryDate } = await credentialsOf(app, cardId, owner.key);
  return { number, cvv, expiry: expiryDate.slice(0, 7) };
}

/** Terms are set past the product: there is no API for them. */
export async function setTerms(app: TestApp, owner: Owner, terms: Changes): Promise<void> {
  const columns = Object.keys(terms).map((column, place) => `${column} = $${place + 2}`);
  const values = [owner.program.id, ...Object.values(terms)];
  await app.sql(`update programs set ${columns.join(', ')} where id = $1`, values);
}

/** A program of its own, for a test that moves the clock or has terms of its own. */
export async function ownProgram(app: TestApp, terms: Changes = {}, currency = 'EUR'): Promise<Owner> {
  const owner = await app.addProgram({ currency });
  if (Object.keys(terms).length > 0) await setTerms(app, owner, terms);
  return owner;
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

/** The response to an approved purchase, without its ids and amount. */
export const APPROVAL = {
  transaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  approved: true,
  status: 'PENDING',
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: expect.stringMatching(/^\d{6}$/),
  amount: expect.any(String),
  currency: expect.stringMatching(/^[A-Z]{3}$/),
  bill_currency: 'EUR',
};
/** To a declined one, without the reason's codes. */
export const DECLINE = { ...APPROVAL, approved: false, status: 'DECLINED', approval_code: null };

export const authorizationOf = (
  { number, expiry, owner }: PayingCard,
  amount: string,
  changes: Changes = {},
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
  changes: Changes = {},
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
  changes: Changes = {},
) => ({
  external_transaction_id,
  increment_id: newMessageId('inc'),
  amount,
  currency: owner.program.currency,
  ...changes,
});

export const reversalOf = (external_transaction_id: string, changes: Changes = {}) => ({
  external_transaction_id,
  reversal_id: newMessageId('rev'),
  ...changes,
});

export const refundOf = (card: PayingCard, amount: string, changes: Changes = {}) => ({
  refund_id: newMessageId('ref'),
  ...moneyOf(card, amount),
  ...changes,
});

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
