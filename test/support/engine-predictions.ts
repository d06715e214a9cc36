import type { Authorization, Clearing, Message, Refund, Reversal } from './engine-messages.ts';
import {
  approvedIn,
  availableOf,
  dayOf,
  decimal,
  feesOn,
  holdOf,
  type Limits,
  type ModelCard,
  newPurchase,
  statusWith,
} from './engine-model.ts';

/** Fields that the answer must have, or the field that its refusal must name. */
export type Expected = { answer: Record<string, unknown> } | { refusedFor: string };

/** What the message would be answered now, and what it would do. */
export interface Prediction {
  expected: Expected;
  apply(): void;
}

export function predict(card: ModelCard, message: Message, nowMs: number): Prediction {
  switch (message.kind) {
    case 'authorization':
      return predictAuthorization(card, message, nowMs);
    case 'reversal':
      return predictReversal(card, message);
    case 'clearing':
      return predictClearing(card, message, nowMs);
    case 'refund':
      return predictRefund(card, message);
  }
}

const refused = (field: string): Prediction => ({ expected: { refusedFor: field }, apply: () => {} });

interface Attempt {
  card: ModelCard;
  message: Authorization;
  today: string;
  holdMinor: bigint;
}

const exceeds = (limit: bigint | null, spentMinor: bigint, { message }: Attempt): boolean =>
  limit !== null && message.billMinor > 0n && spentMinor + message.billMinor > limit;

/** The contract's table of section 4, first hit wins; the master account is not modelled. */
const TABLE: ReadonlyArray<
  readonly [reason: string, code: string, networkCode: string, applies: (attempt: Attempt) => boolean]
> = [
  ['invalid_card_number', '14', '14', ({ card, message }) => message.number !== card.number],
  ['card_blocked', 'R8', '62', ({ card }) => card.status === 'BLOCKED'],
  ['card_frozen', 'R1', '62', ({ card }) => card.status === 'FROZEN'],
  ['card_expired', '54', '54', ({ card, today }) => today > card.expiryDate],
  ['expiry_mismatch', '54', '54', ({ card, message }) => !card.expiryDate.startsWith(`${message.expiry}-`)],
  ['cvv_mismatch', 'N7', 'N7', ({ card, message }) => message.cvv !== undefined && message.cvv !== card.cvv],
  ['merchant_category_not_allowed', 'R19', '57', ({ card, message }) => !mayBuyAt(card.limits, message.mcc)],
  ['transaction_limit', 'R7', '61', (a) => exceeds(a.card.limits.transactionLimit, 0n, a)],
  ['daily_limit', 'R6', '61', (a) => exceeds(a.card.limits.dailyLimit, approvedIn(a.card, a.today), a)],
  [
    'card_limit',
    'R13',
    '61',
    (a) =>
      exceeds(a.card.limits.monthlyLimit, approvedIn(a.card, a.today.slice(0, 7)), a) ||
      exceeds(a.card.limits.allTimeLimit, approvedIn(a.card, ''), a),
  ],
  [
    'insufficient_funds',
    '51',
    '51',
    ({ card, holdMinor }) => holdMinor > 0n && holdMinor > availableOf(card),
  ],
  [
    'already_reversed',
    '12',
    '12',
    ({ card, message }) => card.reversedEarly.has(message.id) && !card.purchases.has(message.id),
  ],
];

const mayBuyAt = ({ allowedMccs, blockedMccs }: Limits, mcc: string): boolean =>
  !blockedMccs.includes(mcc) && (allowedMccs.length === 0 || allowedMccs.includes(mcc));

function blockCode(reason: string): string {
  const words: Array<[string, string]> = [
    ['fraud', '59'],
    ['lost', '41'],
    ['stolen', '43'],
  ];
  return words.find(([word]) => reason.toLowerCase().includes(word))?.[1] ?? '62';
}

function predictAuthorization(card: ModelCard, message: Authorization, nowMs: number): Prediction {
  const today = dayOf(nowMs);
  const clearedFirst = card.purchases.get(message.id);
  const purchase = clearedFirst ?? newPurchase(card.terms, message, message.channel, nowMs);
  if (!clearedFirst) purchase.heldMinor = message.billMinor;
  const attempt = { card, message, today, holdMinor: clearedFirst ? 0n : holdOf(purchase) };
  const hit = TABLE.find(([, , , applies]) => applies(attempt));
  const [reason = null, code = null, usualCode] = hit ?? [];
  const networkCode = reason === 'card_blocked' ? blockCode(card.blockReason) : usualCode;
  if (!clearedFirst) purchase.status = hit ? 'DECLINED' : message.billMinor === 0n ? 'VOID' : 'PENDING';
  const answer = {
    approved: !hit,
    status: hit ? 'DECLINED' : purchase.status,
    decline_reason: reason,
    decline_code: code,
    bill_amount: decimal(message.billMinor),
    ...(networkCode && { network_code: networkCode }),
  };
  const apply = (): void => {
    countCvv(card, message, reason);
    if (hit && !clearedFirst) purchase.heldMinor = 0n;
    purchase.declineReason = reason;
    purchase.approved = hit ? null : { day: today, minor: message.billMinor };
    card.purchases.set(message.id, purchase);
  };
  return { expected: { answer }, apply };
}

/** Three wrong ones in a row block the card; a decline before the CVV's turn says nothing about it. */
function countCvv(card: ModelCard, { cvv }: Authorization, reason: string | null): void {
  const turn = TABLE.findIndex(([name]) => name === 'cvv_mismatch');
  const looked = reason === null || TABLE.findIndex(([name]) => name === reason) >= turn;
  if (cvv === undefined || !looked) return;
  card.wrongCvvs = cvv === card.cvv ? 0 : card.wrongCvvs + 1;
}

function predictReversal(card: ModelCard, { purchaseId, billMinor }: Reversal): Prediction {
  const purchase = card.purchases.get(purchaseId);
  if (!purchase)
    return {
      expected: { answer: { transaction_id: null, status: 'VOID', bill_amount: decimal(billMinor ?? 0n) } },
      apply: () => card.reversedEarly.add(purchaseId),
    };
  const asked = billMinor ?? purchase.heldMinor;
  if (asked > purchase.askedMinor) return refused('bill_amount');
  const released = asked < purchase.heldMinor ? asked : purchase.heldMinor;
  const status = released === 0n ? purchase.status : statusWith(purchase, purchase.heldMinor - released);
  return {
    expected: { answer: { status, bill_amount: decimal(released) } },
    apply: () => {
      purchase.heldMinor -= released;
      purchase.reversedMinor += released;
      purchase.status = status;
    },
  };
}

function predictClearing(card: ModelCard, message: Clearing, nowMs: number): Prediction {
  const known = card.purchases.get(message.purchaseId);
  if (!known && message.number === undefined) return refused('card_number');
  const purchase = known ?? newPurchase(card.terms, message, null, nowMs);
  const rest = purchase.heldMinor - message.billMinor;
  const heldMinor = message.final || rest < 0n ? 0n : rest;
  const status = heldMinor > 0n ? 'PENDING' : 'CLEARED';
  return {
    expected: { answer: { status, bill_amount: decimal(message.billMinor) } },
    apply: () => {
      purchase.cleared.push({ billMinor: message.billMinor, ...feesOn(purchase, message.billMinor) });
      purchase.heldMinor = heldMinor;
      purchase.status = status;
      card.purchases.set(message.purchaseId, purchase);
    },
  };
}

function predictRefund(card: ModelCard, message: Refund): Prediction {
  const { purchaseId, number, billMinor } = message;
  const hasParent = purchaseId !== undefined && card.purchases.has(purchaseId);
  if (!hasParent && number === undefined) return refused('card_number');
  const answer = {
    status: 'CLEARED',
    bill_amount: decimal(billMinor),
    external_transaction_id: hasParent ? purchaseId : null,
  };
  return { expected: { answer }, apply: () => card.refunds.set(message.id, billMinor) };
}
