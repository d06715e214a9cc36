import type { Day } from '../../kernel/calendar.ts';
import { basisPoints } from '../../kernel/money.ts';

/** A clearing or a refund as the network presented it, and how much of it was reversed. */
export interface Presentment {
  kind: 'clearing' | 'refund';
  messageId: string;
  transactionId: string;
  cardId: string;
  amountMinor: bigint;
  currency: string;
  billMinor: bigint;
  reversedMinor: bigint;
  /** The program's rate when it was presented: a reversal gives back what was earned. */
  interchangeBps: number;
  /** The day on which a clearing counts in the card's limits. */
  countedOn: Day;
}

export const openOf = ({ billMinor, reversedMinor }: Presentment): bigint => billMinor - reversedMinor;

export const interchangeOf = (presentment: Presentment): bigint =>
  basisPoints(openOf(presentment), presentment.interchangeBps);

/** What a reversal takes back in the merchant's currency. The parts of a whole reversal add up to the whole. */
export function reversedAmount(before: Presentment, after: Presentment): bigint {
  const { amountMinor, billMinor } = before;
  const upTo = (minor: bigint) => (amountMinor * minor) / billMinor;
  return upTo(after.reversedMinor) - upTo(before.reversedMinor);
}
