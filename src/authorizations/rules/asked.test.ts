import { expect, test } from 'vitest';
import {
  NOW_MS,
  someCard,
  someProgram,
  someRequest,
  TODAY,
} from '../../../test/support/cards/authorization-facts.ts';
import { type DecisionOutcome, withoutAnswer } from '../../decisions/decision.ts';
import { applyAuthorization } from './apply-authorization.ts';
import type { Effects } from './effects.ts';
import type { Asked } from './merchant-decision.ts';
import { type Ask, isAsk } from './question.ts';
import type { TransactionRecord } from './transaction.ts';

/** What the rules make of a message for which the merchant is or was asked. */

const asked = (outcome: DecisionOutcome, approvedMinor?: bigint): Asked => ({
  mode: 'REAL_TIME',
  amountMinor: 1_000n,
  answer: { ...withoutAnswer(outcome, 41), approvedMinor },
  rule: { onFailure: 'STANDARD', standIn: null },
});
const program = someProgram({ authorizationMode: 'REAL_TIME', atmFeeMinor: 150n });
const setting = { program, nowMs: NOW_MS, today: TODAY };
const factsOf = (card = someCard(), cleared?: TransactionRecord) => ({
  card,
  cvvMatches: undefined,
  masterMinor: undefined,
  reversed: false,
  cleared,
});
function decided<Response>(result: Effects<Response> | Ask): Effects<Response> {
  if (isAsk(result)) throw new Error('the merchant must be asked');
  return result;
}

test('we decline after the merchant has approved a part: the transaction shows what was requested', () => {
  const request = someRequest({ partialApproval: true, asked: asked('approved', 300n) });
  const { response, transaction } = decided(
    applyAuthorization(request, factsOf(someCard({ status: 'FROZEN' })), setting),
  );
  expect(response).toMatchObject({ decline_reason: 'card_frozen', bill_amount: '10.00' });
  expect(transaction).toMatchObject({ status: 'DECLINED', billAmountMinor: 1_000n, amountMinor: 1_000n });
});
