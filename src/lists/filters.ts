import { type TSchema, Type } from 'typebox';
import type { Bind } from '../db/bind.ts';
import { invalid } from '../kernel/error.ts';
import { isMetadataKey, KEY_RULE, labelOf } from '../kernel/metadata.ts';
import { isCleanText } from '../kernel/text.ts';
import type { Filtered, Lead } from './filter-queries.ts';
import type { List } from './queries.ts';

/** A filter of a list as data: the document, the check of what is given, the SQL and the tests of the plans come from it. */
export interface Filter<Context> {
  schema: TSchema;
  /** What serves it, so that a rare value is found as fast as a common one. Null: it narrows what others or the dates select. */
  index: string | null;
  /** Throws a 400 that names the field. A pair is given as its label. `all`: what else is given. */
  read: (given: string, field: string, context: Context, all: ReadonlyMap<string, unknown>) => Wanted;
}

export interface Wanted {
  /** The condition on a row `t`. */
  where: (bind: Bind, program: string) => string;
  /** How the index leads to the rows. */
  leads?: Lead[] | undefined;
  /** All rows to which the index leads meet the condition. */
  isExact?: boolean;
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

/** One pair of metadata, which `withLabel` finds in the table of labels whose primary key is the index. */
export const pairFilter = <Context>(
  index: string,
  withLabel: (label: string) => Wanted,
): Filter<Context> => ({
  schema: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 200 }), {
      description: 'One pair, as `metadata[order_id]=4711`.',
      examples: [{ order_id: '4711' }],
    }),
  ),
  index,
  read: (label, field) => {
    if (isCleanText(label)) return withLabel(label);
    throw invalid(field, 'must not contain control characters');
  },
});

/** The rows that match what is given. `within`: what the path names. */
export const matchingOf = <Context>(
  list: List,
  filters: Filters<Context>,
  given: object,
  context: Context,
  within: readonly Wanted[] = [],
): Filtered => {
  const values = new Map(Object.entries(given));
  return matchingAll(list, [
    ...within,
    ...Object.entries(filters).flatMap(([field, { read }]) => {
      const value = values.get(field);
      if (typeof value === 'string') return [read(value, field, context, values)];
      return Object.entries(value ?? {}).map(([key, text]) => {
        // No pair has another key, and one with an equals sign would find the pairs of a shorter key.
        if (!isMetadataKey(key)) throw invalid(field, KEY_RULE);
        return read(labelOf(key, String(text)), field, context, values);
      });
    }),
  ]);
};

export function matchingAll({ table }: List, wanted: readonly Wanted[]): Filtered {
  const [first, ...others] = wanted;
  const leading = wanted.find(({ leads }) => leads !== undefined);
  const conditionsOf = (those: readonly Wanted[]) => (bind: Bind, program: string) =>
    those.map(({ where }) => where(bind, program));
  return {
    table,
    leads: leading?.leads ?? [],
    conditions: conditionsOf(wanted),
    narrowing: conditionsOf(wanted.filter((each) => !(each === leading && each.isExact))),
    ...(others.length === 0 && first?.cardId !== undefined && { cardId: first.cardId }),
  };
}
