import { halfEvenShare } from './half-even.ts';

/** The fees and terms of a program, named as the product names them. */
export interface Terms {
  currency: string;
  fxFeeBps: number;
  atmFeeMinor: bigint;
  interchangeBps: number;
  transactionCostMinor: bigint;
  transactionCostBps: number;
  virtualIssuanceFeeMinor: bigint;
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

type PurchaseStatus = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';

export interface ModelPurchase {
  status: PurchaseStatus;
  createdMs: number;
  /** The authorization's amount, or the first clearing's amount if that came first. */
  askedMinor: bigint;
  /** The day on which the approval counts, and the amount that counts. */
  approved: { day: string; minor: bigint } | null;
  declineReason: string | null;
  heldMinor: bigint;
  /** The part of the approved amount that no longer counts. */
  reversedMinor: bigint;
  /** Whether a final clearing came. */
  final: boolean;
  /** The cash fee that a late authorization brought after the purchase had cleared. */
  lateFeeMinor: bigint;
  cleared: Array<{ billMinor: bigint; fxMinor: bigint; atmMinor: bigint }>;
  fxBps: number;
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
  /** When each wrong expiry date and CVV was declined. */
  wrongEntriesMs: number[];
  limits: Limits;
  /** Opening balance and adjustments. */
  givenMinor: bigint[];
  /** The order of adjustments and purchases is unknown: every answer about funds is possible. */
  areFundsUncertain: boolean;
  purchases: Map<string, ModelPurchase>;
  refunds: Map<string, bigint>;
  /** Purchases whose reversal came first. */
  reversedEarly: Set<string>;
}

export const newModelCard = (
  terms: Terms,
  spendLimitMinor: bigint,
  credentials: Pick<ModelCard, 'number' | 'cvv' | 'expiryDate'>,
): ModelCard => ({
  terms,
  status: 'ACTIVE',
  blockReason: '',
  ...credentials,
  wrongCvvs: 0,
  wrongEntriesMs: [],
  limits: NO_LIMITS,
  givenMinor: [spendLimitMinor],
  areFundsUncertain: false,
  purchases: new Map(),
  refunds: new Map(),
  reversedEarly: new Set(),
});

export const newPurchase = (
  terms: Terms,
  { billMinor, currency }: { billMinor: bigint; currency: string },
  channel: string | null,
  nowMs: number,
): ModelPurchase => ({
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
  fxBps: currency === terms.currency ? 0 : terms.fxFeeBps,
  atmMinor: channel === 'ATM' ? terms.atmFeeMinor : 0n,
});

const DAY_MS = 86_400_000;
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Those within 24 hours before the last one. */
export const lastDay = (timesMs: readonly number[]): number[] =>
  timesMs.filter((atMs) => atMs >= (timesMs.at(-1) as number) - DAY_MS);
export const isOutlived = ({ terms }: ModelCard, { createdMs }: ModelPurchase, nowMs: number): boolean =>
  nowMs - createdMs > terms.holdDays * DAY_MS;

export const sum = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((total, next) => total + next, 0n);
export const orNone = (minor: bigint): bigint => (minor > 0n ? minor : 0n);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** In euros, the currency of every modelled program. */
export const decimal = (minor: bigint): string =>
  `${minor < 0n ? '-' : ''}${String(minor < 0n ? -minor : minor).padStart(3, '0')}`.replace(/(\d\d)$/, '.$1');

export const clearedMinor = ({ cleared }: ModelPurchase): bigint =>
  sum(cleared.map(({ billMinor }) => billMinor));

/** The cardholder's fees on a part of a purchase; the cash fee is due once. */
export function feesOn(purchase: ModelPurchase, billMinor: bigint): { fxMinor: bigint; atmMinor: bigint } {
  if (billMinor === 0n) return { fxMinor: 0n, atmMinor: 0n };
  return {
    fxMinor: halfEvenShare(billMinor, purchase.fxBps),
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

/** Approved and not reversed, on those days that begin with `period`: a day, a month, or all. */
export const approvedIn = ({ purchases }: ModelCard, period: string): bigint =>
  sum(
    [...purchases.values()].map(({ approved, reversedMinor }) =>
      approved?.day.startsWith(period) ? approved.minor - reversedMinor : 0n,
    ),
  );

export const statusOf = (purchase: ModelPurchase, heldMinor = purchase.heldMinor): PurchaseStatus =>
  heldMinor > 0n ? 'PENDING' : clearedMinor(purchase) > 0n ? 'CLEARED' : 'VOID';

/** The balances of the program's own accounts that follow from its cards. */
export function programBalances(cards: readonly ModelCard[], terms: Terms): Record<string, bigint> {
  const purchases = cards.flatMap((card) => [...card.purchases.values()]);
  const parts = purchases.flatMap((purchase) => purchase.cleared);
  const bills = parts.map(({ billMinor }) => billMinor);
  const holds = sum(purchases.map(holdOf));
  const fx = sum(parts.map(({ fxMinor }) => fxMinor));
  const atm = sum([...purchases.map((p) => p.lateFeeMinor), ...parts.map(({ atmMinor }) => atmMinor)]);
  const cleared = sum(bills);
  const refunds = sum(cards.flatMap((card) => [...card.refunds.values()]));
  const interchange = sum(bills.map((bill) => halfEvenShare(bill, terms.interchangeBps)));
  const cost = sum(
    bills.map((bill) =>
      bill > 0n ? terms.transactionCostMinor + halfEvenShare(bill, terms.transactionCostBps) : 0n,
    ),
  );
  const issuance = terms.virtualIssuanceFeeMinor * BigInt(cards.length);
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
