import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type LastFailure, type RequestingProgram, STAND_INS } from '../../../src/decisions/decision.ts';
import { findDecisionEndpoint } from '../../../src/decisions/queries.ts';
import { createDecisionRequester, type RequesterServices } from '../../../src/decisions/request-decision.ts';
import { openAnswer } from '../../../src/decisions/seal-answer.ts';
import { NO_METRICS } from '../../../src/kernel/metric.ts';
import {
  DECISIONS,
  decisionEvents,
  newQuestion,
  putDecisionEndpoint,
} from '../../support/decisions/decisions.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { memoryLog } from '../../support/server/memory-log.ts';
import { memoryMetrics } from '../../support/server/metrics.ts';
import { appForTests, type TestApp } from '../../support/server/test-app.ts';
import {
  type Arrived,
  answerWith,
  type Receiver,
  startRawReceiver,
  startReceiver,
} from '../../support/webhooks/receiver.ts';
import { verifies } from '../../support/webhooks/webhooks.ts';

const app = appForTests();
let owner: Awaited<ReturnType<TestApp['addProgram']>>;
beforeEach(async () => {
  owner = await app.addProgram();
});
const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
const merchants: Array<() => Promise<void>> = [];
afterAll(async () => {
  for (const stop of merchants) await stop();
});

const APPROVE = answerWith(200, '{"decision": "APPROVE"}');
const hintsWithoutEnd: typeof APPROVE = (_got, response) => {
  const hint = () => {
    if (!response.socket?.writable) return;
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    setImmediate(hint);
  };
  hint();
};
const NOTHING = { approvedMinor: undefined, reason: null, reference: null, metadata: null };
const APPROVED = { outcome: 'approved', durationMs: expect.any(Number), ...NOTHING };
const failed = (outcome: string) => ({ outcome, durationMs: expect.any(Number), ...NOTHING });
const NOT_SENT = { ...failed('unreachable'), durationMs: null };

async function started(starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting;
  receivers.push(receiver);
  return receiver;
}

/** A merchant with its endpoint, and a process that sends requests to it. */
async function merchantAt(
  url: string,
  settings: Record<string, unknown> = {},
  more: Partial<RequesterServices> = {},
) {
  const { secret } = await putDecisionEndpoint(app, { url, ...settings }, owner);
  const log = memoryLog('info');
  const memory = memoryMetrics();
  const { requestDecision, stop } = createDecisionRequester({
    metrics: memory.metrics,
    db: app.db,
    keeper: app.vault,
    sender: app.sender,
    logger: log.logger,
    ...more,
  });
  merchants.push(stop);
  const { program } = owner;
  const endpointNow = async () => {
    const endpoint = await findDecisionEndpoint(app.db, program.id, 'authorization');
    if (!endpoint) throw new Error('no endpoint');
    return endpoint;
  };
  return {
    secret: secret as string,
    log,
    standingIn: () => memory.read(STAND_INS),
    counted: memory.seen,
    stop,
    endpointNow,
    decide: async (question = newQuestion(), leftMs = 10_000, forProgram: RequestingProgram = program) =>
      requestDecision(forProgram, await endpointNow(), question, leftMs),
  };
}
const merchant = async (
  answers: Parameters<typeof startReceiver>,
  settings: Record<string, unknown> = {},
  more: Partial<RequesterServices> = {},
) => {
  const receiver = await started(startReceiver(...answers));
  return { receiver, ...(await merchantAt(receiver.url, settings, more)) };
};

describe('a request', () => {
  test('is a signed request in the envelope of webhooks', async () => {
    const { receiver, decide, secret } = await merchant([APPROVE]);
    const question = newQuestion();
    expect(await decide(question)).toEqual(APPROVED);
    const [got] = receiver.arrived;
    expect(got?.method).toBe('POST');
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Emboss-Decisions',
      'webhook-id': question.eventId,
    });
    expect(JSON.parse(got?.body ?? '')).toEqual({
      eventType: 'decision',
      eventName: 'authorization.request',
      eventId: question.eventId,
      created: `${question.createdAt.toISOString().slice(0, 19)}+0000`,
      data: question.data,
    });
    expect(isSigned(got, secret)).toBe(true);
  });

  test('is signed with both secrets after a rotation', async () => {
    const { receiver, decide, secret: old } = await merchant([APPROVE]);
    await decide();
    const { body } = await app.call('POST', `${DECISIONS}rotate-secret/`, { key: owner.key });
    await decide();
    expect([isSigned(receiver.arrived[1], body.secret), isSigned(receiver.arrived[1], old)]).toEqual([
      true,
      true,
    ]);
    expect(isSigned(receiver.arrived[0], body.secret)).toBe(false);
    await app.sql("update decision_endpoints set previous_signs_until = now() - interval '1 s'");
    await decide();
    expect([isSigned(receiver.arrived[2], body.secret), isSigned(receiver.arrived[2], old)]).toEqual([
      true,
      false,
    ]);
  });

  test('needs no database once the secret is known', async () => {
    const { decide, endpointNow } = await merchant([APPROVE]);
    const endpoint = await endpointNow();
    await decide();
    const away = { ...app.db, query: () => Promise.reject(new Error('the database is away')) };
    const opened: string[] = [];
    const keeper = {
      ...app.vault,
      openRecords: (...given: Parameters<typeof app.vault.openRecords>) => {
        opened.push(...given[3]);
        return app.vault.openRecords(app.db, given[1], given[2], given[3]);
      },
    };
    const { requestDecision } = createDecisionRequester({
      db: away as never,
      keeper,
      sender: app.sender,
      logger: memoryLog('info').logger,
      metrics: NO_METRICS,
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => requestDecision(owner.program, endpoint, newQuestion(), 5_000)),
    );
    expect(answers).toEqual(Array(20).fill(APPROVED));
    expect(opened).toEqual([endpoint.secretId]);
  });

  test('of a live program goes to a public address only, whatever its endpoint says', async () => {
    const { receiver, decide } = await merchant([APPROVE]);
    const live = { ...owner.program, mode: 'live' as const };
    expect(await decide(newQuestion(), 10_000, live)).toEqual(failed('unreachable'));
    expect(receiver.arrived).toEqual([]);
  });

  test('that cannot be signed is not a failure of the merchant', async () => {
    const { receiver, endpointNow } = await merchant([APPROVE]);
    const keeper = { ...app.vault, openRecords: () => Promise.reject(new Error('the vault is away')) };
    const log = memoryLog('error');
    const memory = memoryMetrics();
    const { requestDecision } = createDecisionRequester({
      metrics: memory.metrics,
      db: app.db,
      keeper,
      sender: app.sender,
      logger: log.logger,
    });
    for (let n = 0; n < 6; n++)
      expect(await requestDecision(owner.program, await endpointNow(), newQuestion(), 5_000)).toEqual(
        NOT_SENT,
      );
    expect([memory.read(STAND_INS), receiver.arrived]).toEqual([0, []]);
    expect(log.text).toContain('the vault is away');
  });
});

const isSigned = (got: Arrived | undefined, secret: string): boolean =>
  verifies({ text: got?.body, headers: got?.headers } as never, secret);

describe('an answer', () => {
  test.each<[string, unknown, object]>([
    ['approves', { decision: 'APPROVE', reference: 'r-1' }, { outcome: 'approved', reference: 'r-1' }],
    [
      'approves a part',
      { decision: 'APPROVE', approved_amount: '5.00', metadata: { score: '3' } },
      { outcome: 'approved', approvedMinor: 500n, metadata: { score: '3' } },
    ],
    ['declines', { decision: 'DECLINE', reason: 'whatever' }, { outcome: 'declined', reason: 'whatever' }],
    ['is out of range', { decision: 'APPROVE', approved_amount: '12.51' }, { outcome: 'invalid' }],
    ['is empty', '', { outcome: 'invalid' }],
    ['is a page', '<html>ok</html>', { outcome: 'invalid' }],
  ])('that %s', async (_what, body, expected) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const { receiver, decide } = await merchant([answerWith(200, text)]);
    const answer = await decide(newQuestion({ partialAllowed: true }));
    expect(answer).toEqual({ ...NOTHING, durationMs: expect.any(Number), ...expected });
    expect(receiver.arrived).toHaveLength(1);
  });

  const sized = (bytes: number) => {
    const start = '{"decision": "APPROVE", "more": "';
    return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
  };
  test.each([
    [4096, 'approved'],
    [4097, 'invalid'],
    [1_000_000, 'invalid'],
  ])('of %i bytes is %s', async (bytes, outcome) => {
    const { decide } = await merchant([answerWith(200, sized(bytes))]);
    expect(await decide()).toEqual(failed(outcome));
  });

  test.each([201, 204, 301, 302, 307, 400, 401, 404, 410, 429, 500])(
    'with the status %i is a failure, and is not retried or followed',
    async (status) => {
      const target = await started(startReceiver(APPROVE));
      const { receiver, decide } = await merchant([
        answerWith(status, status === 204 ? '' : '{"decision": "APPROVE"}', { location: target.url }),
      ]);
      expect(await decide()).toEqual(failed('unreachable'));
      expect([receiver.arrived.length, target.arrived.length]).toEqual([1, 0]);
    },
  );
});

describe('the time limit', () => {
  test.each([
    ['no response', () => {}],
    [
      'a slow body',
      (_got: Arrived, response: Parameters<typeof APPROVE>[1]) => void response.write('{"decision"'),
    ],
  ])('ends the wait for %s', async (_what, answer) => {
    const { receiver, decide } = await merchant([answer], { timeoutMs: 200 });
    const { outcome, durationMs } = await decide();
    expect([outcome, receiver.arrived.length]).toEqual(['timeout', 1]);
    expect(durationMs).toBeGreaterThanOrEqual(195);
  });

  test('is what is left of the authorization, if that is less', async () => {
    const { decide } = await merchant([() => {}], { timeoutMs: 3_000 });
    const { outcome, durationMs } = await decide(newQuestion(), 50);
    expect(outcome).toBe('timeout');
    expect(durationMs).toBeLessThan(1_500);
  });

  test('that has passed already sends nothing', async () => {
    const { receiver, decide } = await merchant([APPROVE]);
    expect(await decide(newQuestion(), 0)).toEqual({ ...failed('timeout'), durationMs: null });
    expect(await decide(newQuestion(), -5)).toMatchObject({ outcome: 'timeout' });
    expect(receiver.arrived).toEqual([]);
  });

  test('includes the time for reading the secret: if that takes all of it, nothing is sent', async () => {
    const { receiver, endpointNow } = await merchant([APPROVE]);
    const limitMs = 20;
    const openRecords: typeof app.vault.openRecords = (...given) => {
      const startMs = performance.now();
      while (performance.now() - startMs < limitMs);
      return app.vault.openRecords(...given);
    };
    const { requestDecision } = createDecisionRequester({
      ...{ db: app.db, keeper: { ...app.vault, openRecords }, sender: app.sender },
      metrics: NO_METRICS,
      logger: memoryLog('info').logger,
    });
    const response = requestDecision(owner.program, await endpointNow(), newQuestion(), limitMs);
    expect(await response).toEqual(failed('timeout'));
    expect(receiver.arrived).toEqual([]);
  });

  test('shorter than any that a merchant can set is no failure of the merchant', async () => {
    const { decide, standingIn } = await merchant([() => {}]);
    for (let n = 0; n < 6; n++) expect(await decide(newQuestion(), 20)).toMatchObject({ outcome: 'timeout' });
    expect(standingIn()).toBe(0);
  });
});

describe('a second attempt', () => {
  test.each([502, 503, 504])('follows the status %i, with the same id', async (status) => {
    const { receiver, decide } = await merchant([answerWith(status, 'unavailable'), APPROVE]);
    expect(await decide()).toEqual(APPROVED);
    const [first, second] = receiver.arrived;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
  });

  test('follows a broken connection', async () => {
    const cut: Parameters<typeof startReceiver>[0] = (_got, response) => void response.socket?.destroy();
    const { receiver, decide } = await merchant([cut, APPROVE]);
    expect(await decide()).toEqual(APPROVED);
    expect(receiver.arrived).toHaveLength(2);
  });

  test('is the last', async () => {
    const { receiver, decide } = await merchant([answerWith(503), answerWith(503), APPROVE]);
    expect(await decide()).toEqual(failed('unreachable'));
    expect(receiver.arrived).toHaveLength(2);
  });

  test('is not made with less than 300 ms left', async () => {
    const late: Parameters<typeof startReceiver>[0] = (_got, response) =>
      void setTimeout(() => response.writeHead(503).end(), 300);
    const { receiver, decide } = await merchant([late, APPROVE], { timeoutMs: 550 });
    expect(await decide()).toEqual(failed('unreachable'));
    expect(receiver.arrived).toHaveLength(1);
  });

  test('ends at the time limit of both', async () => {
    const { receiver, decide } = await merchant([answerWith(503), () => {}], { timeoutMs: 600 });
    const { outcome } = await decide();
    expect([outcome, receiver.arrived.length]).toEqual(['timeout', 2]);
  });

  test('is the last, however many kept connections break', async () => {
    let isBroken = false;
    const waiting: Array<() => void> = [];
    const receiver = await started(
      startReceiver((request, response) => {
        if (isBroken) response.socket?.resetAndDestroy();
        // All wait for the last, so that each needs a connection of its own.
        else if (waiting.push(() => APPROVE(request, response)) === 10)
          for (const answer of waiting) answer();
      }),
    );
    const { decide } = await merchantAt(receiver.url);
    await Promise.all(Array.from({ length: 10 }, () => decide()));
    expect(receiver.connections.open).toBe(10);
    isBroken = true;
    expect(await decide()).toEqual(failed('unreachable'));
    expect(receiver.arrived).toHaveLength(12);
  });

  test('is made once if nothing listens', async () => {
    const gone = await startReceiver(APPROVE);
    await gone.close();
    const { decide } = await merchantAt(gone.url);
    expect(await decide()).toEqual(failed('unreachable'));
  });

  test('follows a response that is not HTTP', async () => {
    const raw = await started(startRawReceiver((socket) => socket.end('hello\r\n')));
    const { decide } = await merchantAt(raw.url);
    expect(await decide()).toEqual(failed('unreachable'));
    expect(raw.connections.made).toBe(2);
  });
});

test('a status other than 200 counts without its body', async () => {
  const hanging = (_request: Arrived, response: ServerResponse) => void response.writeHead(500).write('…');
  const { decide } = await merchantAt((await started(startReceiver(hanging))).url, { timeoutMs: 400 });
  expect(await decide()).toEqual(failed('unreachable'));
});

describe('a paused endpoint', () => {
  test('gets no request', async () => {
    const { receiver, decide } = await merchant([APPROVE], { paused: true });
    expect(await decide()).toEqual({ outcome: 'paused', durationMs: null, ...NOTHING });
    expect(receiver.arrived).toEqual([]);
    await putDecisionEndpoint(app, { url: receiver.url }, owner);
    expect(await decide()).toEqual(APPROVED);
  });
});

describe('requests in flight', () => {
  test('are limited per program', async () => {
    const answers: Array<() => void> = [];
    const hold: Parameters<typeof startReceiver>[0] = (got, response) =>
      void answers.push(() => APPROVE(got, response));
    const { receiver, decide } = await merchant([hold], {}, { mostInFlight: 3 });
    const sent = [decide(), decide(), decide()];
    await vi.waitFor(() => expect(receiver.arrived).toHaveLength(3), SOON);
    expect(await decide()).toEqual(NOT_SENT);
    // Another program has its own.
    const other = decide(newQuestion(), 10_000, { ...owner.program, id: app.program.id });
    await vi.waitFor(() => expect(receiver.arrived).toHaveLength(4), SOON);
    for (const answer of answers.splice(0)) answer();
    expect(await other).toEqual(APPROVED);
    expect(await Promise.all(sent)).toEqual([APPROVED, APPROVED, APPROVED]);
    const next = decide();
    await vi.waitFor(() => expect(answers).toHaveLength(1), SOON);
    answers[0]?.();
    expect(await next).toEqual(APPROVED);
  });
});

describe('an endpoint that keeps failing', () => {
  const reasons = async () =>
    (await decisionEvents(app, owner.program.id)).map(({ name, data }) => [name, data['reason']]);

  test('gets no request for ten seconds, then one probe at a time', async () => {
    let [passedMs, isUp] = [0, false];
    const answer: Parameters<typeof startReceiver>[0] = (got, response) =>
      isUp ? APPROVE(got, response) : answerWith(500)(got, response);
    const { receiver, decide, standingIn, endpointNow, log, stop } = await merchant(
      [answer],
      { onFailure: 'STANDARD' },
      { nowMs: () => passedMs },
    );
    for (let n = 0; n < 5; n++) expect(await decide()).toEqual(failed('unreachable'));
    expect([receiver.arrived.length, standingIn()]).toEqual([5, 1]);
    expect(await decide()).toEqual(NOT_SENT);
    passedMs = 9_999;
    expect(await decide()).toEqual(NOT_SENT);
    expect(receiver.arrived).toHaveLength(5);
    await stop();
    const { standInSince, standInReason } = await endpointNow();
    expect([standInReason, standInSince]).toEqual(['failing', expect.any(Date)]);

    passedMs = 10_000;
    const both = await Promise.all([decide(), decide()]);
    expect(both.map(({ outcome }) => outcome)).toEqual(['unreachable', 'unreachable']);
    expect(receiver.arrived).toHaveLength(6);
    isUp = true;
    passedMs = 19_999;
    expect(await decide()).toMatchObject({ outcome: 'unreachable', durationMs: null });
    passedMs = 20_000;
    expect(await decide()).toEqual(APPROVED);
    expect(standingIn()).toBe(0);
    await stop();
    expect(await endpointNow()).toMatchObject({ standInSince: null, standInReason: null });
    expect(await Promise.all([decide(), decide()])).toEqual([APPROVED, APPROVED]);

    const data = {
      kind: 'authorization',
      reason: 'failing',
      since: `${standInSince?.toISOString().slice(0, 19)}+0000`,
      on_failure: 'STANDARD',
    };
    expect(await decisionEvents(app, owner.program.id)).toEqual([
      { name: 'decision.stand_in_started', data },
      { name: 'decision.stand_in_ended', data: { ...data, until: expect.any(String) } },
    ]);
    expect(log.text.match(/keeps failing|answers again/g)).toEqual(['keeps failing', 'answers again']);
  });

  test('gets requests immediately at another address, which has not failed yet', async () => {
    const { receiver, decide } = await merchant([...Array(5).fill(answerWith(500)), APPROVE]);
    for (let n = 0; n < 5; n++) await decide();
    expect(await decide()).toEqual(NOT_SENT);
    await putDecisionEndpoint(app, { url: `${receiver.url}moved` }, owner);
    expect(await decide()).toEqual(APPROVED);
  });

  test.each([
    ['timeouts', () => {}, 'timeout'],
    ['invalid answers', answerWith(200, 'ok'), 'invalid'],
    ['interim responses without end', hintsWithoutEnd, 'invalid'],
  ])('is one with %s too', async (_what, answer, outcome) => {
    // An invalid answer must arrive in time.
    const { decide, standingIn } = await merchant([answer], {
      timeoutMs: outcome === 'timeout' ? 200 : 3_000,
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide()));
    expect([answers.map((each) => each.outcome), standingIn()]).toEqual([Array(5).fill(outcome), 1]);
  });

  test('is not one that answers in between', async () => {
    const five = [500, 500, 500, 500, 200, 500, 500, 500, 500, 200].map((status) =>
      answerWith(status, '{"decision": "DECLINE"}'),
    );
    const { decide, standingIn } = await merchant(five);
    for (let n = 0; n < 10; n++) await decide();
    expect(standingIn()).toBe(0);
  });

  test('is recorded once, however many processes see it', async () => {
    const { receiver, decide, stop } = await merchant([answerWith(500)]);
    const others = await Promise.all(Array.from({ length: 3 }, () => merchantAt(receiver.url)));
    for (let n = 0; n < 5; n++) await Promise.all([decide(), ...others.map((other) => other.decide())]);
    await Promise.all([stop(), ...others.map((other) => other.stop())]);
    expect(await reasons()).toEqual([['decision.stand_in_started', 'failing']]);
    expect(others.filter(({ log }) => log.text.includes('keeps failing')).length).toBeLessThanOrEqual(1);
  });

  test('that a process left behind when it ended is ended by an answer to another process', async () => {
    const { receiver, decide, endpointNow, stop } = await merchant([
      answerWith(500),
      ...Array(4).fill(answerWith(500)),
      APPROVE,
    ]);
    for (let n = 0; n < 5; n++) await decide();
    await stop();
    const other = await merchantAt(receiver.url);
    expect(await other.decide()).toEqual(APPROVED);
    await other.stop();
    expect(await endpointNow()).toMatchObject({ standInReason: 'failing' });
    await other.decide(newQuestion({ createdAt: new Date(Date.now() + 61_000) }));
    await other.stop();
    expect(await endpointNow()).toMatchObject({ standInReason: null });
    expect(await reasons()).toEqual([
      ['decision.stand_in_started', 'failing'],
      ['decision.stand_in_ended', 'failing'],
    ]);
  });

  test('and is paused or removed meanwhile is not recorded as failing', async () => {
    const { receiver, decide, endpointNow, stop } = await merchant([answerWith(500)]);
    const before = await endpointNow();
    for (let n = 0; n < 4; n++) await decide();
    const { requestDecision, stop: stopOther } = createDecisionRequester({
      db: app.db,
      keeper: app.vault,
      sender: app.sender,
      logger: memoryLog('info').logger,
      metrics: NO_METRICS,
    });
    await putDecisionEndpoint(app, { url: receiver.url, paused: true }, owner);
    for (let n = 0; n < 5; n++) await requestDecision(owner.program, before, newQuestion(), 5_000);
    await Promise.all([stop(), stopOther()]);
    expect(await reasons()).toEqual([['decision.stand_in_started', 'paused']]);
    expect(await endpointNow()).toMatchObject({ standInReason: 'paused' });
  });

  test('does not delay answers if the change cannot be recorded', async () => {
    const log = memoryLog('error');
    const away = { ...app.db, transaction: () => Promise.reject(new Error('the database is away')) };
    const { decide, stop } = await merchant([answerWith(500)], {}, { db: away as never, logger: log.logger });
    for (let n = 0; n < 5; n++) expect(await decide()).toEqual(failed('unreachable'));
    expect(await decide()).toEqual(NOT_SENT);
    await stop();
    expect(log.text).toContain('the database is away');
  });
});

test('the last failure is kept with the endpoint, without card numbers, and in a burst only the first', async () => {
  const page = `<h1>Bad gateway</h1> for 9999 0012 3456 7891 ${'x'.repeat(3_000)}`;
  const { decide, stop, endpointNow, receiver } = await merchant([
    answerWith(404, page),
    answerWith(500, 'later'),
  ]);
  expect((await endpointNow()).lastFailure).toBe(null);
  await decide();
  await decide();
  await stop();
  const { lastFailure } = await endpointNow();
  expect(lastFailure).toEqual({
    at: expect.stringMatching(/^20/),
    outcome: 'unreachable',
    statusCode: 404,
    error: 'the response status is not 200',
    // Sealed: it may contain anything.
    answerStart: expect.stringMatching(/^[\w+/=]+$/),
  });
  const shown = await openAnswer(app.vault, app.db, await endpointNow(), lastFailure as LastFailure);
  expect(shown).toMatch(/^<h1>Bad gateway<\/h1> for \[card number\] x+$/);
  expect(shown?.length).toBeLessThanOrEqual(2_048);
  const moved = { url: `${receiver.url}/moved` };
  await putDecisionEndpoint(app, moved, owner);
  expect((await endpointNow()).lastFailure).toBe(null);
});

test('outcomes are counted, and timed if a request was sent', async () => {
  const { receiver, decide, counted } = await merchant([APPROVE, answerWith(500)]);
  await decide();
  await decide();
  await putDecisionEndpoint(app, { url: receiver.url, paused: true }, owner);
  await decide();
  const kind = 'authorization';
  expect(counted).toEqual([
    ['emboss_decisions_total', { kind, outcome: 'approved' }],
    ['emboss_decision_duration_seconds', { kind }, expect.any(Number)],
    ['emboss_decisions_total', { kind, outcome: 'unreachable' }],
    ['emboss_decision_duration_seconds', { kind }, expect.any(Number)],
    ['emboss_decisions_total', { kind, outcome: 'paused' }],
  ]);
});
