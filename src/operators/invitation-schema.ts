import { Type } from 'typebox';
import { ROLES } from '../programs/access.ts';
import { secretText, text } from './schema.ts';

const token = secretText('The token in the fragment of the link.', 200);
const EXAMPLE_TOKEN = '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e61.mJ0w…';

export const TokenBody = Type.Object(
  { token },
  { title: 'InvitationToken', examples: [{ token: EXAMPLE_TOKEN }] },
);

export const AcceptBody = Type.Object(
  {
    token,
    name: text('Shown in the history of cards and in the audit.', 100),
    password: secretText('12 to 256 characters, with letters and digits. Not a common one.', 256),
  },
  {
    title: 'InvitationAcceptance',
    examples: [{ token: EXAMPLE_TOKEN, name: 'Grace Hopper', password: '4 staples of another kind' }],
  },
);

export const OpenInvitation = Type.Object(
  {
    email: Type.String(),
    name: Type.String(),
    role: Type.Enum([...ROLES]),
    expires: Type.String({ examples: ['2026-11-18T08:30:00+0000'] }),
  },
  { title: 'OpenInvitation' },
);

export const EXAMPLE_OPEN_INVITATION = {
  ...{ email: 'grace@example.com', name: 'Grace Hopper', role: 'support' },
  expires: '2026-11-18T08:30:00+0000',
};
