import type { Static } from 'typebox';
import { findSpending } from '../../cards/counter-queries.ts';
import { findCard } from '../../cards/queries.ts';
import { presentControls } from '../../cards/spend-controls.ts';
import { limitsAt } from '../../cards/temporary-limits.ts';
import { presentUsage } from '../../cards/usage.ts';
import type { Queryable } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { amountToNumber } from '../../kernel/money.ts';
import type { Actor } from '../../programs/actor.ts';
import { usesOf } from './limit-use.ts';
import type { SpendControlsUse } from './schema.ts';

/** The spend controls of a card in force now, with what is used of the limits, in program time. */
export async function readSpendControls(
  db: Queryable,
  actor: Actor,
  cardId: string,
): Promise<Static<typeof SpendControlsUse>> {
  const { id: programId } = actor.program;
  const [card, spending] = isId(cardId)
    ? await Promise.all([findCard(db, programId, cardId), findSpending(db, programId, cardId)])
    : [];
  if (!card || !spending) throw notFound();
  const nowMs = actor.now();
  const money = (minor: bigint) => amountToNumber(minor, card.currency);
  const uses = Object.entries(usesOf({ ...card, ...spending }, nowMs)).map(([name, use]) => [
    name,
    use && {
      limit: money(use.limitMinor),
      used: money(use.usedMinor),
      remaining: money(use.remainingMinor),
      resetsAt: use.resetsAt,
    },
  ]);
  const usage = presentUsage(card.usage, spending.used);
  return { ...presentControls(limitsAt(card, nowMs), nowMs), ...Object.fromEntries(uses), usage };
}
