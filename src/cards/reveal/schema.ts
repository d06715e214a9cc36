import { type Static, Type } from 'typebox';
import { nullable, rule } from '../../http/schemas.ts';
import { EXAMPLE_SESSION_REQUEST } from './examples.ts';
import { REVEAL_FIELDS, THEME_FONTS, THEME_SIZES } from './reveal-session.ts';

const colour = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^#[0-9a-fA-F]{6}$',
      ...rule('must be a colour such as #1a2b3c'),
      description,
      examples: ['#1a2b3c'],
    }),
  );

const RevealTheme = Type.Object(
  {
    background: colour('Together with `text`.'),
    text: colour('Together with `background`. Choose a contrast of at least 4.5 to 1.'),
    accent: colour('Borders of buttons.'),
    size: Type.Optional(Type.Enum([...THEME_SIZES], { description: 'Default: medium.' })),
    font: Type.Optional(Type.Enum([...THEME_FONTS], { description: 'Default: the font of the console.' })),
  },
  { title: 'RevealTheme' },
);

export const SessionBody = Type.Object(
  {
    origin: nullable(
      Type.String({ maxLength: 255, examples: ['https://app.example.com'] }),
      'The origin of the page that embeds the reveal page. Null: no page can embed it; open it in a window or a webview. http is allowed in a sandbox program.',
    ),
    challenge: Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      ...rule('must be the SHA-256 of the verifier: 43 characters of base64url'),
      description:
        "base64url of the SHA-256 of the verifier, a random text that only the cardholder's browser knows.",
      examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    }),
    customerId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Your customer id. If it is not that of the card, the answer is 404. Recommended.',
        examples: ['customer-42'],
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.Enum([...REVEAL_FIELDS]), {
        minItems: 1,
        uniqueItems: true,
        ...rule('must name each field once'),
        description: 'What the page shows. Default: all.',
      }),
    ),
    displaySeconds: Type.Optional(
      Type.Integer({ minimum: 10, maximum: 300, description: 'How long it shows it. Default: 60.' }),
    ),
    theme: Type.Optional(RevealTheme),
  },
  { title: 'RevealSessionRequest', examples: [EXAMPLE_SESSION_REQUEST] },
);
export type SessionBody = Static<typeof SessionBody>;

export const CreatedSession = Type.Object(
  {
    id: Type.String({ description: 'The audit names the session by this id.' }),
    url: Type.String({ description: 'The page. Append `#` and the verifier.' }),
    expiresAt: Type.String({ description: 'In real time, 60 seconds after the creation.' }),
  },
  { title: 'RevealSession' },
);
export type CreatedSession = Static<typeof CreatedSession>;

export const VerifierBody = Type.Object({
  verifier: Type.String({ minLength: 1, maxLength: 128, writeOnly: true }),
});
