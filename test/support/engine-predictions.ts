import type { Authorization, Clearing, Message, Refund, Reversal } from './engine-messages.ts';
import {
  approvedIn,
  availableOf,
  clearedMinor,
  dayOf,
  decimal,
  feesOn,
  holdOf,
  type Limits,
  type ModelCard,
  type ModelPurchase,
  newPurchase,
  statusWith,
} from './engine-model.ts';

/** Fields that the answer must have, or the field that its refusal must name. */
export type Expected = { answer: Record<string, unknown> } | { refusedFor: string };

/** What the message would be answered now, and what it would do. */
export interface Prediction {
  expected: Expected;
  /** Whether an event tells of it. */
  tells: boolean;
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

const refused = (field: string): Prediction => ({
  expected: { refusedFor: field },
  tells: false,
  apply: () => {},
});

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
  ['already_reversed', '12', '12', ({ card, message }) => card.reversedEarly.has(message.id)],
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
  const wanted = newPurchase(card.terms, message, message.channel, nowMs);
  wanted.heldMinor = message.billMinor;
  if (clearedFirst) takeOver(wanted, clearedFirst);
  const attempt = { card, message, today, holdMinor: holdOf(wanted) + wanted.lateFeeMinor };
  const hit = TABLE.find(([, , , applies]) => applies(attempt));
  const [reason = null, code = null, usualCode] = hit ?? [];
  const networkCode = reason === 'card_blocked' ? blockCode(card.blockReason) : usualCode;
  const status = hit ? 'DECLINED' : statusWith(wanted, wanted.heldMinor);
  const answer = {
    approved: !hit,
    status,
    decline_reason: reason,
    decline_code: code,
    bill_amount: decimal(message.billMinor),
    ...(networkCode && { network_code: networkCode }),
  };
  const apply = (): void => {
    noteEntries(card, message, reason, nowMs);
    const approved = hit ? null : { day: today, minor: message.billMinor };
    // Money that has cleared is spent, whatever its late authorization is told.
    const settled =
      hit && clearedFirst ? { ...clearedFirst, fxBps: wanted.fxBps, atmMinor: wanted.atmMinor } : undefined;
    const made = settled ?? { ...wanted, status, ...(hit && { heldMinor: 0n }) };
    card.purchases.set(message.id, { ...made, approved, declineReason: reason });
  };
  return { expected: { answer }, tells: true, apply };
}

/** What has cleared is not held again, after a final clearing nothing is; cash pays its fee, now that it is known. */
function takeOver(wanted: ModelPurchase, cleared: ModelPurchase): void {
  const { createdMs, final } = cleared;
  const rest = wanted.askedMinor - clearedMinor(cleared);
  const heldMinor = final || rest < 0n ? 0n : rest;
  const lateFeeMinor = clearedMinor(cleared) > 0n ? wanted.atmMinor : 0n;
  Object.assign(wanted, { createdMs, final, heldMinor, lateFeeMinor, cleared: cleared.cleared });
}

/** Every wrong expiry date and CVV is noted; a decline before the CVV's turn says nothing about it. */
function noteEntries(card: ModelCard, { cvv }: Authorization, reason: string | null, nowMs: number): void {
  if (reason === 'expiry_mismatch' || reason === 'cvv_mismatch') card.wrongEntriesMs.push(nowMs);
  const turn = TABLE.findIndex(([name]) => name === 'cvv_mismatch');
  const looked = reason === null || TABLE.findIndex(([name]) => name === reason) >= turn;
  if (cvv === undefined || !looked) return;
  card.wrongCvvs = cvv === card.cvv ? 0 : card.wrongCvvs + 1;
}

/** The reason for which the card must be blocked now, as the contract's last sentences of section 4 have it. */
export function blockDue({ status, wrongCvvs, wrongEntriesMs }: ModelCard): string | undefined {
  if (status === 'BLOCKED') return undefined;
  if (wrongCvvs >= 3) return 'fraud suspected: cvv attempts';
  return lastDay(wrongEntriesMs).length >= 10 ? 'fraud suspected: guessing' : undefined;
}

/** Those within 24 hours before the last one. */
export const lastDay = (timesMs: readonly number[]): number[] =>
  timesMs.filter((atMs) => atMs >= (timesMs.at(-1) as number) - 86_400_000);

/** Gives back what is held; what is open no longer counts in the limits, held or not. */
function predictReversal(card: ModelCard, { purchaseId, billMinor }: Reversal): Prediction {
  const purchase = card.purchases.get(purchaseId);
  if (!purchase)
    return {
      expected: { answer: { transaction_id: null, status: 'VOID', bill_amount: decimal(0n) } },
      tells: false,
      apply: () => card.reversedEarly.add(purchaseId),
    };
  const { approved, heldMinor, reversedMinor } = purchase;
  const left = approved ? approved.minor - clearedMinor(purchase) - reversedMinor : 0n;
  const open = left > 0n ? left : 0n;
  const uncounted = least(billMinor ?? open, open);
  const released = least(uncounted, heldMinor);
  const status = released === 0n ? purchase.status : statusWith(purchase, heldMinor - released);
  return {
    expected: { answer: { status, bill_amount: decimal(released) } },
    tells: uncounted > 0n,
    apply: () => {
      purchase.heldMinor -= released;
      purchase.reversedMinor += uncounted;
      purchase.status = status;
    },
  };
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function predictClearing(card: ModelCard, message: Clearing, nowMs: number): Prediction {
  const { purchaseId, billMinor } = message;
  const known = card.purchases.get(purchaseId);
  if (!known && message.number === undefined) return refused('card_number');
  const purchase = known ?? newPurchase(card.terms, message, null, nowMs);
  if (!known && card.reversedEarly.has(purchaseId)) purchase.declineReason = 'already_reversed';
  const rest = purchase.heldMinor - billMinor;
  const heldMinor = message.final || rest < 0n ? 0n : rest;
  const status = heldMinor > 0n ? 'PENDING' : 'CLEARED';
  return {
    expected: { answer: { status, bill_amount: decimal(billMinor) } },
    tells: true,
    apply: () => {
      purchase.cleared = [...purchase.cleared, { billMinor, ...feesOn(purchase, billMinor) }];
      purchase.heldMinor = heldMinor;
      purchase.status = status;
      purchase.final ||= message.final;
      card.purchases.set(purchaseId, purchase);
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
    external_transaction_id: purchaseId ?? null,
  };
  return { expected: { answer }, tells: true, apply: () => card.refunds.set(message.id, billMinor) };
}
