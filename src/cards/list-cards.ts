import type { Database } from '../db/database.ts';
import { extendMilestones } from '../lists/extend-milestones.ts';
import { findPage, type PageRequest } from '../lists/find-page.ts';
import type { Vault } from '../vault/vault.ts';
import { type Act, type CardHolder, type PresentedCard, presentCard } from './card.ts';
import { listCards as listCardRecords } from './queries.ts';

/** A page, newest first, with one card more than asked for when another page follows. */
export async function listCards(
  { db, vault, onError }: { db: Database; vault: Vault; onError: (error: unknown) => void },
  act: Act,
  request: PageRequest,
): Promise<{ count: number; cards: PresentedCard[] }> {
  const { program, realNow } = act.caller;
  const { count, tail, fromId, lowestId } = await findPage(db, 'cards', program.id, request);
  const sinceMoveMs = program.clockMovedAt
    ? realNow() - program.clockMovedAt.getTime()
    : Number.POSITIVE_INFINITY;
  // Beside the request: the next reader of a long tail will have it shorter.
  extendMilestones(db, 'cards', program.id, tail, { nowMs: act.nowMs, sinceMoveMs }).catch(onError);
  if (fromId === undefined) return { count, cards: [] };
  const records = await listCardRecords(db, program.id, fromId, lowestId, request.pageSize + 1);
  const holders = await vault.openRecords(
    db,
    program.id,
    'holder',
    records.map((record) => record.id),
  );
  const cards = records.map((record) => presentCard(record, holders.get(record.id) as CardHolder, act.nowMs));
  return { count, cards };
}
