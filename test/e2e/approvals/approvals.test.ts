import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, test } from 'vitest';
import { changeOperator } from '../../../src/operators/manage-operators.ts';
import { updateProgram } from '../../../src/programs/update-program.ts';
import { cardRows } from '../../support/cards/card-rows.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { PASSWORD, type SignedIn, signInAs } from '../../support/console/operators.ts';
import { TESTER, testActor } from '../../support/server/actor.ts';
import { type Answer, type TestApp, twoAppsForTests } from '../../support/server/test-app.ts';

/** Two processes on one database, as in production. */
const [app, other] = twoAppsForTests();
let first: SignedIn;
let second: SignedIn;
let admin: SignedIn;
let cardId: string;

const setThreshold = async (minor: bigint | null) =>
  updateProgram(app.db, await testActor(app.db, app.program.id), { secondPersonAboveMinor: minor });

beforeEach(async () => {
  await setThreshold(100_00n);
  [first, second, admin] = [
    await signInAs(app, 'manager', null, { name: 'First Person' }),
    await signInAs(app, 'manager', null, { name: 'Second Person' }),
    await signInAs(app, 'admin'),
  ];
  cardId = (await createCard(app, { spendLimit: 5_000 })).id;
});

const callAs = (
  who: SignedIn,
  method: string,
  path: string,
  body?: unknown,
  key?: string,
  on: TestApp = app,
) =>
  on.call(method, `/console/api/programs/${app.program.id}/${path}`, {
    key: null,
    body,
    headers: {
      ...{ cookie: who.cookie, 'x-csrf-token': who.csrfToken },
      ...(key !== undefined && { 'idempotency-key': key }),
    },
  });
const adjust = (amount: number, { who = first, key }: { who?: SignedIn; key?: string } = {}) =>
  callAs(
    who,
    'POST',
    `merchant/cards/${cardId}/balance-adjustments/`,
    { amount, reference: 'Goodwill 4111111111111111' },
    key,
  );
const decide = (who: SignedIn, id: string, decision: string, more: object = {}, on?: TestApp) =>
  callAs(who, 'POST', `approvals/${id}/${decision}/`, more, undefined, on);
const approve = (who: SignedIn, id: string, on?: TestApp) =>
  decide(who, id, 'approve', { password: PASSWORD }, on);
const waiting = async (who: SignedIn) => (await who.call('GET', 'approvals/waiting/')).body.count as number;
const credit = async () => (await retrieve(app, cardId)).availableCredit as number;
const requested = async (amount = 100.01): Promise<string> => (await adjust(amount)).body.approvalId;
const said = ({ status, body }: Answer) => [status, body.message];
const found = async (id: string) =>
  (await second.call('GET', 'approvals/')).body.results.find((each: { id: string }) => each.id === id);
const actions = async () =>
  (await cardRows(app, cardId)).audits.filter(({ name }) => /^approval|balance/.test(name));

describe('an adjustment by an operator', () => {
  test.each([100, -100])('of exactly the amount, %d, is made at once', async (amount) => {
    const before = await credit();
    expect((await adjust(amount)).status).toBe(201);
    expect(await credit()).toBe(before + amount);
  });

  test('waits if the rule was set while it waited for the card', async () => {
    await setThreshold(null);
    const before = await credit();
    const holder = new pg.Client({ connectionString: app.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from card_counters where card_id = $1 for update', [cardId]);
    const adjusting = adjust(100.01);
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(() => app.sql(waits), { interval: 5, timeout: 60_000 }).toHaveLength(1);
    await setThreshold(100_00n);
    await holder.end();
    const { status, body } = await adjusting;
    expect([status, await credit()]).toEqual([202, before]);
    expect(await found(body.approvalId)).toMatchObject({ status: 'PENDING', amount: '100.01' });
  });

  test('of any amount is made at once if the rule is off', async () => {
    await setThreshold(null);
    expect((await adjust(4_000)).status).toBe(201);
  });

  test.each([100.01, -100.01])('above it, %d, waits and is made once it is approved', async (amount) => {
    const before = await credit();
    const { status, body } = await adjust(amount);
    expect([status, body]).toEqual([202, { approvalId: expect.any(String), expires: expect.any(String) }]);
    expect(await credit()).toBe(before);
    expect(await found(body.approvalId)).toMatchObject({
      ...{ kind: 'adjustment', status: 'PENDING', cardId, amount: amount.toFixed(2), mayDecide: true },
      facts: [{ field: 'reference', before: null, value: 'Goodwill [card number]' }],
      ...{ requestedBy: { id: first.id, name: 'First Person' }, decidedBy: null },
    });
    expect(await waiting(second)).toBeGreaterThan(0);

    const approved = await decide(second, body.approvalId, 'approve', {
      password: PASSWORD,
      reason: 'Agreed',
    });
    expect(approved).toMatchObject({
      status: 200,
      body: { status: 'APPROVED', reason: 'Agreed', decidedBy: { name: 'Second Person' } },
    });
    expect(await credit()).toBe(before + amount);
    const name = (who: SignedIn, called: string) => `operator:${called} <${who.email}>`;
    const entries = (await actions()).map(({ name: action, actor, after }) => [
      action,
      actor,
      after?.['approvedBy'],
    ]);
    expect(entries.toSorted()).toEqual([
      ['approval.approved', name(second, 'Second Person'), undefined],
      ['approval.requested', name(first, 'First Person'), undefined],
      ['card.balance_adjusted', name(first, 'First Person'), name(second, 'Second Person')],
    ]);
  });

  test('that cannot work is refused at once', async () => {
    expect(said(await adjust(-6_000))).toEqual([
      400,
      'amount: must not remove more than the available 5000.00',
    ]);
    expect(await actions()).toEqual([]);
  });

  test('with the same Idempotency-Key stays the same request', async () => {
    const key = randomUUID();
    const answers = await Promise.all([adjust(150, { key }), adjust(150, { key }), adjust(150, { key })]);
    expect(new Set(answers.map(({ body }) => body.approvalId)).size).toBe(1);
    await approve(second, answers[0]?.body.approvalId);
    expect(await adjust(150, { key })).toMatchObject({ status: 202, body: answers[0]?.body });
    expect(await credit()).toBe(5_150);
  });

  test('with an API key needs nobody, also under an Idempotency-Key of an operator', async () => {
    const [key, body] = [randomUUID(), { amount: 4_000, reference: 'by key' }];
    const path = `merchant/cards/${cardId}/balance-adjustments/`;
    expect((await callAs(first, 'POST', path, body, key)).status).toBe(202);
    const headers = { 'idempotency-key': key };
    const answer = await app.call('POST', `${CARDS}${cardId}/balance-adjustments/`, { body, headers });
    expect(answer).toMatchObject({ status: 201, body: { amount: 4_000, availableCredit: 9_000 } });
  });
});

describe('a card with an opening balance above the amount', () => {
  const REFUSED = [
    400,
    'spendLimit: must be at most 100.00: above it a second person is needed. Create the card with less, then adjust its balance',
  ];

  test('is not created by one operator', async () => {
    const create = (spendLimit: number) =>
      callAs(first, 'POST', 'merchant/cards/', consumerCard({ spendLimit }));
    expect(said(await create(100.01))).toEqual(REFUSED);
    expect((await create(100)).status).toBe(201);
    await setThreshold(null);
    expect((await create(100.01)).status).toBe(201);
  });

  test('replaces a blocked card only with what that one had left', async () => {
    await callAs(first, 'PUT', `merchant/cards/${cardId}/block/`, { reason: 'lost' });
    const replace = (body: object) => callAs(first, 'POST', `cards/${cardId}/replacement/`, body);
    expect(said(await replace({ spendLimit: 5_000.01 }))).toEqual([
      400,
      expect.stringContaining('spendLimit: must be at most 5000.00: '),
    ]);
    expect((await replace({})).status).toBe(201);
  });
});

describe('a decision', () => {
  test('on one’s own request is refused; withdrawing it is not', async () => {
    const id = await requested();
    expect(said(await approve(first, id))).toEqual([
      403,
      'You requested this change: another operator must approve it',
    ]);
    expect((await first.call('GET', 'approvals/')).body.results[0]).toMatchObject({
      ...{ id, mayDecide: false, mayWithdraw: true },
    });
    expect(await decide(first, id, 'reject')).toMatchObject({ status: 200, body: { status: 'WITHDRAWN' } });
    expect(said(await approve(second, id))).toEqual([
      409,
      'The request is no longer pending: it is WITHDRAWN',
    ]);
    expect(await credit()).toBe(5_000);
  });

  test('needs the password, and the role', async () => {
    const id = await requested();
    expect(said(await decide(second, id, 'approve', { password: 'wrong' }))).toEqual([
      400,
      'password: is wrong',
    ]);
    expect(said(await decide(second, id, 'approve'))[0]).toBe(400);
    const support = await signInAs(app, 'support');
    expect(said(await approve(support, id))).toEqual([
      403,
      'Requires the role manager; your role is support',
    ]);
    expect((await found(id)).status).toBe('PENDING');
  });

  test('by many at once is made once', async () => {
    const id = await requested();
    const third = await signInAs(app, 'manager');
    const answers = await Promise.all(
      [second, third, admin, second].map((who, index) => approve(who, id, index % 2 ? other : app)),
    );
    const winners = answers.filter(({ status }) => status === 200).map(({ body }) => body.decidedBy.id);
    expect(new Set(winners).size).toBe(1);
    expect(answers.filter(({ status }) => status === 409).length).toBeGreaterThan(1);
    expect(await credit()).toBe(5_100.01);
    expect((await actions()).map(({ name }) => name).toSorted()).toEqual([
      'approval.approved',
      'approval.requested',
      'card.balance_adjusted',
    ]);
    // A lost answer can be had again.
    const winner = [second, third, admin].find((who) => who.id === winners[0]) as SignedIn;
    expect(await approve(winner, id)).toMatchObject({ status: 200, body: { status: 'APPROVED' } });
    expect(await credit()).toBe(5_100.01);
  });

  test('after three days is too late', async () => {
    const id = await requested();
    const before = await waiting(second);
    await app.sql("update approvals set expires_at = now() - interval '1 ms' where id = $1", [id]);
    expect(said(await approve(second, id))).toEqual([409, 'The request is no longer pending: it is EXPIRED']);
    expect(said(await decide(first, id, 'reject'))[0]).toBe(409);
    expect(await found(id)).toMatchObject({ status: 'EXPIRED', mayDecide: false });
    expect(await waiting(second)).toBe(before - 1);
    const ids = async (status: string) =>
      (await second.call('GET', `approvals/?status=${status}`)).body.results.map(
        (each: { id: string }) => each.id,
      );
    expect(await ids('EXPIRED')).toContain(id);
    expect(await ids('PENDING')).not.toContain(id);
  });

  test('of rejection keeps its reason and moves nothing', async () => {
    const id = await requested();
    const rejected = await decide(second, id, 'reject', { reason: 'No such case' });
    expect(rejected).toMatchObject({ status: 200, body: { status: 'REJECTED', reason: 'No such case' } });
    expect(await credit()).toBe(5_000);
    expect((await actions()).at(-1)).toMatchObject({
      name: 'approval.rejected',
      after: { approvalId: id, reason: 'No such case' },
    });
  });

  test('follows the rules of that moment', async () => {
    const id = await requested(-3_000);
    await setThreshold(null);
    expect((await adjust(-4_000)).status).toBe(201);
    expect(await approve(second, id)).toMatchObject({
      status: 200,
      body: { status: 'FAILED', reason: 'amount: must not remove more than the available 1000.00' },
    });
    expect(await credit()).toBe(1_000);
    expect((await actions()).at(-1)).toMatchObject({ name: 'approval.failed' });
    expect(said(await approve(admin, id))[0]).toBe(409);
  });

  test('fails if the operator who requested it has lost the role', async () => {
    const id = await requested();
    await changeOperator(app.db, app.vault, TESTER, first.id, { role: 'support' });
    expect(await approve(second, id)).toMatchObject({
      body: { status: 'FAILED', reason: 'The operator who requested this no longer has the role manager' },
    });
    expect(await credit()).toBe(5_000);
  });

  test.each([{ role: 'support' as const }, { enabled: false }])(
    'is refused to an operator who has lost the role: %j',
    async (change) => {
      const id = await requested();
      await changeOperator(app.db, app.vault, TESTER, second.id, change);
      expect([401, 403]).toContain((await approve(second, id)).status);
      expect(await credit()).toBe(5_000);
    },
  );
});

describe('money and fees of the program', () => {
  const available = async () => (await admin.call('GET', 'merchant/account/')).body.available as number;
  const send = (path: string, body: object, key?: string) =>
    callAs(admin, 'POST', `account/${path}/`, { ...body, password: PASSWORD }, key);

  test('a deposit and a withdrawal above the amount wait, and move once', async () => {
    const before = await available();
    expect((await send('deposits', { amount: 100, reference: 'wire 1' })).status).toBe(201);
    const key = randomUUID();
    const deposit = { amount: 900, reference: 'wire 2' };
    const [asked, again] = [await send('deposits', deposit, key), await send('deposits', deposit, key)];
    expect([asked.status, again.body]).toEqual([202, asked.body]);
    expect(said(await approve(second, asked.body.approvalId))).toEqual([403, 'Requires the role admin']);
    const another = await signInAs(app, 'admin', null, { name: 'Another Admin' });
    expect(await approve(another, asked.body.approvalId)).toMatchObject({
      body: { status: 'APPROVED', kind: 'deposit', amount: '900.00' },
    });
    expect(await available()).toBe(before + 1_000);

    expect((await send('withdrawals', { amount: before + 1_001, reference: 'out' })).status).toBe(400);
    const out = await send('withdrawals', { amount: before + 950, reference: 'out' });
    expect(out.status).toBe(202);
    expect((await send('withdrawals', { amount: 100, reference: 'out first' })).status).toBe(201);
    const moved = await approve(another, out.body.approvalId);
    expect(moved.body).toMatchObject({
      status: 'FAILED',
      reason: `amount: must be at most the available ${(before + 900).toFixed(2)}`,
    });
    const { results } = (await admin.call('GET', 'funding/')).body;
    expect(
      results.map(({ amount, reference }: Record<string, string>) => [amount, reference]),
    ).toContainEqual([...['900.00', 'wire 2']]);
  });

  test('every change of fees waits', async () => {
    const fees = async () => (await admin.call('GET', 'terms/')).body.fees;
    const set = (body: object) => admin.call('PUT', 'fees/', { ...body, password: PASSWORD });
    const before = await fees();
    expect((await set({ atmFee: 0.001 })).status).toBe(400);
    const { status, body } = await set({ atmFee: 2.5, fxFeeBps: 175 });
    expect([status, await fees()]).toEqual([202, before]);
    expect((await found(body.approvalId)).facts).toContainEqual({
      ...{ field: 'atmFee', before: before.atmFee, value: '2.50' },
    });
    const another = await signInAs(app, 'admin');
    expect(await approve(another, body.approvalId)).toMatchObject({
      body: {
        ...{ status: 'APPROVED', kind: 'fees', amount: null },
        facts: expect.arrayContaining([{ field: 'atmFee', before: null, value: '2.50' }]),
      },
    });
    expect(await fees()).toEqual({ ...before, atmFee: '2.50', fxFeeBps: 175 });
    await setThreshold(null);
    expect((await set({ atmFee: 0, fxFeeBps: 0 })).status).toBe(200);
  });
});

describe('the setting', () => {
  const set = (who: SignedIn, secondPersonAbove: string | null, password = PASSWORD) =>
    who.call('PUT', 'second-person/', { secondPersonAbove, password });
  const threshold = async () => (await admin.call('GET', 'terms/')).body.secondPersonAbove as string | null;

  test('is lowered by one administrator, and weakened by two', async () => {
    expect((await set(first, '1.00')).status).toBe(403);
    expect(said(await set(admin, '50.00', 'wrong'))).toEqual([400, 'password: is wrong']);
    expect(said(await set(admin, '50.001'))[0]).toBe(400);
    expect(said(await set(admin, '-1.00'))).toEqual([400, expect.stringMatching(/^secondPersonAbove: /)]);
    expect(await set(admin, '50.00')).toMatchObject({ status: 200, body: { secondPersonAbove: '50.00' } });
    for (const weaker of ['50.01', null]) {
      const { status, body } = await set(admin, weaker);
      expect([status, await threshold()]).toEqual([202, '50.00']);
      expect(said(await approve(second, body.approvalId))).toEqual([403, 'Requires the role admin']);
      expect(said(await approve(admin, body.approvalId))[0]).toBe(403);
      const another = await signInAs(app, 'admin');
      expect(await approve(another, body.approvalId)).toMatchObject({ body: { status: 'APPROVED' } });
      expect(await threshold()).toBe(weaker);
      await setThreshold(50_00n);
    }
    await setThreshold(null);
    expect(await set(admin, '0.00')).toMatchObject({ status: 200 });
    expect((await adjust(0.01)).status).toBe(202);
  });
});
