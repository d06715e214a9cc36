import { expect, test } from 'vitest';
import { foldRepeats } from '../console/src/features/limits/fold.ts';
import { remedyOf } from '../console/src/features/limits/remedies.ts';

test('only entries that follow one another with the same key are folded', () => {
  const keyOf = (text: string) => (text.startsWith('-') ? null : (text[0] ?? null));
  expect(foldRepeats(['a1', 'a2', '-1', '-2', 'a3', 'b1', 'a4', 'a5'], keyOf)).toEqual([
    ['a1', 'a2'],
    ['-1'],
    ['-2'],
    ['a3'],
    ['b1'],
    ['a4', 'a5'],
  ]);
  expect(foldRepeats([], keyOf)).toEqual([]);
});

const because = (reason: string, limit?: string) =>
  ({ reason, code: '', networkCode: '', meaning: '', remedy: '', limits: limit ? { limit } : null }) as never;

test.each([
  ['transaction_limit', 'transactionLimit', 'ACTIVE', 'raise transactionLimit, support'],
  ['daily_limit', 'dailyLimit', 'FROZEN', 'raise dailyLimit, support'],
  ['card_limit', 'monthlyLimit', 'ACTIVE', 'raise monthlyLimit, support'],
  ['card_limit', 'allTimeLimit', 'ACTIVE', 'controls, manager'],
  ['insufficient_funds', undefined, 'ACTIVE', 'adjust, manager'],
  ['merchant_category_not_allowed', undefined, 'ACTIVE', 'controls, manager'],
  ['card_frozen', undefined, 'FROZEN', 'freeze, support'],
  ['card_frozen', undefined, 'ACTIVE', undefined],
  ['card_expired', undefined, 'EXPIRED', 'reissue, support'],
  ['card_expired', undefined, 'ACTIVE', undefined],
  ['cvv_mismatch', undefined, 'ACTIVE', undefined],
  ['daily_limit', 'dailyLimit', 'BLOCKED', undefined],
  ['card_blocked', undefined, 'BLOCKED', 'replace, manager'],
] as const)('the remedy for %s by %s on an %s card', (reason, limit, status, expected) => {
  const remedy = remedyOf(because(reason, limit), { status });
  const name = remedy && (remedy.dialog === 'raise' ? `raise ${remedy.limit}` : remedy.dialog);
  expect(remedy && `${name}, ${remedy.role}`).toBe(expected);
});

test('a limit that was removed since needs no remedy', () => {
  const spendControls = { dailyLimit: null, monthlyLimit: 50, allTimeLimit: null } as never;
  const remedy = (limit: string) =>
    remedyOf(because('card_limit', limit), { status: 'ACTIVE', spendControls })?.dialog;
  expect(['dailyLimit', 'monthlyLimit', 'allTimeLimit'].map(remedy)).toEqual([undefined, 'raise', undefined]);
});
