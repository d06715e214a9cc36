import type { Entry } from '../../rules/velocity/entries.ts';
import type { Counted } from './spending.ts';
import type { TransactionRecord } from './transaction.ts';
import { counts } from './usage.ts';

/** How a part of a transaction counts in velocities. */
export interface Mark {
  /** When it was attempted, in milliseconds. No other part of the transaction has this time. */
  atMs: number;
  /** The numbers of the velocities whose `where` the attempt met. */
  velocities: readonly number[];
  /** Of a purchase: what made it count, or more of it. */
  kind: 'purchase' | 'more' | 'decline';
}

/** The mark of a further attempt. Undefined: no velocity counts it. */
export function markOf(
  counted: readonly Counted[],
  velocities: readonly number[],
  nowMs: number,
  kind: 'purchase' | 'decline' = 'purchase',
): Mark | undefined {
  if (velocities.length === 0) return undefined;
  const known = counted.flatMap(({ mark }) => mark ?? []);
  const isMore = kind === 'purchase' && known.some((mark) => mark.kind === 'purchase');
  const atMs = known.reduce((latest, mark) => Math.max(latest, mark.atMs + 1), nowMs);
  return { atMs, velocities, kind: isMore ? 'more' : kind };
}

/** What is cleared above its hold counts with the approval. */
export const firstMark = (counted: readonly Counted[]): Mark | undefined =>
  counted.find(({ mark }) => mark?.kind === 'purchase')?.mark;

/** What a transaction counts in velocities. A purchase counts while something of it is held or has cleared. */
export function entriesOf(
  transaction:
    | Pick<TransactionRecord, 'counted' | 'kind' | 'heldMinor' | 'clearedMinor' | 'acceptor'>
    | undefined,
): Entry[] {
  if (!transaction) return [];
  const isOpen = Number(counts(transaction));
  return transaction.counted.flatMap(({ minor, mark }) => {
    if (!mark) return [];
    const { atMs, velocities, kind } = mark;
    return [{ atMs, velocities, minor, count: { purchase: isOpen, more: 0, decline: 1 }[kind] }];
  });
}
