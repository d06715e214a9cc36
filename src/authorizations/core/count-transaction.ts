import { countChange } from '../../rules/velocity/counters.ts';
import type { Velocities } from './effects.ts';
import { type Countable, entriesOf } from './marks.ts';

/** Counts what a message changed of a transaction. A clearing without a merchant may get one later. */
export function countTransaction(
  velocities: Velocities | undefined,
  before: (Countable & { cardId: string }) | undefined,
  after: Countable & { cardId: string; id: string },
): void {
  if (!velocities) return;
  const { counters, subjectsOf: subjects } = velocities;
  const [entries, now] = [entriesOf(before), entriesOf(after)];
  const isElsewhere = before && subjects(before).CARD_MERCHANT !== subjects(after).CARD_MERCHANT;
  if (isElsewhere) countChange(counters, subjects(before), after.id, entries, []);
  countChange(counters, subjects(after), after.id, isElsewhere ? [] : entries, now);
}
