import { invalid } from '../kernel/error.ts';
import { foldName } from './name.ts';

/** The part of a create request that is compared. `country` is the alpha-3 code of the address in it. */
export type SubmittedKyc =
  | { customerType: 'Consumer'; firstName: string; lastName: string; dob: string; country: string }
  | { customerType: 'Business'; fullName: string; businessRegistrationNumber: string; country: string };

/** What a provider says of an applicant; a field is null when the provider's record has none. */
export interface KycApplicant {
  review: 'approved' | 'pending' | 'rejected';
  customerType: 'Consumer' | 'Business' | null;
  firstName: string | null;
  lastName: string | null;
  /** `YYYY-MM-DD` */
  dob: string | null;
  /** Alpha-3. */
  country: string | null;
  fullName: string | null;
  businessRegistrationNumber: string | null;
}

export interface KycProvider {
  name: string;
  /**
   * Null: no such applicant. Throws a 500 EmbossError when the provider is down, too slow or answers nonsense.
   */
  findApplicant(
    applicantId: string,
    submitted: SubmittedKyc,
    programId: string,
  ): Promise<KycApplicant | null>;
}

interface Comparison {
  /** Path in the request body, so that the caller finds it. */
  field: string;
  submitted: string;
  recorded: string | null;
  fold: (text: string) => string;
}

const exact = (text: string): string => text;
const foldNumber = (text: string): string => text.replace(/\s+/g, '').toUpperCase();

function comparisons(submitted: SubmittedKyc, applicant: KycApplicant): Comparison[] {
  const compare = (
    field: string,
    ours: string,
    recorded: string | null,
    fold: Comparison['fold'],
  ): Comparison => ({ field, submitted: ours, recorded, fold });
  const type = compare('customerType', submitted.customerType, applicant.customerType, exact);
  if (submitted.customerType === 'Consumer') {
    return [
      type,
      compare('kyc.firstName', submitted.firstName, applicant.firstName, foldName),
      compare('kyc.lastName', submitted.lastName, applicant.lastName, foldName),
      compare('kyc.dob', submitted.dob, applicant.dob, exact),
      compare('kyc.residentialAddress.country', submitted.country, applicant.country, exact),
    ];
  }
  const number = submitted.businessRegistrationNumber;
  return [
    type,
    compare('kyc.fullName', submitted.fullName, applicant.fullName, foldName),
    compare('kyc.businessRegistrationNumber', number, applicant.businessRegistrationNumber, foldNumber),
    compare('kyc.businessOperationAddress.country', submitted.country, applicant.country, exact),
  ];
}

/** Throws a 400 EmbossError that says which field; returns when all agree. No value is ever repeated. */
export function crossCheck(submitted: SubmittedKyc, applicant: KycApplicant | null): void {
  if (applicant === null) throw invalid('kycApplicantId', 'the applicant is not found at the KYC provider');
  if (applicant.review !== 'approved') {
    throw invalid('kycApplicantId', `the applicant is not approved (${applicant.review})`);
  }
  for (const { field, submitted: ours, recorded, fold } of comparisons(submitted, applicant)) {
    // What was never recorded was never verified; an empty text must not agree with another empty text.
    if (recorded === null || fold(recorded) === '') {
      throw invalid(field, "is missing in the KYC provider's record");
    }
    if (fold(ours) !== fold(recorded)) throw invalid(field, "differs from the KYC provider's record");
  }
}
