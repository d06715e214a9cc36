import { seededRandom, shuffled } from '../support/scripts/random.ts';

/** Which faults are injected, when, and which must have met something for a run to count. */

export const SERVERS = ['server-0', 'server-1'] as const;
const WORKERS = ['worker-0', 'worker-1'] as const;
export const ROLES = [...SERVERS, ...WORKERS] as const;
const OF_EVERY_RUN = [...ROLES, 'postgres', 'receiver'] as const;
/** With `--cluster`: `postgres` is the coordinator, and the data is on these. */
export const NODES = ['node-1', 'node-2'] as const;
export const PROCESSES = [...OF_EVERY_RUN, ...NODES] as const;
export type ProcessName = (typeof PROCESSES)[number];

/** After a process is back, its first success must come within this. */
export const RETURN_LIMIT_MS = 2_000;

/**
 * Ways through a proxy: from clients to a server, from a server or worker to the database, and from all of a cluster to a
 * node: the coordinator, the other node, and the servers, which go there by themselves.
 */
export const LINKS = [
  ...SERVERS.map((name) => `clients to ${name}`),
  ...ROLES.map((name) => `${name} to postgres`),
  ...NODES.map((name) => `cluster to ${name}`),
];

export type Fault =
  /** `calm`: until they are back for good, nothing else is done. */
  | { what: 'kill'; targets: readonly ProcessName[]; calm: boolean }
  | { what: 'pause'; target: ProcessName; ms: number }
  | { what: 'cut'; link: string; ms: number }
  | { what: 'half-open'; link: string; lost: 'all' | 'answers'; ms: number }
  | { what: 'full disk'; ms: number }
  | { what: 'failing sync'; target: ProcessName; syncs: number }
  | { what: 'clock step'; target: ProcessName; offsetMs: number; ms: number }
  | { what: 'interrupted migration'; also: 'postgres' | null }
  /** The program moves to the other node, and `killed` is killed after `ms` of it. */
  | { what: 'move'; killed: ProcessName; ms: number }
  | { what: 'kill between phases' };

/** `kind` is what coverage counts; `afterMs` from the end of the fault before. */
export type PlannedFault = Fault & { kind: string; afterMs: number };

type Make = (random: () => number) => Fault;

const oneOf = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item;
const between = (low: number, high: number, random: () => number): number =>
  Math.floor(low + (high - low) * random());
const pauseOf =
  (targets: readonly ProcessName[]): Make =>
  (random) => ({ what: 'pause', target: oneOf(targets, random), ms: between(300, 1_500, random) });
const killOf =
  (targets: readonly ProcessName[]): Make =>
  (random) => ({ what: 'kill', targets: [oneOf(targets, random)], calm: random() < CALM_SHARE });
const stepOf =
  (targets: readonly ProcessName[], mostMs: number): Make =>
  (random) => ({
    what: 'clock step',
    target: oneOf(targets, random),
    offsetMs: between(-mostMs, mostMs, random),
    ms: between(500, 1_500, random),
  });
const halfOpenOf =
  (end: RegExp): Make =>
  (random) => ({
    what: 'half-open',
    link: oneOf(
      LINKS.filter((link) => end.test(link)),
      random,
    ),
    lost: oneOf(['all', 'answers'] as const, random),
    ms: between(500, 2_000, random),
  });
const cutOf =
  (end: RegExp): Make =>
  (random) => ({
    what: 'cut',
    link: oneOf(
      LINKS.filter((link) => end.test(link)),
      random,
    ),
    ms: between(0, 500, random),
  });

const syncOf =
  (targets: readonly ProcessName[]): Make =>
  (random) => ({ what: 'failing sync', target: oneOf(targets, random), syncs: between(1, 4, random) });

const moveOf =
  (targets: readonly ProcessName[]): Make =>
  (random) => ({ what: 'move', killed: oneOf(targets, random), ms: between(0, 5_000, random) });

/** How soon the first success comes can be seen only where no other fault gets in between. */
const CALM_SHARE = 0.5;
const FROM_CLIENTS = /^clients/;
const TO_POSTGRES = /to postgres$/;

const KINDS: Record<string, Make> = {
  'kill a server': killOf(SERVERS),
  'kill a worker': killOf(WORKERS),
  'kill PostgreSQL': killOf(['postgres']),
  'kill the receiver': killOf(['receiver']),
  'kill all together': (random) => ({ what: 'kill', targets: OF_EVERY_RUN, calm: random() < CALM_SHARE }),
  'pause a server': pauseOf(SERVERS),
  'pause a worker': pauseOf(WORKERS),
  'pause PostgreSQL': pauseOf(['postgres']),
  'cut clients': cutOf(FROM_CLIENTS),
  'cut the database': cutOf(/^server.* to postgres$/),
  'half-open clients': halfOpenOf(FROM_CLIENTS),
  'half-open database': halfOpenOf(TO_POSTGRES),
  'full disk': (random) => ({ what: 'full disk', ms: between(500, 1_500, random) }),
  'failing sync': syncOf(['postgres']),
  'clock step of a process': stepOf(ROLES, 45_000),
  'clock step of PostgreSQL': stepOf(['postgres'], 20_000),
  'interrupted migration': (random) => ({
    what: 'interrupted migration',
    also: oneOf(['postgres', null] as const, random),
  }),
};

const TO_NODE = /to node/;

const CLUSTER_KINDS: typeof KINDS = {
  ...KINDS,
  'kill all together': (random) => ({ what: 'kill', targets: PROCESSES, calm: random() < CALM_SHARE }),
  'kill a node': killOf(NODES),
  'pause a node': pauseOf(NODES),
  'cut a node': cutOf(TO_NODE),
  'half-open node': halfOpenOf(TO_NODE),
  'failing sync of a node': syncOf(NODES),
  'clock step of a node': stepOf(NODES, 20_000),
  'move the program': moveOf(SERVERS),
  'interrupted move': moveOf(['postgres', ...NODES]),
  'prepared transactions left behind': () => ({ what: 'kill between phases' }),
};
const kindsOf = (cluster: boolean): typeof KINDS => (cluster ? CLUSTER_KINDS : KINDS);

/** What cannot be done on this machine, with the reason. */
export type Missing = Record<string, string>;

export const requiredKinds = (missing: Missing, cluster: boolean, only?: readonly string[]): string[] =>
  (only ?? Object.keys(kindsOf(cluster))).filter((kind) => !(kind in missing));

const SHORTEST_CUT_MS = 400;

/** Half as long where there is one of each kind alone; but a cut that ends at once would meet no request. */
const shortened = ({ what, ms }: { what: Fault['what']; ms: number }): number =>
  what === 'cut' ? Math.max(ms, SHORTEST_CUT_MS) : Math.ceil(ms / 2);

export interface Order {
  seed: number;
  minutes: number;
  only?: readonly string[] | undefined;
  missing: Missing;
  cluster: boolean;
  /** Whether to wait for the return after some of the kills, so that it can be judged. */
  awaitReturns: boolean;
}

/** Whole rounds of every kind in random order, until the run ends; one round in a run of 0 minutes. */
export function* planFaults(
  { seed, minutes, only, missing, cluster, awaitReturns }: Order,
  isTimeOver: () => boolean,
): Generator<PlannedFault> {
  const random = seededRandom(seed);
  const kinds = requiredKinds(missing, cluster, only);
  // With few faults, each must find something in progress.
  const [shortestGapMs, longestGapMs] = only ? [1_000, 2_500] : [100, minutes === 0 ? 400 : 900];
  do {
    for (const kind of shuffled(kinds, random)) {
      const fault = (kindsOf(cluster)[kind] as Make)(random);
      const afterMs = between(shortestGapMs, longestGapMs, random);
      const haste = {
        ...(!awaitReturns && 'calm' in fault && { calm: false }),
        ...(minutes === 0 && 'ms' in fault && { ms: shortened(fault) }),
      };
      yield { ...fault, ...haste, kind, afterMs };
    }
  } while (!isTimeOver());
}
