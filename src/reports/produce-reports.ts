import type { Database } from '../db/database.ts';
import { recordEvents } from '../events/journal.ts';
import { newId } from '../kernel/ids.ts';
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
import type { ReportStorage } from './storage/storage.ts';
import { yieldToOthers } from './yield-to-others.ts';

export interface ProducerServices {
  db: Database;
  storage: ReportStorage;
  namesOf: NamesOf;
  /** How long a file is kept after somebody last asked for it. */
  keepFilesMs: number;
  /** A worker that dies leaves its report for so long; one that lives says so three times in it. 30 s unless told. */
  leaseMs?: number;
}

export interface ReportListener {
  onMade?: () => void;
  onFailure?: (error: unknown) => void;
}

const rethrow = (error: unknown) => {
  throw error;
};

const LEASE_MS = 30_000;
const WATCH_EVERY_MS = 250;
const PROGRAMS_AT_ONCE = 20;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Makes the files that somebody waits for, one after the other, until none is left. Programs take turns, so that many
 * reports of one delay those of another by one report each at most. Any number of workers may: each report has a lease.
 * One that cannot be made does not keep the others waiting; it is tried again, less and less often.
 */
export async function produceReports(
  services: ProducerServices,
  isStopping: () => boolean = () => false,
  { onMade = () => {}, onFailure = rethrow }: ReportListener = {},
): Promise<void> {
  let taken: number;
  do {
    taken = 0;
    for (const report of await listFreeReports(services.db, PROGRAMS_AT_ONCE)) {
      if (isStopping()) return;
      const storageKey = await takeReport(services, report);
      if (storageKey === undefined) continue;
      taken++;
      await produceReport(services, report, storageKey, isStopping).then(
        (made) => made && onMade(),
        onFailure,
      );
    }
  } while (taken > 0);
}

/** Under which key the file of a report that is ours now is to be stored. Undefined: another worker has it. */
async function takeReport(
  { db, leaseMs = LEASE_MS }: ProducerServices,
  report: ReportRecord,
): Promise<string | undefined> {
  // No program in it: a storage's own links show the key.
  const storageKey = `${report.id}.${newId(Date.now())}.csv`;
  return (await leaseReport(db, report, storageKey, leaseMs)) ? storageKey : undefined;
}

/** Whether it was made here. What was not is left alone for a while, and for longer each time. */
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
    // Left behind by a lease that ran out, or by a removal that was cut short.
    if (report.storageKey) await storage.remove(report.storageKey);
    const isClosed = await closePeriod(db, report.programId, report);
    if (isClosed && (await makeFile(services, report, storageKey, isStopping))) return true;
    await leave();
    return false;
  } catch (error) {
    // The first failure is the one to tell.
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
  const seen = await readProgram(db, report.programId);
  if (!seen) throw new Error(`report ${report.id} is of no program`);
  const { content, weigh } = await openReport({ db, namesOf }, seen.program, report, yieldToOthers());
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

/** Ready, and everybody who waits is told, in one transaction. */
async function markReady(
  { db, storage, keepFilesMs }: ProducerServices,
  report: ReportRecord,
  storageKey: string,
  produced: Produced,
): Promise<boolean> {
  const { programId, id, fileType } = report;
  const ours = await db.transaction(async (tx) => {
    const seen = await readProgram(tx, programId);
    if (!seen || !(await updateReady(tx, report, storageKey, produced, keepFilesMs))) return false;
    const nowMs = programNow(seen.program, seen.realNowMs);
    const waiting = await notifyRequests(tx, programId, id);
    const events = waiting.map((requestId) => ({
      id: newId(nowMs),
      eventType: 'files' as const,
      eventName: eventNameOf(fileType),
      cardId: null,
      cardSequence: null,
      data: { reference_id: requestId },
    }));
    if (events.length > 0) recordEvents(tx, programId, events, nowMs);
    return true;
  });
  // Somebody else took over when our lease ran out, and wrote the same file in another place.
  if (!ours) await storage.remove(storageKey);
  return ours;
}
