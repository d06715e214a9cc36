import { findSpending } from '../../cards/counter-queries.ts';
import { findCard } from '../../cards/queries.ts';
import { limitsAt } from '../../cards/temporary-limits.ts';
import type { Queryable } from '../../db/database.ts';
import { dayOf } from '../../kernel/calendar.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { amountToNumber } from '../../kernel/money.ts';
import type { Actor } from '../../programs/actor.ts';
import { resetOf, SPEND_LIMITS, type SpendLimit, USES } from '../core/spend-limits.ts';

/** `used + remaining = limit`, always: a clearing above its hold can leave less than nothing. */
export interface PresentedUse {
  limit: number;
  used: number;
  remaining: number;
  resetsAt: string | null;
}

/** What is used of each limit of a card, in program time. Null: there is no such limit. */
export async function limitUse(
  db: Queryable,
  actor: Actor,
  cardId: string,
): Promise<Record<SpendLimit, PresentedUse | null>> {
  const { id: programId } = actor.program;
  const [card, spending] = isId(cardId)
    ? await Promise.all([findCard(db, programId, cardId), findSpending(db, programId, cardId)])
    : [];
  if (!card || !spending) throw notFound();
  const nowMs = actor.now();
  const today = dayOf(nowMs);
  const limited = { ...limitsAt(card, nowMs), ...spending };
  const money = (minor: bigint) => amountToNumber(minor, card.currency);
  const uses = SPEND_LIMITS.map((name) => {
    const [limitMinor, usedMinor] = USES[name](limited, today);
    if (limitMinor === null) return [name, null];
    const remaining = money(limitMinor - usedMinor);
    return [
      name,
      { limit: money(limitMinor), used: money(usedMinor), remaining, resetsAt: resetOf(name, today) },
    ];
  });
  return Object.fromEntries(uses);
}
