import { invalid } from './error.ts';

/** The merchant's labels of a card or a transaction. */
export type Metadata = Readonly<Record<string, string>>;

/** Null removes a pair. */
export type MetadataChanges = Readonly<Record<string, string | null>>;

const MOST_PAIRS = 20;

/** For schemas too, which take it as text. `__proto__` would set an object's prototype. */
export const KEY_PATTERN = '^(?!__proto__$)[A-Za-z0-9_.-]{1,40}$';
export const KEY_RULE = 'keys must be 1 to 40 characters, of A-Z a-z 0-9 _ - . only';
const KEY = new RegExp(KEY_PATTERN);
export const isMetadataKey = (text: string): boolean => KEY.test(text);

export interface MergedMetadata {
  /** Null: no pairs. It is stored like this. */
  metadata: Metadata | null;
  /** The keys whose values changed. */
  changed: string[];
  /** What the labels in the database gain and lose. */
  labels: { added: string[]; removed: string[] };
}

export function mergeMetadata(before: Metadata | null, changes: MetadataChanges): MergedMetadata {
  const pairs = new Map(Object.entries(before ?? {}));
  for (const [key, value] of Object.entries(changes))
    if (value === null) pairs.delete(key);
    else pairs.set(key, value);
  if (pairs.size > MOST_PAIRS) throw invalid('metadata', `must have at most ${MOST_PAIRS} pairs`);
  const metadata = pairs.size === 0 ? null : Object.fromEntries(pairs);
  const [old, now] = [labelsOf(before), labelsOf(metadata)];
  return {
    metadata,
    changed: Object.keys(changes)
      .filter((key) => valueIn(before, key) !== pairs.get(key))
      .sort(),
    labels: {
      added: now.filter((label) => !old.includes(label)),
      removed: old.filter((label) => !now.includes(label)),
    },
  };
}

const valueIn = (metadata: Metadata | null, key: string): string | undefined =>
  metadata && Object.hasOwn(metadata, key) ? metadata[key] : undefined;

/** By which an index finds a pair. A key has no equals sign, so different pairs have different labels. */
export const labelOf = (key: string, value: string): string => `${key}=${value}`;

const labelsOf = (metadata: Metadata | null): string[] =>
  Object.entries(metadata ?? {}).map(([key, value]) => labelOf(key, value));
