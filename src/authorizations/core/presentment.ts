import type { Day } from '../../kernel/calendar.ts';
import { basisPoints } from '../../kernel/money.ts';

/** The part that a reversal names. */
export interface ReversedMoney {
  billAmountMinor: bigint;
  /** Null: only the bill amount is known. */
  amountMinor: bigint | null;
  currency: string | null;
}

/** A clearing or a refund as the network presented it, and how much of it was reversed. */
export interface Presentment {
  kind: 'clearing' | 'refund';
  messageId: string;
  /** Both null: no card has the number, and the money is in suspense. */
  transactionId: string | null;
  cardId: string | null;
  amountMinor: bigint;
  currency: string;
  billMinor: bigint;
  /** In the merchant's currency, and in the card's. */
  reversedAmountMinor: bigint;
  reversedMinor: bigint;
  /** A clearing was marked as the last one. */
  final: boolean;
  /** The program's rate when it was presented: a reversal gives back what was earned. */
  interchangeBps: number;
  /** What the network said that we earn, instead of the rate; below zero, we pay. */
  interchangeMinor: bigint | null;
  /** The reference of the acquirer. */
  arn: string | null;
  /** The day on which a clearing counts in the card's limits. */
  countedOn: Day;
}

export const openOf = ({
  billMinor,
  reversedMinor,
}: Pick<Presentment, 'billMinor' | 'reversedMinor'>): bigint => billMinor - reversedMinor;

/** What the program has earned on it, less what was taken back; a refund gives interchange back. */
export function interchangeOf(presentment: Presentment): bigint {
  const { kind, billMinor, interchangeBps, interchangeMinor } = presentment;
  const openMinor = openOf(presentment);
  if (interchangeMinor !== null) return billMinor === 0n ? 0n : (interchangeMinor * openMinor) / billMinor;
  const earnedMinor = basisPoints(openMinor, interchangeBps);
  return kind === 'refund' ? -earnedMinor : earnedMinor;
}

/**
 * The clearing or refund after a part was taken back, and that part in the merchant's currency. It is as the network gave
 * it, or in proportion; the parts of a whole reversal add up to the whole.
 */
export function takeBack(before: Presentment, billMinor: bigint, part: ReversedMoney | undefined) {
  const openAmountMinor = before.amountMinor - before.reversedAmountMinor;
  const openMinor = openOf(before);
  const isKnown = part?.amountMinor != null && part.currency === before.currency;
  const partMinor = isKnown ? (part.amountMinor as bigint) : (openAmountMinor * billMinor) / openMinor;
  const amountMinor = billMinor === openMinor || partMinor > openAmountMinor ? openAmountMinor : partMinor;
  const after: Presentment = {
    ...before,
    reversedMinor: before.reversedMinor + billMinor,
    reversedAmountMinor: before.reversedAmountMinor + amountMinor,
  };
  return { after, amountMinor, currency: before.currency };
}
