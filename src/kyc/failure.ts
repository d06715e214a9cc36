import { EmbossError } from '../kernel/error.ts';

/**
 * The ways a provider can fail. Each public message ends with what a client needs to know: no card was created. The detail
 * goes to the log, so it must contain neither keys nor an applicant's data.
 */
const failure = (what: string) => (detail: string) =>
  new EmbossError(500, `The KYC provider ${what}; no card was created`, { cause: new Error(detail) });

export const providerTimedOut = failure('did not respond in time');
export const providerDown = failure('cannot be reached');
export const providerUnusable = failure('returned an invalid response');
export const providerRefusedUs = failure('rejected our credentials');
