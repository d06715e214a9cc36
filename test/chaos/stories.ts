import { setTimeout as pause } from 'node:timers/promises';
import { FILE_TYPES } from '../../src/reports/report.ts';
import { decimal } from '../model/card.ts';
import {
  type Advice,
  type Authorization,
  type Call,
  callOf,
  type Message,
  type Reversal,
} from '../model/messages.ts';
import { CARDS } from '../support/cards/cards.ts';
import type { Card, ClientRequest, Clients } from './clients.ts';
import type { Operation } from './history.ts';
import type { Wire } from './wire.ts';

/** What a client does, over and over: each story has a share of all operations. */
export interface Story {
  share: number;
  send(): Promise<unknown>;
}

const MOST_CARDS = 400;
const FEWEST_CARDS = 12;
const MOST_DAYS = 5;
const MOST_KEY_TRIES = 20;
const DAY_MS = 86_400_000;
const SMALL_MINOR = 200n;
/** No card has it. */
const UNKNOWN_NUMBER = '5555555555554444';
export const BLOCK_REASON = 'reported lost';

interface Purchase {
  card: Card;
  message: Authorization;
}

export function storiesOf(clients: Clients, random: () => number): Story[] {
  const { cards, newName, merchant, network, console, attemptEverywhere } = clients;
  const chance = (share: number): boolean => random() < share;
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const amount = (most: number): bigint => 1n + BigInt(Math.floor(random() * most));
  const moneyOf = (billMinor: bigint, currency = chance(0.25) ? 'USD' : 'EUR') => ({
    amount: decimal(billMinor),
    currency,
    billMinor,
  });

  /** Some are given up after a try without a response: their outcome stays unknown. */
  const settle = (question: ClientRequest, wire: Wire) =>
    clients.settle(question, wire, { random, mayAbandon: true });
  const insist = (operation: Operation, id: string, args: object, wire: Wire) =>
    clients.settle({ operation, id, args }, wire, { random });

  /** The history has the index in the wallet instead of the card number. */
  const about = (card: Card, message: Message, wallet?: number): [ClientRequest, Wire] => {
    const named = { ...message, ...(wallet !== undefined && { number: String(wallet) }) };
    return [
      { operation: message.kind, id: message.id, args: { card: card.id, message: named } },
      network(message),
    ];
  };
  const authorization = (card: Card, billMinor: bigint, wallet = card.wallet.length - 1): Authorization => ({
    kind: 'authorization',
    id: newName('auth'),
    ...(card.wallet[wallet] as Card['wallet'][number]),
    channel: chance(0.1) ? 'ATM' : 'POS',
    mcc: '5411',
    partial: chance(0.1),
    ...moneyOf(billMinor),
  });
  const payment = (card: Card, billMinor: bigint, wallet = card.wallet.length - 1) =>
    about(card, authorization(card, billMinor, wallet), wallet);

  /** The purchase, if it was approved. */
  async function buy(card: Card, billMinor: bigint): Promise<Purchase | undefined> {
    const wallet = card.wallet.length - 1;
    const message = authorization(card, billMinor, wallet);
    const { outcome, answer } = await settle(...about(card, message, wallet));
    if (outcome !== 'ok' || !answer.approved) return undefined;
    // Part of it may have been approved; no more than that is cleared.
    const approvedMinor = BigInt(String(answer.bill_amount).replace('.', ''));
    return { card, message: { ...message, ...moneyOf(approvedMinor, message.currency) } };
  }

  async function shop(): Promise<void> {
    const purchase = await buy(oneOf(cards), amount(10_000));
    if (!purchase || chance(0.2)) return;
    if (chance(0.15)) await raise(purchase);
    if (chance(0.3)) return reverse(purchase);
    const clearingId = await clear(purchase);
    if (clearingId === undefined) return;
    if (chance(0.1)) return takeBack(purchase, { clearingId });
    if (!chance(0.25)) return;
    const refundId = await refund(purchase);
    // Not from a card with little credit, which may have spent it.
    if (refundId !== undefined && !purchase.card.poor && chance(0.3)) await takeBack(purchase, { refundId });
  }

  async function raise({ card, message: { id: purchaseId, currency } }: Purchase): Promise<void> {
    const id = newName('raise');
    const raised = { kind: 'increment' as const, id, purchaseId, ...moneyOf(SMALL_MINOR, currency) };
    const steps: Message[] = [raised];
    const undone = { kind: 'reversal' as const, id: newName('lower'), purchaseId, incrementId: id };
    if (chance(0.5)) steps.push({ ...undone, ...(chance(0.5) && { timedOut: true }) });
    // Some reversals come first.
    if (chance(0.2)) steps.reverse();
    for (const message of steps) await settle(...about(card, message));
  }

  /** A part of what is reversed, in both currencies or in the card's alone. */
  const partOf = (currency: string) => ({
    billMinor: SMALL_MINOR,
    ...(chance(0.5) && { amount: decimal(SMALL_MINOR), currency }),
  });

  async function takeBack(
    { card, message: { id: purchaseId, currency } }: Purchase,
    what: { clearingId: string } | { refundId: string },
  ): Promise<void> {
    const part = chance(0.3) && partOf(currency);
    await settle(...about(card, { kind: 'reversal', id: newName('back'), purchaseId, ...what, ...part }));
  }

  /** The id of its last clearing, if all of it is known to have cleared. */
  async function clear({ card, message: { id: purchaseId, billMinor, currency } }: Purchase) {
    let last: string | undefined;
    const first = billMinor / 3n;
    const parts = first > 0n && chance(0.4) ? [first, billMinor - first] : [billMinor];
    for (const [index, part] of parts.entries()) {
      const ids = { kind: 'clearing' as const, id: newName('clear'), purchaseId };
      const data = { data: { interchange_amount: oneOf(['0.35', '-0.11']) } };
      const own = chance(0.1) ? data : {};
      const message = { ...ids, ...moneyOf(part, currency), final: index === parts.length - 1, ...own };
      if ((await settle(...about(card, message))).outcome !== 'ok') return undefined;
      last = ids.id;
    }
    return last;
  }

  async function refund({ card, message: { id: purchaseId, currency } }: Purchase) {
    const ids = { kind: 'refund' as const, id: newName('refund'), purchaseId };
    const { outcome } = await settle(...about(card, { ...ids, ...moneyOf(SMALL_MINOR, currency) }));
    return outcome === 'ok' ? ids.id : undefined;
  }

  async function reverse({
    card,
    message: { id: purchaseId, billMinor, currency },
  }: Purchase): Promise<void> {
    const part = billMinor > SMALL_MINOR && chance(0.3) && partOf(currency);
    await settle(...about(card, { kind: 'reversal', id: newName('reverse'), purchaseId, ...part }));
  }

  async function wantTheLastOfIt(): Promise<void> {
    const card = oneOf(cards.filter(({ poor }) => poor));
    const wanted = Array.from({ length: 4 }, async () => {
      const purchase = await buy(card, amount(9_000));
      if (purchase && chance(0.8)) await reverse(purchase);
    });
    await Promise.all(wanted);
  }

  /**
   * The network gets no answer to a request: it undoes what we may have answered, decides itself, and says so, in any order,
   * before or after the request. Only with enough on the card: what the network approved is held in any case.
   */
  async function standIn(): Promise<void> {
    const card = oneOf(cards.filter(({ poor }) => !poor));
    const wallet = card.wallet.length - 1;
    const message = authorization(card, amount(3_000), wallet);
    const { kind: _kind, id: purchaseId, partial: _partial, ...asked } = message;
    const advice: Advice = {
      kind: 'advice',
      id: newName('advice'),
      purchaseId,
      approved: chance(0.7),
      ...asked,
    };
    const timeout: Reversal = { kind: 'reversal', id: newName('timeout'), purchaseId, timedOut: true };
    const cancel: Reversal = { kind: 'reversal', id: newName('cancel'), purchaseId };
    const request = about(card, message, wallet);
    const isLate = chance(0.3);
    if (!isLate) await clients.attempt(oneOf([0, 1]), ...request);
    const rest: Array<[ClientRequest, Wire]> = [
      about(card, timeout),
      about(card, advice, wallet),
      ...(isLate ? [request] : []),
      ...(chance(0.3) ? [about(card, cancel)] : []),
    ];
    if (chance(0.5)) rest.reverse();
    if (chance(0.3)) await Promise.all(rest.map((each) => settle(...each)));
    else for (const each of rest) await settle(...each);
    if (advice.approved && chance(0.5)) await clear({ card, message });
  }

  /** Announced by a credit, before or after it, or not at all; some credits are reversed. */
  async function giveCredit(): Promise<void> {
    const card = oneOf(cards);
    const wallet = card.wallet.length - 1;
    const own = { ...authorization(card, amount(2_000), wallet), partial: false };
    const credit: Authorization = { ...own, channel: 'ECOMMERCE', type: 'CREDIT' };
    const money = moneyOf(credit.billMinor, credit.currency);
    const { number } = card.wallet[wallet] as Card['wallet'][number];
    const named = { kind: 'refund' as const, purchaseId: credit.id, number, ...money };
    const refunds = Array.from({ length: Math.floor(3 * random()) }, () =>
      about(card, { ...named, id: newName('refund') }, wallet),
    );
    const undone: Reversal = { kind: 'reversal', id: newName('reverse'), purchaseId: credit.id };
    const steps = [about(card, credit, wallet), ...refunds, ...(chance(0.3) ? [about(card, undone)] : [])];
    if (chance(0.3)) steps.reverse();
    for (const step of steps) await settle(...step);
  }

  /** A refund comes before its purchase. */
  async function refundEarly(): Promise<void> {
    const card = oneOf(cards);
    const wallet = card.wallet.length - 1;
    const message = authorization(card, amount(5_000), wallet);
    const { number } = card.wallet[wallet] as Card['wallet'][number];
    const money = moneyOf(SMALL_MINOR, message.currency);
    const ids = { kind: 'refund' as const, id: newName('refund'), purchaseId: message.id, number };
    await settle(...about(card, { ...ids, ...money }, wallet));
    await settle(...about(card, message, wallet));
  }

  /** A number that no card has: the network has moved the money all the same. */
  async function strangerPays(): Promise<void> {
    const ask = (message: Message): [ClientRequest, Wire] => [
      { operation: message.kind, id: message.id, args: { message } },
      network(message),
    ];
    const money = { number: UNKNOWN_NUMBER, ...moneyOf(amount(4_000)) };
    const isRefund = chance(0.3);
    const id = newName('strange');
    const presented: Message = isRefund
      ? { kind: 'refund', id, ...money }
      : { kind: 'clearing', id, purchaseId: newName('nobody'), final: true, ...money };
    if ((await settle(...ask(presented))).outcome !== 'ok' || chance(0.6)) return;
    const named = isRefund ? { refundId: id } : { clearingId: id };
    const part = chance(0.3) && { billMinor: 1n };
    await settle(...ask({ kind: 'reversal', id: newName('back'), purchaseId: '', ...named, ...part }));
  }

  async function payTwiceAtOnce(): Promise<void> {
    const paid = payment(oneOf(cards), amount(10_000));
    await attemptEverywhere(() => paid);
  }

  const callWire = (card: Card, call: Call, id: string): Wire => {
    const { method, path, body, key } = callOf(call, id);
    return merchant(method, `${CARDS}${card.id}/${path}`, body, key);
  };

  async function adjust(): Promise<void> {
    const id = newName('adjust');
    const card = oneOf(cards);
    const amountMinor = (chance(0.5) ? 1n : -1n) * amount(4_000);
    const question = { operation: 'adjust' as const, id, args: { card: card.id, minor: amountMinor } };
    const wire = callWire(card, { kind: 'adjust', amountMinor }, id);
    if (chance(0.5)) await settle(question, wire);
    else await attemptEverywhere(() => [question, wire]);
  }

  async function create(): Promise<void> {
    if (cards.length < MOST_CARDS) await clients.addCard({ poor: chance(0.3) }, { random, mayAbandon: true });
  }

  /** With a card that no other client changes; others may still pay with it. */
  const withCard = (change: (card: Card) => Promise<void>) => async (): Promise<void> => {
    const free = cards.filter(({ taken, poor }) => !taken && !poor);
    if (free.length === 0) return;
    const card = oneOf(free);
    card.taken = true;
    await change(card);
    card.taken = false;
  };

  /** Tries what was just forbidden, at every server at once. */
  const probe = (card: Card, wallet?: number) => attemptEverywhere(() => payment(card, SMALL_MINOR, wallet));

  async function freezeForAMoment(card: Card): Promise<void> {
    const args = { card: card.id };
    const freeze = (on: boolean) => callWire(card, { kind: 'freeze', freeze: on }, '');
    const frozen = await insist('freeze', newName('freeze'), args, freeze(true));
    if (frozen.outcome === 'ok') await probe(card);
    await insist('unfreeze', newName('unfreeze'), args, freeze(false));
  }

  async function block(card: Card): Promise<void> {
    if (cards.length < FEWEST_CARDS) return;
    const id = newName('block');
    const wire = callWire(card, { kind: 'block', reason: BLOCK_REASON }, id);
    await insist('block', id, { card: card.id }, wire);
    await probe(card);
    cards.splice(cards.indexOf(card), 1);
  }

  async function reissue(card: Card): Promise<void> {
    const id = newName('reissue');
    const before = card.wallet.length - 1;
    const wire = callWire(card, { kind: 'reissue' }, id);
    const { outcome } = await insist('reissue', id, { card: card.id }, wire);
    if (outcome !== 'ok') return;
    await probe(card, before);
    card.wallet.push(await clients.reveal(card.id));
  }

  /** Without an id of its own: a retry would be another request. */
  async function requestReport(): Promise<void> {
    const type = oneOf(FILE_TYPES.filter((type) => !type.startsWith('monthly')));
    const date = new Date(Date.now() + (clients.daysAhead() - 2) * DAY_MS).toISOString().slice(0, 10);
    const wire = merchant('GET', `/api/v1/merchant/files/${type}/?date=${date}`);
    const question = { operation: 'report' as const, id: newName('report'), args: { type, date } };
    await clients.attempt(oneOf([0, 1]), question, wire);
  }

  /** Of the console, with one try per name: a retry would be another key. */
  async function makeKey(kind: 'merchant' | 'network') {
    for (let tries = 0; tries < MOST_KEY_TRIES; tries++) {
      const name = newName('key');
      const args = { key: name };
      const wire = console('POST', 'keys/', { kind, name });
      const made = await clients.attempt(oneOf([0, 1]), { operation: 'create key', id: name, args }, wire);
      if (made.outcome === 'ok')
        return { args, id: made.answer.id as string, key: made.answer.key as string };
      await pause(300 * random());
    }
    return undefined;
  }

  /** At every server, and then until one responds, before the key is revoked and after: each key is accepted and refused. */
  const withKey =
    (kind: 'merchant' | 'network', query: (key: string) => [ClientRequest, Wire]) => async () => {
      const made = await makeKey(kind);
      if (!made) return;
      const show = (): [ClientRequest, Wire] => {
        const [{ args, ...question }, wire] = query(made.key);
        return [{ ...question, args: { ...args, ...made.args } }, wire];
      };
      const showEverywhere = async () => {
        await attemptEverywhere(show);
        await clients.settle(...show(), { random });
      };
      await showEverywhere();
      await insist('revoke key', newName('revoke'), made.args, console('DELETE', `keys/${made.id}/`));
      await showEverywhere();
    };

  const lookAtCards = (key: string): [ClientRequest, Wire] => [
    { operation: 'use key', id: newName('use'), args: {} },
    { method: 'GET', path: `${CARDS}?page_size=1`, headers: { 'x-payments-api-key': key } },
  ];

  const pay = (key: string): [ClientRequest, Wire] => {
    const [question, wire] = payment(oneOf(cards), SMALL_MINOR);
    return [question, { ...wire, headers: { 'x-network-key': key } }];
  };

  async function letADayPass(): Promise<void> {
    if (clients.daysAhead() < MOST_DAYS) await clients.moveClockToNextDay();
  }

  return [
    { share: 40, send: shop },
    { share: 12, send: wantTheLastOfIt },
    { share: 8, send: payTwiceAtOnce },
    { share: 10, send: standIn },
    { share: 5, send: giveCredit },
    { share: 4, send: refundEarly },
    { share: 3, send: strangerPays },
    { share: 6, send: adjust },
    { share: 5, send: create },
    { share: 6, send: withCard(freezeForAMoment) },
    { share: 2, send: withCard(block) },
    { share: 4, send: withCard(reissue) },
    { share: 3, send: requestReport },
    { share: 3, send: withKey('merchant', lookAtCards) },
    { share: 3, send: withKey('network', pay) },
    { share: 1, send: letADayPass },
  ];
}
