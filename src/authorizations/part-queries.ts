import type { Queryable, Tx } from '../db/database.ts';

/** Names and ids of parts are made by src/db/months.ts alone. They are no values: they cannot be parameters. */

export interface PartSize {
  name: string;
  /** In the table; else it has moved out. */
  here: boolean;
  bytes: bigint;
}

/** All parts by their names, which is the order of time. */
export const listPartSizes = (db: Queryable): Promise<PartSize[]> =>
  db.query<PartSize>({
    text: `select relname::text as name, relispartition as here, pg_total_relation_size(oid) as bytes
           from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'transactions\\_%'
           order by relname`,
  });

export async function hasHolds(db: Queryable, part: string): Promise<boolean> {
  const rows = await db.query<{ found: boolean }>({
    text: `select exists (select from ${part} where held_minor > 0) as found`,
  });
  return rows[0]?.found === true;
}

/** Moves of several operators take turns with one another and with starts of servers. */
export function takeTurn(tx: Tx): void {
  tx.send({ text: "select pg_advisory_xact_lock(hashtext('emboss migrate'))" });
}

/** Milestones that readers are adding are waited for, and none are added from here to the commit. */
export function lockMilestones(tx: Tx): void {
  tx.send({ text: 'lock table list_milestones in share row exclusive mode' });
}

/** Counting and checking a part takes as long as it takes; locks are waited for as shortly as ever. */
export function liftStatementLimit(tx: Tx): void {
  tx.send({ text: "select set_config('statement_timeout', '0', true)" });
}

/** From here on everybody waits until the commit. The parts need no lock: who wants one asks for the table first. */
export function detachPart(tx: Tx, part: string): void {
  tx.send({ text: "select set_config('statement_timeout', '1s', true)" });
  tx.send({ text: 'lock table only transactions in access exclusive mode' });
  tx.send({ text: `alter table transactions detach partition ${part}` });
}

/** `fromId` undefined: from the first transaction on. */
export function attachPart(tx: Tx, part: string, fromId: string | undefined, belowId: string): void {
  const from = fromId === undefined ? 'minvalue' : `'${fromId}'`;
  const range = `from (${from}) to ('${belowId}')`;
  tx.send({ text: `alter table transactions attach partition ${part} for values ${range}` });
}

export async function findMovedOutBelow(db: Queryable): Promise<string | undefined> {
  const rows = await db.query<{ belowId: string }>({
    text: 'select below_id as "belowId" from moved_out_transactions',
  });
  return rows[0]?.belowId;
}

/** Undefined: all are here. */
export function setMovedOutBelow(tx: Tx, belowId: string | undefined): void {
  tx.send({ text: 'delete from moved_out_transactions' });
  if (belowId !== undefined)
    tx.send({ text: 'insert into moved_out_transactions (below_id) values ($1)' }, [belowId]);
}
