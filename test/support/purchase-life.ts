import { deepStrictEqual as deepEqual } from 'node:assert';
import { expect } from 'vitest';
import { applyAuthorization } from '../../src/authorizations/apply-authorization.ts';
import { applyClearing, unauthorizedPurchase } from '../../src/authorizations/apply-clearing.ts';
import { applyExpiry } from '../../src/authorizations/apply-expiry.ts';
import { applyRefund } from '../../src/authorizations/apply-refund.ts';
import { applyReversal } from '../../src/authorizations/apply-reversal.ts';
import type { CardFacts } from '../../src/authorizations/card-facts.ts';
import type { Outcome, Setting } from '../../src/authorizations/outcome.ts';
import { holdOf, type TransactionRecord } from '../../src/authorizations/transaction.ts';
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
  heldMinor: bigint;
  /** Bill amounts that cleared, in their order. */
  parts: bigint[];
  approvedMinor: bigint;
  approvedOn: string;
  reversedMinor: bigint;
  expiredMinor: bigint;
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
    heldMinor: 0n,
    parts: [],
    approvedMinor: 0n,
    approvedOn: '',
    reversedMinor: 0n,
    expiredMinor: 0n,
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
const clearedMinor = ({ parts }: Model): bigint => sum(parts);

/** What the model's rules set aside for a bill amount. */
function holdFor({ fxBps, atmFeeMinor, parts }: Model, billMinor: bigint): bigint {
  if (billMinor === 0n) return 0n;
  return billMinor + halfEvenShare(billMinor, fxBps) + (sum(parts) === 0n ? atmFeeMinor : 0n);
}

export const fxCharged = ({ parts, fxBps }: Model): bigint =>
  sum(parts.map((part) => halfEvenShare(part, fxBps)));
export const atmCharged = (model: Model): bigint => (clearedMinor(model) > 0n ? model.atmFeeMinor : 0n);

/** Takes an outcome over, and holds it against the card and the purchase as they were. */
function take(world: World, outcome: Outcome<unknown>, aboutPurchase = true): void {
  const { card: before, purchase } = world;
  const { transfers, event } = outcome;
  const deltas = deltasOf(transfers);
  const delta = (id: string) => deltas.get(id) ?? 0n;
  const sound = ({ amountMinor, debitAccountId, creditAccountId, movementId }: Transfer) =>
    amountMinor >= 0n && debitAccountId !== creditAccountId && movementId === event?.id;
  const after = outcome.card ?? before;
  const creditMinor = after.availableMinor - before.availableMinor;
  const held = purchase ? holdOf(purchase) : 0n;
  const heldAfter = aboutPurchase && outcome.transaction ? holdOf(outcome.transaction) : held;
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
  if (aboutPurchase) world.purchase = outcome.transaction ?? purchase;
}

/** Everything that must hold after every message. */
export function expectAgreement({ card, purchase, model, moved, cost, program }: World): void {
  const balance = (id: string) => moved.get(id) ?? 0n;
  const holdMinor = holdFor(model, model.heldMinor);
  const chargedMinor = clearedMinor(model) + fxCharged(model) + atmCharged(model);
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
      atm: atmCharged(model),
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

export function authorize(
  world: World,
  { bill, abroad, cash }: { bill: bigint; abroad: boolean; cash: boolean },
): void {
  const { card, model, purchase: cleared, program } = world;
  if (!cleared) {
    model.fxBps = abroad ? program.fxFeeBps : 0;
    model.atmFeeMinor = cash ? program.atmFeeMinor : 0n;
  }
  const currency = abroad ? FOREIGN : 'EUR';
  const channel = cash ? ('ATM' as const) : ('POS' as const);
  const request = someRequest({ amountMinor: bill, billAmountMinor: bill, currency, channel });
  const facts = { card, cvvMatches: undefined, masterMinor: undefined, reversed: false, cleared };
  const outcome = applyAuthorization(request, facts, settingOf(world));
  const approved = cleared !== undefined || bill === 0n || holdFor(model, bill) <= card.availableMinor;
  expect(outcome.answer).toMatchObject({ approved, bill_amount: formatAmount(bill, 'EUR') });
  if (approved) {
    model.approvedMinor = bill;
    model.approvedOn = dayOf(world.nowMs);
  }
  if (!cleared) {
    model.heldMinor = approved ? bill : 0n;
    model.status = approved ? (bill === 0n ? 'VOID' : 'PENDING') : 'DECLINED';
  }
  take(world, outcome);
}

export function clear(
  world: World,
  { bill, final, abroad }: { bill: bigint; final: boolean; abroad: boolean },
): void {
  const { card, model, program } = world;
  const currency = abroad ? FOREIGN : 'EUR';
  const request = someClearing({ amountMinor: bill, billAmountMinor: bill, currency, final });
  const setting = settingOf(world);
  if (!world.purchase) {
    model.fxBps = abroad ? program.fxFeeBps : 0;
    model.atmFeeMinor = 0n;
  }
  const transaction = world.purchase ?? unauthorizedPurchase(request, 'net-1', card, setting, false);
  const outcome = applyClearing(request, { card, transaction }, setting);
  model.heldMinor = final || bill > model.heldMinor ? 0n : model.heldMinor - bill;
  model.parts.push(bill);
  model.status = model.heldMinor > 0n ? 'PENDING' : 'CLEARED';
  world.cost.clearings++;
  world.cost.interchangeMinor += halfEvenShare(bill, program.interchangeBps);
  world.cost.rateMinor += halfEvenShare(bill, program.transactionCostBps);
  expect(outcome.answer).toMatchObject({ status: model.status, bill_amount: formatAmount(bill, 'EUR') });
  take(world, outcome);
}

/** What is let go leaves the purchase cleared, void, or with a smaller hold. */
function letGo(model: Model, billMinor: bigint): void {
  if (billMinor === 0n) return;
  model.heldMinor -= billMinor;
  if (model.heldMinor === 0n) model.status = clearedMinor(model) > 0n ? 'CLEARED' : 'VOID';
}

export function reverse(world: World, thousandths: bigint | undefined): void {
  const { card, purchase: transaction, model } = world;
  if (!transaction) return;
  const asked = thousandths === undefined ? undefined : (transaction.billAmountMinor * thousandths) / 1_000n;
  const request = {
    kind: 'reversal' as const,
    messageId: 'rev-1',
    purchase: { transactionId: '' },
    digest: Buffer.of(),
  };
  const outcome = applyReversal(
    { ...request, billAmountMinor: asked },
    { card, transaction },
    settingOf(world),
  );
  const given = asked === undefined || asked > model.heldMinor ? model.heldMinor : asked;
  letGo(model, given);
  model.reversedMinor += given;
  expect(outcome.answer).toMatchObject({ status: model.status, bill_amount: formatAmount(given, 'EUR') });
  expect(outcome.event === undefined).toBe(given === 0n);
  take(world, outcome);
}

export function expire(world: World): void {
  const { card, purchase: transaction, model, nowMs, program } = world;
  if (!transaction) return;
  const outcome = applyExpiry({ card, transaction }, settingOf(world));
  const due = nowMs - transaction.createdAt.getTime() > program.holdDays * 86_400_000;
  const gone = due ? model.heldMinor : 0n;
  letGo(model, gone);
  model.expiredMinor += gone;
  expect(outcome.event === undefined).toBe(gone === 0n);
  take(world, outcome);
}

export function refund(world: World, bill: bigint): void {
  const { card, purchase: parent, model } = world;
  const money = { amountMinor: bill, currency: 'EUR', billAmountMinor: bill };
  const request = {
    kind: 'refund' as const,
    messageId: 'ref-1',
    purchase: undefined,
    card: undefined,
    digest: Buffer.of(),
  };
  const outcome = applyRefund({ ...request, ...money }, { card, parent }, settingOf(world));
  model.refundedMinor += bill;
  expect(outcome.transaction).toMatchObject({ kind: 'refund', parentId: parent?.id ?? null, heldMinor: 0n });
  take(world, outcome, false);
}
