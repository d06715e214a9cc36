import type { Queryable } from '../../db/database.ts';
import { HIGHEST_ID } from '../../kernel/ids.ts';
import type { Program } from '../../programs/program.ts';
import type { ProgramRules } from '../../rules/rule.ts';
import type { AttemptCard } from '../core/rule-attempt.ts';
import type { Counted } from '../core/spending.ts';
import { listEarlierEvents } from './queries.ts';
import { newReplay } from './replay.ts';
import { replayEarlier } from './replay-event.ts';

/** How transactions would count if the velocities of now had always been there, by their ids. */
export async function replayCounts(
  db: Queryable,
  program: Program,
  rules: ProgramRules,
  cards: Iterable<AttemptCard>,
  transactionIds: readonly string[],
): Promise<Map<string, readonly Counted[]>> {
  const replay = newReplay(program, rules, { fromMs: Number.POSITIVE_INFINITY, isAsIfActive: false });
  for (const card of cards) replay.cards.set(card.cardId, { ...card, customerId: card.cardId });
  const belowIds = new Map(transactionIds.map((id) => [id, HIGHEST_ID]));
  for (const event of await listEarlierEvents(db, program.id, belowIds)) replayEarlier(replay, event);
  return new Map([...replay.pasts].map(([id, { counted }]) => [id, counted]));
}
