import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
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
  const script = `\\set n random(1, ${cardIds.length})\nselect bench_authorize(:n);\n`;
  const threads = Math.min(2, clients);
  const options = ['-n', '-M', 'prepared', '-c', clients, '-j', threads, '-T', seconds, '-f', '-'];
  const output = await read(pgbench, [...options.map(String), databaseUrl], script);
  return {
    perSecond: Number(/^tps = ([\d.]+)/m.exec(output)?.[1]),
    latencyMs: Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1]),
  };
}

function read(command: string, args: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {}).end(input);
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
