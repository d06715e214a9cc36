import { invalid } from '../kernel/error.ts';
import { foldText } from '../kernel/fold-text.ts';

/** The fields of a create request that are compared. `country` is the alpha-3 code of its address. */
export type SubmittedKyc =
  | { customerType: 'Consumer'; firstName: string; lastName: string; dob: string; country: string }
  | { customerType: 'Business'; fullName: string; businessRegistrationNumber: string; country: string };

/** A provider's record of an applicant; a missing field is null. */
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
   * Null: no such applicant. Throws a 500 EmbossError if the provider is down, too slow or returns an invalid answer.
   */
  findApplicant(
    applicantId: string,
    submitted: SubmittedKyc,
    programId: string,
  ): Promise<KycApplicant | null>;
}

interface Comparison {
  /** Path in the request body. */
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
      compare('kyc.firstName', submitted.firstName, applicant.firstName, foldText),
      compare('kyc.lastName', submitted.lastName, applicant.lastName, foldText),
      compare('kyc.dob', submitted.dob, applicant.dob, exact),
      compare('kyc.residentialAddress.country', submitted.country, applicant.country, exact),
    ];
  }
  const number = submitted.businessRegistrationNumber;
  return [
    type,
    compare('kyc.fullName', submitted.fullName, applicant.fullName, foldText),
    compare('kyc.businessRegistrationNumber', number, applicant.businessRegistrationNumber, foldNumber),
    compare('kyc.businessOperationAddress.country', submitted.country, applicant.country, exact),
  ];
}

/** Throws a 400 EmbossError that names the first differing field. Messages never contain values. */
export function crossCheck(submitted: SubmittedKyc, applicant: KycApplicant | null): void {
  if (applicant === null) throw invalid('kycApplicantId', 'the KYC provider has no such applicant');
  if (applicant.review !== 'approved') {
    throw invalid('kycApplicantId', `the applicant is not approved (${applicant.review})`);
  }
  for (const { field, submitted: ours, recorded, fold } of comparisons(submitted, applicant)) {
    // A missing value was never verified, so two empty texts do not match.
    if (recorded === null || fold(recorded) === '') {
      throw invalid(field, "is missing from the KYC provider's record");
    }
    if (fold(ours) !== fold(recorded)) throw invalid(field, "differs from the KYC provider's record");
  }
}
