import { halfEvenShare } from './half-even.ts';
import type { MessageData } from './messages.ts';

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
  /** Exemptions from it that the program accepts. */
  allowedExemptions?: readonly string[];
  /** The merchant's rules, in the order in which they decide. */
  rules?: readonly ModelRule[];
  /** How far a clearing may exceed what was approved before it is marked. */
  overHoldPercent?: number;
  fxFeeBps: number;
  atmFeeMinor: bigint;
  interchangeBps: number;
  /** For cash; below zero, the issuer pays. */
  cashInterchangeBps: number;
  transactionCostMinor: bigint;
  transactionCostBps: number;
  virtualIssuanceFeeMinor: bigint;
  holdDays: number;
  /** For lodging, vehicle rental, cruise lines and pre-authorizations. */
  longHoldDays: number;
  /** What the master account was funded with. */
  fundedMinor?: bigint;
  /** Of the program's decision endpoint, for replays: a journal does not have it. */
  standIn?: StandIn;
}

/** For purchases in a category above an amount. Other conditions are for the tests of the language. */
export interface ModelRule {
  action: 'DECLINE' | 'FLAG' | 'REQUIRE_AUTHENTICATION';
  status: 'SHADOW' | 'ACTIVE';
  mcc: string;
  aboveMinor: bigint;
  /** It must count more, too. */
  velocity?: ModelVelocity | undefined;
}

/** What is counted of the card, or of its customer, who has no other card, or of the card at the merchant. */
export interface ModelVelocity {
  measure: 'COUNT' | 'AMOUNT' | 'DECLINES';
  per: 'CARD' | 'CUSTOMER' | 'CARD_MERCHANT';
  window: { minutes: number } | { calendar: 'DAY' | 'WEEK' | 'MONTH' };
  above: bigint;
}

/** A declined attempt, and the rule that declined it. */
interface ModelDecline {
  transactionId: string;
  atMs: number;
  rule: ModelRule | undefined;
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
export type LimitName = TemporaryName | 'allTimeLimit';
/** What the card may be used for; null: anything, as for each of its parts. */
export interface Usage {
  purchases: number | null;
  merchants: 'FIRST' | string[] | null;
  fromMs: number | null;
  untilMs: number | null;
}
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

/** A clearing or a refund, as the network presented it. */
export interface ModelPart {
  id: string;
  billMinor: bigint;
  /** The same in the merchant's currency. */
  amountMinor: bigint;
  currency: string;
  isForeign: boolean;
  /** What was taken back of it, in both currencies. */
  reversedMinor: bigint;
  reversedAmountMinor: bigint;
  /** The day on which a clearing counts in the limits. */
  day: string;
  interchangeBps: number;
  /** What the network said that the program earns, instead of the rate. */
  interchangeMinor: bigint | null;
  arn: string | null;
  isFinal: boolean;
}

/** What cleared, in the currency of the first clearing. */
type ClearedIn = { currency: string; amountMinor: bigint } | null;

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

interface ModelTransaction {
  status: PurchaseStatus;
  /** In which it was made, and in which everything about it moves. */
  mode: Mode;
  createdMs: number;
  /** When its days began anew. */
  renewedMs: number | null;
  /** The authorized amount with its increments, or the first clearing's amount if that came first. */
  requestedMinor: bigint;
  /** The same in the merchant's currency. */
  amountMinor: bigint;
  /** The merchant's currency. */
  currency: string;
  mcc: string;
  merchantId: string | null;
  channel: string | null;
  type: string | null;
  /** What the network said beside it: the newest value of each field. */
  data: MessageData;
  declineReason: string | null;
  /** What the newest advice said. */
  advice: { approved: boolean; billMinor: bigint; amount: string; networkCode: string } | null;
  /** Clearings of a purchase, refunds of a refund. */
  parts: ModelPart[];
  clearedIn: ClearedIn;
}

export interface ModelPurchase extends ModelTransaction {
  cover: Cover;
  /** Of the authentication that counted for it. */
  authenticationId: string | null;
  approvedDay: string | null;
  isForeign: boolean;
  /** In both currencies. */
  heldMinor: bigint;
  heldAmountMinor: bigint;
  /** What is not reversed of each approved increment, and whether an advice came after it. */
  increments: Map<string, { billMinor: bigint; openMinor: bigint; isAdvised: boolean }>;
  /** Whether a final clearing came. */
  final: boolean;
  /** Its hold was released because its days were over. */
  /** Why nothing is held any more, where that was not a clearing. */
  holdEnd: 'expired' | 'reversed' | null;
  fxBps: number;
  atmMinor: bigint;
  /** What is held and cleared, by the day on which it counts in limits, and the time at which it counts in velocities. */
  counted: Map<string, bigint>;
  /** Since when it counts as a purchase, while something of it is held or has cleared. */
  countedMs: number | null;
  flags: Set<string>;
}

export interface ModelRefund extends ModelTransaction {
  /** Announced by an authorization of the type CREDIT. */
  isCredit: boolean;
  /** The purchase that it refunds. */
  parentId: string | null;
}

/** What came before the purchase that it names. */
export interface Early {
  reversedMinor?: bigint | 'all';
  isTimedOut?: boolean;
  refunds: readonly string[];
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
  usage: Usage | null;
  /** The merchant of the first purchase that counts. */
  lockedTo: string | null;
  declines: ModelDecline[];
  /** Opening balance and adjustments. */
  givenMinor: bigint[];
  /** The order of adjustments and purchases is unknown: every answer about funds is possible. */
  areFundsUncertain: boolean;
  purchases: Map<string, ModelPurchase>;
  refunds: Map<string, ModelRefund>;
  /** The refunds that came before their credits, by the ids of the credits. */
  credits: Map<string, string>;
  /** What came before a purchase, by its id. */
  early: Map<string, Early>;
  /** The purchases whose own authorization was answered. */
  answered: Set<string>;
  /** The purchases of the increments that were answered, and the increments whose reversal came first. */
  raised: Map<string, string>;
  unraised: Set<string>;
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
  usage: null,
  lockedTo: null,
  declines: [],
  givenMinor: [spendLimitMinor],
  areFundsUncertain: false,
  purchases: new Map(),
  refunds: new Map(),
  credits: new Map(),
  early: new Map(),
  answered: new Set(),
  raised: new Map(),
  unraised: new Set(),
  authentications: new Map(),
});

interface Priced {
  amount: string;
  billMinor: bigint;
  currency: string;
  mcc?: string | undefined;
  merchantId?: string | undefined;
  type?: string | undefined;
  data?: MessageData | undefined;
}

/** All digits of an amount: amounts in one currency, with all its decimals, can be compared by them. */
export const digitsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

const newTransaction = (
  terms: Terms,
  { amount, billMinor, currency, mcc = '', merchantId, type, data = {} }: Priced,
  channel: string | null,
  nowMs: number,
): ModelTransaction => ({
  status: 'VOID',
  mode: terms.authorizationMode,
  createdMs: nowMs,
  renewedMs: null,
  requestedMinor: billMinor,
  amountMinor: digitsOf(amount),
  currency,
  mcc,
  merchantId: merchantId ?? null,
  channel,
  type: type ?? null,
  data,
  declineReason: null,
  advice: null,
  parts: [],
  clearedIn: null,
});

export const isCash = ({ channel, type }: Pick<ModelTransaction, 'channel' | 'type'>): boolean =>
  channel === 'ATM' || type === 'CASH';
export const atmFeeOf = (terms: Terms, purchase: Parameters<typeof isCash>[0]): bigint =>
  isCash(purchase) ? terms.atmFeeMinor : 0n;

export const newPurchase = (
  terms: Terms,
  priced: Priced,
  channel: string | null,
  nowMs: number,
): ModelPurchase => ({
  ...newTransaction(terms, priced, channel, nowMs),
  cover: null,
  authenticationId: null,
  approvedDay: null,
  isForeign: priced.currency !== terms.currency,
  heldMinor: 0n,
  heldAmountMinor: 0n,
  increments: new Map(),
  final: false,
  holdEnd: null,
  fxBps: terms.fxFeeBps,
  atmMinor: atmFeeOf(terms, { channel, type: priced.type ?? null }),
  counted: new Map(),
  countedMs: null,
  flags: new Set(),
});

export const newRefund = (
  terms: Terms,
  priced: Priced,
  channel: string | null,
  nowMs: number,
): ModelRefund => ({
  ...newTransaction(terms, priced, channel, nowMs),
  isCredit: false,
  parentId: null,
});

/** By hand, because a structured clone takes most of the time of a random history. */
export const copyOf = <Of extends ModelPurchase | ModelRefund>(transaction: Of): Of => {
  const { parts, clearedIn } = transaction;
  const copy = { ...transaction, parts: parts.map((part) => ({ ...part })) };
  copy.clearedIn = clearedIn && { ...clearedIn };
  if (!('counted' in transaction)) return copy;
  const { counted, increments, flags } = transaction as ModelPurchase;
  const raised = [...increments].map(([id, increment]) => [id, { ...increment }] as const);
  return { ...copy, counted: new Map(counted), increments: new Map(raised), flags: new Set(flags) };
};

const DAY_MS = 86_400_000;
const momentOf = (ms: number): string => new Date(ms).toISOString();
export const dayOf = (ms: number): string => momentOf(ms).slice(0, 10);
/** Those within 24 hours before the last one. */
export const lastDay = (timesMs: readonly number[]): number[] =>
  timesMs.filter((atMs) => atMs >= (timesMs.at(-1) as number) - DAY_MS);
/** Hotels, car rental companies and cruise lines of ISO 18245. */
const isLodgingOrTravel = (mcc: string): boolean =>
  /^(3[5-9]\d\d|33[5-9]\d|34\d\d|4411|701[12]|751[239])$/.test(mcc) && mcc !== '3350';
type Held = Pick<ModelTransaction, 'createdMs' | 'mcc' | 'data'> & { renewedMs?: number | null };
/** Whether the days are over for which it is held. */
export function isOutlived({ terms }: ModelCard, held: Held, nowMs: number): boolean {
  const { createdMs, renewedMs, mcc, data } = held;
  const isLong = isLodgingOrTravel(mcc) || data.pre_authorization === true;
  return nowMs - (renewedMs ?? createdMs) > (isLong ? terms.longHoldDays : terms.holdDays) * DAY_MS;
}

export const sum = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((total, next) => total + next, 0n);
export const orNone = (minor: bigint): bigint => (minor > 0n ? minor : 0n);
export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** In euros, the currency of every modelled program. */
export const decimal = (minor: bigint): string =>
  `${minor < 0n ? '-' : ''}${String(minor < 0n ? -minor : minor).padStart(3, '0')}`.replace(/(\d\d)$/, '.$1');

/** It is in the card's usage while something of it is held or has cleared. */
export const isUse = (purchase: ModelPurchase | undefined): boolean =>
  purchase !== undefined && (purchase.heldMinor > 0n || clearedMinor(purchase) > 0n);
export const usesOf = ({ purchases }: ModelCard): number => [...purchases.values()].filter(isUse).length;

export const openOf = ({ billMinor, reversedMinor }: ModelPart): bigint => billMinor - reversedMinor;

/** What has cleared of a purchase, or was refunded. */
export const clearedMinor = ({ parts }: ModelTransaction): bigint => sum(parts.map(openOf));

const foreignMinor = ({ parts }: ModelTransaction): bigint =>
  sum(parts.filter(({ isForeign }) => isForeign).map(openOf));

/** What the program has earned on a clearing, less what was taken back. */
function earnedOn(part: ModelPart): bigint {
  const { billMinor, interchangeBps, interchangeMinor } = part;
  if (interchangeMinor === null) return halfEvenShare(openOf(part), interchangeBps);
  return billMinor === 0n ? 0n : (interchangeMinor * openOf(part)) / billMinor;
}

/** The fees if `heldMinor` more cleared in the currency of the hold. */
function feesWith(purchase: ModelPurchase, heldMinor: bigint): { fxMinor: bigint; atmMinor: bigint } {
  const abroad = foreignMinor(purchase);
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
 * What it takes of its authentication, in the merchant's currency: what is held and cleared, or in proportion and rounded
 * up where it cleared in another.
 */
export function shareOf(purchase: ModelPurchase): bigint {
  const { requestedMinor, amountMinor, heldMinor, heldAmountMinor, clearedIn, currency, isForeign } =
    purchase;
  const allMinor = heldMinor + clearedMinor(purchase);
  if (!isForeign || requestedMinor === 0n) return allMinor;
  if (clearedMinor(purchase) === 0n) return heldAmountMinor;
  if (clearedIn?.currency === currency && foreignMinor(purchase) === clearedMinor(purchase))
    return heldAmountMinor + clearedIn.amountMinor;
  return (amountMinor * allMinor + requestedMinor - 1n) / requestedMinor;
}

/** What the merchant sees: what the transaction is now, in both currencies; a refund is negative. */
export function shownOf(transaction: ModelPurchase | ModelRefund) {
  const { status, requestedMinor, amountMinor, currency, clearedIn } = transaction;
  const [sign, held] = 'heldMinor' in transaction ? [1n, transaction] : [-1n, undefined];
  const cleared = clearedMinor(transaction);
  if (status === 'CLEARED' && clearedIn)
    return {
      billMinor: sign * cleared,
      amountMinor: sign * clearedIn.amountMinor,
      currency: clearedIn.currency,
    };
  if (status !== 'PENDING' || !held)
    return { billMinor: sign * requestedMinor, amountMinor: sign * amountMinor, currency };
  const billMinor = held.heldMinor + cleared;
  const inProportion = requestedMinor === 0n ? 0n : (amountMinor * cleared) / requestedMinor;
  const clearedAmount =
    !clearedIn || clearedIn.currency === currency
      ? (clearedIn?.amountMinor ?? 0n)
      : held.isForeign
        ? inProportion
        : cleared;
  return { billMinor, amountMinor: held.heldAmountMinor + clearedAmount, currency };
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
  sum(givenMinor) + sum(ofCredit(refunds).map(clearedMinor)) - sum(ofCredit(purchases).map(takenOf));

export const heldAndRefunded = ({
  purchases,
  refunds,
}: ModelCard): [heldMinor: bigint, refundedMinor: bigint] => [
  sum([...purchases.values()].map(({ heldMinor }) => heldMinor)),
  sum([...refunds.values()].map(clearedMinor)),
];

/** What counts in the limits on those days that begin with `period`: a day, a month, or all. */
export const countedIn = ({ purchases }: ModelCard, period: string): bigint =>
  sum(
    [...purchases.values()].flatMap(({ counted }) =>
      [...counted].filter(([key]) => key.startsWith(period)).map(([, minor]) => minor),
    ),
  );

/** With its temporary raise, which never lowers it. */
export function limitInForce({ limits }: ModelCard, name: LimitName, nowMs: number): bigint | null {
  const limit = limits[name];
  const raise = name === 'allTimeLimit' ? undefined : limits.temporaryLimits[name];
  const isRaised = limit !== null && raise && nowMs < raise.endsMs && raise.minor > limit;
  return isRaised ? raise.minor : limit;
}

export const countingKey = (day: string, atMs: number): string => `${day} ${momentOf(atMs)}`;
const timeOf = (key: string): number => Date.parse(key.split(' ')[1] as string);

/** An increment is no purchase. */
export function countOn(
  purchase: ModelPurchase,
  key: string,
  minor: bigint,
  { isIncrement = false } = {},
): void {
  purchase.counted.set(key, (purchase.counted.get(key) ?? 0n) + minor);
  if (!isIncrement) purchase.countedMs ??= timeOf(key);
}

/** Gives back: what counted on `day` first, then the newest. */
export function giveBack({ counted }: ModelPurchase, minor: bigint, day = '-'): void {
  let left = minor;
  const newestFirst = [...counted.keys()].sort().reverse();
  for (const key of [...newestFirst.filter((each) => each.startsWith(day)), ...newestFirst]) {
    const taken = least(left, counted.get(key) as bigint);
    counted.set(key, (counted.get(key) as bigint) - taken);
    left -= taken;
  }
}

const mondayBefore = (ms: number): string => dayOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS);

function isWithin(window: ModelVelocity['window'], atMs: number, nowMs: number): boolean {
  if ('minutes' in window) return atMs > nowMs - window.minutes * 60_000;
  if (window.calendar === 'WEEK') return mondayBefore(atMs) === mondayBefore(nowMs);
  const length = window.calendar === 'DAY' ? 10 : 7;
  return momentOf(atMs).slice(0, length) === momentOf(nowMs).slice(0, length);
}

/** What a rule's velocity counts for a merchant, with these purchases. */
export function velocityOf(
  { declines, refunds }: ModelCard,
  purchases: ReadonlyMap<string, ModelPurchase>,
  rule: ModelRule,
  merchantId: string | null,
  nowMs: number,
): bigint {
  const { measure, per, window } = rule.velocity as ModelVelocity;
  const nameOf = (id: string | null | undefined) => id?.trim() ?? '';
  const isMeant = (of: Pick<ModelTransaction, 'merchantId'> | undefined) =>
    per !== 'CARD_MERCHANT' || nameOf(of?.merchantId) === nameOf(merchantId);
  if (measure === 'DECLINES') {
    const others = declines.filter(
      (each) =>
        each.rule !== rule &&
        isWithin(window, each.atMs, nowMs) &&
        isMeant(purchases.get(each.transactionId) ?? refunds.get(each.transactionId)),
    );
    return BigInt(others.length);
  }
  const isIn = ([key]: [string, bigint]) => isWithin(window, timeOf(key), nowMs);
  const meant = [...purchases.values()].filter(isMeant);
  if (measure === 'AMOUNT')
    return sum(meant.flatMap(({ counted }) => [...counted].filter(isIn).map(([, minor]) => minor)));
  const counts = (each: ModelPurchase) =>
    isUse(each) && each.countedMs !== null && isWithin(window, each.countedMs, nowMs);
  return BigInt(meant.filter(counts).length);
}

export const statusOf = (purchase: ModelPurchase, heldMinor = purchase.heldMinor): PurchaseStatus =>
  heldMinor > 0n ? 'PENDING' : clearedMinor(purchase) > 0n ? 'CLEARED' : 'VOID';

/** Releases a part of the hold; `amountMinor` is the same in the merchant's currency, where it is known. */
export function release(purchase: ModelPurchase, billMinor: bigint, amountMinor?: bigint): void {
  const { heldMinor, heldAmountMinor, isForeign } = purchase;
  const leftMinor = heldMinor - billMinor;
  const partMinor = amountMinor ?? (heldMinor && (heldAmountMinor * billMinor) / heldMinor);
  purchase.heldMinor = leftMinor;
  purchase.heldAmountMinor =
    leftMinor === 0n ? 0n : isForeign ? orNone(heldAmountMinor - partMinor) : leftMinor;
}

/** What no card's number explains: the program's money in suspense. */
export interface ModelUnmatched extends ModelPart {
  kind: 'clearing' | 'refund';
}
/** By kind and id. */
export type Suspense = Map<string, ModelUnmatched>;

/** The balances of the program's own accounts that follow from its cards. */
export function programBalances(
  cards: readonly ModelCard[],
  terms: Terms,
  suspense: Suspense = new Map(),
): Record<string, bigint> {
  const purchases = cards.flatMap((card) => [...card.purchases.values()]);
  const parts = purchases.flatMap((purchase) => purchase.parts);
  const refundParts = cards.flatMap((card) => [...card.refunds.values()]).flatMap((refund) => refund.parts);
  const holds = sum(purchases.map(holdOf));
  const fees = purchases.map(chargedOf);
  const fx = sum(fees.map(({ fxMinor }) => fxMinor));
  const atm = sum(fees.map(({ atmMinor }) => atmMinor));
  const cleared = sum(parts.map(openOf));
  const refunds = sum(refundParts.map(openOf));
  const givenBack = (part: ModelPart) => (part.interchangeMinor === null ? -earnedOn(part) : earnedOn(part));
  const interchange = sum(parts.map(earnedOn)) + sum(refundParts.map(givenBack));
  const cost = sum(
    parts.map(({ billMinor }) =>
      billMinor > 0n ? terms.transactionCostMinor + halfEvenShare(billMinor, terms.transactionCostBps) : 0n,
    ),
  );
  const unmatched = sum(
    [...suspense.values()].map((part) => (part.kind === 'refund' ? -openOf(part) : openOf(part))),
  );
  const funded = terms.fundedMinor ?? 0n;
  const issuance = terms.virtualIssuanceFeeMinor * BigInt(cards.length);
  return {
    master: funded + refunds - cleared - fx - atm - holds,
    holds,
    credit: -sum(cards.map(availableOf)),
    settlement: cleared - interchange - refunds + unmatched,
    funding: -funded,
    fxRevenue: fx,
    atmRevenue: atm,
    interchangeRevenue: interchange,
    transactionCost: -cost,
    issuanceCost: -issuance,
    maintenanceCost: 0n,
    payable: cost + issuance,
    suspense: -unmatched,
  };
}
