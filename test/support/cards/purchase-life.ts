import { deepStrictEqual as deepEqual } from 'node:assert';
import { expect } from 'vitest';
import { applyAuthorization } from '../../../src/authorizations/rules/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../../../src/authorizations/rules/apply-clearing.ts';
import { applyExpiry } from '../../../src/authorizations/rules/apply-expiry.ts';
import { applyRefund } from '../../../src/authorizations/rules/apply-refund.ts';
import { applyReversal } from '../../../src/authorizations/rules/apply-reversal.ts';
import type { Effects, Setting } from '../../../src/authorizations/rules/effects.ts';
import { holdOf, type TransactionRecord } from '../../../src/authorizations/rules/transaction.ts';
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
  model: model.ModelCard;
  /** The change of every account, from the transfers alone. */
  moved: Map<string, bigint>;
}

const PURCHASE_ID = 'net-1';
const FOREIGN = 'USD';

export function newWorld(availableMinor: bigint, terms: Partial<Program>): World {
  const program = someProgram(terms);
  const card = someCard({ availableMinor });
  const credentials = { number: 'number-1', cvv: '', expiryDate: card.expiryDate };
  return {
    program,
    nowMs: NOW_MS,
    card,
    purchase: undefined,
    model: model.newModelCard(program, availableMinor, credentials),
    moved: new Map(),
  };
}

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
  takeEffects(world, effects, message.kind !== 'refund');
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
  if (isAboutPurchase) world.purchase = effects.transaction ?? purchase;
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
        purchase.reversedMinor,
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
        expected.reversedMinor,
      ],
      spent: [card.day, card.day.slice(0, 7), ''].map((period) => model.approvedIn(world.model, period)),
    },
  );
}

export function authorize(
  world: World,
  { bill, abroad, cash }: { bill: bigint; abroad: boolean; cash: boolean },
): void {
  const { card, purchase: cleared } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const channel = cash ? ('ATM' as const) : ('POS' as const);
  const request = someRequest({ amountMinor: bill, billAmountMinor: bill, currency, channel });
  const reversed = cleared?.declineReason === 'already_reversed';
  const facts = { card, cvvMatches: undefined, masterMinor: undefined, reversed, cleared };
  const { expiry = '', merchant } = request;
  const message = { kind: 'authorization' as const, id: PURCHASE_ID, number: 'number-1', expiry, channel };
  const money = { amount: '', currency, billMinor: bill, mcc: merchant.mcc };
  take(world, { ...message, ...money }, applyAuthorization(request, facts, settingOf(world)));
}

export interface Part {
  bill: bigint;
  final: boolean;
  abroad: boolean;
}

/** `reversedFirst`: a reversal came before this and before anything else of the purchase. */
export function clear(world: World, { bill, final, abroad }: Part, reversedFirst = false): void {
  const { card } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const request = someClearing({ amountMinor: bill, billAmountMinor: bill, currency, final });
  const setting = settingOf(world);
  const transaction =
    world.purchase ?? unauthorizedPurchase(request, PURCHASE_ID, card, setting, reversedFirst);
  if (reversedFirst) world.model.reversedEarly.add(PURCHASE_ID);
  const message = { kind: 'clearing' as const, id: 'clr-1', purchaseId: PURCHASE_ID, number: 'number-1' };
  const money = { amount: '', currency, billMinor: bill, final };
  take(world, { ...message, ...money }, applyClearing(request, { card, transaction }, setting));
}

const content = { digest: Buffer.of(), matches: () => true };

export function reverse(world: World, thousandths: bigint | undefined): void {
  const { card, purchase: transaction } = world;
  if (!transaction) return;
  const asked = thousandths === undefined ? undefined : (transaction.billAmountMinor * thousandths) / 1_000n;
  const ids = { kind: 'reversal' as const, messageId: 'rev-1', purchase: { transactionId: '' } };
  const request = { ...ids, content, billAmountMinor: asked };
  const message = { kind: 'reversal' as const, id: 'rev-1', purchaseId: PURCHASE_ID };
  const effects = applyReversal(request, { card, transaction }, settingOf(world));
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
  const request = { kind: 'refund' as const, messageId: id, purchase: undefined, card: undefined, content };
  const effects = applyRefund({ ...request, ...money }, { card, parent }, settingOf(world));
  expect(effects.transaction).toMatchObject({ kind: 'refund', parentId: parent?.id ?? null, heldMinor: 0n });
  const message = { kind: 'refund' as const, id, number: 'number-1', amount: '', currency: 'EUR' };
  const of = parent && { purchaseId: PURCHASE_ID };
  take(world, { ...message, ...of, billMinor: bill }, effects);
}
