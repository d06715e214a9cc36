import { actionsNamed, actionsOf, actionWords, PRESETS, type Preset, presetOf } from '../../audit/actions.ts';
import { type Entry, INSTALLATION_ID } from '../../audit/entry.ts';
import { type EntryFilter, filterEntries, listValues } from '../../audit/queries.ts';
import { cardholderIdsOf } from '../../cards/create-card.ts';
import { findLastFoursOfCards } from '../../cards/queries.ts';
import { findCardsOfCardholder } from '../../cards/search-queries.ts';
import type { Database } from '../../db/database.ts';
import { dayEndMs, dayStartMs, isDay } from '../../kernel/calendar.ts';
import { EmbossError, invalid } from '../../kernel/error.ts';
import { HIGHEST_ID, isId, LOWEST_ID, lowestIdAt } from '../../kernel/ids.ts';
import { isCleanText } from '../../kernel/text.ts';
import type { Operator } from '../../operators/operator.ts';
import type { Program } from '../../programs/program.ts';
import { PAGE_SIZE } from '../console-schema.ts';
import { nameActors, presentEntries } from '../history/present-entries.ts';
import { presentEnd } from '../lists/range.ts';
import { checkSearch } from '../search/check-search.ts';
import type { QueryServices } from '../services.ts';
import { targetOf } from './target.ts';

export interface AuditQuery {
  chain?: 'program' | 'installation';
  actor?: string;
  action?: string;
  preset?: Preset;
  text?: string;
  card_id?: string;
  customer_id?: string;
  from?: string;
  to?: string;
}

const SCAN = 5_000;
const EXPORT_AT_ONCE = 500;
const MOST_CARDS = 100;
const MOST_VALUES = 500;

/** The program id of the chain. Entries of the installation concern all programs. */
export function chainOf(operator: Operator, programId: string, chain: AuditQuery['chain']): string {
  if (chain !== 'installation') return programId;
  if (operator.programId === null) return INSTALLATION_ID;
  throw new EmbossError(403, 'chain: "installation" requires access to all programs');
}

/** Checks the filters of a query. */
export async function readFilter(
  { db, vault }: QueryServices,
  { id: programId, bin }: Pick<Program, 'id' | 'bin'>,
  { actor, action, preset, text, card_id: cardId, customer_id: customerId, from, to }: AuditQuery,
): Promise<EntryFilter> {
  for (const [field, given] of Object.entries({ from, to }))
    if (given !== undefined && !isDay(given)) throw invalid(field, 'must be a day such as 2026-11-15');
  for (const [field, given] of Object.entries({ actor, action }))
    if (!isCleanText(given ?? '')) throw invalid(field, 'must not contain control characters');
  if (cardId !== undefined && !isId(cardId)) throw invalid('card_id', 'must be a card id');
  return {
    actor,
    actions: chosenActions(action, preset),
    text: text === undefined ? undefined : searched(checkSearch({ bin }, text, 'text').toLowerCase()),
    cardIds: cardId ? [cardId] : customerId && (await cardsOf({ db, vault }, programId, customerId)),
    fromId: from === undefined ? LOWEST_ID : lowestIdAt(dayStartMs(from)),
    belowId: to === undefined ? HIGHEST_ID : lowestIdAt(dayEndMs(to)),
  } as EntryFilter;
}

/** Both given: the action, if it is in the preset. */
function chosenActions(action: string | undefined, preset: Preset | undefined): string[] | undefined {
  if (preset === undefined) return action === undefined ? undefined : [action];
  return actionsOf(preset).filter((each) => action === undefined || each === action);
}

const searched = (part: string) => ({ part, actions: actionsNamed(part) });

async function cardsOf({ db, vault }: QueryServices, programId: string, customerId: string) {
  const cardholderIds = cardholderIdsOf(vault, programId, customerId);
  return (await findCardsOfCardholder(db, programId, cardholderIds, MOST_CARDS)).map(({ id }) => id);
}

/** A page of entries, newest first. */
export async function readAudit(db: Database, chainId: string, filter: EntryFilter, beforeId = HIGHEST_ID) {
  const belowId = beforeId < filter.belowId ? beforeId : filter.belowId;
  const page = await filterEntries(db, chainId, { ...filter, belowId }, SCAN, PAGE_SIZE);
  const cardIds = page.entries.flatMap(({ cardId }) => cardId ?? []);
  const [presented, lastFours] = await Promise.all([
    presentEntries(db, chainId, page.entries),
    findLastFoursOfCards(db, chainId, [...new Set(cardIds)]),
  ]);
  return {
    results: presented.map((entry, index) => {
      const stored = page.entries[index] as Entry;
      return { ...entry, target: targetOf(stored, lastFours), facts: factsOf(stored) };
    }),
    ...presentEnd(page.restBelowId),
  };
}

/** The recorded values of an entry that has no state before it. */
function factsOf({ before, after }: Entry) {
  if (before !== null) return [];
  return Object.entries(after ?? {})
    .filter(([field]) => field !== 'reason')
    .map(([field, value]) => ({ field, value: typeof value === 'string' ? value : JSON.stringify(value) }));
}

/** The actors and actions of a chain, to choose from. */
export async function readFilters(db: Database, chainId: string) {
  const [actors, actions] = await Promise.all([
    listValues(db, chainId, 'actor', MOST_VALUES),
    listValues(db, chainId, 'action', MOST_VALUES),
  ]);
  const named = await nameActors(db, chainId, actors);
  return {
    actors: named.map((each, index) => ({ actor: actors[index] as string, ...each })),
    actions: actions.map((action) => ({
      action,
      words: actionWords(action),
      preset: presetOf(action) ?? null,
    })),
    presets: Object.entries(PRESETS)
      .filter(([preset]) => actions.some((action) => presetOf(action) === preset))
      .map(([preset, words]) => ({ preset: preset as Preset, words })),
  };
}

/** All entries that match, newest first. Each step reads a limited number of them. */
export async function* walkAudit(
  db: Database,
  chainId: string,
  filter: EntryFilter,
): AsyncGenerator<Entry[]> {
  let belowId: string | null = filter.belowId;
  while (belowId !== null) {
    const { entries, restBelowId }: { entries: Entry[]; restBelowId: string | null } = await filterEntries(
      db,
      chainId,
      { ...filter, belowId },
      SCAN,
      EXPORT_AT_ONCE,
    );
    yield entries;
    belowId = restBelowId;
  }
}
