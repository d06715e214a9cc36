import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Statement, Tx } from '../../../src/db/database.ts';
import { detailed } from '../../../src/db/database.ts';
import { ROOT } from '../scripts/sources.ts';

/** These are not distributed by program: they map a request to its program. */
const NOT_BY_PROGRAM: Record<string, string> = {
  api_keys: 'small, on the coordinator; found by hash before the program is known',
  operator_invitations: 'small, on the coordinator; an invited person may have no program',
  operators: 'small, on the coordinator; an operator may have no program',
  card_fingerprints: 'on the coordinator, because each number is unique in all programs',
};

const schema = readFileSync(join(ROOT, 'migrations/schema.sql'), 'utf8');

/** The tables that a cluster distributes by program. */
export const TABLES = [...schema.matchAll(/^create table (\w+) \(\n((?: .*\n)*)/gm)]
  .filter(([, table = '', columns = '']) => /^ {2}program_id /m.test(columns) && !(table in NOT_BY_PROGRAM))
  .map(([, table]) => table as string);

export const NAMES_TABLE = new RegExp(`\\b(?:from|join|into|update)\\s+(?:${TABLES.join('|')})\\b`);

/** Refuses a statement in `inProgram` that does not say that it needs the coordinator, which only a cluster would notice. */
export function withCheckedStatements(db: Database): Database {
  const check = (given: Statement | string) => {
    const { text, onCoordinator } = detailed(given);
    if (NAMES_TABLE.test(text) === (onCoordinator !== undefined))
      throw new Error(`a statement in inProgram needs the right onCoordinator: ${text}`);
  };
  const checked = (tx: Tx): Tx =>
    ({
      query: async (...given: Parameters<Tx['query']>) => {
        check(given[0]);
        return tx.query(...given);
      },
      send: (...given: Parameters<Tx['send']>) => {
        check(given[0]);
        tx.send(...given);
      },
    }) as Tx;
  return {
    ...db,
    inProgram: (programId, work, patience) => db.inProgram(programId, (tx) => work(checked(tx)), patience),
  };
}
