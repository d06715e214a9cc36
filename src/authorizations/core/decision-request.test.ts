import { expect, test } from 'vitest';
import {
  NOW_MS,
  someCard,
  someProgram,
  someRequest,
  someTransaction,
  TODAY,
} from '../../../test/support/cards/authorization-facts.ts';
import { type DecisionOutcome, withoutResponse } from '../../decisions/decision.ts';
import { applyAuthorization } from './apply-authorization.ts';
import { applyIncrement } from './apply-increment.ts';
import { type DecisionNeeded, isDecisionNeeded } from './decision-request.ts';
import type { Effects } from './effects.ts';
import type { IncrementRequest, MerchantDecision } from './message.ts';
import type { TransactionRecord } from './transaction.ts';

/** Messages for which the merchant's decision is needed, or was requested. */

const decisionOf = (outcome: DecisionOutcome, approvedMinor?: bigint): MerchantDecision => ({
  mode: 'REAL_TIME',
  amountMinor: 1_000n,
  authenticated: false,
  response: { ...withoutResponse(outcome, 41), approvedMinor },
  rule: { onFailure: 'STANDARD', standIn: null },
});
const program = someProgram({ authorizationMode: 'REAL_TIME', atmFeeMinor: 150n });
const setting = { program, nowMs: NOW_MS, today: TODAY };
const factsOf = (card = someCard(), cleared?: TransactionRecord) => ({
  card,
  cvvMatches: undefined,
  masterMinor: undefined,
  authentication: undefined,
  authenticationShares: [],
  early: null,
  cleared,
  refunded: undefined,
});
/** Raises a purchase of 10.00 by 5.00. */
const someIncrement = (changes: Partial<IncrementRequest> = {}): IncrementRequest => ({
  kind: 'increment',
  messageId: 'inc-1',
  purchase: { externalTransactionId: 'net-1' },
  amountMinor: 500n,
  currency: 'EUR',
  billAmountMinor: 500n,
  network: null,
  content: { digest: Buffer.alloc(32), matches: () => true },
  ...changes,
});
function requestIn(result: object): DecisionNeeded['request'] {
  if (!isDecisionNeeded(result)) throw new Error('no decision is needed');
  return result.request;
}
function decided<Response>(result: Effects<Response> | DecisionNeeded): Effects<Response> {
  if (isDecisionNeeded(result)) throw new Error('a decision is needed');
  return result;
}

test('we decline after the merchant has approved a part: the transaction shows what was requested', () => {
  const request = someRequest({ partialApproval: true, merchantDecision: decisionOf('approved', 300n) });
  const { response, transaction } = decided(
    applyAuthorization(request, factsOf(someCard({ status: 'FROZEN' })), setting),
  );
  expect(response).toMatchObject({ declineReason: 'card_frozen', billAmountMinor: 1_000n });
  expect(transaction).toMatchObject({ status: 'DECLINED', billAmountMinor: 1_000n, amountMinor: 1_000n });
});

test('the request has the fees that its event will have, also for a purchase that has cleared in part', () => {
  // The clearing did not say that it was cash: the fee comes with the authorization.
  const cleared = someTransaction({
    authorizationMode: 'REAL_TIME',
    channel: null,
    status: 'CLEARED',
    heldMinor: 0n,
    clearedMinor: 400n,
    approvedOn: null,
  });
  const request = someRequest({ channel: 'ATM' });
  const { data } = requestIn(applyAuthorization(request, factsOf(someCard(), cleared), setting));
  expect(data).toMatchObject({ bill_amount: '10.00', atm_fee: '1.50', hold_amount: '7.50' });
  const { event } = decided(
    applyAuthorization(
      { ...request, merchantDecision: decisionOf('approved') },
      factsOf(someCard(), cleared),
      setting,
    ),
  );
  expect(event?.data).toMatchObject({ bill_amount: '10.00', atm_fee: '1.50' });
});

test.each([
  ['REAL_TIME', 500n, { approved: false, declineReason: 'decision_timeout' }],
  ['BOTH', 499n, { approved: false, declineReason: 'insufficient_funds' }],
  ['BOTH', 500n, { approved: true, declineReason: null }],
] as const)(
  'without a response, STANDARD: an increment to a %s purchase, with %s available',
  (authorizationMode, availableMinor, expected) => {
    const card = someCard({ availableMinor });
    const request = someIncrement({ merchantDecision: decisionOf('timeout') });
    const transaction = someTransaction({ authorizationMode });
    const effects = decided(
      applyIncrement(
        request,
        { card, transaction, reversed: false, masterMinor: undefined, authenticationShares: [] },
        setting,
      ),
    );
    expect(effects.response).toMatchObject(expected);
    expect(effects.card?.availableMinor).toBe(expected.approved ? availableMinor - 500n : availableMinor);
  },
);

test('every request has its own `eventId`: an increment has neither that of its purchase nor that of a purchase with its id', () => {
  const transaction = someTransaction({ authorizationMode: 'REAL_TIME' });
  const ofIncrement = (messageId: string) =>
    requestIn(
      applyIncrement(
        someIncrement({ messageId }),
        { card: someCard(), transaction, reversed: false, masterMinor: undefined, authenticationShares: [] },
        setting,
      ),
    ).eventId;
  const ofPurchase = requestIn(applyAuthorization(someRequest(), factsOf(), setting)).eventId;
  const inquiry = someRequest({ type: 'BALANCE_INQUIRY', amountMinor: 0n, billAmountMinor: 0n });
  const ofInquiry = requestIn(applyAuthorization(inquiry, factsOf(), setting)).eventId;
  const all = [ofPurchase, ofIncrement('net-1'), ofIncrement('inc-1'), ofIncrement('inc-2'), ofInquiry];
  expect(new Set(all).size).toBe(5);
  expect(ofIncrement('inc-1')).toBe(all[2]);
});

test.each([
  ['15.00', 1_500n, true],
  ['14.99', 1_499n, false],
])(
  'the limits of a stand-in judge an increment with its purchase: with %s per transaction',
  (_limit, transactionLimitMinor, approved) => {
    const standIn = { transactionLimitMinor, dailyLimitMinor: 10_000n };
    const request = someIncrement({
      merchantDecision: { ...decisionOf('timeout'), rule: { onFailure: 'APPROVE', standIn } },
    });
    const transaction = someTransaction({ authorizationMode: 'REAL_TIME' });
    const { response } = decided(
      applyIncrement(
        request,
        { card: someCard(), transaction, reversed: false, masterMinor: undefined, authenticationShares: [] },
        setting,
      ),
    );
    expect(response.approved).toBe(approved);
  },
);

test('an authentication that does not count any more declines no inquiry', () => {
  const inquiryWith = (eci: string) =>
    someRequest({ type: 'BALANCE_INQUIRY', amountMinor: 0n, billAmountMinor: 0n, authentication: { eci } });
  const needed = applyAuthorization(inquiryWith('05'), factsOf(), setting) as DecisionNeeded;
  const { mode, authenticated, request } = needed;
  expect(request.data['authentication']).toMatchObject({ authenticated: true });
  const response = { ...withoutResponse('approved', 41), availableMinor: 7n };
  const merchantDecision = { mode, amountMinor: 0n, authenticated, response, rule: null };
  const later = applyAuthorization({ ...inquiryWith('07'), merchantDecision }, factsOf(), setting);
  expect(decided(later).response).toMatchObject({ approved: true, availableMinor: 7n });
});
