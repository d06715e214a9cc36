import { Type } from 'typebox';
import { rule } from '../http/schemas.ts';

const Country = Type.String({ format: 'country-alpha-3', examples: ['GBR'] });
const Address = Type.Object({ country: Type.Optional(Country) });

/** Accepts the data of a create-card request unchanged. Only the compared fields are stored. */
export const ApplicantBody = Type.Object(
  {
    kycApplicantId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      ...rule('must not be empty'),
      examples: ['ada-1815'],
    }),
    review: Type.Optional(
      Type.Enum(['approved', 'pending', 'rejected'], { description: 'Default approved.' }),
    ),
    customerType: Type.Enum(['Consumer', 'Business']),
    kyc: Type.Object({
      firstName: Type.Optional(Type.String({ examples: ['Ada'] })),
      lastName: Type.Optional(Type.String({ examples: ['Lovelace'] })),
      dob: Type.Optional(Type.String({ format: 'date', examples: ['1990-12-10'] })),
      country: Type.Optional(Country),
      fullName: Type.Optional(Type.String()),
      businessRegistrationNumber: Type.Optional(Type.String()),
      residentialAddress: Type.Optional(Address),
      businessOperationAddress: Type.Optional(Address),
    }),
  },
  { title: 'KycApplicantRequest' },
);

export const ApplicantAnswer = Type.Object(
  {
    kycApplicantId: Type.String(),
    review: Type.Enum(['approved', 'pending', 'rejected']),
  },
  { title: 'KycApplicant' },
);

export const ClockBody = Type.Object(
  {
    now: Type.Optional(
      Type.String({
        description: 'A timestamp with an offset, not before the current program time.',
        examples: ['2026-12-01T00:00:00Z'],
      }),
    ),
    advance_seconds: Type.Optional(Type.Number({ minimum: 0, examples: [86400] })),
  },
  { title: 'ClockRequest' },
);

export const ClockAnswer = Type.Object(
  {
    now: Type.String({ description: 'Program time.', examples: ['2026-12-01T00:00:00+0000'] }),
  },
  { title: 'Clock' },
);
