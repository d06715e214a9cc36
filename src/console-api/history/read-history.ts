import { listAuditBelow } from '../../audit/queries.ts';
import { findCard } from '../../cards/queries.ts';
import { notFound } from '../../kernel/error.ts';
import { HIGHEST_ID, isId } from '../../kernel/ids.ts';
import { findKeyNames } from '../../programs/queries.ts';
import { PAGE_SIZE, pageOfRecords } from '../console-schema.ts';
import type { QueryServices } from '../services.ts';
import { type ActorName, parseActor, presentEntry } from './entry.ts';

/** A card's audit entries, newest first. */
export async function readHistory(
  { db }: Pick<QueryServices, 'db'>,
  programId: string,
  cardId: string,
  beforeId = HIGHEST_ID,
) {
  if (!isId(cardId)) throw notFound();
  const [card, rows] = await Promise.all([
    findCard(db, programId, cardId),
    listAuditBelow(db, programId, cardId, beforeId, PAGE_SIZE + 1),
  ]);
  if (!card) throw notFound();
  const { results, next } = pageOfRecords(rows, PAGE_SIZE);
  const actors = results.map((row) => parseActor(row.actor));
  const keyIds = actors.filter(({ kind }) => kind === 'key').map(({ name }) => name);
  const keyNames = await findKeyNames(db, programId, [...new Set(keyIds)].filter(isId));
  const nameOf = ({ kind, name }: ActorName) => (kind === 'key' && keyNames.get(name)) || name;
  return {
    results: results.map((row, index) => {
      const actor = actors[index] as ActorName;
      return presentEntry(row, { ...actor, name: nameOf(actor) });
    }),
    next,
  };
}
