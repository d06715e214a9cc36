import { setTimeout as pause } from 'node:timers/promises';
import { CARDS } from '../support/cards.ts';
import type { Card, Clients, Question } from './clients.ts';
import type { Operation } from './history.ts';
import { STEP_MINOR } from './terms.ts';
import { decimal, type Wire } from './wire.ts';

/** What a client does, over and over: each story has its share of all that is told. */
export interface Story {
  share: number;
  tell(): Promise<unknown>;
}

const MOST_CARDS = 400;
const FEWEST_CARDS = 12;
const MOST_DAYS = 5;
const MOST_KEY_TRIES = 20;
const DAY_MS = 86_400_000;
const MERCHANT = { id: 'shop-1', name: 'Corner Shop', mcc: '5411', city: 'London', country: 'GBR' };

interface Purchase {
  id: string;
  billMinor: number;
  currency: string;
}

export function storiesOf(clients: Clients, random: () => number): Story[] {
  const { cards, newName, merchant, network, console, attemptEverywhere } = clients;
  const chance = (share: number): boolean => random() < share;
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const amount = (most: number): number => STEP_MINOR * (1 + Math.floor((random() * most) / STEP_MINOR));

  /** Some are given up after a try that was not answered: nobody ever asks what became of them. */
  const settle = (operation: Operation, id: string, args: object, wire: Wire) =>
    clients.settle({ operation, id, args }, wire, { random, mayAbandon: true });
  const insist = (operation: Operation, id: string, args: object, wire: Wire) =>
    clients.settle({ operation, id, args }, wire, { random });

  function authorization(card: Card, billMinor: number, wallet = card.wallet.length - 1) {
    const id = newName('auth');
    const { number, expiry } = card.wallet[wallet] as Card['wallet'][number];
    const currency = chance(0.25) ? 'USD' : 'EUR';
    const channel = chance(0.1) ? 'ATM' : 'POS';
    const bill = decimal(billMinor);
    const wire = network('authorizations', {
      external_transaction_id: id,
      card_number: number,
      expiry,
      amount: bill,
      currency,
      ...(currency !== 'EUR' && { bill_amount: bill, bill_currency: 'EUR' }),
      channel,
      merchant: MERCHANT,
    });
    const args = { card: card.id, wallet, billMinor, currency, channel };
    return { question: { operation: 'authorize' as const, id, args }, wire };
  }

  /** The purchase, if it was approved. */
  async function buy(card: Card, billMinor: number): Promise<Purchase | undefined> {
    const { question, wire } = authorization(card, billMinor);
    const { id, args } = question;
    const { outcome, answer } = await settle('authorize', id, args, wire);
    return outcome === 'ok' && answer.approved ? { id, billMinor, currency: args.currency } : undefined;
  }

  async function shop(): Promise<void> {
    const purchase = await buy(oneOf(cards), amount(10_000));
    if (!purchase || chance(0.2)) return;
    if (chance(0.3)) return reverse(purchase);
    if ((await clear(purchase)) && chance(0.25)) await refund(purchase);
  }

  /** Whether all of it is known to have cleared. */
  async function clear({ id: of, billMinor: allMinor, currency }: Purchase): Promise<boolean> {
    const inTwo = allMinor >= 2 * STEP_MINOR && chance(0.4);
    const parts = inTwo ? [STEP_MINOR, allMinor - STEP_MINOR] : [allMinor];
    for (const [place, billMinor] of parts.entries()) {
      const id = newName('clear');
      const final = place === parts.length - 1;
      const money = {
        amount: decimal(billMinor),
        currency,
        bill_amount: decimal(billMinor),
        bill_currency: 'EUR',
      };
      const wire = network('clearings', { external_transaction_id: of, clearing_id: id, ...money, final });
      if ((await settle('clear', id, { of, billMinor, final }, wire)).outcome !== 'ok') return false;
    }
    return true;
  }

  async function refund({ id: of, currency }: Purchase): Promise<void> {
    const id = newName('refund');
    const bill = decimal(STEP_MINOR);
    const money = { amount: bill, currency, bill_amount: bill, bill_currency: 'EUR' };
    const wire = network('refunds', { external_transaction_id: of, refund_id: id, ...money });
    await settle('refund', id, { of, billMinor: STEP_MINOR }, wire);
  }

  async function reverse({ id: of, billMinor }: Purchase): Promise<void> {
    const id = newName('reverse');
    const partMinor = billMinor >= 2 * STEP_MINOR && chance(0.3) ? STEP_MINOR : null;
    const part = partMinor === null ? {} : { bill_amount: decimal(partMinor) };
    const wire = network('reversals', { external_transaction_id: of, reversal_id: id, ...part });
    await settle('reverse', id, { of, partMinor }, wire);
  }

  async function wantTheLastOfIt(): Promise<void> {
    const card = oneOf(cards.filter(({ poor }) => poor));
    const wanted = Array.from({ length: 4 }, async () => {
      const purchase = await buy(card, amount(9_000));
      if (purchase && chance(0.8)) await reverse(purchase);
    });
    await Promise.all(wanted);
  }

  async function payTwiceAtOnce(): Promise<void> {
    const { question, wire } = authorization(oneOf(cards), amount(10_000));
    await attemptEverywhere(() => [question, wire]);
  }

  async function adjust(): Promise<void> {
    const id = newName('adjust');
    const card = oneOf(cards);
    const minor = (chance(0.5) ? 1 : -1) * amount(4_000);
    const body = { amount: minor / 100, reference: id };
    const wire = merchant('POST', `${CARDS}${card.id}/balance-adjustments/`, body, id);
    const args = { card: card.id, minor };
    if (chance(0.5)) await settle('adjust', id, args, wire);
    else await attemptEverywhere(() => [{ operation: 'adjust', id, args }, wire]);
  }

  async function create(): Promise<void> {
    if (cards.length < MOST_CARDS) await clients.addCard({ poor: chance(0.3) }, { random, mayAbandon: true });
  }

  /** With a card that nobody else changes; who pays with it meanwhile may do so. */
  const withCard = (change: (card: Card) => Promise<void>) => async (): Promise<void> => {
    const free = cards.filter(({ taken, poor }) => !taken && !poor);
    if (free.length === 0) return;
    const card = oneOf(free);
    card.taken = true;
    await change(card);
    card.taken = false;
  };

  /** At every server at once, what was just forbidden. */
  const probe = (card: Card, wallet?: number) =>
    attemptEverywhere(() => {
      const { question, wire } = authorization(card, STEP_MINOR, wallet);
      return [question, wire];
    });

  async function freezeForAMoment(card: Card): Promise<void> {
    const { id } = card;
    const path = `${CARDS}${id}/freeze/`;
    const frozen = await insist(
      'freeze',
      newName('freeze'),
      { card: id },
      merchant('PUT', path, { freeze: true }),
    );
    if (frozen.outcome === 'ok') await probe(card);
    await insist('unfreeze', newName('unfreeze'), { card: id }, merchant('PUT', path, { freeze: false }));
  }

  async function block(card: Card): Promise<void> {
    if (cards.length < FEWEST_CARDS) return;
    const wire = merchant('PUT', `${CARDS}${card.id}/block/`, { reason: 'reported lost' });
    await insist('block', newName('block'), { card: card.id }, wire);
    await probe(card);
    cards.splice(cards.indexOf(card), 1);
  }

  async function reissue(card: Card): Promise<void> {
    const id = newName('reissue');
    const before = card.wallet.length - 1;
    const body = { renewOption: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' };
    const wire = merchant('PUT', `${CARDS}${card.id}/replace/`, body, id);
    const { outcome } = await insist('reissue', id, { card: card.id, before }, wire);
    if (outcome !== 'ok') return;
    await probe(card, before);
    card.wallet.push(await clients.reveal(card.id));
  }

  /** Without an id of its own: asked again, it would be another request. */
  async function askForReport(): Promise<void> {
    const type = oneOf(['daily', 'fee', 'dailyTransactionFee']);
    const date = new Date(Date.now() + (clients.daysAhead() - 2) * DAY_MS).toISOString().slice(0, 10);
    const wire = merchant('GET', `/api/v1/merchant/files/${type}/?date=${date}`);
    const question = { operation: 'report' as const, id: newName('report'), args: { type, date } };
    await clients.attempt(oneOf([0, 1]), question, wire);
  }

  /** Of the console, with one try per name: asked again, it would be another key. */
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

  /** At every server and then until somebody answers, before it is revoked and after: each key is let in and turned away. */
  const withKey = (kind: 'merchant' | 'network', ask: (key: string) => [Question, Wire]) => async () => {
    const made = await makeKey(kind);
    if (!made) return;
    const show = (): [Question, Wire] => {
      const [{ args, ...question }, wire] = ask(made.key);
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

  const lookAtCards = (key: string): [Question, Wire] => [
    { operation: 'use key', id: newName('use'), args: {} },
    { method: 'GET', path: `${CARDS}?page_size=1`, headers: { 'x-payments-api-key': key } },
  ];

  const pay = (key: string): [Question, Wire] => {
    const { question, wire } = authorization(oneOf(cards), STEP_MINOR);
    return [question, { ...wire, headers: { 'x-network-key': key } }];
  };

  async function letADayPass(): Promise<void> {
    if (clients.daysAhead() < MOST_DAYS) await clients.moveClockToNextDay();
  }

  return [
    { share: 40, tell: shop },
    { share: 12, tell: wantTheLastOfIt },
    { share: 8, tell: payTwiceAtOnce },
    { share: 6, tell: adjust },
    { share: 5, tell: create },
    { share: 6, tell: withCard(freezeForAMoment) },
    { share: 2, tell: withCard(block) },
    { share: 4, tell: withCard(reissue) },
    { share: 3, tell: askForReport },
    { share: 3, tell: withKey('merchant', lookAtCards) },
    { share: 3, tell: withKey('network', pay) },
    { share: 1, tell: letADayPass },
  ];
}
