import { clearingFiles } from '../../../src/settlement/process-files.ts';
import { newMessageId, type Owner, type PayingCard } from '../cards/network.ts';
import { runToEnd } from '../server/jobs.ts';
import type { Answer, TestApp } from '../server/test-app.ts';
import { csvOf, DAY, type FileLine, linesOf, ndjsonOf, recordOf } from './records.ts';

export const CLEARING_FILES = '/api/v1/network/clearing-files/';
export const NDJSON = 'application/x-ndjson';
export const CSV = 'text/csv';

export const clearingRecord = (card: PayingCard, amount: string, changes: FileLine = {}): FileLine =>
  recordOf('clearing', amount, {
    external_transaction_id: newMessageId('net'),
    card_number: card.number,
    ...changes,
  });

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
