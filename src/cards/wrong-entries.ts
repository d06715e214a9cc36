import { localIdentity } from '../audit/entry.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../programs/actor.ts';
import type { LockedCard } from './card.ts';
import { recordCardChange } from './change-card.ts';
import { updateWrongEntries } from './counter-queries.ts';
import { updateBlocked } from './queries.ts';

const ENTRIES_TO_BLOCK = 10;
const WINDOW_MS = 24 * 3_600_000;

export const suspectedFraud = (how: 'cvv attempts' | 'guessing') => ({
  status: 'BLOCKED' as const,
  statusReason: `fraud suspected: ${how}`,
  reasonCode: 'FRAUD' as const,
});

/** The times of wrong expiry dates and CVVs with one more. The 24 hours are a sliding window. */
export const addWrongEntry = (wrongEntries: readonly Date[], nowMs: number): Date[] => [
  ...wrongEntries.filter((at) => at.getTime() >= nowMs - WINDOW_MS),
  new Date(nowMs),
];

export const isGuessed = (wrongEntries: readonly Date[]): boolean => wrongEntries.length >= ENTRIES_TO_BLOCK;

/** Counts a wrong expiry date outside of an authorization; the tenth blocks the card. Returns how many there are now. */
export async function recordWrongEntry(
  tx: Tx,
  actor: Actor,
  card: LockedCard,
  recordedBy: string,
): Promise<number> {
  const wrongEntries = addWrongEntry(card.wrongEntries, actor.now());
  updateWrongEntries(tx, { ...card, wrongEntries });
  if (isGuessed(wrongEntries)) {
    const after = { ...card, ...suspectedFraud('guessing') };
    updateBlocked(tx, after, actor.now());
    await recordCardChange(tx, { ...actor, ...localIdentity(recordedBy) }, 'card.blocked', card, after);
  }
  return wrongEntries.length;
}
