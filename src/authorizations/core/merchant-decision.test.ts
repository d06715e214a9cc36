import { describe, expect, test } from 'vitest';
import {
  someCard,
  someProgram,
  someRequest,
  someTransaction,
  TODAY,
} from '../../../test/support/cards/authorization-facts.ts';
import type {
  DecisionEndpoint,
  DecisionOutcome,
  DecisionResponse,
  OnFailure,
} from '../../decisions/decision.ts';
import { type DecisionFacts, decide } from './decide.ts';
import { DECLINES } from './decline.ts';
import { decisionView, modeOf, offeredOf } from './merchant-decision.ts';
import type { MerchantDecision } from './message.ts';

const responseOf = (outcome: DecisionOutcome, more: Partial<DecisionResponse> = {}): DecisionResponse => ({
  outcome,
  durationMs: 41,
  approvedMinor: undefined,
  reason: null,
  reference: null,
  metadata: null,
  ...more,
});
const decisionOf = (
  given: DecisionResponse,
  onFailure: OnFailure = 'DECLINE',
  standIn: DecisionEndpoint['standIn'] = null,
): MerchantDecision => ({
  mode: 'REAL_TIME',
  amountMinor: 1_000n,
  authenticated: false,
  response: given,
  rule: { onFailure, standIn },
});

const facts = (changes: Partial<DecisionFacts> = {}): DecisionFacts => ({
  card: someCard({ availableMinor: 0n, day: TODAY, daySpentMinor: 500n }),
  cvvMatches: undefined,
  usageRefusals: [],
  lacksAuthentication: false,
  verdict: undefined,
  totalMinor: 1_000n,
  addedMinor: 1_000n,
  neededMinor: 1_000n,
  usesCredit: false,
  masterMinor: 1_000n,
  reversed: false,
  closed: false,
  merchantDecision: undefined,
  ...changes,
});
const decided = (by: MerchantDecision, changes: Partial<DecisionFacts> = {}) => {
  const decision = decide(someRequest({}), facts({ ...changes, merchantDecision: by }), TODAY);
  if (decision.approved) return 'approved';
  const { declineCode } = DECLINES[decision.reason];
  return `${decision.reason} ${declineCode} ${decision.networkCode}`;
};

test.each([
  ['insufficient_funds', 'program_insufficient_funds 5E 51'],
  ['limit_exceeded', 'program_limit 61 61'],
  ['merchant_not_allowed', 'program_merchant 57 57'],
  ['suspected_fraud', 'program_fraud 59 59'],
  ['another', 'program_declined 05 05'],
  ['constructor', 'program_declined 05 05'],
  [null, 'program_declined 05 05'],
])('the merchant declines with the reason %s: %s', (reason, expected) => {
  expect(decided(decisionOf(responseOf('declined', { reason })))).toBe(expected);
});

describe('without a response', () => {
  const FAILURES = [
    ['timeout', 'decision_timeout R17 91'],
    ['unreachable', 'decision_unavailable R18 91'],
    ['paused', 'decision_unavailable R18 91'],
    ['invalid', 'decision_invalid R12 96'],
  ] as const;

  test.each(FAILURES)('%s, DECLINE: %s', (outcome, expected) => {
    expect(decided(decisionOf(responseOf(outcome)))).toBe(expected);
  });

  test.each(FAILURES)('%s, STANDARD: as in that mode', (outcome) => {
    const by = decisionOf(responseOf(outcome), 'STANDARD');
    expect(modeOf(undefined, by, someProgram({ authorizationMode: 'REAL_TIME' }))).toBe('STANDARD');
    expect(decided(by, { usesCredit: true })).toBe('insufficient_funds 51 51');
    expect(decided(by, { usesCredit: true, card: someCard({ availableMinor: 1_000n }) })).toBe('approved');
  });

  test.each(FAILURES)('%s, APPROVE: within both limits only', (outcome, expected) => {
    const within = (transactionLimitMinor: bigint, dailyLimitMinor: bigint) =>
      decided(decisionOf(responseOf(outcome), 'APPROVE', { transactionLimitMinor, dailyLimitMinor }));
    expect(within(1_000n, 1_500n)).toBe('approved');
    expect(within(999n, 1_500n)).toBe(expected);
    expect(within(1_000n, 1_499n)).toBe(expected);
    expect(decided(decisionOf(responseOf(outcome), 'APPROVE'))).toBe(expected);
  });
});

test('a guard declines what the merchant has approved', () => {
  const by = decisionOf(responseOf('approved'));
  expect(decided(by)).toBe('approved');
  expect(decided(by, { masterMinor: 999n })).toBe('program_balance R10 51');
});

test('a purchase keeps its mode; a new one has the mode in which its decision was requested', () => {
  const program = someProgram({ authorizationMode: 'STANDARD' });
  expect(modeOf(undefined, undefined, program)).toBe('STANDARD');
  expect(modeOf(undefined, decisionOf(responseOf('approved')), program)).toBe('REAL_TIME');
  expect(modeOf(undefined, decisionOf(responseOf('timeout'), 'APPROVE'), program)).toBe('REAL_TIME');
  const known = someTransaction({ authorizationMode: 'BOTH' });
  expect(modeOf(known, decisionOf(responseOf('timeout'), 'STANDARD'), program)).toBe('BOTH');
});

test('a merchant that names no amount approves the amount of the request, not more', () => {
  expect(offeredOf(undefined, 2_000n)).toBe(2_000n);
  expect(offeredOf(decisionOf(responseOf('approved')), 2_000n)).toBe(1_000n);
  expect(offeredOf(decisionOf(responseOf('approved', { approvedMinor: 300n })), 2_000n)).toBe(300n);
  expect(offeredOf(decisionOf(responseOf('timeout')), 2_000n)).toBe(2_000n);
});

test('the view says who decided', () => {
  const view = (approved: boolean, by: Parameters<typeof decisionView>[1]) =>
    decisionView(approved, by).decision;
  expect(view(false, {})).toMatchObject({ source: 'emboss', outcome: 'declined', duration_ms: null });
  const standIn = { approved: true, approvalCode: undefined, reason: 'link down' };
  expect(view(true, { standIn })).toMatchObject({
    source: 'network',
    outcome: 'approved',
    reason: 'link down',
  });
  const given = { reason: 'ok', reference: 'r-1', metadata: { wallet: 'w' } };
  expect(view(false, { merchantDecision: decisionOf(responseOf('approved', given)) })).toEqual({
    source: 'merchant',
    outcome: 'approved',
    duration_ms: 41,
    ...given,
  });
  expect(view(true, { merchantDecision: decisionOf(responseOf('timeout'), 'STANDARD') })).toMatchObject({
    source: 'stand_in',
    outcome: 'timeout',
  });
});
