import type { Database } from '../../db/database.ts';
import { changeAlert } from '../../programs/account/change-alert.ts';
import { readAccount } from '../../programs/account/read-account.ts';
import type { Actor } from '../../programs/actor.ts';

const ROUND = 5_000;

/** For the bell: a master account below its alert, which a worker finds at once. */
export async function addNotifications(db: Database, actor: Actor): Promise<void> {
  const { available } = await readAccount(db, actor.program);
  await changeAlert(db, actor, (Math.floor(available / ROUND) + 1) * ROUND);
}
