import { column } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { parametersOf, valuesOf } from '../db/row.ts';
import type { RuleRecord } from './rule.ts';

/** For `lists/`. */
export const RULE_LIST = { table: 'rules' };

const CHANGING = `status, shadow_since, active_since, archived_at, first_version, archived_version` as const;
const STORED =
  `program_id, id, name, action, reason, priority, lists, velocities, replaces, created_at, ${CHANGING}` as const;

export async function insertRule(tx: Tx, rule: RuleRecord): Promise<void> {
  await tx.query(`insert into rules (${STORED}) values (${parametersOf(STORED)})`, valuesOf(STORED, rule));
}

export async function updateRule(tx: Tx, rule: RuleRecord): Promise<void> {
  await tx.query(
    `update rules set (${CHANGING}) = (${parametersOf(CHANGING, 3)}) where program_id = $1 and id = $2`,
    [rule.programId, rule.id, ...valuesOf(CHANGING, rule)],
  );
}

export async function findRule(
  db: Queryable,
  programId: string,
  id: string,
): Promise<RuleRecord | undefined> {
  return (await findRules(db, programId, [id]))[0];
}

export const findRules = (db: Queryable, programId: string, ids: readonly string[]): Promise<RuleRecord[]> =>
  db.query<RuleRecord & Record<string, unknown>>(
    {
      name: 'find_rules',
      text: `select ${STORED} from rules where program_id = $1 and id = any ($2::uuid[])`,
    },
    [programId, column(ids)],
  );

/** Newest first, with ids from `lowestId` to `fromId`, both included. */
export const listRules = (
  db: Queryable,
  programId: string,
  fromId: string,
  lowestId: string,
  limit: number,
): Promise<RuleRecord[]> =>
  db.query<RuleRecord & Record<string, unknown>>(
    {
      name: 'list_rules',
      text: `select ${STORED} from rules where program_id = $1 and id <= $2 and id >= $3 order by id desc limit $4`,
    },
    [programId, fromId, lowestId, limit],
  );

/** All rules of the program that are not archived, the oldest first. */
export const listLiveRules = (db: Queryable, programId: string): Promise<RuleRecord[]> =>
  db.query<RuleRecord & Record<string, unknown>>(
    {
      name: 'list_live_rules',
      text: `select ${STORED} from rules where program_id = $1 and status <> 'ARCHIVED' order by id`,
    },
    [programId],
  );
