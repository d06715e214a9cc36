const LEAST_SHARE = 0.2;
const TIMES_BEFORE = 3;

/** Whether far more purchases than usual are declined. The caller checks the least number. */
export function isSpike(hour: {
  declined: number;
  decided: number;
  declinedBefore: number;
  decidedBefore: number;
}): boolean {
  const share = hour.declined / hour.decided;
  const shareBefore = hour.declinedBefore / Math.max(1, hour.decidedBefore);
  return share >= LEAST_SHARE && share >= TIMES_BEFORE * shareBefore;
}
