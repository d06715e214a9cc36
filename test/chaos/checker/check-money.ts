import { TERMS } from '../terms.ts';
import type { Request } from './check-effects.ts';
import type { Report } from './finding.ts';
import { groupBy, type Row, type Rows } from './rows.ts';

/** All money again, with arithmetic of our own: from what clients asked for, by way of events, to transfers and balances. */

const bps = (minor: bigint, rate: bigint): bigint => (minor * rate) / 10_000n;

interface Purchase {
  heldMinor: bigint;
  clearedMinor: bigint;
  foreign: boolean;
  cash: boolean;
}

const feesOn = ({ foreign, cash, clearedMinor }: Purchase, minor: bigint) => ({
  fx: foreign ? bps(minor, TERMS.fxBps) : 0n,
  atm: cash && clearedMinor === 0n && minor > 0n ? TERMS.atmMinor : 0n,
});
const holdOf = (purchase: Purchase): bigint => {
  const { fx, atm } = feesOn(purchase, purchase.heldMinor);
  return purchase.heldMinor + fx + atm;
};

/** A movement as `code amount` lines, so that two are easily compared. */
type Movement = Record<string, bigint>;
const held = (minor: bigint): Movement =>
  minor >= 0n ? { credit_hold: minor, hold: minor } : { credit_release: -minor, release: -minor };
const textOf = (movement: Movement): string =>
  Object.entries(movement)
    .filter(([, minor]) => minor !== 0n)
    .map(([code, minor]) => `${code} ${minor}`)
    .sort()
    .join(', ');

export function checkMoney(requests: readonly Request[], rows: Rows, report: Report): void {
  checkPurchases(requests, rows, report);
  checkBalances(rows, report);
  checkMovements(rows, report);
  checkSequences(rows, report);
}

/** Money moves for a reason: an event, a new card or an adjustment. */
function checkMovements(rows: Rows, report: Report): void {
  const reasons = new Set([...rows.events, ...rows.cards, ...rows.adjustments].map((row) => row['id']));
  for (const { id, movement_id: movement, code } of rows.transfers)
    if (!reasons.has(movement)) report('nothing made up', `transfer ${id} (${code}) has no reason`);
}

function checkPurchases(requests: readonly Request[], rows: Rows, report: Report): void {
  const asked = new Map(requests.map((request) => [`${request.operation}/${request.id}`, request]));
  const movements = groupBy(rows.transfers, (row) => row['movement_id']);
  const events = groupBy(
    rows.events
      .filter((row) => row['event_type'] === 'transaction')
      .sort((a, b) => a['card_sequence'] - b['card_sequence']),
    ({ data }) => data.transaction_id as string,
  );
  for (const row of rows.transactions) {
    const { id, external_transaction_id: external, kind } = row;
    const lines = events.get(id) ?? [];
    events.delete(id);
    const purchase: Purchase = { heldMinor: 0n, clearedMinor: 0n, foreign: false, cash: false };
    for (const event of lines) {
      const expected = apply(purchase, event, asked);
      if (!expected) {
        report('nothing made up', `event ${event['id']} of ${external} tells of what nobody asked for`);
        continue;
      }
      const moved: Movement = {};
      for (const transfer of movements.get(event['id']) ?? [])
        moved[transfer['code']] = (moved[transfer['code']] ?? 0n) + transfer['amount_minor'];
      if (textOf(moved) !== textOf(expected))
        report(
          'money adds up',
          `${event['event_name']} of ${external} moved ${textOf(moved)}; right is ${textOf(expected)}`,
        );
    }
    if (
      kind === 'purchase' &&
      (row['held_minor'] !== purchase.heldMinor || row['cleared_minor'] !== purchase.clearedMinor)
    )
      report(
        'money adds up',
        `${external} holds ${row['held_minor']} and cleared ${row['cleared_minor']}; right is ${purchase.heldMinor} and ${purchase.clearedMinor}`,
      );
    if (row['event_ids'].join() !== lines.map((event) => event['id']).join())
      report('unknown is wholly in or out', `${external} does not know its own events`);
  }
  for (const id of events.keys())
    report('unknown is wholly in or out', `events tell of transaction ${id}, which is not there`);
}

/** What an event should have moved; undefined where it does not fit what was asked for. */
function apply(
  purchase: Purchase,
  { event_name: name, data }: Row,
  asked: Map<string, Request>,
): Movement | undefined {
  const request = (operation: string) => asked.get(`${operation}/${data.message_id}`);
  const minor = BigInt(Math.round(Number(data.bill_amount) * 100));
  const fits = (found: Request | undefined, billMinor: number | undefined): boolean =>
    found !== undefined && BigInt(billMinor ?? -1) === minor;
  const before = holdOf(purchase);
  if (name === 'authorization.declined')
    return fits(request('authorize'), request('authorize')?.args.billMinor) ? {} : undefined;
  if (name === 'authorization') {
    const found = request('authorize');
    if (!found || !fits(found, found.args.billMinor)) return undefined;
    Object.assign(purchase, {
      heldMinor: minor,
      foreign: found.args.currency !== 'EUR',
      cash: found.args.channel === 'ATM',
    });
    return held(holdOf(purchase));
  }
  if (name === 'authorization.reversal') {
    const found = request('reverse');
    if (!found || (found.args.partMinor !== null && minor > BigInt(found.args.partMinor))) return undefined;
    purchase.heldMinor -= minor;
    return held(holdOf(purchase) - before);
  }
  if (name === 'authorization.expired') {
    purchase.heldMinor = 0n;
    return held(-before);
  }
  if (name === 'authorization.clearing') {
    const found = request('clear');
    if (!found || !fits(found, found.args.billMinor)) return undefined;
    const { fx, atm } = feesOn(purchase, minor);
    purchase.heldMinor = found.args.final || minor > purchase.heldMinor ? 0n : purchase.heldMinor - minor;
    purchase.clearedMinor += minor;
    return {
      ...held(minor + fx + atm + holdOf(purchase) - before),
      clearing: minor,
      fx_fee: fx,
      atm_fee: atm,
      interchange: bps(minor, TERMS.interchangeBps),
      transaction_cost: TERMS.costMinor + bps(minor, TERMS.costBps),
    };
  }
  const found = request('refund');
  return fits(found, found?.args.billMinor) ? { credit_refund: minor, refund: minor } : undefined;
}

/** Balances are what the transfers say, all of them, and for the program's own accounts at the end of every day. */
function checkBalances(rows: Rows, report: Report): void {
  const sums = new Map<string, bigint>();
  const days = new Map<string, bigint>();
  const add = (sum: Map<string, bigint>, key: string, minor: bigint) =>
    sum.set(key, (sum.get(key) ?? 0n) + minor);
  for (const { debit_account_id: from, credit_account_id: to, amount_minor: minor, at } of rows.transfers)
    for (const [account, change] of [
      [from, -minor],
      [to, minor],
    ] as const) {
      add(sums, account, change);
      add(days, `${account}/${at.slice(0, 10)}`, change);
    }
  let total = 0n;
  for (const { id, balance_minor: balance } of rows.accounts) {
    total += balance;
    if (balance !== (sums.get(id) ?? 0n))
      report('money adds up', `account ${id} holds ${balance}; its transfers say ${sums.get(id) ?? 0n}`);
  }
  if (total !== 0n) report('money adds up', `all accounts together hold ${total}`);
  const cards = new Set(rows.cards.map((row) => row['id']));
  for (const { id, balance_minor: balance } of rows.accounts)
    if (cards.has(id) && balance < 0n) report('no card beyond its credit', `card ${id} is at ${balance}`);
  checkDays(rows, days, report);
}

function checkDays(rows: Rows, changes: Map<string, bigint>, report: Report): void {
  const running = new Map<string, bigint>();
  for (const { account_id: account, day, balance_minor: balance } of rows.dailyBalances) {
    const right = (running.get(account) ?? 0n) + (changes.get(`${account}/${day}`) ?? 0n);
    running.set(account, right);
    if (balance !== right)
      report('money adds up', `account ${account} closed ${day} with ${balance}; right is ${right}`);
  }
}

/** A card's events are numbered without a gap: none was lost, and none was told twice. */
function checkSequences(rows: Rows, report: Report): void {
  const events = groupBy(
    rows.events.filter((row) => row['card_id'] !== null),
    (row) => row['card_id'] as string,
  );
  for (const { card_id: card, event_sequence: last } of rows.counters) {
    const numbers = (events.get(card) ?? []).map((row) => row['card_sequence']).sort((a, b) => a - b);
    if (numbers.length !== last || numbers.some((number, place) => number !== place + 1))
      report('every event delivered', `card ${card} has ${numbers.length} events and counted ${last}`);
  }
}
