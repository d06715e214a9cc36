import type { CardBatch, CardBatchRow } from '@emboss/sdk';
import { ApiError, type ProgramApi, saveFile } from '../../lib/api.ts';
import type { ConsoleCardCsv, ConsoleCardCsvRow } from '../../lib/api-types.gen.ts';

export type CsvRow = ConsoleCardCsvRow;

/** A file as the server read it. */
export interface ReadFile extends ConsoleCardCsv {
  name: string;
}

/** The fields of a person with a virtual card, and two rows to replace. */
const TEMPLATE = `customerType,cardType,preferredCardName,spendLimit,kycApplicantId,meta.id,meta.otpPhoneNumber.dialCode,meta.otpPhoneNumber.phoneNumber,meta.email,kyc.firstName,kyc.lastName,kyc.dob,kyc.residentialAddress.idDocumentType,kyc.residentialAddress.idDocumentNumber,kyc.residentialAddress.line1,kyc.residentialAddress.line2,kyc.residentialAddress.city,kyc.residentialAddress.postalCode,kyc.residentialAddress.country
Consumer,virtual,ADA LOVELACE,250,applicant-1,customer-42,44,7700900123,ada@example.com,Ada,Lovelace,1990-12-10,passport,P1234567,12 St James Square,,London,SW1Y 4JH,GBR
Consumer,virtual,GRACE HOPPER,100,applicant-2,customer-43,44,7700900124,grace@example.com,Grace,Hopper,1986-12-09,passport,P7654321,1 Harbour Road,,London,SW1Y 4JH,GBR
`;

const CSV_TYPE = 'text/csv;charset=utf-8';

export const saveTemplate = (): void => saveFile('cards.csv', new Blob([TEMPLATE], { type: CSV_TYPE }));

/** The server reads the file and checks each row; nothing is created. */
export async function readFile(api: ProgramApi, file: File): Promise<ReadFile> {
  const lines = textOf(await file.arrayBuffer()).split(/\r?\n/);
  return { name: file.name, ...(await api.post<ConsoleCardCsv>('card-batches/read/', { lines })) };
}

function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ApiError(400, 'The file is not UTF-8 text; save it as “CSV UTF-8”.');
  }
}

/** The rows of a completed batch that failed. */
export async function listFailed(api: ProgramApi, batchId: string): Promise<CardBatchRow[]> {
  const failed: CardBatchRow[] = [];
  for (let page = 1; ; page++) {
    const query = { status: 'FAILED', page, page_size: 100 };
    const answer = await api.get<{ results: CardBatchRow[]; next: string | null }>(
      `merchant/card-batches/${batchId}/rows/`,
      query,
    );
    failed.push(...answer.results);
    if (answer.next === null) return failed;
  }
}

const quoted = (cell: string): string => (/[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const lineOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`;

export interface Failure {
  row: CsvRow;
  message: string;
}

export interface SentBatch {
  file: ReadFile;
  /** In the order in which they were sent. */
  rows: CsvRow[];
  leftOut: Failure[];
  batch: CardBatch;
}

/** A file that can be corrected and read again: the column with the errors is then ignored. */
export function saveFailures({ name, columns }: ReadFile, failures: readonly Failure[]): void {
  const lines = [
    lineOf([...columns, 'error']),
    ...failures.map(({ row, message }) => lineOf([...row.cells, message])),
  ];
  saveFile(name.replace(/(\.csv)?$/i, '.failed.csv'), new Blob(lines, { type: CSV_TYPE }));
}

/** The errors alone: what the rows held is erased. */
export function saveErrors(batchId: string, rows: readonly CardBatchRow[]): void {
  const lines = rows.map(({ index, error }) => lineOf([String(index + 1), error?.message ?? '']));
  saveFile(
    `card-batch-${batchId}.failed.csv`,
    new Blob([lineOf(['row', 'error']), ...lines], { type: CSV_TYPE }),
  );
}

const textAt = (value: unknown, ...path: string[]): string => {
  const found = path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined),
    value,
  );
  return typeof found === 'string' ? found : '';
};

/** As much as a row has, which may be wrong. */
export const nameOf = ({ card }: CsvRow): string =>
  [textAt(card, 'kyc', 'firstName'), textAt(card, 'kyc', 'lastName'), textAt(card, 'kyc', 'fullName')]
    .filter(Boolean)
    .join(' ') || '(no name)';

export const customerOf = ({ card }: CsvRow): string => textAt(card, 'meta', 'id');
