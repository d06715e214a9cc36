import type { Logger } from 'pino';
import { INSTALLATION_ID } from './audit/entry.ts';
import { auditLinks } from './audit/link-entries.ts';
import { verifyOn } from './audit/verify-continuously.ts';
import { challengeExpiry } from './authentications/end-expired.ts';
import { ruleBacktests } from './authorizations/backtests/run-backtests.ts';
import type { Submit } from './authorizations/engine/engine.ts';
import { holdExpiry } from './authorizations/engine/expire-holds.ts';
import { ruleVelocities } from './authorizations/engine/fill-velocities.ts';
import { hourlyTotals } from './authorizations/totals/update-hourly-totals.ts';
import { TRANSACTION_LIST } from './authorizations/transactions/queries.ts';
import { BATCH_ROWS, cardBatches } from './cards/batches/create-rows.ts';
import { BATCH_LIST } from './cards/batches/queries.ts';
import { maintenanceFees } from './cards/charge-maintenance.ts';
import type { CreateCardServices } from './cards/create-card.ts';
import { CUSTOMER_LIST } from './cards/customers/queries.ts';
import { cardExpiry } from './cards/expire-cards.ts';
import { CARD_LIST } from './cards/queries.ts';
import { deleteExpiredSessions } from './cards/reveal/queries.ts';
import { type Database, SETTLED_AFTER_MS } from './db/database.ts';
import { EVENT_LIST, findNewestEvent } from './events/queries.ts';
import { deleteStaleIdempotencyRecords } from './http/queries.ts';
import { nextAfterQuiet } from './jobs/after-quiet.ts';
import { type Job, sweep, type Turn } from './jobs/job.ts';
import { observeJobs } from './jobs/job-metrics.ts';
import { programJob } from './jobs/program-job.ts';
import { makeDue, repairJobs } from './jobs/queries.ts';
import { startJobs } from './jobs/run-jobs.ts';
import { LOWEST_ID, timeOf } from './kernel/ids.ts';
import type { Metrics } from './kernel/metric.ts';
import { extendMilestones } from './lists/extend-milestones.ts';
import { notificationDeliveries } from './notifications/deliver.ts';
import type { GivenFinders } from './notifications/find-conditions.ts';
import type { Mailer } from './notifications/mailer.ts';
import { deleteClosedBefore } from './notifications/queries.ts';
import { notificationUpdates } from './notifications/update-notifications.ts';
import { sweepSessions } from './operators/sweep-sessions.ts';
import type { Sender } from './outbound/send-request.ts';
import { programNow, sinceClockMove } from './programs/program.ts';
import { listProgramIds, readProgram } from './programs/queries.ts';
import { type ProducerServices, REPORTS, reportProduction } from './reports/produce-reports.ts';
import { listFailingReports } from './reports/queries.ts';
import { completeFileData, type RequestServices } from './reports/read-request.ts';
import { sweepFiles } from './reports/sweep-files.ts';
import type { CustomerKeys, RulesOf } from './rules/loaded-rules.ts';
import { clearingFiles, type FileServices } from './settlement/process-files.ts';
import { sweepRawFiles } from './settlement/sweep-raw-files.ts';
import type { Vault } from './vault/vault.ts';
import { startDeliveries } from './webhooks/deliver-events.ts';
import { removedEndpoints } from './webhooks/manage-endpoints.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const SWEEP_BATCH = 1_000;
const KEPT_NOTIFICATION_MS = 90 * 24 * HOUR_MS;
/** A report that failed so often has been failing for half a minute. */
const FAILING_ATTEMPTS = 5;

export interface WorkerServices {
  db: Database;
  vault: Vault;
  submit: Submit;
  rulesOf: RulesOf;
  customers: CustomerKeys;
  sender: Sender;
  metrics: Metrics;
  kycProviders: CreateCardServices['kycProviders'];
  reports: Omit<ProducerServices & RequestServices, 'db'>;
  clearing: Pick<FileServices, 'storage' | 'messages'>;
  notifications: { mailer: Mailer | undefined; publicUrl: string };
  /** Whether the next start will read the master key of this one. */
  isMasterKeyKept?: () => boolean;
}

/** The background role. It stores no state of its own: any number of workers may run. */
export function startWorker(services: WorkerServices, logger: Logger): { stop: () => Promise<void> } {
  const { db, vault, sender, metrics, reports } = services;
  const observer = observeJobs(metrics);
  const deliveries = startDeliveries({
    db,
    keeper: vault,
    sender,
    completeFileData: (programId, referenceId) =>
      completeFileData({ db, ...reports }, programId, referenceId),
    metrics,
    observer,
    logger,
  });
  const jobs = startJobs(jobsOf(services, logger), {
    // The installation has a chain of the audit too.
    eachProgram: (find) => db.eachProgram(async () => [INSTALLATION_ID, ...(await listProgramIds(db))], find),
    logger,
    observer,
  });
  return { stop: async () => void (await Promise.all([deliveries.stop(), jobs.stop()])) };
}

/** Every job but the deliveries of webhooks, which take no turns: each endpoint has a queue of its own. */
function jobsOf(services: WorkerServices, logger: Logger): Job[] {
  const { db, vault, submit, rulesOf, metrics, reports } = services;
  return [
    notificationUpdates({ db, finders: findersOf(services) }),
    notificationDeliveries({
      ...{ db, keeper: vault, digest: vault.digest, sender: services.sender, metrics, logger },
      ...services.notifications,
    }),
    holdExpiry({ db, submit }),
    challengeExpiry({ db, metrics }),
    maintenanceFees(db),
    cardExpiry(db),
    hourlyTotals(db),
    listMilestones(db),
    auditLinks({
      db,
      digest: vault.history,
      onLinked: (tx, programId) => makeDue(tx, programId, ['audit-verification'], MINUTE_MS),
    }),
    auditVerification({ db, digest: vault.history }, logger),
    reportProduction({ db, ...reports }, (outcome) => metrics.count(REPORTS, { outcome })),
    cardBatches({
      ...{ db, vault, kycProviders: services.kycProviders },
      onRow: (outcome) => metrics.count(BATCH_ROWS, { outcome }),
      onError: (error) => logger.error({ err: error }, 'a card of a batch was not created'),
    }),
    ruleVelocities({ db, submit, rulesOf }),
    ruleBacktests({ db, keeper: vault, customers: services.customers }),
    clearingFiles({ db, keeper: vault, submit, ...services.clearing }),
    removedEndpoints(db),
    sweep('report-files', MINUTE_MS, () => sweepFiles({ db, ...reports })),
    sweep('raw-clearing-files', MINUTE_MS, () => sweepRawFiles({ db, keeper: vault, ...services.clearing })),
    sweep(
      'idempotency-records',
      MINUTE_MS,
      inBatches((limit) => deleteStaleIdempotencyRecords(db, limit)),
    ),
    sweep(
      'reveal-sessions',
      MINUTE_MS,
      inBatches((limit) => deleteExpiredSessions(db, limit)),
    ),
    sweep('closed-notifications', HOUR_MS, () => deleteClosedBefore(db, KEPT_NOTIFICATION_MS)),
    sweep('operator-sessions', MINUTE_MS, () => sweepSessions(db)),
    sweep('program-jobs', HOUR_MS, async () => {
      await repairJobs(db, [INSTALLATION_ID], ['audit-verification']);
      await repairJobs(db, await listProgramIds(db));
    }),
  ];
}

export const findersOf = ({
  isMasterKeyKept = () => true,
}: Pick<WorkerServices, 'isMasterKeyKept'>): GivenFinders => ({
  report: async (db, programId) =>
    (await listFailingReports(db, FAILING_ATTEMPTS, programId)).map(
      ({ programId: of, fileType, lastDay }) => ({
        programId: of,
        kind: 'report',
        subject: '',
        details: { fileType, day: lastDay },
      }),
    ),
  master_key: async (_, programId = INSTALLATION_ID) =>
    programId !== INSTALLATION_ID || isMasterKeyKept()
      ? []
      : [{ programId, kind: 'master_key', subject: '', details: {} }],
});

const inBatches =
  (deleteSome: (limit: number) => Promise<number>) =>
  async ({ isStopping }: Turn): Promise<void> => {
    while (!isStopping() && (await deleteSome(SWEEP_BATCH)) === SWEEP_BATCH);
  };

/** Verifies a chain a little at a time: what was linked within a minute, its ends every hour. Logs each change of a chain once. */
export const auditVerification = (
  services: { db: Database; digest: Vault['history'] },
  logger: Logger,
): Job => {
  const onTampering: Parameters<typeof verifyOn>[0]['onTampering'] = (programId, tampering) =>
    logger.error({ programId, ...tampering }, 'the audit was tampered with; run `emboss audit verify`');
  const settings = { everyMs: 10_000 };
  return programJob(services.db, 'audit-verification', settings, async (programId, turn, nowMs) => {
    const mayGoOn = () => !turn.isStopping() && performance.now() < turn.deadline;
    const isEnd = await verifyOn({ ...services, onTampering }, programId, nowMs, mayGoOn);
    return nowMs + (isEnd ? HOUR_MS : MINUTE_MS);
  });
};

/** Reading a list extends its milestones too, but after a long time one read would have to count too many records. */
export const listMilestones = (db: Database): Job =>
  programJob(db, 'list-milestones', { everyMs: 10_000 }, async (programId) => {
    const { program, realNowMs } = await readProgram(db, programId);
    const clock = { nowMs: programNow(program, realNowMs), sinceMoveMs: sinceClockMove(program, realNowMs) };
    for (const list of [CARD_LIST, CUSTOMER_LIST, BATCH_LIST, TRANSACTION_LIST, EVENT_LIST])
      await extendMilestones(db, list, programId, Number.POSITIVE_INFINITY, clock);
    if (clock.sinceMoveMs < SETTLED_AFTER_MS) return realNowMs + SETTLED_AFTER_MS;
    // Almost every new record comes with an event.
    const newestMs = timeOf((await findNewestEvent(db, programId)) ?? LOWEST_ID);
    return nextAfterQuiet(realNowMs, clock.nowMs - newestMs, SETTLED_AFTER_MS);
  });
