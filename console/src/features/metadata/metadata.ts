import type { ProgramApi } from '../../lib/api.ts';

type Metadata = Readonly<Record<string, string>>;

/** The card or transaction that has it. */
export interface MetadataOwner {
  /** In sentences, such as "this card". */
  name: string;
  metadata: Metadata;
  /** Null removes a pair. */
  save: (api: ProgramApi, changes: Record<string, string | null>) => Promise<unknown>;
  /** The first part of its queries, below the program. */
  query: string;
}

export interface Row {
  id: number;
  key: string;
  value: string;
}

export const sortedPairs = (metadata: Metadata): Array<[key: string, value: string]> =>
  Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1));

/** Only what differs: another person may change other pairs at the same time. */
export function changesOf(before: Metadata, rows: readonly Row[]): Record<string, string | null> {
  const after = new Map(rows.map(({ key, value }) => [key.trim(), value]));
  const removed = Object.keys(before).filter((key) => !after.has(key));
  const set = [...after].filter(([key, value]) => !Object.hasOwn(before, key) || before[key] !== value);
  return Object.fromEntries([...removed.map((key) => [key, null] as const), ...set]);
}
