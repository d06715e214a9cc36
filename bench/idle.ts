import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { localIdentity } from '../src/audit/entry.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { startEmbeddedPostgres } from '../src/db/embedded/supervisor.ts';
import { migrate } from '../src/db/migrate.ts';
import { insertEndpoint } from '../src/events/endpoint-queries.ts';
import { readActor } from '../src/programs/actor.ts';
import { moveClock } from '../src/programs/move-clock.ts';
import { openVault, type Vault } from '../src/vault/vault.ts';
import { networkTarget, spreadOver } from './authorize.ts';
import { cpuMs, familyCpuMs, knowsCpuTime, parentOf } from './cpu-time.ts';
import type { Figure } from './figures.ts';
import { fillNumberedCards } from './fill-numbers.ts';
import { fillTransactions } from './fill-transactions.ts';
import { sendLoad } from './http-load.ts';
import { findBackend, findLatestExpiry, vacuumAll } from './queries.ts';
import { addProgram, type Server, type Stage } from './stage.ts';

const DAY_MS = 86_400_000;
const HOLD_MS = 7 * DAY_MS;
/** Longer than jobs read records again after a clock was moved, and than it takes until new audit entries are verified. */
const QUIET_AFTER_MS = 150_000;
const LIMITS = { cores: 0.04, times: 1.5, more: 0.01, releaseMs: 6_000 };

/** A server and a PostgreSQL with programs in which nothing happens. */
interface Idle {
  db: Database;
  server: Server;
  postmaster: number;
  /** The program with one open hold. */
  programId: string;
  networkKey: string;
  cards: Awaited<ReturnType<typeof fillNumberedCards>>;
  close(): Promise<void>;
}

/** The CPU time of a server with a thousand quiet programs, and how soon a hold of one of them is released. */
export async function benchIdle(stage: Stage, quick: boolean): Promise<Figure[]> {
  if (!knowsCpuTime()) return [];
  const [programs, seconds] = quick ? [100, 20] : [1_000, 60];
  const one = await openIdle(stage, 1);
  const many = await openIdle(stage, programs);
  try {
    const releaseMs = QUIET_AFTER_MS + seconds * 1_000 + 10_000;
    await holdFor(many, releaseMs);
    await pause(QUIET_AFTER_MS);
    const [few, all] = await measure([one, many], seconds);
    await pause(10_000 + 2 * LIMITS.releaseMs);
    const lateMs = await findLatestExpiry(many.db, many.programId, HOLD_MS);
    return [...compare(programs, few as Cost, all as Cost), released(programs, lateMs)];
  } finally {
    await Promise.all([one.close(), many.close()]);
  }
}

async function openIdle(stage: Stage, programs: number): Promise<Idle> {
  const dir = mkdtempSync(join(tmpdir(), 'emboss-idle-'));
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
  await migrate(postgres.url);
  const db = openDatabase({ url: postgres.url, poolSize: 4, namedStatements: true, onIdleError: () => {} });
  const vault = await openVault(db, stage.masters);
  const first = await fillProgram(db, vault, 0);
  const cards = await fillNumberedCards({ db, vault, masters: stage.masters }, first.program, 1, 1);
  for (let index = 1; index < programs; index++) await fillProgram(db, vault, index);
  await vacuumAll(db);
  const server = await stage.startServer({ DATABASE_URL: postgres.url, DATA_DIR: dir });
  return {
    db,
    server,
    postmaster: parentOf(await findBackend(db)),
    programId: first.program.id,
    networkKey: first.networkKey,
    cards,
    async close() {
      await server.stop();
      await db.close();
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A program with an endpoint and a few transactions of last month; every third has a clock that was moved. */
async function fillProgram(db: Database, vault: Vault, index: number) {
  const added = await addProgram(db, vault, `Idle ${index}`);
  const { id: programId } = added.program;
  const cardIds = [randomUUID()];
  const [from, to] = [30, 20].map((days) => new Date(Date.now() - days * DAY_MS)) as [Date, Date];
  await fillTransactions(db, { programId, cardIds, count: 3, from, to });
  if (index % 3 === 1)
    await moveClock(db, await readActor(db, localIdentity('bench'), programId), {
      advanceMs: index * DAY_MS,
    });
  if (index > 0)
    await db.transaction((tx) =>
      insertEndpoint(tx, {
        programId,
        id: randomUUID(),
        url: 'https://shop.example/hooks',
        eventTypes: null,
        status: 'ENABLED',
        statusReason: null,
        createdAt: to,
        secretId: randomUUID(),
        previousSecretId: null,
        previousSignsUntil: null,
      }),
    );
  return added;
}

/** Holds money until so many milliseconds from now. */
async function holdFor({ db, server, programId, networkKey, cards }: Idle, ms: number): Promise<void> {
  await sendLoad(networkTarget(server.url, networkKey), 1, 1, spreadOver(cards));
  const actor = await readActor(db, localIdentity('bench'), programId);
  await moveClock(db, actor, { advanceMs: HOLD_MS - ms });
}

interface Cost {
  server: number;
  database: number;
}

/** The cores that each uses. */
async function measure(idle: readonly Idle[], seconds: number): Promise<Cost[]> {
  const look = () =>
    idle.map(({ server, postmaster }) => ({ server: cpuMs(server.pid), database: familyCpuMs(postmaster) }));
  const before = look();
  await pause(seconds * 1_000);
  return look().map(({ server, database }, index) => ({
    server: (server - (before[index] as Cost).server) / (seconds * 1_000),
    database: (database - (before[index] as Cost).database) / (seconds * 1_000),
  }));
}

const coresText = ({ server, database }: Cost): string =>
  `${(server + database).toFixed(4)} cores (${server.toFixed(4)} + ${database.toFixed(4)})`;

function compare(programs: number, one: Cost, many: Cost): Figure[] {
  const [few, all] = [one, many].map(({ server, database }) => server + database) as [number, number];
  const name = `idle CPU of ${programs} programs, server and PostgreSQL`;
  return [
    {
      name,
      measured: coresText(many),
      against: `${LIMITS.cores} cores`,
      ratio: all / LIMITS.cores,
      limit: { atMost: 1 },
    },
    {
      name,
      measured: coresText(many),
      against: `one program: ${coresText(one)}, ${LIMITS.times} times and ${LIMITS.more}`,
      ratio: all / (LIMITS.times * few + LIMITS.more),
      limit: { atMost: 1 },
    },
  ];
}

const released = (programs: number, lateMs: number | undefined): Figure => ({
  name: `release of a hold among ${programs} programs`,
  measured: lateMs === undefined ? 'never' : `${Math.round(lateMs)} ms after its end`,
  against: `${LIMITS.releaseMs} ms`,
  ratio: lateMs === undefined ? Number.POSITIVE_INFINITY : lateMs / LIMITS.releaseMs,
  limit: { atMost: 1 },
});
