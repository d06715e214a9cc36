import type { CardContext } from '../../../src/cards/filters.ts';
import type { Filtered } from '../../../src/lists/filter-queries.ts';
import { type Filter, matchingOf } from '../../../src/lists/filters.ts';
import type { List } from '../../../src/lists/queries.ts';

const ID = '00000000-0000-7000-8000-000000000000';

interface Sample {
  name: string;
  /** What serves it. */
  index: string | null;
  matching: Filtered;
}

/** Each filter of a list with each value of its enumeration, or with one value. */
export function everyFilter(
  list: List,
  filters: Record<string, Filter<CardContext>> | Record<string, Filter<unknown>>,
  context: CardContext,
  known: Record<string, string> = {},
): Sample[] {
  return Object.entries(filters as Record<string, Filter<CardContext>>).flatMap(
    ([field, { schema, index }]) => {
      const {
        enum: values,
        examples,
        maxLength,
      } = schema as {
        enum?: string[];
        examples?: string[];
        maxLength?: number;
      };
      const one = known[field] ?? examples?.[0] ?? (maxLength === 36 ? ID : 'none');
      return (values ?? [one]).map((value) => ({
        name: `${field}=${value}`,
        index,
        matching: matchingOf(
          list,
          filters as Record<string, Filter<CardContext>>,
          { [field]: value },
          context,
        ),
      }));
    },
  );
}
