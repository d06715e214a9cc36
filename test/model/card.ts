import { halfEvenShare } from './half-even.ts';

/** Who decides, and whose balances count: ours, the merchant's, or both. */
export type Mode = 'STANDARD' | 'REAL_TIME' | 'BOTH';

/** Within what `APPROVE` approves where the merchant does not answer. */
export interface StandIn {
  transactionLimit: bigint;
  dailyLimit: bigint;
}

/** The fees and terms of a program, named as the product names them. The mode may change between two messages. */
export interface Terms {
  currency: string;
  authorizationMode: Mode;
  /** For a program with a single card: the model of a card does not know the others. */
  enforceMasterBalance?: boolean;
  /** Online purchases above it must be authenticated. */
  requireAuthenticationAboveMinor?: bigint | null;
  /** How many days an authentication counts after the day of its result. */
  authenticationDays?: number;
  fxFeeBps: number;
  atmFeeMinor: bigint;
  interchangeBps: number;
  transactionCostMinor: bigint;
  transactionCostBps: number;
  virtualIssuanceFeeMinor: bigint;
  holdDays: number;
  /** For lodging and vehicle rental. */
  longHoldDays: number;
  /** What the master account was funded with. */
  fundedMinor?: bigint;
  /** Of the program's decision endpoint, for replays: a journal does not have it. */
  standIn?: StandIn;
}

export interface PermanentLimits {
  transactionLimit: bigint | null;
  dailyLimit: bigint | null;
  monthlyLimit: bigint | null;
  allTimeLimit: bigint | null;
  allowedMccs: string[];
  blockedMccs: string[];
}
type TemporaryName = 'transactionLimit' | 'dailyLimit' | 'monthlyLimit';
/** Each raises the limit of its name until it ends. */
export type TemporaryLimits = Partial<Record<TemporaryName, { minor: bigint; endsMs: number }>>;
export interface Limits extends PermanentLimits {
  temporaryLimits: TemporaryLimits;
}
const NO_LIMITS: Limits = {
  transactionLimit: null,
  dailyLimit: null,
  monthlyLimit: null,
  allTimeLimit: null,
  allowedMccs: [],
  blockedMccs: [],
  temporaryLimits: {},
};

type PurchaseStatus = 'PENDING' | 'CLEARED' | 'DECLINED' | 'VOID';

export interface ModelClearing {
  id: string;
  billMinor: bigint;
  /** The same in the merchant's currency. */
  amountMinor: bigint;
  currency: string;
  isForeign: boolean;
  /** What was taken back of it. */
  reversedMinor: bigint;
  /** The day on which it counts in the limits. */
  day: string;
}

/** An authentication of 3-D Secure, as the card sees it. */
export interface ModelAuthentication {
  isOwn: boolean;
  isAuthenticated: boolean;
  amountMinor: bigint;
  currency: string;
  merchantId: string;
  completedMs: number;
  /** The purchases that share it. */
  usedBy: readonly string[];
}

/** Up to which amount a purchase is authenticated; null: nothing was said of it. */
export type Cover = bigint | 'any' | 'none' | null;

export interface ModelPurchase {
  status: PurchaseStatus;
  /** In which it was made, and in which everything about it moves. */
  mode: Mode;
  createdMs: number;
  /** The authorized amount with its increments, or the first clearing's amount if that came first. */
  requestedMinor: bigint;
  /** The same in the merchant's currency. */
  amountMinor: bigint;
  cover: Cover;
  /** Of the authentication that counted for it. */
  authenticationId: string | null;
  approvedDay: string | null;
  declineReason: string | null;
  /** The merchant's currency, and whether it is foreign. */
  currency: string;
  isForeign: boolean;
  mcc: string;
  channel: string | null;
  heldMinor: bigint;
  /** Whether a final clearing came. */
  final: boolean;
  cleared: ModelClearing[];
  fxBps: number;
  atmMinor: bigint;
  /** What is held and cleared, by the day on which it counts. */
  counted: Map<string, bigint>;
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
  refunds: Map<string, { billMinor: bigint; reversedMinor: bigint; mode: Mode }>;
  /** Purchases whose reversal came first. */
  reversedEarly: Set<string>;
  /** The program's authentications by id. */
  authentications: Map<string, ModelAuthentication>;
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
  authentications: new Map(),
});

interface Priced {
  amount: string;
  billMinor: bigint;
  currency: string;
  mcc?: string | undefined;
}

/** All digits of an amount: amounts in one currency, with all its decimals, can be compared by them. */
export const digitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

export const newPurchase = (
  terms: Terms,
  { amount, billMinor, currency, mcc = '' }: Priced,
  channel: string | null,
  nowMs: number,
): ModelPurchase => ({
  status: 'VOID',
  mode: terms.authorizationMode,
  createdMs: nowMs,
  requestedMinor: billMinor,
  amountMinor: digitsOf(amount),
  cover: null,
  authenticationId: null,
  approvedDay: null,
  declineReason: null,
  currency,
  isForeign: currency !== terms.currency,
  mcc,
  channel,
  heldMinor: 0n,
  final: false,
  cleared: [],
  fxBps: terms.fxFeeBps,
  atmMinor: channel === 'ATM' ? terms.atmFeeMinor : 0n,
  counted: new Map(),
});

export const copyOf = (purchase: ModelPurchase): ModelPurchase => structuredClone(purchase);

const DAY_MS = 86_400_000;
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** Those within 24 hours before the last one. */
export const lastDay = (timesMs: readonly number[]): number[] =>
  timesMs.filter((atMs) => atMs >= (timesMs.at(-1) as number) - DAY_MS);
/** Hotels and car rental companies of ISO 18245. */
const isLodgingOrRental = (mcc: string): boolean =>
  /^(3[5-9]\d\d|33[5-9]\d|34\d\d|701[12]|751[239])$/.test(mcc) && mcc !== '3350';
export const isOutlived = (
  { terms }: ModelCard,
  { createdMs, mcc }: Pick<ModelPurchase, 'createdMs' | 'mcc'>,
  nowMs: number,
): boolean => nowMs - createdMs > (isLodgingOrRental(mcc) ? terms.longHoldDays : terms.holdDays) * DAY_MS;

export const sum = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((total, next) => total + next, 0n);
export const orNone = (minor: bigint): bigint => (minor > 0n ? minor : 0n);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** In euros, the currency of every modelled program. */
export const decimal = (minor: bigint): string =>
  `${minor < 0n ? '-' : ''}${String(minor < 0n ? -minor : minor).padStart(3, '0')}`.replace(/(\d\d)$/, '.$1');

const openOf = ({ billMinor, reversedMinor }: { billMinor: bigint; reversedMinor: bigint }): bigint =>
  billMinor - reversedMinor;

export const clearedMinor = ({ cleared }: ModelPurchase): bigint => sum(cleared.map(openOf));

/** The fees if `heldMinor` more cleared in the currency of the hold. */
function feesWith(purchase: ModelPurchase, heldMinor: bigint): { fxMinor: bigint; atmMinor: bigint } {
  const abroad = sum(purchase.cleared.filter(({ isForeign }) => isForeign).map(openOf));
  const allMinor = clearedMinor(purchase) + heldMinor;
  return {
    fxMinor: halfEvenShare(abroad + (purchase.isForeign ? heldMinor : 0n), purchase.fxBps),
    atmMinor: allMinor > 0n ? purchase.atmMinor : 0n,
  };
}

/** The fees as if all that is held cleared now. */
export const feesOf = (purchase: ModelPurchase) => feesWith(purchase, purchase.heldMinor);

/** What the purchase takes: as if all that is held cleared now. */
export function takenOf(purchase: ModelPurchase): bigint {
  const { fxMinor, atmMinor } = feesOf(purchase);
  return clearedMinor(purchase) + purchase.heldMinor + fxMinor + atmMinor;
}

/**
 * What it takes of its authentication, in the merchant's currency: what is held, in proportion and rounded up, and what
 * cleared, as it cleared where that was in the same currency.
 */
export function shareOf(purchase: ModelPurchase): bigint {
  const { requestedMinor, amountMinor, heldMinor, cleared, currency, isForeign } = purchase;
  if (!isForeign || requestedMinor === 0n) return heldMinor + clearedMinor(purchase);
  const inProportion = (billMinor: bigint) =>
    (amountMinor * billMinor + requestedMinor - 1n) / requestedMinor;
  if (cleared.some((part) => part.currency !== currency))
    return inProportion(heldMinor + clearedMinor(purchase));
  const open = cleared.map(
    (part) => part.amountMinor - (part.billMinor && (part.amountMinor * part.reversedMinor) / part.billMinor),
  );
  return inProportion(heldMinor) + sum(open);
}

export const chargedOf = (purchase: ModelPurchase) => feesWith(purchase, 0n);

/** What is held of it: all that is taken, less what has cleared and its fees. */
function holdOf(purchase: ModelPurchase): bigint {
  const { fxMinor, atmMinor } = chargedOf(purchase);
  return takenOf(purchase) - clearedMinor(purchase) - fxMinor - atmMinor;
}

/** In `REAL_TIME` the merchant keeps the balances, and the card's credit does not move. */
const ofCredit = <Item extends { mode: Mode }>(items: ReadonlyMap<string, Item>): Item[] =>
  [...items.values()].filter(({ mode }) => mode !== 'REAL_TIME');

export const availableOf = ({ givenMinor, purchases, refunds }: ModelCard): bigint =>
  sum(givenMinor) + sum(ofCredit(refunds).map(openOf)) - sum(ofCredit(purchases).map(takenOf));

/** What counts in the limits on those days that begin with `period`: a day, a month, or all. */
export const countedIn = ({ purchases }: ModelCard, period: string): bigint =>
  sum(
    [...purchases.values()].flatMap(({ counted }) =>
      [...counted].filter(([day]) => day.startsWith(period)).map(([, minor]) => minor),
    ),
  );

export function countOn({ counted }: ModelPurchase, day: string, minor: bigint): void {
  counted.set(day, (counted.get(day) ?? 0n) + minor);
}

/** Gives back: what counted on `day` first, then the newest days. */
export function giveBack({ counted }: ModelPurchase, minor: bigint, day = ''): void {
  let left = minor;
  const days = [...counted.keys()].sort().reverse();
  for (const each of [...days.filter((own) => own === day), ...days]) {
    const taken = least(left, counted.get(each) as bigint);
    counted.set(each, (counted.get(each) as bigint) - taken);
    left -= taken;
  }
}

export const statusOf = (purchase: ModelPurchase, heldMinor = purchase.heldMinor): PurchaseStatus =>
  heldMinor > 0n ? 'PENDING' : clearedMinor(purchase) > 0n ? 'CLEARED' : 'VOID';

/** The balances of the program's own accounts that follow from its cards. */
export function programBalances(cards: readonly ModelCard[], terms: Terms): Record<string, bigint> {
  const purchases = cards.flatMap((card) => [...card.purchases.values()]);
  const parts = purchases.flatMap((purchase) => purchase.cleared);
  const refundParts = cards.flatMap((card) => [...card.refunds.values()]);
  const holds = sum(purchases.map(holdOf));
  const fees = purchases.map(chargedOf);
  const fx = sum(fees.map(({ fxMinor }) => fxMinor));
  const atm = sum(fees.map(({ atmMinor }) => atmMinor));
  const cleared = sum(parts.map(openOf));
  const refunds = sum(refundParts.map(openOf));
  const share = (part: { billMinor: bigint; reversedMinor: bigint }) =>
    halfEvenShare(openOf(part), terms.interchangeBps);
  const interchange = sum(parts.map(share)) - sum(refundParts.map(share));
  const cost = sum(
    parts.map(({ billMinor }) =>
      billMinor > 0n ? terms.transactionCostMinor + halfEvenShare(billMinor, terms.transactionCostBps) : 0n,
    ),
  );
  const funded = terms.fundedMinor ?? 0n;
  const issuance = terms.virtualIssuanceFeeMinor * BigInt(cards.length);
  return {
    master: funded + refunds - cleared - fx - atm - holds,
    holds,
    credit: -sum(cards.map(availableOf)),
    settlement: cleared - interchange - refunds,
    funding: -funded,
    fxRevenue: fx,
    atmRevenue: atm,
    interchangeRevenue: interchange,
    transactionCost: -cost,
    issuanceCost: -issuance,
    maintenanceCost: 0n,
    payable: cost + issuance,
    suspense: 0n,
  };
}
