import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EmbossError } from '../kernel/error.ts';
import { crossCheck, type KycApplicant, type SubmittedKyc } from './kyc.ts';

const person = {
  customerType: 'Consumer',
  firstName: 'José María',
  lastName: 'Nuñez',
  dob: '1990-02-28',
  country: 'ESP',
} satisfies SubmittedKyc;
const business = {
  customerType: 'Business',
  fullName: 'Acme Trading GmbH',
  businessRegistrationNumber: 'HRB 12345 b',
  country: 'DEU',
} satisfies SubmittedKyc;

const noPerson = { firstName: null, lastName: null, dob: null };
const noBusiness = { fullName: null, businessRegistrationNumber: null };
const personRecord: KycApplicant = { review: 'approved', ...noBusiness, ...person };
const businessRecord: KycApplicant = { review: 'approved', ...noPerson, ...business };

function refusal(submitted: SubmittedKyc, applicant: KycApplicant | null): string | null {
  try {
    crossCheck(submitted, applicant);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(EmbossError);
    expect((error as EmbossError).httpStatus).toBe(400);
    return (error as EmbossError).message;
  }
}

const named = (lastName: string, recorded: string) =>
  refusal({ ...person, lastName }, { ...personRecord, lastName: recorded });

const differs = "differs from the KYC provider's record";
const missing = "is missing from the KYC provider's record";

describe('the cross-check of an applicant', () => {
  it('passes if the record equals the request', () => {
    expect(refusal(person, personRecord)).toBeNull();
    expect(refusal(business, businessRecord)).toBeNull();
  });

  it('fails if the applicant is not found or not approved, for any data', () => {
    expect(refusal(person, null)).toBe('kycApplicantId: the KYC provider has no such applicant');
    for (const review of ['pending', 'rejected'] as const) {
      const applicant: KycApplicant = { ...personRecord, review, lastName: 'Other' };
      expect(refusal(person, applicant)).toBe(`kycApplicantId: the applicant is not approved (${review})`);
    }
  });

  it.each([
    ['customerType', { customerType: 'Business' }],
    ['kyc.firstName', { firstName: 'José' }],
    ['kyc.lastName', { lastName: 'Nunes' }],
    ['kyc.dob', { dob: '1990-02-27' }],
    ['kyc.residentialAddress.country', { country: 'PRT' }],
  ] as const)('names a person’s differing %s without its value', (field, change) => {
    expect(refusal(person, { ...personRecord, ...change })).toBe(`${field}: ${differs}`);
  });

  it.each([
    ['customerType', { customerType: 'Consumer' }],
    ['kyc.fullName', { fullName: 'Acme Trading AG' }],
    ['kyc.businessRegistrationNumber', { businessRegistrationNumber: 'HRB 12346 b' }],
    ['kyc.businessOperationAddress.country', { country: 'AUT' }],
  ] as const)('names a business’s differing %s without its value', (field, change) => {
    expect(refusal(business, { ...businessRecord, ...change })).toBe(`${field}: ${differs}`);
  });

  it.each([
    ['customerType', person, { customerType: null }],
    ['kyc.firstName', person, { firstName: null }],
    ['kyc.lastName', person, { lastName: ' \u0301 ' }],
    ['kyc.dob', person, { dob: null }],
    ['kyc.residentialAddress.country', person, { country: '' }],
    ['kyc.fullName', business, { fullName: '' }],
    ['kyc.businessRegistrationNumber', business, { businessRegistrationNumber: null }],
    ['kyc.businessOperationAddress.country', business, { country: null }],
  ] as const)(
    'treats a %s that is missing in the provider’s record as a difference',
    (field, submitted, change) => {
      const record = submitted === person ? personRecord : businessRecord;
      expect(refusal(submitted, { ...record, ...change })).toBe(`${field}: ${missing}`);
    },
  );

  it('never treats two empty names as equal', () => {
    expect(named('', '')).toBe(`kyc.lastName: ${missing}`);
  });

  it('compares registration numbers ignoring case and spaces', () => {
    const record = { ...businessRecord, businessRegistrationNumber: 'hrb12345\u00a0B ' };
    expect(refusal(business, record)).toBeNull();
  });
});

describe('two spellings of a name', () => {
  it.each([
    ['NUNEZ', ' nuñez '],
    ['van  der\tBerg', 'Van der Berg'],
    ['Strauß', 'STRAUSS'],
    ['STRAUẞ', 'strauss'],
    ['Sørensen', 'Sorensen'],
    ['Łukasz', 'lukasz'],
    ['Đorđe', 'DORDE'],
    ['Æsir', 'aesir'],
    ['Þórður', 'Thordur'],
    ['Yıldız', 'YILDIZ'],
    ['İnci', 'inci'],
    ['Ångström', 'A\u030angstro\u0308m'],
    ['Παπαδόπουλος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ'],
    ['ﬁsher', 'Fisher'],
    ['Ａｄａ', 'Ada'],
  ])('%s and %s are the same', (one, other) => {
    expect(named(one, other)).toBeNull();
    expect(named(other, one)).toBeNull();
  });

  it.each([
    ['Berg', 'Bergs'],
    ['Anna Maria', 'Annamaria'],
    ['Smith', 'Smyth'],
    ['राम', 'रमा'],
    ['かき', 'がき'],
    ['Иванов', 'Ivanov'],
  ])('%s and %s are different', (one, other) => {
    expect(named(one, other)).toBe(`kyc.lastName: ${differs}`);
  });

  const letters = [...'abcdefghijklmnopqrstuvwxyzабвгдежзилмнопрстфхцчшщэюяαβγδεζηθικλμνξοπρτυφχψω'];
  const word = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 });
  const words = fc.array(word, { minLength: 1, maxLength: 3 });
  const accents = fc.infiniteStream(fc.constantFrom('', '', '\u0301', '\u0308', '\u0327', '\u030a'));
  const spaces = fc.infiniteStream(fc.constantFrom(' ', '  ', '\t', '\u00a0 '));
  const cases = fc.infiniteStream(fc.boolean());
  const forms = fc.constantFrom('NFC', 'NFD', 'NFKC');

  it('may differ in case, accents and spaces', () => {
    fc.assert(
      fc.property(words, accents, spaces, cases, forms, (name, accent, space, upper, form) => {
        const take = <T>(stream: Iterator<T>): T => stream.next().value as T;
        const dress = (letter: string) => (take(upper) ? letter.toUpperCase() : letter) + take(accent);
        const dressed = name.map((part) => take(space) + part.map(dress).join('') + take(space)).join('');
        expect(named(dressed.normalize(form), name.map((part) => part.join('')).join(' '))).toBeNull();
      }),
    );
  });

  it('must not differ in any letter', () => {
    fc.assert(
      fc.property(words, fc.nat(), fc.constantFrom(...letters), (name, at, letter) => {
        const plain = name.map((part) => part.join('')).join(' ');
        const index = at % plain.length;
        fc.pre(plain[index] !== ' ' && plain[index] !== letter);
        const changed = plain.slice(0, index) + letter + plain.slice(index + 1);
        expect(named(changed, plain)).toBe(`kyc.lastName: ${differs}`);
      }),
    );
  });
});
