import { Check, Errors } from 'typebox/value';
import { type Day, isDay } from '../kernel/calendar.ts';
import { foldText } from '../kernel/fold-text.ts';
import { providerRefusedUs, providerUnusable } from './failure.ts';
import type { KycApplicant, SubmittedKyc } from './kyc.ts';
import type { SumsubAnswer } from './sumsub-request.ts';
import { type Applicant, applicantSchema, errorSchema, type Info } from './sumsub-schema.ts';

/** Undefined if it is not JSON. The parser's message is not used: it would put part of the record into the log. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

/** Status and the id for Sumsub's support. The description is omitted because it may name the applicant. */
function describeError(status: number, json: unknown): string {
  const id = Check(errorSchema, json) ? (json.correlationId ?? '') : '';
  return `Sumsub returned ${status}${/^[\w-]{1,80}$/.test(id) ? `, correlationId ${id}` : ''}`;
}

/** A result is valid only after the review is completed; unknown states count as not completed. */
function readReview({ reviewStatus, reviewResult }: Applicant['review']): KycApplicant['review'] {
  if (reviewStatus !== 'completed') return 'pending';
  if (reviewResult?.reviewAnswer === 'GREEN') return 'approved';
  if (reviewResult?.reviewAnswer === 'RED') return 'rejected';
  throw providerUnusable('Sumsub: a completed review without a known result');
}

function readDay(dob: string | null): Day | null {
  if (dob !== null && !isDay(dob)) throw providerUnusable('Sumsub: the date of birth is not a date');
  return dob;
}

/** The record has a name as written and in Latin letters; the request may use either. */
function pickSpelling(submitted: string, written?: string | null, latin?: string | null): string | null {
  const latinIsMeant = latin && (!written || foldText(latin) === foldText(submitted));
  return latinIsMeant ? latin : written || null;
}

/**
 * `info` was read from documents, `fixedInfo` was submitted and checked against them: `info` takes precedence. For
 * residence an address takes precedence over the country of the identity document.
 */
function readPerson(info: Info, fixed: Info, submitted: SubmittedKyc) {
  const names = submitted.customerType === 'Consumer' ? submitted : { firstName: '', lastName: '' };
  const pick = (of: Info, key: 'firstName' | 'lastName') => pickSpelling(names[key], of[key], of[`${key}En`]);
  const home = info.addresses?.[0]?.country ?? fixed.addresses?.[0]?.country;
  return {
    firstName: pick(info, 'firstName') ?? pick(fixed, 'firstName'),
    lastName: pick(info, 'lastName') ?? pick(fixed, 'lastName'),
    dob: readDay(info.dob ?? fixed.dob ?? null),
    country: home ?? info.country ?? fixed.country ?? null,
  };
}

/** A company's address, or its country of registration if it has no address. */
function readCompany(info: Info, fixed: Info) {
  const [read, checked] = [info.companyInfo, fixed.companyInfo];
  return {
    fullName: read?.companyName || checked?.companyName || null,
    businessRegistrationNumber: read?.registrationNumber || checked?.registrationNumber || null,
    country: read?.address?.country ?? checked?.address?.country ?? read?.country ?? checked?.country ?? null,
  };
}

const nothing = {
  customerType: null,
  firstName: null,
  lastName: null,
  dob: null,
  country: null,
  fullName: null,
  businessRegistrationNumber: null,
};

function toApplicant(record: Applicant, submitted: SubmittedKyc): KycApplicant {
  const review = readReview(record.review);
  const [info, fixed] = [record.info ?? {}, record.fixedInfo ?? {}];
  if (record.type === 'individual') {
    return { ...nothing, review, customerType: 'Consumer', ...readPerson(info, fixed, submitted) };
  }
  if (record.type === 'company') {
    return { ...nothing, review, customerType: 'Business', ...readCompany(info, fixed) };
  }
  return { ...nothing, review };
}

/** Null: Sumsub reports that there is no such applicant. */
export function readAnswer(
  answer: SumsubAnswer,
  applicantId: string,
  submitted: SubmittedKyc,
): KycApplicant | null {
  const { status } = answer;
  const json = parseJson(answer.body);
  if (status === 401 || status === 403) throw providerRefusedUs(describeError(status, json));
  // A 404 in another form comes from a wrong URL or a proxy and says nothing about the applicant.
  if (status === 404 && Check(errorSchema, json) && json.code === 404) return null;
  if (status !== 200) throw providerUnusable(describeError(status, json));
  if (!Check(applicantSchema, json)) {
    const where = Errors(applicantSchema, json)[0]?.instancePath || 'the whole';
    throw providerUnusable(`Sumsub: not an applicant's record at ${where}`);
  }
  if (json.id !== applicantId) throw providerUnusable('Sumsub: the record of another applicant');
  // Sumsub still returns deactivated profiles, with their old result; they count as missing.
  return json.deleted === true ? null : toApplicant(json, submitted);
}
