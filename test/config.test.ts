import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig, settingsOfOne } from '../src/config.ts';
import { reveal, type Secret } from '../src/kernel/secret.ts';

const S3 = {
  REPORT_STORAGE: 's3',
  S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com',
  S3_BUCKET: 'acme-reports',
  S3_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  S3_SECRET_ACCESS_KEY: 'secret-of-the-test',
};

describe('roles', () => {
  test('are both in one process by default', () => {
    expect(readConfig({}).roles).toEqual(['api', 'worker']);
    expect(readConfig({ EMBOSS_ROLES: 'worker' }).roles).toEqual(['worker']);
    expect(() => readConfig({ EMBOSS_ROLES: 'api, worker' })).toThrow('EMBOSS_ROLES must be api, worker');
  });
});

test('metrics are for a token, else for all who reach a server on loopback, else for nobody', () => {
  expect(readConfig({}).metricsAccess).toBe('anybody');
  for (const HOST of ['localhost', '::1', '127.0.0.9'])
    expect(readConfig({ HOST }).metricsAccess).toBe('anybody');
  for (const HOST of ['0.0.0.0', '::', '10.0.0.1']) expect(readConfig({ HOST }).metricsAccess).toBe('nobody');
  const token = readConfig({ METRICS_TOKEN: 'sixteen-letters!' }).metricsAccess;
  expect(reveal(token as Secret)).toBe('sixteen-letters!');
  for (const METRICS_TOKEN of ['fifteen-letters', 'a space in between', 'sixteen-letters\u00e4'])
    expect(() => readConfig({ METRICS_TOKEN })).toThrow('METRICS_TOKEN must be 16 or more');
});

describe('OpenID', () => {
  const SET = {
    OPENID_ISSUER: 'https://login.example.com/tenant',
    OPENID_CLIENT_ID: 'emboss',
    OPENID_CLIENT_SECRET: 'secret-of-the-test',
  };
  test('is off by default, and takes its roles in the order that they are in', () => {
    expect(readConfig({}).openId).toBeUndefined();
    expect(readConfig(SET).openId).toMatchObject({
      ...{ issuer: SET.OPENID_ISSUER, name: 'login.example.com', rolesClaim: 'roles', grants: undefined },
    });
    const program = '01a1f371-a78f-7000-8001-6c507bdc3e98';
    const OPENID_ROLES = JSON.stringify({ b: { role: 'support', program }, a: { role: 'admin' } });
    expect([...(readConfig({ ...SET, OPENID_ROLES }).openId?.grants ?? [])]).toEqual([
      ['b', { role: 'support', programId: program }],
      ['a', { role: 'admin', programId: null }],
    ]);
    expect(inspect(readConfig(SET))).not.toContain(SET.OPENID_CLIENT_SECRET);
  });

  test.each([
    [
      { OPENID_CLIENT_SECRET: '' },
      'OPENID_ISSUER, OPENID_CLIENT_ID and OPENID_CLIENT_SECRET must be set together',
    ],
    [{ OPENID_ISSUER: 'http://login.example.com' }, 'OPENID_ISSUER must be an https URL'],
    [{ OPENID_ISSUER: 'https://login.example.com?a=b' }, 'OPENID_ISSUER must be an https URL'],
    [{ OPENID_ROLES: 'admins' }, 'OPENID_ROLES must be JSON'],
    [{ OPENID_ROLES: '{}' }, 'OPENID_ROLES must be JSON'],
    [{ OPENID_ROLES: '[]' }, 'OPENID_ROLES must be JSON'],
    [{ OPENID_ROLES: '{"a":{"role":"king"}}' }, 'OPENID_ROLES must be JSON'],
    [{ OPENID_ROLES: '{"a":{"role":"admin","program":"Acme"}}' }, 'OPENID_ROLES must be JSON'],
    [{ OPENID_ROLES: '{"a":{"role":"admin","programm":"x"}}' }, 'OPENID_ROLES must be JSON'],
  ])('%j is refused', (change, message) => {
    expect(() => readConfig({ ...SET, ...change })).toThrow(message);
  });
});

describe('API processes', () => {
  test('are one by default, and one per core less one with `auto`', () => {
    expect(readConfig({}).processes).toBe(1);
    expect(readConfig({ PROCESSES: '64' }).processes).toBe(64);
    const auto = Math.min(64, Math.max(1, availableParallelism() - 1));
    expect(readConfig({ PROCESSES: 'auto' }).processes).toBe(auto);
    expect(readConfig({ PROCESSES: '4', EMBOSS_ROLES: 'worker' }).processes).toBe(1);
    for (const wrong of ['0', '65', '-1', '1.5', '02', 'all', '1e1', ' 2'])
      expect(() => readConfig({ PROCESSES: wrong })).toThrow(
        'PROCESSES must be a whole number from 1 to 64, or auto',
      );
  });

  test('stay with all their pools below the 100 connections of PostgreSQL, up to 19 processes', () => {
    const poolOf = (count: number) => readConfig({ PROCESSES: String(count) }).databasePoolSize;
    expect([1, 2, 3, 4, 7, 19, 64].map(poolOf)).toEqual([20, 20, 20, 16, 10, 4, 4]);
    for (let count = 2; count < 20; count++) expect(poolOf(count) * (count + 1)).toBeLessThanOrEqual(80);
    expect(readConfig({ PROCESSES: '4', DATABASE_POOL_SIZE: '30' }).databasePoolSize).toBe(30);
  });

  test('share the limits that protect secrets and the machine, rounded up; request rates are per process', () => {
    const config = readConfig({ PROCESSES: '4', READS_AT_ONCE_PER_PROGRAM: '0', MAX_CONNECTIONS: '10' });
    expect(settingsOfOne(config)).toEqual({
      ...config,
      maxConnections: 3,
      mostMistakes: 8,
      readsAtOnce: 0,
      limits: {
        ...config.limits,
        wrong_keys: 8,
        wrong_passwords: 8,
        key_reveals: 150,
        program_reveals: 300,
        operator_reveals: 8,
      },
    });
  });
});

describe('report files', () => {
  test('are under DATA_DIR for 30 days by default', () => {
    const { reportStorage, reportRetentionDays } = readConfig({ DATA_DIR: '/var/lib/emboss' });
    expect(reportStorage).toEqual({ kind: 'disk', directory: '/var/lib/emboss/reports' });
    expect(reportRetentionDays).toBe(30);
    expect(readConfig({ REPORT_RETENTION_DAYS: '1' }).reportRetentionDays).toBe(1);
  });

  test('can be in a bucket, and its keys are never printed', () => {
    const { reportStorage } = readConfig({ ...S3, S3_REGION: 'eu-central-1', S3_PATH_STYLE: 'false' });
    if (reportStorage.kind !== 's3') throw new Error('not S3');
    const { accessKeyId, secretAccessKey, ...rest } = reportStorage;
    expect(rest).toEqual({
      kind: 's3',
      endpoint: 'https://s3.eu-central-1.amazonaws.com/',
      region: 'eu-central-1',
      bucket: 'acme-reports',
      pathStyle: false,
    });
    expect([reveal(accessKeyId), reveal(secretAccessKey)]).toEqual(['AKIDEXAMPLE', 'secret-of-the-test']);
    const printed = inspect(reportStorage) + JSON.stringify(reportStorage);
    expect(printed).not.toMatch(/AKIDEXAMPLE|secret-of-the-test/);
    expect(readConfig(S3).reportStorage).toMatchObject({ region: 'us-east-1', pathStyle: true });
  });

  test.each<[string, Record<string, string>, string]>([
    ['another storage', { REPORT_STORAGE: 'tape' }, 'REPORT_STORAGE must be disk or s3'],
    [
      'no days',
      { REPORT_RETENTION_DAYS: '0' },
      'REPORT_RETENTION_DAYS must be a whole number from 1 to 3650',
    ],
    ['no endpoint', { S3_ENDPOINT: '' }, 'S3_ENDPOINT must be set with REPORT_STORAGE=s3'],
    ['no bucket', { S3_BUCKET: '' }, 'S3_BUCKET must be set'],
    ['no key', { S3_ACCESS_KEY_ID: '' }, 'S3_ACCESS_KEY_ID must be set'],
    ['no secret', { S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY must be set'],
    ['a bucket that is a path', { S3_BUCKET: 'a/b' }, 'S3_BUCKET must be 3 to 63'],
    ['a region that is none', { S3_REGION: 'eu central' }, 'S3_REGION must be the name of a region'],
    ['clear text', { S3_ENDPOINT: 'http://minio:9000' }, 'S3_ENDPOINT must be an https URL'],
    ['no address', { S3_ENDPOINT: 'minio' }, 'S3_ENDPOINT must be an https URL'],
    ['a query', { S3_ENDPOINT: 'https://s3.example/?x=1' }, 'S3_ENDPOINT must be an https URL'],
    ['a password', { S3_ENDPOINT: 'https://a:b@s3.example/' }, 'S3_ENDPOINT must be an https URL'],
    ['a style that is none', { S3_PATH_STYLE: 'yes' }, 'S3_PATH_STYLE must be true or false'],
  ])('are refused %s', (_what, change, words) => {
    expect(() => readConfig({ ...S3, ...change })).toThrow(words);
  });

  test.each([
    'http://localhost:9000',
    'http://127.0.0.1:9000',
    'http://[::1]:9000',
    'https://storage.example/s3',
  ])('can be stored in %s', (endpoint) => {
    expect(readConfig({ ...S3, S3_ENDPOINT: endpoint }).reportStorage.kind).toBe('s3');
  });
});

describe('a secret in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-secrets-'));
  const file = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  };
  afterAll(() => rmSync(directory, { recursive: true }));

  test('is read without the trailing line break', () => {
    const key = randomBytes(32).toString('base64');
    const config = readConfig({
      DATABASE_URL_FILE: file('url', 'postgres://emboss:p@db/emboss\n'),
      EMBOSS_MASTER_KEY_FILE: file('key', `${key}\n`),
    });
    expect(config.databaseUrl && reveal(config.databaseUrl)).toBe('postgres://emboss:p@db/emboss');
    expect(config.masterKey && reveal(config.masterKey)).toBe(key);
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'given twice',
      { EMBOSS_MASTER_KEY: 'x', EMBOSS_MASTER_KEY_FILE: '/none' },
      'EMBOSS_MASTER_KEY must not be set together with',
    ],
    [
      'not there',
      { EMBOSS_MASTER_KEY_FILE: '/none' },
      'EMBOSS_MASTER_KEY_FILE names a file that cannot be read (ENOENT)',
    ],
    ['empty', { EMBOSS_MASTER_KEY_FILE: '/dev/null' }, 'EMBOSS_MASTER_KEY_FILE names a file that is empty'],
  ])('is refused when it is %s', (_what, env, words) => {
    expect(() => readConfig(env)).toThrow(words);
  });

  test('is refused with the same message as a variable', () => {
    expect(() => readConfig({ EMBOSS_MASTER_KEY_FILE: file('short', 'short') })).toThrow(
      'EMBOSS_MASTER_KEY must be 32 bytes in base64',
    );
  });
});

describe('the master key', () => {
  const base64 = (bytes: Buffer): string => bytes.toString('base64');

  test.each<[string, Buffer]>([
    ['zeros', Buffer.alloc(32)],
    ['one byte repeated', Buffer.alloc(32, 0xa7)],
    ['eight random bytes, four times', Buffer.concat(Array<Buffer>(4).fill(randomBytes(8)))],
    ['a counter', Buffer.from(Array.from({ length: 32 }, (_, index) => index))],
    ['a counter in steps of 37', Buffer.from(Array.from({ length: 32 }, (_, index) => index * 37))],
    ['a sentence', Buffer.from('correct horse battery staple 123')],
    ['hexadecimal digits', Buffer.from(randomBytes(16).toString('hex'))],
  ])('is refused when it is %s', (_what, bytes) => {
    expect(() => readConfig({ EMBOSS_MASTER_KEY: base64(bytes) })).toThrow(
      'EMBOSS_MASTER_KEY must be 32 random bytes, not text or a pattern',
    );
  });

  test('is accepted if it is random, and a weak one can still be replaced', () => {
    for (let round = 0; round < 1_000; round++) readConfig({ EMBOSS_MASTER_KEY: base64(randomBytes(32)) });
    const env = {
      EMBOSS_MASTER_KEY: base64(randomBytes(32)),
      EMBOSS_MASTER_KEY_PREVIOUS: base64(Buffer.alloc(32)),
    };
    expect(readConfig(env).previousMasterKey).toBeDefined();
  });
});

describe('webhooks of sandbox programs', () => {
  const loopbackWith = (env: Record<string, string>) => readConfig(env).webhookAddresses.loopback;

  test('go to loopback while the server listens there; responses are shown only while PUBLIC_URL is loopback', () => {
    expect(loopbackWith({})).toBe('shown');
    for (const HOST of ['localhost', '::1', '127.0.0.2']) expect(loopbackWith({ HOST })).toBe('shown');
    expect(loopbackWith({ PUBLIC_URL: 'https://cards.example.com' })).toBe('silent');
    for (const HOST of ['0.0.0.0', '::', '10.0.0.1', '127.example.com'])
      expect(loopbackWith({ HOST, PUBLIC_URL: 'http://localhost:8080' })).toBe('refused');
  });

  test('go to private addresses only if they are listed', () => {
    expect(readConfig({}).webhookAddresses.privateRanges).toEqual([]);
    const { privateRanges } = readConfig({
      WEBHOOK_PRIVATE_ADDRESSES: '10.20.0.0/16, fd12::/16,192.168.1.7',
    }).webhookAddresses;
    expect(privateRanges).toEqual(['10.20.0.0/16', 'fd12::/16', '192.168.1.7']);
    for (const wrong of ['*', '0.0.0.0/0', 'loopback', 'host.internal', '10.0.0.0/33', '10.0.0.0-10.0.0.9'])
      expect(() => readConfig({ WEBHOOK_PRIVATE_ADDRESSES: wrong })).toThrow(
        'WEBHOOK_PRIVATE_ADDRESSES must be addresses or ranges such as 10.20.0.0/16',
      );
  });

  test('are off together with their programs', () => {
    expect([readConfig({}).sandboxPrograms, readConfig({ SANDBOX_PROGRAMS: 'off' }).sandboxPrograms]).toEqual(
      [true, false],
    );
    expect(() => readConfig({ SANDBOX_PROGRAMS: 'false' })).toThrow('SANDBOX_PROGRAMS must be on or off');
  });
});

describe('limits', () => {
  test('are high for requests, low for guesses, and off for the network by default', () => {
    expect(readConfig({})).toMatchObject({
      trustProxy: [],
      maxConnections: 10_000,
      mostMistakes: 30,
      limits: {
        merchant_requests: 60_000,
        network_requests: 0,
        wrong_keys: 30,
        wrong_passwords: 30,
        key_reveals: 600,
        program_reveals: 1_200,
        operator_reveals: 30,
      },
    });
    expect(readConfig({ NETWORK_REQUESTS_PER_MINUTE: '5' }).limits.network_requests).toBe(5);
    expect(() => readConfig({ WRONG_KEYS_PER_MINUTE: '-1' })).toThrow('WRONG_KEYS_PER_MINUTE must be');
  });

  test('apply to each client behind the listed proxies; TRUST_PROXY refuses a range of all addresses', () => {
    const { trustProxy } = readConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.1' });
    expect(trustProxy).toEqual(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.1']);
    for (const wrong of ['true', '0.0.0.0/0', '10.0.0.0/x', 'proxy.example', '1', '10.0.0.0/64', '*'])
      expect(() => readConfig({ TRUST_PROXY: wrong })).toThrow('TRUST_PROXY must be addresses or ranges');
  });
});
