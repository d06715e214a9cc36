import { audit } from '../../audit/audit.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Remember } from '../../http/idempotency.ts';
import { makeDue } from '../../jobs/queries.ts';
import { type Day, dayEndMs, dayStartMs } from '../../kernel/calendar.ts';
import { EmbossError, invalid, notFound } from '../../kernel/error.ts';
import { isId, lowestIdAt, newId } from '../../kernel/ids.ts';
import { type Actor, lockFor } from '../../programs/actor.ts';
import { lockProgram } from '../../programs/queries.ts';
import { checkSubjects, type Subjects } from '../check-subjects.ts';
import { findRule } from '../queries.ts';
import { readCondition } from '../read-condition.ts';
import { readSubjects } from '../read-subjects.ts';
import type { RuleDocument } from '../rule.ts';
import type { RuleBody } from '../schema.ts';
import { openDocuments, type RuleKeeper } from '../stored-documents.ts';
import {
  type BacktestRecord,
  emptyTally,
  MOST_OPEN,
  type Mode,
  requireDays,
  type TestedRule,
} from './backtest.ts';
import { type PresentedBacktest, presentBacktest } from './present-backtest.ts';
import { insertBacktest, listOpenBacktests } from './queries.ts';

export interface BacktestServices {
  db: Database;
  keeper: RuleKeeper;
  subjects: Subjects;
}

export interface Span {
  from: Day;
  to: Day;
  mode: Mode;
}

/** Of a rule of any status. */
export const backtestRule = (
  { db, keeper }: BacktestServices,
  actor: Actor,
  ruleId: string,
  span: Span,
  remember: Remember,
): Promise<PresentedBacktest> =>
  queue({ db, keeper }, actor, span, remember, ruleId, async (tx, programId) => {
    const rule = isId(ruleId) ? await findRule(tx, programId, ruleId) : undefined;
    if (!rule) throw notFound();
    const document = (await openDocuments(keeper, tx, programId, [ruleId])).get(ruleId) as RuleDocument;
    return { ...document, name: rule.name, action: rule.action };
  });

/** Of a rule that is not saved, and that would be accepted. */
export const backtestUnsaved = (
  { db, keeper, subjects }: BacktestServices,
  actor: Actor,
  { rule, ...span }: Span & { rule: Pick<RuleBody, 'name' | 'appliesTo' | 'when' | 'action'> },
  remember: Remember,
): Promise<PresentedBacktest> =>
  queue({ db, keeper }, actor, span, remember, null, async (tx, programId) => {
    const { name, action, when } = rule;
    const appliesTo = readSubjects(rule.appliesTo, 'rule.appliesTo');
    await readCondition(tx, actor.program, when, 'rule.when');
    await checkSubjects(subjects, tx, programId, appliesTo, 'rule.appliesTo');
    return { name, action, when, appliesTo };
  });

/** Stores the backtest with a copy of the rule; the worker runs it. */
const queue = (
  { db, keeper }: Pick<BacktestServices, 'db' | 'keeper'>,
  actor: Actor,
  { from, to, mode }: Span,
  remember: Remember,
  ruleId: string | null,
  readRule: (tx: Tx, programId: string) => Promise<TestedRule>,
): Promise<PresentedBacktest> =>
  db.transaction(async (tx) => {
    requireDays(from, to);
    const [{ id: programId }, current] = await lockFor(tx, actor, lockProgram(tx, actor.program.id));
    const rule = await readRule(tx, programId);
    if ((await listOpenBacktests(tx, programId, MOST_OPEN)).length === MOST_OPEN)
      throw new EmbossError(409, `At most ${MOST_OPEN} backtests can wait; try again when one has completed`);
    const nowMs = current.now();
    if (dayStartMs(from) > nowMs) throw invalid('from', 'must not be in the future');
    const backtest: BacktestRecord = {
      ...{ programId, id: newId(nowMs), ruleId, mode, fromDay: from, toDay: to, status: 'QUEUED' },
      belowId: lowestIdAt(Math.min(dayEndMs(to), nowMs)),
      ...{ position: null, tally: emptyTally(), approximate: false },
      requestedAt: new Date(current.realNow()),
      createdAt: new Date(nowMs),
      completedAt: null,
    };
    const answer = presentBacktest(backtest, current.program.currency);
    const { id } = backtest;
    await Promise.all([
      insertBacktest(tx, backtest),
      keeper.sealRecord(tx, { programId, ownerId: id, kind: 'rule-backtest', id }, rule),
      audit(tx, current, 'rule.backtest_requested', { after: { id, ruleId, from, to, mode } }),
      remember(tx, answer),
      makeDue(tx, programId, ['rule-backtests']),
    ]);
    return answer;
  });
