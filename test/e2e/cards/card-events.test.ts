import { beforeEach, describe, expect, test } from 'vitest';
import { cardExpiry } from '../../../src/cards/expire-cards.ts';
import { CARDS, consumerCard, createCard } from '../../support/cards/cards.ts';
import { signInAs } from '../../support/console/operators.ts';
import { journalFindings } from '../../support/database/money-checks.ts';
import { advanceDays, setClock } from '../../support/server/clock.ts';
import { dueIn, runToEnd } from '../../support/server/jobs.ts';
import { type Answer, twoAppsForTests } from '../../support/server/test-app.ts';

/** Two processes on one database. */
const [app, second] = twoAppsForTests();

let program: Awaited<ReturnType<typeof app.addProgram>>['program'];
let key: string;
let id: string;
beforeEach(async () => {
  ({ program, key } = await app.addProgram());
  await setClock(app, '2095-01-31T12:00:00Z', key);
  ({ id } = await createCard(app, {}, key));
});

const put = async (path: string, body: unknown, cardId = id): Promise<Answer> => {
  const answer = await app.call('PUT', `${CARDS}${cardId}/${path}/`, { body, key });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer;
};
const adjust = (amount: number) =>
  app.call('POST', `${CARDS}${id}/balance-adjustments/`, { body: { amount, reference: 'gift' }, key });

interface Sent {
  eventName: string;
  data: Record<string, unknown>;
}
/** The events of a card, oldest first, without the creation. */
async function eventsOf(cardId = id): Promise<Sent[]> {
  const path = '/api/v1/merchant/webhook-events/?page_size=100';
  const { body } = await app.call('GET', path, { key });
  const events = (body.results as Sent[]).filter(({ data }) => data['cardId'] === cardId).reverse();
  expect(events.map(({ data }) => data['sequence'])).toEqual(events.map((_, index) => index + 1));
  return events.slice(1);
}
const changesOf = async (cardId = id) =>
  (await eventsOf(cardId)).map(({ eventName, data }) => [eventName, data['changed'], data['fields']]);
const namesOf = async (cardId = id) => (await eventsOf(cardId)).map(({ eventName }) => eventName);
const runJob = () => runToEnd(cardExpiry(app.db));

describe('card.updated names what changed', () => {
  const phone = { dialCode: 49, phoneNumber: '15123456789' };

  test.each([
    [
      'spend-controls',
      { dailyLimit: 50, blockedMccs: ['7995'] },
      'spend_controls',
      ['dailyLimit', 'blockedMccs'],
    ],
    [
      'spend-controls',
      { temporaryLimits: { dailyLimit: { amount: 90, endsAt: '2095-02-01T00:00:00Z' } } },
      'spend_controls',
      ['temporaryLimits'],
    ],
    ['contact', { email: 'grace@example.org' }, 'contact', ['email']],
    ['contact', { otpPhoneNumber: phone, email: null }, 'contact', ['email', 'otpPhoneNumber']],
    ['3ds-forwarding', { enabled: true }, 'forwarding', ['enabled']],
  ])('%s %j', async (path, body, changed, fields) => {
    await put(path, body);
    const [event, ...more] = await eventsOf();
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      eventName: 'card.updated',
      data: { cardId: id, sequence: 2, status: 'ACTIVE', changed: [changed], fields },
    });
    // Values may be personal data.
    expect(JSON.stringify(event)).not.toMatch(/grace|15123456789/);
  });

  test('only fields whose value is another one', async () => {
    await put('spend-controls', { dailyLimit: 50, monthlyLimit: 100, allowedMccs: ['5814'] });
    await put('spend-controls', { dailyLimit: 50, monthlyLimit: 200, allowedMccs: ['5814'] });
    expect((await changesOf()).at(-1)).toEqual(['card.updated', ['spend_controls'], ['monthlyLimit']]);
  });

  test('nothing changed: no event', async () => {
    const { meta } = consumerCard();
    await put('spend-controls', {});
    await put('spend-controls', { dailyLimit: null, blockedMccs: [] });
    await put('contact', { otpPhoneNumber: meta.otpPhoneNumber, email: meta.email ?? null });
    await put('3ds-forwarding', { enabled: false });
    expect(await namesOf()).toEqual([]);
  });

  test('a balance adjustment, once for each, also for repeated and concurrent requests', async () => {
    expect((await adjust(10)).status).toBe(201);
    expect((await adjust(-9_999)).status).toBe(400);
    await Promise.all([1, 2, 3].map(adjust));
    const body = { amount: 4, reference: 'once' };
    const headers = { 'idempotency-key': 'once' };
    for (const on of [app, second, app])
      await on.call('POST', `${CARDS}${id}/balance-adjustments/`, { body, headers, key });
    const balance = ['card.updated', ['balance'], ['availableCredit']];
    expect(await changesOf()).toEqual(Array(5).fill(balance));
  });

  test('whoever changed it: an operator, one card or all cards of a customer', async () => {
    const [manager, meta] = [await signInAs(app, 'manager'), { ...consumerCard().meta, id: 'ACME 77' }];
    const cards = [await createCard(app, { meta }, key), await createCard(app, { meta }, key)];
    const [one, other] = cards.map((card) => card.id) as [string, string];
    const call = async (path: string, body: object) =>
      expect((await manager.call('PUT', path, body, program.id)).status).toBe(200);
    await call(`merchant/cards/${one}/spend-controls/`, { transactionLimit: 5 });
    await call(`merchant/cards/${one}/contact/`, { email: 'hopper@example.org' });
    await call('customers/ACME%2077/contact/', { email: 'hopper@example.org' });
    const contact = ['card.updated', ['contact'], ['email']];
    expect(await changesOf(one)).toEqual([
      ['card.updated', ['spend_controls'], ['transactionLimit']],
      contact,
    ]);
    expect(await changesOf(other)).toEqual([contact]);
  });

  test('the status is that of the card, also of an expired one', async () => {
    await put('freeze', { freeze: true });
    await put('3ds-forwarding', { enabled: true });
    await setClock(app, '2099-01-01T00:00:00Z', key);
    await put('3ds-forwarding', { enabled: false });
    const statuses = (await eventsOf()).map(({ eventName, data }) => [eventName, data['status']]);
    expect(statuses).toEqual([
      ['card.frozen', 'FROZEN'],
      ['card.updated', 'FROZEN'],
      ['card.expired', 'EXPIRED'],
      ['card.updated', 'EXPIRED'],
    ]);
  });
});

describe('card.expired', () => {
  const expiring = async (expiryDate: string) => (await createCard(app, { expiryDate }, key)).id;
  const reissue = (body: object) => put('replace', body);

  test('comes when the expiry date has passed, and not on that day', async () => {
    const cardId = await expiring('2095-03-10');
    await setClock(app, '2095-03-10T23:59:50Z', key);
    await runJob();
    expect(await namesOf(cardId)).toEqual([]);
    await setClock(app, '2095-03-11T00:00:00Z', key);
    const { body } = await app.call('GET', `${CARDS}${cardId}/`, { key });
    expect([body.status, await namesOf(cardId)]).toEqual(['EXPIRED', []]);
    await runJob();
    await runJob();
    expect(await eventsOf(cardId)).toMatchObject([
      {
        eventName: 'card.expired',
        data: { status: 'EXPIRED', expiryDate: '2095-03-10', statusReason: null },
      },
    ]);
    expect(await namesOf()).toEqual([]);
  });

  test('is in the history of the card, as made by the system', async () => {
    const cardId = await expiring('2095-03-10');
    await advanceDays(app, 60, key);
    await runJob();
    const viewer = await signInAs(app, 'viewer');
    const { body } = await viewer.call('GET', `cards/${cardId}/history/`, undefined, program.id);
    expect(body.results[0]).toMatchObject({ action: 'card.expired', actor: { kind: 'system' } });
  });

  test('comes again after a reissue with a new expiry, once for each', async () => {
    await setClock(app, '2098-02-01T00:00:00Z', key);
    await runJob();
    await reissue({});
    await runJob();
    await setClock(app, '2101-02-02T00:00:00Z', key);
    await runJob();
    expect(await namesOf()).toEqual(['card.expired', 'card.reissued', 'card.expired']);
    await reissue({ renewOption: 'CALCULATE_NEW_EXPIRY_DATE' });
    await advanceDays(app, 3 * 366, key);
    await runJob();
    expect((await namesOf()).slice(3)).toEqual(['card.reissued', 'card.expired']);
  });

  test('comes before a change that the job is too late for', async () => {
    const frozen = await expiring('2095-03-10');
    const blocked = await expiring('2095-03-10');
    await put('freeze', { freeze: true }, frozen);
    await setClock(app, '2095-03-11T00:00:00Z', key);
    await put('replace', {}, frozen);
    await put('block', { reason: 'lost' }, blocked);
    await runJob();
    expect(await namesOf(frozen)).toEqual(['card.frozen', 'card.expired', 'card.reissued']);
    expect(await namesOf(blocked)).toEqual(['card.expired', 'card.blocked']);
    // A refused change writes nothing: the job does.
    const refused = await expiring('2095-04-30');
    await setClock(app, '2095-05-01T00:00:00Z', key);
    await app.call('PUT', `${CARDS}${refused}/freeze/`, { body: { freeze: true }, key });
    expect(await namesOf(refused)).toEqual([]);
    await runJob();
    expect(await namesOf(refused)).toEqual(['card.expired']);
  });

  test('a reissue with the same expiry before it passes changes nothing about it', async () => {
    await reissue({ renewOption: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' });
    await reissue({ renewOption: 'IDENTICAL_TO_THE_CURRENT_CARD' });
    await setClock(app, '2098-02-01T00:00:00Z', key);
    await runJob();
    expect(await namesOf()).toEqual(['card.reissued', 'card.reissued', 'card.expired']);
  });

  test('a blocked card stays blocked, and has none', async () => {
    await put('block', { reason: 'lost' });
    await setClock(app, '2098-02-01T00:00:00Z', key);
    await runJob();
    expect(await namesOf()).toEqual(['card.blocked']);
  });

  test('many cards, with two workers and changes at the same time: once for each card', async () => {
    const cards = await Promise.all(Array.from({ length: 120 }, () => expiring('2095-03-10')));
    await setClock(app, '2095-03-11T00:00:00Z', key);
    const change = (cardId: string) => put('3ds-forwarding', { enabled: true }, cardId);
    await Promise.all([runJob(), runToEnd(cardExpiry(second.db)), ...cards.slice(0, 20).map(change)]);
    await runJob();
    const counts = await app.sql(
      `select count(*)::int as events, count(distinct card_id)::int as cards from events
       where program_id = $1 and event_name = 'card.expired'`,
      [program.id],
    );
    expect(counts).toEqual([{ events: 120, cards: 120 }]);
    expect(await journalFindings(app.databaseUrl)).toEqual([]);
  });

  test('the job of a program is due when its next card expires, at the latest after a day', async () => {
    await runJob();
    expect(await dueIn(app, 'card-expiry', program.id)).toBeGreaterThan(86_000_000);
    const cardId = await expiring('2095-02-28');
    await setClock(app, '2095-02-28T14:00:00Z', key);
    await runJob();
    const tenHours = 36_000_000;
    expect(Math.abs((await dueIn(app, 'card-expiry', program.id)) - tenHours)).toBeLessThan(60_000);
    expect(await namesOf(cardId)).toEqual([]);
  });
});
