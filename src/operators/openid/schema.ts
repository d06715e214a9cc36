import { Type } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { secretText, text } from '../schema.ts';

export const SignInMethods = Type.Object(
  {
    openid: nullable(
      Type.String({
        description: 'The name of the OpenID provider; null: people sign in with passwords only.',
      }),
    ),
  },
  { title: 'SignInMethods' },
);

export const OpenIdBody = Type.Object(
  {
    next: Type.Optional(
      text('The page of the console to continue with: a path that begins with a slash.', 2_000),
    ),
    invitation: Type.Optional(secretText('The token of an invitation to accept.', 200)),
  },
  { title: 'OpenIdSignIn', examples: [{ next: '/programs/019a85f2-7c1e-7001-9f3e-5a1c2b3d4e61/cards' }] },
);

export const ConnectBody = Type.Object(
  {
    password: secretText('The operator’s password.', 256),
    code: Type.Optional(secretText('A code from the authenticator app, or a recovery code.', 64)),
  },
  { title: 'OpenIdConnection', examples: [{ password: 'correct horse battery 9' }] },
);

export const OpenIdRedirect = Type.Object(
  {
    url: Type.String({
      description: 'The page of the provider; open it in this browser within ten minutes.',
    }),
  },
  { title: 'OpenIdRedirect' },
);

export const EXAMPLE_REDIRECT = { url: 'https://login.example.com/authorize?client_id=emboss&…' };
