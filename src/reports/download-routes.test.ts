import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SOON } from '../../test/support/scripts/soon.ts';
import { testDigest } from '../../test/support/server/digest.ts';
import { createDiskStorage } from '../files/disk-storage.ts';
import { mintLink } from '../files/link.ts';
import type { FileStorage } from '../files/storage.ts';
import { documentRoutes } from '../http/openapi.ts';
import { type App, answerUnknown, collectRoutes, createServer } from '../http/server.ts';
import { newId } from '../kernel/ids.ts';
import { NO_METRICS } from '../kernel/metric.ts';
import { CSV_TYPE } from './csv.ts';
import { downloadRoutes } from './download-routes.ts';

const NAME = 'emboss-daily-2026-11-01.csv';
const CONTENT = Buffer.from(`id,amount\r\n${'019a85f2,12.50\r\n'.repeat(20_000)}`);
const digest = testDigest('of a test');

const directory = mkdtempSync(join(tmpdir(), 'emboss-downloads-'));
const disk = createDiskStorage(directory, CSV_TYPE);
let opened: Readable[] = [];
const storage: FileStorage = {
  ...disk,
  open: async (...given) => {
    const file = await disk.open(...given);
    if (file) opened.push(file.content);
    return file;
  },
};
const report = newId(Date.now());
const vanished = newId(Date.now());
const large = newId(Date.now());
const stored = new Map([
  [large, { programId: 'program-1', storageKey: 'p/large.csv', fileName: NAME }],
  [report, { programId: 'program-1', storageKey: 'p/r.csv', fileName: NAME }],
  [vanished, { programId: 'program-1', storageKey: 'p/gone.csv', fileName: NAME }],
]);

let app: App;
let publicUrl = '';
let lines: string[] = [];
const answered = () => lines.filter((line) => line.includes('"answered"')).length;
let downloads: unknown[][] = [];
let brokenAudit = false;

beforeAll(async () => {
  const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  app = await createServer(logger, NO_METRICS, { patience: { connectionTimeout: 2_000 } });
  const routes = collectRoutes(app);
  await documentRoutes(app, { version: 'test', publicUrl: 'http://emboss.test', events: [], requests: [] });
  downloadRoutes(app, {
    storage,
    digest,
    findStored: async (reportId) => stored.get(reportId),
    recordDownload: async (...entry) => {
      if (brokenAudit) throw new Error('the audit cannot be written');
      downloads.push(entry);
    },
  });
  answerUnknown(app, new Map(routes));
  await app.listen({ host: '127.0.0.1', port: 0 });
  publicUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  await storage.save('p/r.csv', Readable.from([CONTENT]));
});
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  downloads = [];
  lines = [];
  opened = [];
});
afterEach(async () => {
  // No request leaves a file open, however it ended.
  await vi.waitFor(() => expect(opened.filter((content) => !content.closed)).toEqual([]), SOON);
});

const linkTo = async (id = report, nowMs = Date.now()) =>
  (await mintLink({ storage, publicUrl, digest }, { id, storageKey: '', fileName: NAME }, () => nowMs)).link;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const LEAVE_WITH_THE_LAST_BYTE = `
  const { hostname, port, pathname, search } = new URL(process.argv[1]);
  const download = (left) => {
    if (left === 0) return;
    const socket = require('node:net').connect(Number(port), hostname, () =>
      socket.write('GET ' + pathname + search + ' HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n'));
    let missing = Infinity;
    socket.on('data', (part) => {
      if (missing === Infinity) {
        const end = part.indexOf('\\r\\n\\r\\n') + 4;
        missing = Number(/content-length: (\\d+)/.exec(part.toString())[1]) + end;
      }
      missing -= part.length;
      if (missing === 0) socket.destroy();
    });
    socket.on('close', () => download(left - 1));
  };
  download(Number(process.argv[2]));`;

/** Uses Node's HTTP client, which sends the path unchanged and does not decompress. */
async function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = new URL(publicUrl);
  return new Promise((answer, fail) => {
    const request = send({ host: '127.0.0.1', port, path: path.replace(publicUrl, ''), method, headers });
    request.on('error', fail);
    request.on('response', (response) => {
      buffer(response).then(
        (body) => answer({ status: response.statusCode ?? 0, headers: response.headers, body }),
        fail,
      );
    });
    request.end();
  });
}

const refusal = ({ status, headers, body }: Answer) => {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(/^req_/);
  const { code, message, status: word } = JSON.parse(body.toString());
  expect([code, word]).toEqual([status, 'failed']);
  return `${status} ${message}`;
};
const DEAD = '403 This link has expired or was altered; request a new one';

describe('a valid link', () => {
  test('serves the file as an attachment, without a key, and is audited', async () => {
    const { status, headers, body } = await get(await linkTo());
    expect(status).toBe(200);
    expect(body.equals(CONTENT)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${NAME}"`,
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'content-length': String(CONTENT.length),
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(downloads).toEqual([
      [{ name: 'link', address: '127.0.0.1', requestId: headers['x-request-id'] }, 'program-1', report],
    ]);
  });

  test('closes the connection and the file if the client stops reading, whatever it sends after the request', async () => {
    // More than the buffers between server and client can hold.
    await storage.save('p/large.csv', Readable.from(Array(100).fill(CONTENT)));
    const { hostname, port, pathname, search } = new URL(await linkTo(large));
    const sockets = ['', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n'].map((odd) => {
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: emboss.test\r\n\r\n${odd}`);
      return socket;
    });
    await vi.waitFor(() => expect(opened).toHaveLength(2), { timeout: 60_000 });
    await vi.waitFor(() => expect(opened.every(({ closed }) => closed)).toBe(true), { timeout: 60_000 });
    expect(opened.some(({ readableEnded }) => readableEnded)).toBe(false);
    for (const socket of sockets) socket.destroy();
  });

  test('can be used repeatedly', async () => {
    const link = await linkTo();
    await Promise.all(Array.from({ length: 5 }, () => get(link)));
    expect(downloads).toHaveLength(5);
  });

  test('serves gzip to a client that accepts it', async () => {
    const { status, headers, body } = await get(await linkTo(), { 'accept-encoding': 'br, gzip' });
    expect([status, headers['content-encoding'], headers.vary]).toEqual([200, 'gzip', 'accept-encoding']);
    expect(headers['content-length']).toBeUndefined();
    expect(body.length).toBeLessThan(CONTENT.length / 10);
    expect(gunzipSync(body).equals(CONTENT)).toBe(true);
  });

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=100000-', 100_000, CONTENT.length - 1],
    ['bytes=-7', CONTENT.length - 7, CONTENT.length - 1],
  ])('serves a part: %s', async (range, start, end) => {
    const { status, headers, body } = await get(await linkTo(), { range, 'accept-encoding': 'gzip' });
    expect(status).toBe(206);
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/${CONTENT.length}`,
      'content-length': String(end - start + 1),
      'content-type': 'text/csv; charset=utf-8',
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.equals(CONTENT.subarray(start, end + 1))).toBe(true);
    expect(downloads).toHaveLength(1);
  });

  test('serves parts that together are the file', async () => {
    const link = await linkTo();
    const parts: Buffer[] = [];
    for (let at = 0; at < CONTENT.length; at += 70_000)
      parts.push((await get(link, { range: `bytes=${at}-${at + 69_999}` })).body);
    expect(Buffer.concat(parts).equals(CONTENT)).toBe(true);
  });

  test('refuses a range beyond the end', async () => {
    const answer = await get(await linkTo(), { range: `bytes=${CONTENT.length}-` });
    expect(refusal(answer)).toBe('416 range: must be within the file');
    expect(answer.headers['content-range']).toBe(`bytes */${CONTENT.length}`);
    expect(downloads).toEqual([]);
  });

  test.each([
    { range: 'bytes=0-1,3-4' },
    { range: 'rows=1-2' },
    { range: 'bytes=0-9', 'if-range': '"anything"' },
  ])('serves the whole file for a range that is not valid: %j', async (headers) => {
    const answer = await get(await linkTo(), headers);
    expect([answer.status, answer.body.length]).toEqual([200, CONTENT.length]);
  });

  test('responds to HEAD with the headers of GET and no body', async () => {
    const link = await linkTo();
    const plain = await get(link, { range: 'bytes=0-9' }, 'HEAD');
    expect([plain.status, plain.body.length, plain.headers['content-length']]).toEqual([
      200,
      0,
      String(CONTENT.length),
    ]);
    expect(plain.headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'text/csv; charset=utf-8',
    });
    const packed = await get(link, { 'accept-encoding': 'gzip' }, 'HEAD');
    expect([packed.status, packed.body.length, packed.headers['content-encoding']]).toEqual([200, 0, 'gzip']);
    expect(packed.headers['content-length']).toBeUndefined();
    expect(downloads).toEqual([]);
    expect((await get(await linkTo(report, Date.now() - 301_000), {}, 'HEAD')).status).toBe(403);
  });

  test('returns 404 if the file or the report no longer exists', async () => {
    expect(refusal(await get(await linkTo(vanished)))).toBe('404 Record not found');
    expect(refusal(await get(await linkTo(newId(Date.now()))))).toBe('404 Record not found');
    expect(downloads).toEqual([]);
  });

  test('sends no byte before the download is audited', async () => {
    brokenAudit = true;
    const answer = await get(await linkTo()).finally(() => {
      brokenAudit = false;
    });
    expect(refusal(answer)).toMatch(/^500 Internal error/);
  });

  test('counts as completed once all bytes are sent, even if the client disconnects with the last byte', async () => {
    const rounds = 100;
    // The client runs in its own process: in this one it would wait for the event loop, and the server could finish
    // first.
    const client = spawn(process.execPath, ['-e', LEAVE_WITH_THE_LAST_BYTE, await linkTo(), String(rounds)]);
    expect(await once(client, 'exit')).toEqual([0, null]);
    const statuses = () => lines.flatMap((line) => /"status":(\d+)/.exec(line)?.[1] ?? []);
    await vi.waitFor(() => expect(statuses()).toHaveLength(rounds), SOON);
    expect(new Set(statuses())).toEqual(new Set(['200']));
  });

  test('closes its file with the connection, also if it waits behind another request or arrives later', async () => {
    const { hostname, port, pathname, search } = new URL(await linkTo());
    const download = `GET ${pathname}${search} HTTP/1.1\r\nhost: emboss.test\r\n\r\n`;
    for (const odd of ['CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', 'what is this\r\n\r\n']) {
      opened = [];
      const socket = connect(Number(port), hostname, () => socket.write(download.repeat(3)));
      await vi.waitFor(() => expect(opened).toHaveLength(3), SOON);
      socket.on('error', () => {}).write(download + odd);
      await new Promise((closed) => socket.resume().once('close', closed));
      await vi.waitFor(() => expect(opened).toHaveLength(4), SOON);
      await vi.waitFor(() => expect(opened.every((content) => content.closed)).toBe(true), SOON);
    }
  });

  test('reads the file only as far as the client reads', async () => {
    const { port } = new URL(publicUrl);
    await storage.save('p/r.csv', Readable.from([Buffer.alloc(30_000_000, 'x')]));
    try {
      for (const encoding of ['identity', 'gzip']) {
        const request = send({
          port,
          path: (await linkTo()).replace(publicUrl, ''),
          headers: { 'accept-encoding': encoding },
        });
        request.end();
        await new Promise<void>((cut) => {
          request.on('response', (response) => response.once('data', () => cut(void request.destroy())));
        });
      }
      expect(opened).toHaveLength(2);
      await vi.waitFor(() => expect(opened.every((content) => content.closed)).toBe(true), SOON);
      expect(opened.every((content) => !content.readableEnded)).toBe(true);
    } finally {
      await storage.save('p/r.csv', Readable.from([CONTENT]));
    }
  });
});

describe('an invalid link', () => {
  test('gets the same error after 5 minutes as an altered link', async () => {
    expect((await get(await linkTo(report, Date.now() - 290_000))).status).toBe(200);
    expect(refusal(await get(await linkTo(report, Date.now() - 300_000)))).toBe(DEAD);
    expect(refusal(await get((await linkTo()).replace(/.$/, '!')))).toBe(DEAD);
  });

  test.each<[string, (link: string) => string]>([
    ['no query', (link) => link.replace(/\?.*/, '')],
    ['no signature', (link) => link.replace(/&signature.*/, '')],
    ['another name', (link) => link.replace('daily', 'monthly')],
    ['another report', (link) => link.replace(report, vanished)],
    ['an encoded name', (link) => link.replace('emboss', '%65mboss')],
    ['an upper-case id', (link) => link.replace(report, report.toUpperCase())],
    ['parameters exchanged', (link) => link.replace(/\?(.*)&(.*)/, '?$2&$1')],
    ['a parameter twice', (link) => `${link}&expires=9999999999`],
    ['a parameter more', (link) => `${link}&a=1`],
    ['a slash after the name', (link) => link.replace('?', '/?')],
    ['a longer life', (link) => link.replace('expires=', 'expires=9')],
  ])('returns no file: %s', async (_what, alter) => {
    const link = await linkTo();
    expect(alter(link)).not.toBe(link);
    expect(refusal(await get(alter(link)))).toBe(DEAD);
    expect(downloads).toEqual([]);
  });

  test('returns no file, however it was altered', async () => {
    const link = (await linkTo()).slice(publicUrl.length);
    const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: link.length }),
        printable,
        fc.nat(1),
        async (at, byte, taken) => {
          const altered = link.slice(0, at) + byte + link.slice(at + taken);
          fc.pre(altered !== link && byte !== '#');
          const answer = await get(altered);
          expect([403, 404]).toContain(answer.status);
          refusal(answer);
        },
      ),
      { numRuns: 60 },
    );
    expect(downloads).toEqual([]);
  });

  test('accepts only GET and HEAD', async () => {
    const answer = await get(await linkTo(), {}, 'POST');
    expect(refusal(answer)).toBe('405 Method not allowed; use GET, HEAD');
    expect(answer.headers.allow).toBe('GET, HEAD');
  });
});

test('the log contains neither a signature nor a file name of a link', async () => {
  const links = [await linkTo(), await linkTo(report, 0), await linkTo(vanished)];
  for (const link of links) for (const method of ['GET', 'HEAD', 'PUT']) await get(link, {}, method);
  brokenAudit = true;
  await get(links[0] as string).finally(() => {
    brokenAudit = false;
  });
  await vi.waitFor(() => expect(answered()).toBe(10), SOON);
  const log = lines.join('');
  expect(log).toContain('/files/:reportId/:fileName');
  for (const link of links) expect(log).not.toContain(link.slice(-20));
  expect(log).not.toContain('signature=');
  expect(log).not.toContain(report);
});

test('the OpenAPI document has the path once, without a key', () => {
  const { paths } = app.swagger() as unknown as {
    paths: Record<
      string,
      Record<string, { security: unknown; responses: Record<string, { content: object }> }>
    >;
  };
  const path = paths['/files/{reportId}/{fileName}'] ?? {};
  expect(Object.keys(path)).toEqual(['get']);
  expect(path['get']?.security).toEqual([]);
  const responses = path['get']?.responses ?? {};
  expect(Object.keys(responses)).toEqual(['200', '206', '403', '404', '416', '500', '503']);
  expect(Object.keys(responses['200']?.content ?? {})).toEqual(['text/csv']);
  expect(Object.keys(responses['403']?.content ?? {})).toEqual(['application/json']);
});
