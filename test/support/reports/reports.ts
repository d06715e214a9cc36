import { type ProducerServices, reportProduction } from '../../../src/reports/produce-reports.ts';
import type { FileType } from '../../../src/reports/report.ts';
import { runToEnd } from '../server/jobs.ts';
import type { TestApp } from '../server/test-app.ts';
import { readCsv } from './csv.ts';

export const FILES = '/api/v1/merchant/files/';

const today = new Date();
/** Of which every type of report can be requested without moving a clock: the last day of the month before the last. */
export const PAST_DAY = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 0))
  .toISOString()
  .slice(0, 10);

/** Requests a report; returns its reference id. */
export async function requestReport(
  app: TestApp,
  fileType: FileType,
  date: string,
  key: string = app.key,
): Promise<string> {
  const answer = await app.call('GET', `${FILES}${fileType}/?date=${date}`, { key });
  if (answer.status !== 200) throw new Error(`no report: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.reference_id;
}

/** What a worker does until no report waits. */
export const produceReports = (
  services: ProducerServices,
  isStopping = () => false,
  { onMade = () => {}, onFailure }: { onMade?: () => void; onFailure?: (error: unknown) => void } = {},
): Promise<void> => {
  const job = reportProduction(services, (outcome) => outcome === 'made' && onMade());
  return runToEnd(job, { isStopping, ...(onFailure && { onFailure }) });
};

export const makeReports = (app: TestApp): Promise<void> => produceReports({ db: app.db, ...app.reports });

/** The file of a request, which must be ready. */
export async function fileOf(app: TestApp, referenceId: string, key: string = app.key): Promise<string> {
  const { body } = await app.call('GET', `${FILES}requests/${referenceId}/`, { key });
  if (body.status !== 'ready') throw new Error(`the report is ${body.status}`);
  const download = await fetch(new URL(new URL(body.link).pathname + new URL(body.link).search, app.url));
  if (download.status !== 200) throw new Error(`no download: ${download.status}`);
  return download.text();
}

/** Requests a report, generates it and reads it. */
export async function readReport(app: TestApp, fileType: FileType, date: string, key: string = app.key) {
  const referenceId = await requestReport(app, fileType, date, key);
  await makeReports(app);
  return readCsv(await fileOf(app, referenceId, key));
}
