import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import {
  BUILT_EVERY_MS,
  type MetricValues,
  type ProcessMetrics,
  sumCounts,
  sumMetrics,
} from './http/metrics.ts';
import { shareRecent } from './kernel/share-recent.ts';
import type { PreparedDatabase } from './runtime.ts';

/** A process that ends this soon after its start waits longer and longer before it is started again. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const ANSWER_WITHIN_MS = 5_000;
/** A process that does not answer for so long is busy or has ended; its last values count. */
const VALUES_WITHIN_MS = 1_000;

/** What the supervising process passes to its API processes. */
export interface Shared {
  database: PreparedDatabase;
  metrics: Pick<ProcessMetrics, 'values'>;
  logger: Logger;
}

/**
 * Starts the API processes: this same command, each in a cluster worker, all on one port. Resolves when all accept
 * requests. One that ends is started again. All end with this process, also if it is killed.
 */
export async function startProcesses(
  count: number,
  { database, metrics, logger }: Shared,
): Promise<{ stop: () => Promise<void> }> {
  // Each process accepts its own connections. With round robin this process would accept all of them first, and nothing
  // limits how many of them wait in it.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  /** The API processes, each with a promise of its end. */
  const running = new Map<Worker, Promise<string>>();
  let isUp = false;
  let stopping = false;
  const sums = createSums(metrics);
  const answers = { database: async () => database, metrics: shareRecent(BUILT_EVERY_MS, sums.text) };
  // A process that hangs would not notice the end of this one.
  process.once('exit', () => {
    for (const { process: child } of running.keys()) child.kill('SIGKILL');
  });

  const start = async (pauseMs: number): Promise<void> => {
    const worker = cluster.fork();
    const startedMs = performance.now();
    sums.add(worker.id, openChannel(worker.process, answers));
    const ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? String(code)));
      // Without a pid it could not be created. Other errors are of a channel whose process is ending.
      worker.on('error', (error) => worker.process.pid ?? resolve(error.message));
    });
    running.set(worker, ended);
    let listened = false;
    void ended.then((end) => {
      running.delete(worker);
      sums.remove(worker.id);
      // One that never listened makes the start fail, and all stop.
      if ((isUp || listened) && !stopping) startAgain(pauseMs, performance.now() - startedMs, end);
    });
    const failed = ended.then((end) => {
      throw new Error(`an API process ended (${end}) before it was ready; the log says why`);
    });
    await Promise.race([once(worker, 'listening'), failed]);
    listened = true;
  };
  const startAgain = (pausedMs: number, livedMs: number, end: string): void => {
    const pauseMs =
      livedMs > LONGEST_PAUSE_MS ? 0 : Math.min(LONGEST_PAUSE_MS, pausedMs * 2 || FIRST_PAUSE_MS);
    logger.error({ end }, `an API process ended; a new one starts in ${pauseMs / 1000} s`);
    setTimeout(() => {
      if (stopping) return;
      start(pauseMs).then(
        () => logger.info('a new API process accepts requests'),
        () => {},
      );
    }, pauseMs);
  };
  const stop = async (): Promise<void> => {
    stopping = true;
    for (const { process: child } of running.keys()) child.kill('SIGTERM');
    await Promise.all(running.values());
  };

  try {
    await Promise.all(Array.from({ length: count }, () => start(0)));
    isUp = true;
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Called in an API process: what it gets from the process that started it. */
export async function joinProcesses(
  metrics: Pick<ProcessMetrics, 'values'>,
): Promise<{ database: PreparedDatabase; metricsText: () => Promise<string> }> {
  const request = openChannel(process as Peer, { values: metrics.values });
  return {
    database: await request<PreparedDatabase>('database', ANSWER_WITHIN_MS),
    metricsText: () => request('metrics', ANSWER_WITHIN_MS),
  };
}

/** The metrics of this process and of all API processes, also of those that have ended. */
function createSums(own: Pick<ProcessMetrics, 'values'>) {
  const processes = new Map<number, Request>();
  const latest = new Map<number, MetricValues>();
  let ended: Promise<MetricValues> = Promise.resolve([]);
  const read = async ([id, request]: [number, Request]): Promise<void> => {
    const values = await request<MetricValues>('values', VALUES_WITHIN_MS).catch(() => undefined);
    if (values && processes.has(id)) latest.set(id, values);
  };
  return {
    add: (id: number, request: Request): void => void processes.set(id, request),
    remove: (id: number): void => {
      const last = latest.get(id) ?? [];
      ended = ended.then((earlier) => sumCounts([earlier, last]));
      processes.delete(id);
      latest.delete(id);
    },
    text: async (): Promise<string> => {
      await Promise.all([...processes].map(read));
      return sumMetrics([await own.values(), await ended, ...latest.values()]);
    },
  };
}

/** One end of the channel between two processes. */
interface Peer {
  send(message: object, sent: () => void): boolean;
  on(event: 'message', listener: (message: Message) => void): unknown;
}
type Message = { id: number; request: string } | { id: number; answer: unknown };
type Request = <Answer>(name: string, withinMs: number) => Promise<Answer>;

/** Sends requests to the other process and answers its own. A lost channel is not reported: the other process has ended. */
function openChannel(peer: Peer, answers: Record<string, () => Promise<unknown>>): Request {
  const waiting = new Map<number, (answer: unknown) => void>();
  const send = (message: Message) => peer.send(message, () => {});
  let count = 0;
  peer.on('message', (message) => {
    if ('answer' in message) waiting.get(message.id)?.(message.answer);
    else
      answers[message.request]?.().then(
        (answer) => send({ id: message.id, answer }),
        // The other process waits no longer than it has to.
        () => {},
      );
  });
  return (name, withinMs) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      const settle = (act: () => void) => () => {
        clearTimeout(timer);
        waiting.delete(id);
        act();
      };
      const timer = setTimeout(
        settle(() => reject(new Error(`no answer to "${name}" from another process of this server`))),
        withinMs,
      );
      waiting.set(id, (answer) => settle(() => resolve(answer as never))());
      send({ id, request: name });
    });
}
