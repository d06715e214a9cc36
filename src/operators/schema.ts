import { Type } from 'typebox';
import { rule } from '../http/schemas.ts';
import { ROLES } from './operator.ts';

const text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, ...rule(`must be 1 to ${maxLength} characters`), description });

export const SignInBody = Type.Object(
  {
    email: text('The operator’s e-mail address.', 254),
    password: { ...text('The operator’s password.', 256), writeOnly: true },
  },
  { title: 'SignIn', examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
);

export const PasswordBody = Type.Object(
  {
    currentPassword: text('The password as it is now.', 256),
    newPassword: text('12 to 256 characters.', 256),
  },
  {
    title: 'PasswordChange',
    examples: [{ currentPassword: 'correct horse battery', newPassword: 'staple of another kind' }],
  },
);

export const Session = Type.Object(
  {
    operator: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      role: Type.Enum([...ROLES], { description: 'What the operator may do.' }),
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
  },
  csrfToken: 'q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng',
  expiresAt: '2026-11-15T20:30:00+0000',
  programs: [
    { id: '019a85f2-7c1e-7001-9f3e-000000000001', name: 'Sandbox', mode: 'sandbox', currency: 'EUR' },
  ],
};

export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
