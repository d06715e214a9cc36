import type { ContactBody } from './schema.ts';

/** A phone number without the zeros before it: the international prefix 00 and the national trunk prefix 0. */
const withoutZeros = (digits: string): string => digits.replace(/^0+/, '');

/** Names contain no colon, so that a contact never looks like a name in the index. */
const phoneWord = (digits: string): string => `phone:${digits}`;
const emailWord = (email: string): string => `email:${email.toLowerCase()}`;

/** The search words of a contact: the phone number with and without its dial code, and the e-mail. */
export function contactWords({ otpPhoneNumber, email }: ContactBody): string[] {
  const national = withoutZeros(otpPhoneNumber?.phoneNumber ?? '');
  return [
    ...(otpPhoneNumber ? [phoneWord(`${otpPhoneNumber.dialCode}${national}`), phoneWord(national)] : []),
    ...(email ? [emailWord(email)] : []),
  ];
}

const EMAIL = /^[^\s@]+@[^\s@]+$/;
const PHONE = /^[+(]*\d[\d\s()./-]*$/;
const SHORTEST_PHONE = 4;

/** The search word of an e-mail or of a phone number in any format; undefined for other texts. */
export function parseContact(query: string): { word: string; by: 'phone' | 'email' } | undefined {
  if (EMAIL.test(query)) return { word: emailWord(query), by: 'email' };
  if (!PHONE.test(query)) return undefined;
  const digits = withoutZeros(query.replaceAll('(0)', '').replaceAll(/\D/g, ''));
  return digits.length < SHORTEST_PHONE ? undefined : { word: phoneWord(digits), by: 'phone' };
}
