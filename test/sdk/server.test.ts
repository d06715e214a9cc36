import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CreateCardRequest, createEmboss, type Emboss, utcDay } from '../../sdk/src/index.ts';
import { consumerCard } from '../support/cards/cards.ts';
import { readCsv } from '../support/reports/csv.ts';
import {
  endAll,
  freePort,
  MERCHANT_KEY,
  newDataDir,
  type ServerProcess,
  startServerProcess,
} from '../support/server/server-process.ts';

/** The real server as a process: it dies, and it makes reports. */
let dataDir: string;
let port: number;
let server: ServerProcess;
let emboss: Emboss;

const start = () => startServerProcess(port, { DATA_DIR: dataDir, LOG_LEVEL: 'warn' });

beforeAll(async () => {
  dataDir = newDataDir();
  port = await freePort();
  server = await start();
  emboss = createEmboss({ apiKey: MERCHANT_KEY, baseUrl: server.url, maxRetries: 12 });
});
afterAll(endAll);

const order = (place: number): CreateCardRequest =>
  consumerCard({
    meta: { id: `order-${place}`, otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } },
  }) as CreateCardRequest;

test('with a server that is killed, each card is created once, and every call succeeds', async () => {
  const orders = Array.from({ length: 60 }, (_, place) => place);
  let done = 0;
  const calls = orders.map(async (place) => {
    const card = await emboss.cards.create(order(place));
    done += 1;
    return card.externalCustomerId;
  });
  await expect.poll(() => done, { interval: 1, timeout: 30_000 }).toBeGreaterThan(0);
  await server.kill('SIGKILL');
  expect(done).toBeLessThan(orders.length);
  server = await start();
  const made = await Promise.all(calls);
  expect(made).toEqual(orders.map((place) => `order-${place}`));
  const kept: string[] = [];
  for await (const card of emboss.cards.list()) kept.push(card.externalCustomerId);
  expect(kept.sort()).toEqual([...made].sort());
});

test('a report is requested, awaited and read as a stream', async () => {
  const [card] = (await emboss.cards.list().page()).results;
  const { approved } = await emboss.sandbox.authorize({ card_id: card?.id ?? '', amount: '12.50' });
  expect(approved).toBe(true);
  const today = utcDay(new Date());
  await emboss.sandbox.moveClock({ advance_seconds: 3 * 86_400 });
  const { referenceId, fileName, stream } = await emboss.reports.download('daily', today);
  expect(fileName).toBe(`emboss-daily-${today}.csv`);
  let csv = '';
  for await (const text of stream.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>)
    csv += text;
  expect(readCsv(csv).rows.map((row) => row['event'])).toContain('authorization');
  expect(await (await emboss.reports.open(referenceId)).text()).toBe(csv);
});
