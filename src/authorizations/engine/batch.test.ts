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
import { withoutAnswer } from '../../decisions/decision.ts';
import type { Asked, AuthorizationRequest, IncrementRequest } from '../core/message.ts';
import { type Ask, isAsk } from '../core/question.ts';
import { applyMessage, type BatchState } from './batch.ts';

const stateIn = (authorizationMode: 'STANDARD' | 'REAL_TIME' | 'BOTH'): BatchState => ({
  setting: { program: someProgram({ authorizationMode }), nowMs: NOW_MS, today: TODAY },
  cards: new Map([[CARD_ID, someCard()]]),
  transactions: new Map(),
  missing: new Set(),
  messages: new Map(),
  presentments: new Map(),
  authentications: new Map(),
  masterMinor: undefined,
  alertSent: false,
  changed: {
    cards: new Set(),
    newTransactions: new Set(),
    transactions: new Set(),
    newMessages: new Set(),
    filledMessages: new Set(),
    newPresentments: new Set(),
    presentments: new Set(),
    authentications: new Set(),
    blocked: new Map(),
    events: [],
    transfers: [],
  },
});
const answerTo = ({ ask: { mode, authenticated, question } }: Ask) => ({
  mode,
  authenticated,
  amountMinor: question.amountMinor,
  answer: withoutAnswer('approved', 1),
  rule: { onFailure: 'DECLINE', standIn: null } as const,
});
const incrementOf = (messageId: string): IncrementRequest => ({
  kind: 'increment',
  messageId,
  purchase: { externalTransactionId: 'net-1' },
  amountMinor: 500n,
  currency: 'EUR',
  billAmountMinor: 500n,
  content: { digest: Buffer.alloc(32), matches: () => true },
});

test.each(['REAL_TIME', 'BOTH'] as const)(
  '%s: a question leaves the batch as it was, a repeat is not asked again, and an increment is',
  (mode) => {
    const state = stateIn(mode);
    for (const message of [someRequest(), incrementOf('inc-1')]) {
      const before = structuredClone(state);
      const asks = applyMessage(state, message, undefined);
      if (!isAsk(asks)) throw new Error('the merchant is not asked');
      expect(structuredClone(state)).toEqual(before);
      const response = applyMessage(state, { ...message, asked: answerTo(asks) }, undefined);
      expect(response).toMatchObject({ approved: true });
      const after = structuredClone(state);
      expect(applyMessage(state, message, undefined)).toEqual(response);
      expect(structuredClone(state)).toEqual(after);
    }
    expect(state.changed.events.map(({ eventName }) => eventName)).toEqual([
      'authorization',
      'authorization.increment',
    ]);
    expect(state.cards.get(CARD_ID)?.availableMinor).toBe(mode === 'BOTH' ? 98_500n : 100_000n);
  },
);

test('a purchase keeps its mode when the program changes its own: an increment is still asked for', () => {
  const state = stateIn('REAL_TIME');
  const asks = applyMessage(state, someRequest(), undefined);
  applyMessage(state, someRequest({ asked: answerTo(asks as Ask) }), undefined);
  state.setting = { ...state.setting, program: someProgram({ authorizationMode: 'STANDARD' }) };
  expect(applyMessage(state, incrementOf('inc-1'), undefined)).toMatchObject({ ask: { mode: 'REAL_TIME' } });
  expect(applyMessage(state, someRequest({ messageId: 'net-2' }), undefined)).toMatchObject({
    approved: true,
  });
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
  const usesIn = ({ changed, authentications }: BatchState) =>
    [...changed.authentications].map((id) => [id, authentications.get(id)?.usedBy]);

  test('counts for the first of two in one batch, and a repeat changes nothing', () => {
    const state = stateWith(100n);
    const first = applyMessage(state, bought('net-1'), undefined);
    expect(first).toMatchObject({ approved: true });
    const second = applyMessage(state, bought('net-2'), undefined);
    expect(second).toMatchObject({ decline_reason: 'authentication_required', decline_code: '1A' });
    expect(applyMessage(state, bought('net-1'), undefined)).toEqual(first);
    expect(applyMessage(state, bought('net-2'), undefined)).toEqual(second);
    expect(usesIn(state)).toEqual([['own', 'net-1']]);
    expect(state.changed.events.map(({ data }) => data['authentication'])).toEqual([
      { authentication_id: 'own', eci: null, authenticated: true, reason: null },
      { authentication_id: 'own', eci: null, authenticated: false, reason: 'already_used' },
    ]);
  });

  test('is used up by an approval alone, also where the program requires none', () => {
    const state = stateWith(null);
    applyMessage(state, bought('net-1', { expiry: '2020-01' }), undefined);
    expect(usesIn(state)).toEqual([]);
    expect(applyMessage(state, bought('net-2'), undefined)).toMatchObject({ approved: true });
    expect(usesIn(state)).toEqual([['own', 'net-2']]);
  });

  test('is used up by an advice, which needs none', () => {
    const state = stateWith(100n);
    const standIn = { approved: true, approvalCode: undefined, reason: undefined };
    for (const id of ['net-1', 'net-2'])
      expect(applyMessage(state, bought(id, { standIn }), undefined)).toMatchObject({ approved: true });
    expect(usesIn(state)).toEqual([['own', 'net-1']]);
  });

  test('that the merchant was asked for and another purchase took meanwhile does not count', () => {
    const state = stateWith(100n);
    state.setting.program = someProgram({ authorizationMode: 'BOTH', requireAuthenticationAboveMinor: 100n });
    const asks = applyMessage(state, bought('net-1'), undefined);
    if (!isAsk(asks)) throw new Error('the merchant is not asked');
    expect(asks.ask.question.data['authentication']).toEqual({
      authentication_id: 'own',
      eci: null,
      authenticated: true,
    });
    expect(usesIn(state)).toEqual([]);
    const asked = answerTo(asks);
    expect(applyMessage(state, bought('net-2', { asked }), undefined)).toMatchObject({ approved: true });
    // The merchant approves a part below the amount of the program: the requested amount decides.
    const part = { ...asked, answer: { ...asked.answer, approvedMinor: 50n } };
    expect(applyMessage(state, bought('net-1', { asked: part }), undefined)).toMatchObject({
      decline_reason: 'authentication_required',
      bill_amount: '3.00',
    });
  });

  test('that the merchant relied on is required, also where the program requires none', () => {
    const state = stateWith(null);
    state.setting.program = someProgram({ authorizationMode: 'REAL_TIME' });
    const asked = answerTo(applyMessage(state, bought('net-1'), undefined) as Ask);
    const failed = {
      ...asked,
      answer: withoutAnswer('timeout', 1),
      rule: { onFailure: 'STANDARD', standIn: null },
    };
    applyMessage(state, bought('net-2', { asked }), undefined);
    expect(usesIn(state)).toEqual([['own', 'net-2']]);
    expect(applyMessage(state, bought('net-1', { asked }), undefined)).toMatchObject({
      decline_reason: 'authentication_required',
    });
    expect(applyMessage(state, bought('net-3', { asked: failed as Asked }), undefined)).toMatchObject({
      approved: true,
    });
  });

  test('is not used up by an account check', () => {
    const state = stateWith(100n);
    const zero = { amountMinor: 0n, billAmountMinor: 0n };
    expect(applyMessage(state, bought('net-1', zero), undefined)).toMatchObject({ approved: true });
    expect(usesIn(state)).toEqual([]);
  });
});
