import type { Logger } from 'pino';
import { AUTHENTICATIONS } from './authentications/authentication.ts';
import { addUses, findUsable } from './authentications/queries.ts';
import { AUTHORIZATIONS } from './authorizations/core/decline.ts';
import { createEngine, type Submit } from './authorizations/engine/engine.ts';
import { BATCH_ROWS } from './cards/batches/create-rows.ts';
import { cardholderNames } from './cards/cardholder-names.ts';
import { cardholderIdsOf } from './cards/create-card.ts';
import { SLOWED } from './cards/slow-guessing.ts';
import { type Config, loadMasterKey, readMasterKey } from './config.ts';
import { CREDENTIALS_KEYS } from './console-api/keys/routes.ts';
import { openCluster } from './db/citus/open-cluster.ts';
import { CONNECTIONS, type Database, type DatabaseOptions, openDatabase } from './db/database.ts';
import { isDatabaseInUse } from './db/embedded/data-dir-claim.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded/supervisor.ts';
import { isConnectionLoss } from './db/failures.ts';
import { type Prepared, prepareDatabase, prepareEmbedded } from './db/server-login.ts';
import { DECISION_TIMES, DECISIONS, ENDPOINTS_CHANGED, STAND_INS } from './decisions/decision.ts';
import { createDecisionRequester, type DecisionRequester } from './decisions/request-decision.ts';
import { mintLink } from './files/link.ts';
import { openStorage } from './files/open-storage.ts';
import { RATE_LIMITED } from './http/limits.ts';
import { REQUEST_TIMES } from './http/server.ts';
import { JOB_TURNS, JOBS_DUE, JOBS_OLDEST } from './jobs/job-metrics.ts';
import { type AnyMetric, type Metrics, NO_METRICS } from './kernel/metric.ts';
import { reveal, type Secret } from './kernel/secret.ts';
import type { KycProvider } from './kyc/kyc.ts';
import { createSandboxProvider } from './kyc/sandbox-provider.ts';
import { createSumsubProvider } from './kyc/sumsub-provider.ts';
import { UNKNOWN_WORDS } from './network/http/read-message-data.ts';
import { createRecordMessages } from './network/http/read-record.ts';
import { NOTIFICATIONS_SENT } from './notifications/deliver.ts';
import { createMailer, type Mailer } from './notifications/mailer.ts';
import { SIGN_INS } from './operators/prove.ts';
import { createAddressRules } from './outbound/address-rules.ts';
import { createSender, type Sender } from './outbound/send-request.ts';
import { REFUSED_KEYS } from './programs/authenticate.ts';
import type { KycProviderName } from './programs/program.ts';
import { CSV_TYPE } from './reports/csv.ts';
import { type ProducerServices, REPORTS } from './reports/produce-reports.ts';
import type { RequestServices } from './reports/read-request.ts';
import { type CustomerKeys, createLoadedRules, type RulesOf } from './rules/loaded-rules.ts';
import { RULE_MATCHES } from './rules/match-metric.ts';
import { findRegisteredApplicant } from './sandbox/applicants.ts';
import type { FileServices } from './settlement/process-files.ts';
import { type MasterKey, masterKeyFrom } from './vault/keyring.ts';
import { openVault, type Vault } from './vault/vault.ts';
import { WEBHOOK_ATTEMPTS } from './webhooks/deliver-events.ts';

const MAX_ATTEMPTS = 5;
const MS_PER_DAY = 86_400_000;
const UNUSABLE_DIRECTORY = new Set(['EACCES', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS']);

/** Every metric of the server. */
export const METRICS: readonly AnyMetric[] = [
  REQUEST_TIMES,
  AUTHORIZATIONS,
  RULE_MATCHES,
  DECISIONS,
  DECISION_TIMES,
  STAND_INS,
  ENDPOINTS_CHANGED,
  AUTHENTICATIONS,
  WEBHOOK_ATTEMPTS,
  NOTIFICATIONS_SENT,
  REPORTS,
  BATCH_ROWS,
  JOBS_DUE,
  JOBS_OLDEST,
  JOB_TURNS,
  SIGN_INS,
  REFUSED_KEYS,
  RATE_LIMITED,
  CREDENTIALS_KEYS,
  SLOWED,
  UNKNOWN_WORDS,
  CONNECTIONS,
];

/** What every role needs: the migrated database and the keys. */
export interface Runtime {
  db: Database;
  logger: Logger;
  databaseUrl: string;
  /** The role of transactions; undefined: the login's own rights. */
  role: string | undefined;
  /** The login for migrations, if it differs. */
  ownerUrl: string;
  masters: MasterKey[];
  embedded: EmbeddedPostgres | undefined;
  /** Names of the migrations applied by this start. */
  applied: string[];
  /** Whether the coming months of transactions could be made. */
  monthsMade: boolean;
  /**
   * Closes the pool. Stops an embedded PostgreSQL if this process started it and no other process uses it. An adopted one
   * belongs to a running server and stays, unless `stopDatabase` says that this process is that server.
   */
  close(options?: { stopDatabase: boolean }): Promise<void>;
}

/**
 * `claim` runs as soon as the database answers, before any change. An adopted embedded database may be shutting down,
 * stopped by the command that started it: then it is started again.
 */
export async function openRuntime(...given: Parameters<typeof tryRuntime>): Promise<Runtime> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryRuntime(...given);
    } catch (error) {
      if (given[0].databaseUrl || attempt === MAX_ATTEMPTS || !isConnectionLoss(error)) throw error;
    }
  }
}

async function tryRuntime(
  config: Config & Pick<DatabaseOptions, 'connectWithinMs'>,
  logger: Logger,
  claim: (embedded: EmbeddedPostgres) => Promise<void> = async () => {},
): Promise<Runtime> {
  const embedded = config.databaseUrl ? undefined : await startEmbedded(config, logger);
  const stopEmbedded = async (stopDatabase = false) => {
    const ours = embedded?.started && !(await isDatabaseInUse(embedded.url).catch(() => false));
    if (ours || stopDatabase) await embedded?.stop();
    else embedded?.release();
  };
  let db: Database | undefined;
  try {
    if (embedded) await claim(embedded);
    const { applied, url, role, monthsMade, bound } = embedded
      ? await prepareEmbedded(embedded.url)
      : await prepareGiven(config);
    if (applied.length > 0) logger.info({ applied }, 'migrations applied');
    if (!monthsMade)
      logger.warn(
        'the partitions for the coming months could not be created because the transactions table is busy; run "emboss migrate"',
      );
    if (!role && !bound)
      logger.warn(
        'this database login cannot create roles, so transactions run with its own rights; grant it CREATEROLE, or create a role as described in docs/operate.md',
      );
    const opened = await openPool(config, logger, { url, role });
    db = opened;
    const close: Runtime['close'] = async (options) => {
      await opened.close();
      await stopEmbedded(options?.stopDatabase);
    };
    return {
      db: opened,
      logger,
      databaseUrl: url,
      role,
      ownerUrl: embedded?.url ?? ownerUrlOf(config),
      masters: loadMasters(config, logger),
      embedded,
      applied,
      monthsMade,
      close,
    };
  } catch (error) {
    await db?.close();
    await stopEmbedded();
    throw error;
  }
}

/** A database that another process of this server has prepared: its URL with the password, and the role of transactions. */
export type PreparedDatabase = Pick<Prepared, 'url' | 'role'>;

/** For a process that joins a running server: it neither starts nor migrates nor stops the database. */
export async function joinRuntime(
  config: Config,
  logger: Logger,
  database: PreparedDatabase,
): Promise<Pick<Runtime, 'db' | 'logger' | 'masters'>> {
  return { db: await openPool(config, logger, database), logger, masters: loadMasters(config, logger) };
}

async function openPool(
  config: Parameters<typeof tryRuntime>[0],
  logger: Logger,
  database: PreparedDatabase,
): Promise<Database> {
  let closing = false;
  const db = openDatabase({
    ...database,
    poolSize: config.databasePoolSize,
    namedStatements: config.namedStatements,
    connectWithinMs: config.connectWithinMs,
    // PostgreSQL may report its shutdown on connections that are already closing.
    onIdleError: (error) => {
      if (!closing) logger.warn({ err: error }, 'an idle database connection was lost');
    },
  });
  const close = () => {
    closing = true;
    return db.close();
  };
  try {
    return { ...(await openCluster(db)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function loadMasters(config: Config, logger: Logger): MasterKey[] {
  const master = loadMasterKey(config, (message) => logger.warn(message));
  return [master, config.previousMasterKey].flatMap((key) => (key ? [masterKeyFrom(key)] : []));
}

/** Whether the next start will read the master key of this one. False: its file is missing or has changed. */
export function isMasterKeyKept(
  config: Parameters<typeof readMasterKey>[0],
  [current]: MasterKey[],
): boolean {
  try {
    return masterKeyFrom(readMasterKey(config)).id === current?.id;
  } catch {
    return false;
  }
}

const ownerUrlOf = ({ databaseUrl, migrationDatabaseUrl }: Config): string =>
  reveal((migrationDatabaseUrl ?? databaseUrl) as Secret);

const prepareGiven = (config: Config): Promise<Prepared> =>
  prepareDatabase(ownerUrlOf(config), reveal(config.databaseUrl as Secret));

async function startEmbedded({ dataDir }: Config, logger: Logger): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres({ dataDir, log: (level, message) => logger[level](message) });
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (!UNUSABLE_DIRECTORY.has(code)) throw cause;
    const advice = 'use a directory that this user can write to, or set another DATA_DIR';
    throw new Error(`DATA_DIR ${dataDir} cannot be used (${code}): ${advice}`, { cause });
  }
}

/** The services of the roles. */
export interface Services {
  vault: Vault;
  rulesOf: RulesOf;
  customers: CustomerKeys;
  kycProviders: Record<KycProviderName, KycProvider | undefined>;
  submit: Submit;
  sender: Sender;
  /** Requests decisions from merchants. Stop it before the database is closed. */
  decisions: DecisionRequester;
  reports: Omit<ProducerServices & RequestServices, 'db'>;
  /** `mailer` is undefined if no mail server is set. */
  /** Raw clearing files, and how their records become messages. */
  clearing: Pick<FileServices, 'storage' | 'messages'>;
  notifications: { mailer: Mailer | undefined; publicUrl: string };
}

export type ServiceSettings = Pick<
  Config,
  'publicUrl' | 'reportRetentionDays' | 'reportStorage' | 'sumsub' | 'webhookAddresses'
> &
  Partial<Pick<Config, 'smtp'>>;

/** `keyring`: how long the vault keeps its keys in memory. */
export async function openServices(
  config: ServiceSettings,
  { db, logger, masters }: Pick<Runtime, 'db' | 'logger' | 'masters'>,
  metrics: Metrics = NO_METRICS,
  keyring?: Parameters<typeof openVault>[2],
): Promise<Services> {
  const vault = await openVault(db, masters, keyring);
  const kycProviders = {
    sandbox: createSandboxProvider((programId, applicantId) =>
      findRegisteredApplicant({ db, vault }, programId, applicantId),
    ),
    sumsub: config.sumsub && createSumsubProvider(config.sumsub),
  };
  const sender = createSender(createAddressRules(config.webhookAddresses));
  const customers = customerKeys(vault);
  const rulesOf = createLoadedRules({ keeper: vault, customers });
  const decisions = createDecisionRequester({ db, keeper: vault, sender, logger, metrics });
  return {
    vault,
    rulesOf,
    customers,
    kycProviders,
    submit: createEngine({
      db,
      vault,
      authentications: { findUsable, addUses },
      rulesOf,
      requestDecision: decisions.requestDecision,
      metrics,
    }),
    sender,
    decisions,
    reports: openReports(config, db, vault),
    clearing: {
      storage: openStorage(config.reportStorage, 'application/octet-stream'),
      messages: createRecordMessages({ db, vault, metrics }),
    },
    notifications: { mailer: config.smtp && createMailer(config.smtp), publicUrl: config.publicUrl },
  };
}

/** How rules know customers, whose ids are stored as keyed digests only. */
function customerKeys(vault: Vault): CustomerKeys {
  let [made, generation] = [vault.search('generation'), 0];
  return {
    cardholderIdsOf: (programId, customerId) => cardholderIdsOf(vault, programId, customerId),
    generation: () => {
      if (!vault.search.isCurrent(made)) [made, generation] = [vault.search('generation'), generation + 1];
      return generation;
    },
  };
}

function openReports(config: ServiceSettings, db: Database, vault: Vault): Services['reports'] {
  const storage = openStorage(config.reportStorage, CSV_TYPE);
  const { publicUrl, reportRetentionDays } = config;
  return {
    storage,
    namesOf: cardholderNames({ db, vault }),
    keepFilesMs: reportRetentionDays * MS_PER_DAY,
    mintLink: (report) => mintLink({ storage, publicUrl, digest: vault.digest }, report),
  };
}
