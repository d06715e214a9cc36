import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert';
import { expect } from 'vitest';
import { type DecisionNeeded, isDecisionNeeded } from '../../../src/authorizations/core/decision-request.ts';
import type {
  AdviceRequest,
  AuthorizationRequest,
  Message as ProductMessage,
} from '../../../src/authorizations/core/message.ts';
import type {
  AnyResponse,
  DecidedResponse,
  RefundResponse,
  Response,
} from '../../../src/authorizations/core/response.ts';
import { decodeResponse, encodeResponse } from '../../../src/authorizations/core/stored-response.ts';
import { shownMoney, type TransactionRecord } from '../../../src/authorizations/core/transaction.ts';
import { keyOf, noChanges } from '../../../src/authorizations/engine/batch-state.ts';
import { usesOf as limitUsesOf } from '../../../src/authorizations/limits/limit-use.ts';
import { dayOf } from '../../../src/kernel/calendar.ts';
import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import { deltasOf, type Transfer } from '../../../src/ledger/transfer.ts';
import {
  presentAuthorization,
  presentClearing,
  presentIncrement,
  presentRefund,
  presentReversal,
} from '../../../src/network/http/present-response.ts';
import type { AuthorizationMode, Program } from '../../../src/programs/program.ts';
import { memoryCounters } from '../../../src/rules/velocity/memory-counters.ts';
import { measured } from '../../../src/rules/velocity/sums.ts';
import * as model from '../../model/card.ts';
import type { Clearing, Message, MessageData, Refund, Reversal } from '../../model/messages.ts';
import {
  type Expected,
  expire as expireModel,
  matches,
  type Prediction,
  predict,
  predictUnmatched,
} from '../../model/predict.ts';
import { numberOf, rulesFor } from '../rules/model-rules.ts';
import {
  CARD_ID,
  NOW_MS,
  someAuthentications,
  someCard,
  someClearing,
  someMerchant,
  someProgram,
  someRequest,
  someTransaction,
} from './authorization-facts.ts';
import { APPROVES, decideWith, type Merchant } from './merchant-decisions.ts';
import {
  type Applied,
  cardIn,
  countingIn,
  ELSEWHERE,
  holdsIn,
  type NetworkRequest,
  purchaseIn,
  type Refused,
  submit,
  transactionsIn,
  type World,
} from './world.ts';

/** The messages of the world, each in the product and in the model. */

const FOREIGN = 'USD';

export function newWorld(
  availableMinor: bigint,
  {
    fundedMinor = 0n,
    rules = [],
    ...terms
  }: Partial<Program> & { fundedMinor?: bigint; rules?: readonly model.ModelRule[] },
  limits: Partial<Record<model.LimitName, bigint>> = {},
  temporaryLimits: model.TemporaryLimits = {},
  usage: model.Usage | null = null,
): World {
  const program = someProgram(terms);
  const own = Object.entries(limits).map(([name, minor]) => [`${name}Minor`, minor]);
  const temporary = Object.entries(temporaryLimits).map(([name, { minor, endsMs }]) => [
    name,
    { amountMinor: minor.toString(), endsMs },
  ]);
  const card = someCard({
    availableMinor,
    lastFour: 'last-four',
    ...Object.fromEntries(own),
    temporaryLimits: Object.fromEntries(temporary),
    usage,
    used: usage && { purchases: 0, lockedTo: null },
  });
  const credentials = { number: 'number-1', cvv: '', expiryDate: card.expiryDate };
  const modelCard = model.newModelCard({ ...program, fundedMinor, rules }, availableMinor, credentials);
  modelCard.limits = { ...modelCard.limits, ...limits, temporaryLimits };
  modelCard.usage = usage;
  const authentications = someAuthentications();
  for (const [id, { cardId, authenticationId, completedAt, ...facts }] of authentications)
    modelCard.authentications.set(id, {
      ...facts,
      isOwn: cardId === CARD_ID,
      completedMs: completedAt?.getTime() ?? 0,
    });
  const loaded = rules.length > 0 ? rulesFor(program, rules) : undefined;
  const elsewhere = { id: ELSEWHERE, externalTransactionId: ELSEWHERE, heldMinor: 0n, heldAmountMinor: 0n };
  return {
    program,
    rules: loaded,
    counting: loaded && loaded.velocities.size > 0 ? memoryCounters(loaded.velocities) : undefined,
    nowMs: NOW_MS,
    state: {
      setting: { program, nowMs: NOW_MS, today: dayOf(NOW_MS) },
      cards: new Map([[CARD_ID, card]]),
      transactions: new Map([[ELSEWHERE, someTransaction(elsewhere)]]),
      missing: new Set(),
      replayed: new Map(),
      messages: new Map(),
      presentments: new Map(),
      presentedArns: [],
      authentications,
      masterMinor: undefined,
      alertSent: false,
      changed: noChanges(),
    },
    current: 'net-1',
    sent: 0,
    model: modelCard,
    suspense: new Map(),
    balances: new Map([
      [ACCOUNTS.master, fundedMinor],
      [ACCOUNTS.funding, -fundedMinor],
      [ACCOUNTS.credit, -availableMinor],
      [CARD_ID, availableMinor],
    ]),
    books: new Map(),
    requests: new Map(),
    newest: undefined,
    seen: new Set(),
  };
}

/** The program changes its mode: what was made before keeps its own. */
export function switchMode(world: World, authorizationMode: AuthorizationMode): void {
  world.program = { ...world.program, authorizationMode };
  world.model.terms = { ...world.model.terms, authorizationMode };
}

export function setStatus(world: World, status: 'ACTIVE' | 'FROZEN' | 'BLOCKED'): void {
  if (world.model.status === 'BLOCKED') return;
  world.state.cards.set(CARD_ID, { ...cardIn(world), status });
  world.model.status = status;
}

/** Another purchase of the card, of which nothing is held any more, uses an authentication. */
export function markUsedElsewhere(world: World, id: string): void {
  for (const known of [world.state.authentications.get(id), world.model.authentications.get(id)])
    if (known?.usedBy.length === 0) known.usedBy = [ELSEWHERE];
}

const networkIdOf = ({ state }: World, transactionId: string): string | undefined =>
  state.transactions.get(transactionId)?.externalTransactionId;

/** The merchant moves the card's credit, never below zero. */
export function adjust(world: World, amountMinor: bigint): void {
  const card = cardIn(world);
  const availableMinor = card.availableMinor + amountMinor;
  if (availableMinor < 0n) return;
  world.state.cards.set(CARD_ID, { ...card, availableMinor });
  world.model.givenMinor.push(amountMinor);
  add(world, CARD_ID, amountMinor);
  add(world, ACCOUNTS.credit, -amountMinor);
}

function add({ balances }: World, accountId: string, minor: bigint): void {
  balances.set(accountId, (balances.get(accountId) ?? 0n) + minor);
}

/** As the network gets it, which is the same when the response comes from its message record. */
function present(request: NetworkRequest, response: AnyResponse): Record<string, unknown> {
  const view = (of: unknown): Record<string, unknown> => {
    if (request.kind === 'authorization' || request.kind === 'advice')
      return presentAuthorization(of as DecidedResponse);
    if (request.kind === 'increment') return presentIncrement(request, of as DecidedResponse);
    if (request.kind === 'reversal') return presentReversal(request, of as Response);
    if (request.kind === 'clearing') return presentClearing(request, of as Response);
    return presentRefund(request, of as RefundResponse);
  };
  const stored = decodeResponse(request.kind, encodeResponse(response as Response));
  deepEqual(view(stored), view(response));
  return view(response);
}

/** Applies a message to the model, and checks the product's response and its effects on card, purchase and ledger. */
function take(
  world: World,
  message: Message,
  request: NetworkRequest,
  applied: Applied | Refused | DecisionNeeded = submit(world, request),
  prediction: Prediction = predict(world.model, message, world.nowMs),
): void {
  const { expected, hasEvent, flags, links = [] } = prediction;
  if (isDecisionNeeded(applied)) throw new Error('no decision was expected');
  if ('refusedFor' in expected || applied.kind === 'refused') {
    const text = applied.kind === 'refused' ? applied.message : 'not refused';
    const right = 'refusedFor' in expected && text.startsWith(`${expected.refusedFor}: `);
    if (!right) expect({ message, text, applied }).toEqual(expected);
    world.seen.add(`${request.kind} refused`);
    return;
  }
  const response = present(request, applied.response);
  if (!matches(expected, response) || hasEvent !== !!applied.event)
    expect({ response, hasEvent: !!applied.event }).toMatchObject({
      response: 'response' in expected ? expected.response : expected,
      hasEvent,
    });
  const linked = applied.links.map(({ data }) => networkIdOf(world, String(data['transaction_id'])));
  deepEqual(linked, [...links]);
  if (flags) deepEqual(applied.event?.data['flags'], flags);
  for (const flag of flags ?? []) world.seen.add(`flag ${flag}`);
  if (links.length > 0) world.seen.add('refund linked');
  noteTemporaryLimits(world, message, expected);
  noteVelocities(world, applied);
  prediction.apply();
  takeEffects(world, applied);
  world.newest = { request, response: applied.response };
}

/** What the rule counts that decided. */
function noteVelocities({ model: { terms }, seen }: World, { event }: Applied): void {
  const matched = (event?.data['rules'] ?? []) as ReadonlyArray<{ name: string; effect: string }>;
  const decisive = matched.find(
    ({ effect }) => effect === 'DECLINED' || effect === 'AUTHENTICATION_REQUIRED',
  );
  const rule = decisive && terms.rules?.[Number(decisive.name.split(' ')[1])];
  if (rule?.velocity) seen.add(`decided by ${rule.velocity.measure}`).add(`decided per ${rule.velocity.per}`);
}

/** Whether a temporary limit decided, and whether one would have if it had not ended. */
function noteTemporaryLimits(
  { model: card, nowMs, seen }: World,
  message: Message,
  expected: Expected,
): void {
  const { temporaryLimits } = card.limits;
  if (Object.keys(temporaryLimits).length === 0) return;
  const isApproved = (outcome: Expected) => 'response' in outcome && outcome.response['approved'] === true;
  const under = (limits: model.TemporaryLimits) =>
    isApproved(
      predict({ ...card, limits: { ...card.limits, temporaryLimits: limits } }, message, nowMs).expected,
    );
  const endless = Object.entries(temporaryLimits).map(([name, own]) => [name, { ...own, endsMs: Infinity }]);
  if (isApproved(expected) && !under({})) seen.add('approved by a temporary limit');
  if (!isApproved(expected) && under(Object.fromEntries(endless)))
    seen.add('declined after a temporary limit ended');
}

function takeEffects(world: World, { transfers, event, links, before }: Applied): void {
  const deltas = deltasOf(transfers);
  const delta = (id: string) => deltas.get(id) ?? 0n;
  const isSound = ({ amountMinor, debitAccountId, creditAccountId, movementId }: Transfer) =>
    amountMinor >= 0n && debitAccountId !== creditAccountId && movementId === event?.id;
  const transaction = world.state.transactions.get(String(event?.data['transaction_id']));
  // The credit follows the master account, except for what was made while the merchant keeps the balances.
  const creditMinor = transaction?.authorizationMode === 'REAL_TIME' ? 0n : delta(ACCOUNTS.master);
  deepEqual(
    {
      unsound: transfers.filter((transfer) => !isSound(transfer)),
      all: model.sum(deltas.values()),
      available: cardIn(world).availableMinor - before.card.availableMinor,
      card: delta(CARD_ID),
      credit: delta(ACCOUNTS.credit),
      holds: delta(ACCOUNTS.holds),
      mode: event?.data['authorization_mode'],
    },
    {
      unsound: [],
      all: 0n,
      available: creditMinor,
      card: creditMinor,
      credit: -creditMinor,
      holds: holdsIn(world) - before.holdsMinor,
      mode: transaction?.authorizationMode,
    },
  );
  for (const [id, amount] of deltas) add(world, id, amount);
  for (const { eventType, data } of event ? [event, ...links] : links)
    if (eventType === 'transaction')
      world.books.set(data['transaction_id'], minorOf(String(data['taken_amount'])));
}

const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Everything that must hold after every message. */
export function expectAgreement(world: World): void {
  const { state, balances, books } = world;
  const card = cardIn(world);
  const accounts = Object.entries(ACCOUNTS).map(([name, id]) => [name, balances.get(id) ?? 0n]);
  const modelled = model.programBalances([world.model], world.model.terms, world.suspense);
  const spent = [card.day, card.day.slice(0, 7), ''].map((period) => model.countedIn(world.model, period));
  const factsIn = (kind: TransactionRecord['kind']) =>
    new Map(transactionsIn(world, kind).map((each) => [each.externalTransactionId, factsOf(world, each)]));
  deepEqual(
    {
      available: card.availableMinor,
      ledger: balances.get(CARD_ID),
      master: (world.model.terms.fundedMinor ?? 0n) - model.sum(books.values()),
      accounts: Object.fromEntries(accounts),
      purchases: factsIn('purchase'),
      refunds: factsIn('refund'),
      uses: usesOf(state.authentications, (id) => networkIdOf(world, id)),
      spent: [card.daySpentMinor, card.monthSpentMinor, card.totalSpentMinor],
      totals: [card.heldMinor, card.refundedMinor],
      used: card.used,
      limits: limitsOf(world),
      velocities: velocitiesOf(world),
    },
    {
      available: model.availableOf(world.model),
      ledger: model.availableOf(world.model),
      master: modelled['master'],
      accounts: modelled,
      purchases: new Map([...world.model.purchases].map(([id, purchase]) => [id, modelFactsOf(purchase)])),
      refunds: new Map([...world.model.refunds].map(([id, refund]) => [id, modelFactsOf(refund)])),
      uses: usesOf(world.model.authentications, (id) => id),
      spent,
      totals: model.heldAndRefunded(world.model),
      used: world.model.usage && { purchases: model.usesOf(world.model), lockedTo: world.model.lockedTo },
      limits: modelLimitsOf(world),
      velocities: modelVelocitiesOf(world),
    },
  );
}

const merchantsIn = ({ model: { purchases, refunds } }: World) => [
  ...new Set([...purchases.values(), ...refunds.values()].map(({ merchantId }) => merchantId)),
];

/** What each velocity counts for each merchant. */
function velocitiesOf(world: World) {
  const counting = countingIn(world);
  if (!counting) return undefined;
  const { counters, subjectsOf } = counting;
  return merchantsIn(world).flatMap((merchantId) =>
    [...counters.velocities].map(([number, velocity]) => {
      const subject = subjectsOf({
        acceptor: merchantId === null ? null : { ...someMerchant, id: merchantId },
      })[velocity.per];
      const counted = counters.sums.get(subject)?.get(number);
      return [merchantId, number, counted ? measured(velocity, counted) : 0n];
    }),
  );
}
function modelVelocitiesOf(world: World) {
  const { model: card, counting, nowMs } = world;
  const counted = (card.terms.rules ?? []).flatMap((rule, index) => (rule.velocity ? [{ rule, index }] : []));
  if (!counting) return undefined;
  return merchantsIn(world).flatMap((merchantId) =>
    counted.map(({ rule, index }) => [
      merchantId,
      numberOf(index),
      model.velocityOf(card, card.purchases, rule, merchantId, nowMs),
    ]),
  );
}

/** What a merchant reads of each limit: `used` and `remaining` are together the limit, whatever message came. */
const limitsOf = (world: World) =>
  Object.entries(limitUsesOf(cardIn(world), world.nowMs)).map(
    ([name, use]) => use && [name, use.limitMinor, use.usedMinor, use.usedMinor + use.remainingMinor],
  );
const modelLimitsOf = ({ model: card, nowMs }: World) => {
  const day = dayOf(nowMs);
  const periods = { dailyLimit: day, monthlyLimit: day.slice(0, 7), allTimeLimit: '' };
  return Object.entries(periods).map(([name, period]) => {
    const limitMinor = model.limitInForce(card, name as keyof typeof periods, nowMs);
    return limitMinor === null ? null : [name, limitMinor, model.countedIn(card, period), limitMinor];
  });
};

const usesOf = (
  authentications: ReadonlyMap<string, { usedBy: readonly string[] }>,
  nameOf: (id: string) => string | undefined,
) => [...authentications].map(([id, { usedBy }]) => [id, usedBy.map(nameOf)]);

const factsOf = (world: World, transaction: TransactionRecord) => ({
  mode: transaction.authorizationMode,
  status: transaction.status,
  reason: transaction.declineReason,
  asked: transaction.billAmountMinor,
  cleared: transaction.clearedMinor,
  shown: shownMoney(transaction),
  own:
    transaction.kind === 'refund'
      ? [networkIdOf(world, transaction.parentId ?? '')]
      : [
          transaction.heldMinor,
          transaction.heldAmountMinor,
          transaction.fxClearedMinor,
          transaction.final,
          transaction.holdEnd,
          [...transaction.flags].sort(),
        ],
});
const modelFactsOf = (transaction: model.ModelPurchase | model.ModelRefund) => ({
  mode: transaction.mode,
  status: transaction.status,
  reason: transaction.declineReason,
  asked: transaction.requestedMinor,
  cleared: model.clearedMinor(transaction),
  shown: model.shownOf(transaction),
  own:
    'isCredit' in transaction
      ? [transaction.parentId ?? undefined]
      : [
          transaction.heldMinor,
          transaction.heldAmountMinor,
          model.sum(transaction.parts.filter((part) => part.isForeign).map(model.openOf)),
          transaction.final,
          transaction.holdEnd,
          [...transaction.flags].sort(),
        ],
});

export interface Start {
  bill: bigint;
  abroad: boolean;
  cash: boolean;
  /** Where it is not cash. */
  online?: boolean;
  mcc?: string;
  /** Absent: that of the authentications. */
  merchantId?: string | undefined;
  /** Of `someAuthentications`, or an unknown one, or an ECI. */
  authentication?: { id: string } | { eci: string } | undefined;
  splitOf?: string | undefined;
  partial?: boolean;
  type?: 'PURCHASE' | 'CASH' | 'BALANCE_INQUIRY' | 'CREDIT';
  /** By a number that the card had before. */
  old?: boolean;
  data?: MessageData;
}

const contentOf = (text: string) => {
  const digest = Buffer.from(text);
  return { digest, matches: (stored: Buffer) => stored.equals(digest) };
};
const contentOfMessage = (message: Message) =>
  contentOf(JSON.stringify(message, (_, value) => (typeof value === 'bigint' ? String(value) : value)));

/** An amount abroad is another number than its bill. */
const moneyOf = (bill: bigint, isAbroad: boolean) => {
  const amountMinor = isAbroad ? (bill * 11n) / 10n : bill;
  return { amountMinor, billAmountMinor: bill, currency: isAbroad ? FOREIGN : 'EUR' };
};
type Money = ReturnType<typeof moneyOf>;
const said = ({ amountMinor, billAmountMinor, currency }: Money) => ({
  amount: model.decimal(amountMinor),
  billMinor: billAmountMinor,
  currency,
});

/** What an authorization or an advice says, for the product and for the model. */
function askFor(start: Start) {
  const {
    type = 'PURCHASE',
    abroad,
    cash,
    online = false,
    authentication,
    splitOf,
    data,
    mcc,
    merchantId,
    old,
  } = start;
  const isInquiry = type === 'BALANCE_INQUIRY';
  const money = moneyOf(isInquiry ? 0n : start.bill, abroad && !isInquiry);
  const channel = cash ? ('ATM' as const) : online ? ('ECOMMERCE' as const) : ('POS' as const);
  const numberId = old ? 'number-0' : 'number-1';
  const acceptor = { ...someMerchant, mcc: mcc ?? someMerchant.mcc, id: merchantId ?? someMerchant.id };
  const request = {
    ...money,
    channel,
    type,
    acceptor,
    splitOf,
    card: { cardId: CARD_ID, numberId },
    authentication:
      authentication && ('id' in authentication ? { authenticationId: authentication.id } : authentication),
    network: data ?? null,
  };
  const message = {
    ...said(money),
    number: numberId,
    expiry: '2031-06',
    channel,
    type,
    mcc: acceptor.mcc,
    merchantId: acceptor.id,
    ...(authentication && { authentication }),
    ...(splitOf !== undefined && { splitOf }),
    ...(data && { data }),
  };
  return { request, message };
}

export function authorize(world: World, start: Start, merchant: Merchant = APPROVES): void {
  const { partial = false } = start;
  const id = world.current;
  const { request, message } = askFor(start);
  const asked = { kind: 'authorization' as const, id, ...message, partial };
  const product: AuthorizationRequest = someRequest({
    ...request,
    messageId: id,
    partialApproval: partial,
    content: contentOfMessage(asked),
  });
  noteAuthorization(world, start);
  const decided = decideWith(world, merchant, asked, (merchantDecision) =>
    submit(world, merchantDecision ? { ...product, merchantDecision } : product),
  );
  take(world, decided.message, product, decided.applied);
  if (start.type === 'CREDIT') noteCredit(world);
}

function noteAuthorization(world: World, { type }: Start): void {
  const { model: card, current, seen } = world;
  const known = card.purchases.get(current) ?? card.refunds.get(current);
  const early = card.early.get(current);
  if (known?.advice) seen.add(`request after its advice: ${known.declineReason ?? 'approved'}`);
  if (!known && early?.isTimedOut && early.reversedMinor === undefined)
    seen.add('time-out before its request');
  if (known && early?.reversedMinor) seen.add('reversal after the clearing and before the request');
  if (type === 'CREDIT' && early?.refunds.length) seen.add('credit after its refund');
}

function noteCredit({ model: card, current, seen }: World): void {
  const credit = card.refunds.get(card.credits.get(current) ?? current);
  if (credit) seen.add(`credit ${credit.declineReason ?? 'approved'}`);
  if (credit?.status === 'PENDING' && card.status === 'FROZEN') seen.add('credit to a frozen card');
}

/** The network says what became of the purchase. */
export function advise(world: World, start: Start, approved: boolean): void {
  const { current, model: card, seen } = world;
  const id = `adv-${world.sent++}`;
  const { request, message } = askFor(start);
  const said = { kind: 'advice' as const, id, purchaseId: current, approved, ...message };
  const { standIn: _standIn, merchantDecision: _merchantDecision, ...common } = someRequest(request);
  const product: AdviceRequest = {
    ...common,
    kind: 'advice',
    messageId: id,
    externalTransactionId: current,
    standIn: { approved, approvalCode: undefined, reason: undefined },
    content: contentOfMessage(said),
  };
  const before = card.purchases.get(current);
  const early = card.early.get(current);
  take(world, said, product);
  const word = approved ? 'approves' : 'declines';
  const after = card.purchases.get(current);
  if (!after || after === before) return;
  seen.add(`advice ${word}: ${before?.status ?? 'unknown'}`);
  if (before?.advice) seen.add('another advice');
  if (before?.final && approved) seen.add('advice after a final clearing');
  if (before?.holdEnd === 'expired' && approved) seen.add('advice after the expiry');
  if (before && before.increments.size > 0 && approved) seen.add('advice takes in increments');
  if (before?.flags.has('no_authorization') && !after.flags.has('no_authorization'))
    seen.add('mark taken away by an advice');
  if (approved && early?.reversedMinor && after.heldMinor < start.bill) seen.add('advice after its reversal');
}

export function increment(
  world: World,
  bill: bigint,
  merchant: Merchant = APPROVES,
  data?: MessageData,
): void {
  const transaction = purchaseIn(world);
  if (!transaction) return;
  const id = `inc-${world.current}-${countOfIncrements(world)}`;
  const { currency } = transaction;
  const money = { ...moneyOf(bill, currency !== 'EUR'), currency };
  const asked = {
    kind: 'increment' as const,
    id,
    purchaseId: world.current,
    ...said(money),
    ...(data && { data }),
  };
  const request = {
    kind: 'increment' as const,
    messageId: id,
    purchase: { externalTransactionId: world.current },
    network: data ?? null,
    content: contentOfMessage(asked),
    ...money,
  };
  const decided = decideWith(world, merchant, asked, (merchantDecision) =>
    submit(world, { ...request, ...(merchantDecision && { merchantDecision }) }),
  );
  take(world, decided.message, request, decided.applied);
  const { applied } = decided;
  const reason = 'response' in applied && (applied.response as DecidedResponse).declineReason;
  if (reason === 'authentication_required' || reason === 'already_reversed' || reason === 'rule_declined')
    world.seen.add(`increment declined by ${reason}`);
}

const countOfIncrements = ({ model: { raised }, current }: World): number =>
  [...raised.values()].filter((id) => id === current).length;

export interface Part {
  bill: bigint;
  final: boolean;
  abroad: boolean;
  /** What the clearing says of its channel. */
  cash?: boolean;
  /** Where it says its merchant. */
  merchantId?: string | undefined;
  data?: MessageData | undefined;
}

/** What the network says that the program earns, for the product. */
const givenIn = ({ interchange_amount: given }: MessageData) =>
  given === undefined ? undefined : minorOf(given);

export function clear(world: World, { bill, final, abroad, cash, merchantId, data = {} }: Part): void {
  const { current } = world;
  const id = `clr-${world.sent++}`;
  const channel = cash ? ('ATM' as const) : undefined;
  const acceptor = merchantId === undefined ? undefined : { ...someMerchant, id: merchantId };
  const money = moneyOf(bill, abroad);
  const message: Clearing = {
    ...{ kind: 'clearing', id, purchaseId: current, number: 'number-1', final, data, ...said(money) },
    ...(channel && { channel }),
    ...(acceptor && { merchantId: acceptor.id, mcc: acceptor.mcc }),
  };
  const request = someClearing({
    ...{ messageId: id, purchase: { externalTransactionId: current }, ...money, final, channel, acceptor },
    card: { cardId: CARD_ID, numberId: 'number-1' },
    network: data,
    interchangeMinor: givenIn(data),
    content: contentOfMessage(message),
  });
  take(world, message, request);
  noteInterchange(world, id);
}

function noteInterchange({ state, program, seen }: World, id: string): void {
  const presented = state.presentments.get(keyOf('clearing', id));
  if (presented?.interchangeMinor) seen.add('interchange as the network says');
  else if (presented && presented.interchangeBps !== program.interchangeBps) seen.add('interchange of cash');
}

/** How much of what is reversed, and how the message names it. */
export interface Reversed {
  /** Of all; absent: all. */
  thousandths?: bigint | undefined;
  /** Both currencies, or the bill amount alone. */
  inBoth?: boolean;
  /** The number of the increment. */
  increment?: number | undefined;
  timedOut?: boolean;
}

/** Nothing for a part of nothing: no reversal names an amount of zero. */
function partOf(wholeMinor: bigint, isAbroad: boolean, { thousandths, inBoth }: Reversed) {
  if (thousandths === undefined) return {};
  const billMinor = (wholeMinor * thousandths) / 1_000n;
  if (billMinor === 0n) return undefined;
  const money = moneyOf(billMinor, isAbroad);
  return {
    part: {
      billAmountMinor: billMinor,
      amountMinor: inBoth ? money.amountMinor : null,
      currency: inBoth ? money.currency : null,
    },
    message: inBoth ? said(money) : { billMinor },
  };
}

/** All or a part of the hold, or of an increment of it. Before its authorization, it makes that one void. */
export function reverse(world: World, how: Reversed = {}): void {
  const { current, model: card } = world;
  const { timedOut = false } = how;
  const transaction = purchaseIn(world);
  const id = `rev-${world.sent++}`;
  const isAbroad = transaction !== undefined && transaction.currency !== 'EUR';
  const named = timedOut ? {} : partOf(transaction?.billAmountMinor ?? 100n, isAbroad, how);
  if (!named) return;
  const incrementId = how.increment === undefined ? undefined : `inc-${current}-${how.increment}`;
  const message: Reversal = {
    ...{ kind: 'reversal', id, purchaseId: current, ...named.message },
    ...(incrementId !== undefined && { incrementId }),
    ...(timedOut && { timedOut }),
  };
  const request = {
    kind: 'reversal' as const,
    messageId: id,
    reversed: { purchase: { externalTransactionId: current }, incrementId },
    part: named.part,
    timedOut,
    content: contentOfMessage(message),
  };
  const before = card.purchases.get(current);
  take(world, message, request);
  noteReversal(world, message, before);
}

function noteReversal(
  { model: card, current, seen }: World,
  message: Reversal,
  before?: model.ModelPurchase,
) {
  const { incrementId, timedOut } = message;
  const credit = card.refunds.get(current);
  if (credit?.isCredit && credit.status === 'VOID') seen.add('credit reversed');
  const after = card.purchases.get(current);
  if (!before || !after) return;
  const what = `${timedOut ? 'time-out' : 'reversal'} of ${incrementId === undefined ? 'a purchase' : 'an increment'}`;
  const released = before.heldMinor - after.heldMinor;
  if (released > 0n) seen.add(what);
  if (released > 0n && after.heldMinor > 0n && timedOut) seen.add(`${what}, in part`);
  if (released === 0n && before.heldMinor > 0n && before.advice && timedOut) seen.add(`${what}, advised`);
}

/** Takes back a clearing or a refund, at this index. */
export function reversePresented(world: World, index: number, how: Reversed = {}): void {
  const all = [...world.state.presentments.values()];
  const presentment = all[index % Math.max(1, all.length)];
  if (!presentment) return;
  const { kind, messageId, billMinor, currency, transactionId } = presentment;
  const named = partOf(billMinor, currency !== 'EUR', how);
  if (!named) return;
  const id = `rev-${world.sent++}`;
  const message: Reversal = {
    ...{ kind: 'reversal', id, purchaseId: '', ...named.message },
    ...(kind === 'refund' ? { refundId: messageId } : { clearingId: messageId }),
  };
  const request = {
    kind: 'reversal' as const,
    messageId: id,
    reversed: { presentment: { kind, messageId } },
    part: named.part,
    timedOut: false,
    content: contentOfMessage(message),
  };
  if (transactionId === null) {
    takeUnmatched(world, message, request);
    world.seen.add('suspense taken back');
  } else take(world, message, request);
}

function takeUnmatched(world: World, message: Clearing | Refund | Reversal, request: NetworkRequest): void {
  const prediction = predictUnmatched(world.suspense, message, world.model.terms, world.nowMs);
  take(world, message, request, submit(world, request), prediction);
}

/** A clearing or refund of a number that no card has. */
export function presentStranger(world: World, kind: 'clearing' | 'refund', bill: bigint): void {
  const id = `${kind}-${world.sent++}`;
  const money = moneyOf(bill, false);
  const message = { id, number: 'stranger', ...said(money) };
  if (kind === 'clearing') {
    const clearing: Clearing = { kind, purchaseId: world.current, final: true, ...message };
    const named = { messageId: id, purchase: { externalTransactionId: world.current } };
    const content = contentOfMessage(clearing);
    takeUnmatched(world, clearing, someClearing({ ...named, ...money, card: 'unknown', content }));
  } else {
    const unmatched: Refund = { kind, ...message };
    const request = refundRequest(id, money, { card: 'unknown', content: contentOfMessage(unmatched) });
    takeUnmatched(world, unmatched, request);
  }
  world.seen.add(`suspense: ${kind}`);
}

const UNSAID = { purchase: undefined, card: undefined, channel: undefined, acceptor: undefined };
type RefundRequest = Extract<ProductMessage, { kind: 'refund' }>;
const refundRequest = (messageId: string, money: Money, changes: Partial<RefundRequest>): RefundRequest => ({
  kind: 'refund',
  messageId,
  ...UNSAID,
  network: null,
  interchangeMinor: undefined,
  content: contentOf(messageId),
  ...money,
  ...changes,
});

/** Returns whether the model expired it. */
export function expire(world: World): boolean {
  const transaction = purchaseIn(world);
  if (!transaction) return false;
  const applied = submit(world, { kind: 'expiry', purchase: { transactionId: transaction.id } });
  const wasCredit = transaction.status === 'PENDING' && transaction.type === 'CREDIT';
  const renewed = world.model.purchases.get(world.current)?.renewedMs;
  const released = expireModel(world.model, world.current, world.nowMs);
  if (applied.kind !== 'applied') throw new Error(applied.kind);
  equal(applied.event !== undefined, released !== undefined);
  if (released === undefined && transaction.heldMinor > 0n && renewed) noteRenewed(world, transaction);
  if (released !== undefined && wasCredit) world.seen.add('credit expired');
  takeEffects(world, applied);
  return released !== undefined;
}

/** A hold that would have expired if its days had not begun anew, or if it were not long. */
function noteRenewed({ nowMs, program, seen }: World, { createdAt, network }: TransactionRecord): void {
  if (nowMs - createdAt.getTime() > program.holdDays * 86_400_000)
    seen.add(network?.pre_authorization ? 'pre-authorization lasts' : 'days begun anew');
}

export interface Refunded {
  bill: bigint;
  /** Does not name the purchase. */
  stray?: boolean;
  abroad?: boolean;
  data?: MessageData | undefined;
}

/** Of the purchase or the credit, which it may come before, unless it does not name one. */
export function refund(world: World, { bill, stray = false, abroad = false, data }: Refunded): void {
  const { current, program } = world;
  const named = stray ? undefined : purchaseIn(world);
  const id = `ref-${world.sent++}`;
  const money = moneyOf(bill, abroad);
  const message: Refund = {
    ...{ kind: 'refund', id, number: 'number-1', ...said(money) },
    ...(!stray && { purchaseId: current }),
    ...(data && { data }),
  };
  const request = refundRequest(id, money, {
    purchase: stray ? undefined : { externalTransactionId: current },
    card: { cardId: CARD_ID, numberId: 'number-1' },
    network: data ?? null,
    interchangeMinor: givenIn(data ?? {}),
    content: contentOfMessage(message),
  });
  take(world, message, request);
  if (named?.kind === 'purchase' && named.authorizationMode !== program.authorizationMode)
    world.seen.add('refund in its own mode');
  if (named?.type === 'CREDIT')
    world.seen.add(named.clearedMinor > 0n ? 'another refund of a credit' : 'refund of a credit');
  if (!named && !stray) world.seen.add('refund before its purchase');
}

/** The newest message again: the same content gets the same response, another one is refused, and nothing moves. */
export function repeat({ newest, seen, ...rest }: World, isOther: boolean): void {
  if (!newest) return;
  const world = { newest, seen, ...rest };
  const { request, response } = newest;
  const content = isOther ? contentOf('other') : request.content;
  const applied = submit(world, { ...request, content } as NetworkRequest);
  if (isDecisionNeeded(applied)) throw new Error('a repeat needs a decision');
  if (isOther)
    deepEqual(
      [applied.kind, 'message' in applied && /was already used/.test(applied.message)],
      ['refused', true],
    );
  else {
    if (applied.kind === 'refused') throw new Error(applied.message);
    deepEqual(present(request, applied.response), present(request, response));
    deepEqual(world.state.changed, noChanges());
  }
  seen.add(isOther ? 'another content refused' : 'repeated');
}

/** Reverses every hold, clearing and refund, in the modes in which they were made. */
export function undo(world: World): void {
  const open = [...world.state.transactions.values()].filter(({ status }) => status === 'PENDING');
  for (const { externalTransactionId } of open) {
    world.current = externalTransactionId;
    reverse(world);
  }
  for (let index = 0; index < world.state.presentments.size; index++) reversePresented(world, index);
}
