import { afterEach, describe, expect, test } from 'vitest';
import {
  APPROVE,
  type Decided,
  type DecidingMerchant,
  decidingMerchant,
} from '../../support/cards/deciding-merchant.ts';
import {
  authorizationOf,
  incrementOf,
  networkApp,
  type PayingCard,
  payingCard,
  send,
} from '../../support/cards/network.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { startTestApp } from '../../support/server/test-app.ts';

const app = networkApp();
const open: DecidingMerchant[] = [];
afterEach(async () => {
  for (const { receiver } of open.splice(0)) await receiver.close();
});

async function merchantWith(settings: Record<string, unknown> = {}) {
  const merchant = await decidingMerchant(app, 'REAL_TIME', settings);
  open.push(merchant);
  return { merchant, card: await payingCard(app, {}, merchant.owner) };
}

/** Until `answer` is called, the merchant thinks. */
function thinking(merchant: DecidingMerchant, decided: Decided = APPROVE): () => void {
  let answer = () => {};
  const thought = new Promise<void>((resolve) => {
    answer = resolve;
  });
  merchant.decide = () => thought.then(() => decided);
  return answer;
}

const sendCopies = (card: PayingCard, count: number, path: 'authorizations' | 'increments', body: object) =>
  Promise.all(Array.from({ length: count }, () => card.send(path, body)));
const eventIdsOf = ({ requests }: DecidingMerchant) => requests.map(({ eventId }) => eventId);

describe.each([5, 50])('%i copies at once', (count) => {
  test('of an authorization: one request, one answer, one hold', async () => {
    const { merchant, card } = await merchantWith();
    // An answer without delay: the other copies then arrive before the first one is recorded, too.
    const answers = await sendCopies(card, count, 'authorizations', authorizationOf(card, '10.00'));
    expect(merchant.requests).toHaveLength(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { approved: true, bill_amount: '10.00' } });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await card.balances()).toMatchObject({ holds: 1_000n });
    expect(await card.eventNames()).toEqual(['authorization']);
  });

  test('of an increment: one request, one answer, held once', async () => {
    const { merchant, card } = await merchantWith();
    const increment = incrementOf(card, await card.hold('10.00'), '5.00');
    const answers = await sendCopies(card, count, 'increments', increment);
    expect(merchant.requests).toHaveLength(2);
    expect(answers[0]?.body).toMatchObject({ approved: true, bill_amount: '5.00' });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await card.balances()).toMatchObject({ holds: 1_500n });
  });

  test('that nobody answers: one request, one timeout, and one failure for the circuit', async () => {
    const { merchant, card } = await merchantWith({ timeoutMs: 500 });
    merchant.decide = () => 'hang';
    const answers = await sendCopies(card, count, 'authorizations', authorizationOf(card, '10.00'));
    expect(answers.map(({ body }) => body.decline_reason)).toEqual(Array(count).fill('decision_timeout'));
    expect(merchant.requests).toHaveLength(1);
    merchant.decide = () => APPROVE;
    await card.hold('10.00');
  });
});

test('copies that arrive while the merchant thinks wait for its answer; one that arrives later is a repeat', async () => {
  const { merchant, card } = await merchantWith();
  const answer = thinking(merchant);
  const request = authorizationOf(card, '10.00');
  const first = card.send('authorizations', request);
  await eventually(() => expect(merchant.requests).toHaveLength(1));
  const copies = sendCopies(card, 4, 'authorizations', request);
  // Another card's authorization passes through the same batches: the copies wait for the merchant alone.
  const other = await payingCard(app, {}, merchant.owner);
  expect(await other.authorize('0.00')).toMatchObject({ approved: true });
  answer();
  const { body } = await first;
  expect(body.approved).toBe(true);
  for (const copy of await copies) expect(copy.body).toEqual(body);
  expect((await card.send('authorizations', request)).body).toEqual(body);
  expect(merchant.requests).toHaveLength(1);
  expect(await card.balances()).toMatchObject({ holds: 1_000n });
});

test('another content under the id does not use the answer: it is a 409, and the merchant never sees it', async () => {
  const { merchant, card } = await merchantWith();
  const answer = thinking(merchant);
  const request = authorizationOf(card, '10.00');
  const first = card.send('authorizations', request);
  await eventually(() => expect(merchant.requests).toHaveLength(1));
  const others = ['11.00', '9999.00', '11.00'].map((amount) =>
    card.send('authorizations', { ...request, amount }),
  );
  const withoutMoney = card.send('authorizations', { ...request, amount: '0.00' });
  answer();
  expect((await first).body).toMatchObject({ approved: true, bill_amount: '10.00' });
  const refused = {
    code: 409,
    message: 'external_transaction_id: was already used with a different request',
    status: 'failed',
  };
  for (const other of await Promise.all([...others, withoutMoney]))
    expect([other.status, other.body]).toEqual([409, refused]);
  expect(merchant.requests).toHaveLength(1);
  expect(await card.balances()).toMatchObject({ holds: 1_000n });
});

test('the same id on two programs: each merchant decides', async () => {
  const [one, two] = [await merchantWith(), await merchantWith()];
  two.merchant.decide = () => ({ decision: 'DECLINE' });
  const external_transaction_id = 'same-on-two-programs';
  const answers = await Promise.all(
    [one, two].map(({ card }) => card.authorize('10.00', { external_transaction_id })),
  );
  expect(answers.map(({ approved }) => approved)).toEqual([true, false]);
});

test('another process requests the decision too, with the same `eventId`, and money is held once', async () => {
  const { merchant, card } = await merchantWith();
  const answer = thinking(merchant);
  const other = await startTestApp({
    databaseUrl: app.databaseUrl,
    masterKey: app.env['EMBOSS_MASTER_KEY'] as string,
  });
  const request = authorizationOf(card, '10.00');
  const copies = [app, app, other, other].map((server) =>
    send(server, 'authorizations', request, merchant.owner),
  );
  await eventually(() => expect(merchant.requests).toHaveLength(2));
  answer();
  const answers = await Promise.all(copies);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers[0]?.body.approved).toBe(true);
  expect(new Set(eventIdsOf(merchant)).size).toBe(1);
  expect(merchant.requests).toHaveLength(2);
  expect(await card.balances()).toMatchObject({ holds: 1_000n });
  await other.close();
});
