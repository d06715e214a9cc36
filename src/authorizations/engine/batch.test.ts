import { expect, test } from 'vitest';
import {
  CARD_ID,
  NOW_MS,
  someCard,
  someProgram,
  someRequest,
  TODAY,
} from '../../../test/support/cards/authorization-facts.ts';
import { withoutAnswer } from '../../decisions/decision.ts';
import type { IncrementRequest } from '../rules/message.ts';
import { type Ask, isAsk } from '../rules/question.ts';
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
const answerTo = ({ ask: { mode, question } }: Ask) => ({
  mode,
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
