import { formatTimestamp } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { BUILT_IN_LISTS } from './language/built-in-lists.ts';
import type { ListType } from './language/fields.ts';
import { readCountry, readMcc, readMerchantId, readText, type ValueReader } from './language/values.ts';

/** Of one list. */
export const MOST_VALUES = 10_000;
/** Of one program. */
export const MOST_LISTS = 100;

/** Without a colon, which the names of shipped lists have. */
export const LIST_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** A merchant's list; the vault has its values. */
export interface ValueList {
  programId: string;
  name: string;
  id: string;
  type: ListType;
  size: number;
  /** Names its values in the vault: other values have another one. */
  valuesId: string;
  createdAt: Date;
  updatedAt: Date;
}

const READERS: Record<ListType, ValueReader> = {
  merchant: readMerchantId,
  country: readCountry,
  mcc: readMcc,
  customer: readText,
  text: readText,
};

/** The values as conditions compare them, each once. Throws a 400 that names the first wrong one. */
export const readValues = (type: ListType, values: readonly unknown[], currency: string): string[] => [
  ...new Set(values.map((value, index) => String(READERS[type](`values[${index}]`, value, currency)))),
];

export function requireSize(values: readonly string[]): void {
  if (values.length > MOST_VALUES)
    throw invalid('values', `a list can have at most ${MOST_VALUES} values, and would have ${values.length}`);
}

export const presentList = ({ name, type, size, createdAt, updatedAt }: ValueList) => ({
  ...{ name, type, size, readOnly: false },
  createdAt: formatTimestamp(createdAt),
  updatedAt: formatTimestamp(updatedAt),
});
export type PresentedList = Omit<ReturnType<typeof presentList>, 'createdAt' | 'updatedAt'> & {
  createdAt: string | null;
  updatedAt: string | null;
};

/** The lists that are shipped. */
export const builtInLists = (): PresentedList[] =>
  [...BUILT_IN_LISTS].map(([name, { type, values }]) => ({
    ...{ name, type, size: values.size, readOnly: true },
    ...{ createdAt: null, updatedAt: null },
  }));
