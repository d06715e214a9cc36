import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmboss, type Emboss, EmbossError } from '../../sdk/src/index.ts';
import { fileOf, makeReports, PAST_DAY, requestReport } from '../support/reports/reports.ts';
import { appForTests } from '../support/server/test-app.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../support/webhooks/faulty-proxy.ts';

const app = appForTests();
let proxy: FaultyProxy;
let emboss: Emboss;
let referenceId: string;
let csv: string;

/** The links name http://emboss.test, which does not resolve. */
beforeAll(async () => {
  proxy = await startFaultyProxy(app.url);
  emboss = createEmboss({ apiKey: app.key, baseUrl: proxy.url });
  referenceId = await requestReport(app, 'daily', PAST_DAY);
  await makeReports(app);
  csv = await fileOf(app, referenceId);
});
afterAll(() => proxy.close());
beforeEach(() => proxy.plan());

const downloads = () => proxy.seen.filter(({ path }) => path.startsWith('/files/'));
const failureOf = (call: Promise<unknown>): Promise<EmbossError> =>
  call.then(
    () => expect.unreachable('it should have failed'),
    (error) => {
      expect(error).toBeInstanceOf(EmbossError);
      return error;
    },
  );

test('a report is downloaded from baseUrl, not from the server’s own address, and without the key', async () => {
  const report = await emboss.reports.open(referenceId);
  expect(report.fileName).toBe(`emboss-daily-${PAST_DAY}.csv`);
  expect(await report.text()).toBe(csv);
  expect(downloads()).toHaveLength(1);
  expect(JSON.stringify(downloads())).not.toContain(app.key);
});

test('a link to another host is used unchanged, without the key', async () => {
  const requests: Array<[string, string]> = [];
  const stored = createEmboss({
    apiKey: app.key,
    baseUrl: app.url,
    fetch: async (url, init) => {
      requests.push([url as string, JSON.stringify(init?.headers)]);
      if (requests.length > 1)
        return new Response(csv, {
          headers: { 'content-disposition': 'attachment; filename="of-storage.csv"' },
        });
      const link = 'https://storage.example.com/files/key?X-Amz-Signature=abc';
      return Response.json({ reference_id: referenceId, status: 'ready', link, expireAt: 1 });
    },
  });
  expect((await stored.reports.open(referenceId)).fileName).toBe('of-storage.csv');
  expect(requests[1]).toEqual(['https://storage.example.com/files/key?X-Amz-Signature=abc', '{}']);
});

test.each<[string, Fault]>([
  ['a 503', { status: 503, body: '<h1>no</h1>' }],
  ['a cut connection', 'cut'],
])('a download is repeated with a new link after %s', async (_name, fault) => {
  proxy.plan('pass', fault);
  expect(await (await emboss.reports.open(referenceId)).text()).toBe(csv);
  expect(proxy.seen.map(({ path }) => path.split('/')[1])).toEqual(['api', 'files', 'api', 'files']);
});

test('a download that does not begin in time is aborted and repeated', async () => {
  proxy.plan('pass', 'silence');
  const report = await emboss.reports.open(referenceId, { timeoutMs: 1_000 });
  expect(await report.text()).toBe(csv);
  expect(downloads()).toHaveLength(2);
});

test('a download that keeps failing is an EmbossError, after the allowed number of attempts', async () => {
  proxy.plan('pass', 'cut', 'pass', 'cut');
  const gone = await failureOf(emboss.reports.open(referenceId, { maxRetries: 1 }));
  expect(gone).toMatchObject({ status: null, message: 'The server cannot be reached' });
  expect(downloads()).toHaveLength(2);
  const body = '{"code":403,"message":"This link has expired","status":"failed"}';
  proxy.plan('pass', { status: 403, body });
  expect(await failureOf(emboss.reports.open(referenceId))).toMatchObject({
    status: 403,
    message: 'This link has expired',
  });
  expect(downloads()).toHaveLength(1);
});

test.each<[string, () => void, string]>([
  ['is cut', () => proxy.cut(), 'The response broke off'],
  ['stalls', () => undefined, 'No response within 1000 ms'],
])('a stream that %s ends with an EmbossError', async (_name, spoil, message) => {
  const open = () => emboss.reports.open(referenceId, { timeoutMs: 1_000 });
  proxy.plan('pass', 'stall answer');
  const whole = await open();
  spoil();
  expect(await failureOf(whole.text())).toMatchObject({ status: 200, message });
  proxy.plan('pass', 'stall answer');
  const reader = (await open()).stream.getReader();
  await reader.read();
  spoil();
  expect(await failureOf(reader.read())).toMatchObject({ status: 200, message });
});

test('an abort in the middle of a stream throws the caller’s own reason', async () => {
  proxy.plan('pass', 'stall answer');
  const giveUp = new AbortController();
  const reason = new Error('enough');
  const { stream } = await emboss.reports.open(referenceId, { signal: giveUp.signal });
  const reader = stream.getReader();
  await reader.read();
  giveUp.abort(reason);
  await expect(reader.read()).rejects.toBe(reason);
});
