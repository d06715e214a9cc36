import type { Database, Tx } from '../db/database.ts';
import type { Remember } from '../http/idempotency.ts';
import { makeDue } from '../jobs/queries.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { isId, newId } from '../kernel/ids.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { lockProgram, raiseRulesVersion } from '../programs/queries.ts';
import { checkSubjects, type Subjects } from './check-subjects.ts';
import { listsOf, velocitiesOf } from './language/condition.ts';
import { type PresentedRule, presentRule, ruleView } from './present-rule.ts';
import { findRule, insertRule, listLiveRules } from './queries.ts';
import { openConditions, readCondition } from './read-condition.ts';
import { readSubjects } from './read-subjects.ts';
import { recordChange } from './record-change.ts';
import { MOST_RULES, type RuleRecord } from './rule.ts';
import type { RuleBody } from './schema.ts';
import { type RuleKeeper, sealDocument } from './stored-documents.ts';
import { numberVelocities } from './velocity/number-velocities.ts';

export interface RuleServices {
  db: Database;
  keeper: RuleKeeper;
  subjects: Subjects;
}

/**
 * Creates a rule in SHADOW: it is evaluated from the next authorization on, and decides nothing. New velocities first count what came
 * before: in PREPARING.
 */
export const createRule = (
  { db, keeper, subjects }: RuleServices,
  actor: Actor,
  body: RuleBody,
  remember: Remember,
): Promise<PresentedRule> =>
  db.transaction(async (tx) => {
    const appliesTo = readSubjects(body.appliesTo);
    // Serialises the changes of the program's rules and lists.
    const [program, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    const condition = await readCondition(tx, program, body.when);
    await checkSubjects(subjects, tx, program.id, appliesTo);
    if (body.replaces != null) await requireReplaceable(tx, program.id, body.replaces);
    const live = await listLiveRules(tx, program.id);
    if (live.length >= MOST_RULES)
      throw new EmbossError(409, `A program can have at most ${MOST_RULES} rules; archive one first`);
    const nowMs = current.now();
    const { velocities, isFilled } = await numberVelocities(
      tx,
      program.id,
      condition,
      velocitiesOf(condition).length > 0 ? await openConditions(tx, keeper, program, live) : [],
    );
    const rule: RuleRecord = {
      programId: program.id,
      id: newId(nowMs),
      name: body.name,
      status: isFilled ? 'SHADOW' : 'PREPARING',
      action: body.action,
      reason: body.reason ?? null,
      priority: body.priority ?? 0,
      lists: listsOf(condition).filter((name) => !name.includes(':')),
      velocities,
      replaces: body.replaces ?? null,
      createdAt: new Date(nowMs),
      shadowSince: isFilled ? new Date(nowMs) : null,
      activeSince: null,
      archivedAt: null,
      firstVersion: await raiseRulesVersion(tx, program.id),
      archivedVersion: null,
    };
    const document = { when: body.when, appliesTo };
    const answer = presentRule(rule, document);
    await insertRule(tx, rule);
    await Promise.all([
      sealDocument(keeper, tx, rule, document),
      recordChange(tx, current, 'rule.created', null, ruleView(rule)),
      remember(tx, answer),
      isFilled || makeDue(tx, program.id, ['rule-velocities']),
    ]);
    return answer;
  });

async function requireReplaceable(tx: Tx, programId: string, id: string): Promise<void> {
  const replaced = isId(id) ? await findRule(tx, programId, id) : undefined;
  if (!replaced) throw invalid('replaces', 'is not a rule in this program');
  if (replaced.status === 'ARCHIVED') throw invalid('replaces', 'is archived already');
}
