import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { payingCard } from '../../test/support/cards/network.ts';
import { follow, swipe } from '../../test/support/cards/swipe.ts';
import { startDatabaseProxy } from '../../test/support/database/database-proxy.ts';
import { makeReports, PAST_DAY, requestReport } from '../../test/support/reports/reports.ts';
import { ROOT } from '../../test/support/scripts/sources.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { type Listener, listenersForTests } from '../../test/support/server/listener.ts';
import { startTestApp, type TestApp } from '../../test/support/server/test-app.ts';
import { type Receiver, startReceiver } from '../../test/support/webhooks/webhook-receiver.ts';
import { EVENTS, verifies } from '../../test/support/webhooks/webhooks.ts';

const masterKey = randomBytes(32).toString('base64');
/** The data directory of the server, where the command finds its files. */
const dataDir = mkdtempSync(join(tmpdir(), 'emboss-listen-'));
const SOON = { timeout: 60_000 };

let app: TestApp;
let receiver: Receiver;
let status = 200;

beforeAll(async () => {
  app = await startTestApp({ masterKey });
  symlinkSync(app.filesDir, join(dataDir, 'reports'));
  receiver = await startReceiver((_got, response) => response.writeHead(status).end('thanks'));
});
afterAll(async () => {
  await Promise.all([app.close(), receiver.close()]);
  rmSync(dataDir, { recursive: true });
});

const start = listenersForTests();
const envOf = (databaseUrl = app.databaseUrl) => ({
  DATABASE_URL: databaseUrl,
  EMBOSS_MASTER_KEY: masterKey,
  DATA_DIR: dataDir,
});
const listen = (args: string[] = [], databaseUrl?: string): Promise<Listener> =>
  start(envOf(databaseUrl), args.includes('listen') ? args : ['listen', ...args]);
const until = (listener: Listener, count: number) =>
  vi.waitFor(() => expect(listener.lines().length).toBeGreaterThanOrEqual(count), SOON);

describe('emboss listen', () => {
  test('prints one line per event from now on: time, event, card, amount, decline reason', async () => {
    await createCard(app);
    const listener = await listen();
    const { id, lastFour } = await createCard(app);
    const { transaction_id } = await swipe(app, id, '12.50', { merchant: { name: 'Corner Coffee' } });
    await swipe(app, id, '9999.00', { merchant: { name: 'Grand Pianos' } });
    await follow(app, 'clearings', { transaction_id, amount: '14.00' });
    await app.call('PUT', `/api/v1/merchant/cards/${id}/block/`, { body: { reason: 'stolen' } });
    await until(listener, 7);
    const [greeting, day, ...lines] = listener.lines();
    expect(greeting).toBe('Listening to Test. Press Ctrl-C to stop.');
    expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
      ` card.created            •••• ${lastFour}  ACTIVE`,
      ` authorization           •••• ${lastFour}       12.50 EUR  Corner Coffee`,
      expect.stringMatching(
        new RegExp(
          `^ authorization.declined {2}•••• ${lastFour} {5}9999.00 EUR {2}Grand Pianos {2}insufficient_funds: \\w.*\\.$`,
        ),
      ),
      ` authorization.clearing  •••• ${lastFour}       14.00 EUR  Corner Coffee`,
      ` card.blocked            •••• ${lastFour}  BLOCKED: stolen`,
    ]);
    const { code } = await listener.end();
    expect(code).toBe(0);
    expect(listener.errors()).toBe('5 events\n');
  });

  test('names what an advice, a flag, a link and a number without a card are', async () => {
    const card = await payingCard(app);
    const listener = await listen();
    const id = await card.hold('10.00', { stand_in: { approved: true } });
    await card.clear(id, '13.00');
    const unmatched = `${app.program.bin}${'0'.repeat(16 - app.program.bin.length)}`;
    await card.refund('2.00', { card_number: unmatched });
    await card.refund('4.00', { external_transaction_id: 'net-late', card_number: card.number });
    await card.hold('4.00', { external_transaction_id: 'net-late' });
    await until(listener, 8);
    const lines = listener.lines().map((line) => line.replace(/ +/g, ' ').replace(/^.*?(?= [a-z])/, ''));
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^ authorization •••• \d{4} 10.00 EUR Corner Coffee advice$/),
      expect.stringMatching(/^ authorization.clearing •••• \d{4} 13.00 EUR Corner Coffee over_hold$/),
      ' settlement.unmatched 2.00 EUR refund of a number without a card',
      expect.stringMatching(/^ refund •••• \d{4} 4.00 EUR$/),
      expect.stringMatching(/^ authorization •••• \d{4} 4.00 EUR Corner Coffee$/),
      expect.stringMatching(/^ transaction.updated •••• \d{4} changed: parent_transaction_id$/),
    ]);
    expect((await listener.end()).code).toBe(0);
  });

  test('--json prints one document per line, as a webhook receiver gets it', async () => {
    const listener = await listen([
      '--json',
      'listen',
      '--events',
      'card.frozen,card.blocked',
      'transaction',
    ]);
    const { id } = await createCard(app);
    for (const freeze of [true, false])
      await app.call('PUT', `/api/v1/merchant/cards/${id}/freeze/`, { body: { freeze } });
    await swipe(app, id, '1.00');
    await until(listener, 3);
    const [greeting, ...events] = listener.lines().map((line) => JSON.parse(line));
    const test = { programId: app.program.id, programName: 'Test' };
    expect(greeting).toEqual({ listening: { programs: [test] } });
    const { body } = await app.call('GET', `${EVENTS}?page_size=4`);
    const listed = body.results
      .map(({ deliveries: _deliveries, ...event }: Record<string, unknown>) => event)
      .reverse();
    expect(events).toEqual(
      listed.filter((event: { eventName: string }) => !/created|unfrozen/.test(event.eventName)),
    );
    expect((await listener.end()).code).toBe(0);
  });

  test('--forward sends each event, signed with the printed secret, and prints the response', async () => {
    receiver.received.length = 0;
    const listener = await listen(['--forward', receiver.url]);
    const [, heading = ''] = listener.lines();
    const secret = /whsec_\S+/.exec(heading)?.[0] ?? '';
    const { id } = await createCard(app);
    await receiver.until(1);
    status = 500;
    await swipe(app, id, '1.00');
    await receiver.until(2);
    await until(listener, 7);
    status = 200;
    const referenceId = await requestReport(app, 'daily', PAST_DAY);
    await makeReports(app);
    await until(listener, 9);
    expect(receiver.received.map(({ body }) => body.eventName)).toEqual([
      'card.created',
      'authorization',
      'daily_file',
    ]);
    expect(receiver.received.every((got) => verifies(got, secret))).toBe(true);
    expect(receiver.received[2]?.body.data).toMatchObject({
      reference_id: referenceId,
      link: expect.stringContaining('/files/'),
    });
    const answers = listener
      .lines()
      .slice(3)
      .filter((line) => line.startsWith(' '))
      .map((line) => line.trim());
    expect(answers).toEqual([
      expect.stringMatching(/^card\.created +•••• \d{4} {2}→ 200 in \d+ ms$/),
      expect.stringMatching(/^authorization +•••• \d{4} {2}→ 500 in \d+ ms$/),
      expect.stringMatching(/^daily_file +→ 200 in \d+ ms$/),
    ]);
    const again = await listen(['--forward', receiver.url]);
    expect(again.lines()[1]).toContain(secret);
  });

  test('prints that a receiver cannot be reached, and continues with the next event', async () => {
    const listener = await listen(['--forward', 'http://127.0.0.1:9/']);
    await createCard(app);
    await createCard(app);
    await until(listener, 7);
    const answers = listener.lines().filter((line) => line.includes('→'));
    expect(answers).toHaveLength(2);
    for (const line of answers) expect(line).toMatch(/→ connection refused \(\d+ ms\)$/);
  });

  test('a slow receiver does not delay the output, and gets all events in order', async () => {
    const held: Array<() => void> = [];
    const slow = await startReceiver((_got, response) => {
      held.push(() => response.end());
    });
    const listener = await listen(['--json', 'listen', '--forward', slow.url]);
    const { id } = await createCard(app);
    await swipe(app, id, '1.00');
    await until(listener, 3);
    const parsed = () => listener.lines().map((line) => JSON.parse(line));
    const [, created, authorized] = parsed();
    expect([created.eventName, authorized.eventName]).toEqual(['card.created', 'authorization']);
    await slow.until(1);
    held[0]?.();
    await slow.until(2);
    held[1]?.();
    await until(listener, 5);
    expect(parsed().slice(3)).toEqual(
      [created, authorized].map(({ eventId }) => ({
        eventId,
        forwarded: { statusCode: 200, answerStart: '', durationMs: expect.any(Number) },
      })),
    );
    await listener.end();
    await slow.close();
  });

  test('ends when its output is closed', async () => {
    const command = `'${process.execPath}' '${join(ROOT, 'bin/emboss.mjs')}' listen --json | (head -1; exec 0<&-; echo closed); echo "\${PIPESTATUS[0]}"`;
    const shell = spawn('bash', ['-c', command], {
      env: { PATH: process.env['PATH'], ...envOf() },
    });
    let out = '';
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    await vi.waitFor(() => expect(out).toContain('closed'), SOON);
    await createCard(app);
    await once(shell, 'close');
    expect(out.trim().split('\n').at(-1)).toBe('0');
  });

  test('creates no endpoint and no delivery', async () => {
    const rows = await app.sql(
      'select (select count(*) from webhook_endpoints) + (select count(*) from webhook_deliveries) as made',
    );
    expect(rows).toEqual([{ made: '0' }]);
  });

  test('without --program shows the events of all programs with their names, also of new programs', async () => {
    const env = envOf();
    const listener = await listen(['--events', 'card']);
    const make = ['program', 'create', '--name', 'Another', '--currency', 'EUR', '--json'];
    const { id } = (await runCli(env, make)).json;
    await runCli(env, ['design', 'add', 'plain', '--name', 'Plain', '--program', id]);
    const { key } = (await runCli(env, ['key', 'create', '--program', id, '--json'])).json;
    const all = await listen(['--events', 'card,files']);
    expect(all.lines()[0]).toBe('Listening to Test, Another. Press Ctrl-C to stop.');
    await createCard(app, {}, key);
    await until(all, 3);
    await createCard(app);
    await until(all, 4);
    expect(all.lines().slice(2)).toEqual([
      expect.stringMatching(/^\S+ {2}Another {2}card\.created /),
      expect.stringMatching(/^\S+ {2}Test {5}card\.created /),
    ]);
    await until(listener, 4);
    // In one round the programs are read one after the other.
    expect(listener.lines().slice(2).join('\n')).toContain('Another');
    const one = await listen(['--program', 'Test']);
    expect(one.lines()[0]).toBe('Listening to Test. Press Ctrl-C to stop.');
  });

  test('continues after the database was unavailable, with the events that happened meanwhile', async () => {
    const proxy = await startDatabaseProxy(app.databaseUrl);
    const listener = await listen(['--events', 'card'], proxy.url);
    await proxy.refuse();
    const { lastFour } = await createCard(app);
    await vi.waitFor(
      () => expect(listener.errors()).toContain('the database is unavailable; waiting for it'),
      SOON,
    );
    await proxy.restore();
    await until(listener, 3);
    expect(listener.lines()[2]).toContain(`card.created            •••• ${lastFour}`);
    await listener.end();
    expect(listener.lines()).toHaveLength(3);
    await proxy.close();
  });

  test.each([
    [['--forward', 'localhost:3000'], 'must be a URL such as http://localhost:3000/hooks'],
    [
      ['--events', 'weather'],
      'Allowed choices are card, transaction, files, settlement, account, security, decision, rule, card_batch, authentication, card.created',
    ],
    [['--program', 'Unknown'], 'There is no program "Unknown"'],
  ])('%s is refused', async (args, words) => {
    const answer = await runCli(envOf(), ['listen', ...args]);
    expect(answer.code).not.toBe(0);
    expect(answer.err).toContain(words);
  });
});
