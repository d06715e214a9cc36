import type { Logger } from 'pino';
import { INSTALLATION_ID } from './audit/entry.ts';
import { linkEntries } from './audit/link-entries.ts';
import { verifyOn } from './audit/verify-continuously.ts';
import { endExpired } from './authentications/end-expired.ts';
import type { Submit } from './authorizations/engine/engine.ts';
import { expireHolds } from './authorizations/engine/expire-holds.ts';
import { updateHourlyTotals } from './authorizations/totals/update-hourly-totals.ts';
import { TRANSACTION_LIST } from './authorizations/transactions/queries.ts';
import { chargeMaintenance } from './cards/charge-maintenance.ts';
import { CARD_LIST } from './cards/queries.ts';
import { deleteExpiredSessions } from './cards/reveal/queries.ts';
import { readTime } from './db/clock.ts';
import type { Database } from './db/database.ts';
import { giveUpRemoved } from './events/delivery-queries.ts';
import { EVENT_LIST } from './events/queries.ts';
import { deleteStaleIdempotencyRecords } from './http/queries.ts';
import type { Metrics } from './kernel/metric.ts';
import { extendMilestones } from './lists/extend-milestones.ts';
import { sweepSessions } from './operators/sweep-sessions.ts';
import type { Sender } from './outbound/send-request.ts';
import { programNow, sinceClockMove } from './programs/program.ts';
import { listProgramIds, listPrograms } from './programs/queries.ts';
import { type ProducerServices, produceReports, REPORTS } from './reports/produce-reports.ts';
import { completeFileData, type RequestServices } from './reports/read-request.ts';
import { sweepFiles } from './reports/sweep-files.ts';
import type { Vault } from './vault/vault.ts';
import { startDeliveries } from './webhooks/deliver-events.ts';

const HOUSEKEEPING_EVERY_MS = 60_000;
const HOLDS_EVERY_MS = 5_000;
const CHALLENGES_EVERY_MS = 5_000;
const REPORTS_EVERY_MS = 1_000;
const AUDIT_EVERY_MS = 1_000;
const VERIFY_EVERY_MS = 60_000;
const VERIFY_FOR_MS = 2_000;
const TOTALS_EVERY_MS = 10_000;
const SWEEP_BATCH = 1_000;

export interface WorkerServices {
  db: Database;
  vault: Vault;
  submit: Submit;
  sender: Sender;
  metrics: Metrics;
  reports: Omit<ProducerServices & RequestServices, 'db'>;
}

/** The background role. It stores no state of its own: any number of workers may run. */
export function startWorker(services: WorkerServices, logger: Logger): { stop: () => Promise<void> } {
  const { db, vault, metrics } = services;
  let stopping = false;
  const isStopping = () => stopping;
  const audit = {
    db,
    digest: vault.history,
    listIds: async () => [INSTALLATION_ID, ...(await listProgramIds(db))],
  };
  const ofEachProgram = (everyMs: number, what: string, work: ProgramWork) =>
    repeat(everyMs, what, () => eachProgram(db, isStopping, work), logger);
  const deliveries = startDeliveries({
    db,
    keeper: vault,
    sender: services.sender,
    completeFileData: (programId, referenceId) =>
      completeFileData({ db, ...services.reports }, programId, referenceId),
    metrics,
    logger,
  });
  const stops = [
    deliveries.stop,
    repeat(HOUSEKEEPING_EVERY_MS, 'housekeeping', () => keepHouse(services, isStopping), logger),
    ofEachProgram(HOLDS_EVERY_MS, 'releasing holds', (id, deadline) => expireHolds(services, id, deadline)),
    ofEachProgram(CHALLENGES_EVERY_MS, 'ending challenges', (id, deadline) =>
      endExpired({ db, metrics }, id, deadline),
    ),
    ofEachProgram(HOLDS_EVERY_MS, 'maintenance fees', (id, deadline) => chargeMaintenance(db, id, deadline)),
    ofEachProgram(TOTALS_EVERY_MS, 'hourly totals', (id, deadline) => updateHourlyTotals(db, id, deadline)),
    repeat(AUDIT_EVERY_MS, 'linking the audit', () => linkEntries(audit, isStopping), logger),
    repeat(VERIFY_EVERY_MS, 'verifying the audit', () => verifyChains(audit, isStopping, logger), logger),
    repeat(REPORTS_EVERY_MS, 'reports', () => makeReports(services, isStopping, logger), logger),
  ];
  return {
    stop: async () => {
      stopping = true;
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/** Runs rounds at an interval, never two at once. */
function repeat(
  everyMs: number,
  what: string,
  round: () => Promise<void>,
  logger: Logger,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= round()
      .catch((error) => logger.warn({ err: error }, `a round of ${what} failed; the next round repeats it`))
      .finally(() => {
        running = undefined;
      });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

async function keepHouse({ db, reports }: WorkerServices, isStopping: () => boolean): Promise<void> {
  const jobs = [
    async () => {
      while (!isStopping() && (await deleteStaleIdempotencyRecords(db, SWEEP_BATCH)) === SWEEP_BATCH);
    },
    async () => {
      while (!isStopping() && (await deleteExpiredSessions(db, SWEEP_BATCH)) === SWEEP_BATCH);
    },
    () => extendLists(db, isStopping),
    () => giveUpRemoved(db),
    () => sweepSessions(db),
    () => sweepFiles({ db, ...reports }),
  ];
  await eachOf(jobs, isStopping, (job) => job());
}

/** Gives the chain of each program, and that of the installation, a few seconds. Logs each change of a chain once. */
export async function verifyChains(
  { db, digest }: { db: Database; digest: Vault['history'] },
  isStopping: () => boolean,
  logger: Logger,
): Promise<void> {
  const onTampering: Parameters<typeof verifyOn>[0]['onTampering'] = (programId, tampering) =>
    logger.error({ programId, ...tampering }, 'the audit was tampered with; run `emboss audit verify`');
  const ids = [INSTALLATION_ID, ...(await listProgramIds(db))];
  await eachOf(ids, isStopping, async (id) => {
    const deadline = performance.now() + VERIFY_FOR_MS;
    const mayGoOn = () => !isStopping() && performance.now() < deadline;
    await verifyOn({ db, digest, onTampering }, id, await readTime(db), mayGoOn);
  });
}

/** Logs a report that cannot be generated, or differs from the earlier file, as an error: it needs attention. */
const makeReports = (
  { db, reports, metrics }: WorkerServices,
  isStopping: () => boolean,
  logger: Logger,
): Promise<void> =>
  produceReports({ db, ...reports }, isStopping, {
    onMade: () => metrics.count(REPORTS, { outcome: 'made' }),
    onFailure: (error) => {
      metrics.count(REPORTS, { outcome: 'failed' });
      logger.error({ err: error }, 'a report could not be generated; it will be retried');
    },
  });

type ProgramWork = (programId: string, deadline: number) => Promise<unknown>;

/** Gives each program a few seconds: a backlog of one program does not delay the others. */
const eachProgram = async (db: Database, isStopping: () => boolean, work: ProgramWork): Promise<void> =>
  eachOf(await listProgramIds(db), isStopping, (id) => work(id, performance.now() + HOLDS_EVERY_MS));

/** A failure of one does not delay the others. */
async function eachOf<Item>(
  items: readonly Item[],
  isStopping: () => boolean,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    if (isStopping()) return;
    await work(item).catch((error) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Reading a list extends its milestones too, but after a long time one read would have to count too many records. */
export async function extendLists(db: Database, isStopping = () => false): Promise<void> {
  const realNowMs = await readTime(db);
  await eachOf(await listPrograms(db), isStopping, async (program) => {
    const clock = { nowMs: programNow(program, realNowMs), sinceMoveMs: sinceClockMove(program, realNowMs) };
    for (const list of [CARD_LIST, TRANSACTION_LIST, EVENT_LIST])
      await extendMilestones(db, list, program.id, Number.POSITIVE_INFINITY, clock);
  });
}
