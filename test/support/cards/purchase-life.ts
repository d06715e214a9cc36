import { deepStrictEqual as deepEqual, strictEqual as equal } from 'node:assert';
import { expect } from 'vitest';
import { applyAuthorization } from '../../../src/authorizations/core/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../../../src/authorizations/core/apply-clearing.ts';
import { applyExpiry } from '../../../src/authorizations/core/apply-expiry.ts';
import { applyIncrement } from '../../../src/authorizations/core/apply-increment.ts';
import { applyRefund } from '../../../src/authorizations/core/apply-refund.ts';
import {
  applyPresentmentReversal,
  applyReversal,
  earlyReversal,
} from '../../../src/authorizations/core/apply-reversal.ts';
import type {
  AuthenticationFacts,
  AuthenticationShare,
} from '../../../src/authorizations/core/authentication.ts';
import type { Effects, Setting } from '../../../src/authorizations/core/effects.ts';
import type { Message as ProductMessage } from '../../../src/authorizations/core/message.ts';
import type { Presentment } from '../../../src/authorizations/core/presentment.ts';
import type {
  AnyResponse,
  DecidedResponse,
  RefundResponse,
  Response,
} from '../../../src/authorizations/core/response.ts';
import { decodeResponse, encodeResponse } from '../../../src/authorizations/core/stored-response.ts';
import {
  authenticatedShareOf,
  heldFees,
  type TransactionRecord,
} from '../../../src/authorizations/core/transaction.ts';
import type { CardFacts } from '../../../src/cards/card-facts.ts';
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
import * as model from '../../model/card.ts';
import type { Message } from '../../model/messages.ts';
import { type Expected, expire as expireModel, matches, predict } from '../../model/predict.ts';
import {
  CARD_ID,
  NOW_MS,
  someAuthentications,
  someCard,
  someClearing,
  someProgram,
  someRequest,
} from './authorization-facts.ts';
import { APPROVES, decideWith, type Merchant } from './merchant-decisions.ts';

/** The purchases of a card go through any sequence of messages under any terms, in the product's pure rules and in the model. */
export interface World {
  program: Program;
  nowMs: number;
  card: CardFacts;
  /** The network's id of the purchase that the next messages are about. */
  current: string;
  purchases: Map<string, TransactionRecord>;
  /** Purchases whose reversal came first. */
  reversedEarly: Set<string>;
  /** Clearings and refunds by their ids, and the transactions of the refunds. */
  presentments: Map<string, Presentment>;
  refunds: Map<string, TransactionRecord>;
  /** The program's authentications by id. */
  authentications: Map<string, AuthenticationFacts>;
  /** Messages so far, for their ids. */
  sent: number;
  model: model.ModelCard;
  /** Every account, from the transfers alone. */
  balances: Map<string, bigint>;
  /** The books of a merchant that knows events alone: what each transaction takes, by its newest event. */
  books: Map<unknown, bigint>;
  /** The messages for which decisions were requested, by the ids of the requests. */
  requests: Map<string, string>;
  /** The cases that the life has reached. */
  seen: Set<string>;
}

const FOREIGN = 'USD';

type LimitName = 'transactionLimit' | 'dailyLimit' | 'monthlyLimit' | 'allTimeLimit';

export function newWorld(
  availableMinor: bigint,
  { fundedMinor = 0n, ...terms }: Partial<Program> & { fundedMinor?: bigint },
  limits: Partial<Record<LimitName, bigint>> = {},
  temporaryLimits: model.TemporaryLimits = {},
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
  });
  const credentials = { number: 'number-1', cvv: '', expiryDate: card.expiryDate };
  const modelCard = model.newModelCard({ ...program, fundedMinor }, availableMinor, credentials);
  modelCard.limits = { ...modelCard.limits, ...limits, temporaryLimits };
  const authentications = someAuthentications();
  for (const [id, { cardId, authenticationId, completedAt, ...facts }] of authentications)
    modelCard.authentications.set(id, {
      ...facts,
      isOwn: cardId === CARD_ID,
      completedMs: completedAt?.getTime() ?? 0,
    });
  return {
    program,
    nowMs: NOW_MS,
    card,
    current: 'net-1',
    purchases: new Map(),
    reversedEarly: new Set(),
    presentments: new Map(),
    refunds: new Map(),
    authentications,
    sent: 0,
    model: modelCard,
    balances: new Map([
      [ACCOUNTS.master, fundedMinor],
      [ACCOUNTS.funding, -fundedMinor],
      [ACCOUNTS.credit, -availableMinor],
      [CARD_ID, availableMinor],
    ]),
    books: new Map(),
    requests: new Map(),
    seen: new Set(),
  };
}

export const purchaseIn = ({ purchases, current }: World): TransactionRecord | undefined =>
  purchases.get(current);

const holdOf = (transaction: TransactionRecord): bigint => {
  const { fxMinor, atmMinor } = heldFees(transaction);
  return transaction.heldMinor + fxMinor + atmMinor;
};

const settingOf = ({ program, nowMs }: World): Setting => ({ program, nowMs, today: dayOf(nowMs) });
const masterOf = ({ program, balances }: World): bigint | undefined =>
  program.enforceMasterBalance ? (balances.get(ACCOUNTS.master) as bigint) : undefined;

/** The program changes its mode: what was made before keeps its own. */
export function switchMode(world: World, authorizationMode: AuthorizationMode): void {
  world.program = { ...world.program, authorizationMode };
  world.model.terms = { ...world.model.terms, authorizationMode };
}

/** Another purchase of the card, of which nothing is held any more, uses an authentication. */
export function markUsedElsewhere(world: World, id: string): void {
  for (const known of [world.authentications.get(id), world.model.authentications.get(id)])
    if (known?.usedBy.length === 0) known.usedBy = [ELSEWHERE];
}

/** In the world, which has the ids of transactions, its own id is that of the network. */
const ELSEWHERE = 'net-elsewhere';

const networkIdOf = ({ purchases }: World, transactionId: string): string =>
  [...purchases.values()].find(({ id }) => id === transactionId)?.externalTransactionId ?? ELSEWHERE;

/** The shares of the other purchases that use an authentication. */
const sharesOf = (world: World, id: string | null | undefined, own: string): AuthenticationShare[] =>
  (world.authentications.get(id ?? '')?.usedBy ?? [])
    .map((transactionId) => networkIdOf(world, transactionId))
    .filter((externalTransactionId) => externalTransactionId !== own)
    .map((externalTransactionId) => {
      const purchase = world.purchases.get(externalTransactionId);
      return { externalTransactionId, minor: purchase ? authenticatedShareOf(purchase) : 0n };
    });

/** The merchant moves the card's credit, never below zero. */
export function adjust(world: World, amountMinor: bigint): void {
  const availableMinor = world.card.availableMinor + amountMinor;
  if (availableMinor < 0n) return;
  world.card = { ...world.card, availableMinor };
  world.model.givenMinor.push(amountMinor);
  add(world, CARD_ID, amountMinor);
  add(world, ACCOUNTS.credit, -amountMinor);
}

function add({ balances }: World, accountId: string, minor: bigint): void {
  balances.set(accountId, (balances.get(accountId) ?? 0n) + minor);
}

type NetworkRequest = Exclude<ProductMessage, { kind: 'expiry' }>;

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
function take(world: World, message: Message, request: NetworkRequest, effects: Effects<AnyResponse>): void {
  const prediction = predict(world.model, message, world.nowMs);
  const { expected, hasEvent } = prediction;
  const response = present(request, effects.response);
  if (!matches(expected, response) || hasEvent !== !!effects.event)
    expect({ response, hasEvent: !!effects.event }).toMatchObject({
      response: 'response' in expected ? expected.response : expected,
      hasEvent,
    });
  noteTemporaryLimits(world, message, expected);
  prediction.apply();
  takeEffects(world, effects);
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

function takeEffects(world: World, effects: Effects<AnyResponse>): void {
  const { card: before } = world;
  const { transfers, event, transaction, presentment } = effects;
  const deltas = deltasOf(transfers);
  const delta = (id: string) => deltas.get(id) ?? 0n;
  const isSound = ({ amountMinor, debitAccountId, creditAccountId, movementId }: Transfer) =>
    amountMinor >= 0n && debitAccountId !== creditAccountId && movementId === event?.id;
  const after = effects.card ?? before;
  const known = world.purchases.get(transaction?.externalTransactionId ?? '');
  const isPurchase = transaction?.kind === 'purchase';
  const heldMinor = isPurchase ? holdOf(transaction) - (known ? holdOf(known) : 0n) : 0n;
  // The credit follows the master account, except for what was made while the merchant keeps the balances.
  const creditMinor = transaction?.authorizationMode === 'REAL_TIME' ? 0n : delta(ACCOUNTS.master);
  deepEqual(
    {
      unsound: transfers.filter((transfer) => !isSound(transfer)),
      all: model.sum(deltas.values()),
      available: after.availableMinor - before.availableMinor,
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
      holds: heldMinor,
      mode: event && transaction?.authorizationMode,
    },
  );
  for (const [id, amount] of deltas) add(world, id, amount);
  world.card = after;
  if (transaction)
    (isPurchase ? world.purchases : world.refunds).set(transaction.externalTransactionId, transaction);
  const used = world.authentications.get(effects.usedAuthentication ?? '');
  if (used && transaction) used.usedBy = [...new Set([...used.usedBy, transaction.id])];
  if (presentment) world.presentments.set(presentment.messageId, presentment);
  if (event) world.books.set(event.data['transaction_id'], minorOf(String(event.data['taken_amount'])));
}

const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Everything that must hold after every message. */
export function expectAgreement(world: World): void {
  const { card, purchases, refunds, balances, books } = world;
  const accounts = Object.entries(ACCOUNTS).map(([name, id]) => [name, balances.get(id) ?? 0n]);
  const modelled = model.programBalances([world.model], world.model.terms);
  const spent = [card.day, card.day.slice(0, 7), ''].map((period) => model.countedIn(world.model, period));
  deepEqual(
    {
      available: card.availableMinor,
      ledger: balances.get(CARD_ID),
      master: (world.model.terms.fundedMinor ?? 0n) - model.sum(books.values()),
      accounts: Object.fromEntries(accounts),
      purchases: new Map([...purchases].map(([id, purchase]) => [id, factsOf(purchase)])),
      refunds: new Map(
        [...refunds].map(([id, refund]) => [id, [refund.authorizationMode, refund.clearedMinor]]),
      ),
      uses: usesOf(world.authentications, (id) => networkIdOf(world, id)),
      spent: [card.daySpentMinor, card.monthSpentMinor, card.totalSpentMinor],
    },
    {
      available: model.availableOf(world.model),
      ledger: model.availableOf(world.model),
      master: modelled['master'],
      accounts: modelled,
      purchases: new Map([...world.model.purchases].map(([id, purchase]) => [id, modelFactsOf(purchase)])),
      refunds: new Map(
        [...world.model.refunds].map(([id, { mode, billMinor, reversedMinor }]) => [
          id,
          [mode, billMinor - reversedMinor],
        ]),
      ),
      uses: usesOf(world.model.authentications, (id) => id),
      spent,
    },
  );
}

const usesOf = (
  authentications: ReadonlyMap<string, { usedBy: readonly string[] }>,
  nameOf: (id: string) => string,
) => [...authentications].map(([id, { usedBy }]) => [id, usedBy.map(nameOf)]);

const factsOf = (purchase: TransactionRecord) => [
  purchase.authorizationMode,
  purchase.status,
  purchase.billAmountMinor,
  purchase.heldMinor,
  purchase.clearedMinor,
  purchase.fxClearedMinor,
];
const modelFactsOf = (purchase: model.ModelPurchase) => [
  purchase.mode,
  purchase.status,
  purchase.requestedMinor,
  purchase.heldMinor,
  model.clearedMinor(purchase),
  model.sum(
    purchase.cleared.filter((part) => part.isForeign).map((part) => part.billMinor - part.reversedMinor),
  ),
];

export interface Start {
  bill: bigint;
  abroad: boolean;
  cash: boolean;
  /** Where it is not cash. */
  online?: boolean;
  /** Of `someAuthentications`, or an unknown one, or an ECI. */
  authentication?: { id: string } | { eci: string } | undefined;
  splitOf?: string | undefined;
  partial?: boolean;
  standIn?: boolean | undefined;
  /** A balance inquiry. */
  inquiry?: boolean;
}

export function authorize(world: World, start: Start, merchant: Merchant = APPROVES): void {
  const { abroad, cash, online = false, partial = false, standIn, inquiry = false } = start;
  const { authentication, splitOf } = start;
  const id = world.current;
  const bill = inquiry ? 0n : start.bill;
  const currency = abroad && !inquiry ? FOREIGN : 'EUR';
  const channel = cash ? ('ATM' as const) : online ? ('ECOMMERCE' as const) : ('POS' as const);
  const type = inquiry ? ('BALANCE_INQUIRY' as const) : ('PURCHASE' as const);
  const asked = someRequest({
    messageId: id,
    externalTransactionId: id,
    amountMinor: bill,
    billAmountMinor: bill,
    currency,
    channel,
    type,
    partialApproval: partial,
    authentication:
      authentication && ('id' in authentication ? { authenticationId: authentication.id } : authentication),
    splitOf,
  });
  const request =
    standIn === undefined
      ? asked
      : ({ ...asked, kind: 'advice', standIn: someStandIn(standIn), merchantDecision: undefined } as const);
  const factsNow = () => {
    const cleared = purchaseIn(world);
    const named = authentication && 'id' in authentication ? authentication.id : undefined;
    return {
      card: world.card,
      cvvMatches: undefined,
      masterMinor: masterOf(world),
      authentication: world.authentications.get(named ?? ''),
      authenticationShares: sharesOf(world, named, id),
      early: world.reversedEarly.has(id) ? ({ reversed: 'all' } as const) : null,
      cleared,
      refunded: undefined,
    };
  };
  const { expiry = '', acceptor: shop } = request;
  const message = { kind: 'authorization' as const, id, number: 'number-1', expiry, channel, type };
  const money = { amount: model.decimal(bill), currency, billMinor: bill, mcc: shop.mcc };
  const options = {
    partial,
    merchantId: shop.id,
    ...(authentication && { authentication }),
    ...(splitOf !== undefined && { splitOf }),
    ...(standIn !== undefined && { standIn: { approved: standIn } }),
  };
  const decided = decideWith(world, merchant, { ...message, ...money, ...options }, (merchantDecision) =>
    applyAuthorization(
      request.kind === 'authorization' && merchantDecision ? { ...request, merchantDecision } : request,
      factsNow(),
      settingOf(world),
    ),
  );
  take(world, decided.message, request, decided.effects);
}

export function increment(world: World, bill: bigint, merchant: Merchant = APPROVES): void {
  const purchase = purchaseIn(world);
  if (!purchase) return;
  const id = `inc-${world.sent++}`;
  const { currency } = purchase;
  const money = { amountMinor: bill, currency, billAmountMinor: bill };
  const ids = {
    kind: 'increment' as const,
    messageId: id,
    purchase: { transactionId: '' },
    network: null,
    content,
  };
  const factsNow = () => ({
    card: world.card,
    transaction: purchaseIn(world) as TransactionRecord,
    reversed: false,
    authenticationShares: sharesOf(world, purchaseIn(world)?.authentication?.authenticationId, world.current),
    masterMinor: masterOf(world),
  });
  const message = { kind: 'increment' as const, id, purchaseId: world.current, currency };
  const decided = decideWith(
    world,
    merchant,
    { ...message, amount: model.decimal(bill), billMinor: bill },
    (merchantDecision) =>
      applyIncrement(
        { ...ids, ...money, ...(merchantDecision && { merchantDecision }) },
        factsNow(),
        settingOf(world),
      ),
  );
  take(world, decided.message, { ...ids, ...money }, decided.effects);
  const { declineReason: reason } = decided.effects.response;
  if (reason === 'authentication_required') world.seen.add(`increment declined by ${reason}`);
}

export interface Part {
  bill: bigint;
  final: boolean;
  abroad: boolean;
  /** What the clearing says of its channel. */
  cash?: boolean;
}

export function clear(world: World, { bill, final, abroad, cash }: Part): void {
  const { card, current } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const id = `clr-${world.sent++}`;
  const channel = cash ? ('ATM' as const) : undefined;
  const money = { amountMinor: bill, billAmountMinor: bill, currency };
  const request = someClearing({ messageId: id, ...money, final, channel });
  const setting = settingOf(world);
  const transaction = purchaseIn(world) ?? unauthorizedPurchase(request, current, card, setting);
  const message = { kind: 'clearing' as const, id, purchaseId: current, number: 'number-1' };
  const said = { amount: model.decimal(bill), currency, billMinor: bill, final, ...(channel && { channel }) };
  take(
    world,
    { ...message, ...said },
    request,
    applyClearing(request, { card, transaction, isDuplicate: false }, setting),
  );
}

const content = { digest: Buffer.of(), matches: () => true };
const partOf = (billAmountMinor: bigint | undefined) =>
  billAmountMinor === undefined ? undefined : { billAmountMinor, amountMinor: null, currency: null };
const someStandIn = (approved: boolean) => ({ approved, approvalCode: undefined, reason: undefined });

/** All or a part of the hold. Before its authorization, it makes that one void. */
export function reverse(world: World, thousandths?: bigint): void {
  const { card, current } = world;
  const transaction = purchaseIn(world);
  const whole = transaction?.billAmountMinor ?? 0n;
  const partMinor = thousandths === undefined ? undefined : (whole * thousandths) / 1_000n;
  const ids = {
    kind: 'reversal' as const,
    messageId: 'rev-1',
    content,
    part: partOf(partMinor),
    timedOut: false,
  };
  const named = { purchase: { externalTransactionId: current }, incrementId: undefined };
  const request = { ...ids, reversed: named };
  const message = { kind: 'reversal' as const, id: 'rev-1', purchaseId: current };
  if (!transaction) world.reversedEarly.add(current);
  const effects = transaction
    ? applyReversal(request, { card, transaction, incrementId: undefined }, settingOf(world))
    : earlyReversal(current, world.program.currency);
  take(world, { ...message, ...(partMinor !== undefined && { billMinor: partMinor }) }, request, effects);
}

/** Takes back a clearing or a refund, at this index. */
export function reversePresented(world: World, index: number, thousandths?: bigint): void {
  const all = [...world.presentments.values()];
  const presentment = all[index % Math.max(1, all.length)];
  if (!presentment) return;
  const { kind, messageId, billMinor, transactionId } = presentment;
  const known = [...world.purchases.values(), ...world.refunds.values()];
  const transaction = known.find(({ id }) => id === transactionId) as TransactionRecord;
  const partMinor = thousandths === undefined ? undefined : (billMinor * thousandths) / 1_000n;
  const ids = {
    kind: 'reversal' as const,
    messageId: 'rev-2',
    content,
    part: partOf(partMinor),
    timedOut: false,
  };
  const request = { ...ids, reversed: { presentment: { kind, messageId } } };
  const facts = { card: world.card, transaction, presentment };
  const effects = applyPresentmentReversal(request, facts, settingOf(world));
  const named = kind === 'refund' ? { refundId: messageId } : { clearingId: messageId };
  const message = { kind: 'reversal' as const, id: 'rev-2', purchaseId: transaction.externalTransactionId };
  take(
    world,
    { ...message, ...named, ...(partMinor !== undefined && { billMinor: partMinor }) },
    request,
    effects,
  );
}

/** Returns what the model released. */
export function expire(world: World): bigint {
  const { card, current, nowMs } = world;
  const transaction = purchaseIn(world);
  if (!transaction) return 0n;
  const effects = applyExpiry({ card, transaction }, settingOf(world));
  const released = expireModel(world.model, current, nowMs);
  equal(effects.event !== undefined, released > 0n);
  takeEffects(world, effects);
  return released;
}

/** Of the purchase where it is known, unless the refund does not name it. */
export function refund(world: World, bill: bigint, isStray = false): void {
  const { card, current, program } = world;
  const parent = isStray ? undefined : purchaseIn(world);
  const id = `ref-${world.refunds.size}`;
  const money = { amountMinor: bill, currency: 'EUR', billAmountMinor: bill };
  const unsaid = {
    ...{ purchase: undefined, card: undefined, channel: undefined, acceptor: undefined },
    ...{ network: null, interchangeMinor: undefined },
  };
  const request = { kind: 'refund' as const, messageId: id, ...unsaid, ...money, content };
  const effects = applyRefund(request, { card, named: parent }, settingOf(world));
  const { kind, parentId, heldMinor } = effects.transaction as TransactionRecord;
  deepEqual([kind, parentId, heldMinor], ['refund', parent?.id ?? null, 0n]);
  if (parent && parent.authorizationMode !== program.authorizationMode)
    world.seen.add('refund in its own mode');
  const message = { kind: 'refund' as const, id, number: 'number-1', amount: '', currency: 'EUR' };
  const of = isStray ? {} : { purchaseId: current };
  take(world, { ...message, ...of, billMinor: bill }, request, effects);
}

/** Reverses every hold, clearing and refund, in the modes in which they were made. */
export function undo(world: World): void {
  for (const id of world.purchases.keys()) {
    world.current = id;
    reverse(world);
  }
  for (let index = 0; index < world.presentments.size; index++) reversePresented(world, index);
}
