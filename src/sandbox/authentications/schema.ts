import { Type } from 'typebox';
import { EXAMPLE_CHALLENGE, EXAMPLE_OPEN } from '../../authentications/examples.ts';
import { AuthenticationBody, AuthenticationView, merchantFields } from '../../authentications/schema.ts';
import { currency, decimal, MerchantBody } from '../../cards/network-schema.ts';
import { nullable } from '../../http/schemas.ts';

const { authentication_id, expiry, device_channel, category, challenge } = AuthenticationBody.properties;
const { destination, attempts_left, sends_left } = AuthenticationView.properties;
const orNull = (description: string, example: string) =>
  nullable(Type.String({ examples: [example] }), description);

export const SimulatedAuthenticationBody = Type.Object(
  {
    card_id: Type.String({ description: 'Card id.' }),
    amount: decimal("In the merchant's currency; may be 0 for a `NON_PAYMENT`."),
    currency: Type.Optional(currency),
    merchant: Type.Optional(Type.Partial(MerchantBody, { description: 'Missing fields are filled in.' })),
    expiry,
    device_channel: Type.Optional({ ...device_channel, description: 'Default BROWSER.' }),
    category: Type.Optional({ ...category, description: 'Default PAYMENT.' }),
    challenge: Type.Optional({ ...challenge, description: 'Default NO_PREFERENCE.' }),
    authentication_id: Type.Optional({ ...authentication_id, description: 'Default: a generated id.' }),
  },
  { title: 'SimulatedAuthenticationRequest' },
);

export const SandboxAuthenticationPath = Type.Object({
  authenticationId: Type.String({
    description: 'Our id, or the id that the access control server or the wallet gave.',
  }),
});

export const SandboxAuthentication = Type.Object(
  {
    ...merchantFields,
    card_id: nullable(Type.String(), 'Null for an unknown card.'),
    destination,
    attempts_left,
    sends_left,
    otp: orNull('The valid one-time password; null if there is none.', '123456'),
    challenge_url: orNull(
      'A page that plays the access control server; null without an open challenge of 3-D Secure.',
      'http://127.0.0.1:8080/challenge/019a85f2-7c1e-7004-9f3e-5a1c2b3d4e5f/',
    ),
  },
  { title: 'SandboxAuthentication' },
);

export const EXAMPLE_SANDBOX_AUTHENTICATION = {
  ...EXAMPLE_OPEN,
  method: 'OTP',
  destination: EXAMPLE_CHALLENGE.destination,
  attempts_left: 3,
  sends_left: 2,
  otp: '123456',
  challenge_url: `http://127.0.0.1:8080/challenge/${EXAMPLE_OPEN.id}/`,
};
