import { type Static, Type } from 'typebox';
import { cardNumber, currency, decimal, expiry, MerchantBody, messageId } from '../cards/network-schema.ts';
import { nullable, rule } from '../http/schemas.ts';
import {
  CATEGORIES,
  CHALLENGES,
  DEVICE_CHANNELS,
  METHODS,
  PURPOSES,
  REASONS,
  STATUSES,
  TRANS_STATUSES,
} from './authentication.ts';

const optionalExpiry = Type.Optional(nullable(expiry, 'Null or absent: not checked.'));
const otp = Type.String({
  pattern: '^\\d{6}$',
  ...rule('must be 6 digits'),
  writeOnly: true,
  examples: ['123456'],
});

export const AuthenticationBody = Type.Object(
  {
    authentication_id: messageId('Id of the authentication at the access control server.', 'acs-000042'),
    card_number: cardNumber,
    expiry: optionalExpiry,
    amount: decimal("In the merchant's currency; may be 0 for a `NON_PAYMENT`."),
    currency,
    merchant: MerchantBody,
    device_channel: Type.Enum([...DEVICE_CHANNELS], {
      description: '`MERCHANT`: the cardholder is not present (3RI).',
    }),
    category: Type.Enum([...CATEGORIES]),
    challenge: Type.Enum([...CHALLENGES], { description: 'What the merchant wants.' }),
  },
  { title: 'AuthenticationRequest' },
);
export type AuthenticationBody = Static<typeof AuthenticationBody>;

export const AuthenticationPath = Type.Object({
  authentication_id: Type.String({ description: 'Id of the authentication at the access control server.' }),
});

export const AttemptBody = Type.Object({ otp }, { title: 'AttemptRequest' });

export const TokenizationPath = Type.Object({
  tokenizationId: Type.String({
    description: "The wallet's id of the tokenization, at most 255 characters.",
  }),
});

export const TokenizationBody = Type.Object(
  {
    card_number: Type.Optional(cardNumber),
    expiry: optionalExpiry,
    wallet: Type.Optional(
      Type.String({ maxLength: 50, description: 'Name of the wallet.', examples: ['Example Pay'] }),
    ),
    otp: Type.Optional(otp),
  },
  { title: 'TokenizationOtpRequest' },
);
export type TokenizationBody = Static<typeof TokenizationBody>;

const status = Type.Enum([...STATUSES]);
const reason = nullable(Type.Enum([...REASONS]), 'Why it did not succeed; null if it did, or is open.');
const method = nullable(Type.Enum([...METHODS]), 'How the cardholder proves it; null without a challenge.');
const transStatus = Type.Enum([...TRANS_STATUSES], {
  description:
    'Transaction status of EMV 3-D Secure: `Y` authenticated, `C` challenge, `N` not authenticated, `R` rejected, `U` unavailable.',
});
const expiresAt = nullable(Type.String(), 'End of the challenge, in real time; null without a challenge.');

const challengeFields = {
  destination: nullable(Type.String(), 'Where the code was sent, masked; null without a code.'),
  expires_at: expiresAt,
  reason,
  attempts_left: Type.Integer(),
  sends_left: Type.Integer(),
};

export const AuthenticationView = Type.Object(
  { authentication_id: Type.String(), status, trans_status: transStatus, method, ...challengeFields },
  { title: 'Authentication' },
);

export const TokenizationView = Type.Object(
  { tokenization_id: Type.String(), status, ...challengeFields },
  { title: 'TokenizationOtp' },
);

const Merchant = Type.Object(
  {
    id: Type.String(),
    name: nullable(Type.String(), 'Null if the network did not give it.'),
    mcc: Type.String({ description: 'Merchant category code of 4 digits.' }),
    country: nullable(Type.String(), 'ISO 3166-1 alpha-3; null if unknown.'),
  },
  { title: 'AuthenticationMerchant' },
);

/** What merchants get: the answer of `answer/`, and the data of events. */
export const merchantFields = {
  id: Type.String({ description: 'Our id of the authentication.' }),
  authentication_id: Type.String({ description: 'Its id at the access control server or the wallet.' }),
  purpose: Type.Enum([...PURPOSES], { description: '`wallet`: a code that adds the card to a wallet.' }),
  card_id: Type.String(),
  status,
  trans_status: transStatus,
  method,
  reason,
  amount: nullable(Type.String({ examples: ['12.50'] }), "In the merchant's currency; null for a wallet."),
  currency: nullable(Type.String(), 'Null for a wallet.'),
  merchant: nullable(Merchant, 'Null for a wallet.'),
  expires_at: expiresAt,
};

export const AnswerBody = Type.Object(
  { approve: Type.Boolean({ description: 'Whether the cardholder approves.' }) },
  { title: 'AuthenticationAnswerRequest' },
);
export const AnswerPath = Type.Object({
  authenticationId: Type.String({ description: 'Our id of the authentication.' }),
});
export const AnsweredView = Type.Object(merchantFields, { title: 'AnsweredAuthentication' });
