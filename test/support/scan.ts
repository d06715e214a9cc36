import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { tableNames } from './catalog.ts';
import { sql } from './database.ts';
import { listEverything } from './sources.ts';

/** Something that must not be found, by the name it goes by in a failure (which must not show it either). */
export interface Needle {
  name: string;
  bytes: Buffer;
}

export const textNeedle = (name: string, text: string): Needle => ({ name, bytes: Buffer.from(text) });

/** A number gives itself away by all but its last four digits, in one piece or in groups, or as an integer. */
export function numberNeedles(name: string, number: string): Needle[] {
  const prefix = number.slice(0, 12);
  const groups = prefix.match(/.{4}/g) ?? [];
  const [little, big] = [Buffer.alloc(8), Buffer.alloc(8)];
  little.writeBigUInt64LE(BigInt(number));
  big.writeBigUInt64BE(BigInt(number));
  return [
    textNeedle(name, prefix),
    textNeedle(`${name} with spaces`, groups.join(' ')),
    textNeedle(`${name} with hyphens`, groups.join('-')),
    { name: `${name} as an integer`, bytes: little },
    { name: `${name} as an integer`, bytes: big },
  ];
}

/** `place: what` for everything that stands in a text, also written as hex or base64. */
export const find = (place: string, text: string, needles: Needle[]): string[] =>
  findBytes(
    place,
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

export const findBytes = (place: string, hay: Buffer, needles: Needle[]): string[] => [
  ...new Set(needles.filter(({ bytes }) => hay.includes(bytes)).map(({ name }) => `${place}: ${name}`)),
];

/** Every row of every table as text, which also sees through compression and binary forms. */
export async function dumpRows(url: string): Promise<Map<string, string>> {
  const dump = new Map<string, string>();
  for (const table of await tableNames(url)) {
    const rows = await sql<{ line: string }>(url, `select row::text as line from ${table} as row`);
    dump.set(table, rows.map((row) => row.line).join('\n'));
  }
  return dump;
}
