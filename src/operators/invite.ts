import type { Identity } from '../audit/entry.ts';
import type { Database, Tx } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId, newId } from '../kernel/ids.ts';
import { reveal, type Secret } from '../kernel/secret.ts';
import { auditInvitation } from './audit.ts';
import {
  deleteInvitation,
  deleteInvitationsBy,
  findInvitation,
  type Invitation,
  insertInvitation,
} from './invitation-queries.ts';
import { checkEmail, checkName, type Operator } from './operator.ts';
import { findOperatorByEmail } from './queries.ts';
import { hashInvitation, newToken } from './seals.ts';

const INVITATION_LIFE_MS = 3 * 86_400_000;

/** The token is in the fragment, which browsers send to no server: no log and no referrer contains it. */
export const invitationLink = (publicUrl: string, token: Secret): string =>
  `${publicUrl}/console/invitation#${reveal(token)}`;

/** Only the result contains the token. `invitedBy` null: the command line. */
export async function invite(
  tx: Tx,
  digest: Digest,
  by: Identity,
  input: Pick<Operator, 'email' | 'name' | 'role' | 'programId'>,
  invitedBy: string | null,
): Promise<{ invitation: Invitation; token: Secret }> {
  const email = checkEmail(input.email);
  if (await findOperatorByEmail(tx, email))
    throw new EmbossError(409, `An operator with the address ${email} already exists`);
  const nowMs = Date.now();
  const invitation: Invitation = {
    ...{ ...input, id: newId(nowMs), email, name: checkName(input.name), invitedBy },
    ...{ createdAt: new Date(nowMs), expiresAt: new Date(nowMs + INVITATION_LIFE_MS) },
  };
  const token = newToken(invitation.id);
  await insertInvitation(tx, { ...invitation, tokenHash: hashInvitation(digest, token, invitation) });
  await auditInvitation(tx, by, 'operator.invited', invitation);
  return { invitation, token };
}

/** `allow` throws if the invitation is not to be revoked by this actor. */
export async function revokeInvitation(
  db: Database,
  by: Identity,
  id: string,
  allow: (invitation: Invitation) => void,
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = isId(id) ? await findInvitation(tx, id) : undefined;
    if (!found) throw notFound();
    allow(found);
    if (!(await deleteInvitation(tx, id))) throw notFound();
    await auditInvitation(tx, by, 'operator.invitation_revoked', found);
  });
}

/** The links of an administrator who was disabled, or is no longer one, must not open accounts. */
export async function revokeInvitationsBy(tx: Tx, by: Identity, operatorId: string): Promise<void> {
  for (const invitation of await deleteInvitationsBy(tx, operatorId))
    await auditInvitation(tx, by, 'operator.invitation_revoked', invitation);
}
