import { clearingFiles } from '../../../src/settlement/process-files.ts';
import { newMessageId, type Owner, type PayingCard } from '../cards/network.ts';
import { runToEnd } from '../server/jobs.ts';
import type { Answer, TestApp } from '../server/test-app.ts';

export const CLEARING_FILES = '/api/v1/network/clearing-files/';
export const DAY = '2026-11-17';
export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

export type FileLine = Record<string, unknown>;

const DEBITS = ['clearing', 'refund_reversal', 'fee', 'dispute_debit'];

/** A record of a purchase of a card, in its own currency. */
export const recordOf = (
  record_type: string,
  amount: string,
  changes: FileLine = {},
  currency = 'EUR',
): FileLine => ({
  record_type,
  network_id: newMessageId('file'),
  ...{ amount, currency, bill_amount: amount, bill_currency: currency },
  event_time: `${DAY}T10:00:00Z`,
  ...changes,
});

export const clearingRecord = (card: PayingCard, amount: string, changes: FileLine = {}): FileLine =>
  recordOf('clearing', amount, {
    external_transaction_id: newMessageId('net'),
    card_number: card.number,
    ...changes,
  });

const cents = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''));
const decimal = (sum: bigint): string => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;

/** Header, records and a trailer that adds up, for a currency with two decimals. */
export function linesOf(fileId: string, records: readonly FileLine[], date = DAY): FileLine[] {
  const total = (isDebit: boolean) =>
    decimal(
      records
        .filter(({ record_type }) => DEBITS.includes(String(record_type)) === isDebit)
        .reduce((sum, { bill_amount }) => sum + cents(bill_amount), 0n),
    );
  return [
    { record_type: 'header', file_id: fileId, settlement_date: date, currency: 'EUR' },
    ...records,
    { record_type: 'trailer', count: records.length, debit_total: total(true), credit_total: total(false) },
  ];
}

export const ndjsonOf = (lines: readonly FileLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const flat = (line: FileLine): Map<string, string> =>
  new Map(
    Object.entries(line).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([part, of]): [string, string] => [`${name}.${part}`, String(of)])
        : [[name, String(value)] as [string, string]],
    ),
  );

/** How some writer writes CSV. */
export interface Dialect {
  separator?: string;
  lineEnd?: string;
  mark?: string;
  quoteAll?: boolean;
}

export function csvOf(
  lines: readonly FileLine[],
  { separator = ',', lineEnd = '\r\n', mark = '', quoteAll = false }: Dialect = {},
): string {
  const rows = lines.map(flat);
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const cell = (value: string) =>
    quoteAll || /[",;\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  const texts = [columns, ...rows.map((row) => columns.map((name) => row.get(name) ?? ''))];
  return mark + texts.map((cells) => cells.map(cell).join(separator) + lineEnd).join('');
}

export interface Sent {
  fileId: string;
  date?: string;
  last?: boolean;
  type?: string;
}

export const sendFile = (
  app: TestApp,
  content: string | Uint8Array,
  { fileId, date = DAY, last = false, type = NDJSON }: Sent,
  { networkKey }: Pick<Owner, 'networkKey'> = app,
): Promise<Answer> =>
  app.call('POST', `${CLEARING_FILES}?file_id=${fileId}&settlement_date=${date}&last=${last}`, {
    ...{ key: null, networkKey, raw: content, headers: { 'content-type': type } },
  });

export const fileOf = async (
  app: TestApp,
  fileId: string,
  { networkKey }: Pick<Owner, 'networkKey'> = app,
): Promise<Answer['body']> =>
  (await app.call('GET', `${CLEARING_FILES}${fileId}/`, { key: null, networkKey })).body;

export const fileJob = (app: TestApp, changes: Partial<Parameters<typeof clearingFiles>[0]> = {}) =>
  clearingFiles({ ...app, ...app.clearing, keeper: app.vault, ...changes });

export const workOnFiles = (app: TestApp): Promise<void> => runToEnd(fileJob(app));

/** Sends a file and works on it to its end. */
export async function importFile(
  app: TestApp,
  records: readonly FileLine[],
  { type = NDJSON, owner = app }: { type?: string; owner?: Pick<Owner, 'networkKey'> } = {},
): Promise<Answer['body']> {
  const fileId = newMessageId('clr-file');
  const lines = linesOf(fileId, records);
  const content = type === CSV ? csvOf(lines) : ndjsonOf(lines);
  const { status, body } = await sendFile(app, content, { fileId, type }, owner);
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`);
  await workOnFiles(app);
  return fileOf(app, fileId, owner);
}
