import { deepStrictEqual as deepEqual } from 'node:assert';
import { expect } from 'vitest';
import { applyAuthorization } from '../../../src/authorizations/rules/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../../../src/authorizations/rules/apply-clearing.ts';
import { applyExpiry } from '../../../src/authorizations/rules/apply-expiry.ts';
import { applyIncrement } from '../../../src/authorizations/rules/apply-increment.ts';
import { applyRefund } from '../../../src/authorizations/rules/apply-refund.ts';
import { applyPresentmentReversal, applyReversal } from '../../../src/authorizations/rules/apply-reversal.ts';
import type { Effects, Setting } from '../../../src/authorizations/rules/effects.ts';
import type { Presentment } from '../../../src/authorizations/rules/presentment.ts';
import type { Ask } from '../../../src/authorizations/rules/question.ts';
import { heldFees, type TransactionRecord } from '../../../src/authorizations/rules/transaction.ts';
import type { CardFacts } from '../../../src/cards/card-facts.ts';
import { dayOf } from '../../../src/kernel/calendar.ts';
import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import { deltasOf, type Transfer } from '../../../src/ledger/transfer.ts';
import type { Program } from '../../../src/programs/program.ts';
import * as model from '../../model/card.ts';
import type { Message } from '../../model/messages.ts';
import { expire as expireModel, matches, predict } from '../../model/predict.ts';
import { CARD_ID, NOW_MS, someCard, someClearing, someProgram, someRequest } from './authorization-facts.ts';

/** One purchase goes through any sequence of messages under any fees, in the product's pure rules and in the model. */
export interface World {
  program: Program;
  nowMs: number;
  card: CardFacts;
  purchase: TransactionRecord | undefined;
  /** Clearings and refunds by their ids, and the transactions of the refunds. */
  presentments: Map<string, Presentment>;
  refunds: Map<string, TransactionRecord>;
  /** Messages so far, for their ids. */
  sent: number;
  model: model.ModelCard;
  /** The change of every account, from the transfers alone. */
  moved: Map<string, bigint>;
}

const PURCHASE_ID = 'net-1';
const FOREIGN = 'USD';

type LimitName = 'transactionLimit' | 'dailyLimit' | 'monthlyLimit' | 'allTimeLimit';

export function newWorld(
  availableMinor: bigint,
  terms: Partial<Program>,
  limits: Partial<Record<LimitName, bigint>> = {},
): World {
  const program = someProgram(terms);
  const own = Object.entries(limits).map(([name, minor]) => [`${name}Minor`, minor]);
  const card = someCard({ availableMinor, ...Object.fromEntries(own) });
  const credentials = { number: 'number-1', cvv: '', expiryDate: card.expiryDate };
  const modelCard = model.newModelCard(program, availableMinor, credentials);
  modelCard.limits = { ...modelCard.limits, ...limits };
  return {
    program,
    nowMs: NOW_MS,
    card,
    purchase: undefined,
    presentments: new Map(),
    refunds: new Map(),
    sent: 0,
    model: modelCard,
    moved: new Map(),
  };
}

const holdOf = (transaction: TransactionRecord): bigint => {
  const { fxMinor, atmMinor } = heldFees(transaction);
  return transaction.heldMinor + fxMinor + atmMinor;
};

export const modelled = ({ model: card }: World): model.ModelPurchase | undefined =>
  card.purchases.get(PURCHASE_ID);
const settingOf = ({ program, nowMs }: World): Setting => ({ program, nowMs, today: dayOf(nowMs) });

/** Applies a message to the model, and checks the product's response and its effects on card, purchase and ledger. */
function take(world: World, message: Message, effects: Effects<unknown>): void {
  const prediction = predict(world.model, message, world.nowMs);
  const { expected, hasEvent } = prediction;
  if (!matches(expected, effects.response as Record<string, unknown>) || hasEvent !== !!effects.event)
    expect(effects).toMatchObject({
      answer: 'response' in expected ? expected.response : expected,
      hasEvent,
    });
  prediction.apply();
  takeEffects(world, effects, effects.transaction?.kind !== 'refund');
}

function takeEffects(world: World, effects: Effects<unknown>, isAboutPurchase = true): void {
  const { card: before, purchase } = world;
  const { transfers, event } = effects;
  const deltas = deltasOf(transfers);
  const delta = (id: string) => deltas.get(id) ?? 0n;
  const isSound = ({ amountMinor, debitAccountId, creditAccountId, movementId }: Transfer) =>
    amountMinor >= 0n && debitAccountId !== creditAccountId && movementId === event?.id;
  const after = effects.card ?? before;
  const creditMinor = after.availableMinor - before.availableMinor;
  const held = purchase ? holdOf(purchase) : 0n;
  const heldAfter = isAboutPurchase && effects.transaction ? holdOf(effects.transaction) : held;
  deepEqual(
    {
      unsound: transfers.filter((transfer) => !isSound(transfer)),
      all: model.sum(deltas.values()),
      card: delta(CARD_ID),
      master: delta(ACCOUNTS.master),
      holds: delta(ACCOUNTS.holds),
    },
    { unsound: [], all: 0n, card: creditMinor, master: creditMinor, holds: heldAfter - held },
  );
  for (const [id, amount] of deltas) world.moved.set(id, (world.moved.get(id) ?? 0n) + amount);
  world.card = after;
  const { transaction, presentment } = effects;
  if (isAboutPurchase) world.purchase = transaction ?? purchase;
  else if (transaction) world.refunds.set(transaction.externalTransactionId, transaction);
  if (presentment) world.presentments.set(presentment.messageId, presentment);
}

/** Everything that must hold after every message. */
export function expectAgreement(world: World): void {
  const { card, purchase, moved, program } = world;
  const [openingMinor = 0n] = world.model.givenMinor;
  const expected = modelled(world);
  const { credit = 0n, ...balances } = model.programBalances([world.model], program);
  const accounts = Object.entries(ACCOUNTS).map(([name, id]) => [name, moved.get(id) ?? 0n]);
  deepEqual(
    {
      available: card.availableMinor,
      accounts: Object.fromEntries(accounts),
      purchase: purchase && [
        purchase.status,
        purchase.heldMinor,
        purchase.clearedMinor,
        purchase.fxClearedMinor,
      ],
      spent: [card.daySpentMinor, card.monthSpentMinor, card.totalSpentMinor],
    },
    {
      available: model.availableOf(world.model),
      // No transfer of the life brought the opening balance.
      accounts: { ...balances, credit: credit + openingMinor },
      purchase: expected && [
        expected.status,
        expected.heldMinor,
        model.clearedMinor(expected),
        model.sum(
          expected.cleared
            .filter((part) => part.isForeign)
            .map((part) => part.billMinor - part.reversedMinor),
        ),
      ],
      spent: [card.day, card.day.slice(0, 7), ''].map((period) => model.countedIn(world.model, period)),
    },
  );
}

export interface Start {
  bill: bigint;
  abroad: boolean;
  cash: boolean;
  partial?: boolean;
  standIn?: boolean | undefined;
}

export function authorize(world: World, { bill, abroad, cash, partial = false, standIn }: Start): void {
  const { card, purchase: cleared } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const channel = cash ? ('ATM' as const) : ('POS' as const);
  const request = someRequest({
    amountMinor: bill,
    billAmountMinor: bill,
    currency,
    channel,
    partialApproval: partial,
    standIn:
      standIn === undefined ? undefined : { approved: standIn, approvalCode: undefined, reason: undefined },
  });
  const reversed = cleared?.declineReason === 'already_reversed';
  const facts = { card, cvvMatches: undefined, masterMinor: undefined, reversed, cleared };
  const { expiry = '', merchant } = request;
  const message = { kind: 'authorization' as const, id: PURCHASE_ID, number: 'number-1', expiry, channel };
  const money = { amount: '', currency, billMinor: bill, mcc: merchant.mcc };
  const options = { partial, ...(standIn !== undefined && { standIn: { approved: standIn } }) };
  take(
    world,
    { ...message, ...money, ...options },
    decided(applyAuthorization(request, facts, settingOf(world))),
  );
}

/** Without a question to the merchant. */
function decided<Response>(effects: Effects<Response> | Ask): Effects<Response> {
  if ('ask' in effects) throw new Error('the merchant must be asked');
  return effects;
}

export function increment(world: World, bill: bigint): void {
  const { card, purchase: transaction } = world;
  if (!transaction) return;
  const id = `inc-${world.sent++}`;
  const { currency } = transaction;
  const money = { amountMinor: bill, currency, billAmountMinor: bill };
  const ids = { kind: 'increment' as const, messageId: id, purchase: { transactionId: '' }, content };
  const facts = { card, transaction, masterMinor: undefined };
  const effects = decided(applyIncrement({ ...ids, ...money }, facts, settingOf(world)));
  const message = { kind: 'increment' as const, id, purchaseId: PURCHASE_ID, amount: '', currency };
  take(world, { ...message, billMinor: bill }, effects);
}

export interface Part {
  bill: bigint;
  final: boolean;
  abroad: boolean;
  /** What the clearing says of its channel. */
  cash?: boolean;
}

/** `reversedFirst`: a reversal came before this and before anything else of the purchase. */
export function clear(world: World, { bill, final, abroad, cash }: Part, reversedFirst = false): void {
  const { card } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const id = `clr-${world.sent++}`;
  const channel = cash ? ('ATM' as const) : undefined;
  const money = { amountMinor: bill, billAmountMinor: bill, currency };
  const request = someClearing({ messageId: id, ...money, final, channel });
  const setting = settingOf(world);
  const transaction =
    world.purchase ?? unauthorizedPurchase(request, PURCHASE_ID, card, setting, reversedFirst);
  if (reversedFirst) world.model.reversedEarly.add(PURCHASE_ID);
  const message = { kind: 'clearing' as const, id, purchaseId: PURCHASE_ID, number: 'number-1' };
  const said = { amount: '', currency, billMinor: bill, final, ...(channel && { channel }) };
  take(world, { ...message, ...said }, applyClearing(request, { card, transaction }, setting));
}

const content = { digest: Buffer.of(), matches: () => true };

export function reverse(world: World, thousandths: bigint | undefined): void {
  const { card, purchase: transaction } = world;
  if (!transaction) return;
  const asked = thousandths === undefined ? undefined : (transaction.billAmountMinor * thousandths) / 1_000n;
  const reversed = { purchase: { transactionId: '' } };
  const request = {
    kind: 'reversal' as const,
    messageId: 'rev-1',
    reversed,
    content,
    billAmountMinor: asked,
  };
  const message = { kind: 'reversal' as const, id: 'rev-1', purchaseId: PURCHASE_ID };
  const effects = applyReversal(request, { card, transaction }, settingOf(world));
  take(world, { ...message, ...(asked !== undefined && { billMinor: asked }) }, effects);
}

/** Takes back a clearing or a refund, whichever stands at this place. */
export function reversePresented(world: World, place: number, thousandths: bigint | undefined): void {
  const all = [...world.presentments.values()];
  const presentment = all[place % Math.max(1, all.length)];
  if (!presentment) return;
  const { kind, messageId, billMinor } = presentment;
  const transaction = kind === 'refund' ? world.refunds.get(messageId) : world.purchase;
  if (!transaction) return;
  const asked = thousandths === undefined ? undefined : (billMinor * thousandths) / 1_000n;
  const reversed = { presentment: { kind, messageId } };
  const request = {
    kind: 'reversal' as const,
    messageId: 'rev-2',
    reversed,
    content,
    billAmountMinor: asked,
  };
  const facts = { card: world.card, transaction, presentment };
  const effects = applyPresentmentReversal(request, facts, settingOf(world));
  const named = kind === 'refund' ? { refundId: messageId } : { clearingId: messageId };
  const message = { kind: 'reversal' as const, id: 'rev-2', purchaseId: PURCHASE_ID, ...named };
  take(world, { ...message, ...(asked !== undefined && { billMinor: asked }) }, effects);
}

/** Returns what the model released. */
export function expire(world: World): bigint {
  const { card, purchase: transaction } = world;
  if (!transaction) return 0n;
  const effects = applyExpiry({ card, transaction }, settingOf(world));
  const released = expireModel(world.model, PURCHASE_ID, world.nowMs);
  expect(effects.event !== undefined).toBe(released > 0n);
  takeEffects(world, effects);
  return released;
}

export function refund(world: World, bill: bigint): void {
  const { card, purchase: parent, model: modelCard } = world;
  const id = `ref-${modelCard.refunds.size}`;
  const money = { amountMinor: bill, currency: 'EUR', billAmountMinor: bill };
  const unsaid = { purchase: undefined, card: undefined, channel: undefined, merchant: undefined };
  const request = { kind: 'refund' as const, messageId: id, ...unsaid, content };
  const effects = applyRefund({ ...request, ...money }, { card, parent }, settingOf(world));
  expect(effects.transaction).toMatchObject({ kind: 'refund', parentId: parent?.id ?? null, heldMinor: 0n });
  const message = { kind: 'refund' as const, id, number: 'number-1', amount: '', currency: 'EUR' };
  const of = parent && { purchaseId: PURCHASE_ID };
  take(world, { ...message, ...of, billMinor: bill }, effects);
}
