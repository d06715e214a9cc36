import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { retrieve } from '../../support/cards/card-states.ts';
import { authorizationOf, MERCHANT, type PayingCard, payingCard } from '../../support/cards/network.ts';
import { shortestMs } from '../../support/scripts/eventually.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { memoryLog } from '../../support/server/memory-log.ts';
import { counted, readMetrics } from '../../support/server/metrics.ts';
import { appForTests } from '../../support/server/test-app.ts';

let card: PayingCard;
const log = memoryLog('warn');
const app = appForTests({ mostMistakes: 5, logger: log.logger });
beforeAll(async () => {
  card = await payingCard(app);
});

/** A number of the program that no card has. */
const unknownNumber = (index: number): string => {
  const body = `${app.program.bin}${String(index).padStart(9, '0')}`;
  const sum = [...body].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
};
const at = (id: string) => ({ merchant: { ...MERCHANT, id } });

/** How long the answer took, and what it was. */
async function timed(changes: Record<string, unknown>) {
  const began = performance.now();
  const { decline_reason: reason } = await card.authorize('1.00', changes);
  return { reason, ms: performance.now() - began };
}

test('responses to guessed card data at one merchant are correct and increasingly delayed; other responses there are not delayed', async () => {
  expect(Object.values(await readMetrics(app, 'emboss_slowed_authorizations_total'))).toEqual([0, 0, 0, 0]);
  const attempts: Array<Awaited<ReturnType<typeof timed>>> = [];
  for (let index = 0; index < 9; index++)
    attempts.push(await timed({ ...at('m-bad'), card_number: unknownNumber(index) }));
  expect(new Set(attempts.map(({ reason }) => reason))).toEqual(new Set(['invalid_card_number']));
  // 50, 100, 150 and 200 ms for those beyond the five.
  for (const [index, { ms }] of attempts.slice(5).entries()) expect(ms).toBeGreaterThan(50 * (index + 1) - 5);
  expect(await counted(app, 'emboss_slowed_authorizations_total')).toEqual({
    '{outcome="invalid_card_number"}': 4,
  });
  expect(log.text.match(/card testing suspected/g)).toHaveLength(1);
  expect(JSON.parse(log.text)).toMatchObject({ programId: app.program.id, merchantId: 'm-bad' });
  expect(log.text).not.toContain(app.program.bin);
  const good = await timed(at('m-bad'));
  const elsewhere = await timed({ ...at('m-good'), card_number: unknownNumber(99) });
  const poor = await timed({ ...at('m-bad'), amount: '9999.00' });
  expect([good.reason, elsewhere.reason, poor.reason]).toEqual([
    null,
    'invalid_card_number',
    'insufficient_funds',
  ]);
  expect((await counted(app, 'emboss_slowed_authorizations_total'))['{outcome="invalid_card_number"}']).toBe(
    4,
  );
});

test('wrong expiry dates and CVVs count too, and no response is delayed for more than two seconds', async () => {
  const wrongCvv = String((Number(card.cvv) + 1) % 1000).padStart(3, '0');
  const other = await payingCard(app);
  for (let place = 0; place < 3; place++)
    await other.authorize('1.00', { ...at('m-mixed'), expiry: '2020-01' });
  for (let place = 0; place < 2; place++) await card.authorize('1.00', { ...at('m-mixed'), cvv: wrongCvv });
  const answers = await Promise.all(
    Array.from({ length: 110 }, (_, place) =>
      other.authorize('1.00', { ...at('m-mixed'), card_number: unknownNumber(1_000 + place) }),
    ),
  );
  expect(new Set(answers.map(({ decline_code }) => decline_code))).toEqual(new Set(['14']));
  // Without an end to it this one would wait for five seconds and a half.
  const longest = async () => (await timed({ ...at('m-mixed'), card_number: unknownNumber(1_999) })).ms;
  expect(await longest()).toBeGreaterThan(1_950);
  expect(await shortestMs(5_000, longest)).toBeLessThan(5_000);
});

test('delayed responses do not delay other purchases', async () => {
  const slowed = async () =>
    (await counted(app, 'emboss_slowed_authorizations_total'))['{outcome="invalid_card_number"}'] ?? 0;
  const [other, before] = [await payingCard(app), await slowed()];
  let released = 0;
  const held = Array.from({ length: 50 }, async (_, place) => {
    await card.authorize('1.00', { ...at('m-mixed'), card_number: unknownNumber(2_000 + place) });
    released++;
  });
  await vi.waitFor(async () => expect(await slowed()).toBeGreaterThan(before), SOON);
  expect(await other.authorize('1.00', at('m-fine'))).toMatchObject({ approved: true });
  // Had it waited for them, it would have come after the last.
  expect(released).toBeLessThan(held.length / 2);
  await Promise.all(held);
});

test('a repeated message gets the same response, for any delay', async () => {
  const message = authorizationOf(card, '1.00', { ...at('m-mixed'), card_number: unknownNumber(3_000) });
  const [first, second] = await Promise.all([
    card.send('authorizations', message),
    card.send('authorizations', message),
  ]);
  expect(first.body).toEqual(second.body);
});

describe('ten wrong expiry dates or CVVs on one card within 24 hours', () => {
  const WRONG = { expiry: '2020-01' };
  /** At merchants of their own, all at once: how each was answered, and how long that took. */
  const tryAll = (guessed: PayingCard, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const began = performance.now();
        const message = authorizationOf(guessed, '1.00', { ...WRONG, ...at(`m-${randomUUID()}`) });
        const { body } = await card.send('authorizations', message);
        return { reason: body.decline_reason as string, ms: performance.now() - began, message, body };
      }),
    );
  const advance = async (seconds: number) =>
    expect(
      (await app.call('POST', '/api/v1/sandbox/clock/', { body: { advance_seconds: seconds } })).status,
    ).toBe(200);
  const swipe = async (guessed: PayingCard, changes: object) =>
    (
      await app.call('POST', '/api/v1/sandbox/authorizations/', {
        body: { card_id: guessed.id, amount: '1.00', ...changes },
      })
    ).body;

  test('block it, counted exactly under concurrency; from the fourth on, each response is delayed by a second', async () => {
    const guessed = await payingCard(app);
    const answers = await tryAll(guessed, 50);
    const wrong = answers.filter(({ reason }) => reason === 'expiry_mismatch');
    const refused = answers.filter(({ reason }) => reason === 'card_blocked');
    expect([wrong.length, refused.length]).toEqual([10, 40]);
    // All of them may be, on a busy machine.
    expect(wrong.filter(({ ms }) => ms > 990).length).toBeGreaterThanOrEqual(7);
    expect(await retrieve(app, guessed.id)).toMatchObject({
      status: 'BLOCKED',
      statusReason: 'fraud suspected: guessing',
    });
    const { body } = refused[0] as (typeof refused)[number];
    expect(body).toMatchObject({ decline_code: 'R8', network_code: '59' });
    const events = await guessed.events();
    expect(events.filter(({ name }) => name === 'card.blocked')).toEqual([
      expect.objectContaining({
        sequence: 12,
        data: expect.objectContaining({ status: 'BLOCKED', statusReason: 'fraud suspected: guessing' }),
      }),
    ]);
    const audit = await app.sql(
      `select actor, action, after->>'statusReason' as reason from audit_entries where card_id = $1
       and action = 'card.blocked'`,
      [guessed.id],
    );
    expect(audit).toEqual([
      { actor: 'system:authorizations', action: 'card.blocked', reason: 'fraud suspected: guessing' },
    ]);
    for (const { message, body: first } of answers.slice(0, 5)) {
      expect((await card.send('authorizations', message)).body).toEqual(first);
    }
  });

  test('delay neither the third response nor one about a card that is blocked', async () => {
    const afterWrong = (count: number) => async () => {
      const guessed = await payingCard(app);
      await tryAll(guessed, count);
      return (await tryAll(guessed, 1))[0]?.ms ?? 0;
    };
    expect(await shortestMs(990, afterWrong(2))).toBeLessThan(990);
    expect(await shortestMs(990, afterWrong(10))).toBeLessThan(990);
  });

  test('the 24 hours are a sliding window, a correct CVV does not lower the count, and simulator and network share it', async () => {
    const guessed = await payingCard(app);
    const reasons = (answers: Array<{ reason: string }>) => new Set(answers.map(({ reason }) => reason));
    expect(reasons(await tryAll(guessed, 5))).toEqual(new Set(['expiry_mismatch']));
    await advance(23 * 3_600);
    expect(reasons(await tryAll(guessed, 4))).toEqual(new Set(['expiry_mismatch']));
    expect(await guessed.authorize('1.00', { cvv: guessed.cvv })).toMatchObject({ approved: true });
    // The first five are over a day old by now, the last four are not.
    await advance(3_601);
    expect(reasons(await tryAll(guessed, 4))).toEqual(new Set(['expiry_mismatch']));
    const began = performance.now();
    expect(await swipe(guessed, WRONG)).toMatchObject({ decline_reason: 'expiry_mismatch' });
    expect(performance.now() - began).toBeGreaterThan(990);
    expect(await retrieve(app, guessed.id)).toMatchObject({ status: 'ACTIVE' });
    expect(await swipe(guessed, WRONG)).toMatchObject({ decline_reason: 'expiry_mismatch' });
    expect(await retrieve(app, guessed.id)).toMatchObject({ statusReason: 'fraud suspected: guessing' });
    expect(await swipe(guessed, WRONG)).toMatchObject({ decline_reason: 'card_blocked' });
  });

  test('a reissue with a new number keeps the count', async () => {
    const guessed = await payingCard(app);
    await tryAll(guessed, 9);
    await guessed.act('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    const renewed = await guessed.renewed();
    expect((await tryAll(renewed, 2)).map(({ reason }) => reason).sort()).toEqual([
      'card_blocked',
      'expiry_mismatch',
    ]);
  });
});
