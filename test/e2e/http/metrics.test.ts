import { rmSync, writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AUTHORIZATIONS } from '../../../src/authorizations/core/decline.ts';
import type { DecisionEndpoint } from '../../../src/decisions/decision.ts';
import { findDecisionEndpoint } from '../../../src/decisions/queries.ts';
import { secret } from '../../../src/kernel/secret.ts';
import { startWorker } from '../../../src/worker.ts';
import { createCard } from '../../support/cards/cards.ts';
import { authorizationOf, payingCard, send } from '../../support/cards/network.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { SESSION, signInAs } from '../../support/console/operators.ts';
import { newQuestion, putDecisionEndpoint } from '../../support/decisions/decisions.ts';
import { requestReport } from '../../support/reports/reports.ts';
import { BREAD, callsOf } from '../../support/rules/rules.ts';
import { advanceDays, today } from '../../support/server/clock.ts';
import { memoryLog } from '../../support/server/memory-log.ts';
import { counted, readMetrics } from '../../support/server/metrics.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { addEndpoint } from '../../support/webhooks/webhooks.ts';

const app = appForTests();
let receiver: Receiver;
let worker: ReturnType<typeof startWorker>;
beforeAll(async () => {
  receiver = await startReceiver(({ path }, response) => {
    response.statusCode = path === '/hooks/gone' ? 410 : path === '/hooks/broken' ? 500 : 200;
    response.end();
  });
  worker = startWorker(app, pino({ level: 'silent' }));
});
afterAll(async () => {
  await worker.stop();
  await receiver.close();
});

const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

describe('GET /metrics', () => {
  const TOKEN = 'the-token-of-prometheus';
  const guarded = appForTests({ metricsAccess: secret(TOKEN) });
  const closed = appForTests({ metricsAccess: 'nobody' });
  const readWith = (authorization?: string) =>
    exchange(guarded.url, 'GET', '/metrics', { headers: authorization ? { authorization } : {} });

  test('needs the token, if there is one', async () => {
    expect((await readWith(`Bearer ${TOKEN}`)).text).toContain('\nprocess_cpu_seconds_total ');
    const wrong = [
      undefined,
      TOKEN,
      `Basic ${TOKEN}`,
      'Bearer',
      `Bearer ${TOKEN}s`,
      `Bearer ${TOKEN.slice(1)}`,
    ];
    for (const authorization of wrong) {
      const { status, text } = await readWith(authorization);
      expect([status, JSON.parse(text)]).toEqual([
        401,
        { code: 401, message: 'Authentication failed', status: 'failed' },
      ]);
    }
  });

  test('is an unknown path where nobody may read it', async () => {
    const [metrics, unknown] = [
      await exchange(closed.url, 'GET', '/metrics'),
      await exchange(closed.url, 'GET', '/x'),
    ];
    expect([metrics.status, metrics.text]).toEqual([404, unknown.text]);
  });

  test('is built once for all who read it within a second, and tells the state of then', async () => {
    const built = vi.spyOn(app.metrics, 'text');
    const start = performance.now();
    const texts = await Promise.all(Array.from({ length: 50 }, () => exchange(app.url, 'GET', '/metrics')));
    const builds = built.mock.calls.length;
    expect(builds).toBeLessThanOrEqual(1 + Math.floor((performance.now() - start) / 1000));
    expect(new Set(texts.map(({ text }) => text)).size).toBeLessThanOrEqual(builds);
    await eventually(async () => {
      await exchange(app.url, 'GET', '/metrics');
      expect(built.mock.calls.length).toBeGreaterThan(builds);
    });
    built.mockRestore();
  });

  test('refused requests get no series of their own', async () => {
    const series = async () => Object.keys(await counted(app, 'emboss_http_request_duration_seconds_count'));
    for (const path of ['/api/v1/merchant/cards/', '/api/v1/merchant/account/', '/nope', '/.env'])
      for (const method of ['GET', 'POST', 'DELETE']) await exchange(app.url, method, path);
    const refused = (await series()).filter((labels) => /status="(401|405|429)"/.test(labels));
    expect(refused.length).toBeGreaterThan(3);
    for (const labels of refused) expect(labels).toContain('route="(none)"');
    expect((await series()).filter((labels) => labels.includes('nope'))).toEqual([]);
  });
});

test('every outcome exists with value 0 from the start, so that its first increase is visible', async () => {
  const outcomes = Object.keys(await readMetrics(app, 'emboss_authorizations_total'));
  expect(outcomes).toEqual(AUTHORIZATIONS.labels.outcome.map((outcome) => `{outcome="${outcome}"}`));
  expect(Object.values(await readMetrics(app, 'emboss_sign_ins_total'))).toEqual([0, 0, 0]);
});

test('decisions are counted by kind and outcome, and timed by kind', async () => {
  const [merchant, owner] = await Promise.all([
    startReceiver((_got, response) => response.end('{"decision": "APPROVE"}')),
    app.addProgram(),
  ]);
  await putDecisionEndpoint(app, { url: merchant.url }, owner);
  const decide = async (more: Partial<DecisionEndpoint> = {}) => {
    const endpoint = await findDecisionEndpoint(app.db, owner.program.id, 'authorization');
    if (endpoint)
      await app.decisions.requestDecision(owner.program, { ...endpoint, ...more }, newQuestion(), 5_000);
  };
  await decide();
  await decide({ paused: true });
  await merchant.close();
  for (let n = 0; n < 6; n++) await decide();
  expect(await readMetrics(app, 'emboss_decisions_total')).toEqual({
    '{kind="authorization",outcome="approved"}': 1,
    '{kind="authorization",outcome="declined"}': 0,
    '{kind="authorization",outcome="timeout"}': 0,
    '{kind="authorization",outcome="unreachable"}': 6,
    '{kind="authorization",outcome="invalid"}': 0,
    '{kind="authorization",outcome="paused"}': 1,
    '{kind="authentication",outcome="approved"}': 0,
    '{kind="authentication",outcome="challenged"}': 0,
    '{kind="authentication",outcome="declined"}': 0,
    '{kind="authentication",outcome="timeout"}': 0,
    '{kind="authentication",outcome="unreachable"}': 0,
    '{kind="authentication",outcome="invalid"}': 0,
    '{kind="authentication",outcome="paused"}': 0,
    '{kind="otp",outcome="sent"}': 0,
    '{kind="otp",outcome="timeout"}': 0,
    '{kind="otp",outcome="unreachable"}': 0,
    '{kind="otp",outcome="invalid"}': 0,
    '{kind="otp",outcome="paused"}': 0,
  });
  expect(await readMetrics(app, 'emboss_decision_duration_seconds_count')).toEqual({
    '{kind="authorization"}': 6,
    '{kind="authentication"}': 0,
    '{kind="otp"}': 0,
  });
  expect(await readMetrics(app, 'emboss_decision_stand_ins')).toEqual({ '': 1 });
});

test('authorizations are counted by outcome', async () => {
  const { id } = await createCard(app, { spendLimit: 10 });
  for (const amount of ['4.00', '5.00', '6.00']) await swipe(app, id, amount);
  const outcomes = Object.entries(await readMetrics(app, 'emboss_authorizations_total'));
  expect(outcomes.filter(([, count]) => count > 0)).toEqual([
    ['{outcome="approved"}', 2],
    ['{outcome="insufficient_funds"}', 1],
  ]);
});

test('matches of rules are counted by effect, once for each message', async () => {
  const owner = await app.addProgram();
  const calls = callsOf(app, owner);
  await calls.create();
  await calls.active({ action: 'FLAG' });
  const card = await payingCard(app, {}, owner);
  await card.hold('1.00');
  const body = authorizationOf(card, '1.00', { merchant: BREAD });
  for (let copies = 0; copies < 2; copies++) await send(app, 'authorizations', body, owner);
  expect(await readMetrics(app, 'emboss_rule_matches_total')).toEqual({
    '{effect="DECLINED"}': 0,
    '{effect="FLAGGED"}': 1,
    '{effect="AUTHENTICATION_REQUIRED"}': 0,
    '{effect="WOULD_DECLINE"}': 1,
    '{effect="WOULD_FLAG"}': 0,
    '{effect="WOULD_REQUIRE_AUTHENTICATION"}': 0,
  });
});

test('sign-in attempts are counted by outcome', async () => {
  const { email } = await signInAs(app, 'viewer');
  for (let attempt = 0; attempt < 6; attempt++)
    await app.call('POST', SESSION, { key: null, body: { email, password: 'wrong' } });
  expect(await readMetrics(app, 'emboss_sign_ins_total')).toEqual({
    '{outcome="signed_in"}': 1,
    '{outcome="refused"}': 5,
    '{outcome="locked_out"}': 1,
  });
});

test('the worker looks for the work of every job, and an idle one logs nothing', async () => {
  const log = memoryLog('info');
  const idle = startWorker(app, log.logger);
  await eventually(async () => {
    const jobs = Object.keys(await readMetrics(app, 'emboss_jobs_due')).map(
      (labels) => /"(.*)"/.exec(labels)?.[1],
    );
    expect(jobs.sort()).toEqual([
      'audit-links',
      'audit-verification',
      'card-batches',
      'card-expiry',
      'challenge-expiry',
      'clearing-files',
      'closed-notifications',
      'hold-expiry',
      'hourly-totals',
      'idempotency-records',
      'list-milestones',
      'maintenance-fees',
      'notification-deliveries',
      'notifications',
      'operator-sessions',
      'program-jobs',
      'raw-clearing-files',
      'removed-endpoints',
      'report-files',
      'reports',
      'reveal-sessions',
      'rule-backtests',
      'rule-velocities',
      'webhook-deliveries',
    ]);
  });
  await idle.stop();
  expect(log.text).toBe('');
});

test('delivery attempts are counted by outcome', async () => {
  for (const path of ['', '/broken', '/gone']) await addEndpoint(app, `${receiver.url}${path}`);
  await createCard(app);
  await eventually(async () =>
    expect(await readMetrics(app, 'emboss_webhook_attempts_total')).toEqual({
      '{outcome="delivered"}': 1,
      '{outcome="failed"}': 1,
      '{outcome="gone"}': 1,
    }),
  );
});

test('reports are counted by outcome', async () => {
  const day = await today(app);
  await advanceDays(app, 2);
  // Nothing can be saved in a directory that is a file.
  rmSync(app.filesDir, { recursive: true });
  writeFileSync(app.filesDir, '');
  await requestReport(app, 'daily', day);
  const countOf = async (outcome: string) =>
    (await readMetrics(app, 'emboss_reports_total'))[`{outcome="${outcome}"}`] ?? 0;
  await eventually(async () => expect(await countOf('failed')).toBeGreaterThan(0));
  expect(await countOf('made')).toBe(0);
  rmSync(app.filesDir);
  await eventually(async () => expect(await countOf('made')).toBe(1));
});
