import { describe, expect, test } from 'vitest';
import { NOW_MS, someCard, someRequest, TODAY } from '../../../test/support/cards/authorization-facts.ts';
import type { CardFacts } from '../../cards/card-facts.ts';
import { dayOf } from '../../kernel/calendar.ts';
import type { LoadedRule, RuleEffect } from '../../rules/judge-rules.ts';
import { type DecisionFacts, decide, explainDecline, largestApproval, reasonsBefore } from './decide.ts';
import { DECLINES } from './decline.ts';
import type { AuthorizationRequest } from './message.ts';
import type { UsageRefusal } from './usage.ts';

interface Situation {
  request: AuthorizationRequest;
  facts: DecisionFacts;
  today: string;
}

/** A request that no guard declines, exact to the minor unit. */
const situation = (): Situation => ({
  request: someRequest({ billAmountMinor: 1_000n }),
  facts: {
    card: someCard({ availableMinor: 1_025n }),
    cvvMatches: true,
    usageRefusals: [] as readonly UsageRefusal[],
    lacksAuthentication: false,
    verdict: undefined,
    totalMinor: 1_000n,
    addedMinor: 1_000n,
    neededMinor: 1_025n,
    masterMinor: 1_025n,
    usesCredit: true,
    reversed: false,
    closed: false,
    merchantDecision: undefined,
  },
  today: TODAY,
});

type Change = (situation: Situation) => Situation;
const ofCard =
  (changes: Partial<CardFacts>): Change =>
  ({ facts, ...rest }) => ({ ...rest, facts: { ...facts, card: { ...facts.card, ...changes } } });
const ofFacts =
  (changes: Partial<DecisionFacts>): Change =>
  ({ facts, ...rest }) => ({ ...rest, facts: { ...facts, ...changes } });
const ofUsage =
  (refusal: UsageRefusal): Change =>
  ({ facts, ...rest }) => ({
    ...rest,
    facts: { ...facts, usageRefusals: [...facts.usageRefusals, refusal] },
  });
const ofRequest =
  (changes: Partial<AuthorizationRequest>): Change =>
  ({ request, ...rest }) => ({ ...rest, request: { ...request, ...changes } });
/** A rule of the merchant decides. */
const decidedBy = (effect: RuleEffect): DecisionFacts['verdict'] => ({
  decisive: { effect, rule: { reason: null } as LoadedRule },
});
const none: Change = (unchanged) => unchanged;

/** The contract's table in its order. Each row has the one change that causes its decline and no other. */
const ROWS = [
  ['card_blocked', 'R8', '62', ofCard({ status: 'BLOCKED', statusReason: 'left the company' })],
  ['invalid_card_number', '14', '14', ofRequest({ card: { cardId: 'card-1', numberId: 'number-0' } })],
  ['card_frozen', 'R1', '62', ofCard({ status: 'FROZEN' })],
  ['card_expired', '54', '54', (at: Situation) => ({ ...at, today: '2031-07-01' })],
  ['expiry_mismatch', '54', '54', ofRequest({ expiry: '2031-07' })],
  ['cvv_mismatch', 'N7', 'N7', ofFacts({ cvvMatches: false })],
  ['card_not_valid_now', 'R25', '62', ofUsage('card_not_valid_now')],
  ['card_used', 'R24', '62', ofUsage('card_used')],
  ['merchant_locked', 'R21', '57', ofUsage('merchant_locked')],
  ['merchant_category_not_allowed', 'R19', '57', ofCard({ blockedMccs: ['5814'] })],
  ['rule_declined', 'R20', '57', ofFacts({ verdict: decidedBy('DECLINED') })],
  ['authentication_required', '1A', '1A', ofFacts({ lacksAuthentication: true })],
  ['transaction_limit', 'R7', '61', ofCard({ transactionLimitMinor: 999n })],
  ['daily_limit', 'R6', '61', ofCard({ dailyLimitMinor: 999n })],
  ['card_limit', 'R13', '61', ofCard({ monthlyLimitMinor: 999n })],
  ['insufficient_funds', '51', '51', ofCard({ availableMinor: 1_024n })],
  ['program_balance', 'R10', '51', ofFacts({ masterMinor: 1_024n })],
  // Not in the contract's table: the last guards.
  ['already_reversed', '12', '12', ofFacts({ reversed: true })],
  ['hold_closed', '12', '12', ofFacts({ closed: true })],
] as const satisfies ReadonlyArray<readonly [string, string, string, Change]>;

const decideAfter = (...changes: Change[]) => {
  const { request, facts, today } = changes.reduce((at, change) => change(at), situation());
  return decide(request, facts, today);
};
const outcomeAfter = (...changes: Change[]): string => {
  const decision = decideAfter(...changes);
  return decision.approved ? 'approved' : decision.reason;
};

describe('the decision table', () => {
  test('is approved if no reason applies', () => {
    expect(decideAfter()).toEqual({ approved: true, networkCode: '00' });
  });

  test.each(ROWS)('%s: decline code %s, network code %s', (reason, declineCode, networkCode, change) => {
    expect(decideAfter(change)).toEqual({ approved: false, reason, networkCode });
    expect(DECLINES[reason].declineCode).toBe(declineCode);
  });

  // The others are those of the network's stand-in and of the merchant.
  const OF_GUARDS = Object.keys(DECLINES).slice(0, Object.keys(DECLINES).indexOf('stand_in_declined'));

  test('every decline reason of a guard has a row', () => {
    expect(ROWS.map(([reason]) => reason).sort()).toEqual([...OF_GUARDS].sort());
  });

  test('the declines are listed in the order of their guards', () => {
    expect([...reasonsBefore('hold_closed'), 'hold_closed']).toEqual(OF_GUARDS);
  });

  test.each([
    [
      'no such category among the allowed',
      { allowedMccs: ['5411', '5812'] },
      'merchant_category_not_allowed',
    ],
    [
      'allowed and blocked at once',
      { allowedMccs: ['5814'], blockedMccs: ['5814'] },
      'merchant_category_not_allowed',
    ],
    ['among the allowed', { allowedMccs: ['5411', '5814'], blockedMccs: ['5411'] }, 'approved'],
    ['over the all-time limit', { allTimeLimitMinor: 999n }, 'card_limit'],
  ])('%s', (_name, changes, outcome) => {
    expect(outcomeAfter(ofCard(changes))).toBe(outcome);
  });
});

describe('if two reasons apply, the earlier row decides', () => {
  // A card has one status: it is either blocked or frozen.
  const exclusive = (first: string, second: string) => first === 'card_blocked' && second === 'card_frozen';
  const pairs = ROWS.flatMap(([first, , , one], index) =>
    ROWS.slice(index + 1).flatMap(([second, , , other]) =>
      exclusive(first, second) ? [] : [[first, second, one, other] as const],
    ),
  );

  test('the table has every pair of reasons', () => {
    expect(pairs).toHaveLength((ROWS.length * (ROWS.length - 1)) / 2 - 1);
  });

  test.each(pairs)('%s before %s', (first, second, one, other) => {
    expect([outcomeAfter(one), outcomeAfter(other)]).toEqual([first, second]);
    expect([outcomeAfter(one, other), outcomeAfter(other, one)]).toEqual([first, first]);
  });

  test.each(ROWS.map(([reason], index) => [reason, index] as const))(
    '%s before all later reasons',
    (reason, index) => {
      const changes = ROWS.slice(index).map(([, , , change]) => change);
      // Applied from last to first, so that the earlier row sets the final status.
      expect(outcomeAfter(...changes.reverse())).toBe(reason);
    },
  );
});

describe('the network code of a blocked card', () => {
  test.each([
    ['FRAUD', '59'],
    ['LOST', '41'],
    ['STOLEN', '43'],
    ['OTHER', '62'],
  ] as const)('%s gives %s, for any text of the reason', (reasonCode, networkCode) => {
    const statusReason = 'fraud, lost or stolen';
    const decision = decideAfter(ofCard({ status: 'BLOCKED', statusReason, reasonCode }));
    expect(decision).toEqual({ approved: false, reason: 'card_blocked', networkCode });
  });

  test('the reason code changes no other decline', () => {
    const decision = decideAfter(ofCard({ status: 'FROZEN', reasonCode: 'FRAUD' }));
    expect(decision).toEqual({ approved: false, reason: 'card_frozen', networkCode: '62' });
  });
});

describe('boundaries: exactly the limit is approved, one minor unit more is declined', () => {
  const spent = { daySpentMinor: 200n, monthSpentMinor: 3_000n, totalSpentMinor: 40_000n };
  test.each([
    [
      'transaction limit',
      { transactionLimitMinor: 1_000n },
      { transactionLimitMinor: 999n },
      'transaction_limit',
    ],
    ['daily limit', { dailyLimitMinor: 1_200n }, { dailyLimitMinor: 1_199n }, 'daily_limit'],
    ['monthly limit', { monthlyLimitMinor: 4_000n }, { monthlyLimitMinor: 3_999n }, 'card_limit'],
    ['all-time limit', { allTimeLimitMinor: 41_000n }, { allTimeLimitMinor: 40_999n }, 'card_limit'],
    ['available credit', { availableMinor: 1_025n }, { availableMinor: 1_024n }, 'insufficient_funds'],
  ])('%s', (_name, at, above, reason) => {
    expect(outcomeAfter(ofCard({ ...spent, ...at }))).toBe('approved');
    expect(outcomeAfter(ofCard({ ...spent, ...above }))).toBe(reason);
  });

  test('master balance, if it is enforced', () => {
    expect(outcomeAfter(ofFacts({ masterMinor: 1_025n }))).toBe('approved');
    expect(outcomeAfter(ofFacts({ masterMinor: 1_024n }))).toBe('program_balance');
    expect(outcomeAfter(ofFacts({ masterMinor: undefined }))).toBe('approved');
  });

  test('available credit must cover bill amount and fees; limits count the bill amount only', () => {
    expect(outcomeAfter(ofCard({ availableMinor: 1_000n }))).toBe('insufficient_funds');
    const limits = { transactionLimitMinor: 1_000n, dailyLimitMinor: 1_000n, monthlyLimitMinor: 1_000n };
    expect(outcomeAfter(ofCard({ ...limits, allTimeLimitMinor: 1_000n }))).toBe('approved');
  });

  test('a limit of zero declines every amount', () => {
    const one = ofFacts({ totalMinor: 1n, addedMinor: 1n });
    expect(outcomeAfter(one, ofCard({ transactionLimitMinor: 0n }))).toBe('transaction_limit');
    expect(outcomeAfter(one, ofCard({ dailyLimitMinor: 0n }))).toBe('daily_limit');
    expect(outcomeAfter(one, ofCard({ monthlyLimitMinor: 0n }))).toBe('card_limit');
    expect(outcomeAfter(one, ofCard({ allTimeLimitMinor: 0n }))).toBe('card_limit');
  });

  test('a card is valid through its expiry date', () => {
    const on =
      (today: string): Change =>
      (at) => ({ ...at, today });
    expect(outcomeAfter(on('2031-06-30'))).toBe('approved');
    expect(outcomeAfter(on('2031-07-01'))).toBe('card_expired');
  });
});

describe('limits follow days and months', () => {
  const spent = { day: TODAY, daySpentMinor: 900n, monthSpentMinor: 900n, totalSpentMinor: 900n };
  const on =
    (today: string): Change =>
    (at) => ({ ...at, today });
  test.each([
    ['the same day', TODAY, 'daily_limit', 'card_limit', 'card_limit'],
    ['the next day', '2030-05-16', 'approved', 'card_limit', 'card_limit'],
    ['the last day of the month', '2030-05-31', 'approved', 'card_limit', 'card_limit'],
    ['the next month', '2030-06-01', 'approved', 'approved', 'card_limit'],
    ['the same month of another year', '2031-05-15', 'approved', 'approved', 'card_limit'],
  ])('%s', (_name, today, daily, monthly, allTime) => {
    expect(outcomeAfter(ofCard({ ...spent, dailyLimitMinor: 1_899n }), on(today))).toBe(daily);
    expect(outcomeAfter(ofCard({ ...spent, monthlyLimitMinor: 1_899n }), on(today))).toBe(monthly);
    expect(outcomeAfter(ofCard({ ...spent, allTimeLimitMinor: 1_899n }), on(today))).toBe(allTime);
  });
});

describe('a value that the request omits is not checked', () => {
  test.each([
    ['no CVV', ofFacts({ cvvMatches: undefined })],
    ['no expiry', ofRequest({ expiry: undefined })],
    ['a card by its id', ofRequest({ card: { cardId: 'card-1', numberId: undefined } })],
    ['no limits, no lists', none],
  ])('%s', (_name, change) => {
    expect(outcomeAfter(change)).toBe('approved');
  });
});

describe('a zero amount', () => {
  const zero = ofFacts({ totalMinor: 0n, addedMinor: 0n, neededMinor: 0n });

  test('ignores limits and balances, even balances below zero', () => {
    const limits = {
      transactionLimitMinor: 0n,
      dailyLimitMinor: 0n,
      monthlyLimitMinor: 0n,
      allTimeLimitMinor: 0n,
    };
    const spent = { daySpentMinor: 5n, monthSpentMinor: 5n, totalSpentMinor: 5n, availableMinor: -1n };
    expect(outcomeAfter(zero, ofCard({ ...limits, ...spent }), ofFacts({ masterMinor: -1n }))).toBe(
      'approved',
    );
  });

  test.each(ROWS.filter(([reason]) => !/limit|funds|balance|authentication/.test(reason)))(
    '%s still declines it',
    (reason, ...row) => {
      expect(outcomeAfter(zero, row[2])).toBe(reason);
    },
  );
});

test('a decision does not change its arguments', () => {
  const { request, facts } = situation();
  const [card, before] = [
    Object.freeze(facts.card),
    structuredClone({ ...facts, request: { ...request, content: null } }),
  ];
  decide(Object.freeze(request), Object.freeze(facts), dayOf(NOW_MS));
  expect({ ...facts, card, request: { ...request, content: null } }).toEqual(before);
});

describe('the largest amount that can be approved', () => {
  const largest = (change: Change, feeBps = 0n) => {
    const { facts, today } = change(situation());
    return largestApproval(facts, today, (minor) => minor + (minor * feeBps) / 10_000n);
  };
  const spent = { daySpentMinor: 200n, monthSpentMinor: 300n, totalSpentMinor: 400n };
  test.each([
    ['the transaction limit', ofCard({ transactionLimitMinor: 700n }), 700n],
    ['the rest of the daily limit', ofCard({ ...spent, dailyLimitMinor: 700n }), 500n],
    ['the rest of the monthly limit', ofCard({ ...spent, monthlyLimitMinor: 700n }), 400n],
    ['the rest of the all-time limit', ofCard({ ...spent, allTimeLimitMinor: 700n }), 300n],
    ['a limit that is exceeded already', ofCard({ ...spent, dailyLimitMinor: 100n }), 0n],
    ['the available credit', ofCard({ availableMinor: 650n }), 650n],
    ['the master account', ofFacts({ masterMinor: 600n }), 600n],
    ['a card below zero', ofCard({ availableMinor: -1n }), 0n],
    ['the requested amount', none, 1_000n],
  ])('%s', (_name, change, expected) => {
    expect(largest(change)).toBe(expected);
  });

  test('fees are part of what the card must cover', () => {
    expect(largest(ofCard({ availableMinor: 1_000n }), 2_500n)).toBe(800n);
  });
});

describe('the numbers behind a decline', () => {
  const explain = (change: Change) => {
    const { request, facts, today } = change(situation());
    const decision = decide(request, facts, today);
    return decision.approved ? undefined : explainDecline(decision.reason, facts, today, 'EUR');
  };
  const spent = { daySpentMinor: 200n, monthSpentMinor: 300n, totalSpentMinor: 400n };
  const limit = (name: string, spentText: string, resets_at: string | null) => ({
    limit: name,
    value: '9.00',
    spent: spentText,
    resets_at,
  });
  test.each([
    ['transactionLimit', limit('transactionLimit', '0.00', null)],
    ['dailyLimit', limit('dailyLimit', '2.00', '2030-05-16T00:00:00+0000')],
    ['monthlyLimit', limit('monthlyLimit', '3.00', '2030-06-01T00:00:00+0000')],
    ['allTimeLimit', limit('allTimeLimit', '4.00', null)],
  ])('%s', (name, expected) => {
    expect(explain(ofCard({ ...spent, [`${name}Minor`]: 900n }))).toEqual(expected);
  });

  test('funds: what was available and what was needed', () => {
    expect(explain(ofCard({ availableMinor: -5n }))).toEqual({ available: '-0.05', needed: '10.25' });
    expect(explain(ofFacts({ masterMinor: 7n }))).toEqual({ available: '0.07', needed: '10.25' });
  });

  test('other declines have none', () => {
    expect(explain(ofCard({ status: 'FROZEN' }))).toBe(null);
  });
});
