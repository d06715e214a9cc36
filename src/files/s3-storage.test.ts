import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import S3rver from '@20minutes/s3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signatureOf } from '../../test/support/reports/aws-signature.ts';
import { type S3Receiver, startS3Receiver } from '../../test/support/reports/s3-receiver.ts';
import { secret } from '../kernel/secret.ts';
import { openStorage } from './open-storage.ts';
import { presignS3, type S3Settings } from './s3-request.ts';
import type { FileStorage } from './storage.ts';

const CSV = 'text/csv; charset=utf-8';
const MIB = 1024 * 1024;
const KEY = 'p/emboss-daily.csv';
const NAME = 'emboss-daily-2026-11-01.csv';

/** `bytes` bytes in chunks of odd size and different content, never all in memory. */
function* chunks(bytes: number): Generator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const chunk = Buffer.alloc(Math.min(1_000_003, bytes - at), `row ${at};`);
    at += chunk.length;
    yield chunk;
  }
}
const contentOf = (bytes: number) => Buffer.concat([...chunks(bytes)]);
const streamOf = (bytes: number) => Readable.from(chunks(bytes));

async function read(storage: FileStorage, key: string, range?: { start: number; end: number }) {
  const file = await storage.open(key, range);
  return file && { bytes: file.bytes, content: await buffer(file.content) };
}

/** The behaviour that both servers must share. */
function behavesAsStorage(open: () => FileStorage): void {
  test.each([0, 1, 8 * MIB, 8 * MIB + 1, 20 * MIB])('%i bytes are read back unchanged', async (bytes) => {
    const storage = open();
    expect(await storage.save(KEY, streamOf(bytes))).toEqual({ bytes });
    expect(await storage.size(KEY)).toBe(bytes);
    const found = await read(storage, KEY);
    expect(found?.bytes).toBe(bytes);
    expect(found?.content.equals(contentOf(bytes))).toBe(true);
  });

  test('a range returns only its part, with the size of the whole file', async () => {
    const storage = open();
    await storage.save(KEY, Readable.from(['0123', '456789']));
    const found = await read(storage, KEY, { start: 3, end: 6 });
    expect([found?.bytes, String(found?.content)]).toEqual([10, '3456']);
  });

  test('a file is replaced, removed, and removed again', async () => {
    const storage = open();
    await storage.save(KEY, Readable.from(['old']));
    await storage.save(KEY, Readable.from(['new']));
    expect(String((await read(storage, KEY))?.content)).toBe('new');
    await storage.remove(KEY);
    await storage.remove(KEY);
    expect(await storage.open(KEY)).toBeUndefined();
    expect(await storage.size(KEY)).toBeUndefined();
  });

  test('a presigned link serves the file under its file name without a key, and is invalid if altered', async () => {
    const storage = open();
    await storage.save(KEY, Readable.from(['a,b\r\n']));
    const link = (await storage.presign?.(KEY, NAME, 300)) ?? '';
    const answer = await fetch(link);
    expect([answer.status, await answer.text()]).toEqual([200, 'a,b\r\n']);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${NAME}"`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const altered = [
      link.replace('emboss-daily.csv', 'other.csv'),
      link.replace('X-Amz-Expires=300', 'X-Amz-Expires=301'),
      link.replace(NAME, 'other.csv'),
      link.replace('text%2Fcsv', 'text%2Fhtml'),
      link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      `${link}&x=1`,
    ];
    expect(new Set([link, ...altered]).size).toBe(7);
    for (const spoiled of altered) expect([spoiled, (await fetch(spoiled)).status]).toEqual([spoiled, 403]);
  });

  test('content that fails leaves the old file', async () => {
    const storage = open();
    await storage.save(KEY, Readable.from(['old']));
    const failing = Readable.from(
      (async function* () {
        yield* chunks(17 * MIB);
        throw new Error('the database went away');
      })(),
    );
    await expect(storage.save(KEY, failing)).rejects.toThrow('the database went away');
    expect(String((await read(storage, KEY))?.content)).toBe('old');
  });

  test('content that fails immediately is a handled error', async () => {
    const storage = open();
    const broken = new Readable({ read() {} });
    const saving = storage.save('other.csv', broken);
    broken.destroy(new Error('the database was away'));
    await expect(saving).rejects.toThrow('the database was away');
    const spoiled = new Readable({ read() {} });
    spoiled.on('error', () => {}).destroy(new Error('long ago'));
    await expect(storage.save('other.csv', spoiled)).rejects.toThrow('long ago');
    expect(await storage.open('other.csv')).toBeUndefined();
  });

  test('a key that is not well formed is refused', async () => {
    const storage = open();
    await expect(storage.open('../other')).rejects.toThrow('not well formed');
    await expect(storage.size('../other')).rejects.toThrow('not well formed');
    await expect(storage.save('a?b', Readable.from([]))).rejects.toThrow('not well formed');
    await expect(storage.remove('')).rejects.toThrow('not well formed');
    await expect(storage.presign?.('a b', NAME, 300)).rejects.toThrow('not well formed');
  });
}

describe('a real S3-compatible server', () => {
  const directory = mkdtempSync(join(tmpdir(), 'emboss-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'reports' }],
  });
  let settings: S3Settings;
  beforeAll(async () => {
    const { port } = await server.run();
    settings = {
      endpoint: `http://127.0.0.1:${port}/`,
      region: 'eu-central-1',
      bucket: 'reports',
      accessKeyId: secret('S3RVER'),
      secretAccessKey: secret('S3RVER'),
      pathStyle: true,
    };
  });
  afterAll(async () => {
    server.httpServer.closeAllConnections();
    await server.close();
    rmSync(directory, { recursive: true, force: true });
  });

  behavesAsStorage(() => openStorage({ kind: 's3', ...settings }, CSV));

  test('errors name what is wrong with the settings, and contain no secret', async () => {
    const failure = async (change: Partial<S3Settings>) => {
      const storage = openStorage({ kind: 's3', ...settings, ...change }, CSV);
      const error = await storage.save(KEY, Readable.from(['x'])).catch((reason: Error) => reason);
      expect(inspect(error, { depth: 9 })).not.toMatch(/S3RVER|a-wrong-one|AWS4-HMAC/);
      return (error as Error).message;
    };
    expect(await failure({ secretAccessKey: secret('a-wrong-one') })).toBe(
      'S3 storage: PUT failed with 403 SignatureDoesNotMatch: check S3_SECRET_ACCESS_KEY and S3_REGION',
    );
    expect(await failure({ accessKeyId: secret('a-wrong-one') })).toContain('S3_ACCESS_KEY_ID is unknown');
    expect(await failure({ bucket: 'nobodys' })).toContain('NoSuchBucket: S3_BUCKET does not exist');
    const storage = openStorage({ kind: 's3', ...settings, bucket: 'nobodys' }, CSV);
    await expect(storage.open(KEY)).rejects.toThrow('S3_BUCKET does not exist');
  });
});

describe('a server that checks every request', () => {
  const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret/of+the/test', region: 'eu-west-3' };
  let receiver: S3Receiver;
  let storage: FileStorage;
  beforeAll(async () => {
    receiver = await startS3Receiver('reports', keys);
    storage = openStorage(
      {
        kind: 's3',
        endpoint: receiver.url,
        region: keys.region,
        bucket: 'reports',
        accessKeyId: secret(keys.accessKeyId),
        secretAccessKey: secret(keys.secretAccessKey),
        pathStyle: true,
      },
      CSV,
    );
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.objects.clear();
    receiver.uploads.clear();
    receiver.arrivals = [];
    receiver.meddle = undefined;
  });

  behavesAsStorage(() => storage);

  /** Breaks the first `times` requests that begin with `like`. */
  const spoil = (like: string, times: number, how: (response: ServerResponse) => void) => {
    receiver.meddle = (request, response, arrival) => {
      if (!arrival.startsWith(like) || times-- <= 0) return false;
      request.resume();
      how(response);
      return true;
    };
  };
  const error = (status: number, code: string) => (response: ServerResponse) => {
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
  };

  test('small content is one request; larger content is uploaded in parts of 8 MiB', async () => {
    await storage.save(KEY, streamOf(8 * MIB));
    expect(receiver.arrivals).toEqual([`PUT /reports/${KEY}`]);
    expect(receiver.objects.get(KEY)?.contentType).toBe('text/csv; charset=utf-8');
    receiver.arrivals = [];
    await storage.save(KEY, streamOf(17 * MIB));
    expect(receiver.arrivals).toEqual([
      `POST /reports/${KEY}?uploads`,
      ...[1, 2, 3].map((number) => `PUT /reports/${KEY}?partNumber=${number}`),
      `POST /reports/${KEY}?uploadId`,
    ]);
  });

  test.each<[string, string, (response: ServerResponse) => void]>([
    ['a part that meets an overload', `PUT /reports/${KEY}?partNumber=2`, error(503, 'SlowDown')],
    ['a part whose line is cut', `PUT /reports/${KEY}?partNumber=1`, (response) => response.destroy()],
    ['a beginning that fails', `POST /reports/${KEY}?uploads`, error(500, 'InternalError')],
    ['an end that fails', `POST /reports/${KEY}?uploadId`, error(500, 'InternalError')],
  ])('%s is retried', async (_what, like, how) => {
    spoil(like, 2, how);
    await storage.save(KEY, streamOf(17 * MIB));
    expect(receiver.objects.get(KEY)?.content.equals(contentOf(17 * MIB))).toBe(true);
    expect(receiver.uploads.size).toBe(0);
  });

  test.each<[string, string, (response: ServerResponse) => void, string]>([
    ['refused part', `PUT /reports/${KEY}?partNumber=2`, error(403, 'AccessDenied'), '403 AccessDenied'],
    [
      'part that never arrives',
      `PUT /reports/${KEY}?partNumber=2`,
      (response) => response.destroy(),
      'PUT failed (',
    ],
    [
      'failure in a response with status 200',
      `POST /reports/${KEY}?uploadId`,
      error(200, 'InternalError'),
      'the multipart upload could not be completed',
    ],
    [
      'part without a tag',
      `PUT /reports/${KEY}?partNumber=1`,
      (response) => void response.end(),
      'no ETag was returned for a part',
    ],
  ])('a %s leaves no incomplete file', async (_what, like, how, words) => {
    await storage.save(KEY, Readable.from(['old']));
    spoil(like, 9, how);
    await expect(storage.save(KEY, streamOf(17 * MIB))).rejects.toThrow(words);
    expect(receiver.uploads.size).toBe(0);
    expect(String(receiver.objects.get(KEY)?.content)).toBe('old');
  });

  test('content that fails in the middle aborts its upload', async () => {
    const failing = Readable.from(
      (async function* () {
        yield* chunks(9 * MIB);
        throw new Error('the database went away');
      })(),
    );
    await expect(storage.save(KEY, failing)).rejects.toThrow('the database went away');
    expect(receiver.arrivals.at(-1)).toBe(`DELETE /reports/${KEY}?uploadId`);
    expect([receiver.uploads.size, receiver.objects.size]).toEqual([0, 0]);
  });

  test('a failed abort does not hide the original error', async () => {
    receiver.meddle = (request, response, arrival) => {
      if (!/^DELETE|partNumber=2/.test(arrival)) return false;
      request.resume();
      error(403, arrival.startsWith('DELETE') ? 'AccessDenied' : 'QuotaExceeded')(response);
      return true;
    };
    await expect(storage.save(KEY, streamOf(17 * MIB))).rejects.toThrow('QuotaExceeded');
  });

  test('an error contains nothing of the request', async () => {
    receiver.meddle = (request) => {
      request.headers.authorization = 'altered';
      return false;
    };
    const reason = await storage.remove(KEY).catch((cause: Error) => cause);
    expect(inspect(reason, { depth: 9 })).not.toMatch(/AKIDEXAMPLE|secret\/of|Signature=/);
    expect((reason as Error).message).toBe(
      'S3 storage: DELETE failed with 403 AccessDenied: the access key has no permission for this in S3_BUCKET',
    );
  });

  test('a file whose size is forbidden to read is not treated as missing', async () => {
    spoil('HEAD', 1, (response) => response.writeHead(403).end());
    await expect(storage.size(KEY)).rejects.toThrow('HEAD failed with 403');
  });

  test('a redirect is not followed', async () => {
    spoil('GET', 1, (response) => response.writeHead(307, { location: `${receiver.url}/elsewhere/x` }).end());
    await expect(storage.open(KEY)).rejects.toThrow('GET failed with 307');
    expect(receiver.arrivals).toEqual([`GET /reports/${KEY}`]);
  });

  test('a truncated file is an error of its stream', async () => {
    await storage.save(KEY, Readable.from(['x'.repeat(1000)]));
    spoil('GET', 1, (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.destroy());
    });
    const file = await storage.open(KEY);
    await expect(text(file?.content as Readable)).rejects.toThrow();
  });
});

describe('Amazon’s published examples', () => {
  const EXAMPLE = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  const settings: S3Settings = {
    endpoint: 'https://s3.amazonaws.com',
    region: 'us-east-1',
    bucket: 'examplebucket',
    accessKeyId: secret('AKIAIOSFODNN7EXAMPLE'),
    secretAccessKey: secret(EXAMPLE),
    pathStyle: false,
  };
  const moment = Date.UTC(2013, 4, 24);

  test('a presigned link', async () => {
    const link = await presignS3(settings, { key: 'test.txt', query: {} }, 86_400, moment);
    expect(new URL(link).host).toBe('examplebucket.s3.amazonaws.com');
    expect(new URL(link).searchParams.get('X-Amz-Signature')).toBe(
      'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });

  test('the test server above uses the same rule', () => {
    const emptyDigest = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    const signature = signatureOf(
      {
        method: 'GET',
        url: '/test.txt',
        headers: {
          host: 'examplebucket.s3.amazonaws.com',
          range: 'bytes=0-9',
          'x-amz-content-sha256': emptyDigest,
          'x-amz-date': '20130524T000000Z',
        },
      },
      {
        signedHeaders: ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'],
        moment: '20130524T000000Z',
        scope: '20130524/us-east-1/s3/aws4_request',
      },
      EXAMPLE,
    );
    expect(signature).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41');
  });

  test('in path style the bucket is part of the path, also if the endpoint has a path', async () => {
    const query = { 'response-content-disposition': 'attachment; filename="a b+c.csv"' };
    const endpoint = 'https://storage.example/s3/';
    const link = await presignS3(
      { ...settings, endpoint, pathStyle: true },
      { key: 'p/r.csv', query },
      300,
      moment,
    );
    expect(link.startsWith('https://storage.example/s3/examplebucket/p/r.csv?')).toBe(true);
    expect(link).toContain('attachment%3B%20filename%3D%22a%20b%2Bc.csv%22');
  });
});
