import {
  availableOf,
  type Cover,
  clearedMinor,
  copyOf,
  countedIn,
  countOn,
  dayOf,
  decimal,
  digitsOf,
  feesOf,
  giveBack,
  isOutlived,
  type Limits,
  lastDay,
  least,
  type Mode,
  type ModelCard,
  type ModelClearing,
  type ModelPurchase,
  newPurchase,
  orNone,
  programBalances,
  shareOf,
  statusOf,
  sum,
  takenOf,
} from './card.ts';
import type { Answer, Authorization, Clearing, Increment, Message, Refund, Reversal } from './messages.ts';

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
  apply(): void;
}

/** `actual` is the response that was sent; it decides only where the order of adjustments is unknown. */
export function predict(
  card: ModelCard,
  message: Message,
  nowMs: number,
  actual?: ActualResponse,
): Prediction {
  switch (message.kind) {
    case 'authorization':
      return predictAuthorization(card, message, nowMs, actual);
    case 'increment':
      return predictIncrement(card, message, nowMs, actual);
    case 'reversal':
      if (message.clearingId !== undefined) return predictClearingReversal(card, message);
      if (message.refundId !== undefined) return predictRefundReversal(card, message);
      return predictReversal(card, message);
    case 'clearing':
      return predictClearing(card, message, nowMs);
    case 'refund':
      return predictRefund(card, message);
  }
}
type ActualResponse = { decline_reason?: string | null; bill_amount?: string };

const refused = (field: string): Prediction => ({
  expected: { refusedFor: field },
  hasEvent: false,
  apply: () => {},
});

interface Facts {
  card: ModelCard;
  /** An increment repeats neither number nor expiry date. */
  given: { number: string; expiry: string; cvv?: string | undefined; mcc: string; id: string };
  today: string;
  nowMs: number;
  /** The whole purchase, and the part of it that would newly count. */
  totalMinor: bigint;
  addedMinor: bigint;
  neededMinor: bigint;
  /** Of the purchase. */
  mode: Mode;
  answer: Answer | undefined;
  isClosed: boolean;
  /** The program requires an authentication, and none counts. */
  isUnproven: boolean;
  actual: ActualResponse | undefined;
}

type LimitName = 'transactionLimit' | 'dailyLimit' | 'monthlyLimit' | 'allTimeLimit';

/** Over the limit, and over its temporary raise that has not ended. */
function exceeds(name: LimitName, spentMinor: bigint, { card, addedMinor, nowMs }: Facts): boolean {
  const { temporaryLimits, [name]: limit } = card.limits;
  const temporary = name === 'allTimeLimit' ? undefined : temporaryLimits[name];
  const limits = [limit, ...(temporary && nowMs < temporary.endsMs ? [temporary.minor] : [])];
  const isOver = (most: bigint | null) => most !== null && spentMinor + addedMinor > most;
  return addedMinor > 0n && limits.every(isOver);
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
  ['merchant_category_not_allowed', 'R19', '57', ({ card, given }) => !mayBuyAt(card.limits, given.mcc)],
  ['authentication_required', '1A', '1A', ({ isUnproven }) => isUnproven],
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
  ['already_reversed', '12', '12', ({ card, given }) => card.reversedEarly.has(given.id)],
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
function coverOf(card: ModelCard, message: Authorization, today: string): Cover {
  const { authentication: given, id, currency, amount, merchantId, splitOf } = message;
  if (!given) return null;
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

/** Not authenticated, though the program requires it, or though the merchant approved it as authenticated. */
const isUnproven = (
  { terms }: ModelCard,
  channel: string | null,
  billMinor: bigint,
  covered: boolean,
  answer: Answer | undefined,
): boolean => {
  if (covered) return false;
  const above = terms.requireAuthenticationAboveMinor ?? null;
  const relied = answer?.authenticated === true && answer.outcome === 'approved';
  return relied || (channel === 'ECOMMERCE' && above !== null && billMinor > above);
};

/** The purchase if this amount of an authorization is approved. */
function approvedPurchase(
  card: ModelCard,
  message: Authorization,
  billMinor: bigint,
  nowMs: number,
): ModelPurchase {
  const cleared = card.purchases.get(message.id);
  const wanted = newPurchase(card.terms, { ...message, billMinor }, message.channel, nowMs);
  if (message.type === 'CASH') wanted.atmMinor = card.terms.atmFeeMinor;
  wanted.mode = modeOf(card, message.answer);
  wanted.cover = coverOf(card, message, dayOf(nowMs));
  const { authentication } = message;
  if (hasCover(wanted.cover) && authentication && 'id' in authentication)
    wanted.authenticationId = authentication.id;
  // Of a part, rounded down, and never nothing.
  if (billMinor < message.billMinor)
    wanted.amountMinor = (wanted.amountMinor * billMinor) / message.billMinor || 1n;
  wanted.heldMinor = billMinor;
  wanted.approvedDay = dayOf(nowMs);
  if (cleared) {
    const { createdMs, final, fxBps, mode } = cleared;
    // What came first stays: the authorization fills what the clearing did not say.
    if (cleared.channel !== null)
      Object.assign(wanted, { channel: cleared.channel, atmMinor: cleared.atmMinor });
    const isOver = final || isOutlived(card, { createdMs, mcc: cleared.mcc || message.mcc }, nowMs);
    const heldMinor = isOver ? 0n : orNone(billMinor - clearedMinor(cleared));
    const { cleared: parts, counted } = copyOf(cleared);
    Object.assign(wanted, { createdMs, final, fxBps, mode, heldMinor, cleared: parts, counted });
  }
  countOn(wanted, wanted.approvedDay, wanted.heldMinor);
  return wanted;
}

/** The facts of a decision about a purchase after it, beside what it was before. */
function factsOf(
  card: ModelCard,
  given: Facts['given'],
  before: ModelPurchase | undefined,
  after: ModelPurchase,
  rest: Pick<Facts, 'today' | 'nowMs' | 'actual' | 'answer' | 'addedMinor' | 'totalMinor' | 'isUnproven'>,
): Facts {
  const neededMinor = takenOf(after) - (before ? takenOf(before) : 0n);
  return { card, given, neededMinor, mode: after.mode, isClosed: false, ...rest };
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
  const today = dayOf(nowMs);
  const clearedFirst = card.purchases.get(message.id);
  const { answer } = message;
  const isInquiry = message.type === 'BALANCE_INQUIRY';
  const consider = (billMinor: bigint) => {
    const wanted = approvedPurchase(card, message, billMinor, nowMs);
    // By the requested amount, also where a part of it is approved.
    const unproven = isUnproven(card, message.channel, message.billMinor, hasCover(wanted.cover), answer);
    const amounts = { addedMinor: wanted.heldMinor, totalMinor: billMinor };
    const rest = { today, nowMs, actual, answer, ...amounts, isUnproven: unproven };
    const facts = factsOf(card, message, clearedFirst, wanted, rest);
    return { wanted, hit: TABLE.find(([, , , applies]) => applies(facts)) };
  };
  if (message.standIn) return predictAdvice(card, message, consider(message.billMinor).wanted);
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
    bill_amount: decimal(hit ? message.billMinor : wanted.requestedMinor),
    ...(isInquiry && !hit && shownBalance(card, wanted.mode, answer)),
  };
  const apply = (): void => {
    noteEntries(card, message, reason, nowMs);
    if (!hit) approve(card, message, { ...wanted, status });
    // Money that has cleared is spent, even if its late authorization is declined.
    else if (clearedFirst)
      Object.assign(clearedFirst, {
        declineReason: reason,
        channel: clearedFirst.channel ?? message.channel,
        mcc: clearedFirst.mcc || message.mcc,
        cover: wanted.cover,
      });
    else card.purchases.set(message.id, declinedPurchase(message, wanted, reason));
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

const hasCover = (cover: Cover): boolean => cover !== null && cover !== 'none';

/** An approved amount uses the authentication up that counts for it. */
function approve(card: ModelCard, { id, authentication }: Authorization, purchase: ModelPurchase): void {
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
  { billMinor, amount }: Authorization,
  wanted: ModelPurchase,
  declineReason: string | null,
): ModelPurchase => ({
  ...wanted,
  requestedMinor: billMinor,
  amountMinor: digitsOf(amount),
  status: 'DECLINED',
  heldMinor: 0n,
  approvedDay: null,
  declineReason,
  counted: new Map(),
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

/** The network stood in: what it approved is held, whatever the card allows. */
function predictAdvice(card: ModelCard, message: Authorization, wanted: ModelPurchase): Prediction {
  const clearedFirst = card.purchases.get(message.id);
  const isApproved = message.standIn?.approved === true;
  if (isApproved && card.reversedEarly.has(message.id)) {
    giveBack(wanted, wanted.heldMinor);
    wanted.heldMinor = 0n;
  }
  const status = isApproved ? statusOf(wanted) : 'DECLINED';
  const reason = isApproved ? null : 'stand_in_declined';
  const decline_code = isApproved ? null : 'R14';
  return {
    expected: { response: { approved: isApproved, status, decline_reason: reason, decline_code } },
    hasEvent: true,
    apply: () => {
      if (isApproved) approve(card, message, { ...wanted, status });
      else if (clearedFirst)
        Object.assign(clearedFirst, {
          declineReason: reason,
          channel: clearedFirst.channel ?? message.channel,
          mcc: clearedFirst.mcc || message.mcc,
          cover: wanted.cover,
        });
      else card.purchases.set(message.id, declinedPurchase(message, wanted, reason));
    },
  };
}

function predictIncrement(
  card: ModelCard,
  { id, purchaseId, amount, billMinor, currency, answer }: Increment,
  nowMs: number,
  actual: ActualResponse | undefined,
): Prediction {
  const before = card.purchases.get(purchaseId);
  if (!before) return refused('external_transaction_id');
  if (before.currency !== currency) return refused('currency');
  const today = dayOf(nowMs);
  const after = copyOf(before);
  after.heldMinor += billMinor;
  after.requestedMinor += billMinor;
  after.amountMinor += digitsOf(amount);
  countOn(after, today, billMinor);
  // Number and expiry date are those of the card: an increment does not name them.
  const given = { number: card.number, expiry: card.expiryDate.slice(0, 7), mcc: before.mcc, id };
  const totalMinor = after.heldMinor + clearedMinor(after);
  const sharedMinor = otherShares(card, before.authenticationId, purchaseId);
  const covered = isCovered(before.cover, shareOf(after) + sharedMinor);
  const unproven = isUnproven(card, before.channel, after.requestedMinor, covered, answer);
  const rest = { today, nowMs, actual, answer, addedMinor: billMinor, totalMinor, isUnproven: unproven };
  const facts = factsOf(card, given, before, after, rest);
  const hit = TABLE.find(([, , , applies]) => applies({ ...facts, isClosed: before.heldMinor === 0n }));
  const authenticated = before.cover === null ? null : covered;
  const request = hit ? undefined : requestFor(before, after, billMinor, answer, authenticated);
  if (request) return request;
  return {
    expected: {
      response: {
        ...decisionOf(card, hit),
        status: hit ? 'DECLINED' : 'PENDING',
        bill_amount: decimal(billMinor),
      },
    },
    hasEvent: true,
    apply: () => {
      if (!hit) card.purchases.set(purchaseId, after);
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

/** Releases what is held. */
function predictReversal(card: ModelCard, { purchaseId, billMinor }: Reversal): Prediction {
  const purchase = card.purchases.get(purchaseId);
  if (!purchase)
    return {
      expected: { response: { transaction_id: null, status: 'VOID', bill_amount: decimal(0n) } },
      hasEvent: false,
      apply: () => card.reversedEarly.add(purchaseId),
    };
  const { heldMinor } = purchase;
  const released = least(billMinor ?? heldMinor, heldMinor);
  const status = released === 0n ? purchase.status : statusOf(purchase, heldMinor - released);
  return {
    expected: { response: { status, bill_amount: decimal(released) } },
    hasEvent: released > 0n,
    apply: () => {
      giveBack(purchase, released);
      purchase.heldMinor -= released;
      purchase.status = status;
    },
  };
}

/** Takes back all or part of a clearing, with its fees. */
function predictClearingReversal(
  card: ModelCard,
  { purchaseId, clearingId, billMinor }: Reversal,
): Prediction {
  const purchase = card.purchases.get(purchaseId);
  const at = purchase?.cleared.findIndex(({ id }) => id === clearingId) ?? -1;
  if (!purchase || at === -1) return refused('clearing_id');
  const after = copyOf(purchase);
  const part = after.cleared[at] as ModelClearing;
  const openMinor = part.billMinor - part.reversedMinor;
  const takenMinor = least(billMinor ?? openMinor, openMinor);
  part.reversedMinor += takenMinor;
  giveBack(after, takenMinor, part.day);
  if (takenMinor > 0n) after.status = statusOf(after);
  // A late authorization holds again.
  if (takenMinor > 0n && clearedMinor(after) === 0n) after.final = false;
  return {
    expected: {
      response: { status: after.status, bill_amount: decimal(takenMinor), clearing_id: clearingId },
    },
    hasEvent: takenMinor > 0n,
    apply: () => card.purchases.set(purchaseId, after),
  };
}

function predictRefundReversal(card: ModelCard, { refundId = '', billMinor }: Reversal): Prediction {
  const refund = card.refunds.get(refundId);
  if (!refund) return refused('refund_id');
  const openMinor = refund.billMinor - refund.reversedMinor;
  const takenMinor = least(billMinor ?? openMinor, openMinor);
  const status = openMinor === takenMinor ? 'VOID' : 'CLEARED';
  return {
    expected: { response: { status, bill_amount: decimal(takenMinor), refund_id: refundId } },
    hasEvent: takenMinor > 0n,
    apply: () => {
      refund.reversedMinor += takenMinor;
    },
  };
}

function predictClearing(card: ModelCard, message: Clearing, nowMs: number): Prediction {
  const { id, purchaseId, amount, billMinor, currency } = message;
  const known = card.purchases.get(purchaseId);
  if (!known && message.number === undefined) return refused('card_number');
  const before = known ?? newPurchase(card.terms, message, null, nowMs);
  const purchase = copyOf(before);
  if (before.channel === null && message.channel) {
    purchase.channel = message.channel;
    purchase.atmMinor = message.channel === 'ATM' ? card.terms.atmFeeMinor : 0n;
  }
  const fromHold = least(before.heldMinor, billMinor);
  const released = message.final ? before.heldMinor - fromHold : 0n;
  const day = before.approvedDay ?? dayOf(nowMs);
  purchase.heldMinor -= fromHold + released;
  purchase.final ||= message.final;
  purchase.cleared.push({
    id,
    billMinor,
    amountMinor: digitsOf(amount),
    currency,
    isForeign: currency !== card.terms.currency,
    reversedMinor: 0n,
    day,
  });
  giveBack(purchase, released);
  countOn(purchase, day, billMinor - fromHold);
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
  const parent = card.purchases.get(purchaseId ?? '');
  if (!parent && number === undefined) return refused('card_number');
  const mode = parent?.mode ?? card.terms.authorizationMode;
  const response = {
    status: 'CLEARED',
    bill_amount: decimal(billMinor),
    external_transaction_id: parent ? purchaseId : null,
  };
  return {
    expected: { response },
    hasEvent: true,
    apply: () => card.refunds.set(message.id, { billMinor, reversedMinor: 0n, mode }),
  };
}

/** The hold that ends because its days are over; 0 if there is none. */
export function expire(card: ModelCard, purchaseId: string, nowMs: number): bigint {
  const purchase = card.purchases.get(purchaseId);
  if (!purchase || purchase.heldMinor === 0n || !isOutlived(card, purchase, nowMs)) return 0n;
  const released = purchase.heldMinor;
  giveBack(purchase, released);
  purchase.heldMinor = 0n;
  purchase.status = statusOf(purchase);
  return released;
}

export const matches = (expected: Expected, body: Record<string, unknown>): boolean =>
  'response' in expected &&
  Object.entries(expected.response).every(([field, value]) => body[field] === value);
