import type { TSchema } from 'typebox';
import type { Bind } from '../db/bind.ts';
import type { Filtered, Lead } from './filter-queries.ts';
import type { List } from './queries.ts';

/** A filter of a list as data: the document, the check of what is given, the SQL and the tests of the plans come from it. */
export interface Filter<Context> {
  schema: TSchema;
  /** What serves it, so that a rare value is found as fast as a common one. Null: it narrows what others or the dates select. */
  index: string | null;
  /** Throws a 400 that names the field. `all`: what else is given. */
  read: (given: string, field: string, context: Context, all: ReadonlyMap<string, unknown>) => Wanted;
}

export interface Wanted {
  /** The condition on a row `t`. */
  where: (bind: Bind, program: string) => string;
  /** How the index leads to the rows. */
  leads?: Lead[] | undefined;
  /** These are all rows of one card, whose number is known. */
  cardId?: string;
}

/** The most selective first: the first one that is given and has an index leads. */
export type Filters<Context> = Record<string, Filter<Context>>;

export const schemasOf = <Name extends string>(
  filters: Record<Name, Pick<Filter<never>, 'schema'>>,
): Record<Name, TSchema> =>
  Object.fromEntries(
    Object.entries<Pick<Filter<never>, 'schema'>>(filters).map(([name, { schema }]) => [name, schema]),
  ) as Record<Name, TSchema>;

export const isFiltered = (filters: Filters<never>, given: object): boolean =>
  Object.keys(given).some((name) => name in filters);

/** The rows that match what is given. */
export const matchingOf = <Context>(
  list: List,
  filters: Filters<Context>,
  given: object,
  context: Context,
): Filtered => {
  const values = new Map(Object.entries(given));
  return matchingAll(
    list,
    Object.entries(filters).flatMap(([field, { read }]) => {
      const value = values.get(field);
      return typeof value === 'string' ? [read(value, field, context, values)] : [];
    }),
  );
};

export function matchingAll({ table }: List, wanted: readonly Wanted[]): Filtered {
  const [first, ...others] = wanted;
  return {
    table,
    leads: wanted.find(({ leads }) => leads !== undefined)?.leads ?? [],
    conditions: (bind, program) => wanted.map(({ where }) => where(bind, program)),
    ...(others.length === 0 && first?.cardId !== undefined && { cardId: first.cardId }),
  };
}
