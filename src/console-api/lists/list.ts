import type { TSchema } from 'typebox';
import type { ConsoleAction } from '../../audit/actions.ts';
import type { Filtered } from '../../lists/filter-queries.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import type { RangeQuery } from './range.ts';

/** A list of the console with filters. */
export interface ConsoleList<Query extends RangeQuery = RangeQuery> {
  path: 'cards' | 'transactions' | 'webhook-events';
  /** The audit entry of an export. */
  exported: ConsoleAction;
  /** For names in the API: `Cards`. */
  name: string;
  /** Schemas of the filters, without those of every list. */
  filters: Record<string, TSchema>;
  /** The 400 of a filter, as an example. */
  refusal: string;
  row: TSchema;
  example: unknown;
  /** The records that match. With a card, the list is the card's own. */
  match: (actor: Actor, query: Query) => Filtered & { cardId?: string | undefined };
  /** The records in the order of the ids. */
  read: (services: QueryServices, actor: Actor, ids: readonly string[]) => Promise<unknown[]>;
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
