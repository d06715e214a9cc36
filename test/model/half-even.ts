/**
 * A share of an amount in basis points, rounded half to even: an oracle that shares nothing with the product. It weighs
 * both whole numbers around the exact fraction by their distance from it, as integers over 10,000.
 */
export function halfEvenShare(amountMinor: bigint, bps: number): bigint {
  const exact = amountMinor * BigInt(bps);
  // Of a negative amount, by its absolute value.
  if (exact < 0n) return -halfEvenShare(amountMinor, -bps);
  const below = exact / 10_000n;
  const distance = (candidate: bigint): bigint => {
    const gap = candidate * 10_000n - exact;
    return gap < 0n ? -gap : gap;
  };
  const [toBelow, toAbove] = [distance(below), distance(below + 1n)];
  if (toBelow !== toAbove) return toBelow < toAbove ? below : below + 1n;
  return below % 2n === 0n ? below : below + 1n;
}
