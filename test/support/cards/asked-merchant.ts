import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert';
import type { Effects } from '../../../src/authorizations/core/effects.ts';
import type { Asked } from '../../../src/authorizations/core/message.ts';
import { type Ask, isAsk } from '../../../src/authorizations/core/question.ts';
import { availableOf, decimal } from '../../model/card.ts';
import type { Answer, Authorization, Increment } from '../../model/messages.ts';
import { predict } from '../../model/predict.ts';
import type { World } from './purchase-life.ts';

/** How a merchant answers if it is asked, and what happens before its answer is used. */
export interface Merchant extends Pick<Answer, 'outcome' | 'onFailure' | 'standIn'> {
  /** Of the amount that it is asked for, where it may approve a part. */
  thousandths?: bigint | undefined;
  reason?: string | undefined;
  meanwhile?: ((world: World) => void) | undefined;
}

export const APPROVES: Merchant = { outcome: 'approved', onFailure: 'DECLINE', standIn: null };

/** The contract's section 9, without what the engine adds: the customer's id and the time limit. */
const FIELDS = [
  ...['external_transaction_id', 'card_id', 'type', 'amount', 'currency', 'bill_amount', 'bill_currency'],
  ...[
    'fx_fee',
    'atm_fee',
    'hold_amount',
    'channel',
    'merchant',
    'partial_approval_allowed',
    'authentication',
  ],
  'available_credit',
];

/**
 * Decides as the engine does: where the rules ask, the merchant answers, other messages may come first, and the rules
 * decide again. Both must agree with the model.
 */
export function decideWith(
  world: World,
  merchant: Merchant,
  message: Authorization | Increment,
  apply: (asked?: Asked) => Effects<unknown> | Ask,
): { message: Authorization | Increment; effects: Effects<unknown> } {
  const before = structuredClone(inputsOf(world));
  const first = apply();
  if (!isAsk(first)) {
    const isAdvice = message.kind === 'authorization' && message.standIn !== undefined;
    expectDecision(first, isAdvice ? 'network' : 'emboss');
    noteUnasked(world, message);
    return { message, effects: first };
  }
  deepEqual(inputsOf(world), before);
  const { ask } = first;
  expectQuestion(world, message, ask);
  const repeated = apply();
  equal(isAsk(repeated) && repeated.ask.question.eventId, ask.question.eventId);
  const asking = `${message.kind} ${message.id}`;
  equal(world.questions.get(ask.question.eventId) ?? asking, asking);
  world.questions.set(ask.question.eventId, asking);
  merchant.meanwhile?.(world);
  const { asked, answer } = answerTo(ask, merchant);
  const effects = apply(asked);
  if (isAsk(effects)) throw new Error('the merchant is asked twice');
  const isAnswered = answer.outcome === 'approved' || answer.outcome === 'declined';
  expectDecision(effects, isAnswered ? 'merchant' : 'stand_in', answer.outcome);
  if (!merchant.meanwhile && answer.outcome === 'approved' && answer.approvedMinor === undefined)
    expectAsAsked(ask, effects);
  note(world, message, answer, effects);
  return { message: { ...message, answer }, effects };
}

/** What the rules get of the world; they must not change it. */
const inputsOf = ({ card, program, purchases, current }: World) => [card, program, purchases.get(current)];

function answerTo(
  { mode, authenticated, question }: Ask['ask'],
  merchant: Merchant,
): { asked: Asked; answer: Answer } {
  const { outcome, thousandths, reason, onFailure, standIn } = merchant;
  const { amountMinor, partialAllowed } = question;
  const part = thousandths === undefined ? amountMinor : (amountMinor * thousandths) / 1_000n;
  const approvedMinor =
    outcome === 'approved' && partialAllowed && part > 0n && part < amountMinor ? part : undefined;
  const limits = standIn && {
    transactionLimitMinor: standIn.transactionLimit,
    dailyLimitMinor: standIn.dailyLimit,
  };
  const said = { durationMs: 1, approvedMinor, reason: reason ?? null, reference: null, metadata: null };
  return {
    asked: {
      mode,
      amountMinor,
      authenticated,
      answer: { outcome, ...said },
      rule: { onFailure, standIn: limits },
    },
    answer: {
      mode,
      askedMinor: amountMinor,
      authenticated,
      outcome,
      onFailure,
      standIn,
      ...(approvedMinor !== undefined && { approvedMinor }),
      ...(reason !== undefined && { reason }),
    },
  };
}

/** The model asks too, for the same money, and the question has no field but those of the contract. */
function expectQuestion(
  world: World,
  message: Authorization | Increment,
  { mode, cardId, question }: Ask['ask'],
): void {
  const { expected } = predict(world.model, message, world.nowMs);
  if (!('asks' in expected))
    throw new Error(`the merchant is asked, and the model says ${JSON.stringify(expected)}`);
  const { asks } = expected;
  const { data } = question;
  const isIncrement = message.kind === 'increment';
  deepEqual(
    {
      mode,
      fields: Object.keys(data).sort(),
      card: [cardId, data['card_id']],
      ids: [data['external_transaction_id'], data['increment_id']],
      asked: [question.amountMinor, question.currency, question.partialAllowed],
      partial: data['partial_approval_allowed'],
      bill: [data['bill_amount'], data['bill_currency']],
      fees: [data['fx_fee'], data['atm_fee']],
      hold: data['hold_amount'],
      authenticated: (data['authentication'] as { authenticated: boolean } | null)?.authenticated ?? null,
      available: data['available_credit'],
    },
    {
      mode: asks.mode,
      fields: [...FIELDS, ...(isIncrement ? ['increment_id'] : [])].sort(),
      card: [world.card.cardId, world.card.cardId],
      ids: isIncrement ? [message.purchaseId, message.id] : [message.id, undefined],
      asked: [asks.billMinor, 'EUR', !isIncrement && message.partial === true],
      partial: !isIncrement && message.partial === true,
      bill: [decimal(asks.billMinor), 'EUR'],
      fees: [decimal(asks.fxMinor), decimal(asks.atmMinor)],
      hold: decimal(asks.holdMinor),
      authenticated: asks.authenticated,
      available: decimal(availableOf(world.model)),
    },
  );
  const { numberId, lastFour, credentialId } = world.card;
  const text = JSON.stringify(data);
  deepEqual(
    [numberId, lastFour, credentialId].filter((secret) => text.includes(secret)),
    [],
  );
}

function expectDecision({ event }: Effects<unknown>, source: string, outcome?: string): void {
  const decision = event?.data['decision'] as { source: string; outcome: string };
  equal(decision.source, source);
  if (outcome) equal(decision.outcome, outcome);
}

/** A merchant that approves holds what it was asked for, unless we decline. */
function expectAsAsked({ question: { data } }: Ask['ask'], { event, response }: Effects<unknown>): void {
  const { approved } = response as { approved: boolean };
  const fields = ['bill_amount', 'fx_fee', 'atm_fee'];
  if (!approved || !event)
    throw new Error('declined, although nothing happened after the guards let it pass');
  deepEqual(
    fields.map((field) => event.data[field]),
    fields.map((field) => data[field]),
  );
}

/** What the merchant is never asked for. */
function noteUnasked({ seen, program }: World, message: Authorization | Increment): void {
  if (message.kind === 'increment' || program.authorizationMode === 'STANDARD') return;
  if (message.standIn) seen.add('not asked: an advice');
  else if (message.type === 'BALANCE_INQUIRY') seen.add('not asked: a balance inquiry');
  else if (message.billMinor === 0n) seen.add('not asked: an account check');
}

function note(
  { seen, program }: World,
  { kind }: Authorization | Increment,
  { outcome, onFailure, approvedMinor, mode }: Answer,
  { response }: Effects<unknown>,
): void {
  const { approved, decline_reason: reason } = response as { approved: boolean; decline_reason: string };
  const isAnswered = outcome === 'approved' || outcome === 'declined';
  const end = approved
    ? 'approved'
    : /^(program_(?!balance)|decision_)/.test(reason)
      ? 'declined'
      : 'declined by us';
  seen.add(`${kind} asked in ${mode}`);
  seen.add(`${kind}: ${isAnswered ? outcome : `failed, ${onFailure}`}: ${end}`);
  if (!isAnswered) seen.add(`failed by ${outcome}`);
  if (approvedMinor !== undefined && approved) seen.add('the merchant approves a part');
  if (program.authorizationMode !== mode) seen.add(`${kind} decided in another mode than the program's`);
}
