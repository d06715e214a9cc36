import { Type } from 'typebox';
import { EXAMPLE_CARD } from '../../cards/examples.ts';
import { nullable, rule } from '../../http/schemas.ts';
import { nullableText, text } from '../console-schema.ts';

export const RevealBody = Type.Object(
  {
    reason: Type.String({
      minLength: 3,
      maxLength: 255,
      pattern: '\\S',
      ...rule('must be 3 to 255 characters'),
      description: 'Why the number is needed; recorded in the audit.',
    }),
  },
  { title: 'RevealRequest', examples: [{ reason: 'cardholder lost the letter' }] },
);

export const RevealedIdentity = Type.Object(
  {
    name: text,
    dob: nullable(Type.String({ description: 'Date of birth; null for a business.' })),
    registrationNumber: nullable(Type.String({ description: 'Null for a person.' })),
    address: Type.Object({
      line1: text,
      line2: text,
      postalCode: nullableText,
      city: text,
      country: Type.String({ description: 'ISO 3166-1 alpha-3 code.' }),
    }),
  },
  { title: 'RevealedIdentity' },
);

const { line1, line2, city, country } = EXAMPLE_CARD.kyc.residentialAddress;
export const EXAMPLE_IDENTITY = {
  name: `${EXAMPLE_CARD.kyc.firstName} ${EXAMPLE_CARD.kyc.lastName}`,
  dob: EXAMPLE_CARD.kyc.dob,
  registrationNumber: null,
  address: { line1, line2, postalCode: 'SW1Y 4JH', city, country },
};
