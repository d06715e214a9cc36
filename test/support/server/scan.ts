import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { tableNames } from '../database/catalog.ts';
import { sql } from '../database/database.ts';
import { listEverything } from '../scripts/list-files.ts';

/** Something that must not be found, by the name it goes by in a failure (which must not show it either). */
export interface Needle {
  name: string;
  bytes: Buffer;
}

export const textNeedle = (name: string, text: string): Needle => ({ name, bytes: Buffer.from(text) });

/** Separators between the groups of a written number. */
export const SEPARATORS = [' ', '-', '.', '_', '/', '%20', '\u2013', '\u00a0'];

/** A number gives itself away by all but its last four digits, in one piece or in groups, or as an integer. */
export function numberNeedles(name: string, number: string): Needle[] {
  const prefix = number.slice(0, 12);
  const groups = prefix.match(/.{4}/g) ?? [];
  const [little, big] = [Buffer.alloc(8), Buffer.alloc(8)];
  little.writeBigUInt64LE(BigInt(number));
  big.writeBigUInt64BE(BigInt(number));
  return [
    textNeedle(name, prefix),
    ...SEPARATORS.map((by) => textNeedle(`${name} in groups with "${by}"`, groups.join(by))),
    { name: `${name} as an integer`, bytes: little },
    { name: `${name} as an integer`, bytes: big },
  ];
}

/** `source: what` for everything that a text contains, also as hex or base64. */
export const find = (source: string, text: string, needles: Needle[]): string[] =>
  findBytes(
    source,
    Buffer.from(text),
    needles.flatMap(({ name, bytes }) => [
      { name, bytes },
      textNeedle(name, bytes.toString('hex')),
      textNeedle(name, bytes.toString('base64').replace(/=+$/, '')),
    ]),
  );

/** Every file of a directory as it lies on the disk: tables, indexes, dead rows, write-ahead log, server log. */
export const findInFiles = (directory: string, needles: Needle[]): string[] =>
  listEverything(directory).flatMap((path) =>
    findBytes(relative(directory, path), readFileSync(path), needles),
  );

export const findBytes = (source: string, hay: Buffer, needles: Needle[]): string[] => [
  ...new Set(needles.filter(({ bytes }) => hay.includes(bytes)).map(({ name }) => `${source}: ${name}`)),
];

export interface Backup {
  /** What made it, for messages. */
  by: string;
  text: string;
}

/** A backup as an operator makes it: with `pg_dump` where there is one that knows the server, else by COPY. */
export async function makeBackup(url: string): Promise<Backup> {
  const { status, stdout, stderr, error } = spawnSync('pg_dump', [url], {
    encoding: 'latin1',
    maxBuffer: 2 ** 29,
  });
  if (status === 0) return { by: 'pg_dump', text: stdout };
  const why = error ? 'is not installed' : `says: ${stderr.trim().split('\n').join(' ')}`;
  return { by: `COPY of every table, for pg_dump ${why}`, text: await copyTables(url) };
}

async function copyTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const parts: string[] = [];
    for (const table of await tableNames(url)) {
      parts.push(`COPY ${table}\n`);
      const rows = client.query(
        copyTo(`copy (select * from ${table}) to stdout`) as never,
      ) as unknown as Readable;
      for await (const chunk of rows) parts.push(String(chunk));
    }
    return parts.join('');
  } finally {
    await client.end();
  }
}

/** Every row of every table as text, which also sees through compression and binary forms. */
export async function dumpRows(url: string): Promise<Map<string, string>> {
  const dump = new Map<string, string>();
  for (const table of await tableNames(url)) {
    const rows = await sql<{ line: string }>(url, `select row::text as line from ${table} as row`);
    dump.set(table, rows.map((row) => row.line).join('\n'));
  }
  return dump;
}
