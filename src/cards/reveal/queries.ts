import type { Queryable, Tx } from '../../db/database.ts';
import { parametersOf, valuesOf } from '../../db/row.ts';
import type { CardRecord } from '../card.ts';
import type { RevealSession, SessionRef } from './reveal-session.ts';

const OPEN = 'expires_at > clock_timestamp()';

/**
 * The open sessions of a card's current credential, and the time until the oldest one expires. Call it under the card's
 * lock. A reissue with new credentials has ended the others.
 */
export async function countOpenSessions(
  tx: Tx,
  { programId, id, credentialId }: CardRecord,
): Promise<{ count: number; secondsLeft: number }> {
  const rows = await tx.query<{ count: number; secondsLeft: number | null }>(
    {
      name: 'count_open_reveal_sessions',
      text: `select count(*)::int as count,
                    ceil(extract(epoch from min(expires_at) - clock_timestamp()))::int as seconds_left
             from reveal_sessions where program_id = $1 and card_id = $2 and credential_id = $3 and ${OPEN}`,
    },
    [programId, id, credentialId],
  );
  return { count: rows[0]?.count ?? 0, secondsLeft: Math.max(1, rows[0]?.secondsLeft ?? 1) };
}

const COLUMNS = `program_id, id, card_id, credential_id, created_by, origin, challenge, fields, display_seconds, theme, expires_at, seal`;

export function insertSession(tx: Tx, session: RevealSession, seal: Buffer): void {
  tx.send(
    {
      name: 'insert_reveal_session',
      text: `insert into reveal_sessions (${COLUMNS}) values (${parametersOf(COLUMNS)})`,
    },
    valuesOf(COLUMNS, { ...session, seal }),
  );
}

/** Locks an open session. A concurrent use waits here, and then finds that the session is gone. */
export async function lockSession(
  tx: Tx,
  { programId, id, origin }: SessionRef,
): Promise<{ session: RevealSession; seal: Buffer } | undefined> {
  const rows = await tx.query<RevealSession & { seal: Buffer }>(
    {
      name: 'lock_reveal_session',
      locks: true,
      text: `select ${COLUMNS} from reveal_sessions
             where program_id = $1 and id = $2 and origin is not distinct from $3 and ${OPEN} for update`,
    },
    [programId, id, origin],
  );
  if (!rows[0]) return undefined;
  const { seal, ...session } = rows[0];
  return { session, seal };
}

/** Counts a wrong verifier. Returns how many there were. */
export async function countWrongVerifier(tx: Tx, { programId, id }: SessionRef): Promise<number> {
  const rows = await tx.query<{ wrong: number }>(
    {
      name: 'count_wrong_verifier',
      text: `update reveal_sessions set wrong_verifiers = wrong_verifiers + 1
             where program_id = $1 and id = $2 returning wrong_verifiers as wrong`,
    },
    [programId, id],
  );
  return rows[0]?.wrong ?? 0;
}

export function deleteSession(tx: Tx, { programId, id }: SessionRef): void {
  tx.send(
    {
      name: 'delete_reveal_session',
      text: 'delete from reveal_sessions where program_id = $1 and id = $2',
    },
    [programId, id],
  );
}

/** Removes a batch of expired sessions and returns how many. */
export async function deleteExpiredSessions(db: Queryable, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from reveal_sessions where (program_id, id) in (
       select program_id, id from reveal_sessions where expires_at <= statement_timestamp() order by expires_at limit $1)
     returning program_id`,
    [limit],
  );
  return rows.length;
}
