import { Type } from 'typebox';
import { nullable, rule } from '../http/schemas.ts';
import { ROLES } from '../programs/access.ts';

export const text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, ...rule(`must be 1 to ${maxLength} characters`), description });

/** `writeOnly`: the server holds the value as bytes and overwrites them after the handler has returned. */
export const secretText = (description: string, maxLength: number) => ({
  ...text(description, maxLength),
  writeOnly: true,
});

const CODE = secretText('A code from the authenticator app, or a recovery code.', 64);

export const SignInBody = Type.Object(
  {
    email: text('The operator’s e-mail address.', 254),
    password: secretText('The operator’s password.', 256),
    code: Type.Optional(CODE),
  },
  {
    title: 'SignIn',
    examples: [{ email: 'ada@example.com', password: 'correct horse battery 9', code: '492039' }],
  },
);

export const PasswordBody = Type.Object(
  {
    currentPassword: secretText('The current password.', 256),
    newPassword: secretText(
      '12 to 256 characters, with letters and digits. Not one of the last four passwords, and not a common one.',
      256,
    ),
  },
  {
    title: 'PasswordChange',
    examples: [{ currentPassword: 'correct horse battery 9', newPassword: '4 staples of another kind' }],
  },
);

export const ConfirmationBody = Type.Object(
  {
    password: secretText('The operator’s password.', 256),
    code: CODE,
  },
  { title: 'Confirmation', examples: [{ password: 'correct horse battery 9', code: '492039' }] },
);

export const EnrolmentBody = Type.Object(
  { password: secretText('The operator’s password.', 256) },
  { title: 'EnrolmentRequest', examples: [{ password: 'correct horse battery 9' }] },
);

export const Enrolment = Type.Object(
  {
    uri: Type.String({ description: 'The URI for an authenticator app, to show as a QR code.' }),
    secret: Type.String({ description: 'The same secret in base32, to enter by hand.' }),
    enrolment: Type.String({ description: 'Send it back with the first code, within 15 minutes.' }),
  },
  { title: 'Enrolment' },
);

export const EXAMPLE_ENROLMENT = {
  uri: 'otpauth://totp/Emboss:ada%40example.com?issuer=Emboss&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  enrolment: 'AAAAAg0Vq3…',
};

export const FirstCodeBody = Type.Object(
  {
    enrolment: text('The value from the enrolment.', 2_000),
    code: CODE,
  },
  { title: 'FirstCode', examples: [{ enrolment: 'AAAAAg0Vq3', code: '492039' }] },
);

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Each code can be used once in place of a code from the app. They are shown only once.',
    }),
  },
  { title: 'RecoveryCodes' },
);

export const EXAMPLE_RECOVERY_CODES = { recoveryCodes: ['k3wq7-9mzpt', 'x8fda-2jhnv'] };

export const Session = Type.Object(
  {
    operator: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      role: Type.Enum([...ROLES], { description: 'Role of the operator.' }),
      programId: nullable(Type.String(), 'The only program of the operator; null: all programs.'),
      mustChangePassword: Type.Boolean({
        description: 'If true, the operator must change the password before anything else.',
      }),
      hasPassword: Type.Boolean({ description: 'False: the operator signs in with OpenID only.' }),
      hasOpenId: Type.Boolean({ description: 'The operator can sign in with OpenID.' }),
      hasSecondFactor: Type.Boolean(),
      recoveryCodes: Type.Integer({ description: 'Number of recovery codes left.' }),
    }),
    csrfToken: Type.String({
      description: 'Send it as `x-csrf-token` with every request that changes something.',
    }),
    expiresAt: Type.String({ description: 'When the session expires at the latest.' }),
    programs: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        mode: Type.Enum(['sandbox', 'live']),
        currency: Type.String(),
        needsSecondFactor: Type.Boolean({
          description: 'Whether the operator must set up a second factor before using the program.',
        }),
      }),
      { description: 'The programs that the operator can access.' },
    ),
  },
  { title: 'Session' },
);

export const EXAMPLE_SESSION = {
  operator: {
    id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e5f',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    role: 'support',
    programId: null,
    mustChangePassword: false,
    hasPassword: true,
    hasOpenId: false,
    hasSecondFactor: true,
    recoveryCodes: 10,
  },
  csrfToken: 'q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng',
  expiresAt: '2026-11-15T20:30:00+0000',
  programs: [
    {
      id: '019a85f2-7c1e-7001-9f3e-000000000001',
      name: 'Sandbox',
      mode: 'sandbox',
      currency: 'EUR',
      needsSecondFactor: false,
    },
  ],
};

export const SessionPath = Type.Object({ sessionId: Type.String() });

export const Sessions = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        id: Type.String(),
        device: Type.String({ description: 'Browser and system, such as "Firefox on Linux".' }),
        address: nullable(Type.String(), 'The client’s address at the sign-in.'),
        created: Type.String({ description: 'When the operator signed in.' }),
        lastUsed: Type.String({ description: 'Time of the last request, accurate to a minute.' }),
        isCurrent: Type.Boolean({ description: 'The session of this request.' }),
      }),
    ),
  },
  { title: 'Sessions' },
);

export const EXAMPLE_SESSIONS = {
  sessions: [
    {
      id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e62',
      device: 'Firefox on Linux',
      address: '203.0.113.7',
      created: '2026-11-15T08:30:00+0000',
      lastUsed: '2026-11-15T09:12:00+0000',
      isCurrent: true,
    },
  ],
};
