import { beforeAll, describe, expect, test } from 'vitest';
import { DECLINES } from '../../../src/authorizations/core/decline.ts';
import type { TransactionRecord } from '../../../src/authorizations/core/transaction.ts';
import { expireHolds } from '../../../src/authorizations/engine/expire-holds.ts';
import { insertTransactions } from '../../../src/authorizations/transactions/queries.ts';
import { newId, timeOf } from '../../../src/kernel/ids.ts';
import type { Program } from '../../../src/programs/program.ts';
import { wrongFor } from '../../support/authentications/authentications.ts';
import { someMerchant, someTransaction } from '../../support/cards/authorization-facts.ts';
import { act } from '../../support/cards/card-states.ts';
import { createCard } from '../../support/cards/cards.ts';
import {
  abroad,
  authorizationOf,
  clearingOf,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
} from '../../support/cards/network.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { consoleForTests } from '../../support/console/console.ts';
import { advanceDays } from '../../support/server/clock.ts';
import { type Answer, appForTests } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';

const app = appForTests();
const desk = consoleForTests(app);

interface Shown {
  id: string;
  externalTransactionId: string;
  created: string;
}
const byIdDown = (a: Shown, b: Shown) => (a.id < b.id ? 1 : -1);
const idsOf = (results: Shown[]): string[] => results.map(({ id }) => id);

/** Follows `next` to the end. */
async function walk(
  path: string,
  key?: string,
  recordsIn: (body: Answer['body']) => Shown[] = ({ results }) => results,
): Promise<Shown[]> {
  const found: Shown[] = [];
  const link = (before: string | null) =>
    `${path}${before ? `${path.includes('?') ? '&' : '?'}before=${before}` : ''}`;
  let before: string | null = null;
  do {
    const { status, body } = await desk.get(link(before), key);
    expect([status, body.message]).toEqual([200, undefined]);
    found.push(...recordsIn(body));
    before = body.next;
  } while (before !== null);
  return found;
}

/** Purchases past the engine, newest last, a minute apart up to now. */
async function fill(program: Program, rows: Array<Partial<TransactionRecord>>, cardId: string) {
  const now = Date.now();
  const records = rows.map((row, index) => {
    const ms = now - (rows.length - index) * 60_000;
    return someTransaction({ id: newId(ms), createdAt: new Date(ms), cardId, credentialId: cardId, ...row });
  });
  await app.db.transaction(async (tx) => insertTransactions(tx, program.id, records));
  return records.map(({ id }) => id);
}

describe("a card's timeline", () => {
  test('shows purchases and declines, newest first, with meaning and remedy', async () => {
    const card = await createCard(app, { spendLimit: 100 });
    const merchant = { id: 'm-9', name: 'Night Market', mcc: '5814', city: 'Lisbon', country: 'PT' };
    const paid = await swipe(app, card.id, '12.50', {
      merchant,
      channel: 'POS',
      entry_mode: 'CHIP',
      initiator: 'CARDHOLDER',
    });
    const refused = await swipe(app, card.id, '500.00', { merchant });
    const { status, body } = await desk.get(`cards/${card.id}/timeline/`);
    expect([status, body.next]).toEqual([200, null]);
    expect(idsOf(body.results)).toEqual([refused.transaction_id, paid.transaction_id]);
    expect(body.results[1]).toEqual({
      id: paid.transaction_id,
      externalTransactionId: paid.external_transaction_id,
      cardId: card.id,
      lastFour: card.lastFour,
      cardholderName: 'Ada Lovelace',
      kind: 'purchase',
      type: null,
      status: 'PENDING',
      amount: '12.50',
      currency: 'EUR',
      billAmount: '12.50',
      billCurrency: 'EUR',
      fees: { fx: '0.00', atm: '0.00' },
      total: '12.50',
      channel: 'POS',
      merchant: { ...merchant, country: 'PRT' },
      decline: null,
      approvalCode: paid.approval_code,
      flags: [],
      network: { entry_mode: 'CHIP', initiator: 'CARDHOLDER' },
      created: body.results[1].created,
    });
    const { meaning, remedy } = DECLINES.insufficient_funds;
    expect(body.results[0].decline).toEqual({
      code: '51',
      reason: 'insufficient_funds',
      networkCode: '51',
      meaning,
      remedy,
      limits: { available: '87.50', needed: '500.00' },
    });
  });

  test('shows the last four digits that the card had at the time of the transaction', async () => {
    const card = await createCard(app);
    await swipe(app, card.id, '1.00');
    await act(app, card.id, 'reissue: NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE');
    await swipe(app, card.id, '2.00');
    const { body } = await desk.get(`cards/${card.id}/timeline/`);
    const [after, before] = body.results;
    expect(before.lastFour).toBe(card.lastFour);
    const { body: now } = await app.call('GET', `/api/v1/merchant/cards/${card.id}/`);
    expect(after.lastFour).toBe(now.lastFour);
  });

  test('shows the fees of held or cleared amounts, and none of declined or void ones', async () => {
    const owner = await ownProgram(app, { fx_fee_bps: 150, atm_fee_minor: 300 });
    const card = await payingCard(app, { spendLimit: 1_000 }, owner);
    const cash = { channel: 'ATM', ...abroad('110.00', 'USD', '100.00') };
    const held = await card.hold('100.00', cash);
    const returned = await card.hold('100.00', cash);
    await card.reverse(returned);
    const cleared = await card.hold('100.00', cash);
    const half = { ...abroad('55.00', 'USD', '50.00') };
    await card.clear(cleared, '50.00', half);
    const { body } = await desk.get(`cards/${card.id}/timeline/`, owner.key);
    const feesOf = new Map(
      body.results.map((shown: Shown & { fees: object }) => [shown.externalTransactionId, shown.fees]),
    );
    expect(feesOf.get(held)).toEqual({ fx: '1.50', atm: '3.00' });
    expect(feesOf.get(returned)).toEqual({ fx: '0.00', atm: '0.00' });
    expect(feesOf.get(cleared)).toEqual({ fx: '0.75', atm: '3.00' });
  });

  test('pages through many transactions and authentications, each once', async () => {
    const { program, key } = await app.addProgram();
    const cardId = (await createCard(app, {}, key)).id;
    const other = (await createCard(app, {}, key)).id;
    const ids = await fill(program, Array(120).fill({}), cardId);
    await fill(program, Array(60).fill({}), other);
    expect(idsOf(await walk(`cards/${cardId}/timeline/`, key))).toEqual(ids.reverse());

    // One for every third purchase, and all of the past week before the first purchase.
    const weekMs = 7 * 86_400_000;
    const given = ids.flatMap((id, index) => [
      ...(index % 3 === 0 ? [newId(timeOf(id))] : []),
      newId(timeOf(id) - weekMs),
    ]);
    await app.sql(
      `insert into authentications (program_id, purpose, authentication_id, id, request_digest, card_id, status,
         trans_status, completed_at, created_at, created_real)
       select $1, '3ds', id, id, '', $2, 'AUTHENTICATED', 'Y', now(), now(), now() from unnest($3::uuid[]) as given (id)`,
      [program.id, cardId, given],
    );
    const path = `cards/${cardId}/timeline/`;
    const pages = await walk(path, key, (body) => [...body.results, ...body.authentications].sort(byIdDown));
    expect(idsOf(pages)).toEqual([...ids, ...given].sort().reverse());
  });

  test('shows how authentications were answered, without codes', async () => {
    const { id: card } = await createCard(app);
    const sandbox = '/api/v1/sandbox/authentications/';
    const begun = await app.call('POST', sandbox, { body: { card_id: card, amount: '40.00' } });
    const { id, authentication_id, otp } = begun.body;
    for (const code of [wrongFor(otp), otp])
      await exchange(app.url, 'POST', `/challenge/${id}/attempts/`, { body: { otp: code } });
    await swipe(app, card, '40.00', { authentication: { authentication_id } });
    const { body } = await desk.get(`cards/${card}/timeline/`);
    expect(body.authentications).toEqual([
      {
        id,
        cardId: card,
        authenticationId: authentication_id,
        purpose: '3ds',
        category: 'PAYMENT',
        status: 'AUTHENTICATED',
        method: 'OTP',
        reason: null,
        wrongCodes: 1,
        codesSent: 1,
        isUsed: true,
        amount: '40.00',
        currency: 'EUR',
        merchantName: 'Corner Coffee',
        wallet: null,
        created: expect.any(String),
      },
    ]);
  });
});

describe('filtered transactions', () => {
  let key: string;
  let ids: Record<string, string>;
  const ROWS: Record<string, Partial<TransactionRecord>> = {
    plain: {},
    atm: { channel: 'ATM' },
    dollars: { currency: 'USD', amountMinor: 2_000n },
    large: { billAmountMinor: 500_000n, heldMinor: 500_000n },
    bakery: { acceptor: { ...someMerchant, id: 'bakery-1', name: 'Bäckerei 100% Süß', mcc: '5462' } },
    declined: { status: 'DECLINED', heldMinor: 0n, declineReason: 'card_frozen', networkCode: '62' },
    // Held ten, and fifteen cleared: it comes to fifteen.
    cleared: {
      status: 'CLEARED',
      heldMinor: 0n,
      clearedMinor: 1_500n,
      clearedAmountMinor: 1_500n,
      clearedCurrency: 'EUR',
    },
    unannounced: {
      status: 'CLEARED',
      declineReason: 'already_reversed',
      networkCode: null,
      channel: null,
      acceptor: null,
    },
  };
  beforeAll(async () => {
    const owner = await app.addProgram();
    key = owner.key;
    const card = await createCard(app, {}, key);
    const made = await fill(owner.program, Object.values(ROWS), card.id);
    ids = Object.fromEntries(Object.keys(ROWS).map((name, index) => [name, made[index] as string]));
  });

  test.each<[filter: string, found: string[]]>([
    ['', Object.keys(ROWS)],
    ['status=DECLINED', ['declined']],
    ['status=CLEARED', ['cleared', 'unannounced']],
    ['status=APPROVED', Object.keys(ROWS).filter((name) => name !== 'declined')],
    ['channel=ATM', ['atm']],
    ['decline_reason=card_frozen', ['declined']],
    ['decline_reason=already_reversed', ['unannounced']],
    ['merchant=b%C3%A4ckerei', ['bakery']],
    ['merchant=100%25', ['bakery']],
    ['merchant=bakery-1', ['bakery']],
    ['merchant=_', []],
    ['mcc=5462', ['bakery']],
    ['currency=USD', ['dollars']],
    ['min_amount=1000', ['large']],
    ['min_amount=10.01&max_amount=15', ['cleared']],
    ['max_amount=10&status=PENDING&channel=POS&currency=EUR&mcc=5814', ['plain']],
    ['min_created=2100-01-01', []],
    ['max_created=2000-01-01', []],
  ])('%s', async (filter, found) => {
    const { status, body } = await desk.get(`transactions/?${filter}`, key);
    expect([status, body.next, body.searchedTo]).toEqual([200, null, null]);
    const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    expect(idsOf(body.results).map((id) => nameOf.get(id))).toEqual([...found].reverse());
  });

  test.each<[filter: string, message: string]>([
    ['colour=blue', 'colour: is not a query parameter of this endpoint; use card, decline_reason'],
    ['statsu=PENDING', 'statsu: is not a query parameter of this endpoint; did you mean status?'],
    ['status=GONE', 'status: must be one of PENDING, CLEARED, DECLINED, VOID'],
    ['channel=pos', 'channel: must be one of ECOMMERCE, POS, ATM, MOTO'],
    ['decline_reason=mood', 'decline_reason: must be one of card_blocked'],
    ['merchant=', 'merchant: must not be empty'],
    ['merchant=a%00b', 'merchant: must not contain control characters'],
    ['mcc=54', 'mcc: must be a merchant category code of 4 digits'],
    ['currency=EURO', 'currency: must be an ISO 4217 currency code'],
    ['min_amount=-1', 'min_amount: must be a decimal of at least 0'],
    ['max_amount=1.005', 'max_amount: must have at most 2 decimals in EUR'],
    ['min_amount=2&max_amount=1', 'min_amount: must not exceed max_amount'],
    ['min_created=2026-02-30', 'min_created: must be a UTC day, such as 2026-11-15, or a timestamp'],
    ['card=7', 'card: must be a card id'],
    ['order=up', 'order: must be one of newest, oldest'],
    ['min_created=2026-02-02&max_created=2026-02-01', 'min_created: must not be after max_created'],
    ['before=7', 'before: must be a record id'],
  ])('%s is refused with the field’s name', async (filter, message) => {
    const { status, body } = await desk.get(`transactions/?${filter}`, key);
    expect([status, body.message.slice(0, message.length)]).toEqual([400, message]);
  });

  test('a rare one among many is found by paging, and each request reads a limited number', async () => {
    const { program, key } = await app.addProgram();
    const card = await createCard(app, {}, key);
    // No index leads to it, as one does to a rare status.
    const rare = { channel: 'MOTO' } as const;
    const rows = Array.from({ length: 45_000 }, (_, index) =>
      [3, 20_100, 44_000].includes(index) ? rare : {},
    );
    const ids = await fill(program, rows, card.id);
    const first = await desk.get('transactions/?channel=MOTO', key);
    expect(idsOf(first.body.results)).toEqual([ids[44_000]]);
    expect(first.body.next).toBe(ids[25_000]);
    const minute = new Date(Date.now() - 20_000 * 60_000).toISOString().slice(0, 13);
    expect(first.body.searchedTo.slice(0, 13)).toBe(minute);
    expect(idsOf(await walk('transactions/?channel=MOTO', key))).toEqual([ids[44_000], ids[20_100], ids[3]]);
    const page = await desk.get('transactions/', key);
    expect(page.body.results).toHaveLength(50);
    expect(page.body.next).toBe(ids[44_950]);
  });
});

describe("a transaction's detail", () => {
  const lifeOf = async (id: string, key?: string) => {
    const { status, body } = await desk.get(`transactions/${id}/`, key);
    expect([status, body.message]).toEqual([200, undefined]);
    return body;
  };
  interface Event {
    name: string;
    status: string;
    transfers: Array<{ code: string; debit: string; credit: string; amount: string }>;
  }
  const summary = (events: Event[]) => events.map(({ name, status }) => `${name} ${status}`);

  let card: PayingCard;
  beforeAll(async () => {
    const owner = await ownProgram(app, {
      fx_fee_bps: 100,
      interchange_bps: 120,
      transaction_cost_minor: 10,
    });
    card = await payingCard(app, { spendLimit: 1_000 }, owner);
  });
  const transactionIdOf = async (externalId: string): Promise<string> => {
    const shown = await walk(`cards/${card.id}/timeline/`, card.owner.key);
    return shown.find(({ externalTransactionId }) => externalTransactionId === externalId)?.id as string;
  };

  test('contains authorization, clearings and refunds, with every transfer', async () => {
    const external = await card.hold('100.00', abroad('110.00', 'USD', '100.00'));
    const clear = (money: object) => card.send('clearings', { ...clearingOf(card, external, ''), ...money });
    await clear({ ...abroad('44.00', 'USD', '40.00'), final: false });
    await card.reverse(external, { bill_amount: '10.00' });
    await clear(abroad('55.00', 'USD', '50.00'));
    const refund = refundOf(card, '5.00', { external_transaction_id: external });
    await card.send('refunds', refund);
    const id = await transactionIdOf(external);
    const life = await lifeOf(id, card.owner.key);
    expect(summary(life.events)).toEqual([
      'authorization PENDING',
      'authorization.clearing PENDING',
      'authorization.reversal PENDING',
      'authorization.clearing CLEARED',
    ]);
    const [authorization, clearing] = life.events;
    expect(authorization).toMatchObject({
      messageId: external,
      amount: '110.00',
      currency: 'USD',
      billAmount: '100.00',
      billCurrency: 'EUR',
      fees: { fx: '1.00', atm: '0.00' },
    });
    // What is said is what moved.
    expect(life.events.map(({ total }: { total: string }) => total)).toEqual([
      '101.00',
      '40.40',
      '10.10',
      '50.50',
    ]);
    const moves = (event: Event) =>
      event.transfers.map(({ id: _id, ...rest }: Record<string, string>) => rest);
    expect(moves(authorization)).toEqual([
      { code: 'credit_hold', debit: "Card's available credit", credit: 'Card credit', amount: '101.00' },
      { code: 'hold', debit: 'Master account', credit: 'Holds', amount: '101.00' },
    ]);
    expect(moves(clearing)).toEqual([
      { code: 'clearing', debit: 'Holds', credit: 'Settlement with the network', amount: '40.00' },
      { code: 'fx_fee', debit: 'Holds', credit: 'FX fees earned', amount: '0.40' },
      {
        code: 'interchange',
        debit: 'Settlement with the network',
        credit: 'Interchange earned',
        amount: '0.48',
      },
      { code: 'transaction_cost', debit: 'Transaction costs', credit: 'Costs payable', amount: '0.10' },
    ]);
    expect(life.transaction.id).toBe(id);
    expect(life.card.id).toBe(card.id);
    expect(life.parent).toBeNull();
    expect(life.refunds.map((shown: Shown) => shown.externalTransactionId)).toEqual([refund.refund_id]);
    expect(life.refunds[0]).toMatchObject({ kind: 'refund', billAmount: '-5.00' });

    const back = await lifeOf(life.refunds[0].id, card.owner.key);
    expect(back.parent.id).toBe(id);
    expect(summary(back.events)).toEqual(['refund CLEARED']);
    expect(moves(back.events[0]).map(({ code }) => code)).toEqual(['credit_refund', 'refund', 'interchange']);
  });

  test('contains all messages of one millisecond, in order', async () => {
    const body = authorizationOf(card, '30.00');
    const external = body.external_transaction_id;
    // They gather while the first is under way, and are written together.
    const clearings = ['1.00', '2.00', '3.00'].map((amount) => ({
      ...clearingOf(card, external, amount),
      final: false,
    }));
    const other = authorizationOf(card, '1.00');
    await card.send('authorizations', body);
    await Promise.all([
      card.send('authorizations', other),
      ...clearings.map((clearing) => card.send('clearings', clearing)),
    ]);
    const { events } = await lifeOf(await transactionIdOf(external), card.owner.key);
    expect(summary(events)).toEqual([
      'authorization PENDING',
      ...Array(3).fill('authorization.clearing PENDING'),
    ]);
    const order = events.slice(1).map(({ billAmount }: { billAmount: string }) => billAmount);
    expect([...order].sort()).toEqual(['1.00', '2.00', '3.00']);
    for (const event of events.slice(1))
      expect(event.transfers.map(({ amount }: { amount: string }) => amount)).toContain(event.billAmount);
  });

  test('of a decline contains the decline and no transfer', async () => {
    const { transaction_id: id } = await swipe(app, card.id, '9999.00', {}, card.owner.key);
    const life = await lifeOf(id, card.owner.key);
    expect(summary(life.events)).toEqual(['authorization.declined DECLINED']);
    expect(life.events[0].transfers).toEqual([]);
    expect(life.transaction.decline.reason).toBe('insufficient_funds');
    expect(life.events[0].decline).toEqual(life.transaction.decline);
  });

  test('has the numbers of a decline that came after its clearing, and of a declined increment', async () => {
    const limited = await payingCard(app, {}, card.owner);
    const body = authorizationOf(limited, '60.00');
    const external = body.external_transaction_id;
    const early = clearingOf(limited, external, '10.00', { card_number: limited.number, final: false });
    await card.send('clearings', early);
    await limited.setControls({ dailyLimit: 50 });
    const { body: late } = await card.send('authorizations', body);
    const life = await lifeOf(late.transaction_id, card.owner.key);
    expect(life.transaction.decline.limits).toMatchObject({
      limit: 'dailyLimit',
      value: '50.00',
      spent: '10.00',
    });
    const { external_transaction_id, transaction_id } = await limited.authorize('30.00');
    await limited.increment(external_transaction_id, '10.01');
    const raised = await lifeOf(transaction_id, card.owner.key);
    expect(raised.transaction.decline).toBeNull();
    expect(raised.events[1].decline.limits).toMatchObject({ limit: 'dailyLimit', spent: '40.00' });
  });

  test('has flags, the network data, what a reversal reverses, and a credit with its refund', async () => {
    const external = await card.hold('10.00', { pre_authorization: true });
    const { increment_id } = await card.increment(external, '5.00');
    await card.reverse(external, { increment_id });
    await card.clear(external, '20.00', { arn: 'arn-9' });
    const life = await lifeOf(await transactionIdOf(external), card.owner.key);
    expect(life.transaction).toMatchObject({
      type: null,
      flags: ['over_hold'],
      network: { pre_authorization: true, arn: 'arn-9' },
    });
    expect(life.events.map((event: { reverses?: string; flags?: string[] }) => event.reverses)).toEqual([
      undefined,
      undefined,
      increment_id,
      undefined,
    ]);
    expect(life.events[3].flags).toEqual(['over_hold']);
    const credit = await card.hold('8.00', { type: 'CREDIT' });
    const creditId = await transactionIdOf(credit);
    const pending = { type: 'CREDIT', kind: 'refund', status: 'PENDING', billAmount: '-8.00' };
    expect((await lifeOf(creditId, card.owner.key)).transaction).toMatchObject(pending);
    await card.refund('8.00', { external_transaction_id: credit });
    const { transaction, events } = await lifeOf(creditId, card.owner.key);
    expect(transaction).toMatchObject({ ...pending, status: 'CLEARED' });
    expect(summary(events)).toEqual(['authorization PENDING', 'refund CLEARED']);
  });

  test('of an advice says who decided, also under an id of its own', async () => {
    const stand_in = { approved: true, reason: 'issuer unavailable' };
    const { transaction_id } = await card.authorize('3.00', { stand_in, advice_id: 'adv-of-its-own' });
    const { events } = await lifeOf(transaction_id, card.owner.key);
    expect(events[0].decision).toMatchObject({ source: 'network', reason: 'issuer unavailable' });
    const path = `/api/v1/merchant/transactions/${transaction_id}/`;
    const { body } = await app.call('GET', path, { key: card.owner.key });
    expect(body.decision).toEqual(events[0].decision);
  });

  test('of a clearing that arrived first contains its authorization too', async () => {
    const body = authorizationOf(card, '20.00');
    const external = body.external_transaction_id;
    const clearing = clearingOf(card, external, '15.00', { card_number: card.number, final: false });
    await card.send('clearings', clearing);
    await card.send('authorizations', body);
    const life = await lifeOf(await transactionIdOf(external), card.owner.key);
    expect(summary(life.events)).toEqual(['authorization.clearing CLEARED', 'authorization PENDING']);
  });

  test('ends with the release of a hold that was not cleared', async () => {
    const owner = await ownProgram(app);
    const paying = await payingCard(app, {}, owner);
    await paying.hold('10.00');
    await advanceDays(app, 8, owner.key);
    await expireHolds(app, owner.program.id);
    const [shown] = await walk(`cards/${paying.id}/timeline/`, owner.key);
    const life = await lifeOf(shown?.id as string, owner.key);
    expect(summary(life.events)).toEqual(['authorization PENDING', 'authorization.expired VOID']);
    expect(life.events[1].transfers.map(({ code }: { code: string }) => code)).toEqual([
      'credit_release',
      'release',
    ]);
  });
});
