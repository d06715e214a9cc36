import { describe, expect, it } from 'vitest';
import { crossCheck, type KycApplicant, type SubmittedKyc } from './kyc.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

const person: SubmittedKyc = {
  customerType: 'Consumer',
  firstName: 'Ada',
  lastName: 'Byron',
  dob: '1990-12-10',
  country: 'GBR',
};
const business: SubmittedKyc = {
  customerType: 'Business',
  fullName: 'Engines Ltd',
  businessRegistrationNumber: '12345678',
  country: 'GBR',
};
const registered: KycApplicant = {
  review: 'approved',
  customerType: 'Consumer',
  firstName: 'Ada',
  lastName: 'Lovelace',
  dob: '1990-12-10',
  country: 'GBR',
  fullName: null,
  businessRegistrationNumber: null,
};

const provider = createSandboxProvider(async (programId, applicantId) =>
  programId === 'program-1' && ['ada', 'not-found-ada', 'timeout-ada'].includes(applicantId)
    ? registered
    : null,
);

/** Null when the card may be made, the message when not. */
async function outcome(applicantId: string, submitted: SubmittedKyc, programId = 'program-1') {
  try {
    crossCheck(submitted, await provider.findApplicant(applicantId, submitted, programId));
    return null;
  } catch (error) {
    const { httpStatus, message } = error as { httpStatus: number; message: string };
    return `${httpStatus} ${message}`;
  }
}

describe('the sandbox KYC provider', () => {
  it.each([
    ['anything', null, null],
    ['', null, null],
    ['my-pending-one', null, null],
    ['not-found', '400 kycApplicantId: the KYC provider has no such applicant', 'same'],
    ['not-found-7', '400 kycApplicantId: the KYC provider has no such applicant', 'same'],
    ['pending-1', '400 kycApplicantId: the applicant is not approved (pending)', 'same'],
    ['rejected_1', '400 kycApplicantId: the applicant is not approved (rejected)', 'same'],
    [
      'mismatch1',
      "400 kyc.lastName: differs from the KYC provider's record",
      "400 kyc.fullName: differs from the KYC provider's record",
    ],
    ['timeout', '500 The KYC provider did not respond in time; no card was created', 'same'],
  ])('decides by the prefix of the id %j', async (applicantId, forPerson, forBusiness) => {
    expect(await outcome(applicantId, person)).toBe(forPerson);
    expect(await outcome(applicantId, business)).toBe(forBusiness === 'same' ? forPerson : forBusiness);
  });

  it.each(['ada', 'not-found-ada', 'timeout-ada'])('compares a registered applicant: %s', async (id) => {
    expect(await outcome(id, person)).toBe("400 kyc.lastName: differs from the KYC provider's record");
    expect(await outcome(id, { ...person, lastName: 'Lovelace' })).toBeNull();
    expect(await outcome(id, business)).toBe("400 customerType: differs from the KYC provider's record");
  });

  it('does not see applicants of another program', async () => {
    expect(await outcome('ada', person, 'program-2')).toBeNull();
  });
});
