import type { Queryable } from '../../db/database.ts';
import type { Program } from '../../programs/program.ts';
import { velocitiesOf } from '../language/condition.ts';
import { type LoadServices, loadOne, type OneRule } from '../loaded-rules.ts';
import { readCondition } from '../read-condition.ts';
import type { TestedRule } from './backtest.ts';

/** The rule of a backtest, compiled as for authorizations. It watches, as in SHADOW. */
export async function loadTestedRule(
  services: LoadServices,
  db: Queryable,
  program: Program,
  { id: backtestId, ruleId }: { id: string; ruleId: string | null },
): Promise<OneRule> {
  const sealed = await services.keeper.openRecords(db, program.id, 'rule-backtest', [backtestId]);
  const document = sealed.get(backtestId) as TestedRule | undefined;
  if (!document) throw new Error(`the rule of backtest ${backtestId} is missing in the vault`);
  const { name, action } = document;
  const definitions = velocitiesOf(await readCondition(db, program, document.when)).map(
    ({ velocity }) => velocity.definition,
  );
  return loadOne(
    services,
    db,
    program,
    {
      ...{ id: ruleId ?? backtestId, name, action, reason: null, priority: 0, status: 'SHADOW' },
      // Equal velocities are one.
      velocities: definitions.map((definition) => definitions.indexOf(definition) + 1),
    },
    document,
  );
}
