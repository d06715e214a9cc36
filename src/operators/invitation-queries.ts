import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { Operator } from './operator.ts';

export interface InvitationRights extends Pick<Operator, 'email' | 'name' | 'role' | 'programId'> {
  id: string;
  expiresAt: Date;
}

export interface Invitation extends InvitationRights {
  /** Null: the command line. */
  invitedBy: string | null;
  createdAt: Date;
}

export interface InvitationRow extends Invitation {
  tokenHash: Buffer;
}

const COLUMNS = 'id, token_hash, email, name, role, program_id, invited_by, created_at, expires_at';

export async function insertInvitation(tx: Tx, invitation: InvitationRow): Promise<void> {
  await tx.query(
    `insert into operator_invitations (${COLUMNS}) values (${parametersOf(COLUMNS)})`,
    valuesOf(COLUMNS, { ...invitation }),
  );
}

/** Invitations that can be accepted, newest first: to one program, or all of them for null. */
export const listInvitations = (
  db: Queryable,
  programId: string | null,
  limit: number,
): Promise<InvitationRow[]> =>
  db.query<InvitationRow>(
    `select ${COLUMNS} from operator_invitations
     where expires_at > clock_timestamp() and ($1::uuid is null or program_id = $1)
     order by id desc limit $2`,
    [programId, limit],
  );

export async function findInvitation(db: Queryable, id: string): Promise<InvitationRow | undefined> {
  const rows = await db.query<InvitationRow>(
    `select ${COLUMNS} from operator_invitations where id = $1 and expires_at > clock_timestamp()`,
    [id],
  );
  return rows[0];
}

/** False if it was used or revoked meanwhile: one transaction deletes it. */
export async function deleteInvitation(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.query('delete from operator_invitations where id = $1 returning id', [id]);
  return rows.length === 1;
}

export const deleteInvitationsBy = (tx: Tx, operatorId: string): Promise<InvitationRow[]> =>
  tx.query<InvitationRow>(`delete from operator_invitations where invited_by = $1 returning ${COLUMNS}`, [
    operatorId,
  ]);

export async function deleteStaleInvitations(db: Queryable): Promise<void> {
  await db.query('delete from operator_invitations where expires_at < statement_timestamp()');
}
