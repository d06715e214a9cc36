import { localIdentity } from '../../audit/entry.ts';
import type { Database } from '../../db/database.ts';
import { readActor } from '../../programs/actor.ts';
import { lockProgram, raiseRulesVersion } from '../../programs/queries.ts';
import { ruleView } from '../present-rule.ts';
import { listLiveRules, updateRule } from '../queries.ts';
import { recordChange } from '../record-change.ts';
import { areFilled } from './number-velocities.ts';
import { updateFilled } from './velocity-queries.ts';

/** The velocities count all of their windows: the rules that waited for them go on to SHADOW. */
export const finishFilling = (db: Database, programId: string, numbers: readonly number[]): Promise<void> =>
  db.transaction(async (tx) => {
    await lockProgram(tx, programId);
    await updateFilled(tx, programId, numbers, null);
    const actor = await readActor(tx, localIdentity('system:rules'), programId);
    for (const rule of await listLiveRules(tx, programId)) {
      if (rule.status !== 'PREPARING' || !(await areFilled(tx, programId, rule.velocities))) continue;
      const firstVersion = await raiseRulesVersion(tx, programId);
      const after = { ...rule, status: 'SHADOW' as const, shadowSince: new Date(actor.now()), firstVersion };
      await updateRule(tx, after);
      await recordChange(tx, actor, 'rule.prepared', ruleView(rule), ruleView(after));
    }
  });
