import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { formatTimestamp } from '../kernel/calendar.ts';
import type { Metrics } from '../kernel/metric.ts';
import { countInWindows } from '../kernel/window-counts.ts';
import type { Sender } from '../outbound/send-request.ts';
import type { SecretKeeper } from '../outbound/signing-secret.ts';
import { type Change, createBreakers } from './breaker.ts';
import { cacheSecrets, type SecretsOf } from './cached-secrets.ts';
import {
  DECISION_TIMES,
  DECISIONS,
  type DecisionEndpoint,
  type DecisionRequest,
  isUnusable,
  type LastFailure,
  MIN_TIMEOUT_MS,
  type RequestDecision,
  type RequestingProgram,
  type RequestOutcome,
  STAND_INS,
  withoutResponse,
} from './decision.ts';
import { updateLastFailure } from './queries.ts';
import { recordBreaker } from './record-stand-in.ts';
import { sealAnswer } from './seal-answer.ts';
import { type Attempt, sendDecisionRequest } from './send-decision-request.ts';

/** A slow merchant must not use all sockets and memory of the server. */
const MOST_IN_FLIGHT = 500;
/** A second attempt with less time would rarely succeed. */
const RETRY_MS = 300;
/**
 * A stand-in of this age that this process does not know was left by a process that has ended, or could not be recorded:
 * the next response ends it.
 */
const LEFT_OVER_MS = 60_000;
/** An endpoint that fails costs one write in this time, however many requests fail. */
const FAILURE_MS = 3_000;
const MOST_ENDPOINTS = 10_000;

export interface RequesterServices {
  db: Database;
  keeper: SecretKeeper;
  sender: Sender;
  logger: Logger;
  metrics: Metrics;
  mostInFlight?: number;
  /** The clock of the breakers. */
  nowMs?: () => number;
}

export interface DecisionRequester {
  requestDecision: RequestDecision;
  /** Waits until the changes of stand-ins are recorded. */
  stop: () => Promise<void>;
}

export function createDecisionRequester(services: RequesterServices): DecisionRequester {
  const { db, keeper, sender, logger, metrics } = services;
  const { mostInFlight = MOST_IN_FLIGHT, nowMs = () => performance.now() } = services;
  const secretsOf = cacheSecrets(keeper, db);
  const breakers = createBreakers();
  const recorder = createRecorder(db, keeper, logger);
  const inFlight = new Map<string, number>();
  const count = (programId: string, by: number): void => {
    const after = (inFlight.get(programId) ?? 0) + by;
    if (after === 0) inFlight.delete(programId);
    else inFlight.set(programId, after);
  };

  const requestDecision: RequestDecision = async (program, endpoint, request, leftMs) => {
    const notSent = (outcome: 'paused' | 'timeout' | 'unreachable') => {
      metrics.count(DECISIONS, { kind: endpoint.kind, outcome });
      return withoutResponse(outcome, null);
    };
    const limitMs = Math.min(endpoint.timeoutMs, leftMs);
    if (endpoint.paused) return notSent('paused');
    if (limitMs < 1) return notSent('timeout');
    if ((inFlight.get(program.id) ?? 0) >= mostInFlight) return notSent('unreachable');
    // Another address is another server: it has not failed yet.
    const key = `${endpoint.kind} ${program.id} ${endpoint.url}`;
    const pass = breakers.enter(key, nowMs());
    if (!pass) return notSent('unreachable');

    const startMs = performance.now();
    count(program.id, 1);
    let failed: boolean | undefined;
    try {
      const { outcome, read, error, statusCode, answerStart } = await attempt(
        sender,
        secretsOf,
        program,
        endpoint,
        request,
        limitMs,
      );
      failed = isFailure(outcome, limitMs);
      const durationMs = Math.round(performance.now() - startMs);
      if (error)
        logger.info(
          { programId: program.id, eventId: request.eventId, outcome, statusCode, error, durationMs },
          'a merchant gave no decision',
        );
      if (failed && isUnusable(outcome))
        recorder.recordFailure(endpoint, {
          at: formatTimestamp(new Date()),
          ...{ outcome, statusCode, error, answerStart },
        });
      metrics.count(DECISIONS, { kind: endpoint.kind, outcome });
      metrics.observe(DECISION_TIMES, { kind: endpoint.kind }, durationMs / 1000);
      // `readResponse` returns an outcome of the request's own kind.
      return (read ? { ...read, durationMs } : withoutResponse(outcome, durationMs)) as never;
    } catch (error) {
      // Our own failure, such as a vault that does not open the secret: it says nothing about the merchant.
      logger.error({ err: error, programId: program.id }, 'a decision could not be requested');
      return notSent('unreachable');
    } finally {
      count(program.id, -1);
      const change = breakers.leave(key, pass, failed, nowMs());
      if (change) recorder.recordChange(endpoint, change);
      else if (failed === false && isLeftOver(endpoint, request)) recorder.recordChange(endpoint, 'closed');
    }
  };
  metrics.gauge(STAND_INS, (set) => set({}, breakers.countOpen(nowMs())));
  return { requestDecision, stop: recorder.stop };
}

/** Sends the request, and once more if the connection broke and enough time is left. */
async function attempt(
  sender: Sender,
  secretsOf: SecretsOf,
  program: RequestingProgram,
  endpoint: DecisionEndpoint,
  request: DecisionRequest,
  limitMs: number,
): Promise<Attempt> {
  const endMs = performance.now() + limitMs;
  const leftMs = () => Math.floor(endMs - performance.now());
  const secrets = await secretsOf(endpoint, Date.now());
  const send = (isFresh: boolean) =>
    sendDecisionRequest(sender, program, endpoint, request, secrets, { timeoutMs: leftMs(), isFresh });
  if (leftMs() < 1)
    return {
      outcome: 'timeout',
      read: undefined,
      mayRetry: false,
      statusCode: null,
      error: 'no time was left',
      answerStart: null,
    };
  const first = await send(false);
  return first.mayRetry && leftMs() >= RETRY_MS ? send(true) : first;
}

/** Undefined: an endpoint that had less time than the shortest limit is not at fault. */
function isFailure(outcome: RequestOutcome, limitMs: number): boolean | undefined {
  if (outcome === 'timeout' && limitMs < MIN_TIMEOUT_MS) return undefined;
  return isUnusable(outcome);
}

const isLeftOver = (
  { standInSince, standInReason }: DecisionEndpoint,
  { createdAt }: DecisionRequest,
): boolean =>
  standInReason === 'failing' &&
  standInSince !== null &&
  createdAt.getTime() - standInSince.getTime() > LEFT_OVER_MS;

type Target = Pick<DecisionEndpoint, 'programId' | 'kind'>;

/**
 * Records in the background, one after the other; of an endpoint that changes again meanwhile, only the newest. A change
 * that cannot be recorded is logged: a failed probe, or a later response, records it again.
 */
function createRecorder(db: Database, keeper: SecretKeeper, logger: Logger) {
  const waiting = new Map<string, { programId: string; write: () => Promise<void> }>();
  const failures = countInWindows(FAILURE_MS, MOST_ENDPOINTS);
  let running: Promise<void> | undefined;
  const drain = async (): Promise<void> => {
    for (const [key, { programId, write }] of waiting) {
      waiting.delete(key);
      await write().catch((error) =>
        logger.error({ err: error, programId }, 'the state of a decision endpoint could not be recorded'),
      );
    }
    running = undefined;
  };
  const record = (what: string, { programId, kind }: Target, write: () => Promise<void>): void => {
    waiting.set(`${what} ${kind} ${programId}`, { programId, write });
    running ??= drain();
  };
  return {
    recordChange: (endpoint: Target, change: Change): void =>
      record('change', endpoint, async () => {
        const { programId, kind } = endpoint;
        if (!(await recordBreaker(db, programId, kind, change))) return;
        if (change === 'opened')
          logger.warn({ programId, kind }, 'a decision endpoint keeps failing: it gets only probes');
        else logger.info({ programId, kind }, 'a decision endpoint answers again');
      }),
    recordFailure: (endpoint: DecisionEndpoint, failure: LastFailure): void => {
      if (failures.add(`${endpoint.kind} ${endpoint.programId}`, performance.now()) > 1) return;
      record('failure', endpoint, async () =>
        updateLastFailure(db, endpoint, await sealAnswer(keeper, db, endpoint, failure)),
      );
    },
    stop: async (): Promise<void> => running,
  };
}
