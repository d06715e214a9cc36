import type { Identity } from '../audit/entry.ts';
import { EmbossError } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import { findEntitled } from './find-entitled.ts';
import { deleteInvitation, findInvitation, type InvitationRow } from './invitation-queries.ts';
import { addOperator } from './manage-operators.ts';
import { openSession } from './open-session.ts';
import { actorName, checkName } from './operator.ts';
import { checkNewPassword } from './password.ts';
import type { ProofServices } from './prove.ts';
import { isTokenOfInvitation } from './seals.ts';

/** Throws the same 404 for an unknown, expired, used, revoked and altered invitation. */
export async function readInvitation(
  services: Pick<ProofServices, 'db' | 'digest' | 'onError'>,
  token: Secret,
): Promise<InvitationRow> {
  const { db, digest } = services;
  await digest.refresh();
  const [id = ''] = reveal(token).split('.');
  const found = isId(id) ? await findInvitation(db, id) : undefined;
  if (!found || !isTokenOfInvitation(digest, token, found)) throw notOpen();
  const { invitedBy, programId } = found;
  // It may have been in progress while the invitations of the administrator were revoked.
  if (invitedBy !== null && !(await findEntitled(db, services, invitedBy, programId, 'admin')))
    throw notOpen();
  return found;
}

/** Creates the account and signs it in. */
export async function acceptInvitation(
  services: ProofServices,
  by: Identity,
  given: { token: Secret; name: string; password: Secret; userAgent: string | undefined },
) {
  const { db, digest } = services;
  const invitation = await readInvitation(services, given.token);
  const name = checkName(given.name);
  checkNewPassword('password', given.password, invitation.email);
  const person = { ...by, name: actorName({ ...invitation, name }) };
  const { id, email, role, programId } = invitation;
  return db.transaction(async (tx) => {
    if (!(await deleteInvitation(tx, id))) throw notOpen();
    const { operator } = await addOperator(
      tx,
      services,
      person,
      { email, name, role, programId },
      { password: given.password, isTheirOwn: true },
      'operator.invitation_accepted',
    );
    return openSession(tx, digest, by, operator, { userAgent: given.userAgent });
  });
}

const notOpen = (): EmbossError =>
  new EmbossError(404, 'The invitation was used, was revoked or has expired; ask for a new one');
