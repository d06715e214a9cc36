import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert';
import { type DecisionNeeded, isDecisionNeeded } from '../../../src/authorizations/core/decision-request.ts';
import type { MerchantDecision } from '../../../src/authorizations/core/message.ts';
import type { DecidedResponse } from '../../../src/authorizations/core/response.ts';
import {
  type AuthorizationDecisionRequest,
  type BalanceDecisionRequest,
  type OnFailure,
  withoutResponse,
} from '../../../src/decisions/decision.ts';
import { availableOf, decimal } from '../../model/card.ts';
import type { Answer, Authorization, Increment } from '../../model/messages.ts';
import { predict } from '../../model/predict.ts';
import { type Applied, cardIn, purchaseIn, type submit, type World } from './world.ts';

type Result = ReturnType<typeof submit>;

/** How a merchant decides, and what happens before its decision is used. */
export interface Merchant extends Pick<Answer, 'outcome' | 'standIn'> {
  onFailure: OnFailure;
  /** Of the requested amount, where it may approve a part. */
  thousandths?: bigint | undefined;
  reason?: string | undefined;
  meanwhile?: ((world: World) => void) | undefined;
}

export const APPROVES: Merchant = { outcome: 'approved', onFailure: 'DECLINE', standIn: null };

/** The contract's section 9, without what the engine adds: the customer's id and the time limit. */
const FIELDS = [
  ...[
    'external_transaction_id',
    'card_id',
    'card_metadata',
    'type',
    'amount',
    'currency',
    'bill_amount',
    'bill_currency',
  ],
  ...[
    'fx_fee',
    'atm_fee',
    'hold_amount',
    'channel',
    'merchant',
    'network',
    'rules',
    'partial_approval_allowed',
    'authentication',
  ],
  'available_credit',
];

/**
 * Decides as the engine does: if a decision is needed, the merchant decides, other messages may come first, and the message
 * is applied again. Both must agree with the model.
 */
export function decideWith(
  world: World,
  merchant: Merchant,
  message: Authorization | Increment,
  apply: (merchantDecision?: MerchantDecision) => Result,
): { message: Authorization | Increment; applied: Exclude<Result, DecisionNeeded> } {
  const before = structuredClone(inputsOf(world));
  const first = apply();
  if (!isDecisionNeeded(first)) {
    if (first.kind === 'applied') expectDecision(first, 'emboss');
    noteNotRequested(world, message);
    return { message, applied: first };
  }
  deepEqual(inputsOf(world), before);
  if (first.request.kind === 'balance') expectBalanceRequest(world, message, first, first.request);
  else expectRequest(world, message, first, first.request);
  const repeated = apply();
  const { eventId } = first.request;
  equal(isDecisionNeeded(repeated) && repeated.request.eventId, eventId);
  const subject = `${message.kind} ${message.id}`;
  equal(world.requests.get(eventId) ?? subject, subject);
  world.requests.set(eventId, subject);
  merchant.meanwhile?.(world);
  const { merchantDecision, answer } = decide(first, merchant);
  const applied = apply(merchantDecision);
  if (isDecisionNeeded(applied)) throw new Error('the decision is requested twice');
  // Meanwhile the purchase was advised, or is none any more.
  if (applied.kind === 'refused' || !applied.event) return { message: { ...message, answer }, applied };
  const isAnswered = answer.outcome === 'approved' || answer.outcome === 'declined';
  expectDecision(applied, isAnswered ? 'merchant' : 'stand_in', answer.outcome);
  if (first.request.kind === 'authorization' && !merchant.meanwhile)
    if (answer.outcome === 'approved' && answer.approvedMinor === undefined)
      expectAsRequested(first, applied);
  note(world, message, answer, applied);
  return { message: { ...message, answer }, applied };
}

/** What the core gets of the world; it must not change it. */
const inputsOf = (world: World) => [cardIn(world), world.program, purchaseIn(world)];

function decide(
  { mode, authenticated, request }: DecisionNeeded,
  merchant: Merchant,
): { merchantDecision: MerchantDecision; answer: Answer } {
  const { outcome, thousandths, reason, onFailure, standIn } = merchant;
  if (request.kind === 'balance') return showBalance(mode, merchant);
  const { amountMinor, partialAllowed } = request;
  const part = thousandths === undefined ? amountMinor : (amountMinor * thousandths) / 1_000n;
  const approvedMinor =
    outcome === 'approved' && partialAllowed && part > 0n && part < amountMinor ? part : undefined;
  const limits = standIn && {
    transactionLimitMinor: standIn.transactionLimit,
    dailyLimitMinor: standIn.dailyLimit,
  };
  const said = { durationMs: 1, approvedMinor, reason: reason ?? null, reference: null, metadata: null };
  return {
    merchantDecision: {
      mode,
      amountMinor,
      authenticated,
      response: { outcome, ...said },
      rule: { onFailure, standIn: limits },
    },
    answer: {
      mode,
      requestedMinor: amountMinor,
      authenticated,
      outcome,
      onFailure,
      standIn,
      ...(approvedMinor !== undefined && { approvedMinor }),
      ...(reason !== undefined && { reason }),
    },
  };
}

/** A merchant that would decline gives no balance. */
function showBalance(
  mode: DecisionNeeded['mode'],
  { outcome: given, thousandths }: Merchant,
): { merchantDecision: MerchantDecision; answer: Answer } {
  const outcome = given === 'declined' ? 'invalid' : given;
  const shown = outcome === 'approved' ? { availableMinor: (thousandths ?? 500n) - 500n } : {};
  const common = { mode, authenticated: false };
  return {
    merchantDecision: {
      ...common,
      amountMinor: 0n,
      response: { ...withoutResponse(outcome, 1), ...shown },
      rule: null,
    },
    answer: { ...common, requestedMinor: 0n, outcome, onFailure: null, standIn: null, ...shown },
  };
}

/** The model requests a decision too, for the same money, and the request has no field but those of the contract. */
function expectRequest(
  world: World,
  message: Authorization | Increment,
  { mode, cardId }: DecisionNeeded,
  request: AuthorizationDecisionRequest,
): void {
  const { expected } = predict(world.model, message, world.nowMs);
  if (!('request' in expected))
    throw new Error(`a decision is needed, and the model says ${JSON.stringify(expected)}`);
  const { request: wanted } = expected;
  const { data } = request;
  const isIncrement = message.kind === 'increment';
  equal(wanted.isBalance, false);
  deepEqual(
    {
      mode,
      fields: Object.keys(data).sort(),
      card: [cardId, data['card_id']],
      ids: [data['external_transaction_id'], data['increment_id']],
      requested: [request.amountMinor, request.currency, request.partialAllowed],
      partial: data['partial_approval_allowed'],
      bill: [data['bill_amount'], data['bill_currency']],
      fees: [data['fx_fee'], data['atm_fee']],
      hold: data['hold_amount'],
      authenticated: (data['authentication'] as { authenticated: boolean } | null)?.authenticated ?? null,
      available: data['available_credit'],
    },
    {
      mode: wanted.mode,
      fields: [...FIELDS, ...(isIncrement ? ['increment_id'] : [])].sort(),
      card: [cardIn(world).cardId, cardIn(world).cardId],
      ids: isIncrement ? [message.purchaseId, message.id] : [message.id, undefined],
      requested: [wanted.billMinor, 'EUR', !isIncrement && message.partial === true],
      partial: !isIncrement && message.partial === true,
      bill: [decimal(wanted.billMinor), 'EUR'],
      fees: [decimal(wanted.fxMinor), decimal(wanted.atmMinor)],
      hold: decimal(wanted.holdMinor),
      authenticated: wanted.authenticated,
      available: decimal(availableOf(world.model)),
    },
  );
  const { numberId, lastFour, credentialId } = cardIn(world);
  const text = JSON.stringify(data);
  deepEqual(
    [numberId, lastFour, credentialId].filter((secret) => text.includes(secret)),
    [],
  );
}

function expectBalanceRequest(
  world: World,
  message: Authorization | Increment,
  { mode, cardId }: DecisionNeeded,
  { currency, data }: BalanceDecisionRequest,
): void {
  const { expected } = predict(world.model, message, world.nowMs);
  equal('request' in expected && expected.request.isBalance, true);
  const {
    authentication: _authentication,
    channel: _channel,
    merchant: _merchant,
    network: _n,
    rules: _r,
    ...rest
  } = data;
  deepEqual(
    { mode, cardId, currency, ...rest },
    {
      mode: 'REAL_TIME',
      cardId: cardIn(world).cardId,
      currency: 'EUR',
      external_transaction_id: message.id,
      card_id: cardIn(world).cardId,
      card_metadata: {},
      type: 'BALANCE_INQUIRY',
      bill_currency: 'EUR',
      available_credit: decimal(availableOf(world.model)),
    },
  );
}

function expectDecision({ event }: Applied, source: string, outcome?: string): void {
  if (!event) return;
  const decision = event.data['decision'] as { source: string; outcome: string };
  equal(decision.source, source);
  if (outcome) equal(decision.outcome, outcome);
}

/** What a merchant approves is held as requested, unless we decline. */
function expectAsRequested({ request: { data } }: DecisionNeeded, { event, ...applied }: Applied): void {
  const response = applied.response as DecidedResponse;
  const fields = ['bill_amount', 'fx_fee', 'atm_fee'];
  if (!response.approved || !event)
    throw new Error('declined, although nothing happened after the guards let it pass');
  deepEqual(
    fields.map((field) => event.data[field]),
    fields.map((field) => data[field]),
  );
}

/** What never needs a decision. */
function noteNotRequested({ seen, program }: World, message: Authorization | Increment): void {
  if (message.kind === 'increment' || program.authorizationMode === 'STANDARD') return;
  if (message.type === 'BALANCE_INQUIRY')
    seen.add(`not requested: a balance inquiry in ${program.authorizationMode}`);
  else if (message.billMinor === 0n) seen.add('not requested: an account check');
}

function note(
  { seen, program }: World,
  { kind }: Authorization | Increment,
  { outcome, onFailure, approvedMinor, mode }: Answer,
  { response }: Applied,
): void {
  const { approved, declineReason } = response as DecidedResponse;
  const isAnswered = outcome === 'approved' || outcome === 'declined';
  if (onFailure === null) {
    seen.add(
      `balance requested in ${mode}: ${isAnswered ? 'answered' : 'failed'}${approved ? '' : ', declined by us'}`,
    );
    return;
  }
  const end = approved
    ? 'approved'
    : /^(program_(?!balance)|decision_)/.test(declineReason ?? '')
      ? 'declined'
      : 'declined by us';
  seen.add(`${kind} requested in ${mode}`);
  seen.add(`${kind}: ${isAnswered ? outcome : `failed, ${onFailure}`}: ${end}`);
  if (!isAnswered) seen.add(`failed by ${outcome}`);
  if (approvedMinor !== undefined && approved) seen.add('the merchant approves a part');
  if (program.authorizationMode !== mode) seen.add(`${kind} decided in another mode than the program's`);
}
