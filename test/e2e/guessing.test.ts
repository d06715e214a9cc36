import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { counted, readMetrics } from '../support/metrics.ts';
import { authorizationOf, authorize, MERCHANT, type PayingCard, payingCard } from '../support/network.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let card: PayingCard;
let log = '';
const memory = new Writable({
  write: (chunk, _encoding, done) => {
    log += chunk;
    done();
  },
});
beforeAll(async () => {
  app = await startTestApp({ mostMistakes: 5, logger: pino({ level: 'warn' }, memory) });
  card = await payingCard(app);
});
afterAll(() => app.close());

/** A number of the program that nobody has. */
const unknownNumber = (place: number): string => {
  const body = `${app.program.bin}${String(place).padStart(9, '0')}`;
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
  const { decline_reason: reason } = await authorize(app, card, '1.00', changes);
  return { reason, ms: performance.now() - began };
}

test('cards tried out at one merchant are answered right and ever more slowly; others there are not', async () => {
  expect(Object.values(await readMetrics(app, 'emboss_slowed_authorizations_total'))).toEqual([0, 0, 0]);
  const attempts: Array<Awaited<ReturnType<typeof timed>>> = [];
  for (let place = 0; place < 9; place++)
    attempts.push(await timed({ ...at('m-bad'), card_number: unknownNumber(place) }));
  expect(new Set(attempts.map(({ reason }) => reason))).toEqual(new Set(['invalid_card_number']));
  // 50, 100, 150 and 200 ms for those beyond the five.
  for (const [place, { ms }] of attempts.slice(5).entries()) expect(ms).toBeGreaterThan(50 * (place + 1) - 5);
  expect(await counted(app, 'emboss_slowed_authorizations_total')).toEqual({
    '{outcome="invalid_card_number"}': 4,
  });
  expect(log.match(/tries out cards/g)).toHaveLength(1);
  expect(JSON.parse(log)).toMatchObject({ programId: app.program.id, merchantId: 'm-bad' });
  expect(log).not.toContain(app.program.bin);
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

test('wrong expiry dates and CVVs count as well, and no answer waits for longer than two seconds', async () => {
  const wrongCvv = String((Number(card.cvv) + 1) % 1000).padStart(3, '0');
  const other = await payingCard(app);
  for (let place = 0; place < 3; place++)
    await authorize(app, other, '1.00', { ...at('m-mixed'), expiry: '2020-01' });
  for (let place = 0; place < 2; place++)
    await authorize(app, card, '1.00', { ...at('m-mixed'), cvv: wrongCvv });
  const answers = await Promise.all(
    Array.from({ length: 110 }, (_, place) =>
      authorize(app, other, '1.00', { ...at('m-mixed'), card_number: unknownNumber(1_000 + place) }),
    ),
  );
  expect(new Set(answers.map(({ decline_code }) => decline_code))).toEqual(new Set(['14']));
  // Without an end to it this one would wait for five seconds and a half.
  const { ms } = await timed({ ...at('m-mixed'), card_number: unknownNumber(1_999) });
  expect(ms).toBeGreaterThan(1_950);
  expect(ms).toBeLessThan(5_000);
});

test('while answers are held back, purchases elsewhere go on as ever', async () => {
  const slowed = async () =>
    (await counted(app, 'emboss_slowed_authorizations_total'))['{outcome="invalid_card_number"}'] ?? 0;
  const [other, before] = [await payingCard(app), await slowed()];
  let released = 0;
  const held = Array.from({ length: 50 }, async (_, place) => {
    await authorize(app, card, '1.00', { ...at('m-mixed'), card_number: unknownNumber(2_000 + place) });
    released++;
  });
  await vi.waitFor(async () => expect(await slowed()).toBeGreaterThan(before), { timeout: 20_000 });
  expect(await authorize(app, other, '1.00', at('m-fine'))).toMatchObject({ approved: true });
  // Had it waited for them, it would have come after the last.
  expect(released).toBeLessThan(held.length / 2);
  await Promise.all(held);
});

test('a copy of a message gets the same answer, however long it takes', async () => {
  const message = authorizationOf(card, '1.00', { ...at('m-mixed'), card_number: unknownNumber(3_000) });
  const send = () =>
    app.call('POST', '/api/v1/network/authorizations/', {
      key: null,
      networkKey: app.networkKey,
      body: message,
    });
  const [first, second] = await Promise.all([send(), send()]);
  expect(first.body).toEqual(second.body);
});
