import type { Queryable, Tx } from '../db/database.ts';
import type { Authentication, CardAuthentication } from './authentication.ts';

export function updateWrongAttempts(
  tx: Tx,
  { programId, id, wrongAttempts }: Pick<Authentication, 'programId' | 'id' | 'wrongAttempts'>,
): void {
  tx.send(
    {
      name: 'update_authentication_attempts',
      text: 'update authentications set wrong_attempts = $3 where program_id = $1 and id = $2',
    },
    [programId, id, wrongAttempts],
  );
}

export function insertAttempt(
  tx: Tx,
  { programId, cardId, id: authenticationId }: CardAuthentication,
  attempt: { id: string; outcome: 'right' | 'wrong'; at: Date },
): void {
  tx.send(
    {
      name: 'insert_authentication_attempt',
      text: `insert into authentication_attempts (program_id, id, card_id, authentication_id, outcome, at)
             values ($1, $2, $3, $4, $5, $6)`,
    },
    [programId, attempt.id, cardId, authenticationId, attempt.outcome, attempt.at],
  );
}

/**
 * The codes sent for a card since a time, over all its authentications. All codes of an authentication count until its
 * newest is older, so the limit holds for every hour.
 */
export async function countSentCodes(
  db: Queryable,
  programId: string,
  cardId: string,
  since: Date,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    {
      name: 'count_sent_codes',
      text: `select coalesce(sum(sends), 0)::int as count from authentications
             where program_id = $1 and card_id = $2 and sends > 0 and send_started_at > $3`,
    },
    [programId, cardId, since],
  );
  return rows[0]?.count ?? 0;
}

/** The wrong codes on a card since a time, over all its authentications. */
export async function countWrongCodes(
  db: Queryable,
  programId: string,
  cardId: string,
  since: Date,
): Promise<number> {
  const rows = await db.query<{ count: number }>(
    {
      name: 'count_wrong_codes',
      text: `select count(*)::int as count from authentication_attempts
             where program_id = $1 and card_id = $2 and outcome = 'wrong' and at > $3`,
    },
    [programId, cardId, since],
  );
  return rows[0]?.count ?? 0;
}
