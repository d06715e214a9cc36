import { type Static, type TSchema, Type } from 'typebox';

/** Sumsub omits unknown fields and adds new ones without notice: both must pass. */
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const text = maybe(Type.String());
const country = maybe(Type.String({ pattern: '^[A-Z]{3}$' }));
const address = Type.Object({ country });

const infoSchema = Type.Object({
  firstName: text,
  lastName: text,
  firstNameEn: text,
  lastNameEn: text,
  dob: text,
  country,
  addresses: maybe(Type.Array(address)),
  companyInfo: maybe(
    Type.Object({ companyName: text, registrationNumber: text, country, address: maybe(address) }),
  ),
});
export const applicantSchema = Type.Object({
  id: Type.String(),
  type: maybe(Type.Union([Type.Literal('individual'), Type.Literal('company')])),
  deleted: maybe(Type.Boolean()),
  info: maybe(infoSchema),
  fixedInfo: maybe(infoSchema),
  review: Type.Object({
    reviewStatus: Type.String(),
    reviewResult: maybe(Type.Object({ reviewAnswer: text })),
  }),
});
export const errorSchema = Type.Object({
  code: Type.Integer(),
  description: Type.String(),
  correlationId: text,
});

export type Info = Static<typeof infoSchema>;
export type Applicant = Static<typeof applicantSchema>;
