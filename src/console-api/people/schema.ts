import { Type } from 'typebox';
import { nullable, rule } from '../../http/schemas.ts';
import { ROLES } from '../../programs/access.ts';
import { confirmationFields, nullableText, ProgramPath, text, timestamp } from '../console-schema.ts';

export const PersonPath = Type.Object({ ...ProgramPath.properties, operatorId: Type.String() });
export const PersonSessionPath = Type.Object({ ...PersonPath.properties, sessionId: Type.String() });

const name = Type.String({ minLength: 1, maxLength: 100, ...rule('must be 1 to 100 characters') });
const role = Type.Enum([...ROLES]);
const programId = nullable(
  Type.String({ maxLength: 36, description: 'The only program of the person; null: all programs.' }),
);

const personFields = {
  id: text,
  email: text,
  name: text,
  role,
  programId: nullableText,
  state: Type.Enum(['active', 'disabled']),
  hasPassword: Type.Boolean({ description: 'False: the person signs in with OpenID only.' }),
  hasOpenId: Type.Boolean({ description: 'The person can sign in with OpenID.' }),
  hasSecondFactor: Type.Boolean(),
  mustChangePassword: Type.Boolean({ description: 'The password was generated and not changed yet.' }),
  lastSignIn: nullable(timestamp()),
  created: timestamp(),
};
export const Person = Type.Object(personFields, { title: 'Person' });
export const NewPerson = Type.Object(
  {
    ...personFields,
    generatedPassword: Type.String({
      description: 'Shown only once. The person must change it at the first sign-in.',
    }),
  },
  { title: 'NewPerson' },
);
export const People = Type.Object({ people: Type.Array(Person) }, { title: 'People' });

const invitationFields = {
  ...{ id: text, email: text, name: text, role, programId: nullableText },
  created: timestamp(),
  expires: timestamp(),
};
const Invitation = Type.Object(invitationFields, { title: 'Invitation' });
export const NewInvitation = Type.Object(
  {
    ...invitationFields,
    link: Type.String({ description: 'Shown only once. Give it to the person, and to no other.' }),
  },
  { title: 'NewInvitation' },
);
export const Invitations = Type.Object({ invitations: Type.Array(Invitation) }, { title: 'Invitations' });
export const InvitationPath = Type.Object({ ...ProgramPath.properties, invitationId: Type.String() });

export const NewPersonBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, ...rule('must be an e-mail address') }),
    name,
    role,
    programId,
    ...confirmationFields('Always required.'),
  },
  {
    title: 'NewPersonRequest',
    examples: [{ email: 'grace@example.com', name: 'Grace Hopper', role: 'support', programId: null }],
  },
);

export const PersonBody = Type.Object(
  {
    name: Type.Optional(name),
    role: Type.Optional(role),
    programId: Type.Optional(programId),
    enabled: Type.Optional(Type.Boolean({ description: 'False ends all sessions of the person.' })),
    ...confirmationFields('Required to change the role or the program, and to enable.'),
  },
  { title: 'PersonChange', examples: [{ name: 'Grace M. Hopper' }] },
);

export const ConfirmedBody = Type.Object(confirmationFields('Always required.'), {
  title: 'Confirmed',
  examples: [{ password: 'correct horse battery 9' }],
});

export const EXAMPLE_PERSON = {
  id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e61',
  email: 'grace@example.com',
  name: 'Grace Hopper',
  role: 'support',
  programId: null,
  state: 'active',
  hasPassword: true,
  hasOpenId: false,
  hasSecondFactor: true,
  mustChangePassword: false,
  lastSignIn: '2026-11-15T08:30:00+0000',
  created: '2026-10-01T08:30:00+0000',
};

export const EXAMPLE_INVITATION = {
  ...{ id: '019a85f2-7c1e-7001-9f3e-5a1c2b3d4e61', email: 'grace@example.com', name: 'Grace Hopper' },
  ...{ role: 'support', programId: null },
  ...{ created: '2026-11-15T08:30:00+0000', expires: '2026-11-18T08:30:00+0000' },
};
