import type { KycProvider } from './kyc.ts';
import { readAnswer } from './sumsub-answer.ts';
import { requestSumsub, type SumsubSettings } from './sumsub-request.ts';

/**
 * Sumsub's ids are 24 digits and lower-case letters. Ids of another form are never sent: a path such as
 * `-;externalUserId=…` would be a different query.
 */
const plausibleId = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Plain HTTP is allowed on loopback only: it would expose our token and personal data on a network. */
function requireSafeUrl(baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname))) return;
  throw new Error('The base URL of Sumsub must begin with https://');
}

/** The public applicant API, https://docs.sumsub.com/reference/get-applicant-data. */
export function createSumsubProvider(settings: SumsubSettings): KycProvider {
  requireSafeUrl(settings.baseUrl);
  return {
    name: 'sumsub',
    findApplicant: async (applicantId, submitted) => {
      if (!plausibleId.test(applicantId)) return null;
      const path = `/resources/applicants/${encodeURIComponent(applicantId)}/one`;
      return readAnswer(await requestSumsub(settings, path), applicantId, submitted);
    },
  };
}
