/** The program of a run: rates that leave no fraction of a cent, since every amount is a multiple of two euros. */
export const TERMS = {
  fxBps: 200n,
  atmMinor: 150n,
  interchangeBps: 50n,
  costMinor: 7n,
  costBps: 50n,
  issuanceMinor: 90n,
} as const;

export const STEP_MINOR = 200;
