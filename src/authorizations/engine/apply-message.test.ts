import { describe, expect, test } from 'vitest';
import {
  CARD_ID,
  NOW_MS,
  someAuthentications,
  someCard,
  someProgram,
  someRequest,
  TODAY,
} from '../../../test/support/cards/authorization-facts.ts';
import { withoutResponse } from '../../decisions/decision.ts';
import { type DecisionNeeded, isDecisionNeeded } from '../core/decision-request.ts';
import type { AuthorizationRequest, IncrementRequest, MerchantDecision, Message } from '../core/message.ts';
import { applyMessage, type BatchResult } from './apply-message.ts';
import { type BatchState, noChanges } from './batch-state.ts';

const stateIn = (authorizationMode: 'STANDARD' | 'REAL_TIME' | 'BOTH'): BatchState => ({
  setting: { program: someProgram({ authorizationMode }), nowMs: NOW_MS, today: TODAY },
  cards: new Map([[CARD_ID, someCard()]]),
  transactions: new Map(),
  missing: new Set(),
  replayed: new Map(),
  messages: new Map(),
  presentments: new Map(),
  presentedArns: [],
  authentications: new Map(),
  masterMinor: undefined,
  alertSent: false,
  changed: noChanges(),
});
const decisionNeeded = (result: BatchResult): DecisionNeeded => {
  if (!isDecisionNeeded(result)) throw new Error('no decision is needed');
  return result;
};
const responseIn = (result: BatchResult) => {
  if (result.kind !== 'response') throw new Error(`${result.kind} instead of a response`);
  return result.response;
};
const respondTo = (state: BatchState, message: Message) =>
  responseIn(applyMessage(state, message, undefined));
const approvalOf = ({ mode, authenticated, request }: DecisionNeeded) => ({
  mode,
  authenticated,
  amountMinor: 'amountMinor' in request ? request.amountMinor : 0n,
  response: withoutResponse('approved', 1),
  rule: { onFailure: 'DECLINE', standIn: null } as const,
});
const incrementOf = (messageId: string): IncrementRequest => ({
  kind: 'increment',
  messageId,
  purchase: { externalTransactionId: 'net-1' },
  amountMinor: 500n,
  currency: 'EUR',
  billAmountMinor: 500n,
  network: null,
  content: { digest: Buffer.alloc(32), matches: () => true },
});

test.each(['REAL_TIME', 'BOTH'] as const)(
  '%s: a needed decision leaves the batch as it was; a repeat needs none, and an increment does',
  (mode) => {
    const state = stateIn(mode);
    for (const message of [someRequest(), incrementOf('inc-1')]) {
      const before = structuredClone(state);
      const needed = decisionNeeded(applyMessage(state, message, undefined));
      expect(structuredClone(state)).toEqual(before);
      const response = respondTo(state, { ...message, merchantDecision: approvalOf(needed) });
      expect(response).toMatchObject({ approved: true });
      const after = structuredClone(state);
      expect(respondTo(state, message)).toEqual(response);
      expect(structuredClone(state)).toEqual(after);
    }
    expect(state.changed.events.map(({ eventName }) => eventName)).toEqual([
      'authorization',
      'authorization.increment',
    ]);
    expect(state.cards.get(CARD_ID)?.availableMinor).toBe(mode === 'BOTH' ? 98_500n : 100_000n);
  },
);

test('a purchase keeps its mode when the program changes its own: an increment still needs a decision', () => {
  const state = stateIn('REAL_TIME');
  const needed = decisionNeeded(applyMessage(state, someRequest(), undefined));
  respondTo(state, someRequest({ merchantDecision: approvalOf(needed) }));
  state.setting = { ...state.setting, program: someProgram({ authorizationMode: 'STANDARD' }) };
  expect(decisionNeeded(applyMessage(state, incrementOf('inc-1'), undefined)).mode).toBe('REAL_TIME');
  expect(respondTo(state, someRequest({ messageId: 'net-2' }))).toMatchObject({ approved: true });
  expect(state.cards.get(CARD_ID)?.availableMinor).toBe(99_000n);
});

describe('an authentication', () => {
  const reference = { authentication: { authenticationId: 'own' } };
  const bought = (messageId: string, changes: Partial<AuthorizationRequest> = {}) =>
    someRequest({
      messageId,
      channel: 'ECOMMERCE',
      billAmountMinor: 300n,
      amountMinor: 300n,
      ...reference,
      ...changes,
    });
  const stateWith = (requireAuthenticationAboveMinor: bigint | null): BatchState => {
    const state = stateIn('STANDARD');
    state.setting.program = someProgram({ requireAuthenticationAboveMinor });
    state.authentications = someAuthentications();
    return state;
  };
  const usesIn = ({ changed, transactions }: BatchState) =>
    changed.authenticationUses.map(({ authenticationId, transactionId }) => [
      authenticationId,
      transactions.get(transactionId)?.externalTransactionId,
    ]);

  test('counts for the first of two in one batch, and a repeat changes nothing', () => {
    const state = stateWith(100n);
    const first = respondTo(state, bought('net-1'));
    expect(first).toMatchObject({ approved: true });
    const second = respondTo(state, bought('net-2'));
    expect(second).toMatchObject({ declineReason: 'authentication_required', declineCode: '1A' });
    expect(respondTo(state, bought('net-1'))).toEqual(first);
    expect(respondTo(state, bought('net-2'))).toEqual(second);
    expect(usesIn(state)).toEqual([['own', 'net-1']]);
    expect(state.changed.events.map(({ data }) => data['authentication'])).toEqual([
      { authentication_id: 'own', eci: null, authenticated: true, reason: null },
      { authentication_id: 'own', eci: null, authenticated: false, reason: 'already_used' },
    ]);
  });

  test('is shared up to its amount by the purchases of one batch that name the first, and by their increments', () => {
    const state = stateWith(50n);
    const part = (messageId: string, minor: bigint, splitOf?: string) =>
      respondTo(state, bought(messageId, { amountMinor: minor, billAmountMinor: minor, splitOf }));
    const required = { approved: false, declineReason: 'authentication_required' };
    expect(part('net-1', 120n)).toMatchObject({ approved: true });
    expect(part('net-2', 181n, 'net-1')).toMatchObject(required);
    expect(part('net-2-2', 180n, 'net-2')).toMatchObject(required);
    expect(part('net-3', 100n, 'net-1')).toMatchObject({ approved: true });
    expect(part('net-4', 80n, 'net-3')).toMatchObject({ approved: true });
    expect(part('net-5', 51n, 'net-1')).toMatchObject(required);
    expect(usesIn(state).map(([, id]) => id)).toEqual(['net-1', 'net-3', 'net-4']);
    const raised = { ...incrementOf('inc-1'), amountMinor: 1n, billAmountMinor: 1n };
    expect(respondTo(state, raised)).toMatchObject(required);
    respondTo(state, {
      kind: 'reversal',
      messageId: 'rev-1',
      reversed: { purchase: { externalTransactionId: 'net-4' }, incrementId: undefined },
      part: { billAmountMinor: 1n, amountMinor: null, currency: null },
      timedOut: false,
      content: raised.content,
    });
    expect(respondTo(state, { ...raised, messageId: 'inc-2' })).toMatchObject({ approved: true });
    expect(respondTo(state, { ...raised, messageId: 'inc-3' })).toMatchObject(required);
  });

  test('is used up by an approval alone, also where the program requires none', () => {
    const state = stateWith(null);
    respondTo(state, bought('net-1', { expiry: '2020-01' }));
    expect(usesIn(state)).toEqual([]);
    expect(respondTo(state, bought('net-2'))).toMatchObject({ approved: true });
    expect(usesIn(state)).toEqual([['own', 'net-2']]);
  });

  test('is used up by an advice, which needs none', () => {
    const state = stateWith(100n);
    const standIn = { approved: true, approvalCode: undefined, reason: undefined };
    for (const id of ['net-1', 'net-2'])
      expect(
        respondTo(state, { ...bought(id), kind: 'advice', standIn, merchantDecision: undefined }),
      ).toMatchObject({ approved: true });
    expect(usesIn(state)).toEqual([['own', 'net-1']]);
  });

  test('that the decision request named and another purchase took meanwhile does not count', () => {
    const state = stateWith(100n);
    state.setting.program = someProgram({ authorizationMode: 'BOTH', requireAuthenticationAboveMinor: 100n });
    const needed = decisionNeeded(applyMessage(state, bought('net-1'), undefined));
    expect(needed.request.data['authentication']).toEqual({
      authentication_id: 'own',
      eci: null,
      authenticated: true,
    });
    expect(usesIn(state)).toEqual([]);
    const merchantDecision = approvalOf(needed);
    expect(respondTo(state, bought('net-2', { merchantDecision }))).toMatchObject({ approved: true });
    // The merchant approves a part below the amount of the program: the requested amount decides.
    const part = {
      ...merchantDecision,
      response: { ...merchantDecision.response, approvedMinor: 50n },
    };
    expect(respondTo(state, bought('net-1', { merchantDecision: part }))).toMatchObject({
      declineReason: 'authentication_required',
      billAmountMinor: 300n,
    });
  });

  test('that the merchant relied on is required, also where the program requires none', () => {
    const state = stateWith(null);
    state.setting.program = someProgram({ authorizationMode: 'REAL_TIME' });
    const merchantDecision = approvalOf(decisionNeeded(applyMessage(state, bought('net-1'), undefined)));
    const failed: MerchantDecision = {
      ...merchantDecision,
      response: withoutResponse('timeout', 1),
      rule: { onFailure: 'STANDARD', standIn: null },
    };
    respondTo(state, bought('net-2', { merchantDecision }));
    expect(usesIn(state)).toEqual([['own', 'net-2']]);
    expect(respondTo(state, bought('net-1', { merchantDecision }))).toMatchObject({
      declineReason: 'authentication_required',
    });
    expect(respondTo(state, bought('net-3', { merchantDecision: failed }))).toMatchObject({
      approved: true,
    });
  });

  test('is not used up by an account check', () => {
    const state = stateWith(100n);
    const zero = { amountMinor: 0n, billAmountMinor: 0n };
    expect(respondTo(state, bought('net-1', zero))).toMatchObject({ approved: true });
    expect(usesIn(state)).toEqual([]);
  });
});
