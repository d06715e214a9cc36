import { expect, test } from 'vitest';
import { payingCard } from '../../support/cards/network.ts';
import { callsOf, LISTS, RULES } from '../../support/rules/rules.ts';
import { twoAppsForTests } from '../../support/server/test-app.ts';

const [app, second] = twoAppsForTests();

/** How many lanes send on each process, and what each sends after a change has been answered. */
const LANES = 3;
const AFTER = 3;

test('a change of the rules holds on every process for each authorization that begins after its answer, under load', async () => {
  const owner = await app.addProgram();
  const calls = callsOf(app, owner);
  const cards = await Promise.all(
    Array.from({ length: LANES }, () => payingCard(app, { spendLimit: 10_000 }, owner)),
  );
  await calls.put('merchants', 'merchant', ['m-0']);
  const listed = { field: 'merchant.id', op: 'inList', value: 'merchants' };
  const rule = await calls.create({ when: { any: [listed, { field: 'mcc', op: 'eq', value: '5814' }] } });
  const steps: Array<[name: string, change: () => Promise<unknown>, declines: boolean]> = [
    ['promote', () => calls.promote(rule.id), true],
    ['demote', () => calls.demote(rule.id), false],
    ['promote again', () => calls.promote(rule.id), true],
    ['replace', () => replace(), false],
    [
      'add to a list',
      () => app.call('POST', `${LISTS}merchants/add/`, { key: owner.key, body: { values: ['m-77'] } }),
      true,
    ],
    ['archive', async () => calls.archive((await calls.get(`${RULES}?status=ACTIVE`)).results[0].id), false],
  ];
  /** By a rule that looks at the list alone, which does not name the merchant yet. */
  const replace = async () => {
    const { id } = await calls.create({ when: listed, replaces: rule.id });
    await calls.promote(id);
    expect(await calls.get(`${RULES}${rule.id}/`)).toMatchObject({ status: 'ARCHIVED' });
  };
  for (const [name, change, declines] of steps) {
    let isAnswered = false;
    const lane = async (process: typeof app, card: (typeof cards)[number]) => {
      const wrong: string[] = [];
      let [before, after] = [0, 0];
      while (after < AFTER) {
        const beganAfter = isAnswered;
        const { decline_reason } = await card.with({ app: process }).authorize('0.10');
        if (beganAfter) after++;
        else before++;
        if (beganAfter && (decline_reason === 'rule_declined') !== declines)
          wrong.push(`${name}: ${decline_reason}`);
      }
      return { wrong, before };
    };
    const lanes = [app, second].flatMap((process) => cards.map((card) => lane(process, card)));
    // Both processes are under way when the change is sent.
    await Promise.all(
      [app, second].map(async (process) => cards[0]?.with({ app: process }).authorize('0.10')),
    );
    await change();
    isAnswered = true;
    const done = await Promise.all(lanes);
    expect(done.flatMap(({ wrong }) => wrong)).toEqual([]);
    expect(done.every(({ before }) => before > 0)).toBe(true);
  }
  const { results } = await calls.get(`${RULES}?status=ARCHIVED`);
  expect(results.map(({ id }: { id: string }) => id)).toContain(rule.id);
});
