import { Type } from 'typebox';
import { rule } from '../http/schemas.ts';
import { ROLES } from '../programs/access.ts';

const text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, ...rule(`must be 1 to ${maxLength} characters`), description });

/** It never becomes a string in the server. */
const secretText = (description: string, maxLength: number) => ({
  ...text(description, maxLength),
  writeOnly: true,
});

const CODE = secretText('A code of the authenticator app, or a recovery code.', 64);

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
    currentPassword: secretText('The password as it is now.', 256),
    newPassword: secretText(
      '12 to 256 characters, with letters and digits; none of the last four, and no common one.',
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
    uri: Type.String({ description: 'For an authenticator app, as a QR code.' }),
    secret: Type.String({ description: 'The same secret in base32, to be typed.' }),
    enrolment: Type.String({ description: 'To be sent back with the first code, within 15 minutes.' }),
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
    enrolment: text('As the enrolment gave it.', 2_000),
    code: CODE,
  },
  { title: 'FirstCode', examples: [{ enrolment: 'AAAAAg0Vq3', code: '492039' }] },
);

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Each opens once, in place of a code. They are shown this once.',
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
      role: Type.Enum([...ROLES], { description: 'What the operator may do.' }),
      mustChangePassword: Type.Boolean({
        description: 'Until the password is changed, nothing else can be done.',
      }),
      hasSecondFactor: Type.Boolean(),
      recoveryCodes: Type.Integer({ description: 'How many recovery codes are left.' }),
    }),
    csrfToken: Type.String({
      description: 'To be sent as `x-csrf-token` with everything that does more than look.',
    }),
    expiresAt: Type.String({ description: 'When the session ends at the latest.' }),
    programs: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        mode: Type.Enum(['sandbox', 'live']),
        currency: Type.String(),
        needsSecondFactor: Type.Boolean({
          description: 'Whether the operator must set up a second factor before working in it.',
        }),
      }),
      { description: 'The programs that the operator may see.' },
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
    mustChangePassword: false,
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

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
