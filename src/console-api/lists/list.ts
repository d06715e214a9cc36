import type { TSchema } from 'typebox';
import type { ConsoleAction } from '../../audit/actions.ts';
import type { CardContext } from '../../cards/filters.ts';
import type { Filtered } from '../../lists/filter-queries.ts';
import { type Filters, matchingOf } from '../../lists/filters.ts';
import type { List } from '../../lists/queries.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';

/** A list of the console with filters. */
export interface ConsoleList {
  path: 'cards' | 'transactions' | 'webhook-events';
  /** The audit entry of an export. */
  exported: ConsoleAction;
  /** For names in the API: `Cards`. */
  name: string;
  list: List;
  filters: Filters<CardContext>;
  /** Throws a 400 if values do not belong together. */
  check?: (given: object, actor: Actor) => void;
  /** The 400 of a filter, as an example. */
  refusal: string;
  row: TSchema;
  example: unknown;
  /** The records in the order of the ids. */
  read: (services: QueryServices, actor: Actor, ids: readonly string[]) => Promise<unknown[]>;
}

/** The records that match. */
export function recordsMatching(
  { list, filters, check }: ConsoleList,
  { vault }: QueryServices,
  actor: Actor,
  given: object,
): Filtered {
  check?.(given, actor);
  return matchingOf(list, filters, given, { vault, actor });
}

/** Sorts records as their ids. */
export function inOrder<Item>(
  ids: readonly string[],
  items: readonly Item[],
  idOf: (item: Item) => string,
): Item[] {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
