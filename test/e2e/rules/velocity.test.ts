import { describe, expect, test } from 'vitest';
import { ruleVelocities } from '../../../src/authorizations/engine/fill-velocities.ts';
import { rememberCustomerIds } from '../../../src/authorizations/engine/velocities.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { consumerCard } from '../../support/cards/cards.ts';
import {
  accepted,
  networkApp,
  type Owner,
  ownProgram,
  payingCard,
  reversalOf,
} from '../../support/cards/network.ts';
import { holdTable } from '../../support/database/hold-table.ts';
import { randomHistory } from '../../support/rules/random-history.ts';
import { aRule, BREAD, callsOf, RULES } from '../../support/rules/rules.ts';
import { type CountedVelocity, sumFindings } from '../../support/rules/sum-findings.ts';
import { seededRandom } from '../../support/scripts/random.ts';
import { advanceSeconds } from '../../support/server/clock.ts';
import { runToEnd } from '../../support/server/jobs.ts';

const app = networkApp();

interface Velocity {
  measure?: string;
  per?: string;
  window?: object;
  where?: object;
}
const over = (value: string | number, velocity: Velocity = {}) => ({
  velocity: { measure: 'COUNT', per: 'CARD', window: { minutes: 60 }, ...velocity },
  op: 'gt',
  value,
});

/** An active rule, after its velocities have counted what came before. */
async function activeRule(owner: Owner, changes: Record<string, unknown>) {
  const calls = callsOf(app, owner);
  const { id, status } = await calls.create(changes);
  expect(status).toBe('PREPARING');
  await runToEnd(ruleVelocities(app));
  expect(await calls.get(`${RULES}${id}/`)).toMatchObject({ status: 'SHADOW' });
  return calls.promote(id);
}

const CUSTOMER = (id: string) => ({ meta: { ...consumerCard().meta, id } });

describe('a velocity', () => {
  test('counts purchases in a window of minutes, and not what was given back or has left it', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const before = await card.hold('1.00');
    await activeRule(owner, { when: over(2), reason: 'COUNT' });
    await card.hold('1.00');
    const declined = await card.authorize('1.00');
    expect(declined).toMatchObject({ approved: false, decline_reason: 'rule_declined', network_code: '65' });
    const { body } = await app.call('GET', `/api/v1/merchant/transactions/${declined.transaction_id}/`, {
      key: owner.key,
    });
    expect(body.rules).toMatchObject([
      {
        effect: 'DECLINED',
        values: [{ path: 'when', value: '3 purchases in 60 minutes, limit 2', result: true }],
      },
    ]);
    await card.reverse(before, { amount: '0.40', currency: 'EUR' });
    expect((await card.authorize('1.00')).approved).toBe(false);
    await card.reverse(before);
    const third = await card.hold('1.00');
    // An increment, a clearing and an account check are no further purchases.
    expect(await card.increment(third, '5.00')).toMatchObject({ approved: true });
    await card.clear(third, '6.00', { final: true });
    expect((await card.authorize('0.00')).approved).toBe(true);
    expect((await card.authorize('1.00')).approved).toBe(false);
    await advanceSeconds(app, 61 * 60, owner.key);
    await card.hold('1.00');
    await card.hold('1.00');
    expect((await card.authorize('1.00')).approved).toBe(false);
  });

  test('adds up amounts of all cards of a customer in a UTC day', async () => {
    const owner = await ownProgram(app);
    const [one, two, other] = await Promise.all([
      payingCard(app, CUSTOMER('ann'), owner),
      payingCard(app, CUSTOMER('ann'), owner),
      payingCard(app, CUSTOMER('bob'), owner),
    ]);
    const velocity = { measure: 'AMOUNT', per: 'CUSTOMER', window: { calendar: 'DAY' } };
    await activeRule(owner, { when: over('10.00', velocity) });
    await one.hold('6.00');
    await two.hold('4.00');
    expect((await two.authorize('0.01')).approved).toBe(false);
    await other.hold('10.00');
    await advanceSeconds(app, 86_400, owner.key);
    await two.hold('10.00');
    expect((await one.authorize('0.01')).approved).toBe(false);
  });

  test('counts a card at one merchant where its condition is met', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const where = { field: 'billAmount', op: 'gte', value: '5.00' };
    await activeRule(owner, {
      when: over(1, { per: 'CARD_MERCHANT', window: { calendar: 'MONTH' }, where }),
    });
    await card.hold('5.00', { merchant: BREAD });
    await card.hold('4.99', { merchant: BREAD });
    await card.hold('5.00');
    expect((await card.authorize('5.00', { merchant: BREAD })).approved).toBe(false);
    expect((await card.authorize('4.99', { merchant: BREAD })).approved).toBe(true);
  });

  test('counts declines by others than its own rule', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    await activeRule(owner, { when: over(1, { measure: 'DECLINES' }) });
    expect((await card.authorize('9999.00')).decline_reason).toBe('insufficient_funds');
    await card.hold('1.00');
    expect((await card.authorize('9999.00')).decline_reason).toBe('insufficient_funds');
    expect((await card.authorize('1.00')).decline_reason).toBe('rule_declined');
    expect((await card.authorize('1.00')).decline_reason).toBe('rule_declined');
    await advanceSeconds(app, 3_601, owner.key);
    await card.hold('1.00');
  });

  test('counts what cleared on an account check, and a late authorization at the merchant that it names', async () => {
    const owner = await ownProgram(app);
    const [checked, late] = [await payingCard(app, {}, owner), await payingCard(app, {}, owner)];
    await activeRule(owner, { when: over(1, { per: 'CARD_MERCHANT' }) });
    const check = await checked.hold('0.00');
    await checked.clear(check, '5.00');
    expect((await checked.authorize('1.00')).decline_reason).toBe('rule_declined');
    await late.hold('1.00');
    await late.clear('late', '5.00', { card_number: late.number });
    const known = await late.authorize('5.00', { external_transaction_id: 'late' });
    expect(known.decline_reason).toBe('rule_declined');
  });

  test('of a second rule counts what the first one counts already', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    await activeRule(owner, { when: over(9) });
    const given = await card.hold('1.00');
    for (let count = 0; count < 2; count++) await card.hold('1.00');
    await activeRule(owner, { when: over(3, { window: { minutes: 90 } }) });
    const fourth = await card.authorize('1.00');
    expect(fourth).toMatchObject({ approved: false, decline_reason: 'rule_declined' });
    await card.reverse(given);
    await card.hold('1.00');
    expect((await card.authorize('1.00')).approved).toBe(false);
    // What the second one counted leaves its window too.
    await advanceSeconds(app, 91 * 60, owner.key);
    for (let count = 0; count < 3; count++) await card.hold('1.00');
    expect((await card.authorize('1.00')).approved).toBe(false);
  });

  test('counts nothing of before its window, though the entries of that time are deleted', async () => {
    const owner = await ownProgram(app);
    const [used, idle] = [await payingCard(app, {}, owner), await payingCard(app, {}, owner)];
    await activeRule(owner, {
      when: { any: [over(2), over(2, { window: { minutes: 1_440 } })] },
    });
    const wait = async (hours: number) => {
      await advanceSeconds(app, hours * 3_600 + 1, owner.key);
      await app.sql("update program_jobs set due_at = now() where job = 'rule-velocities'");
      await runToEnd(ruleVelocities(app));
    };
    await used.hold('1.00');
    await idle.hold('1.00');
    await idle.hold('1.00');
    await wait(22);
    await used.hold('1.00');
    await wait(4);
    await used.hold('1.00');
    expect((await used.authorize('1.00')).approved).toBe(false);
    await wait(30);
    for (const card of [used, idle]) {
      await card.hold('1.00');
      await card.hold('1.00');
      expect((await card.authorize('1.00')).approved).toBe(false);
    }
  });

  test.each([
    ['in a day', 25 * 3_600, { calendar: 'DAY' }],
    ['in an hour', 4_000, { minutes: 60 }],
  ])('counts what was added before it to an older purchase: %s', async (_, passedS, window) => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const old = await card.hold('10.00');
    await advanceSeconds(app, passedS, owner.key);
    expect(await card.increment(old, '90.00')).toMatchObject({ approved: true });
    await activeRule(owner, { when: over('100.00', { measure: 'AMOUNT', window }) });
    expect((await card.authorize('10.01')).approved).toBe(false);
    expect((await card.authorize('10.00')).approved).toBe(true);
  });

  test('counts declined increments from before it', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const known = await card.hold('10.00');
    for (let i = 0; i < 2; i++) expect((await card.increment(known, '9999.00')).approved).toBe(false);
    await activeRule(owner, { when: over(1, { measure: 'DECLINES' }) });
    expect((await card.authorize('5.00')).approved).toBe(false);
  });

  test.each([21, 22])(
    'filled after any history sees what one sees that was always there (seed %i)',
    async (seed) => {
      const owner = await ownProgram(app);
      const cards = await Promise.all([1, 2].map(() => payingCard(app, CUSTOMER('ann'), owner)));
      const calls = callsOf(app, owner);
      const leaves = (where?: object) => ({
        any: (['COUNT', 'AMOUNT', 'DECLINES'] as const).flatMap((measure) =>
          [{ minutes: 90 }, { calendar: 'DAY' }, { calendar: 'MONTH' }].map((window, index) => ({
            velocity: {
              ...{ measure, per: ['CARD', 'CUSTOMER', 'CARD_MERCHANT'][index], window },
              ...(where && { where }),
            },
            op: 'gte',
            value: measure === 'AMOUNT' ? '0.00' : 0,
          })),
        ),
      });
      const always = await calls.create({ when: leaves() });
      await runToEnd(ruleVelocities(app));
      await randomHistory(cards, seed, 60);
      const filled = await calls.create({ when: leaves({ field: 'billAmount', op: 'gte', value: '0.00' }) });
      await runToEnd(ruleVelocities(app));
      for (const card of cards)
        for (const merchant of [BREAD, undefined]) await card.authorize('1.00', merchant && { merchant });
      const valuesOf = async (id: string) => {
        const { results } = await calls.get(`${RULES}${id}/matches/`);
        return results.slice(0, 4).map((match: { values: object }) => match.values);
      };
      const seen = await valuesOf(filled.id);
      expect(seen).toHaveLength(4);
      expect(seen).toEqual(await valuesOf(always.id));
    },
  );

  test('is shared by rules that say the same, and a program has at most 20', async () => {
    const owner = await ownProgram(app);
    const calls = callsOf(app, owner);
    const minutes = (count: number) => over(1, { window: { minutes: count } });
    await calls.create({ when: { any: Array.from({ length: 20 }, (_, index) => minutes(index + 1)) } });
    const same = { not: minutes(20) };
    await calls.create({ when: same });
    expect(await calls.refused(409, 'POST', RULES, aRule({ when: minutes(21) }))).toBe(
      'The rules of a program can have at most 20 different velocities; archive one first',
    );
  });

  test('counts a purchase that was under way while it was created', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const calls = callsOf(app, owner);
    // The purchase has read the rules, and cannot be written.
    const { waiting, release } = await holdTable(app.databaseUrl, 'ledger_transfers');
    const purchase = card.authorize('1.00');
    await expect.poll(waiting).toBe(1);
    const { id } = await calls.create({ when: over(1) });
    const filling = ruleVelocities(app);
    const turn = { deadline: performance.now() + 300, isStopping: () => false };
    for (const due of await filling.findDue()) await filling.work(due, turn);
    expect(await calls.get(`${RULES}${id}/`)).toMatchObject({ status: 'PREPARING' });
    await release();
    expect((await purchase).approved).toBe(true);
    await runToEnd(filling);
    await calls.promote(id);
    expect((await card.authorize('1.00')).approved).toBe(false);
  });

  test('knows the customer of a card whose cardholder id is under another key of the vault', async () => {
    const owner = await ownProgram(app);
    const one = await payingCard(app, CUSTOMER('dee'), owner);
    const two = await payingCard(app, CUSTOMER('dee'), owner);
    await activeRule(owner, { when: over(1, { per: 'CUSTOMER' }) });
    await app.sql('update cards set cardholder_id = $2 where id = $1', [two.id, newId(Date.now())]);
    await two.hold('1.00');
    expect((await one.authorize('1.00')).decline_reason).toBe('rule_declined');
  });

  test('knows the customers of more cards than a process remembers', async () => {
    const owner = await ownProgram(app);
    const one = await payingCard(app, CUSTOMER('eve'), owner);
    const two = await payingCard(app, CUSTOMER('eve'), owner);
    const customerIdsOf = rememberCustomerIds(app.vault, 0);
    const read = (...cardIds: string[]) =>
      app.db.transaction((tx) => customerIdsOf(tx, owner.program.id, cardIds));
    const customer = (await read(two.id)).get(two.id);
    const both = new Map([one, two].map(({ id }) => [id, customer]));
    expect(await read(one.id, two.id)).toEqual(both);
  });

  test('is exact: of 30 at once on three cards of a customer, five are approved', async () => {
    const owner = await ownProgram(app);
    const cards = await Promise.all([1, 2, 3].map(() => payingCard(app, CUSTOMER('cid'), owner)));
    await activeRule(owner, { when: over(5, { per: 'CUSTOMER' }) });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (cards[index % 3] as (typeof cards)[number]).authorize('1.00'),
      ),
    );
    expect(answers.filter(({ approved }) => approved)).toHaveLength(5);
  });
});

test('after any messages, every sum is what the purchases say', async () => {
  const owner = await ownProgram(app);
  const cards = await Promise.all(['ann', 'ann', 'bob'].map((id) => payingCard(app, CUSTOMER(id), owner)));
  const velocities: CountedVelocity[] = [
    { window: { minutes: 5 } },
    { measure: 'AMOUNT', per: 'CUSTOMER', window: { minutes: 60 } },
    {
      per: 'CARD_MERCHANT',
      window: { calendar: 'DAY' },
      where: { field: 'channel', op: 'eq', value: 'POS' },
    },
    { measure: 'AMOUNT', window: { calendar: 'MONTH' } },
    { measure: 'DECLINES', per: 'CUSTOMER', window: { minutes: 1_440 } },
  ].map((each) => ({ measure: 'COUNT', per: 'CARD', ...each }));
  await activeRule(owner, {
    action: 'FLAG',
    when: { any: velocities.map((velocity) => over(velocity.measure === 'AMOUNT' ? '3' : 3, velocity)) },
  });
  const byNumber = new Map(velocities.map((velocity, index) => [index + 1, velocity]));
  const seed = Date.now();
  const random = seededRandom(seed);
  const below = (most: number) => Math.floor(random() * most);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const purchases: Array<{ card: (typeof cards)[number]; id: string; clearing?: string }> = [];
  for (let step = 0; step < 60; step++) {
    const card = pick(cards);
    const purchase = purchases.length > 0 ? pick(purchases) : undefined;
    const amount = `${below(9) + 1}.00`;
    const merchant = pick([BREAD, undefined]);
    const more = { ...(merchant && { merchant }), channel: pick(['POS', 'ECOMMERCE']) };
    const kind = pick([
      'buy',
      'buy',
      'decline',
      'increment',
      'reverse',
      'clear',
      'final',
      'unclear',
      'late',
      'wait',
    ]);
    if (kind === 'buy') {
      const { external_transaction_id: id, approved } = await card.authorize(amount, more);
      if (approved) purchases.push({ card, id });
    } else if (kind === 'decline') await card.authorize('99999.00', more);
    else if (kind === 'wait') await advanceSeconds(app, below(7_200), owner.key);
    else if (kind === 'late') {
      const id = `late-${step}`;
      await card.clear(id, amount, { card_number: card.number, ...more });
      purchases.push({ card, id });
    } else if (purchase) {
      if (kind === 'increment') await purchase.card.increment(purchase.id, amount);
      if (kind === 'reverse')
        await purchase.card.reverse(purchase.id, pick([{}, { amount: '0.50', currency: 'EUR' }]));
      if (kind === 'clear' || kind === 'final') {
        purchase.clearing = `cleared-${step}`;
        await purchase.card.clear(purchase.id, amount, {
          clearing_id: purchase.clearing,
          final: kind === 'final',
        });
      }
      if (kind === 'unclear' && purchase.clearing) {
        const { external_transaction_id: _, ...reversal } = reversalOf('', {
          clearing_id: purchase.clearing,
        });
        await accepted(app, 'reversals', reversal, owner);
      }
    }
    expect(await sumFindings(app, owner, byNumber), `seed ${seed}, after ${step}: ${kind}`).toEqual([]);
  }
});
