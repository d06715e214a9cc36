import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../src/db/database.ts';
import { prepareAuthorizeFunction } from './authorize-function.ts';

const DEBIAN = '/usr/lib/postgresql';

/** Where pgbench is, on the path or where Debian puts it; undefined where it is not installed. */
export function findPgbench(): string | undefined {
  if (spawnSync('pgbench', ['--version']).status === 0) return 'pgbench';
  try {
    return readdirSync(DEBIAN)
      .map((version) => join(DEBIAN, version, 'bin', 'pgbench'))
      .find((path) => spawnSync(path, ['--version']).status === 0);
  } catch {
    return undefined;
  }
}

export interface PgbenchRun {
  perSecond: number;
  latencyMs: number;
}

/** Authorizes on random cards by one SQL function per transaction, with no HTTP and no Node in between. */
export async function runPgbench(
  pgbench: string,
  { db, databaseUrl }: { db: Database; databaseUrl: string },
  cardIds: ReadonlyArray<{ programId: string; cardId: string }>,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<PgbenchRun> {
  await prepareAuthorizeFunction(db, cardIds);
  const dir = mkdtempSync(join(tmpdir(), 'emboss-pgbench-'));
  try {
    const script = join(dir, 'authorize.sql');
    writeFileSync(script, `\\set n random(1, ${cardIds.length})\nselect bench_authorize(:n);\n`);
    const threads = Math.min(2, clients);
    const options = ['-n', '-M', 'prepared', '-c', clients, '-j', threads, '-T', seconds, '-f', script];
    const output = await read(pgbench, [...options.map(String), databaseUrl]);
    return {
      perSecond: Number(/^tps = ([\d.]+)/m.exec(output)?.[1]),
      latencyMs: Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1]),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function read(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`pgbench ended with ${code}: ${output}`)),
    );
  });
}
