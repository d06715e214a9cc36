import {
  atmFeeOf,
  availableOf,
  type Cover,
  clearedMinor,
  copyOf,
  countedIn,
  countingKey,
  countOn,
  dayOf,
  decimal,
  digitsOf,
  type Early,
  feesOf,
  giveBack,
  isCash,
  isOutlived,
  isUse,
  type LimitName,
  type Limits,
  lastDay,
  least,
  limitInForce,
  type Mode,
  type ModelCard,
  type ModelPart,
  type ModelPurchase,
  type ModelRefund,
  type ModelRule,
  newPurchase,
  newRefund,
  openOf,
  orNone,
  programBalances,
  release,
  type Suspense,
  shareOf,
  statusOf,
  sum,
  type Terms,
  takenOf,
  type Usage,
  usesOf,
  velocityOf,
} from './card.ts';
import type {
  Advice,
  Answer,
  Authorization,
  Clearing,
  Increment,
  Message,
  MessageData,
  Refund,
  Reversal,
} from './messages.ts';

/** Fields that the response must have, the field that the refusal must name, or the decision request that comes first. */
export type Expected =
  | { response: Record<string, unknown> }
  | { refusedFor: string }
  | { request: DecisionRequest };

/** What the merchant decides on, and what an approval would take. */
export interface DecisionRequest {
  mode: Mode;
  billMinor: bigint;
  fxMinor: bigint;
  atmMinor: bigint;
  holdMinor: bigint;
  /** Null if nothing was said of an authentication. */
  authenticated: boolean | null;
  /** Of an inquiry, where the merchant keeps the balances: no amount, and nothing to decline. */
  isBalance: boolean;
}

/** The response that the message must get now, and its effect. */
export interface Prediction {
  expected: Expected;
  /** Whether the journal gets an event. */
  hasEvent: boolean;
  /** How a clearing is marked. */
  flags?: readonly string[];
  /** The refunds that are linked to the purchase; each has an event of its own, after that of the message. */
  links?: readonly string[];
  apply(): void;
}

/** `actual` is the response that was sent; it decides only where the order of adjustments is unknown. */
export function predict(
  card: ModelCard,
  message: Message,
  nowMs: number,
  actual?: ActualResponse,
): Prediction {
  const prediction = locking(card, message, predictAlone(card, message, nowMs, actual));
  const made = MAKES.includes(message.kind) && prediction.hasEvent ? purchaseIdOf(message) : undefined;
  if (made === undefined || !('response' in prediction.expected)) return prediction;
  const links = waitingRefunds(card, made, nowMs);
  const apply = (): void => {
    prediction.apply();
    if (!card.purchases.has(made)) return;
    for (const id of links) (card.refunds.get(id) as ModelRefund).parentId = made;
  };
  return { ...prediction, links: 'type' in message && message.type === 'CREDIT' ? [] : links, apply };
}

/** The first purchase that counts locks the card to its merchant, and the last one that does not any more unlocks it. */
const locking = (card: ModelCard, message: Message, prediction: Prediction): Prediction => ({
  ...prediction,
  apply: () => {
    prediction.apply();
    const { expected } = prediction;
    const isDeclined = 'response' in expected && expected.response['approved'] === false;
    // What does not move the purchase does not lock. An advice moves it, whatever it says.
    const moves = message.kind !== 'refund' && (message.kind === 'advice' || !isDeclined);
    const isMove = prediction.hasEvent && moves;
    if (isMove) relock(card, movedBy(card, message));
  },
});

/** The purchase that a message moves. */
function movedBy({ purchases }: ModelCard, message: Message): string | undefined {
  const clearingId = message.kind === 'reversal' ? message.clearingId : undefined;
  if (clearingId === undefined) return purchaseIdOf(message);
  return [...purchases.keys()].find((id) => purchases.get(id)?.parts.some((part) => part.id === clearingId));
}

function relock(card: ModelCard, purchaseId = ''): void {
  const purchase = card.purchases.get(purchaseId);
  if (usesOf(card) === 0) card.lockedTo = null;
  else if (isUse(purchase)) card.lockedTo ??= purchase?.merchantId?.trim() ?? null;
}

/** The kinds that may make a purchase. */
const MAKES: ReadonlyArray<Message['kind']> = ['authorization', 'advice', 'clearing'];

export const purchaseIdOf = (message: Message): string | undefined =>
  message.kind === 'authorization' ? message.id : message.purchaseId;

function predictAlone(
  card: ModelCard,
  message: Message,
  nowMs: number,
  actual: ActualResponse | undefined,
): Prediction {
  switch (message.kind) {
    case 'authorization':
      return predictAuthorization(card, message, nowMs, actual);
    case 'advice':
      return predictAdvice(card, message, nowMs);
    case 'increment':
      return predictIncrement(card, message, nowMs, actual);
    case 'reversal':
      if (message.clearingId !== undefined) return predictClearingReversal(card, message);
      if (message.refundId !== undefined) return predictRefundReversal(card, message);
      return predictReversal(card, message);
    case 'clearing':
      return predictClearing(card, message, nowMs);
    case 'refund':
      return predictRefund(card, message, nowMs);
  }
}
type ActualResponse = { decline_reason?: string | null; bill_amount?: string };
type Authorized = Authorization | Advice;

const refused = (field: string): Prediction => ({
  expected: { refusedFor: field },
  hasEvent: false,
  apply: () => {},
});

interface Facts {
  card: ModelCard;
  /** The purchase before and after it. */
  before: ModelPurchase | undefined;
  after: ModelPurchase;
  /** An increment repeats neither number nor expiry date. */
  given: { number: string; expiry: string; cvv?: string | undefined; mcc: string };
  today: string;
  nowMs: number;
  /** The whole purchase, and the part of it that would newly count. */
  totalMinor: bigint;
  addedMinor: bigint;
  neededMinor: bigint;
  /** Of the purchase. */
  mode: Mode;
  answer: Answer | undefined;
  isReversed: boolean;
  isClosed: boolean;
  /** The first rule that matches and wants something. */
  ruling: ModelRule | undefined;
  /** The program requires an authentication, and none counts. */
  isUnproven: boolean;
  actual: ActualResponse | undefined;
}

/** Over the limit, and over its temporary raise that has not ended. */
function exceeds(name: LimitName, spentMinor: bigint, { card, addedMinor, nowMs }: Facts): boolean {
  const limit = limitInForce(card, name, nowMs);
  return addedMinor > 0n && limit !== null && spentMinor + addedMinor > limit;
}

/** The contract's tables of sections 4 and 9, the first match decides. */
const TABLE: ReadonlyArray<
  readonly [reason: string, code: string, networkCode: string, applies: (facts: Facts) => boolean]
> = [
  ['card_blocked', 'R8', '62', ({ card }) => card.status === 'BLOCKED'],
  ['invalid_card_number', '14', '14', ({ card, given }) => given.number !== card.number],
  ['card_frozen', 'R1', '62', ({ card }) => card.status === 'FROZEN'],
  ['card_expired', '54', '54', ({ card, today }) => today > card.expiryDate],
  ['expiry_mismatch', '54', '54', ({ card, given }) => !card.expiryDate.startsWith(`${given.expiry}-`)],
  ['cvv_mismatch', 'N7', 'N7', ({ card, given }) => given.cvv !== undefined && given.cvv !== card.cvv],
  ['card_not_valid_now', 'R25', '62', ({ card, nowMs }) => !isValidAt(card.usage, nowMs)],
  ['card_used', 'R24', '62', isUsedUp],
  ['merchant_locked', 'R21', '57', isElsewhere],
  ['merchant_category_not_allowed', 'R19', '57', ({ card, given }) => !mayBuyAt(card.limits, given.mcc)],
  ['rule_declined', 'R20', '57', ({ ruling }) => ruling?.action === 'DECLINE'],
  [
    'authentication_required',
    '1A',
    '1A',
    ({ isUnproven, ruling }) => isUnproven || ruling?.action === 'REQUIRE_AUTHENTICATION',
  ],
  ['transaction_limit', 'R7', '61', (f) => exceeds('transactionLimit', f.totalMinor - f.addedMinor, f)],
  ['daily_limit', 'R6', '61', (f) => exceeds('dailyLimit', countedIn(f.card, f.today), f)],
  [
    'card_limit',
    'R13',
    '61',
    (f) =>
      exceeds('monthlyLimit', countedIn(f.card, f.today.slice(0, 7)), f) ||
      exceeds('allTimeLimit', countedIn(f.card, ''), f),
  ],
  ['insufficient_funds', '51', '51', lacksFunds],
  ['program_balance', 'R10', '51', lacksMaster],
  ['already_reversed', '12', '12', ({ isReversed }) => isReversed],
  ['hold_closed', '12', '12', ({ isClosed }) => isClosed],
  ['program_insufficient_funds', '5E', '51', isDeclinedFor('insufficient_funds')],
  ['program_limit', '61', '61', isDeclinedFor('limit_exceeded')],
  ['program_merchant', '57', '57', isDeclinedFor('merchant_not_allowed')],
  ['program_fraud', '59', '59', isDeclinedFor('suspected_fraud')],
  ['program_declined', '05', '05', ({ answer }) => answer?.outcome === 'declined'],
  ['decision_timeout', 'R17', '91', isFailedBy('timeout')],
  ['decision_unavailable', 'R18', '91', isFailedBy('unreachable', 'paused')],
  ['decision_invalid', 'R12', '96', isFailedBy('invalid')],
];

/** The reason, its code for the merchant and its code for the network, in the order in which they are checked. */
export const PREDICTED_DECLINES = TABLE.map(
  ([reason, code, networkCode]) => [reason, code, networkCode] as const,
);

const AMOUNTS = ['transaction_limit', 'daily_limit', 'card_limit', 'insufficient_funds', 'program_balance'];

function isDeclinedFor(reason: string): (facts: Facts) => boolean {
  return ({ answer }) => answer?.outcome === 'declined' && answer.reason === reason;
}

/** Without an answer, unless the rule of the endpoint says what else decides. */
function isFailedBy(...outcomes: Array<Answer['outcome']>): (facts: Facts) => boolean {
  return ({ answer, card, mode, today, totalMinor, addedMinor }) => {
    if (!answer || answer.onFailure === null || !outcomes.includes(answer.outcome)) return false;
    const { onFailure, standIn } = answer;
    // A purchase whose balance the merchant keeps has no funds by which STANDARD could decide.
    if (onFailure === 'STANDARD') return mode === 'REAL_TIME';
    if (onFailure === 'DECLINE') return true;
    if (!standIn || totalMinor > standIn.transactionLimit) return true;
    return countedIn(card, today) + addedMinor > standIn.dailyLimit;
  };
}

const isAnswered = ({ outcome }: Answer): boolean => outcome === 'approved' || outcome === 'declined';

/** The mode of a new purchase. */
function modeOf({ terms }: ModelCard, answer: Answer | undefined): Mode {
  if (!answer) return terms.authorizationMode;
  return answer.onFailure === 'STANDARD' && !isAnswered(answer) ? 'STANDARD' : answer.mode;
}

/** The program must cover the purchase in every mode. */
function lacksMaster({ card, neededMinor }: Facts): boolean {
  if (neededMinor <= 0n || !card.terms.enforceMasterBalance) return false;
  return neededMinor > (programBalances([card], card.terms)['master'] as bigint);
}

const isValidAt = (usage: Usage | null, nowMs: number): boolean =>
  (usage?.fromMs ?? -Infinity) <= nowMs && nowMs < (usage?.untilMs ?? Infinity);

/** What is held newly, of a purchase that does not count yet. */
function isUsedUp({ card, before, addedMinor }: Facts): boolean {
  const most = card.usage?.purchases ?? Infinity;
  return addedMinor > 0n && !isUse(before) && usesOf(card) >= most;
}

function isElsewhere({ card, before, after }: Facts): boolean {
  const merchants = card.usage?.merchants ?? null;
  const allowed = merchants === 'FIRST' ? card.lockedTo && [card.lockedTo] : merchants;
  return allowed !== null && !isUse(before) && !allowed.includes(after.merchantId?.trim() ?? '');
}

function lacksFunds({ card, neededMinor, mode, actual }: Facts): boolean {
  if (neededMinor <= 0n || mode === 'REAL_TIME') return false;
  if (card.areFundsUncertain) return actual?.decline_reason === 'insufficient_funds';
  return neededMinor > availableOf(card);
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

/**
 * What the authentication of a message covers: once, on its card, at its merchant, in its currency, for its days and up to
 * its amount. A purchase that names the first one shares it with all that use it.
 */
function coverOf(card: ModelCard, message: Authorized, today: string): Cover {
  const { authentication: given, currency, amount, merchantId, splitOf } = message;
  const id = purchaseIdOf(message) as string;
  if (!given || message.type === 'CREDIT') return null;
  if ('eci' in given) return /^0?[25]$/.test(given.eci) ? 'any' : 'none';
  const known = card.authentications.get(given.id);
  if (!known?.isAuthenticated || !known.isOwn || known.currency !== currency) return 'none';
  const lastDay = dayOf(known.completedMs + (card.terms.authenticationDays ?? 90) * 86_400_000);
  if (known.merchantId !== merchantId || today > lastDay) return 'none';
  const others = known.usedBy.filter((purchaseId) => purchaseId !== id);
  if (splitOf === undefined ? others.length > 0 : !others.includes(splitOf)) return 'none';
  return digitsOf(amount) + otherShares(card, given.id, id) > known.amountMinor ? 'none' : known.amountMinor;
}

/** What the other purchases take of an authentication. */
const otherShares = ({ authentications, purchases }: ModelCard, id: string | null, own: string): bigint =>
  sum(
    (authentications.get(id ?? '')?.usedBy ?? [])
      .filter((purchaseId) => purchaseId !== own)
      .map((purchaseId) => {
        const purchase = purchases.get(purchaseId);
        return purchase ? shareOf(purchase) : 0n;
      }),
  );

const isCovered = (cover: Cover, amountMinor: bigint): boolean =>
  cover === 'any' || (typeof cover === 'bigint' && amountMinor <= cover);

/** What the regulation leaves out: the merchant pays itself, or the program accepts the exemption. */
const isExempt = ({ allowedExemptions = [] }: Terms, { initiator, exemption }: MessageData): boolean =>
  initiator === 'MERCHANT' ||
  (exemption !== undefined && exemption !== 'NONE' && allowedExemptions.includes(exemption));

/** Not authenticated, though the program requires it, or though the merchant approved it as authenticated. */
const isUnproven = (
  { terms }: ModelCard,
  { channel, data }: Pick<ModelPurchase, 'channel' | 'data'>,
  billMinor: bigint,
  covered: boolean,
  answer: Answer | undefined,
): boolean => {
  if (covered) return false;
  const above = terms.requireAuthenticationAboveMinor ?? null;
  const relied = answer?.authenticated === true && answer.outcome === 'approved';
  const isRequired = channel === 'ECOMMERCE' && above !== null && billMinor > above;
  return relied || (isRequired && !isExempt(terms, data));
};

/** Of the active rules that match, the first one that wants something of this purchase. A flag wants nothing. */
function rulingOf(
  card: ModelCard,
  id: string,
  after: ModelPurchase,
  { channel, mcc, type, data }: Pick<ModelPurchase, 'channel' | 'mcc' | 'type' | 'data'>,
  billMinor: bigint,
  covered: boolean,
  nowMs: number,
): ModelRule | undefined {
  const { terms } = card;
  const isOnline = channel === 'ECOMMERCE' && type !== 'BALANCE_INQUIRY';
  const mayProve = isOnline && !covered && !isExempt(terms, data);
  const purchases = new Map(card.purchases).set(id, after);
  const isCounted = (rule: ModelRule) =>
    !rule.velocity ||
    (billMinor > 0n && velocityOf(card, purchases, rule, after.merchantId, nowMs) > rule.velocity.above);
  const matching = (terms.rules ?? []).filter(
    (rule) => rule.status === 'ACTIVE' && rule.mcc === mcc && billMinor > rule.aboveMinor && isCounted(rule),
  );
  return matching.find(
    ({ action }) => action === 'DECLINE' || (action === 'REQUIRE_AUTHENTICATION' && mayProve),
  );
}

/** An account check counts nowhere. */
function noteDecline(
  card: ModelCard,
  transactionId: string,
  billMinor: bigint,
  nowMs: number,
  rule?: ModelRule,
): void {
  if (billMinor > 0n) card.declines.push({ transactionId, atMs: nowMs, rule });
}

const BY_RULES: ReadonlyArray<string | null> = ['rule_declined', 'authentication_required'];

/** The purchase if this amount of an authorization is approved. */
function approvedPurchase(
  card: ModelCard,
  message: Authorized,
  billMinor: bigint,
  nowMs: number,
  answer?: Answer,
): ModelPurchase {
  const cleared = card.purchases.get(purchaseIdOf(message) as string);
  const wanted = newPurchase(card.terms, { ...message, billMinor }, message.channel, nowMs);
  wanted.mode = modeOf(card, answer);
  wanted.cover = coverOf(card, message, dayOf(nowMs));
  wanted.authenticationId = countingId(message, wanted.cover);
  // Of a part, rounded down, and never nothing.
  if (billMinor < message.billMinor)
    wanted.amountMinor = (wanted.amountMinor * billMinor) / message.billMinor || 1n;
  wanted.heldMinor = billMinor;
  wanted.heldAmountMinor = wanted.amountMinor;
  wanted.approvedDay = dayOf(nowMs);
  if (cleared) {
    const { createdMs, final, fxBps, mode } = cleared;
    // What came first stays: the authorization fills what the clearing did not say.
    if (cleared.channel !== null)
      Object.assign(wanted, { channel: cleared.channel, atmMinor: cleared.atmMinor });
    const data = mergedData(cleared.data, message.data);
    const mcc = cleared.mcc || message.mcc;
    wanted.merchantId = cleared.merchantId ?? wanted.merchantId;
    const isOver = final || isOutlived(card, { createdMs, mcc, data }, nowMs);
    const heldMinor = isOver ? 0n : orNone(billMinor - clearedMinor(cleared));
    const heldAmountMinor = amountBeside(cleared, wanted, heldMinor);
    const { parts, clearedIn, counted, countedMs, flags } = copyOf(cleared);
    flags.delete('no_authorization');
    Object.assign(wanted, { createdMs, final, fxBps, mode, data, mcc, heldMinor, heldAmountMinor });
    Object.assign(wanted, { parts, clearedIn, counted, countedMs, flags });
  }
  if (message.billMinor > 0n) countOn(wanted, countingKey(dayOf(nowMs), nowMs), wanted.heldMinor);
  return wanted;
}

const countingId = ({ authentication }: Authorized, cover: Cover): string | null =>
  hasCover(cover) && authentication && 'id' in authentication ? authentication.id : null;

/** What is held beside what has cleared, in the merchant's currency; in proportion, where it cleared in another. */
function amountBeside(
  { clearedIn }: ModelPurchase,
  { requestedMinor, amountMinor, currency, isForeign }: ModelPurchase,
  heldMinor: bigint,
): bigint {
  if (heldMinor === requestedMinor) return amountMinor;
  if (!isForeign || heldMinor === 0n) return heldMinor;
  if (clearedIn?.currency === currency) return orNone(amountMinor - clearedIn.amountMinor);
  return (amountMinor * heldMinor) / requestedMinor;
}

/** What came before the authorization of a purchase. */
const earlyOf = ({ early }: ModelCard, id: string): Early => early.get(id) ?? { refunds: [] };

const isReversedEarly = ({ reversedMinor, isTimedOut }: Early): boolean =>
  reversedMinor !== undefined || isTimedOut === true;

/** What an early reversal leaves of an advice; one after a time-out undoes nothing of it. */
const leftOf = ({ reversedMinor }: Early, billMinor: bigint): bigint =>
  reversedMinor === 'all' ? 0n : orNone(billMinor - (reversedMinor ?? 0n));

const LINKED_WITHIN_MS = 31 * 86_400_000;

/** The refunds that came before the purchase that they name. */
const waitingRefunds = (card: ModelCard, id: string, nowMs: number): string[] =>
  earlyOf(card, id).refunds.filter((refundId) => {
    const { parentId, createdMs, isCredit } = card.refunds.get(refundId) as ModelRefund;
    return parentId === null && !isCredit && nowMs - createdMs <= LINKED_WITHIN_MS;
  });

/** The facts of a decision about a purchase after it, beside what it was before. */
function factsOf(
  card: ModelCard,
  given: Facts['given'],
  before: ModelPurchase | undefined,
  after: ModelPurchase,
  rest: Pick<
    Facts,
    'today' | 'nowMs' | 'actual' | 'answer' | 'addedMinor' | 'totalMinor' | 'isUnproven' | 'ruling'
  >,
): Facts {
  const neededMinor = takenOf(after) - (before ? takenOf(before) : 0n);
  const closed = { isReversed: false, isClosed: false };
  return { card, before, after, given, neededMinor, mode: after.mode, ...closed, ...rest };
}

/**
 * The merchant decides once, on what every guard lets pass and what holds money, unless the purchase is made in
 * `STANDARD`.
 */
function requestFor(
  before: ModelPurchase | undefined,
  after: ModelPurchase,
  billMinor: bigint,
  answer: Answer | undefined,
  authenticated: boolean | null,
  isInquiry = false,
): Prediction | undefined {
  const isBalance = isInquiry && after.mode === 'REAL_TIME';
  if (after.mode === 'STANDARD' || answer || (after.heldMinor === 0n && !isBalance)) return undefined;
  const [fees, feesBefore] = [feesOf(after), before ? feesOf(before) : { fxMinor: 0n, atmMinor: 0n }];
  const request = {
    mode: after.mode,
    billMinor,
    fxMinor: fees.fxMinor - feesBefore.fxMinor,
    atmMinor: fees.atmMinor - feesBefore.atmMinor,
    holdMinor: takenOf(after) - (before ? takenOf(before) : 0n),
    authenticated,
    isBalance,
  };
  return { expected: { request }, hasEvent: false, apply: () => {} };
}

/** The fields of a response that say how it was decided. */
function decisionOf(card: ModelCard, hit: (typeof TABLE)[number] | undefined, approvedCode = '00') {
  const [decline_reason = null, decline_code = null, networkCode = approvedCode] = hit ?? [];
  const network_code = decline_reason === 'card_blocked' ? blockCode(card.blockReason) : networkCode;
  return { approved: !hit, decline_reason, decline_code, network_code };
}

function predictAuthorization(
  card: ModelCard,
  message: Authorization,
  nowMs: number,
  actual: ActualResponse | undefined,
): Prediction {
  const known = creditIn(card, message.id) ?? card.purchases.get(message.id);
  if (isOther(known, message)) return refused('external_transaction_id');
  if (known?.advice) return outcomeOfAdvice(card, message, known);
  if (message.type === 'CREDIT') return predictCredit(card, message, nowMs);
  const today = dayOf(nowMs);
  const clearedFirst = card.purchases.get(message.id);
  const { answer, data = {} } = message;
  const isReversed = isReversedEarly(earlyOf(card, message.id));
  const isInquiry = message.type === 'BALANCE_INQUIRY';
  const requested = approvedPurchase(card, message, message.billMinor, nowMs, answer);
  const own = { channel: message.channel, data };
  // By the requested amount, also where a part of it is approved.
  const seen = { ...requested, data };
  const covered = hasCover(requested.cover);
  const ruling = rulingOf(card, message.id, requested, seen, message.billMinor, covered, nowMs);
  const consider = (billMinor: bigint) => {
    const wanted = approvedPurchase(card, message, billMinor, nowMs, answer);
    const unproven = isUnproven(card, own, message.billMinor, hasCover(wanted.cover), answer);
    const amounts = { addedMinor: wanted.heldMinor, totalMinor: billMinor };
    const rest = { today, nowMs, actual, answer, ...amounts, isUnproven: unproven, ruling };
    const facts = { ...factsOf(card, message, clearedFirst, wanted, rest), isReversed };
    return { wanted, hit: TABLE.find(([, , , applies]) => applies(facts)) };
  };
  const offeredMinor = offeredOf(message);
  const whole = consider(offeredMinor);
  const isShort = message.partial && whole.hit && AMOUNTS.includes(whole.hit[0]);
  const actualPart = actualPartOf(card, message, actual);
  const part =
    actualPart !== undefined
      ? consider(actualPart)
      : isShort
        ? partFor(clearedFirst, offeredMinor, consider)
        : undefined;
  const { wanted, hit } = part ?? whole;
  const authenticated = wanted.cover === null ? null : hasCover(wanted.cover);
  const request = hit
    ? undefined
    : requestFor(clearedFirst, wanted, wanted.requestedMinor, answer, authenticated, isInquiry);
  if (request) return request;
  const reason = hit?.[0] ?? null;
  const status = hit ? 'DECLINED' : statusOf(wanted);
  const response = {
    ...decisionOf(card, hit, wanted.requestedMinor < message.billMinor ? '10' : '00'),
    status,
    ...moneyOf(hit ? asked(message) : wanted),
    ...(isInquiry && !hit && shownBalance(card, wanted.mode, answer)),
  };
  const apply = (): void => {
    card.answered.add(message.id);
    noteEntries(card, message, reason, nowMs);
    const rule = BY_RULES.includes(reason) ? ruling : undefined;
    if (hit) noteDecline(card, message.id, message.billMinor, nowMs, rule);
    if (!hit) approve(card, message, { ...wanted, status });
    else decline(card, message, wanted, reason);
  };
  return { expected: { response }, hasEvent: true, apply };
}

/** Of the card, or as the merchant says: without its answer, none. */
function shownBalance(card: ModelCard, mode: Mode, answer: Answer | undefined) {
  if (mode === 'REAL_TIME')
    return {
      available_amount: answer?.availableMinor === undefined ? undefined : decimal(answer.availableMinor),
    };
  return card.areFundsUncertain ? {} : { available_amount: decimal(availableOf(card)) };
}

/** The id is that of another kind of transaction. */
const isOther = (known: ModelPurchase | ModelRefund | undefined, { type }: Authorized): boolean =>
  known !== undefined && (type === 'CREDIT' ? !('isCredit' in known && known.isCredit) : 'isCredit' in known);

/** The amounts of a response, in both currencies. */
const moneyOf = ({ requestedMinor, amountMinor, currency }: Asked) => ({
  bill_amount: decimal(requestedMinor),
  amount: decimal(amountMinor),
  currency,
});
type Asked = Pick<ModelPurchase, 'requestedMinor' | 'amountMinor' | 'currency'>;
const asked = ({ billMinor, amount, currency }: Authorized | Increment): Asked => ({
  requestedMinor: billMinor,
  amountMinor: digitsOf(amount),
  currency,
});

/** The network has decided: a request that comes after its advice moves nothing. */
function outcomeOfAdvice(
  card: ModelCard,
  message: Authorization,
  known: ModelPurchase | ModelRefund,
): Prediction {
  const { advice, status } = known;
  const isApproved = advice?.approved === true;
  // Without later increments. Of a credit, a reversal leaves less.
  const advised = { bill_amount: decimal(advice?.billMinor ?? 0n), amount: advice?.amount };
  const money = 'isCredit' in known ? moneyOf(known) : advised;
  const response = {
    ...adviceView(isApproved),
    status: isApproved ? status : 'DECLINED',
    ...(isApproved ? money : moneyOf(asked(message))),
  };
  const apply = () => void card.answered.add(message.id);
  return { expected: { response }, hasEvent: false, apply };
}

const adviceView = (approved: boolean) => ({
  approved,
  decline_reason: approved ? null : 'stand_in_declined',
  decline_code: approved ? null : 'R14',
  network_code: approved ? '00' : '05',
});

/** Money that has cleared is spent, even if its late authorization is declined. */
function decline(card: ModelCard, message: Authorized, wanted: ModelPurchase, reason: string | null): void {
  const id = purchaseIdOf(message) as string;
  const known = card.purchases.get(id);
  if (!known) card.purchases.set(id, declinedPurchase(message, wanted, reason));
  else
    Object.assign(known, {
      declineReason: reason,
      channel: known.channel ?? message.channel,
      mcc: known.mcc || message.mcc,
      merchantId: known.merchantId ?? message.merchantId ?? null,
      data: mergedData(known.data, message.data),
      cover: wanted.cover,
      authenticationId: wanted.authenticationId,
    });
}

/** A credit, by its own id. */
const creditIn = ({ refunds, credits }: ModelCard, id: string): ModelRefund | undefined =>
  refunds.get(credits.get(id) ?? id);

const CREDIT_REASONS = ['card_blocked', 'card_expired', 'already_reversed'];

/** An online refund or a push to the card: nothing is held, and the refund that names it moves the money. */
function predictCredit(card: ModelCard, message: Authorization, nowMs: number): Prediction {
  const isReversed = isReversedEarly(earlyOf(card, message.id));
  const facts = { card, today: dayOf(nowMs), isReversed } as Facts;
  const hit = TABLE.find(([reason, , , applies]) => CREDIT_REASONS.includes(reason) && applies(facts));
  const { credit, refundId } = creditOf(card, message, !hit, nowMs);
  credit.declineReason = hit?.[0] ?? null;
  const response = {
    ...decisionOf(card, hit),
    status: credit.status,
    ...moneyOf(hit ? asked(message) : credit),
  };
  const apply = (): void => {
    card.answered.add(message.id);
    if (hit) noteDecline(card, refundId, message.billMinor, nowMs);
    card.refunds.set(refundId, credit);
    if (refundId !== message.id) card.credits.set(message.id, refundId);
  };
  return { expected: { response }, hasEvent: true, apply };
}

/** The transaction of a credit: that of the refund, if it came first. */
function creditOf(card: ModelCard, message: Authorized, isApproved: boolean, nowMs: number) {
  const id = purchaseIdOf(message) as string;
  const [waiting] = isApproved ? waitingRefunds(card, id, nowMs) : [];
  const refund = waiting === undefined ? undefined : copyOf(card.refunds.get(waiting) as ModelRefund);
  const credit = refund ?? newRefund(card.terms, message, message.channel, nowMs);
  credit.isCredit = true;
  credit.type = 'CREDIT';
  credit.data = refund ? { ...message.data, ...refund.data } : (message.data ?? {});
  if (!refund) credit.status = !isApproved ? 'DECLINED' : message.billMinor > 0n ? 'PENDING' : 'VOID';
  return { credit, refundId: waiting ?? id };
}

const hasCover = (cover: Cover): boolean => cover !== null && cover !== 'none';

/** An approved amount uses the authentication up that counts for it. */
function approve(card: ModelCard, message: Authorized, purchase: ModelPurchase): void {
  const { authentication } = message;
  const id = purchaseIdOf(message) as string;
  card.purchases.set(id, purchase);
  if (!authentication || !('id' in authentication) || !hasCover(purchase.cover)) return;
  if (purchase.amountMinor === 0n) return;
  const known = card.authentications.get(authentication.id);
  if (known && !known.usedBy.includes(id)) known.usedBy = [...known.usedBy, id];
}

/** The merchant may approve less than requested, and no more. */
const offeredOf = ({ billMinor, answer }: Authorization): bigint =>
  answer?.outcome === 'approved' ? (answer.approvedMinor ?? answer.requestedMinor) : billMinor;

const declinedPurchase = (
  { billMinor, amount }: Authorized,
  wanted: ModelPurchase,
  declineReason: string | null,
): ModelPurchase => ({
  ...wanted,
  requestedMinor: billMinor,
  amountMinor: digitsOf(amount),
  status: 'DECLINED',
  heldMinor: 0n,
  heldAmountMinor: 0n,
  approvedDay: null,
  declineReason,
  counted: new Map(),
  countedMs: null,
});

/** Where funds are uncertain: the part that was approved. */
function actualPartOf(
  card: ModelCard,
  message: Authorization,
  actual: ActualResponse | undefined,
): bigint | undefined {
  if (!card.areFundsUncertain || !message.partial || actual?.decline_reason !== null) return undefined;
  const partMinor = BigInt((actual.bill_amount ?? '0').replace('.', ''));
  return partMinor > 0n && partMinor < message.billMinor ? partMinor : undefined;
}

/** The largest amount that is approved: found by halving. */
function partFor(
  already: ModelPurchase | undefined,
  mostMinor: bigint,
  consider: (billMinor: bigint) => { wanted: ModelPurchase; hit: (typeof TABLE)[number] | undefined },
) {
  let [low, high] = [already ? clearedMinor(already) : 0n, mostMinor];
  const isShort = (billMinor: bigint) => AMOUNTS.includes(consider(billMinor).hit?.[0] ?? '');
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isShort(middle)) high = middle;
    else low = middle;
  }
  const found = consider(low);
  return found.wanted.heldMinor > 0n && !isShort(low) ? found : undefined;
}

/** The network's last word: what it approved is held, whatever the card allows and whatever we had answered. */
function predictAdvice(card: ModelCard, message: Advice, nowMs: number): Prediction {
  const { purchaseId, approved, billMinor, amount } = message;
  const known = creditIn(card, purchaseId) ?? card.purchases.get(purchaseId);
  if (isOther(known, message)) return refused('external_transaction_id');
  const view = adviceView(approved);
  const advice = { approved, billMinor, amount, networkCode: view.network_code };
  // Money that has cleared is not declined.
  const reasonOf = (known: ModelPurchase | ModelRefund) =>
    clearedMinor(known) > 0n ? null : view.decline_reason;
  // Once the request or an advice is here, a reversal is not early any more.
  const isFirst = !known?.advice;
  const early = isFirst ? earlyOf(card, purchaseId) : { refunds: [] };
  const expected = (status: string, money: Asked) => ({
    response: {
      ...view,
      status: approved ? status : 'DECLINED',
      ...moneyOf(approved ? money : asked(message)),
    },
  });
  if (message.type === 'CREDIT') {
    const { credit, refundId } = known
      ? {
          credit: advisedCredit(copyOf(known as ModelRefund), message, nowMs),
          refundId: card.credits.get(purchaseId) ?? purchaseId,
        }
      : creditOf(card, message, approved, nowMs);
    if (!known && credit.status === 'PENDING' && leftOf(early, billMinor) === 0n) credit.status = 'VOID';
    Object.assign(credit, { advice, declineReason: reasonOf(credit) });
    const apply = (): void => {
      if (!approved && !known) noteDecline(card, refundId, billMinor, nowMs);
      card.refunds.set(refundId, credit);
      if (refundId !== purchaseId) card.credits.set(purchaseId, refundId);
    };
    return { expected: expected(credit.status, credit), hasEvent: true, apply };
  }
  const purchase = known
    ? advisedPurchase(card, copyOf(known as ModelPurchase), message, early, nowMs)
    : newAdvised(card, message, early, nowMs);
  Object.assign(purchase, { advice, declineReason: reasonOf(purchase) });
  const apply = (): void => {
    if (!approved && !known) noteDecline(card, purchaseId, billMinor, nowMs);
    if (approved) approve(card, message, purchase);
    else card.purchases.set(purchaseId, purchase);
  };
  return { expected: expected(purchase.status, purchase), hasEvent: true, apply };
}

function newAdvised(card: ModelCard, message: Advice, early: Early, nowMs: number): ModelPurchase {
  const wanted = approvedPurchase(card, message, message.billMinor, nowMs);
  if (!message.approved) return declinedPurchase(message, wanted, null);
  const lessMinor = wanted.heldMinor - leftOf(early, wanted.heldMinor);
  giveBack(wanted, lessMinor);
  release(wanted, lessMinor);
  return { ...wanted, status: statusOf(wanted) };
}

/** A purchase that we know: what has cleared is not held again, and increments are in the advice's amount. */
function advisedPurchase(
  card: ModelCard,
  purchase: ModelPurchase,
  message: Advice,
  early: Early,
  nowMs: number,
): ModelPurchase {
  const { billMinor, amount, currency, approved } = message;
  fill(card, purchase, message);
  const cover = coverOf(card, message, dayOf(nowMs));
  if (cover !== null) Object.assign(purchase, { cover, authenticationId: countingId(message, cover) });
  for (const increment of purchase.increments.values()) increment.isAdvised = true;
  const clearedFirst = clearedMinor(purchase);
  if (!approved) {
    giveBack(purchase, purchase.heldMinor);
    release(purchase, purchase.heldMinor);
    const status = clearedFirst > 0n ? statusOf(purchase) : 'DECLINED';
    return { ...purchase, status, approvedDay: clearedFirst > 0n ? purchase.approvedDay : null };
  }
  const heldMinor = purchase.final ? 0n : leftOf(early, orNone(billMinor - clearedFirst));
  const moreMinor = heldMinor - purchase.heldMinor;
  const money = { requestedMinor: billMinor, amountMinor: digitsOf(amount), currency };
  Object.assign(purchase, money, { isForeign: currency !== card.terms.currency });
  purchase.heldAmountMinor = amountBeside(purchase, purchase, heldMinor);
  purchase.heldMinor = heldMinor;
  if (moreMinor < 0n) giveBack(purchase, -moreMinor);
  else if (billMinor > 0n && (moreMinor > 0n || purchase.approvedDay === null))
    countOn(purchase, countingKey(dayOf(nowMs), nowMs), moreMinor);
  purchase.flags.delete('no_authorization');
  const began = { renewedMs: nowMs, holdEnd: null, approvedDay: purchase.approvedDay ?? dayOf(nowMs) };
  return { ...purchase, ...began, status: statusOf(purchase) };
}

function advisedCredit(credit: ModelRefund, message: Advice, nowMs: number): ModelRefund {
  const { billMinor, amount, currency, approved } = message;
  fill({ terms: undefined }, credit, message);
  const has = clearedMinor(credit) > 0n;
  if (!approved) return { ...credit, status: has ? credit.status : 'DECLINED' };
  const money = { requestedMinor: billMinor, amountMinor: digitsOf(amount), currency };
  return {
    ...credit,
    ...money,
    renewedMs: nowMs,
    status: has ? 'CLEARED' : billMinor > 0n ? 'PENDING' : 'VOID',
  };
}

/** What a message says of the shop, where that is not known yet. */
/** What is said later counts, unless it is not known; a pre-authorization stays one. */
function mergedData(known: MessageData, given: MessageData = {}): MessageData {
  const merged: Record<string, unknown> = { ...known };
  for (const [field, value] of Object.entries(given))
    if (!(field in known) || (value !== null && !(field === 'pre_authorization' && known.pre_authorization)))
      merged[field] = value;
  return merged;
}

function fill(
  { terms }: { terms: Terms | undefined },
  purchase: ModelPurchase | ModelRefund,
  {
    channel,
    mcc,
    merchantId,
    type,
    data,
  }: { channel?: string; mcc?: string; merchantId?: string; type?: string; data?: MessageData },
): void {
  const wasUnknown = purchase.channel === null;
  purchase.channel ??= channel ?? null;
  purchase.mcc ||= mcc ?? '';
  purchase.merchantId ??= merchantId ?? null;
  purchase.type ??= type ?? null;
  purchase.data = mergedData(purchase.data, data);
  if (terms && wasUnknown && 'atmMinor' in purchase) purchase.atmMinor = atmFeeOf(terms, purchase);
}

function predictIncrement(
  card: ModelCard,
  message: Increment,
  nowMs: number,
  actual: ActualResponse | undefined,
): Prediction {
  const { id, purchaseId, amount, billMinor, currency, answer } = message;
  const before = card.purchases.get(purchaseId);
  if (!before) return refused('external_transaction_id');
  if (before.currency !== currency) return refused('currency');
  const today = dayOf(nowMs);
  const after = copyOf(before);
  after.heldMinor += billMinor;
  after.requestedMinor += billMinor;
  after.amountMinor += digitsOf(amount);
  after.heldAmountMinor += digitsOf(amount);
  after.data = mergedData(after.data, message.data);
  after.renewedMs = nowMs;
  after.increments.set(id, { billMinor, openMinor: billMinor, isAdvised: false });
  countOn(after, countingKey(today, nowMs), billMinor, { isIncrement: true });
  // Number and expiry date are those of the card: an increment does not name them.
  const given = { number: card.number, expiry: card.expiryDate.slice(0, 7), mcc: before.mcc };
  const totalMinor = after.heldMinor + clearedMinor(after);
  const sharedMinor = otherShares(card, before.authenticationId, purchaseId);
  const covered = isCovered(before.cover, shareOf(after) + sharedMinor);
  const own = { ...after, data: before.data };
  const unproven = isUnproven(card, own, after.requestedMinor, covered, answer);
  const ruling = rulingOf(card, purchaseId, after, before, after.requestedMinor, covered, nowMs);
  const judged = { isUnproven: unproven, ruling };
  const rest = { today, nowMs, actual, answer, addedMinor: billMinor, totalMinor, ...judged };
  const facts = factsOf(card, given, before, after, rest);
  const closed = { isReversed: card.unraised.has(id), isClosed: before.heldMinor === 0n };
  const hit = TABLE.find(([, , , applies]) => applies({ ...facts, ...closed }));
  const authenticated = before.cover === null ? null : covered;
  const request = hit ? undefined : requestFor(before, after, billMinor, answer, authenticated);
  if (request) return request;
  return {
    expected: {
      response: {
        ...decisionOf(card, hit),
        status: hit ? 'DECLINED' : 'PENDING',
        ...moneyOf(asked(message)),
      },
    },
    hasEvent: true,
    apply: () => {
      card.raised.set(id, purchaseId);
      const rule = BY_RULES.includes(hit?.[0] ?? null) ? ruling : undefined;
      if (hit) noteDecline(card, purchaseId, after.requestedMinor, nowMs, rule);
      else card.purchases.set(purchaseId, after);
    },
  };
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

/** Releases what is held, or what of it an increment has added; after a time-out, only what our own answer holds. */
function predictReversal(card: ModelCard, message: Reversal): Prediction {
  const { purchaseId, incrementId, timedOut = false, billMinor } = message;
  const credit = creditIn(card, purchaseId);
  if (credit) return predictCreditReversal(message, credit);
  const purchase = card.purchases.get(purchaseId);
  if (incrementId !== undefined && purchase && (card.raised.get(incrementId) ?? purchaseId) !== purchaseId)
    return refused('increment_id');
  const remember = (): void => {
    if (incrementId !== undefined && !card.raised.has(incrementId)) card.unraised.add(incrementId);
    // The authorization that may still come must not hold what was reversed.
    if (incrementId === undefined && !card.answered.has(purchaseId) && !purchase?.advice)
      card.early.set(purchaseId, withReversal(earlyOf(card, purchaseId), message));
  };
  if (!purchase)
    return {
      expected: { response: { transaction_id: null, status: 'VOID', bill_amount: decimal(0n) } },
      hasEvent: false,
      apply: remember,
    };
  const mostMinor = reversibleOf(purchase, incrementId, timedOut);
  const released = least(billMinor ?? mostMinor, mostMinor);
  const after = copyOf(purchase);
  const increment = after.increments.get(incrementId ?? '');
  if (increment) increment.openMinor -= released;
  giveBack(after, released);
  release(after, released, released === billMinor ? amountIn(message, after.currency) : undefined);
  if (released > 0n) after.status = statusOf(after);
  if (released > 0n && after.status === 'VOID') after.holdEnd = 'reversed';
  return {
    expected: { response: { status: after.status, bill_amount: decimal(released) } },
    hasEvent: released > 0n,
    apply: () => {
      remember();
      card.purchases.set(purchaseId, after);
    },
  };
}

/** The part that a reversal names, in the merchant's currency. */
const amountIn = ({ amount, currency }: Reversal, own: string): bigint | undefined =>
  amount !== undefined && currency === own ? digitsOf(amount) : undefined;

function withReversal(early: Early, { timedOut, billMinor }: Reversal): Early {
  if (timedOut) return { ...early, isTimedOut: true };
  const { reversedMinor = 0n } = early;
  const isWhole = reversedMinor === 'all' || billMinor === undefined;
  return { ...early, reversedMinor: isWhole ? 'all' : reversedMinor + billMinor };
}

/** The most that a reversal may release. */
function reversibleOf(
  { heldMinor, increments, advice }: ModelPurchase,
  incrementId: string | undefined,
  timedOut: boolean,
): bigint {
  const increment = increments.get(incrementId ?? '');
  if (incrementId !== undefined && !increment) return 0n;
  if (increment) return timedOut && increment.isAdvised ? 0n : least(increment.openMinor, heldMinor);
  if (!timedOut) return heldMinor;
  return advice ? 0n : orNone(heldMinor - sum([...increments.values()].map(({ openMinor }) => openMinor)));
}

/** A credit holds nothing: less of it is expected, or nothing any more. */
function predictCreditReversal(
  { incrementId, timedOut, billMinor }: Reversal,
  credit: ModelRefund,
): Prediction {
  if (!credit.isCredit) return refused('external_transaction_id');
  const { status, requestedMinor, amountMinor, advice } = credit;
  const isOpen = status === 'PENDING' && incrementId === undefined && !(timedOut && advice);
  const mostMinor = isOpen ? requestedMinor : 0n;
  const reversed = least(billMinor ?? mostMinor, mostMinor);
  const isWhole = reversed > 0n && reversed === requestedMinor;
  return {
    expected: { response: { status: isWhole ? 'VOID' : status, bill_amount: decimal(reversed) } },
    hasEvent: reversed > 0n,
    apply: () => {
      if (isWhole) credit.status = 'VOID';
      else if (reversed > 0n) {
        credit.amountMinor -= (amountMinor * reversed) / requestedMinor;
        credit.requestedMinor -= reversed;
      }
    },
  };
}

/** Takes back all or part of a clearing or refund. Returns what, in both currencies. */
function takeBack(part: ModelPart, message: Reversal) {
  const openMinor = openOf(part);
  const billMinor = least(message.billMinor ?? openMinor, openMinor);
  const openAmountMinor = part.amountMinor - part.reversedAmountMinor;
  const inProportion = openMinor && (openAmountMinor * billMinor) / openMinor;
  const namedMinor = amountIn(message, part.currency) ?? inProportion;
  const amountMinor = billMinor === openMinor ? openAmountMinor : least(namedMinor, openAmountMinor);
  if (billMinor > 0n) {
    part.reversedMinor += billMinor;
    part.reversedAmountMinor += amountMinor;
  }
  return { billMinor, amountMinor };
}

/** Less has cleared, in both currencies; nothing: another currency may clear. */
function unclear(
  transaction: ModelPurchase | ModelRefund,
  { currency }: ModelPart,
  amountMinor: bigint,
): void {
  const { clearedIn } = transaction;
  if (clearedMinor(transaction) === 0n) transaction.clearedIn = null;
  else if (clearedIn?.currency === currency) clearedIn.amountMinor -= amountMinor;
  else if (clearedIn) clearedIn.amountMinor = clearedMinor(transaction);
}

/** Takes back all or part of a clearing, with its fees. */
function predictClearingReversal(card: ModelCard, message: Reversal): Prediction {
  const { clearingId } = message;
  const isIt = ({ id }: ModelPart) => id === clearingId;
  const found = [...card.purchases].find(([, { parts }]) => parts.some(isIt));
  if (!found) return refused('clearing_id');
  const [purchaseId, purchase] = found;
  const after = copyOf(purchase);
  const part = after.parts.find(isIt) as ModelPart;
  const { billMinor, amountMinor } = takeBack(part, message);
  giveBack(after, billMinor, part.day);
  if (billMinor > 0n) {
    unclear(after, part, amountMinor);
    after.status = statusOf(after);
    // A late authorization holds again.
    if (clearedMinor(after) === 0n || (part.isFinal && openOf(part) === 0n)) after.final = false;
  }
  return {
    expected: {
      response: { status: after.status, bill_amount: decimal(billMinor), clearing_id: clearingId },
    },
    hasEvent: billMinor > 0n,
    apply: () => card.purchases.set(purchaseId, after),
  };
}

function predictRefundReversal(card: ModelCard, message: Reversal): Prediction {
  const { refundId } = message;
  const isIt = ({ id }: ModelPart) => id === refundId;
  const found = [...card.refunds].find(([, { parts }]) => parts.some(isIt));
  if (!found) return refused('refund_id');
  const [transactionId, refund] = found;
  const after = copyOf(refund);
  const part = after.parts.find(isIt) as ModelPart;
  const { billMinor, amountMinor } = takeBack(part, message);
  if (billMinor > 0n) {
    unclear(after, part, amountMinor);
    after.status = clearedMinor(after) > 0n ? 'CLEARED' : 'VOID';
  }
  return {
    expected: { response: { status: after.status, bill_amount: decimal(billMinor), refund_id: refundId } },
    hasEvent: billMinor > 0n,
    apply: () => card.refunds.set(transactionId, after),
  };
}

/** Adds a clearing or refund, with the interchange that it earns or gives back. */
function addPart(
  transaction: ModelPurchase | ModelRefund,
  message: Clearing | Refund,
  terms: Terms,
  day: string,
  earning: Parameters<typeof isCash>[0] = transaction,
): void {
  const part = partOf(message, terms, day);
  part.interchangeBps = isCash(earning) ? terms.cashInterchangeBps : terms.interchangeBps;
  transaction.parts.push(part);
  transaction.clearedIn ??= { currency: part.currency, amountMinor: 0n };
  // Amounts in several currencies have no sum but in the card's.
  if (transaction.clearedIn.currency === part.currency) transaction.clearedIn.amountMinor += part.amountMinor;
  else transaction.clearedIn = { currency: terms.currency, amountMinor: clearedMinor(transaction) };
}

const partOf = (
  { id, billMinor, amount, currency, data }: Clearing | Refund,
  terms: Terms,
  day: string,
): ModelPart => ({
  id,
  billMinor,
  amountMinor: digitsOf(amount),
  currency,
  isForeign: currency !== terms.currency,
  reversedMinor: 0n,
  reversedAmountMinor: 0n,
  day,
  interchangeBps: 0,
  interchangeMinor: data?.interchange_amount === undefined ? null : digitsOf(data.interchange_amount),
  arn: data?.arn ?? null,
  isFinal: false,
});

/** With the first part of the day on which it was approved. Without an approved amount: now. */
const keyOfClearing = ({ approvedDay, counted }: ModelPurchase, day: string, nowMs: number): string =>
  (approvedDay !== null && [...counted.keys()].sort().find((key) => key.startsWith(approvedDay))) ||
  countingKey(day, nowMs);

function predictClearing(card: ModelCard, message: Clearing, nowMs: number): Prediction {
  const { purchaseId, amount, billMinor, currency } = message;
  if (card.refunds.has(purchaseId) || card.credits.has(purchaseId)) return refused('external_transaction_id');
  const known = card.purchases.get(purchaseId);
  if (!known && message.number === undefined) return refused('card_number');
  const before = known ?? newPurchase(card.terms, { ...message, data: {} }, null, nowMs);
  const purchase = copyOf(before);
  fill(card, purchase, { ...message, data: message.data ?? {} });
  const fromHold = least(before.heldMinor, billMinor);
  const released = message.final ? before.heldMinor - fromHold : 0n;
  const day = before.approvedDay ?? dayOf(nowMs);
  release(purchase, fromHold + released, currency === before.currency ? digitsOf(amount) : undefined);
  purchase.final ||= message.final;
  addPart(purchase, message, card.terms, day);
  if (message.final) (purchase.parts.at(-1) as ModelPart).isFinal = true;
  giveBack(purchase, released);
  if (billMinor > fromHold) countOn(purchase, keyOfClearing(before, day, nowMs), billMinor - fromHold);
  const isNothing = clearedMinor(purchase) === 0n && before.heldMinor === 0n;
  if (!isNothing) purchase.status = statusOf(purchase);
  // Money has moved: it is not declined any more.
  if (before.status === 'DECLINED' && billMinor > 0n) purchase.declineReason = null;
  const flags = flagsOf(card, before, purchase, message);
  for (const flag of flags) purchase.flags.add(flag);
  return {
    expected: { response: { status: purchase.status, bill_amount: decimal(billMinor) } },
    hasEvent: true,
    flags,
    apply: () => card.purchases.set(purchaseId, purchase),
  };
}

const MORE_PERCENT: Record<string, number> = { '5812': 25, '7011': 25, '7512': 25 };

/** What a person should look at in a clearing. */
function flagsOf(
  card: ModelCard,
  before: ModelPurchase,
  after: ModelPurchase,
  { id, amount, currency, data }: Clearing,
): string[] {
  // An account check approves nothing.
  const isApproved =
    before.approvedDay !== null && before.advice?.approved !== false && before.requestedMinor > 0n;
  const percent = Math.max(card.terms.overHoldPercent ?? 20, MORE_PERCENT[after.mcc] ?? 0);
  const isOver = clearedMinor(after) * 100n > after.requestedMinor * BigInt(100 + percent);
  const others = [...card.purchases.values()].flatMap(({ parts }) => parts);
  const isSame = (part: ModelPart) =>
    part.id !== id &&
    openOf(part) > 0n &&
    part.arn === data?.arn &&
    part.amountMinor === digitsOf(amount) &&
    part.currency === currency;
  const marks = {
    no_authorization: !isApproved || before.holdEnd === 'reversed',
    over_hold: isApproved && isOver && after.mcc !== '5542',
    late: before.holdEnd === 'expired',
    after_block: card.status === 'BLOCKED',
    duplicate: data?.arn !== undefined && others.some(isSame),
  };
  return Object.entries(marks).flatMap(([name, is]) => (is ? [name] : []));
}

/** In a transaction of its own, unless a credit has announced it. */
function predictRefund(card: ModelCard, message: Refund, nowMs: number): Prediction {
  const { purchaseId, number, billMinor } = message;
  const credit = purchaseId === undefined ? undefined : creditIn(card, purchaseId);
  if (credit && !credit.isCredit) return refused('external_transaction_id');
  const parent = card.purchases.get(purchaseId ?? '');
  if (!parent && !credit && number === undefined) return refused('card_number');
  const refund = credit ? copyOf(credit) : newRefund(card.terms, message, null, nowMs);
  if (parent) Object.assign(refund, { mode: parent.mode, parentId: purchaseId, channel: parent.channel });
  fill({ terms: undefined }, refund, { ...message, data: message.data ?? {} });
  addPart(refund, message, card.terms, dayOf(nowMs), parent ?? refund);
  refund.status = 'CLEARED';
  refund.declineReason = null;
  const transactionId = credit
    ? (card.credits.get(purchaseId as string) ?? (purchaseId as string))
    : message.id;
  const response = {
    status: 'CLEARED',
    bill_amount: decimal(billMinor),
    external_transaction_id: parent || credit ? purchaseId : null,
  };
  return {
    expected: { response },
    hasEvent: true,
    apply: () => {
      card.refunds.set(transactionId, refund);
      if (purchaseId === undefined || parent || credit) return;
      const early = earlyOf(card, purchaseId);
      card.early.set(purchaseId, { ...early, refunds: [...early.refunds, message.id] });
    },
  };
}

/** Ends what is held or announced because its days are over. Undefined: they are not. */
export function expire(card: ModelCard, purchaseId: string, nowMs: number): bigint | undefined {
  const transaction = creditIn(card, purchaseId) ?? card.purchases.get(purchaseId);
  if (transaction?.status !== 'PENDING' || !isOutlived(card, transaction, nowMs)) return undefined;
  if (!('heldMinor' in transaction)) {
    transaction.status = 'VOID';
    return 0n;
  }
  const released = transaction.heldMinor;
  giveBack(transaction, released);
  release(transaction, released);
  transaction.holdEnd = 'expired';
  transaction.status = statusOf(transaction);
  relock(card);
  return released;
}

/** A clearing or refund of a number that no card has, or the reversal of one: its money is in suspense. */
export function predictUnmatched(
  suspense: Suspense,
  message: Clearing | Refund | Reversal,
  terms: Terms,
  nowMs: number,
): Prediction {
  if (message.kind !== 'reversal') {
    const { kind, id, billMinor } = message;
    const response = { transaction_id: null, status: 'CLEARED', bill_amount: decimal(billMinor) };
    const part = partOf(message, terms, dayOf(nowMs));
    return {
      expected: { response },
      hasEvent: true,
      apply: () => suspense.set(`${kind}/${id}`, { ...part, kind }),
    };
  }
  const { clearingId, refundId } = message;
  const key = clearingId === undefined ? `refund/${refundId}` : `clearing/${clearingId}`;
  const known = suspense.get(key);
  if (!known) return refused(clearingId === undefined ? 'refund_id' : 'clearing_id');
  const after = { ...known };
  const { billMinor } = takeBack(after, message);
  const status = openOf(after) === 0n ? 'VOID' : 'CLEARED';
  return {
    expected: { response: { transaction_id: null, status, bill_amount: decimal(billMinor) } },
    hasEvent: billMinor > 0n,
    apply: () => suspense.set(key, after),
  };
}

export const matches = (expected: Expected, body: Record<string, unknown>): boolean =>
  'response' in expected &&
  Object.entries(expected.response).every(([field, value]) => body[field] === value);
