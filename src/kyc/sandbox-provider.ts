import { providerTimedOut } from './failure.ts';
import type { KycApplicant, KycProvider, SubmittedKyc } from './kyc.ts';

/** A record that matches the request in every field. */
function asSubmitted(submitted: SubmittedKyc): KycApplicant {
  const nothing = {
    firstName: null,
    lastName: null,
    dob: null,
    fullName: null,
    businessRegistrationNumber: null,
  };
  return { review: 'approved', ...nothing, ...submitted };
}

/** One word more than submitted, so that no name folding makes the two equal. */
function withAnotherName(applicant: KycApplicant): KycApplicant {
  return applicant.customerType === 'Business'
    ? { ...applicant, fullName: `${applicant.fullName} Mismatch` }
    : { ...applicant, lastName: `${applicant.lastName} Mismatch` };
}

/**
 * The prefix of the applicant id selects the outcome, so that an integrator can test all of them without an account.
 * Registered applicants take precedence: their data are compared like a real provider's.
 */
export function createSandboxProvider(
  findRegistered: (programId: string, applicantId: string) => Promise<KycApplicant | null>,
): KycProvider {
  return {
    name: 'sandbox',
    findApplicant: async (applicantId, submitted, programId) => {
      const registered = await findRegistered(programId, applicantId);
      if (registered !== null) return registered;
      const applicant = asSubmitted(submitted);
      if (applicantId.startsWith('not-found')) return null;
      if (applicantId.startsWith('pending')) return { ...applicant, review: 'pending' };
      if (applicantId.startsWith('rejected')) return { ...applicant, review: 'rejected' };
      if (applicantId.startsWith('mismatch')) return withAnotherName(applicant);
      if (applicantId.startsWith('timeout')) throw providerTimedOut('requested by the sandbox applicant id');
      return applicant;
    },
  };
}
