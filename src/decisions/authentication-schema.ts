import { Type } from 'typebox';
import { metadataOf } from '../http/metadata-schema.ts';
import { nullable } from '../http/schemas.ts';

/** The data of a request for the decision on an authentication. */
export const AuthenticationRequestData = Type.Object(
  {
    authentication_id: Type.String({ description: 'Id of the access control server.' }),
    card_id: Type.String(),
    external_customer_id: Type.String({ description: '`meta.id` of the card.' }),
    card_metadata: metadataOf('card'),
    amount: Type.String({ description: "In the merchant's currency.", examples: ['12.50'] }),
    currency: Type.String({ examples: ['EUR'] }),
    merchant: Type.Object(
      {
        id: Type.String(),
        name: nullable(Type.String()),
        mcc: Type.String({ description: 'Merchant category code of 4 digits.' }),
        country: nullable(Type.String(), 'ISO 3166-1 alpha-3; null if unknown.'),
      },
      { title: 'AuthenticationDecisionMerchant' },
    ),
    device_channel: Type.Enum(['BROWSER', 'APP', 'MERCHANT']),
    category: Type.Enum(['PAYMENT', 'NON_PAYMENT']),
    challenge: Type.Enum(['NO_PREFERENCE', 'WANTED', 'MANDATED', 'NOT_WANTED'], {
      description: 'What the merchant wants. `MANDATED` turns `APPROVE` into a challenge.',
    }),
    timeout_ms: Type.Integer({ description: 'The time limit of the decision endpoint.' }),
  },
  { title: 'AuthenticationDecisionData' },
);

export const AuthenticationAnswer = Type.Object(
  {
    decision: Type.Enum(['APPROVE', 'CHALLENGE', 'DECLINE'], {
      description: '`APPROVE`: authenticated without a challenge. `CHALLENGE`: the cardholder must prove it.',
    }),
    reference: Type.Optional(nullable(Type.String({ maxLength: 64 }), 'Your id of the decision.')),
  },
  { title: 'AuthenticationAnswer' },
);

/** The data of a request to send a one-time password. */
export const OtpRequestData = Type.Object(
  {
    otp: Type.String({ description: 'The code of 6 digits. Do not store it.', examples: ['000000'] }),
    external_customer_id: Type.String({ description: '`meta.id` of the card.' }),
    destination: Type.String({
      description: "The cardholder's phone number.",
      examples: ['+447700900123'],
    }),
    amount: nullable(Type.String(), "In the merchant's currency; null for a wallet."),
    currency: nullable(Type.String(), 'Null for a wallet.'),
    merchant_name: nullable(Type.String(), 'Null if unknown, and for a wallet.'),
    last_four: Type.String(),
    purpose: Type.Enum(['3ds', 'wallet']),
    expires_at: Type.String({
      description: 'Real time, whatever the clock of the program says.',
      examples: ['2026-11-15T08:35:00+0000'],
    }),
  },
  { title: 'OtpRequestData' },
);

/** Any response with status 200 means sent. */
export const OtpAnswer = Type.Object({});
