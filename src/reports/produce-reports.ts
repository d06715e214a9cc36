import type { Database } from '../db/database.ts';
import { recordEvents } from '../events/journal.ts';
import type { FileStorage } from '../files/storage.ts';
import type { Job } from '../jobs/job.ts';
import { newId } from '../kernel/ids.ts';
import type { Counter } from '../kernel/metric.ts';
import { programNow } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { closePeriod } from './close-period.ts';
import type { NamesOf } from './fill-names.ts';
import { openReport, requireSameBytes } from './open-report.ts';
import {
  extendLease,
  leaseReport,
  listFreeReports,
  notifyRequests,
  type Produced,
  type ReportRecord,
  updateReady,
} from './queries.ts';
import { eventNameOf } from './report.ts';
import { yieldToOthers } from './yield-to-others.ts';

export interface ProducerServices {
  db: Database;
  storage: FileStorage;
  namesOf: NamesOf;
  /** How long a file is stored after the last request for it. */
  keepFilesMs: number;
  /**
   * How long a worker owns a report, 30 s by default. The worker extends its lease three times in that period; after a
   * crash another worker can take the report when the lease ends.
   */
  leaseMs?: number;
}

export const REPORTS: Counter<{ outcome: 'made' | 'failed' }> = {
  type: 'counter',
  name: 'emboss_reports_total',
  help: 'Attempts to generate a report, by outcome: made or failed.',
  labels: { outcome: ['made', 'failed'] },
};

const LEASE_MS = 30_000;
const WATCH_EVERY_MS = 250;
const PROGRAMS_AT_ONCE = 20;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Generates pending reports, one at a time. Programs take turns: a program with many reports delays another program by at
 * most one report. Any number of workers may run, because each report has a lease. A report that fails is retried at
 * growing intervals. `onEnd` is called when this worker has completed a report or has failed.
 */
export const reportProduction = (
  services: ProducerServices,
  onEnd: (outcome: 'made' | 'failed') => void = () => {},
): Job<ReportRecord> => ({
  name: 'reports',
  // The file differs from the first one, or the storage fails: it needs attention.
  failuresAre: 'error',
  everyMs: 1_000,
  atOnce: 1,
  findDue: (programId) => listFreeReports(services.db, PROGRAMS_AT_ONCE, programId),
  async work(report, { isStopping }) {
    const storageKey = await takeReport(services, report);
    if (storageKey === undefined) return false;
    try {
      if (await produceReport(services, report, storageKey, isStopping)) onEnd('made');
    } catch (error) {
      onEnd('failed');
      throw error;
    }
    return true;
  },
});

/** Leases a report and returns the storage key for its file. Undefined if another worker has the report. */
async function takeReport(
  { db, leaseMs = LEASE_MS }: ProducerServices,
  report: ReportRecord,
): Promise<string | undefined> {
  // The key does not name the program, because presigned storage links show the key.
  const storageKey = `${report.id}.${newId(Date.now())}.csv`;
  return (await leaseReport(db, report, storageKey, leaseMs)) ? storageKey : undefined;
}

/**
 * Returns whether this worker completed the report. Otherwise the report is retried after a pause that grows with each
 * attempt.
 */
async function produceReport(
  services: ProducerServices,
  report: ReportRecord,
  storageKey: string,
  isStopping: () => boolean,
): Promise<boolean> {
  const { db, storage } = services;
  const leave = () => {
    const pauseMs = isStopping() ? 0 : Math.min(1_000 * 2 ** report.attempts, LONGEST_PAUSE_MS);
    return extendLease(db, report, storageKey, pauseMs, !isStopping());
  };
  try {
    // The file remains from an expired lease or an interrupted removal.
    if (report.storageKey) await storage.remove(report.storageKey);
    const isClosed = await closePeriod(db, report.programId, report);
    if (isClosed && (await makeFile(services, report, storageKey, isStopping))) return true;
    await leave();
    return false;
  } catch (error) {
    // The first error is reported; errors of the cleanup are dropped.
    await storage.remove(storageKey).catch(() => {});
    await leave().catch(() => {});
    if (isStopping()) return false;
    throw error;
  }
}

async function makeFile(
  services: ProducerServices,
  report: ReportRecord,
  storageKey: string,
  isStopping: () => boolean,
): Promise<boolean> {
  const produced = await writeFile(services, report, storageKey, isStopping);
  requireSameBytes(report, produced);
  return markReady(services, report, storageKey, produced);
}

async function writeFile(
  { db, storage, namesOf, leaseMs = LEASE_MS }: ProducerServices,
  report: ReportRecord,
  storageKey: string,
  isStopping: () => boolean,
): Promise<Produced> {
  const { program } = await readProgram(db, report.programId);
  const { content, weigh } = await openReport({ db, namesOf }, program, report, yieldToOthers());
  let extendedAt = performance.now();
  const watch = setInterval(() => {
    if (isStopping()) content.destroy(new Error('the worker is stopping'));
    if (performance.now() - extendedAt < leaseMs / 3) return;
    extendedAt = performance.now();
    extendLease(db, report, storageKey, leaseMs).then(
      (ours) => ours || content.destroy(new Error(`the lease of report ${report.id} ran out`)),
      (error) => content.destroy(error),
    );
  }, WATCH_EVERY_MS);
  try {
    await storage.save(storageKey, content);
    return weigh();
  } finally {
    clearInterval(watch);
    content.destroy();
  }
}

/** Marks the report ready and records an event for every waiting request, in one transaction. */
async function markReady(
  { db, storage, keepFilesMs }: ProducerServices,
  report: ReportRecord,
  storageKey: string,
  produced: Produced,
): Promise<boolean> {
  const { programId, id, fileType } = report;
  const ours = await db.transaction(async (tx) => {
    const { program, realNowMs } = await readProgram(tx, programId);
    if (!(await updateReady(tx, report, storageKey, produced, keepFilesMs))) return false;
    const nowMs = programNow(program, realNowMs);
    const waiting = await notifyRequests(tx, programId, id);
    const events = waiting.map((requestId) => ({
      id: newId(nowMs),
      eventType: 'files' as const,
      eventName: eventNameOf(fileType),
      data: { reference_id: requestId },
    }));
    if (events.length > 0) recordEvents(tx, programId, events, nowMs);
    return true;
  });
  // The lease expired and another worker took over. It stores the same content under another key.
  if (!ours) await storage.remove(storageKey);
  return ours;
}
