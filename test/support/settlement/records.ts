/** Clearing files as text. Nothing here needs a server. */

export const DAY = '2026-11-17';

export type FileLine = Record<string, Value | Record<string, Value>>;
type Value = string | number | boolean | undefined;

const DEBITS = ['clearing', 'refund_reversal', 'fee', 'dispute_debit'];

let made = 0;

/** A record of a purchase of a card, in its own currency. */
export const recordOf = (
  record_type: string,
  amount: string,
  changes: FileLine = {},
  currency = 'EUR',
): FileLine => ({
  record_type,
  network_id: `file-${++made}`,
  ...{ amount, currency, bill_amount: amount, bill_currency: currency },
  event_time: `${DAY}T10:00:00Z`,
  ...changes,
});

const cents = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''));
const decimal = (sum: bigint): string => `${sum / 100n}.${String(sum % 100n).padStart(2, '0')}`;

/** Header, records and a trailer that adds up, for a currency with two decimals. */
export function linesOf(fileId: string, records: readonly FileLine[], date = DAY): FileLine[] {
  const total = (isDebit: boolean) =>
    decimal(
      records
        .filter(({ record_type }) => DEBITS.some((debit) => debit === record_type) === isDebit)
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
    Object.entries(line).flatMap(([name, value]): Array<[string, string]> => {
      if (value === undefined) return [];
      return typeof value === 'object'
        ? Object.entries(value).map(([part, of]): [string, string] => [`${name}.${part}`, String(of)])
        : [[name, String(value)]];
    }),
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
