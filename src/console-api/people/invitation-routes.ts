import { badRequest, errorResponses, Message, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import { notFound } from '../../kernel/error.ts';
import { type Invitation, listInvitations } from '../../operators/invitation-queries.ts';
import { invitationLink, invite, revokeInvitation } from '../../operators/invite.ts';
import { checkProgram } from '../../operators/people.ts';
import { identityOf } from '../../operators/routes.ts';
import type { Access } from '../../programs/access.ts';
import { listPrograms } from '../../programs/queries.ts';
import { type ConfirmServices, confirmRequest, operatorOf } from '../confirm-request.ts';
import { EXAMPLE_INVITATION, InvitationPath, Invitations, NewInvitation, NewPersonBody } from './schema.ts';

const MOST_INVITATIONS = 1_000;
const ADMIN = { role: 'admin', installation: 'always' } as const satisfies Access;

/** Links by which people open their accounts themselves. */
export function invitationRoutes(
  app: App,
  { signIn, publicUrl }: { signIn: ConfirmServices; publicUrl: string },
): void {
  const { db, digest } = signIn;

  app.get(
    '/invitations/',
    {
      config: ADMIN,
      schema: {
        operationId: 'listInvitations',
        summary: 'List open invitations',
        description: `The newest first, at most ${MOST_INVITATIONS}.`,
        response: {
          200: success(Invitations, 'Invitations that can be accepted', {
            invitations: [EXAMPLE_INVITATION],
          }),
        },
      },
    },
    async (request) => {
      const invitations = await listInvitations(db, operatorOf(request).programId, MOST_INVITATIONS);
      return { invitations: invitations.map(present) };
    },
  );

  app.post(
    '/invitations/',
    {
      config: ADMIN,
      schema: {
        operationId: 'invitePerson',
        summary: 'Invite a person by a link',
        description: 'The link is shown only once. It works once, for three days.',
        body: NewPersonBody,
        response: {
          201: success(NewInvitation, 'Invited. The link is shown only once', {
            ...EXAMPLE_INVITATION,
            link: 'https://cards.example.com/console/invitation#019a85f2-7c1e-7001-9f3e-5a1c2b3d4e61.mJ0w…',
          }),
          ...badRequest([400, 'password: is wrong']),
          ...refusal(
            409,
            'The address has an account',
            'An operator with the address grace@example.com already exists',
          ),
          ...refusal(
            429,
            'The account is locked',
            'Too many wrong passwords or codes; try again in 30 minutes',
          ),
        },
      },
    },
    async (request, reply) => {
      const acting = operatorOf(request);
      const { email, name, role } = request.body;
      const programId = checkProgram(acting, request.body.programId, await listPrograms(db));
      await confirmRequest(signIn, request);
      const { invitation, token } = await db.transaction((tx) =>
        invite(tx, digest, identityOf(acting, request), { email, name, role, programId }, acting.id),
      );
      return reply.code(201).send({ ...present(invitation), link: invitationLink(publicUrl, token) });
    },
  );

  app.delete(
    '/invitations/:invitationId/',
    {
      config: ADMIN,
      schema: {
        operationId: 'revokeInvitation',
        summary: 'Revoke an invitation',
        params: InvitationPath,
        response: { 200: success(Message, 'Revoked', { message: 'Revoked' }), ...errorResponses(404) },
      },
    },
    async (request) => {
      const acting = operatorOf(request);
      await revokeInvitation(
        db,
        identityOf(acting, request),
        request.params.invitationId,
        ({ programId }) => {
          if (acting.programId !== null && programId !== acting.programId) throw notFound();
        },
      );
      return { message: 'Revoked' };
    },
  );
}

const present = ({ id, email, name, role, programId, createdAt, expiresAt }: Invitation) => ({
  ...{ id, email, name, role, programId },
  created: formatTimestamp(createdAt),
  expires: formatTimestamp(expiresAt),
});
