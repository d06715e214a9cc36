import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attempts } from '../../test/support/rules.ts';
import type { Attempt } from './attempt.ts';
import { judgeRules, type LoadedRule, orderRules, RULE_ACTIONS, type RuleEffect } from './judge-rules.ts';

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => `rule-${String(index).padStart(3, '0')}`);

const rule = (id: string, given: Partial<LoadedRule> = {}): LoadedRule => ({
  ...{ id, name: id, status: 'ACTIVE', action: 'DECLINE', reason: null, priority: 0, appliesTo: 'PROGRAM' },
  velocities: [],
  matches: () => true,
  explain: () => ({ result: true, leaves: [{ path: 'when', value: id, result: true }] }),
  ...given,
});

const PURCHASE = { channel: 'ECOMMERCE', type: 'PURCHASE', authenticated: false } as const;
const attempt = (given: Partial<Attempt> = {}): Attempt => ({
  ...(SAMPLE as Attempt),
  ...PURCHASE,
  ...given,
});
const [SAMPLE] = fc.sample(attempts, { numRuns: 1, seed: 1 });

const judge = (rules: LoadedRule[], given: Partial<Attempt> = {}, circumstances = {}) =>
  judgeRules(orderRules(rules), attempt(given), {
    isAdvice: false,
    isExempt: false,
    valuesOf: () => [],
    ...circumstances,
  });

const effectsOf = (verdict: ReturnType<typeof judge>): Record<string, RuleEffect> =>
  Object.fromEntries(verdict.matches.map(({ rule: { id }, effect }) => [id, effect]));

test('the highest priority decides, then the older rule; a flag stands in nobody’s way', () => {
  const rules = [
    rule('5', { action: 'FLAG', priority: 9 }),
    rule('4', { priority: 1, reason: 'LIMIT' }),
    rule('3', { priority: 1, action: 'REQUIRE_AUTHENTICATION' }),
    rule('2'),
    rule('1', { priority: 8, status: 'SHADOW' }),
    rule('0', { priority: 9, matches: () => false }),
  ];
  const verdict = judge(rules);
  expect(effectsOf(verdict)).toEqual({
    5: 'FLAGGED',
    1: 'WOULD_DECLINE',
    3: 'AUTHENTICATION_REQUIRED',
    4: 'WOULD_DECLINE',
    2: 'WOULD_DECLINE',
  });
  expect(verdict.decisive).toMatchObject({ rule: { id: '3' }, effect: 'AUTHENTICATION_REQUIRED' });
  expect(verdict.recorded[2]).toEqual({
    ...{ rule_id: '3', name: '3', status: 'ACTIVE', action: 'REQUIRE_AUTHENTICATION' },
    effect: 'AUTHENTICATION_REQUIRED',
    values: [{ path: 'when', value: '3', result: true }],
  });
  expect(judge(rules, { authenticated: true }).decisive).toMatchObject({
    rule: { id: '4', reason: 'LIMIT' },
    effect: 'DECLINED',
  });
});

test.each<[string, Partial<Attempt>, object]>([
  ['a purchase in a shop', { channel: 'POS' }, {}],
  ['an authenticated purchase', { authenticated: true }, {}],
  ['an exempt purchase', {}, { isExempt: true }],
  ['a balance inquiry', { type: 'BALANCE_INQUIRY' }, {}],
])(
  'for %s, a rule that requires an authentication is a flag, which beats no other rule',
  (_, given, circumstances) => {
    const demand = rule('1', { action: 'REQUIRE_AUTHENTICATION', priority: 9 });
    expect(judge([demand], given, circumstances).decisive).toBeNull();
    expect(effectsOf(judge([demand, rule('2')], given, circumstances))).toEqual({
      1: 'FLAGGED',
      2: 'DECLINED',
    });
    expect(effectsOf(judge([{ ...demand, status: 'SHADOW' }], given, circumstances))).toEqual({
      1: 'WOULD_FLAG',
    });
  },
);

test('an advice is only recorded; a credit is flagged at most', () => {
  const rules = RULE_ACTIONS.map((action) => rule(action, { action }));
  const advice = judge(rules, {}, { isAdvice: true });
  expect([advice.decisive, Object.values(effectsOf(advice)).sort()]).toEqual([
    null,
    ['WOULD_DECLINE', 'WOULD_FLAG', 'WOULD_REQUIRE_AUTHENTICATION'],
  ]);
  const credit = judge(rules, { type: 'CREDIT' });
  expect([credit.decisive, new Set(Object.values(effectsOf(credit)))]).toEqual([null, new Set(['FLAGGED'])]);
});

test('a rule applies to its cards, to its customers, or to the program', () => {
  const rules = [
    rule('1', { appliesTo: { cardIds: new Set([attempt().card.id]) } }),
    rule('2', { appliesTo: { cardIds: new Set(['other']) } }),
    rule('3', { appliesTo: { customerKeys: new Set([attempt().customerKey]) } }),
    rule('4', { appliesTo: { customerKeys: new Set(['other']) } }),
  ];
  expect(Object.keys(effectsOf(judge(rules)))).toEqual(['1', '3']);
});

test('each rule gets the values of its own velocities', () => {
  const velocities = [{}] as unknown as LoadedRule['velocities'];
  const counting = (id: string) =>
    rule(id, {
      velocities,
      matches: (_, [count]) => count === BigInt(id),
      explain: (_, [count]) => ({
        result: true,
        leaves: [{ path: 'when', value: `${count}`, result: true }],
      }),
    });
  const verdict = judge(
    [counting('1'), counting('2')],
    {},
    { valuesOf: ({ id }: LoadedRule) => [id === '2' ? 2n : 0n] },
  );
  expect(verdict.recorded.map(({ rule_id, values }) => [rule_id, values[0]?.value])).toEqual([['2', '2']]);
});

test('at most 20 matches are recorded, the deciding one among them; none is lost', () => {
  const flags = ids(25).map((id) => rule(id, { action: 'FLAG', priority: 9 }));
  const { matches, recorded, decisive } = judge([...flags, rule('last')]);
  expect([matches.length, recorded.length, decisive?.rule.id]).toEqual([26, 20, 'last']);
  expect(recorded.map((match) => match.rule_id)).toEqual([...ids(19), 'last']);
});

test('no rule approves what is declined without it, and only active rules decide', () => {
  const rules = fc.array(
    fc.record({
      action: fc.constantFrom(...RULE_ACTIONS),
      status: fc.constantFrom('SHADOW' as const, 'ACTIVE' as const),
      priority: fc.nat(2),
      holds: fc.boolean(),
    }),
    { minLength: 2, maxLength: 6 },
  );
  const circumstances = fc.record({ isAdvice: fc.boolean(), isExempt: fc.boolean() });
  let declined = 0;
  fc.assert(
    fc.property(rules, fc.nat(5), attempts, circumstances, (given, left, subject, how) => {
      const loaded = given.map(({ holds, ...each }, index) =>
        rule(`${index}`, { ...each, matches: () => holds }),
      );
      const all = judge(loaded, subject, how);
      const fewer = judge(loaded.toSpliced(left % loaded.length, 1), subject, how);
      if (fewer.decisive) {
        declined++;
        expect(all.decisive).not.toBeNull();
      }
      const took = all.matches.filter(
        ({ effect }) => effect === 'DECLINED' || effect === 'AUTHENTICATION_REQUIRED',
      );
      expect(took).toEqual(all.decisive ? [all.decisive] : []);
      expect(all.decisive?.rule.status ?? 'ACTIVE').toBe('ACTIVE');
    }),
    { numRuns: 500 },
  );
  expect(declined).toBeGreaterThan(10);
});
