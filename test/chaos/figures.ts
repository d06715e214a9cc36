import { join } from 'node:path';
import { requestsOf } from './checker/check-effects.ts';
import type { Finding } from './checker/finding.ts';
import { groupBy } from './checker/rows.ts';
import { type Attempt, OPERATIONS, readHistory, readLines } from './history.ts';
import type { InjectedFault } from './inject-faults.ts';
import { RETURN_LIMIT_MS, SERVERS } from './plan.ts';
import type { ProcessRun } from './processes.ts';
import type { Received } from './receiver.ts';

/** The figures of a run. */
export interface Figures {
  minutes: number;
  kills: number;
  killsOf: Record<string, number>;
  /** Processes that were back after a kill, and how long their first success took from then on. */
  returns: number;
  slowestReturnMs: number;
  slowReturns: Array<{ name: string; ms: number }>;
  requests: number;
  acknowledged: number;
  lost: number;
  unknown: number;
  snapshots: number;
  delivered: number;
  /** How often each kind of fault struck. */
  struck: Record<string, number>;
  operationsNotReached: string[];
  /** Operations of which none was refused for a revoked key. */
  keysNotTried: string[];
}

/** Of a merchant and of a network. */
const WITH_OWN_KEYS = ['use key', 'authorization'] as const;

interface Run {
  dir: string;
  processRuns: readonly ProcessRun[];
  injectedFaults: readonly InjectedFault[];
  ranMs: number;
  snapshots: number;
  findings: readonly Finding[];
}

export function figuresOf({ dir, processRuns, injectedFaults, ranMs, snapshots, findings }: Run): Figures {
  const attempts = readHistory(join(dir, 'history.jsonl'));
  const returns = returnsOf(processRuns, injectedFaults, attempts);
  const struck: Record<string, number> = {};
  const writes = attempts
    .filter(({ operation }) => operation !== 'read')
    .sort((a, b) => a.invokedAt - b.invokedAt);
  const requests = requestsOf(writes);
  for (const injected of injectedFaults)
    if (injected.struck && met(injected, writes)) struck[injected.kind] = (struck[injected.kind] ?? 0) + 1;
  const reached = new Set(
    attempts.filter(({ outcome }) => outcome === 'ok').map(({ operation }) => operation),
  );
  const turnedAway = new Set(
    attempts.filter(({ status }) => status === 401).map(({ operation }) => operation),
  );
  const killed = processRuns.filter(({ end }) => end === 'SIGKILL');
  return {
    minutes: ranMs / 60_000,
    kills: killed.length,
    killsOf: Object.fromEntries(
      [...groupBy(killed, ({ name }) => name)].map(([name, of]) => [name, of.length]),
    ),
    returns: returns.length,
    slowestReturnMs: Math.round(Math.max(0, ...returns.map(({ ms }) => ms))),
    slowReturns: returns.filter(({ ms }) => ms > RETURN_LIMIT_MS),
    requests: requests.length,
    acknowledged: requests.filter(({ outcome }) => outcome === 'ok').length,
    lost: findings.filter(({ guarantee }) => guarantee === 'acknowledged is present').length,
    unknown: attempts.filter(({ outcome }) => outcome === 'unknown').length,
    snapshots,
    delivered: readLines<Received>(join(dir, 'received.jsonl')).filter(({ answer }) => answer === 200).length,
    struck,
    operationsNotReached: OPERATIONS.filter((operation) => !reached.has(operation)),
    keysNotTried: WITH_OWN_KEYS.filter((operation) => !turnedAway.has(operation)),
  };
}

/** Whether a client's request was in progress during the fault; otherwise it proves nothing. `writes` are sorted by their start. */
function met({ beganAt, endedAt }: InjectedFault, writes: readonly Attempt[]): boolean {
  // The last request before its end is the likeliest to have lasted through it.
  for (let index = firstAfter(writes, endedAt, ({ invokedAt }) => invokedAt) - 1; index >= 0; index--)
    if ((writes[index] as Attempt).returnedAt >= beganAt) return true;
  return false;
}

/** Of items in the order of their times, the index of the first that is later. */
function firstAfter<Item>(items: readonly Item[], at: number, timeOf: (item: Item) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle] as Item) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** From the moment in which a process was back to the first success; none if the next fault came too early. */
function returnsOf(
  processRuns: readonly ProcessRun[],
  injectedFaults: readonly InjectedFault[],
  attempts: readonly Attempt[],
): Array<{ name: string; ms: number }> {
  const successes = attempts
    .filter(({ outcome }) => outcome === 'ok')
    .sort((a, b) => a.returnedAt - b.returnedAt);
  const ofServer = SERVERS.map((_, index) => successes.filter((one) => one.index === index));
  return processRuns.flatMap(({ name, startedAt, readyAt }) => {
    const index = SERVERS.indexOf(name as (typeof SERVERS)[number]);
    const isFirst = !processRuns.some((other) => other.name === name && other.startedAt < startedAt);
    if (readyAt === undefined || isFirst || (index === -1 && name !== 'postgres')) return [];
    const own = ofServer[index] ?? successes;
    const first = own[firstAfter(own, readyAt, ({ returnedAt }) => returnedAt)];
    const until = first?.returnedAt ?? Number.POSITIVE_INFINITY;
    // A database needs a server to respond, and a server needs a database.
    const needed: readonly string[] = index === -1 ? SERVERS : ['postgres'];
    const isAlone = !processRuns.some(
      (processRun) => needed.includes(processRun.name) && isThere(processRun, readyAt),
    );
    // The kill itself may still be waiting for the return.
    const lasts = ({ fault, endedAt }: InjectedFault) => fault.what !== 'kill' && endedAt > readyAt;
    const decidedAt = Math.min(until, readyAt + RETURN_LIMIT_MS);
    const disturbed =
      isAlone ||
      injectedFaults.some(
        (injected) => injected.beganAt < decidedAt && (injected.beganAt > readyAt || lasts(injected)),
      );
    return disturbed ? [] : [{ name, ms: Math.round(until - readyAt) }];
  });
}

const isThere = ({ readyAt, endedAt }: ProcessRun, at: number): boolean =>
  readyAt !== undefined && readyAt < at && (endedAt === undefined || endedAt > at + RETURN_LIMIT_MS);

export const describeFigures = (figures: Figures, required: readonly string[]): string[] => [
  `${figures.minutes.toFixed(1)} minutes, ${figures.kills} kills survived: ${Object.entries(figures.killsOf)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}`,
  `${figures.requests} requests, ${figures.acknowledged} acknowledged, ${figures.lost} acknowledged writes lost, ${figures.unknown} answers lost`,
  `${figures.returns} returns after a kill, the slowest with its first success ${figures.slowestReturnMs} ms after it was back`,
  `${figures.snapshots} snapshots, ${figures.delivered} deliveries taken`,
  `fault coverage ${required.filter((kind) => figures.struck[kind]).length} of ${required.length}: ${required.map((kind) => `${kind} ${figures.struck[kind] ?? 0}`).join(', ')}`,
];
