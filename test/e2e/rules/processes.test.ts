import { afterAll, beforeAll, expect, test } from 'vitest';
import { consumerCard } from '../../support/cards/cards.ts';
import { freshDatabase } from '../../support/database/database.ts';
import { callsOfFleet, RULES } from '../../support/rules/rules.ts';
import {
  addCard,
  type Credentials,
  type Fleet,
  purchase,
  startFleet,
} from '../../support/server/server-fleet.ts';

/** Rules on three processes of the server: their changes, and what velocities let through. */
let fleet: Fleet;
let calls: ReturnType<typeof callsOfFleet>;
let sent = 0;
beforeAll(async () => {
  fleet = await startFleet(3, await freshDatabase());
  calls = callsOfFleet(fleet);
});
afterAll(() => fleet.close());

/** In a shop of this category. A 503 says to retry with the same id. */
async function decline(index: number, card: Credentials, mcc: string, amount = '1.00') {
  const body = purchase(`rules-${++sent}`, card, amount);
  for (;;) {
    const asked = { ...body, merchant: { ...body.merchant, mcc } };
    const reply = await fleet.network(index % fleet.size, 'authorizations/', asked);
    if (reply.status === 503) continue;
    expect([reply.status, reply.body.message]).toEqual([200, undefined]);
    return reply.body.decline_reason as string | null;
  }
}

/** How many lanes send on each process, and what each sends after a change has been answered. */
const LANES = 2;
const AFTER = 3;

test('a change of the rules holds on every process for each authorization that begins after its answer, under load', async () => {
  const cards = await Promise.all(
    Array.from({ length: LANES }, () => addCard(fleet, { spendLimit: 10_000 })),
  );
  await calls.put('merchants', 'merchant', ['shop-0']);
  const listed = { field: 'merchant.id', op: 'inList', value: 'merchants' };
  const rule = await calls.create({ when: { any: [listed, { field: 'mcc', op: 'eq', value: '5411' }] } });
  const changeList = (change: string) => () => calls.change('merchants', change, ['shop-1']);
  /** By a rule that looks at the list alone, which does not name the merchant yet. */
  const replace = async () => {
    const { id } = await calls.create({ when: listed, replaces: rule.id });
    await calls.promote(id);
    expect(await calls.get(`${RULES}${rule.id}/`)).toMatchObject({ status: 'ARCHIVED' });
  };
  const steps: Array<[name: string, change: () => Promise<unknown>, declines: boolean]> = [
    ['promote', () => calls.promote(rule.id), true],
    ['demote', () => calls.demote(rule.id), false],
    ['promote again', () => calls.promote(rule.id), true],
    ['replace', replace, false],
    ['add to a list', changeList('add'), true],
    ['remove from it', changeList('remove'), false],
    ['replace it', () => calls.put('merchants', 'merchant', ['shop-1', 'shop-2']), true],
    ['archive', async () => calls.archive((await calls.get(`${RULES}?status=ACTIVE`)).results[0].id), false],
  ];
  for (const [name, change, declines] of steps) {
    let isAnswered = false;
    const begun: Array<Promise<void>> = [];
    const lane = async (index: number, { credentials }: (typeof cards)[number]) => {
      const wrong: string[] = [];
      let before = 0;
      for (let after = 0; after < AFTER; ) {
        const beganAfter = isAnswered;
        const answer = decline(index, credentials, '5411', '0.10');
        if (before === 0) begun.push(answer.then(() => {}));
        const reason = await answer;
        if (beganAfter) after++;
        else before++;
        if (beganAfter && (reason === 'rule_declined') !== declines)
          wrong.push(`${name}: ${reason} on ${index}`);
      }
      return { wrong, before };
    };
    const lanes = Array.from({ length: fleet.size }, (_, index) => cards.map((card) => lane(index, card)));
    // Every process has the rules from before when the change is sent.
    await Promise.all(begun);
    await change();
    isAnswered = true;
    const done = await Promise.all(lanes.flat());
    expect(done.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(done.every(({ before }) => before > 0)).toBe(true);
  }
});

const ROUNDS = 6;
const LIMIT = 4;
/** Of each round: as many as would be let through on each process by itself. */
const AT_ONCE = LIMIT * 3;

const COUNTED = [
  { mcc: '5462', measure: 'COUNT', per: 'CARD', window: { minutes: 60 }, cards: 1 },
  { mcc: '5499', measure: 'COUNT', per: 'CUSTOMER', window: { minutes: 1_440 }, cards: 3 },
  { mcc: '5811', measure: 'AMOUNT', per: 'CARD_MERCHANT', window: { calendar: 'WEEK' }, cards: 1 },
  { mcc: '5812', measure: 'AMOUNT', per: 'CUSTOMER', window: { calendar: 'MONTH' }, cards: 3 },
];

test('of more purchases at once on three processes, as many are approved as a velocity allows', async () => {
  // Not at the end of a window.
  await fleet.merchant(0, 'POST', '/api/v1/sandbox/clock/', { now: '2031-05-14T12:00:00Z' });
  const made = await Promise.all(
    COUNTED.map(({ mcc, measure, per, window }) => {
      const value = measure === 'AMOUNT' ? `${LIMIT}.00` : LIMIT;
      const velocity = { velocity: { measure, per, window }, op: 'gt', value };
      return calls.create({ when: { all: [{ field: 'mcc', op: 'eq', value: mcc }, velocity] } });
    }),
  );
  const areFilled = async () => (await calls.get(`${RULES}?status=PREPARING`)).count;
  await expect.poll(areFilled, { timeout: 30_000 }).toBe(0);
  for (const { id } of made) await calls.promote(id);
  let customers = 0;
  const rounds = Array.from({ length: ROUNDS }, async (_, round) => {
    const lanes = COUNTED.map(async ({ mcc, measure, per, cards: count }) => {
      const meta = { ...consumerCard().meta, id: `customer-${++customers}` };
      const cards: Credentials[] = [];
      for (let n = 0; n < count; n++)
        cards.push((await addCard(fleet, { spendLimit: 1_000, meta })).credentials);
      const reasons = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) => decline(n, cards[(n + round) % count] as Credentials, mcc)),
      );
      const approved = reasons.filter((reason) => reason === null).length;
      const others = reasons.filter((reason) => reason !== null && reason !== 'rule_declined');
      return { rule: `${measure} per ${per}`, approved, others };
    });
    return Promise.all(lanes);
  });
  const all = (await Promise.all(rounds)).flat();
  expect(all.filter(({ approved, others }) => approved !== LIMIT || others.length > 0)).toEqual([]);
});
