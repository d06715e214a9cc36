import type { Database } from '../../db/database.ts';
import { newId } from '../../kernel/ids.ts';
import { insertPast } from '../../notifications/queries.ts';
import { changeAlert } from '../../programs/account/change-alert.ts';
import { readAccount } from '../../programs/account/read-account.ts';
import type { Actor } from '../../programs/actor.ts';

const HOUR_MS = 3_600_000;
const ROUND = 5_000;

/** For the bell: a spike of declines last night, and a master account below its alert, which a worker finds at once. */
export async function addNotifications(db: Database, actor: Actor): Promise<void> {
  const { available } = await readAccount(db, actor.program);
  await changeAlert(db, actor, (Math.floor(available / ROUND) + 1) * ROUND);
  const openedMs = actor.realNow() - 11 * HOUR_MS;
  const counts = { declined: 23, decided: 61, declinedBefore: 412, decidedBefore: 7_230 };
  await insertPast(
    db,
    { programId: actor.program.id, kind: 'declines', subject: '', details: counts },
    newId(openedMs),
    { openedAt: new Date(openedMs), closedAt: new Date(openedMs + 2 * HOUR_MS) },
  );
}
