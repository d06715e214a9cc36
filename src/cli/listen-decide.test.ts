import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { ENDPOINT } from '../../test/support/cards/deciding-merchant.ts';
import { type Owner, ownProgram, setTerms } from '../../test/support/cards/network.ts';
import { follow, swipe } from '../../test/support/cards/swipe.ts';
import { startDatabaseProxy } from '../../test/support/database/database-proxy.ts';
import { ROOT } from '../../test/support/scripts/sources.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { type Listener, listenersForTests } from '../../test/support/server/listener.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { answerWith, startReceiver } from '../../test/support/webhooks/receiver.ts';
import { DECISION_KINDS } from '../decisions/decision.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'emboss-decide-'));
const SOON = { timeout: 60_000 };
const app = appForTests();
const envOf = (databaseUrl = app.databaseUrl) => ({
  ...app.env,
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
});
afterAll(() => rmSync(dataDir, { recursive: true }));

const start = listenersForTests();
const listen = ({ program }: Owner, rule: string, more: string[] = [], databaseUrl?: string) =>
  start(envOf(databaseUrl), ['listen', '--program', program.id, '--decide', rule, ...more]);

const endpointOf = async ({ key }: Owner) => (await app.call('GET', ENDPOINT, { key })).body;
const putEndpoint = async ({ key }: Owner, body: object) =>
  (await app.call('PUT', ENDPOINT, { body, key })).body;
const decisionLine = async (listener: Listener): Promise<string> => {
  const find = () => listener.lines().find((line) => line.includes('authorization.request')) ?? '';
  await vi.waitFor(() => expect(find()).not.toBe(''), SOON);
  return find();
};
/** What a simulated purchase comes to, and who decided it. */
async function pay({ key }: Owner, amount = '12.50') {
  const { id } = await createCard(app, {}, key);
  const answer = await swipe(app, id, amount, { merchant: { name: 'Corner Coffee' } }, key);
  const path = `/api/v1/merchant/transactions/${answer.transaction_id}/`;
  const { decision } = (await app.call('GET', path, { key })).body;
  return { ...answer, decision };
}

describe('emboss listen --decide', () => {
  test('approves, prints a line per decision, and removes its endpoint', async () => {
    const owner = await ownProgram(app);
    const listener = await listen(owner, 'approve');
    expect(listener.lines().slice(0, 3)).toEqual([
      `Listening to ${owner.program.name}. Press Ctrl-C to stop.`,
      'Approving every decision.',
      `The authorization mode is STANDARD, so there are no decisions on authorizations; to change it: emboss program set '${owner.program.name}' --authorization-mode REAL_TIME`,
    ]);
    const set = (mode: string) => ['program', 'set', owner.program.name, '--authorization-mode', mode];
    expect(await runCli(envOf(), set('REAL_TIME'))).toMatchObject({ code: 0 });
    expect(await pay(owner)).toMatchObject({
      approved: true,
      decision: { source: 'merchant', outcome: 'approved', duration_ms: expect.any(Number) },
    });
    expect(await decisionLine(listener)).toMatch(
      /^\d\d:\d\d:\d\d {2}authorization\.request {3}•••• \d{4} {7}12\.50 EUR {2}Corner Coffee {2}→ APPROVE in \d+ ms$/,
    );
    await vi.waitFor(
      () => expect(listener.lines().at(-1)).toMatch(/authorization {11}•••• \d{4} +12\.50 EUR/),
      SOON,
    );
    await runCli(envOf(), set('STANDARD'));
    expect((await listener.end()).code).toBe(0);
    expect(listener.errors()).toBe(
      'Decision endpoint authorization, authentication, otp: removed.\n2 events, 1 decisions\n',
    );
    expect(await endpointOf(owner)).toMatchObject({ code: 404 });
  });

  test('pauses its endpoint at the end if the mode needs one, and takes it over at the next start', async () => {
    const owner = await ownProgram(app);
    const first = await listen(owner, 'approve');
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    await first.end();
    expect(first.errors()).toContain(
      'Decision endpoint authorization: paused, because the authorization mode REAL_TIME needs it; its onFailure is DECLINE.',
    );
    expect(await endpointOf(owner)).toMatchObject({ paused: true });
    expect(await pay(owner)).toMatchObject({
      decline_reason: 'decision_unavailable',
      decision: { outcome: 'paused' },
    });
    const second = await listen(owner, 'approve');
    expect(second.lines().join('\n')).not.toContain('STANDARD');
    expect(await pay(owner)).toMatchObject({ approved: true });
    await second.end();
    expect(await endpointOf(owner)).toMatchObject({ paused: true });
  });

  test('--json prints the question with its answer', async () => {
    const owner = await ownProgram(app);
    const listener = await listen(owner, 'decline', ['--json']);
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    const [greeting] = listener.lines().map((line) => JSON.parse(line));
    expect(greeting.listening.decide).toEqual({
      rule: 'decline',
      authorizationMode: 'STANDARD',
      secrets: Object.fromEntries(DECISION_KINDS.map((kind) => [kind, expect.stringMatching(/^whsec_/)])),
    });
    const declined = await pay(owner);
    expect(declined).toMatchObject({
      decline_reason: 'program_declined',
      decision: { outcome: 'declined', source: 'merchant' },
    });
    expect(JSON.parse(await decisionLine(listener))).toEqual({
      eventType: 'decision',
      eventName: 'authorization.request',
      eventId: expect.any(String),
      created: expect.any(String),
      data: expect.objectContaining({ external_transaction_id: declined.external_transaction_id }),
      answered: { statusCode: 200, body: '{"decision":"DECLINE"}', durationMs: expect.any(Number) },
    });
  });

  test('answers balance inquiries: with the available credit, or with nothing', async () => {
    const owner = await ownProgram(app, { authorization_mode: 'STANDARD' });
    const { id } = await createCard(app, {}, owner.key);
    const inquire = () => follow(app, 'authorizations', { card_id: id, type: 'BALANCE_INQUIRY' }, owner.key);
    for (const [rule, amount] of [
      ['approve', '250.00'],
      ['decline', '0.00'],
    ] as const) {
      const listener = await listen(owner, rule);
      await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
      expect(await inquire()).toMatchObject({ approved: true, available_amount: amount });
      const find = () => listener.lines().find((line) => line.includes('balance.request')) ?? '';
      await vi.waitFor(() => expect(find()).not.toBe(''), SOON);
      expect(find()).toMatch(
        new RegExp(`balance\\.request +•••• \\d{4} .*→ available ${amount} in \\d+ ms$`),
      );
      await listener.end();
    }
  });

  test('approves authentications, and shows the codes that it is to send', async () => {
    const owner = await ownProgram(app);
    const otpEndpoint = ENDPOINT.replace('authorization', 'otp');
    const url = 'https://shop.example/otp';
    await app.call('PUT', otpEndpoint, { body: { url, timeoutMs: 900 }, key: owner.key });
    const listener = await listen(owner, 'approve');
    const { id } = await createCard(app, {}, owner.key);
    const authenticate = async (challenge: string) => {
      const body = { card_id: id, amount: '12.50', challenge };
      return (await app.call('POST', '/api/v1/sandbox/authentications/', { body, key: owner.key })).body;
    };
    expect(await authenticate('NO_PREFERENCE')).toMatchObject({ status: 'AUTHENTICATED' });
    const { otp, status } = await authenticate('MANDATED');
    expect([status, otp]).toEqual(['CHALLENGE', expect.stringMatching(/^\d{6}$/)]);
    const lines = () => listener.lines().map((line) => line.replace(/\d+ ms$/, 'n ms').slice(10));
    const start = (name: string) => expect.stringMatching(new RegExp(`^${name} +•••• \\d{4} `));
    await vi.waitFor(() => expect(lines()).toContainEqual(start('otp.request')), SOON);
    expect(lines().find((line) => line.startsWith('otp.request'))).toContain(
      `12.50 EUR  Corner Coffee  code ${otp} for +447700900123  → sent in n ms`,
    );
    expect(lines().find((line) => line.startsWith('authentication.request'))).toContain(
      '12.50 EUR  Corner Coffee  → APPROVE in n ms',
    );
    await vi.waitFor(
      () => expect(lines().join('\n')).toContain('12.50 EUR  Corner Coffee  AUTHENTICATED'),
      SOON,
    );
    await listener.end();
    expect(listener.errors()).toContain(
      'Decision endpoint authorization, authentication: removed.\nDecision endpoint otp: as it was before.\n',
    );
    const restored = await app.call('GET', otpEndpoint, { key: owner.key });
    expect(restored.body).toMatchObject({ url, timeoutMs: 900, paused: false });
  });

  test('timeout never answers; the settings of an existing endpoint stay, and it is restored', async () => {
    const owner = await ownProgram(app);
    const before = { url: 'https://shop.example/decisions?a=1&b=2', timeoutMs: 250, onFailure: 'STANDARD' };
    await putEndpoint(owner, { ...before, standIn: { transactionLimit: 5.5, dailyLimit: 10 }, paused: true });
    const known = await endpointOf(owner);
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    const listener = await listen(owner, 'timeout');
    expect(await endpointOf(owner)).toMatchObject({
      url: expect.stringContaining('http://127.0.0.1:'),
      timeoutMs: 250,
      onFailure: 'STANDARD',
      standIn: { transactionLimit: 5.5, dailyLimit: 10 },
      paused: false,
    });
    expect(await pay(owner)).toMatchObject({
      approved: true,
      decision: { source: 'stand_in', outcome: 'timeout' },
    });
    expect(await decisionLine(listener)).toMatch(/→ no answer \(2\d\d ms\)$/);
    await listener.end();
    expect(listener.errors()).toContain('Decision endpoint authorization: as it was before.');
    const { standInSince: _since, ...restored } = await endpointOf(owner);
    const { standInSince: _before, ...expected } = known;
    expect(restored).toEqual(expected);
  });

  test('keeps the secret of an endpoint: its own server verifies requests again afterwards', async () => {
    const owner = await ownProgram(app);
    const receiver = await startReceiver(answerWith(200, '{"decision":"APPROVE"}'));
    const { secret } = await putEndpoint(owner, { url: receiver.url });
    const listener = await listen(owner, 'approve');
    expect((await endpointOf(owner)).url).toContain('/emboss-listen');
    await listener.end();
    await app.call('POST', `${ENDPOINT}test/`, { key: owner.key });
    const [got] = receiver.arrived;
    new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
    await receiver.close();
  });

  test('a URL gets the request as it is signed, and decides', async () => {
    const owner = await ownProgram(app);
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    const receiver = await startReceiver(
      answerWith(200, '{"decision":"DECLINE","reason":"limit_exceeded","reference":"r-1"}'),
      answerWith(500),
      answerWith(200, 'certainly'),
    );
    const listener = await listen(owner, receiver.url);
    const [, heading, line = ''] = listener.lines();
    expect(heading).toBe(`Requesting decisions from ${receiver.url}, signed with`);
    const secret = /^ {2}authorization: (whsec_\S+)$/.exec(line)?.[1] ?? '';
    expect(await pay(owner)).toMatchObject({
      decline_reason: 'program_limit',
      decision: { outcome: 'declined', reason: 'limit_exceeded', reference: 'r-1' },
    });
    expect(await decisionLine(listener)).toMatch(/→ DECLINE: limit_exceeded in \d+ ms$/);
    const [got] = receiver.arrived;
    new Webhook(secret).verify(got?.body ?? '', got?.headers as Record<string, string>);
    expect(got?.headers['user-agent']).toBe('Emboss-Decisions');
    expect(await pay(owner)).toMatchObject({ decline_reason: 'decision_unavailable' });
    expect(await pay(owner)).toMatchObject({ decline_reason: 'decision_invalid' });
    await receiver.close();
    expect(await pay(owner)).toMatchObject({
      decline_reason: 'decision_unavailable',
      decision: { outcome: 'unreachable' },
    });
    const answers = () =>
      listener
        .lines()
        .filter((line) => line.includes('authorization.request'))
        .map((line) => line.replace(/.*→/, '→').replaceAll(/\d+ ms/g, 'n ms'));
    // After a 502 Emboss retries once.
    await vi.waitFor(() => expect(answers()).toHaveLength(5), SOON);
    expect(answers().slice(1)).toEqual([
      '→ 500, no decision (n ms)',
      '→ 200, no decision (n ms)',
      '→ connection refused (n ms)',
      '→ connection refused (n ms)',
    ]);
  });

  test('a URL that answers too late is a timeout', async () => {
    const owner = await ownProgram(app);
    await putEndpoint(owner, { url: 'https://shop.example/', timeoutMs: 200 });
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    const receiver = await startReceiver(() => {});
    const listener = await listen(owner, receiver.url);
    expect(listener.lines()[2]).toBe('  authorization: the secret of the decision endpoint');
    expect(await pay(owner)).toMatchObject({ decline_reason: 'decision_timeout' });
    expect(await decisionLine(listener)).toMatch(/→ no answer in time \(\d+ ms\)$/);
    await receiver.close();
  });

  test('restores what a killed command left, and leaves what was changed meanwhile', async () => {
    const owner = await ownProgram(app);
    const original = 'https://shop.example/decisions?a=1&b=2';
    await putEndpoint(owner, { url: original });
    const killed = await listen(owner, 'approve');
    const leftOver = (await endpointOf(owner)).url;
    await killed.end();
    await putEndpoint(owner, { url: leftOver });
    const next = await listen(owner, 'approve');
    await next.end();
    expect((await endpointOf(owner)).url).toBe(original);
    const last = await listen(owner, 'approve');
    await putEndpoint(owner, { url: 'https://other.example/' });
    await last.end();
    expect(last.errors()).toContain(
      'Decision endpoint authorization: was changed meanwhile; it stays as it is.',
    );
    expect((await endpointOf(owner)).url).toBe('https://other.example/');
  });

  test('restores the endpoint after Ctrl-C', async () => {
    const owner = await ownProgram(app);
    await putEndpoint(owner, { url: 'https://shop.example/' });
    const args = ['listen', '--program', owner.program.id, '--decide', 'approve'];
    const child = spawn(process.execPath, [join(ROOT, 'bin/emboss.mjs'), ...args], {
      env: { PATH: process.env['PATH'], ...envOf() },
    });
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    await vi.waitFor(() => expect(out).toContain('Approving every decision.'), SOON);
    expect((await endpointOf(owner)).url).toContain('127.0.0.1');
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect((await endpointOf(owner)).url).toBe('https://shop.example/');
  });

  test('continues to decide while the database is unavailable to it', async () => {
    const owner = await ownProgram(app);
    const proxy = await startDatabaseProxy(app.databaseUrl);
    const listener = await listen(owner, 'approve', [], proxy.url);
    await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
    await proxy.refuse();
    await vi.waitFor(() => expect(listener.errors()).toContain('the database is unavailable'), SOON);
    expect(await pay(owner)).toMatchObject({ approved: true });
    expect(await decisionLine(listener)).toContain('→ APPROVE');
    await listener.end();
    expect(listener.errors()).toContain('the decision endpoints are not restored');
    await proxy.close();
  });

  test.each([
    [['--decide', 'maybe'], 2, 'must be approve, decline, timeout or a URL'],
    [['--decide', 'http://'], 2, 'must be a URL such as'],
    [['--decide', 'approve'], 1, 'Several programs exist; specify one'],
    [['--decide', 'approve', '--program', 'Unknown'], 3, 'There is no program "Unknown"'],
  ])('%s is refused', async (args, code, words) => {
    await ownProgram(app);
    const answer = await runCli(envOf(), ['listen', ...args]);
    expect([answer.code, answer.err]).toEqual([code, expect.stringContaining(words)]);
  });

  test('a live program is refused', async () => {
    const owner = await app.addProgram({ mode: 'live' });
    const args = ['listen', '--decide', 'approve', '--program', owner.program.id];
    const answer = await runCli(envOf(), args);
    expect([answer.code, answer.err]).toEqual([
      1,
      `emboss: --decide is for sandbox programs; ${owner.program.name} is a live program\n`,
    ]);
    expect(await endpointOf(owner)).toMatchObject({ code: 404 });
  });

  test('an address that the server would not call is refused', async () => {
    const owner = await ownProgram(app);
    const args = ['listen', '--decide', 'approve', '--program', owner.program.id];
    const answer = await runCli({ ...envOf(), HOST: '0.0.0.0' }, args);
    expect([answer.code, answer.err]).toEqual([1, expect.stringContaining('HOST=127.0.0.1 for loopback')]);
  });
});
