import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  findDueWithin,
  listDueEndpoints,
  releaseDeliveries,
} from '../events/delivery-queries.ts';
import type { SigningEndpoint } from '../events/event.ts';
import type { JobObserver } from '../jobs/job-metrics.ts';
import { MS_PER_DAY } from '../kernel/calendar.ts';
import { gather } from '../kernel/gather.ts';
import type { Counter, Metrics } from '../kernel/metric.ts';
import { breaksHttp } from '../outbound/send-failure.ts';
import type { Sender } from '../outbound/send-request.ts';
import { openSecrets, type SecretKeeper, signersOf } from '../outbound/signing-secret.ts';
import { listProgramIds, readProgram } from '../programs/queries.ts';
import { attemptDelivery, type CompleteFileData, type Target, TIME_LIMIT_MS } from './attempt-delivery.ts';
import { type Outcome, toOutcome } from './outcome.ts';
import { recordOutcomes } from './record-outcomes.ts';
import { outcomeOf } from './retry.ts';

export interface DeliveryServices {
  db: Database;
  keeper: SecretKeeper;
  sender: Sender;
  completeFileData: CompleteFileData;
  metrics: Metrics;
  observer: JobObserver;
  logger: Logger;
}

export const WEBHOOK_ATTEMPTS: Counter<{ outcome: ReturnType<typeof outcomeOf> }> = {
  type: 'counter',
  name: 'emboss_webhook_attempts_total',
  help: 'Attempts to deliver an event, by outcome: delivered, failed or gone.',
  labels: { outcome: ['delivered', 'failed', 'gone'] },
};

/** Its name in the metrics of jobs, which count endpoints and attempts of it. */
const JOB = 'webhook-deliveries';
const LOOK_EVERY_MS = 100;
/**
 * How often all due deliveries count. In between only those count that have become due since the last search, so that the
 * deliveries of paused endpoints, which stay due, cost nothing.
 */
const LOOK_AT_ALL_EVERY_MS = 60_000;
/** A transaction that made a delivery due may commit this much later. */
const COMMIT_WITHIN_MS = 60_000;
/** Longer than any delivery waits. */
const ANY_TIME_MS = 3_650 * MS_PER_DAY;
/** The largest share of time that is spent polling, however many endpoints there are. */
const LOOKING_SHARE = 0.05;
/** A look can take long only if a node of a cluster is silent; the next one then leaves it out. */
const LONGEST_PAUSE_MS = 1_000;
/**
 * Concurrent requests to one endpoint. The limit applies to each endpoint, so that a slow one does not delay others.
 */
const CONCURRENCY = 32;
/** Deliveries claimed in advance, so that a fast receiver never waits for the next claim. */
const AHEAD = 128;
/** After this time another worker may claim the delivery. An attempt starts only if it can end before then. */
const LEASE_MS = 60_000;
const START_WITHIN_MS = LEASE_MS - 2 * TIME_LIMIT_MS;

/**
 * How long an endpoint gets nothing after a response that breaks HTTP. Such a response costs a connection and four times
 * the CPU of a valid one, and it does not depend on the event.
 */
const REST_MS = 5_000;

/** The state of one endpoint in this process. */
interface Lane {
  endpoint: SigningEndpoint;
  /** Ids of the secrets in the target. */
  signers: string;
  target: Target;
  queue: Array<ClaimedDelivery & { claimedMs: number }>;
  underWay: number;
  claiming: boolean;
  /** The last claim was filled completely, so there are probably more deliveries. */
  more: boolean;
  /** The endpoint was disabled or removed: no further attempt starts. */
  closed: boolean;
  /** When it was opened, or its last attempt ended, by `performance.now()`. */
  attemptedMs: number;
  /** No attempt starts before, by `performance.now()`. */
  restsUntilMs: number;
}

const isResting = ({ restsUntilMs }: Lane): boolean => performance.now() < restsUntilMs;

/** Polls for due deliveries and sends them until stopped. Any number of workers may run: each claims its own. */
export function startDeliveries(services: DeliveryServices): { stop: () => Promise<void> } {
  const { db, keeper, sender, completeFileData, metrics, observer, logger } = services;
  const cut = new AbortController();
  // Every attempt in progress listens to the signal. Node would report more than ten listeners as a leak.
  setMaxListeners(0, cut.signal);
  const lanes = new Map<string, Lane>();
  const unopened = new Set<string>();
  const working = new Set<Promise<void>>();
  let searchedMs = Number.NEGATIVE_INFINITY;
  let lookedAtAllMs = Number.NEGATIVE_INFINITY;
  const record = createRecorder(services, (endpointId) => {
    const lane = lanes.get(endpointId);
    if (lane) close(lane);
  });

  const track = (work: Promise<void>) => {
    const tracked = work
      .catch((error) => {
        logger.warn({ err: error }, 'a webhook delivery failed; it will be retried');
        // What it leaves may have been due for long.
        lookedAtAllMs = Number.NEGATIVE_INFINITY;
      })
      .finally(() => working.delete(tracked));
    working.add(tracked);
  };

  async function claim(lane: Lane): Promise<void> {
    const wanted = AHEAD - lane.queue.length;
    if (cut.signal.aborted || lane.closed || lane.claiming || isResting(lane) || wanted < AHEAD / 2) return;
    lane.claiming = true;
    try {
      const claimedMs = performance.now();
      const claimed = await claimDeliveries(db, lane.endpoint, wanted, LEASE_MS);
      lane.queue.push(...claimed.map((delivery) => ({ ...delivery, claimedMs })));
      lane.more = claimed.length === wanted;
    } finally {
      lane.claiming = false;
    }
    await goOn(lane);
  }

  async function goOn(lane: Lane): Promise<void> {
    const ended = () => cut.signal.aborted || lane.closed;
    const mayStart = () => lane.underWay < CONCURRENCY && !ended() && !isResting(lane);
    const late = performance.now() - (lane.queue[0]?.claimedMs ?? 0) > START_WITHIN_MS;
    if ((ended() || late) && lane.queue.length > 0)
      await releaseDeliveries(db, lane.endpoint, lane.queue.splice(0));
    while (lane.queue.length > 0 && mayStart()) track(deliver(lane, lane.queue.shift() as ClaimedDelivery));
    if (lane.more) await claim(lane);
  }

  async function deliver(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    lane.underWay++;
    const startedAt = new Date();
    const result = await attemptDelivery(
      sender,
      lane.target,
      delivery.event,
      completeFileData,
      cut.signal,
    ).finally(() => lane.underWay--);
    lane.attemptedMs = performance.now();
    if ('kind' in result && breaksHttp(result)) lane.restsUntilMs = lane.attemptedMs + REST_MS;
    const outcome = outcomeOf(result);
    // The receiver wants no more events: start no attempt while this outcome is being written.
    if (outcome === 'gone') lane.closed = true;
    track(goOn(lane));
    if (cut.signal.aborted && 'error' in result) return releaseDeliveries(db, lane.endpoint, [delivery]);
    if (result.unsent)
      logger.warn({ err: result.unsent, eventId: delivery.eventId }, 'an event was not sent');
    metrics.count(WEBHOOK_ATTEMPTS, { outcome });
    observer.onTurn(JOB, outcome === 'delivered' ? 'done' : 'failed');
    await record(lane.endpoint.programId)(toOutcome(lane.endpoint.id, delivery, startedAt, result)).finally(
      () => {
        if (outcome === 'gone') close(lane);
      },
    );
  }

  function close(lane: Lane): void {
    if (lanes.get(lane.endpoint.id) === lane) lanes.delete(lane.endpoint.id);
    lane.closed = true;
    track(goOn(lane));
  }

  /** Whether a delivery is due that the last search for endpoints cannot have seen. */
  async function isAnyDue(): Promise<boolean> {
    const now = performance.now();
    const isOfAll = now - lookedAtAllMs >= LOOK_AT_ALL_EVERY_MS;
    // Before the first search the time is infinite, which PostgreSQL 16 and older refuse as an interval.
    const withinMs = isOfAll ? ANY_TIME_MS : Math.min(ANY_TIME_MS, now - searchedMs + COMMIT_WITHIN_MS);
    const { rows } = await db.eachProgram(
      () => listProgramIds(db),
      (id) => findDueWithin(db, withinMs, id),
    );
    if (isOfAll) lookedAtAllMs = now;
    return rows.length > 0;
  }

  async function look(): Promise<void> {
    for (const [id, lane] of lanes) {
      const { queue, underWay, claiming, closed } = lane;
      if (queue.length + underWay === 0 && !claiming && !closed && !isResting(lane)) lanes.delete(id);
    }
    const startedMs = performance.now();
    const waitedMs = [...lanes.values()].map((lane) => startedMs - lane.attemptedMs);
    observer.onLook(JOB, lanes.size, Math.max(0, ...waitedMs));
    if (lanes.size === 0 && !(await isAnyDue())) return;
    const { rows: endpoints, missed } = await db.eachProgram(
      () => listProgramIds(db),
      (id) => listDueEndpoints(db, [...lanes.keys()], id),
    );
    searchedMs = startedMs;
    // Their deliveries are found as soon as their node is available again.
    if (missed.size > 0) lookedAtAllMs = Number.NEGATIVE_INFINITY;
    const enabled = new Set(endpoints.map(({ id }) => id));
    for (const lane of [...lanes.values()])
      if (!enabled.has(lane.endpoint.id) && !missed.has(lane.endpoint.programId)) close(lane);
    await Promise.all(endpoints.map(open));
  }

  /**
   * Updates what is known of an endpoint, such as its secrets. An endpoint whose secrets cannot be opened does not
   * delay the others.
   */
  async function open(endpoint: SigningEndpoint): Promise<void> {
    const nowMs = Date.now();
    const signers = signersOf(endpoint, nowMs).join();
    const known = lanes.get(endpoint.id);
    if (known?.closed) return;
    let { secrets, reach } = known?.target ?? {};
    try {
      // The mode of a program, which decides the allowed addresses, never changes.
      reach ??= (await readProgram(db, endpoint.programId)).program.mode;
      if (!secrets || known?.signers !== signers) secrets = await openSecrets(keeper, db, endpoint, nowMs);
      unopened.delete(endpoint.id);
    } catch (error) {
      if (!unopened.has(endpoint.id))
        logger.error(
          { err: error, endpointId: endpoint.id },
          'deliveries to a webhook endpoint cannot be signed',
        );
      unopened.add(endpoint.id);
      return;
    }
    const attemptedMs = performance.now();
    const idle = {
      queue: [],
      underWay: 0,
      claiming: false,
      more: false,
      closed: false,
      attemptedMs,
      restsUntilMs: 0,
    };
    // The lane may have been closed while the secrets were opened.
    const lane = Object.assign(known?.closed === false ? known : idle, {
      endpoint,
      signers,
      target: { ...endpoint, reach, secrets },
    });
    lanes.set(endpoint.id, lane);
    track(goOn(lane));
    track(claim(lane));
  }

  let timer: NodeJS.Timeout;
  const lookIn = (ms: number) => {
    timer = setTimeout(() => {
      const startedMs = performance.now();
      const again = () => {
        if (!cut.signal.aborted) lookIn(pauseAfter(performance.now() - startedMs));
      };
      track(look().finally(again));
    }, ms).unref();
  };
  lookIn(0);

  return {
    stop: async () => {
      clearTimeout(timer);
      cut.abort();
      for (const lane of lanes.values()) track(goOn(lane));
      while (working.size > 0) await Promise.all(working);
    },
  };
}

const pauseAfter = (lookedMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(LOOK_EVERY_MS, lookedMs / LOOKING_SHARE));

/** Gathers the outcomes of each program that arrive during a write and writes them together. */
function createRecorder({ db, logger }: DeliveryServices, onDisabled: (endpointId: string) => void) {
  const recorders = new Map<string, (outcome: Outcome) => Promise<void>>();
  return (programId: string) => {
    const known = recorders.get(programId);
    if (known) return known;
    const recorder = gather(async (outcomes: Outcome[]) => {
      for (const { id, statusReason } of await recordOutcomes(db, programId, outcomes)) {
        logger.warn({ programId, endpointId: id, reason: statusReason }, 'a webhook endpoint was disabled');
        onDisabled(id);
      }
      return outcomes.map(() => undefined);
    });
    recorders.set(programId, recorder);
    return recorder;
  };
}
