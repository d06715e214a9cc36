import type { Customer } from '../../lib/types.ts';

export interface Field {
  /** Where the value stands in the request, and how the server's errors name it. */
  path: string;
  label: string;
  longest?: number;
  optional?: boolean;
  placeholder?: string;
  isDay?: boolean;
  isCountry?: boolean;
  wide?: boolean;
}
export type Values = Record<string, string>;

const address = (at: string): Field[] => [
  { path: `${at}.line1`, label: 'Street and number', longest: 255, wide: true },
  { path: `${at}.line2`, label: 'Address line 2 (optional)', longest: 255, optional: true, wide: true },
  { path: `${at}.postalCode`, label: 'Postal code (optional)', optional: true },
  { path: `${at}.city`, label: 'City', longest: 255 },
  { path: `${at}.country`, label: 'Country', isCountry: true },
];

/** The fields of `kyc`, which must be those of the provider's record. */
export const KYC_FIELDS: Record<'Consumer' | 'Business', Field[]> = {
  Consumer: [
    { path: 'kyc.firstName', label: 'First name', longest: 20 },
    { path: 'kyc.lastName', label: 'Last name', longest: 20 },
    { path: 'kyc.dob', label: 'Date of birth', isDay: true },
    { path: 'kyc.residentialAddress.idDocumentType', label: 'ID document', placeholder: 'passport' },
    { path: 'kyc.residentialAddress.idDocumentNumber', label: 'ID document number', longest: 255 },
    ...address('kyc.residentialAddress'),
  ],
  Business: [
    { path: 'kyc.fullName', label: 'Legal name', wide: true },
    { path: 'kyc.businessRegistrationNumber', label: 'Registration number' },
    ...address('kyc.businessOperationAddress'),
  ],
};

export const CUSTOMER_FIELDS: Field[] = [
  { path: 'meta.id', label: 'Your customer id' },
  { path: 'kycApplicantId', label: 'KYC applicant id' },
  { path: 'meta.otpPhoneNumber.dialCode', label: 'Dial code', longest: 4, placeholder: '44' },
  { path: 'meta.otpPhoneNumber.phoneNumber', label: 'Phone number', longest: 15 },
  { path: 'meta.email', label: 'E-mail (optional)', longest: 254, optional: true, wide: true },
];

export const CARD_FIELDS: Field[] = [
  { path: 'preferredCardName', label: 'Name on the card', longest: 27, placeholder: 'ADA LOVELACE' },
];

/** Begins with what is known about a customer. */
export function firstValues(customer: Customer | undefined): Values {
  if (!customer) return {};
  const [first = '', ...rest] = customer.name.split(' ');
  const { otpPhoneNumber, email } = customer.contact;
  return {
    'meta.id': customer.id,
    'meta.otpPhoneNumber.dialCode': String(otpPhoneNumber.dialCode),
    'meta.otpPhoneNumber.phoneNumber': otpPhoneNumber.phoneNumber,
    'meta.email': email ?? '',
    'kyc.firstName': first,
    'kyc.lastName': rest.join(' '),
    'kyc.fullName': customer.name,
    preferredCardName: customer.name.toUpperCase().slice(0, 27),
  };
}

const NUMBERS = ['meta.otpPhoneNumber.dialCode'];
/** Required by the API, and may be empty. */
const MAY_BE_EMPTY = /\.line2$/;

/** The values as the nested body of the request, without empty optional ones. */
export function bodyOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { path } of fields) {
    const value = (values[path] ?? '').trim();
    if (value === '' && !MAY_BE_EMPTY.test(path)) continue;
    const parts = path.split('.');
    const last = parts.pop() as string;
    let at = body;
    for (const part of parts) {
      at[part] ??= {};
      at = at[part] as Record<string, unknown>;
    }
    at[last] = NUMBERS.includes(path) ? Number(value) : value;
  }
  return body;
}

export const isFilled = (fields: readonly Field[], values: Values): boolean =>
  fields.every(({ path, optional, longest = Number.POSITIVE_INFINITY }) => {
    const value = (values[path] ?? '').trim();
    return (optional || value !== '') && value.length <= longest;
  });
