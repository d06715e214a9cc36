import type { LimitFunction } from 'p-limit';
import type { AuthorizationType } from '../../authorizations/core/authorization-type.ts';
import { contentOf, type Message, type Money } from '../../authorizations/core/message.ts';
import type { Channel } from '../../authorizations/core/transaction.ts';
import { type Submit, usualDeadline } from '../../authorizations/engine/engine.ts';
import { changeMetadata } from '../../authorizations/transactions/change-metadata.ts';
import { adjustBalance } from '../../cards/adjust-balance.ts';
import { blockCard } from '../../cards/block-card.ts';
import { type CreateCardServices, createCard } from '../../cards/create-card.ts';
import { addNote } from '../../cards/customers/notes.ts';
import { freezeCard } from '../../cards/freeze-card.ts';
import type { Acceptor } from '../../cards/read-network.ts';
import { reissueCard } from '../../cards/reissue-card.ts';
import type { CreateCardBody, ReissueBody } from '../../cards/schema.ts';
import { changeSpendControls } from '../../cards/spend-controls.ts';
import { addMonths, dayOf } from '../../kernel/calendar.ts';
import { amountToNumber } from '../../kernel/money.ts';
import { type Secret, secret } from '../../kernel/secret.ts';
import { findBalance } from '../../ledger/queries.ts';
import type { Actor } from '../../programs/actor.ts';
import { fundProgram } from '../../programs/fund-program.ts';
import type { CustomerKeys, RulesOf } from '../../rules/loaded-rules.ts';
import { addBatch } from './batch.ts';
import { clearedDataOf, dataOf } from './network-data.ts';
import { makePerson, type Person } from './people.ts';
import { createRandom } from './random.ts';
import {
  ATM,
  CASINO,
  type City,
  CURRENCY,
  HOMES,
  moneyOn,
  PURCHASES,
  pickShop,
  type Shop,
  type Trade,
} from './world.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const HOLD_DAYS = 7;
/** Without a story of their own, so that even a demo with few cards shows them. */
const RARITIES_EVERY = 25;
const RARITIES_AT = 6;
/** Weights of the days: more purchases towards the weekend. Sunday comes first. */
const WEEK = [0.8, 0.9, 0.95, 1, 1.05, 1.3, 1.45];
const WEEK_MS = 7 * DAY_MS;
/** Yesterday. */
const UPLOADED_AT_MS = 9 * HOUR_MS;
const TWO_CARDS_EVERY = 4;
/** Who wrote the notes. */
const SUPPORT = { id: '00000000-0000-8000-8000-000000000001', name: 'Sam Support', isAdmin: false };
/** No CVV has four digits, so this one is wrong for every card. */
const WRONG_CVV = secret('0000');
const APPROVED = { approved: true, approvalCode: undefined, reason: 'issuer unavailable' };
/** What later messages leave out. */
const UNSAID = { channel: undefined, acceptor: undefined, interchangeMinor: undefined };
/** The demo uses no Idempotency-Key, so no response is stored. */
const storeNothing = async () => {};

export type DemoServices = CreateCardServices & { submit: Submit; rulesOf: RulesOf; customers: CustomerKeys };

/** What an action needs when its time has come. */
export interface Stage extends DemoServices {
  readonly actor: Actor;
  /** For operations that need a connection each, because the pool is small. The engine gathers its messages. */
  limit: LimitFunction;
  /** Adds to the tally. */
  count(what: string): void;
}

/** An action of one cardholder, or of the program itself (`lane` -1). The actions of a lane run one after another. */
export type Planned = { atMs: number; lane: number; perform: (stage: Stage) => Promise<unknown> } & (
  | { kind: 'authorize'; acceptor: Acceptor; channel: Channel; money: Money }
  | { kind: 'message' | 'operation' }
);

/** Whole UTC days, so that the plan does not depend on the hour. It is performed up to the present. */
interface History {
  seed: number;
  startMs: number;
  endMs: number;
}

type Plan = ReturnType<typeof createPlan>;

export const dayStart = (atMs: number): number => Math.floor(atMs / DAY_MS) * DAY_MS;

/** The plan of one person, while it is being created. Actions after the history are left out. */
function createPlan({ seed, startMs, endMs }: History, person: Person) {
  const planned: Planned[] = [];
  const wallet = { cardId: '' };
  function add(action: Omit<Planned, 'lane'>): void {
    if (action.atMs < endMs) planned.push({ ...action, lane: person.index } as Planned);
  }
  const moneyAt = (atMs: number, shop: Shop, percent: number): Money =>
    moneyOn(Math.floor((atMs - startMs) / DAY_MS), seed, shop, percent);
  return {
    ...{ person, seed, endMs, planned, wallet, add, moneyAt },
    random: createRandom(seed, `plan ${person.index}`),
    operate: (atMs: number, run: (stage: Stage, cardId: string) => Promise<unknown>) =>
      add({ kind: 'operation', atMs, perform: (stage) => stage.limit(() => run(stage, wallet.cardId)) }),
  };
}

/** Replaces the person's card, if there is one. */
async function openCard({ wallet }: Plan, stage: Stage, body: CreateCardBody): Promise<string> {
  stage.count('card');
  wallet.cardId = (await createCard(stage, stage.actor, body, storeNothing)).id;
  return wallet.cardId;
}

interface Asked {
  cvv?: Secret;
  type?: AuthorizationType;
  /** The network has approved in the place of Emboss. */
  advised?: boolean;
}

/** The engine decides whether the purchase is approved. Returns a function for its later messages. */
function authorize(
  { person, planned, wallet, add, moneyAt, seed }: Plan,
  shop: Shop,
  atMs: number,
  { cvv, type = 'PURCHASE', advised = false }: Asked = {},
) {
  const messageId = `demo-${person.index + 1}-${planned.length + 1}`;
  const { acceptor, channel } = shop;
  const money = moneyAt(atMs, shop, 100);
  let transactionId: string | null = null;
  async function perform({ db, vault, submit, actor, count, limit }: Stage): Promise<void> {
    const card = { cardId: wallet.cardId, numberId: undefined };
    const content = contentOf(vault, 'demo', messageId);
    const unsaid = { authentication: undefined, splitOf: undefined };
    const network = dataOf(seed, messageId, shop);
    const wanted = { type, partialApproval: channel === 'POS', network, ...unsaid };
    const shown = {
      messageId,
      externalTransactionId: messageId,
      card,
      expiry: undefined,
      cvv,
      channel,
      acceptor,
      ...wanted,
      ...money,
      content,
    };
    const response = await submit(
      actor.program,
      advised ? { kind: 'advice', ...shown, standIn: APPROVED } : { kind: 'authorization', ...shown },
      { source: 'job', deadline: usualDeadline() },
    );
    count(response.approved ? 'approval' : `decline: ${response.declineReason}`);
    if (advised) count('advice');
    if (type === 'CREDIT') count('credit');
    if (response.approved) transactionId = response.transactionId;
    // Companies note which of their orders they have paid for.
    if (!transactionId || !person.card.metadata || channel !== 'ECOMMERCE') return;
    const labelled = transactionId;
    const metadata = { order_id: `PO-${messageId.slice('demo-'.length)}` };
    await limit(() => changeMetadata(db, actor, labelled, metadata));
  }
  add({ kind: 'authorize', atMs, acceptor, channel, money, perform } as Planned);
  /** On the same day an hour later, on other days early in the morning, when the network sends its files. */
  return function later(kind: Later, days: number, percent = 100, final = true, copy = ''): void {
    const laterMs = days === 0 ? atMs + HOUR_MS : dayStart(atMs) + days * DAY_MS + 100 * MINUTE_MS;
    const first = `${messageId}-${kind}-${days}`;
    const id = first + copy;
    const isPresented = kind === 'clearing' || kind === 'refund';
    const network = isPresented ? clearedDataOf(seed, first, laterMs) : null;
    const message = {
      messageId: id,
      ...UNSAID,
      card: undefined,
      network,
      final,
      ...moneyAt(laterMs, shop, percent),
    };
    async function send({ vault, submit, actor, count }: Stage): Promise<void> {
      // The purchase was declined.
      if (!transactionId) return;
      count(kind);
      const content = contentOf(vault, 'demo', id);
      const purchase = { transactionId };
      const part = { ...message, amountMinor: message.amountMinor };
      const sent =
        kind === 'reversal'
          ? {
              kind,
              messageId: id,
              reversed: { purchase, incrementId: undefined },
              part,
              timedOut: false,
              content,
            }
          : ({ ...message, kind, purchase, content } as Exclude<
              Message,
              { kind: 'authorization' | 'advice' | 'reversal' }
            >);
      await submit(actor.program, sent, { source: 'job', deadline: usualDeadline() });
    }
    add({ kind: 'message', atMs: laterMs, perform: send });
  };
}

/** Expired holds are released by a message: before the worker's next round, the clock would be far ahead. */
type Later = 'clearing' | 'increment' | 'refund' | 'reversal' | 'expiry';

/** Plans one purchase and its later messages. Some orders are cancelled, sent in parts or sent back. */
function planPurchase(plan: Plan, trade: Trade, atMs: number): void {
  const { random, person } = plan;
  const later = authorize(plan, pickShop(random, trade, person.city, person.taste), atMs);
  const days = random.pick([1, 1, 1, 2, 2, 3]);
  const percentile = random.integer(trade.channel === 'ECOMMERCE' ? 1 : 29, 100);
  if (percentile <= 6) later('reversal', 0);
  else if (percentile <= 16) {
    later('clearing', days, 40, false);
    later('clearing', days + 2, 60);
  } else if (percentile <= 18) {
    // Something is added to the order.
    later('increment', 0, 20);
    later('clearing', days, 120);
  } else if (percentile <= 20) {
    later('reversal', 0, 30);
    later('clearing', days, 70);
  } else if (percentile === 100) {
    // The shop does not clear in time, so the hold expires. Some shops clear later.
    later('expiry', HOLD_DAYS + 1);
    if (random.chance(0.4)) later('clearing', HOLD_DAYS + 2);
  } else later('clearing', days, random.pick(trade.clears ?? [100]));
  if (percentile > 20 && percentile <= 28)
    later('refund', days + random.integer(3, 12), random.pick([50, 100]));
}

/** What most cards never see: an advice, a credit with its refund, and clearings that a person should look at. */
function planRarities(plan: Plan, atMs: number): void {
  const { random, person } = plan;
  const [cafe, shop] = [PURCHASES[22], PURCHASES.at(-10)] as [Trade, Trade];
  const buy = (trade: Trade, hours: number, asked?: Asked) =>
    authorize(plan, pickShop(random, trade, person.city), atMs + hours * HOUR_MS, asked);
  buy(cafe, 1, { advised: true })('clearing', 1);
  buy(shop, 2, { type: 'CREDIT' })('refund', 1);
  buy(cafe, 3)('clearing', 1, 140);
  const later = buy(cafe, 4);
  later('clearing', 1);
  later('clearing', 1, 100, true, '-again');
}

/** A clearing of a number that no card has: the network has moved the money, and a person must find out whose it is. */
function unmatchedClearing({ seed, endMs }: History): Planned {
  const atMs = endMs - 30 * HOUR_MS;
  const { acceptor, channel } = pickShop(
    createRandom(seed, 'unmatched'),
    PURCHASES[0] as Trade,
    HOMES[0] as City,
  );
  const messageId = 'demo-unmatched';
  async function perform({ vault, submit, actor, count }: Stage): Promise<void> {
    count('unmatched clearing');
    const money = { amountMinor: 1_940n, currency: CURRENCY, billAmountMinor: 1_940n };
    const named = { purchase: { externalTransactionId: messageId }, card: 'unknown' as const, final: true };
    const said = { ...UNSAID, acceptor, channel, network: clearedDataOf(seed, messageId, atMs) };
    const content = contentOf(vault, 'demo', messageId);
    const clearing = { kind: 'clearing' as const, messageId, ...money, ...named, ...said, content };
    await submit(actor.program, clearing, { source: 'job', deadline: usualDeadline() });
  }
  return { kind: 'message', lane: -1, atMs, perform };
}

/** What all cardholders do, and a weekly funding that covers it, in order of time. */
export function planHistory(history: History, cards: number): Planned[] {
  const people = Array.from({ length: cards }, (_, index) => makePerson(history.seed, index));
  const planned = people.flatMap((person) => planPerson(history, person));
  planned.push(unmatchedClearing(history));
  const uploadedMs = history.endMs - 2 * DAY_MS + UPLOADED_AT_MS;
  const upload = (stage: Stage) => addBatch(stage, history.seed);
  planned.push({ kind: 'operation', lane: -1, atMs: uploadedMs, perform: upload });
  const weeklyEur = people.reduce((sum, person) => sum + person.weeklyEur, 0);
  const amountMinor = BigInt(Math.ceil((weeklyEur * 1.1) / 1_000)) * 100_000n;
  for (let atMs = history.startMs; atMs < history.endMs; atMs += WEEK_MS) {
    const funding = { amountMinor, reference: 'Weekly funding' };
    const perform = ({ db, actor }: Stage) => db.transaction((tx) => fundProgram(tx, actor, funding));
    planned.push({ kind: 'operation', lane: -1, atMs, perform });
  }
  return planned.sort((one, other) => one.atMs - other.atMs);
}

/** All actions of one cardholder. */
export function planPerson(history: History, person: Person): Planned[] {
  const plan = createPlan(history, person);
  const { random, endMs, operate } = plan;
  // Most cardholders join in the first days, the others one by one.
  const joinedMs = history.startMs + 0.6 * random.next() ** 3 * (endMs - history.startMs);
  const openedMs = dayStart(joinedMs) + random.integer(8 * 60, 19 * 60) * MINUTE_MS;
  // The shortest possible validity, so that it ends within the history.
  const expiryDate = addMonths(dayOf(openedMs + DAY_MS), 1);
  const validity = person.story === 'expires' ? { expiryDate } : {};
  const card = { ...person.card, ...validity, spendLimit: 2 * person.weeklyEur };
  const controls = controlsOf(plan);
  const renews = random.chance(0.7);
  operate(openedMs, async (stage) => {
    const cardId = await openCard(plan, stage, card);
    if (controls) await changeSpendControls(stage.db, stage.actor, cardId, controls);
  });
  if (person.index % TWO_CARDS_EVERY === 0) planSecondCard(plan, openedMs + 4 * DAY_MS);
  for (let atMs = openedMs + 5 * DAY_MS; atMs < endMs; atMs += WEEK_MS) {
    const amount = Math.round(person.weeklyEur * (0.95 + 0.35 * random.next()));
    const topUp = { amount, reference: 'Weekly top-up' };
    operate(atMs, ({ db, actor }, cardId) => adjustBalance(db, actor, cardId, topUp, storeNothing));
  }
  const storyMs = dayStart(openedMs + (0.25 + 0.4 * random.next()) * (endMs - openedMs)) + 8 * HOUR_MS;
  planStory(plan, openedMs, Math.max(storyMs, openedMs + HOUR_MS), renews);
  if (person.index % RARITIES_EVERY === RARITIES_AT) planRarities(plan, openedMs);
  // Who does not renew an expired card tries it for some days.
  const leaves = person.story === 'expires' && !renews;
  planShopping(plan, openedMs, leaves ? Date.parse(expiryDate) + 3 * DAY_MS : endMs);
  return plan.planned;
}

/** A card for one purchase or one merchant, which is tried at another one later. */
function planSecondCard(plan: Plan, atMs: number): void {
  const { person, seed } = plan;
  const own = { ...plan, wallet: { cardId: '' } };
  const { card, weeklyEur, city, index } = person;
  const usage = (index / TWO_CARDS_EVERY) % 2 === 0 ? { purchases: 1 } : { merchants: 'FIRST' as const };
  const body = { ...card, cardType: 'virtual' as const, spendLimit: weeklyEur, usage };
  plan.operate(atMs, (stage) => openCard(own, stage, body));
  const random = createRandom(seed, `second card ${index}`);
  const online = PURCHASES.filter(({ channel }) => channel === 'ECOMMERCE');
  const buy = (hours: number) =>
    authorize(own, pickShop(random, random.pick(online), city), atMs + hours * HOUR_MS);
  buy(3)('clearing', 1);
  buy(50)('clearing', 1);
}

/** Limits and categories that the merchant sets when the card is created. */
function controlsOf({ person: { story }, random }: Plan) {
  if (story === 'may not gamble') return { blockedMccs: [CASINO.mcc, ATM.mcc] };
  if (story !== 'has limits') return undefined;
  return random.pick([{ transactionLimit: 60 }, { dailyLimit: 75 }, { monthlyLimit: 800 }]);
}

function planStory(plan: Plan, openedMs: number, atMs: number, renews: boolean): void {
  const { random, person, operate, endMs } = plan;
  const freeze = (whenMs: number, frozen: boolean) =>
    operate(whenMs, ({ db, actor }, cardId) => freezeCard(db, actor, cardId, frozen));
  const note = (whenMs: number, text: string) =>
    operate(whenMs, (stage) => addNote(stage, stage.actor, SUPPORT, person.card.meta.id, text));
  const renew = (whenMs: number, renewOption: NonNullable<ReissueBody['renewOption']>) =>
    operate(whenMs, (stage, cardId) =>
      reissueCard(stage, stage.actor, cardId, { renewOption }, storeNothing),
    );
  if (person.story === 'freezes') {
    freeze(atMs, true);
    note(atMs + MINUTE_MS, 'Cannot find the card at home; asked us to freeze it. Will call back.');
    freeze(atMs + 30 * HOUR_MS, false);
    freeze(Math.max(atMs + 31 * HOUR_MS, endMs - random.integer(24, 336) * HOUR_MS), true);
  } else if (person.story === 'loses') {
    operate(atMs, ({ db, actor }, cardId) => blockCard(db, actor, cardId, 'Lost by the cardholder'));
    note(atMs + HOUR_MS, 'Lost the card on a train. Verified by date of birth and address.');
    authorize(plan, pickShop(random, ATM, person.city), atMs + HOUR_MS);
    operate(atMs + 3 * HOUR_MS, (stage, cardId) => replaceCard(plan, stage, cardId));
  } else if (person.story === 'is attacked') {
    // Wrong CVVs block the card automatically.
    const shop = pickShop(random, CASINO, person.city);
    note(atMs + 2 * HOUR_MS, 'Did not make the purchases at the casino; knows that a new card follows.');
    for (let guess = 0; guess < 4; guess++)
      authorize(plan, shop, atMs + guess * MINUTE_MS, { cvv: WRONG_CVV });
    operate(atMs + 3 * HOUR_MS, (stage, cardId) => replaceCard(plan, stage, cardId));
  } else if (person.story === 'is renewed') renew(atMs, 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE');
  // Some cardholders renew an expired card after a decline, the others do not.
  else if (person.story === 'expires' && renews) renew(openedMs + 36 * DAY_MS, 'CALCULATE_NEW_EXPIRY_DATE');
}

/** Moves the rest of the old card's balance to a new card. */
async function replaceCard(plan: Plan, stage: Stage, cardId: string): Promise<void> {
  const { db, actor } = stage;
  const left = amountToNumber(await findBalance(db, actor.program.id, cardId), actor.program.currency);
  const move = { amount: -left, reference: 'Moved to the replacement card' };
  if (left > 0) await adjustBalance(db, actor, cardId, move, storeNothing);
  await openCard(plan, stage, { ...plan.person.card, spendLimit: Math.max(left, 0) });
}

/** From 7 to 22 o'clock, mostly around noon, and a few at any hour. */
function planShopping(plan: Plan, openedMs: number, untilMs: number): void {
  const { random, person } = plan;
  for (let dayMs = dayStart(openedMs); dayMs < untilMs; dayMs += DAY_MS) {
    const expected = (person.purchasesPerWeek / 7) * (WEEK[new Date(dayMs).getUTCDay()] as number);
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let each = 0; each < count; each++) {
      const gambles = person.story === 'may not gamble' && random.chance(0.08);
      const trade = gambles ? CASINO : random.pick(PURCHASES);
      const hour = random.chance(0.1) ? 24 * random.next() : 7 + 7.5 * (random.next() + random.next());
      const atMs = dayMs + Math.floor(hour * HOUR_MS);
      if (atMs > openedMs) planPurchase(plan, trade, atMs);
    }
  }
}
