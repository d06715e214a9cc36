import type { Database, Tx } from '../db/database.ts';
import { EmbossError, notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { type Actor, lockFor } from '../programs/actor.ts';
import { lockProgram, raiseRulesVersion } from '../programs/queries.ts';
import { findNewestResult } from './backtests/queries.ts';
import { type LastWeekServices, readLastWeek } from './last-week.ts';
import { type PresentedRule, presentRule, ruleView } from './present-rule.ts';
import { findRule, updateRule } from './queries.ts';
import { recordChange } from './record-change.ts';
import { promotionRefusal, type RuleDocument, type RuleRecord, requireStep } from './rule.ts';
import { openDocuments, type RuleKeeper } from './stored-documents.ts';

export interface ChangeServices extends LastWeekServices {
  db: Database;
  keeper: RuleKeeper;
}

/** SHADOW → ACTIVE. The rule that it replaces is archived in the same transaction. */
export const promoteRule = (
  services: ChangeServices,
  actor: Actor,
  id: string,
  isConfirmed: boolean,
): Promise<PresentedRule> =>
  withLockedRule(services, actor, id, async (tx, rule, current) => {
    requireStep(rule, 'promote');
    if (!isConfirmed) await guardPromotion(services, tx, current, rule);
    const version = await raiseRulesVersion(tx, rule.programId);
    const after: RuleRecord = { ...rule, status: 'ACTIVE', activeSince: new Date(current.now()) };
    await updateRule(tx, after);
    await recordChange(tx, current, 'rule.promoted', ruleView(rule), ruleView(after));
    const replaced = rule.replaces && (await findRule(tx, rule.programId, rule.replaces));
    if (replaced && replaced.status !== 'ARCHIVED') await archive(tx, current, replaced, version);
    return after;
  });

/** ACTIVE → SHADOW. */
export const demoteRule = (services: ChangeServices, actor: Actor, id: string): Promise<PresentedRule> =>
  withLockedRule(services, actor, id, async (tx, rule, current) => {
    requireStep(rule, 'demote');
    await raiseRulesVersion(tx, rule.programId);
    const after: RuleRecord = { ...rule, status: 'SHADOW', shadowSince: new Date(current.now()) };
    await updateRule(tx, after);
    await recordChange(tx, current, 'rule.demoted', ruleView(rule), ruleView(after));
    return after;
  });

export const archiveRule = (services: ChangeServices, actor: Actor, id: string): Promise<PresentedRule> =>
  withLockedRule(services, actor, id, async (tx, rule, current) => {
    requireStep(rule, 'archive');
    return archive(tx, current, rule, await raiseRulesVersion(tx, rule.programId));
  });

async function archive(tx: Tx, actor: Actor, rule: RuleRecord, version: bigint): Promise<RuleRecord> {
  const archivedAt = new Date(actor.now());
  const after: RuleRecord = { ...rule, status: 'ARCHIVED', archivedAt, archivedVersion: version };
  await updateRule(tx, after);
  await recordChange(tx, actor, 'rule.archived', ruleView(rule), ruleView(after));
  return after;
}

async function guardPromotion(
  services: ChangeServices,
  tx: Tx,
  actor: Actor,
  rule: RuleRecord,
): Promise<void> {
  const [lastWeek, backtest] = await Promise.all([
    readLastWeek(services, tx, actor, rule.id),
    findNewestResult(tx, rule.programId, rule.id),
  ]);
  const shadowMs = actor.now() - (rule.shadowSince?.getTime() ?? actor.now());
  const refusal = promotionRefusal({ ...lastWeek, shadowMs, backtest }, actor.program.rulesGuardPercent);
  if (refusal !== undefined) throw new EmbossError(409, refusal);
}

/** The lock of the program serialises the changes of its rules: what one decides stays so until it is committed. */
const withLockedRule = (
  { db, keeper }: ChangeServices,
  actor: Actor,
  id: string,
  change: (tx: Tx, rule: RuleRecord, current: Actor) => Promise<RuleRecord>,
): Promise<PresentedRule> =>
  db.transaction(async (tx) => {
    const [program, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    const rule = isId(id) ? await findRule(tx, program.id, id) : undefined;
    if (!rule) throw notFound();
    const documents = await openDocuments(keeper, tx, program.id, [id]);
    return presentRule(await change(tx, rule, current), documents.get(id) as RuleDocument);
  });
