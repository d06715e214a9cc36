import { findCard } from '../../cards/queries.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import type { Actor } from '../../programs/actor.ts';
import type { QueryServices } from '../services.ts';
import { type Part, readTimeline } from './read-timeline.ts';

/** The timeline of one card. */
export async function readCardTimeline(
  services: Pick<QueryServices, 'db' | 'vault'>,
  actor: Actor,
  cardId: string,
  parts: readonly Part[],
  beforeId: string | undefined,
): ReturnType<typeof readTimeline> {
  if (!isId(cardId) || !(await findCard(services.db, actor.program.id, cardId))) throw notFound();
  return readTimeline(services, actor, { cardIds: [cardId] }, parts, beforeId);
}
