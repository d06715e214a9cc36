import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../../src/kernel/ids.ts';
import { reveal } from '../../../src/kernel/secret.ts';
import { createSender } from '../../../src/outbound/send-request.ts';
import { newSecret, signatureHeaders } from '../../../src/outbound/sign.ts';
import { ROOT } from '../../support/scripts/sources.ts';
import { LOCAL_ADDRESSES } from '../../support/webhooks/addresses.ts';
import { answerWith, startReceiver } from '../../support/webhooks/receiver.ts';

/** The example that we give to receivers, as it stands, against our own sender. */
const key = newSecret();
const sender = createSender(LOCAL_ADDRESSES);
let receiver: ChildProcess;
let reportsDir: string;
let url: string;
let printed = '';

beforeAll(async () => {
  reportsDir = await mkdtemp(join(tmpdir(), 'emboss-receiver-'));
  receiver = spawn(process.execPath, [join(ROOT, 'examples/webhook-receiver/receiver.mjs')], {
    env: { WEBHOOK_SECRET: reveal(key), PORT: '0', REPORTS_DIR: reportsDir, ORDER_WAIT_MS: '300' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await vi.waitFor(() => expect(printed).toContain('listening on '), { timeout: 60_000 });
  url = /http:\S+/.exec(printed)?.[0] ?? '';
});
afterAll(async () => {
  sender.closeAgents();
  receiver.kill();
  await once(receiver, 'exit');
  await rm(reportsDir, { recursive: true });
});
beforeEach(() => {
  printed = '';
});

interface Event {
  eventId: string;
  eventType: string;
  eventName: string;
  data: Record<string, unknown>;
}
const eventOf = (eventType: string, eventName: string, data: Record<string, unknown>): Event => ({
  eventId: newId(Date.now()),
  eventType,
  eventName,
  data,
});

async function deliver(event: Event, signedBy = key): Promise<unknown> {
  const body = JSON.stringify({ ...event, created: '2026-11-15T08:30:00+0000' });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signatureHeaders({ id: event.eventId, timestamp, body, secrets: [newSecret(), signedBy] });
  const result = await sender.sendRequest({ url, headers, body, reach: 'sandbox', timeoutMs: 5_000 });
  return 'error' in result ? result.error : result.statusCode;
}
const lines = (): string[] => printed.split('\n').filter((line) => line !== '');

test('the events of a card are processed in order, each once', async () => {
  const event = (sequence: number) =>
    sequence === 1
      ? eventOf('card', 'card.created', { cardId: 'c1', sequence })
      : eventOf('transaction', 'authorization', { card_id: 'c1', sequence });
  const [first, second, third, fourth] = [1, 2, 3, 4].map(event) as [Event, Event, Event, Event];
  for (const each of [third, second, second, first, fourth, first]) expect(await deliver(each)).toBe(200);
  await expect.poll(lines).toHaveLength(6);
  expect(lines().filter((line) => line.startsWith('card'))).toEqual([
    'card c1 #1 card.created',
    'card c1 #2 authorization',
    'card c1 #3 authorization',
    'card c1 #4 authorization',
  ]);
  expect(lines().filter((line) => line.startsWith('again'))).toEqual([
    `again ${second.eventId}`,
    `again ${first.eventId}`,
  ]);
});

test('a missing sequence number delays later events for a limited time', async () => {
  const event = (sequence: number) => eventOf('card', 'card.frozen', { cardId: 'c2', sequence });
  for (const sequence of [9, 7]) await deliver(event(sequence));
  await expect.poll(lines).toEqual(['card c2 #7 card.frozen', 'card c2 #9 card.frozen']);
  await deliver(event(8));
  await expect.poll(lines).toHaveLength(3);
  expect(lines().at(-1)).toBe('card c2 #8 card.frozen');
});

test('a request that is not from Emboss is refused', async () => {
  expect(await deliver(eventOf('card', 'card.blocked', { cardId: 'c3', sequence: 1 }), newSecret())).toBe(
    401,
  );
  expect(lines()).toEqual([expect.stringMatching(/^refused: /)]);
});

test('a report is downloaded, with a new link if the first has expired', async () => {
  const csv = 'event_time,balance\r\n2026-11-01,10.00\r\n';
  const files = await startReceiver(answerWith(403), answerWith(200, csv, { 'content-type': 'text/csv' }));
  const event = eventOf('files', 'daily_file', { reference_id: '019a/../r1', link: files.url, expireAt: 1 });
  expect(await deliver(event)).toBe(200);
  await expect.poll(lines).toEqual([expect.stringContaining('not downloaded: status 403')]);
  expect(await deliver(event)).toBe(200);
  await expect.poll(() => readdir(reportsDir)).toEqual(['daily_file-019a_.._r1.csv']);
  await expect.poll(() => readFile(join(reportsDir, 'daily_file-019a_.._r1.csv'), 'utf8')).toBe(csv);
  // Its line comes after the file, and must not come in the next test.
  await expect.poll(lines).toHaveLength(2);
  await files.close();
});

test('a report whose download broke off is not treated as a duplicate when it is sent again', async () => {
  const files = await startReceiver(
    (_request, response) => void response.socket?.destroy(),
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('event_time', () => response.socket?.destroy());
    },
    answerWith(200, 'whole'),
  );
  const event = eventOf('files', 'fee_file', { reference_id: 'r2', link: files.url, expireAt: 1 });
  for (const failures of [1, 2]) {
    await deliver(event);
    await expect.poll(lines).toHaveLength(failures);
    expect(lines().at(-1)).toMatch(new RegExp(`^failed ${event.eventId}: .*; have the event sent again$`));
  }
  await deliver(event);
  await expect.poll(lines).toContain(`report ${join(reportsDir, 'fee_file-r2.csv')}`);
  expect(await readFile(join(reportsDir, 'fee_file-r2.csv'), 'utf8')).toBe('whole');
  await files.close();
});

test('an event of another type is accepted', async () => {
  expect(await deliver(eventOf('test', 'test', {}))).toBe(200);
  await expect.poll(lines).toEqual(['test test']);
});
