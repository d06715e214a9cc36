/**
 * What the contract says becomes of a card's messages, as a model in memory. It shares no code with the product and
 * works in another way: it keeps history and derives every sum from it, where the product keeps sums.
 */

export interface Terms {
  currency: string;
  fxBps: bigint;
  atmMinor: bigint;
  interchangeBps: bigint;
  costMinor: bigint;
  costBps: bigint;
  issuanceMinor: bigint;
  holdDays: number;
}

export interface Limits {
  transactionLimit: bigint | null;
  dailyLimit: bigint | null;
  monthlyLimit: bigint | null;
  allTimeLimit: bigint | null;
  allowedMccs: string[];
  blockedMccs: string[];
}
const NO_LIMITS: Limits = {
  transactionLimit: null,
  dailyLimit: null,
  monthlyLimit: null,
  allTimeLimit: null,
  allowedMccs: [],
  blockedMccs: [],
};

type Status = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';

export interface ModelPurchase {
  status: Status;
  createdMs: number;
  /** What it was made for: the authorization's amount, or the first clearing's where that came first. */
  askedMinor: bigint;
  /** The day that its approval counts on, and the amount that counts. */
  approved: { day: string; minor: bigint } | null;
  declineReason: string | null;
  heldMinor: bigint;
  /** What no longer counts as approved. */
  reversedMinor: bigint;
  /** A clearing said that it was the last. */
  final: boolean;
  /** The fee for cash, where only the late authorization told that it was cash. */
  lateFeeMinor: bigint;
  cleared: Array<{ billMinor: bigint; fxMinor: bigint; atmMinor: bigint }>;
  fxBps: bigint;
  atmMinor: bigint;
}

export interface ModelCard {
  terms: Terms;
  status: 'ACTIVE' | 'FROZEN' | 'BLOCKED';
  blockReason: string;
  number: string;
  cvv: string;
  /** `YYYY-MM-DD`. */
  expiryDate: string;
  wrongCvvs: number;
  /** When each wrong expiry date and CVV was answered. */
  wrongEntriesMs: number[];
  limits: Limits;
  /** Opening balance and adjustments. */
  givenMinor: bigint[];
  purchases: Map<string, ModelPurchase>;
  refunds: Map<string, bigint>;
  /** Purchases whose reversal came before anything else of them. */
  reversedEarly: Set<string>;
}

export function newModelCard(
  terms: Terms,
  spendLimitMinor: bigint,
  credentials: Pick<ModelCard, 'number' | 'cvv' | 'expiryDate'>,
): ModelCard {
  return {
    terms,
    status: 'ACTIVE',
    blockReason: '',
    ...credentials,
    wrongCvvs: 0,
    wrongEntriesMs: [],
    limits: NO_LIMITS,
    givenMinor: [spendLimitMinor],
    purchases: new Map(),
    refunds: new Map(),
    reversedEarly: new Set(),
  };
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const sum = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((total, next) => total + next, 0n);

/** Half to even, by comparing what is left with the half of a unit. */
function shareOf(minor: bigint, bps: bigint): bigint {
  const [whole, rest] = [(minor * bps) / 10_000n, (minor * bps) % 10_000n];
  if (rest === 5_000n) return whole + (whole % 2n);
  return rest > 5_000n ? whole + 1n : whole;
}

/** In euros, the currency of every modelled program. */
export const decimal = (minor: bigint): string =>
  `${minor < 0n ? '-' : ''}${String(minor < 0n ? -minor : minor).padStart(3, '0')}`.replace(/(\d\d)$/, '.$1');

export const clearedMinor = ({ cleared }: ModelPurchase): bigint =>
  sum(cleared.map(({ billMinor }) => billMinor));

/** The cardholder's fees on a part of a purchase; cash costs its fee once. */
export function feesOn(purchase: ModelPurchase, billMinor: bigint): { fxMinor: bigint; atmMinor: bigint } {
  if (billMinor === 0n) return { fxMinor: 0n, atmMinor: 0n };
  return {
    fxMinor: shareOf(billMinor, purchase.fxBps),
    atmMinor: clearedMinor(purchase) > 0n ? 0n : purchase.atmMinor,
  };
}

export function holdOf(purchase: ModelPurchase): bigint {
  const { fxMinor, atmMinor } = feesOn(purchase, purchase.heldMinor);
  return purchase.heldMinor + fxMinor + atmMinor;
}

const spentOf = ({ cleared, lateFeeMinor }: ModelPurchase): bigint =>
  lateFeeMinor + sum(cleared.map(({ billMinor, fxMinor, atmMinor }) => billMinor + fxMinor + atmMinor));

export const availableOf = ({ givenMinor, purchases, refunds }: ModelCard): bigint =>
  sum(givenMinor) +
  sum(refunds.values()) -
  sum([...purchases.values()].map((purchase) => holdOf(purchase) + spentOf(purchase)));

/** Approved and not reversed, of those days that begin with `period`: a day, a month, or all. */
export const approvedIn = ({ purchases }: ModelCard, period: string): bigint =>
  sum(
    [...purchases.values()].map(({ approved, reversedMinor }) =>
      approved?.day.startsWith(period) ? approved.minor - reversedMinor : 0n,
    ),
  );

export function newPurchase(
  terms: Terms,
  { billMinor, currency }: { billMinor: bigint; currency: string },
  channel: string | null,
  nowMs: number,
): ModelPurchase {
  return {
    status: 'VOID',
    createdMs: nowMs,
    askedMinor: billMinor,
    approved: null,
    declineReason: null,
    heldMinor: 0n,
    reversedMinor: 0n,
    final: false,
    lateFeeMinor: 0n,
    cleared: [],
    fxBps: currency === terms.currency ? 0n : terms.fxBps,
    atmMinor: channel === 'ATM' ? terms.atmMinor : 0n,
  };
}

export const statusWith = (purchase: ModelPurchase, heldMinor: bigint): Status =>
  heldMinor > 0n ? 'PENDING' : clearedMinor(purchase) > 0n ? 'CLEARED' : 'VOID';

/** A hold that has lived its time is let go; undefined where it has not, or is none. */
export function expire(card: ModelCard, purchaseId: string, nowMs: number): bigint | undefined {
  const purchase = card.purchases.get(purchaseId);
  const bornBefore = nowMs - card.terms.holdDays * 86_400_000;
  if (!purchase || purchase.heldMinor === 0n || purchase.createdMs > bornBefore) return undefined;
  const released = purchase.heldMinor;
  purchase.heldMinor = 0n;
  purchase.status = statusWith(purchase, 0n);
  return released;
}

/** What the program's own accounts must hold, given what its cards went through. */
export function programBalances(cards: readonly ModelCard[], terms: Terms): Record<string, bigint> {
  const purchases = cards.flatMap((card) => [...card.purchases.values()]);
  const parts = purchases.flatMap((purchase) => purchase.cleared);
  const holds = sum(purchases.map(holdOf));
  const fx = sum(parts.map(({ fxMinor }) => fxMinor));
  const lateFees = sum(purchases.map(({ lateFeeMinor }) => lateFeeMinor));
  const atm = lateFees + sum(parts.map(({ atmMinor }) => atmMinor));
  const cleared = sum(parts.map(({ billMinor }) => billMinor));
  const refunds = sum(cards.flatMap((card) => [...card.refunds.values()]));
  const interchange = sum(parts.map(({ billMinor }) => shareOf(billMinor, terms.interchangeBps)));
  const cost = sum(parts.map(({ billMinor }) => terms.costMinor + shareOf(billMinor, terms.costBps)));
  const issuance = terms.issuanceMinor * BigInt(cards.length);
  return {
    master: refunds - cleared - fx - atm - holds,
    holds,
    credit: -sum(cards.map(availableOf)),
    settlement: cleared - interchange - refunds,
    funding: 0n,
    fxRevenue: fx,
    atmRevenue: atm,
    interchangeRevenue: interchange,
    transactionCost: -cost,
    issuanceCost: -issuance,
    maintenanceCost: 0n,
    payable: cost + issuance,
  };
}
