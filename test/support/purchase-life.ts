import { deepStrictEqual as deepEqual } from 'node:assert';
import { expect } from 'vitest';
import { applyAuthorization } from '../../src/authorizations/rules/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../../src/authorizations/rules/apply-clearing.ts';
import { applyExpiry } from '../../src/authorizations/rules/apply-expiry.ts';
import { applyRefund } from '../../src/authorizations/rules/apply-refund.ts';
import { applyReversal } from '../../src/authorizations/rules/apply-reversal.ts';
import type { CardFacts } from '../../src/authorizations/rules/card-facts.ts';
import type { Effects, Setting } from '../../src/authorizations/rules/effects.ts';
import { holdOf, type TransactionRecord } from '../../src/authorizations/rules/transaction.ts';
import { dayOf } from '../../src/kernel/calendar.ts';
import { formatAmount } from '../../src/kernel/money.ts';
import { ACCOUNTS } from '../../src/ledger/accounts.ts';
import { deltasOf, type Transfer } from '../../src/ledger/transfer.ts';
import type { Program } from '../../src/programs/program.ts';
import { CARD_ID, NOW_MS, someCard, someClearing, someProgram, someRequest } from './authorization-facts.ts';
import { halfEvenShare } from './half-even.ts';

/**
 * One purchase lives through any sequence of messages, under any fees. Beside it runs a model that knows only the
 * rules in words: what is held, what cleared in which parts, what was given back.
 */
interface Model {
  openingMinor: bigint;
  fxBps: number;
  atmFeeMinor: bigint;
  atmChargedMinor: bigint;
  heldMinor: bigint;
  /** What cleared, in its order, each part under the terms that were known of the purchase then. */
  parts: Array<{ billMinor: bigint; fxBps: number }>;
  /** A clearing was the last. */
  final: boolean;
  approvedMinor: bigint;
  approvedOn: string;
  reversedMinor: bigint;
  expiredMinor: bigint;
  /** A reversal found less held than was open. */
  uncountedAfterExpiry: boolean;
  refundedMinor: bigint;
  status: string;
}

export interface World {
  program: Program;
  nowMs: number;
  card: CardFacts;
  purchase: TransactionRecord | undefined;
  model: Model;
  /** Of every account, from the transfers alone. */
  moved: Map<string, bigint>;
  cost: { clearings: bigint; interchangeMinor: bigint; rateMinor: bigint };
}

/** A card with its money, before anything happened. */
export function newWorld(availableMinor: bigint, terms: Partial<Program>): World {
  const model: Model = {
    openingMinor: availableMinor,
    fxBps: 0,
    atmFeeMinor: 0n,
    atmChargedMinor: 0n,
    heldMinor: 0n,
    parts: [],
    final: false,
    approvedMinor: 0n,
    approvedOn: '',
    reversedMinor: 0n,
    expiredMinor: 0n,
    uncountedAfterExpiry: false,
    refundedMinor: 0n,
    status: '',
  };
  return {
    program: someProgram(terms),
    nowMs: NOW_MS,
    card: someCard({ availableMinor }),
    purchase: undefined,
    model,
    moved: new Map(),
    cost: { clearings: 0n, interchangeMinor: 0n, rateMinor: 0n },
  };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);
const settingOf = ({ program, nowMs }: World): Setting => ({ program, nowMs, today: dayOf(nowMs) });
const clearedMinor = ({ parts }: Model): bigint => sum(parts.map(({ billMinor }) => billMinor));
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const orNone = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

/** What the model's rules set aside for a bill amount. */
function holdFor(model: Model, billMinor: bigint): bigint {
  if (billMinor === 0n) return 0n;
  const cashFeeMinor = clearedMinor(model) === 0n ? model.atmFeeMinor : 0n;
  return billMinor + halfEvenShare(billMinor, model.fxBps) + cashFeeMinor;
}

export const fxCharged = ({ parts }: Model): bigint =>
  sum(parts.map(({ billMinor, fxBps }) => halfEvenShare(billMinor, fxBps)));

/** Takes an effects over, and holds it against the card and the purchase as they were. */
function take(world: World, effects: Effects<unknown>, aboutPurchase = true): void {
  const { card: before, purchase } = world;
  const { transfers, event } = effects;
  const deltas = deltasOf(transfers);
  const delta = (id: string) => deltas.get(id) ?? 0n;
  const sound = ({ amountMinor, debitAccountId, creditAccountId, movementId }: Transfer) =>
    amountMinor >= 0n && debitAccountId !== creditAccountId && movementId === event?.id;
  const after = effects.card ?? before;
  const creditMinor = after.availableMinor - before.availableMinor;
  const held = purchase ? holdOf(purchase) : 0n;
  const heldAfter = aboutPurchase && effects.transaction ? holdOf(effects.transaction) : held;
  deepEqual(
    {
      unsound: transfers.filter((transfer) => !sound(transfer)),
      all: sum([...deltas.values()]),
      card: delta(CARD_ID),
      master: delta(ACCOUNTS.master),
      holds: delta(ACCOUNTS.holds),
    },
    { unsound: [], all: 0n, card: creditMinor, master: creditMinor, holds: heldAfter - held },
  );
  for (const [id, amount] of deltas) world.moved.set(id, (world.moved.get(id) ?? 0n) + amount);
  world.card = after;
  if (aboutPurchase) world.purchase = effects.transaction ?? purchase;
}

/** Everything that must hold after every message. */
export function expectAgreement({ card, purchase, model, moved, cost, program }: World): void {
  const balance = (id: string) => moved.get(id) ?? 0n;
  const holdMinor = holdFor(model, model.heldMinor);
  const chargedMinor = clearedMinor(model) + fxCharged(model) + model.atmChargedMinor;
  const countedMinor = model.approvedMinor - model.reversedMinor;
  const { day } = card;
  deepEqual(
    {
      available: card.availableMinor,
      holds: balance(ACCOUNTS.holds),
      fx: balance(ACCOUNTS.fxRevenue),
      atm: balance(ACCOUNTS.atmRevenue),
      interchange: balance(ACCOUNTS.interchangeRevenue),
      settlement: balance(ACCOUNTS.settlement),
      payable: balance(ACCOUNTS.payable),
      purchase: purchase && [
        purchase.status,
        purchase.heldMinor,
        purchase.clearedMinor,
        purchase.reversedMinor,
      ],
      spent: [card.daySpentMinor, card.monthSpentMinor, card.totalSpentMinor],
    },
    {
      available: model.openingMinor - holdMinor - chargedMinor + model.refundedMinor,
      holds: holdMinor,
      fx: fxCharged(model),
      atm: model.atmChargedMinor,
      interchange: cost.interchangeMinor,
      settlement: clearedMinor(model) - model.refundedMinor - cost.interchangeMinor,
      payable: program.transactionCostMinor * cost.clearings + cost.rateMinor,
      purchase: purchase && [model.status, model.heldMinor, clearedMinor(model), model.reversedMinor],
      spent: [
        day === model.approvedOn ? countedMinor : 0n,
        day.slice(0, 7) === model.approvedOn.slice(0, 7) ? countedMinor : 0n,
        countedMinor,
      ],
    },
  );
}

const FOREIGN = 'USD';

/** Whether a purchase is older than a hold may be. */
const outlived = ({ nowMs, program }: World, { createdAt }: TransactionRecord): boolean =>
  nowMs - createdAt.getTime() > program.holdDays * 86_400_000;

/** The status of what was approved or cleared. */
const settled = (model: Model): string =>
  model.heldMinor > 0n ? 'PENDING' : clearedMinor(model) > 0n ? 'CLEARED' : 'VOID';

export function authorize(
  world: World,
  { bill, abroad, cash }: { bill: bigint; abroad: boolean; cash: boolean },
): void {
  const { card, model, purchase: cleared, program } = world;
  model.fxBps = abroad ? program.fxFeeBps : 0;
  model.atmFeeMinor = cash ? program.atmFeeMinor : 0n;
  const currency = abroad ? FOREIGN : 'EUR';
  const channel = cash ? ('ATM' as const) : ('POS' as const);
  const request = someRequest({ amountMinor: bill, billAmountMinor: bill, currency, channel });
  const reversed = cleared?.declineReason === 'already_reversed';
  const facts = { card, cvvMatches: undefined, masterMinor: undefined, reversed, cleared };
  const effects = applyAuthorization(request, facts, settingOf(world));
  // What has cleared is not held again; after the last clearing, and of a purchase older than a hold may be, nothing
  // is. Its cash fee is due all the same.
  const nothingToHold = model.final || (cleared !== undefined && outlived(world, cleared));
  const heldMinor = nothingToHold ? 0n : orNone(bill - clearedMinor(model));
  const missedFeeMinor = clearedMinor(model) > 0n ? model.atmFeeMinor : 0n;
  const neededMinor = holdFor(model, heldMinor) + missedFeeMinor;
  const reason =
    neededMinor > 0n && neededMinor > card.availableMinor
      ? 'insufficient_funds'
      : reversed
        ? 'already_reversed'
        : null;
  if (reason === null) {
    model.approvedMinor = bill;
    model.approvedOn = dayOf(world.nowMs);
    model.heldMinor = heldMinor;
    model.atmChargedMinor += missedFeeMinor;
    model.status = settled(model);
  } else if (!cleared) model.status = 'DECLINED';
  expect(effects.response).toMatchObject({
    approved: reason === null,
    decline_reason: reason,
    status: reason === null ? model.status : 'DECLINED',
    bill_amount: formatAmount(bill, 'EUR'),
  });
  take(world, effects);
}

export interface Part {
  bill: bigint;
  final: boolean;
  abroad: boolean;
}

/** `reversedFirst`: a reversal had come before this, and before anything else of the purchase. */
export function clear(world: World, { bill, final, abroad }: Part, reversedFirst = false): void {
  const { card, model, program } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const request = someClearing({ amountMinor: bill, billAmountMinor: bill, currency, final });
  const setting = settingOf(world);
  if (!world.purchase) {
    model.fxBps = abroad ? program.fxFeeBps : 0;
    model.status = 'VOID';
  }
  const transaction = world.purchase ?? unauthorizedPurchase(request, 'net-1', card, setting, reversedFirst);
  const effects = applyClearing(request, { card, transaction }, setting);
  const nothing = clearedMinor(model) + bill === 0n && model.heldMinor === 0n;
  if (clearedMinor(model) === 0n && bill > 0n) model.atmChargedMinor += model.atmFeeMinor;
  model.heldMinor = final ? 0n : orNone(model.heldMinor - bill);
  model.parts.push({ billMinor: bill, fxBps: model.fxBps });
  model.final ||= final;
  if (!nothing) model.status = settled(model);
  if (bill > 0n) world.cost.clearings++;
  world.cost.interchangeMinor += halfEvenShare(bill, program.interchangeBps);
  world.cost.rateMinor += halfEvenShare(bill, program.transactionCostBps);
  expect(effects.response).toMatchObject({ status: model.status, bill_amount: formatAmount(bill, 'EUR') });
  take(world, effects);
}

/** What is let go leaves the purchase cleared, void, or with a smaller hold. */
function letGo(model: Model, billMinor: bigint): void {
  if (billMinor === 0n) return;
  model.heldMinor -= billMinor;
  model.status = settled(model);
}

export function reverse(world: World, thousandths: bigint | undefined): void {
  const { card, purchase: transaction, model } = world;
  if (!transaction) return;
  const asked = thousandths === undefined ? undefined : (transaction.billAmountMinor * thousandths) / 1_000n;
  const request = {
    kind: 'reversal' as const,
    messageId: 'rev-1',
    purchase: { transactionId: '' },
    content: { digest: Buffer.of(), matches: () => true },
  };
  const effects = applyReversal(
    { ...request, billAmountMinor: asked },
    { card, transaction },
    settingOf(world),
  );
  // All that was approved and did not come to anything yet is uncounted; only what is still held can be given back.
  const openMinor = orNone(model.approvedMinor - clearedMinor(model) - model.reversedMinor);
  const uncounted = asked === undefined ? openMinor : least(asked, openMinor);
  const given = least(uncounted, model.heldMinor);
  if (uncounted > given) model.uncountedAfterExpiry = true;
  letGo(model, given);
  model.reversedMinor += uncounted;
  expect(effects.response).toMatchObject({ status: model.status, bill_amount: formatAmount(given, 'EUR') });
  expect(effects.event === undefined).toBe(uncounted === 0n);
  take(world, effects);
}

export function expire(world: World): void {
  const { card, purchase: transaction, model } = world;
  if (!transaction) return;
  const effects = applyExpiry({ card, transaction }, settingOf(world));
  const gone = outlived(world, transaction) ? model.heldMinor : 0n;
  letGo(model, gone);
  model.expiredMinor += gone;
  expect(effects.event === undefined).toBe(gone === 0n);
  take(world, effects);
}

export function refund(world: World, bill: bigint): void {
  const { card, purchase: parent, model } = world;
  const money = { amountMinor: bill, currency: 'EUR', billAmountMinor: bill };
  const request = {
    kind: 'refund' as const,
    messageId: 'ref-1',
    purchase: undefined,
    card: undefined,
    content: { digest: Buffer.of(), matches: () => true },
  };
  const effects = applyRefund({ ...request, ...money }, { card, parent }, settingOf(world));
  model.refundedMinor += bill;
  expect(effects.transaction).toMatchObject({ kind: 'refund', parentId: parent?.id ?? null, heldMinor: 0n });
  take(world, effects, false);
}
