import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { StorageSettings } from './files/open-storage.ts';
import type { LimitSettings } from './http/limits.ts';
import type { LogLevel } from './http/logging.ts';
import type { MetricsAccess } from './http/metrics-route.ts';
import { isId } from './kernel/ids.ts';
import { reveal, type Secret, secret } from './kernel/secret.ts';
import type { SmtpSettings } from './notifications/mailer.ts';
import type { OpenIdSettings } from './operators/openid/provider.ts';
import { SECOND_FACTOR_RULES, type SecondFactorRule } from './operators/operator.ts';
import type { AddressSettings } from './outbound/address-rules.ts';
import { ROLES as OPERATOR_ROLES, type Role as OperatorRole } from './programs/access.ts';
import { chosenKeyFault } from './programs/api-key.ts';
import type { KeyKind } from './programs/program.ts';

/** `api` serves requests, `worker` runs background jobs. Neither keeps state: any number of processes may run. */
const ROLES = ['api', 'worker'] as const;
type Role = (typeof ROLES)[number];

export interface Config {
  /** The roles of this process; it always serves health and metrics. */
  roles: readonly Role[];
  /** How many processes serve the API. With more than one, this process supervises them and serves no requests. */
  processes: number;
  host: string;
  port: number;
  /** Base of every link in answers and events; never taken from a request. */
  publicUrl: string;
  /** Base of the reveal page's address; by default `publicUrl`. Another host keeps it apart from everything else. */
  revealUrl: string;
  /** Undefined: the embedded PostgreSQL under `dataDir`. */
  databaseUrl: Secret | undefined;
  /** The login that owns the schema, if it differs from the server's login. */
  migrationDatabaseUrl: Secret | undefined;
  dataDir: string;
  sandboxApiKey: Secret | undefined;
  sandboxNetworkKey: Secret | undefined;
  masterKey: Secret | undefined;
  /** Set during a change of the master key. */
  previousMasterKey: Secret | undefined;
  logLevel: LogLevel;
  metricsAccess: MetricsAccess;
  /** Connections of each process. */
  databasePoolSize: number;
  /** Off behind a pooler without support for prepared statements (PgBouncer before 1.21). */
  namedStatements: boolean;
  sumsub:
    | { baseUrl: string; appToken: Secret; secretKey: Secret; timeoutMs: number; attempts: number }
    | undefined;
  /** Where report files are kept: under `dataDir`, or in a bucket. */
  reportStorage: StorageSettings;
  /** Older report files are removed and generated again on request. */
  reportRetentionDays: number;
  /** Off: sandbox programs behave as if they did not exist. */
  sandboxPrograms: boolean;
  /** Addresses besides public ones that webhooks of sandbox programs may be sent to. */
  webhookAddresses: AddressSettings;
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: readonly string[];
  maxConnections: number;
  /** Limits per minute; `settingsOfOne` says what they mean with several processes. */
  limits: LimitSettings;
  /** Wrong numbers, expiries and CVVs per merchant and ten minutes before answers are delayed; 0: never. */
  mostMistakes: number;
  /** Concurrent reads of one program in this server; 0: any number. */
  readsAtOnce: number;
  /** Which operators must have a second factor. */
  secondFactorRule: SecondFactorRule;
  /** The mail server for notifications, and their sender. Undefined: no e-mail. */
  smtp: SmtpSettings | undefined;
  /** Undefined: operators sign in with passwords only. */
  openId: OpenIdSettings | undefined;
}

type Environment = Record<string, string | undefined>;

const MOST = 999_999_999;
/** Lists of one program leave half of the cores to other programs. */
const HALF_THE_CORES = Math.max(1, Math.floor(availableParallelism() / 2));
const MOST_PROCESSES = 64;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** An invalid setting. The message is shown in the terminal. */
const bad = (name: string, rule: string): Error => new Error(`${name} ${rule}`);

/** The only function that reads the environment. It checks every setting once and freezes the result. */
export function readConfig(env: Environment = process.env): Readonly<Config> {
  const host = text(env, 'HOST') ?? '127.0.0.1';
  const port = integer(env, 'PORT', 8080, 1, 65_535);
  const databaseUrl = optionalSecret(env, 'DATABASE_URL');
  const masterKey = masterKeySetting(env, 'EMBOSS_MASTER_KEY');
  if (masterKey && isGuessable(Buffer.from(reveal(masterKey), 'base64')))
    throw bad(
      'EMBOSS_MASTER_KEY',
      'must be 32 random bytes, not text or a pattern: generate them with "openssl rand -base64 32"',
    );
  if (databaseUrl && !masterKey)
    throw bad(
      'EMBOSS_MASTER_KEY',
      'must be set together with DATABASE_URL: 32 bytes in base64, for example from "openssl rand -base64 32". Back it up; without it no card number can be read',
    );
  const migrationDatabaseUrl = optionalSecret(env, 'MIGRATION_DATABASE_URL');
  if (migrationDatabaseUrl && !databaseUrl)
    throw bad(
      'MIGRATION_DATABASE_URL',
      'requires DATABASE_URL: the same database with the login of the server',
    );
  const sandboxApiKey = chosenKey(env, 'EMBOSS_SANDBOX_API_KEY', 'merchant');
  const sandboxNetworkKey = chosenKey(env, 'EMBOSS_SANDBOX_NETWORK_KEY', 'network');
  if (sandboxApiKey && sandboxNetworkKey && reveal(sandboxApiKey) === reveal(sandboxNetworkKey))
    throw bad('EMBOSS_SANDBOX_NETWORK_KEY', 'must differ from EMBOSS_SANDBOX_API_KEY');
  const dataDir = resolve(text(env, 'DATA_DIR') ?? './data');
  const baseUrl =
    urlSetting(env, 'PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const sandboxPrograms = oneOf(env, 'SANDBOX_PROGRAMS', ['on', 'off'], 'on') === 'on';
  const named = roles(env);
  const processes = processCount(env, named);
  return Object.freeze({
    roles: named,
    processes,
    host,
    port,
    publicUrl: baseUrl,
    revealUrl: urlSetting(env, 'REVEAL_URL') ?? baseUrl,
    databaseUrl,
    migrationDatabaseUrl,
    dataDir,
    sandboxApiKey,
    sandboxNetworkKey,
    masterKey,
    previousMasterKey: masterKeySetting(env, 'EMBOSS_MASTER_KEY_PREVIOUS'),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    metricsAccess: metricsToken(env) ?? (LOOPBACK.test(host) ? 'anybody' : 'nobody'),
    databasePoolSize: integer(env, 'DATABASE_POOL_SIZE', standardPoolSize(processes), 2, 500),
    namedStatements: flag(env, 'DATABASE_NAMED_STATEMENTS'),
    sumsub: sumsub(env),
    reportStorage: reportStorage(env, dataDir),
    reportRetentionDays: integer(env, 'REPORT_RETENTION_DAYS', 30, 1, 3_650),
    sandboxPrograms,
    webhookAddresses: {
      loopback: loopbackFor(host, baseUrl),
      privateRanges: rangesOf(env, 'WEBHOOK_PRIVATE_ADDRESSES', '10.20.0.0/16'),
      sandboxPrograms,
    },
    trustProxy: rangesOf(env, 'TRUST_PROXY', '10.0.0.0/8', ['loopback', 'linklocal', 'uniquelocal']),
    maxConnections: integer(env, 'MAX_CONNECTIONS', 10_000, 0, 1_000_000),
    limits: limits(env),
    mostMistakes: integer(env, 'GUESSES_PER_MERCHANT', 30, 0, MOST),
    readsAtOnce: integer(env, 'READS_AT_ONCE_PER_PROGRAM', HALF_THE_CORES, 0, 10_000),
    secondFactorRule: oneOf(env, 'OPERATOR_SECOND_FACTOR', SECOND_FACTOR_RULES, 'live-managers'),
    smtp: smtp(env),
    openId: openId(env),
  });
}

/** The given master key, or with the embedded database the one stored (or created now) under `dataDir`. */
export function loadMasterKey(config: Config, warn: (message: string) => void): Secret {
  if (config.masterKey) return config.masterKey;
  const path = join(config.dataDir, 'master-key');
  if (!existsSync(path) && makeMasterKey(config.dataDir, path))
    warn(
      `a master key was generated in ${path}. Back it up: without it no card number can be read. In production set EMBOSS_MASTER_KEY`,
    );
  return readMasterKey(config);
}

/** The given master key, or the stored one. Throws if the file is missing. */
export const readMasterKey = ({ masterKey, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>): Secret =>
  masterKey ?? secret(readFileSync(join(dataDir, 'master-key'), 'utf8').trim());

/** Links a finished file into place, so that two concurrent first starts use the same complete key. */
function makeMasterKey(dataDir: string, path: string): boolean {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    unlinkSync(draft);
  }
}

function roles(env: Environment): Role[] {
  const named = (text(env, 'EMBOSS_ROLES') ?? ROLES.join()).split(',');
  if (!named.every((name): name is Role => ROLES.some((role) => role === name)))
    throw bad('EMBOSS_ROLES', 'must be api, worker, or api,worker');
  return named;
}

/** The API is what runs in several processes. `auto` leaves one core to PostgreSQL and the worker. */
function processCount(env: Environment, named: readonly Role[]): number {
  const given = text(env, 'PROCESSES') ?? '1';
  const count = /^[1-9]\d?$/.test(given) ? Number(given) : Number.NaN;
  if (given !== 'auto' && !(count <= MOST_PROCESSES))
    throw bad('PROCESSES', `must be a whole number from 1 to ${MOST_PROCESSES}, or auto`);
  if (!named.includes('api')) return 1;
  return given === 'auto' ? Math.min(MOST_PROCESSES, Math.max(1, availableParallelism() - 1)) : count;
}

/** Up to 19 processes, with the one that supervises them, stay below the 100 connections that PostgreSQL allows by default. */
const standardPoolSize = (processes: number): number =>
  processes === 1 ? 20 : Math.min(20, Math.max(4, Math.floor(80 / (processes + 1))));

/**
 * The settings of each API process. Of the limits that protect secrets and the machine, each enforces its share, so that all
 * together enforce the whole. Request rates stay: a client with one connection may use all of its rate.
 */
export function settingsOfOne(config: Config): Config {
  const share = (limit: number) => Math.ceil(limit / config.processes);
  const { merchant_requests, network_requests, anonymous_requests, ...guarding } = config.limits;
  const shared = Object.fromEntries(Object.entries(guarding).map(([kind, limit]) => [kind, share(limit)]));
  return {
    ...config,
    limits: { ...config.limits, ...shared },
    maxConnections: share(config.maxConnections),
    mostMistakes: share(config.mostMistakes),
    readsAtOnce: share(config.readsAtOnce),
  };
}

function urlSetting(env: Environment, name: string): string | undefined {
  const given = text(env, name);
  if (given !== undefined && !/^https?:\/\/[^\s?#]+$/.test(given))
    throw bad(name, 'must be an http or https URL without a query');
  return given?.replace(/\/+$/, '');
}

function sumsub(env: Environment): Config['sumsub'] {
  const appToken = optionalSecret(env, 'SUMSUB_APP_TOKEN');
  const secretKey = optionalSecret(env, 'SUMSUB_SECRET_KEY');
  if (!appToken && !secretKey) return undefined;
  if (!appToken || !secretKey) throw bad('SUMSUB_APP_TOKEN and SUMSUB_SECRET_KEY', 'must be set together');
  return {
    baseUrl: text(env, 'SUMSUB_BASE_URL') ?? 'https://api.sumsub.com',
    appToken,
    secretKey,
    timeoutMs: integer(env, 'SUMSUB_TIMEOUT_MS', 8_000, 100, 25_000),
    attempts: integer(env, 'SUMSUB_ATTEMPTS', 3, 1, 10),
  };
}

function smtp(env: Environment): Config['smtp'] {
  const url = optionalSecret(env, 'SMTP_URL');
  const from = text(env, 'MAIL_FROM');
  if (!url && from === undefined) return undefined;
  if (!url || from === undefined) throw bad('SMTP_URL and MAIL_FROM', 'must be set together');
  if (!/^smtps?:\/\/[^\s?#]+$/.test(reveal(url)) || !URL.canParse(reveal(url)))
    throw bad('SMTP_URL', 'must be like smtp://user:password@host:587, or smtps:// for TLS from the start');
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(from)) throw bad('MAIL_FROM', 'must be an e-mail address');
  const { username, hostname } = new URL(reveal(url));
  return { url, from, mustEncrypt: username !== '' && !LOOPBACK.test(hostname) };
}

function openId(env: Environment): OpenIdSettings | undefined {
  const issuer = text(env, 'OPENID_ISSUER');
  const clientId = text(env, 'OPENID_CLIENT_ID');
  const clientSecret = optionalSecret(env, 'OPENID_CLIENT_SECRET');
  if (!issuer && !clientId && !clientSecret) return undefined;
  if (!issuer || !clientId || !clientSecret)
    throw bad('OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET', 'must be set together');
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (!url || !isPrivateUrl(url))
    throw bad('OPENID_ISSUER', 'must be an https URL without a query, such as https://login.example.com');
  return {
    ...{ issuer, clientId, clientSecret },
    name: text(env, 'OPENID_NAME') ?? url.host,
    scopes: text(env, 'OPENID_SCOPES') ?? 'openid email profile',
    rolesClaim: text(env, 'OPENID_ROLES_CLAIM') ?? 'roles',
    grants: grants(env),
  };
}

/** `{"value of the claim": {"role": "support", "program": "id"}}`; without a program it gives all. */
function grants(env: Environment): OpenIdSettings['grants'] {
  const given = text(env, 'OPENID_ROLES');
  if (given === undefined) return undefined;
  const wrong = bad(
    'OPENID_ROLES',
    `must be JSON such as {"card-admins":{"role":"admin"},"acme-support":{"role":"support","program":"<id>"}}, with the roles ${OPERATOR_ROLES.join(', ')}`,
  );
  let parsed: Record<string, { role?: OperatorRole; program?: string }>;
  try {
    parsed = JSON.parse(given);
  } catch {
    throw wrong;
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw wrong;
  const entries = Object.entries(parsed).map(([value, entry]) => {
    const { role, program, ...more } = entry ?? {};
    const isKnown = role !== undefined && OPERATOR_ROLES.includes(role) && Object.keys(more).length === 0;
    if (!isKnown || (program !== undefined && !isId(program))) throw wrong;
    return [value, { role, programId: program ?? null }] as const;
  });
  if (entries.length === 0) throw wrong;
  return new Map(entries);
}

function limits(env: Environment): LimitSettings {
  return {
    merchant_requests: integer(env, 'MERCHANT_REQUESTS_PER_MINUTE', 60_000, 0, MOST),
    // No limit for the network by default.
    network_requests: integer(env, 'NETWORK_REQUESTS_PER_MINUTE', 0, 0, MOST),
    anonymous_requests: integer(env, 'ANONYMOUS_REQUESTS_PER_MINUTE', 1_200, 0, MOST),
    wrong_keys: integer(env, 'WRONG_KEYS_PER_MINUTE', 30, 0, MOST),
    wrong_passwords: integer(env, 'WRONG_PASSWORDS_PER_MINUTE', 30, 0, MOST),
    key_reveals: integer(env, 'KEY_REVEALS_PER_MINUTE', 600, 0, MOST),
    program_reveals: integer(env, 'PROGRAM_REVEALS_PER_MINUTE', 1_200, 0, MOST),
    operator_reveals: integer(env, 'OPERATOR_REVEALS_PER_MINUTE', 30, 0, MOST),
  };
}

/** Refuses "all addresses": a client that may choose its own address would escape every limit. */
function rangesOf(env: Environment, name: string, example: string, names: readonly string[] = []): string[] {
  const parts = (text(env, name) ?? '').split(',').map((part) => part.trim());
  const given = parts.filter((part) => part !== '');
  const named = names.length > 0 ? `, or ${names.join(', ')}` : '';
  if (!given.every((part) => names.includes(part) || isRange(part)))
    throw bad(name, `must be addresses or ranges such as ${example}${named}, separated by commas`);
  return given;
}

/** An address, or a range other than all addresses. */
function isRange(part: string): boolean {
  const [address = '', bits = '32', more] = part.split('/');
  const mostBits = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= mostBits && more === undefined;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;

/**
 * A server that listens on loopback may send webhooks there. If a proxy makes it public, the bodies of answers from loopback
 * are not shown.
 */
function loopbackFor(host: string, baseUrl: string): AddressSettings['loopback'] {
  if (!LOOPBACK.test(host)) return 'refused';
  return LOOPBACK.test(new URL(baseUrl).hostname) ? 'shown' : 'silent';
}

function reportStorage(env: Environment, dataDir: string): StorageSettings {
  const kind = text(env, 'REPORT_STORAGE') ?? 'disk';
  if (kind === 'disk') return { kind, directory: join(dataDir, 'reports') };
  if (kind !== 's3') throw bad('REPORT_STORAGE', 'must be disk or s3');
  const needed = <Value>(name: string, value: Value | undefined): Value => {
    if (value === undefined) throw bad(name, 'must be set with REPORT_STORAGE=s3');
    return value;
  };
  const bucket = needed('S3_BUCKET', text(env, 'S3_BUCKET'));
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw bad('S3_BUCKET', 'must be 3 to 63 lower-case letters, digits, hyphens and dots');
  const region = text(env, 'S3_REGION') ?? 'us-east-1';
  if (!/^[\w-]{1,64}$/.test(region))
    throw bad('S3_REGION', 'must be the name of a region, such as eu-central-1');
  return {
    kind,
    endpoint: s3Endpoint(needed('S3_ENDPOINT', text(env, 'S3_ENDPOINT'))),
    region,
    bucket,
    accessKeyId: needed('S3_ACCESS_KEY_ID', optionalSecret(env, 'S3_ACCESS_KEY_ID')),
    secretAccessKey: needed('S3_SECRET_ACCESS_KEY', optionalSecret(env, 'S3_SECRET_ACCESS_KEY')),
    pathStyle: flag(env, 'S3_PATH_STYLE'),
  };
}

/** Plain HTTP is allowed on loopback only. */
const isPrivateUrl = (url: URL): boolean =>
  (url.protocol === 'https:' || /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(url.origin)) &&
  !(url.search || url.hash || url.username || url.password);

/** Reports contain names and amounts. */
function s3Endpoint(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !isPrivateUrl(url))
    throw bad(
      'S3_ENDPOINT',
      'must be an https URL without a query, such as https://s3.eu-central-1.amazonaws.com',
    );
  return url.href;
}

function text(env: Environment, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}

/** The secret itself, or `<name>_FILE`: a file with the secret, as containers and systemd provide it. */
function optionalSecret(env: Environment, name: string): Secret | undefined {
  const value = text(env, name);
  const path = text(env, `${name}_FILE`);
  if (path === undefined) return value === undefined ? undefined : secret(value);
  if (value !== undefined) throw bad(name, `must not be set together with ${name}_FILE`);
  return secret(readSecretFile(`${name}_FILE`, path));
}

function readSecretFile(name: string, path: string): string {
  let content: string;
  try {
    content = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw bad(name, `names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (content === '') throw bad(name, 'names a file that is empty');
  return content;
}

function masterKeySetting(env: Environment, name: string): Secret | undefined {
  const key = optionalSecret(env, name);
  if (key && Buffer.from(reveal(key), 'base64').length !== 32) throw bad(name, 'must be 32 bytes in base64');
  return key;
}

/**
 * True for zeros, a counter, a repeated pattern and text. The probability that a random key has fewer than 16 distinct
 * bytes, or distinct differences between neighbours, is below 1e-15, and that it is printable is 2e-14.
 */
function isGuessable(key: Buffer): boolean {
  const differences = key.subarray(1).map((byte, index) => byte - (key[index] as number));
  const isText = key.every((byte) => byte >= 0x20 && byte <= 0x7e);
  return isText || [key, differences].some((bytes) => new Set(bytes).size < 16);
}

function chosenKey(env: Environment, name: string, kind: KeyKind): Secret | undefined {
  const key = optionalSecret(env, name);
  const fault = key && chosenKeyFault(key, { mode: 'sandbox', kind });
  if (fault) throw bad(name, fault);
  return key;
}

function metricsToken(env: Environment): Secret | undefined {
  const token = optionalSecret(env, 'METRICS_TOKEN');
  if (token && !/^[!-~]{16,}$/.test(reveal(token)))
    throw bad('METRICS_TOKEN', 'must be 16 or more printable characters without spaces');
  return token;
}

function integer(env: Environment, name: string, standard: number, min: number, max: number): number {
  const value = text(env, name) ?? String(standard);
  const parsed = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(parsed >= min && parsed <= max)) throw bad(name, `must be a whole number from ${min} to ${max}`);
  return parsed;
}

function oneOf<Value extends string>(
  env: Environment,
  name: string,
  values: readonly Value[],
  standard: Value,
): Value {
  const given = text(env, name) ?? standard;
  const value = values.find((each) => each === given);
  if (!value)
    throw bad(name, `must be ${values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')}`);
  return value;
}

const flag = (env: Environment, name: string): boolean =>
  oneOf(env, name, ['true', 'false'], 'true') === 'true';
