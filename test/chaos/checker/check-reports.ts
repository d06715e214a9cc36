import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCsv } from '../../support/reports/csv.ts';
import type { Report } from './finding.ts';
import { groupBy, type Row, type Rows } from './rows.ts';

/** Every report that was handed out, again from the rows. File names are `type date.csv`. */

const account = (index: number): string => `00000000-0000-8000-8000-${String(index).padStart(12, '0')}`;
const MASTER = account(1);
const SETTLEMENT = account(4);
const REVENUES = { fx: account(6), atm: account(7), interchange: account(8), cost: account(9) };
const ISSUANCE = account(10);

type Line = Record<string, string>;

const decimal = (minor: bigint): string => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
const gain = (transfer: Row, id: string): bigint => {
  if (transfer['credit_account_id'] === id) return transfer['amount_minor'];
  return transfer['debit_account_id'] === id ? -(transfer['amount_minor'] as bigint) : 0n;
};
const touches = (transfer: Row, ...ids: string[]): boolean =>
  ids.includes(transfer['credit_account_id']) || ids.includes(transfer['debit_account_id']);

export function checkReports(directory: string, rows: Rows, report: Report): number {
  const events = new Map(rows.events.map((row) => [row['id'], row]));
  const files = readdirSync(directory);
  for (const name of files) {
    const [type = '', date = ''] = name.replace('.csv', '').split(' ');
    const content = readFileSync(join(directory, name));
    const kept = rows.reports.find(
      (row) =>
        row['file_type'] === type &&
        row['first_day'] <= date &&
        date <= row['last_day'] &&
        (type !== 'fee' || row['last_day'] === date),
    );
    if (kept?.['sha256'] !== createHash('sha256').update(content).digest('hex'))
      report('reports recomputed', `${name} is not the file that was made`);
    const { rows: lines } = readCsv(content.toString());
    const first = type === 'fee' || type.startsWith('monthly') ? `${date.slice(0, 7)}-01` : date;
    const last = type.startsWith('monthly') ? `${date.slice(0, 7)}-31` : date;
    const transfers = rows.transfers.filter(({ at }) => at.slice(0, 10) >= first && at.slice(0, 10) <= last);
    const before = rows.transfers.filter(({ at }) => at.slice(0, 10) < first);
    const expect = EXPECTED[type];
    if (!expect) {
      report('reports recomputed', `${name}: no check of this type`);
      continue;
    }
    const expected = expect(transfers, before, events, [first, last]);
    if (lines.length !== expected.length)
      report('reports recomputed', `${name} has ${lines.length} rows; right is ${expected.length}`);
    for (const [index, right] of expected.entries()) {
      const line = lines[index];
      const wrong = line && Object.keys(right).find((column) => line[column] !== right[column]);
      if (!wrong) continue;
      report(
        'reports recomputed',
        `${name} row ${index + 1}: ${wrong} is ${line?.[wrong]}; right is ${right[wrong]}`,
      );
      break;
    }
  }
  return files.length;
}

type Expect = (
  transfers: Row[],
  before: Row[],
  events: Map<string, Row>,
  period: readonly [first: string, last: string],
) => Line[];

const movementsOf: Expect = (transfers, before, events) => {
  let balance = before.reduce((sum, transfer) => sum + gain(transfer, MASTER), 0n);
  return transfers
    .filter((transfer) => touches(transfer, MASTER))
    .map((transfer) => {
      const change = gain(transfer, MASTER);
      balance += change;
      const event = events.get(transfer['movement_id']);
      return {
        event_time: transfer['at'],
        event: event?.['event_name'] ?? transfer['code'],
        transaction_id: event?.['data'].transaction_id ?? '',
        card_id: event?.['card_id'] ?? '',
        bill_amount: event?.['data'].bill_amount ?? decimal(change < 0n ? -change : change),
        in: decimal(change > 0n ? change : 0n),
        out: decimal(change < 0n ? -change : 0n),
        balance: decimal(balance),
      };
    });
};

const feesOf: Expect = (transfers, _before, events) =>
  transfers
    .filter((transfer) => touches(transfer, REVENUES.fx, REVENUES.atm))
    .map((transfer) => ({
      fee_id: transfer['id'],
      event_time: transfer['at'],
      transaction_id: events.get(transfer['movement_id'])?.['data'].transaction_id ?? '',
      type: touches(transfer, REVENUES.fx) ? 'FX' : 'ATM',
      amount: decimal(gain(transfer, REVENUES.fx) + gain(transfer, REVENUES.atm)),
    }));

const PRESENTED: Record<string, string> = {
  'authorization.clearing': 'clearing',
  'authorization.clearing.reversal': 'clearing_reversal',
  refund: 'refund',
  'refund.reversal': 'refund_reversal',
};
/** The report's word for what the network presented, or nothing. */
const presentedOf = ({ event_name: name, data }: Row): string | undefined => {
  if (name === 'settlement.unmatched') return data.kind;
  return name === 'settlement.unmatched.reversal' ? `${data.kind}_reversal` : PRESENTED[name];
};
/** Money that comes back to the program is below zero. */
const signed = (event: Row): string =>
  ['refund', 'clearing_reversal'].includes(presentedOf(event) ?? '')
    ? `-${event['data'].bill_amount}`
    : event['data'].bill_amount;
const sumBy = (transfers: Row[]) => {
  const groups = groupBy(transfers, (transfer) => transfer['movement_id'] as string);
  return (movement: string, id: string): bigint =>
    (groups.get(movement) ?? []).reduce((total, transfer) => total + gain(transfer, id), 0n);
};
/** The events of the period in the order of their ids; its transfers show which days it has. */
const inPeriod = (events: Map<string, Row>, [first, last]: readonly [string, string]): Row[] =>
  [...events.values()]
    .filter(({ at }) => at.slice(0, 10) >= first && at.slice(0, 10) <= last)
    .sort((a, b) => (a['id'] < b['id'] ? -1 : 1));

const transactionFeesOf: Expect = (transfers, _before, events, period) => {
  const sum = sumBy(transfers);
  const fees = (id: string) => Object.values(REVENUES).map((account) => sum(id, account));
  return inPeriod(events, period)
    .filter((event) => event['event_type'] === 'transaction')
    .filter((event) => presentedOf(event) || fees(event['id']).some((minor) => minor !== 0n))
    .map((event) => {
      const [fx = 0n, atm = 0n, interchange = 0n, cost = 0n] = fees(event['id']);
      return {
        transaction_id: event['data'].transaction_id,
        event: event['event_name'],
        bill_amount: signed(event),
        interchange_revenue: decimal(interchange),
        fx_revenue: decimal(fx),
        atm_revenue: decimal(atm),
        transaction_cost: decimal(-cost),
        net: decimal(interchange + fx + atm + cost),
      };
    });
};

const settlementOf: Expect = (transfers, _before, events, period) => {
  const sum = sumBy(transfers);
  return inPeriod(events, period)
    .filter(presentedOf)
    .map((event) => ({
      event: presentedOf(event) as string,
      network_id: event['data'].message_id,
      reverses: event['data'].reverses ?? '',
      transaction_id: event['data'].transaction_id ?? '',
      bill_amount: signed(event),
      // What the settlement account did not get.
      interchange: decimal(BigInt(signed(event).replace('.', '')) - sum(event['id'], SETTLEMENT)),
    }));
};

const otherFeesOf: Expect = (transfers) =>
  transfers
    .filter((transfer) => touches(transfer, ISSUANCE))
    .map((transfer) => ({
      event_time: transfer['at'],
      card_id: transfer['movement_id'],
      event: 'issuance_fee',
      amount: decimal(-gain(transfer, ISSUANCE)),
    }));

const EXPECTED: Record<string, Expect> = {
  daily: movementsOf,
  monthly: movementsOf,
  fee: feesOf,
  settlement: settlementOf,
  dailyTransactionFee: transactionFeesOf,
  monthlyTransactionFees: transactionFeesOf,
  monthlyNonTransactionFees: otherFeesOf,
};
