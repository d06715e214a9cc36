/** What came before the purchase that it names. */
export interface Early {
  /** What was reversed, in minor units of the card's currency. */
  reversed?: string | 'all';
  /** The network got no response to the authorization, and has undone it. */
  timedOut?: boolean;
  /** The transactions of refunds. */
  refunds?: string[];
  /** The message is itself a refund, of a number that no card has. */
  unmatched?: boolean;
}

export const isReversedEarly = (early: Early | null): boolean =>
  early?.reversed !== undefined || early?.timedOut === true;

/** What is left of an advice's amount, which only a reversal without a time-out reduces. */
export function leftAfterReversal(early: Early | null, billMinor: bigint): bigint {
  if (early?.reversed === undefined) return billMinor;
  const leftMinor = early.reversed === 'all' ? 0n : billMinor - BigInt(early.reversed);
  return leftMinor > 0n ? leftMinor : 0n;
}
