import {
  approvedIn,
  availableOf,
  clearedMinor,
  dayOf,
  decimal,
  feesOn,
  holdOf,
  isOutlived,
  type Limits,
  lastDay,
  least,
  type ModelCard,
  type ModelPurchase,
  newPurchase,
  orNone,
  statusOf,
} from './card.ts';
import type { Authorization, Clearing, Message, Refund, Reversal } from './messages.ts';

/** Fields that the response must have, or the field that the refusal must name. */
export type Expected = { response: Record<string, unknown> } | { refusedFor: string };

/** The response that the message must get now, and its effect. */
export interface Prediction {
  expected: Expected;
  /** Whether the journal gets an event. */
  hasEvent: boolean;
  apply(): void;
}

/** `told` is the response that was given; it decides only where the order of adjustments is unknown. */
export function predict(card: ModelCard, message: Message, nowMs: number, told?: Told): Prediction {
  switch (message.kind) {
    case 'authorization':
      return predictAuthorization(card, message, nowMs, told);
    case 'reversal':
      return predictReversal(card, message);
    case 'clearing':
      return predictClearing(card, message, nowMs);
    case 'refund':
      return predictRefund(card, message);
  }
}
type Told = { decline_reason?: string | null };

const refused = (field: string): Prediction => ({
  expected: { refusedFor: field },
  hasEvent: false,
  apply: () => {},
});

interface Facts {
  card: ModelCard;
  message: Authorization;
  today: string;
  holdMinor: bigint;
  told: Told | undefined;
}

const exceeds = (limit: bigint | null, spentMinor: bigint, { message }: Facts): boolean =>
  limit !== null && message.billMinor > 0n && spentMinor + message.billMinor > limit;

/** The contract's table of section 4, the first match decides; the master account is not modelled. */
const TABLE: ReadonlyArray<
  readonly [reason: string, code: string, networkCode: string, applies: (facts: Facts) => boolean]
> = [
  ['invalid_card_number', '14', '14', ({ card, message }) => message.number !== card.number],
  ['card_blocked', 'R8', '62', ({ card }) => card.status === 'BLOCKED'],
  ['card_frozen', 'R1', '62', ({ card }) => card.status === 'FROZEN'],
  ['card_expired', '54', '54', ({ card, today }) => today > card.expiryDate],
  ['expiry_mismatch', '54', '54', ({ card, message }) => !card.expiryDate.startsWith(`${message.expiry}-`)],
  ['cvv_mismatch', 'N7', 'N7', ({ card, message }) => message.cvv !== undefined && message.cvv !== card.cvv],
  ['merchant_category_not_allowed', 'R19', '57', ({ card, message }) => !mayBuyAt(card.limits, message.mcc)],
  ['transaction_limit', 'R7', '61', (f) => exceeds(f.card.limits.transactionLimit, 0n, f)],
  ['daily_limit', 'R6', '61', (f) => exceeds(f.card.limits.dailyLimit, approvedIn(f.card, f.today), f)],
  [
    'card_limit',
    'R13',
    '61',
    (f) =>
      exceeds(f.card.limits.monthlyLimit, approvedIn(f.card, f.today.slice(0, 7)), f) ||
      exceeds(f.card.limits.allTimeLimit, approvedIn(f.card, ''), f),
  ],
  ['insufficient_funds', '51', '51', lacksFunds],
  ['already_reversed', '12', '12', ({ card, message }) => card.reversedEarly.has(message.id)],
];

function lacksFunds({ card, holdMinor, told }: Facts): boolean {
  if (holdMinor === 0n) return false;
  if (card.areFundsUncertain) return told?.decline_reason === 'insufficient_funds';
  return holdMinor > availableOf(card);
}

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

function predictAuthorization(
  card: ModelCard,
  message: Authorization,
  nowMs: number,
  told: Told | undefined,
): Prediction {
  const today = dayOf(nowMs);
  const clearedFirst = card.purchases.get(message.id);
  const wanted = newPurchase(card.terms, message, message.channel, nowMs);
  wanted.heldMinor = message.billMinor;
  if (clearedFirst) takeOver(wanted, clearedFirst, isOutlived(card, clearedFirst, nowMs));
  const facts = { card, message, today, holdMinor: holdOf(wanted) + wanted.lateFeeMinor, told };
  const hit = TABLE.find(([, , , applies]) => applies(facts));
  const [reason = null, code = null, usualCode] = hit ?? [];
  const networkCode = reason === 'card_blocked' ? blockCode(card.blockReason) : usualCode;
  const status = hit ? 'DECLINED' : statusOf(wanted);
  const response = {
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
    // Money that has cleared is spent, even if its late authorization is declined.
    const settled =
      hit && clearedFirst ? { ...clearedFirst, fxBps: wanted.fxBps, atmMinor: wanted.atmMinor } : undefined;
    const made = settled ?? { ...wanted, status, ...(hit && { heldMinor: 0n }) };
    card.purchases.set(message.id, { ...made, approved, declineReason: reason });
  };
  return { expected: { response }, hasEvent: true, apply };
}

/** What has cleared is not held again; after a final clearing, or past the days of a hold, nothing is. */
function takeOver(wanted: ModelPurchase, cleared: ModelPurchase, isOld: boolean): void {
  const { createdMs, final } = cleared;
  const heldMinor = final || isOld ? 0n : orNone(wanted.askedMinor - clearedMinor(cleared));
  const lateFeeMinor = clearedMinor(cleared) > 0n ? wanted.atmMinor : 0n;
  Object.assign(wanted, { createdMs, final, heldMinor, lateFeeMinor, cleared: cleared.cleared });
}

/** Counts wrong expiry dates and CVVs; a decline before the CVV check does not show whether the CVV was right. */
function noteEntries(card: ModelCard, { cvv }: Authorization, reason: string | null, nowMs: number): void {
  if (reason === 'expiry_mismatch' || reason === 'cvv_mismatch') card.wrongEntriesMs.push(nowMs);
  const rank = (name: string | null) => TABLE.findIndex(([entry]) => entry === name);
  const isChecked = reason === null || rank(reason) >= rank('cvv_mismatch');
  if (cvv === undefined || !isChecked) return;
  card.wrongCvvs = cvv === card.cvv ? 0 : card.wrongCvvs + 1;
}

/** The reason for which the card must be blocked now, by the last sentences of the contract's section 4. */
export function blockDue({ status, wrongCvvs, wrongEntriesMs }: ModelCard): string | undefined {
  if (status === 'BLOCKED') return undefined;
  if (wrongCvvs >= 3) return 'fraud suspected: cvv attempts';
  return lastDay(wrongEntriesMs).length >= 10 ? 'fraud suspected: guessing' : undefined;
}

/** Releases what is held; the open part no longer counts in the limits, whether it is held or not. */
function predictReversal(card: ModelCard, { purchaseId, billMinor }: Reversal): Prediction {
  const purchase = card.purchases.get(purchaseId);
  if (!purchase)
    return {
      expected: { response: { transaction_id: null, status: 'VOID', bill_amount: decimal(0n) } },
      hasEvent: false,
      apply: () => card.reversedEarly.add(purchaseId),
    };
  const { approved, heldMinor, reversedMinor } = purchase;
  const open = approved ? orNone(approved.minor - clearedMinor(purchase) - reversedMinor) : 0n;
  const uncounted = least(billMinor ?? open, open);
  const released = least(uncounted, heldMinor);
  const status = released === 0n ? purchase.status : statusOf(purchase, heldMinor - released);
  return {
    expected: { response: { status, bill_amount: decimal(released) } },
    hasEvent: uncounted > 0n,
    apply: () => {
      purchase.heldMinor -= released;
      purchase.reversedMinor += uncounted;
      purchase.status = status;
    },
  };
}

function predictClearing(card: ModelCard, message: Clearing, nowMs: number): Prediction {
  const { purchaseId, billMinor } = message;
  const known = card.purchases.get(purchaseId);
  if (!known && message.number === undefined) return refused('card_number');
  const before = known ?? newPurchase(card.terms, message, null, nowMs);
  const purchase: ModelPurchase = {
    ...before,
    heldMinor: message.final ? 0n : orNone(before.heldMinor - billMinor),
    cleared: [...before.cleared, { billMinor, ...feesOn(before, billMinor) }],
    final: before.final || message.final,
  };
  if (!known && card.reversedEarly.has(purchaseId)) purchase.declineReason = 'already_reversed';
  const isNothing = clearedMinor(purchase) === 0n && before.heldMinor === 0n;
  if (!isNothing) purchase.status = statusOf(purchase);
  return {
    expected: { response: { status: purchase.status, bill_amount: decimal(billMinor) } },
    hasEvent: true,
    apply: () => card.purchases.set(purchaseId, purchase),
  };
}

function predictRefund(card: ModelCard, message: Refund): Prediction {
  const { purchaseId, number, billMinor } = message;
  const hasParent = purchaseId !== undefined && card.purchases.has(purchaseId);
  if (!hasParent && number === undefined) return refused('card_number');
  const response = {
    status: 'CLEARED',
    bill_amount: decimal(billMinor),
    external_transaction_id: purchaseId ?? null,
  };
  return {
    expected: { response },
    hasEvent: true,
    apply: () => card.refunds.set(message.id, billMinor),
  };
}

/** The hold that ends because its days are over; 0 if there is none. */
export function expire(card: ModelCard, purchaseId: string, nowMs: number): bigint {
  const purchase = card.purchases.get(purchaseId);
  if (!purchase || purchase.heldMinor === 0n || !isOutlived(card, purchase, nowMs)) return 0n;
  const released = purchase.heldMinor;
  purchase.heldMinor = 0n;
  purchase.status = statusOf(purchase);
  return released;
}

export const matches = (expected: Expected, body: Record<string, unknown>): boolean =>
  'response' in expected &&
  Object.entries(expected.response).every(([field, value]) => body[field] === value);
