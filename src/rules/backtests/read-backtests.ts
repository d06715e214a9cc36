import type { Database } from '../../db/database.ts';
import { notFound } from '../../kernel/error.ts';
import { isId } from '../../kernel/ids.ts';
import { type FoundPage, findFilteredPage, inOrder } from '../../lists/filtered-page.ts';
import { matchingOf } from '../../lists/filters.ts';
import type { PageRequest } from '../../lists/find-page.ts';
import type { Actor } from '../../programs/actor.ts';
import { presentMatch } from '../present-rule.ts';
import { requireRule } from '../read-rules.ts';
import { ofBacktest, ofTestedRule } from './filter-queries.ts';
import { type PresentedBacktest, presentBacktest } from './present-backtest.ts';
import { BACKTEST_LIST, BACKTEST_MATCH_LIST, findBacktestMatches, findBacktests } from './queries.ts';

/** Throws a 404 if the rule has no such backtest. `ruleId` undefined: of any rule, also of one that is not saved. */
export async function retrieveBacktest(
  db: Database,
  { program }: Actor,
  ruleId: string | undefined,
  id: string,
): Promise<PresentedBacktest> {
  const [found] = isId(id) ? await findBacktests(db, program.id, [id]) : [];
  if (!found || (ruleId !== undefined && found.ruleId !== ruleId)) throw notFound();
  return presentBacktest(found, program.currency);
}

/** A page of the backtests of a rule, newest first. */
export async function listBacktests(
  db: Database,
  { program }: Actor,
  ruleId: string,
  request: PageRequest,
): Promise<{ backtests: PresentedBacktest[]; found: FoundPage }> {
  await requireRule(db, program.id, ruleId);
  const matching = matchingOf(BACKTEST_LIST, {}, {}, undefined, [ofTestedRule(ruleId)]);
  const found = await findFilteredPage(db, matching, program.id, request);
  const backtests = inOrder(found.ids, await findBacktests(db, program.id, found.ids));
  return { backtests: backtests.map((each) => presentBacktest(each, program.currency)), found };
}

/** A page of the attempts that a backtest matched, newest first. */
export async function listBacktestMatches(
  db: Database,
  actor: Actor,
  ruleId: string | undefined,
  id: string,
  request: PageRequest,
): Promise<{ matches: Array<ReturnType<typeof presentMatch>>; found: FoundPage }> {
  const { program } = actor;
  await retrieveBacktest(db, actor, ruleId, id);
  const matching = matchingOf(BACKTEST_MATCH_LIST, {}, {}, undefined, [ofBacktest(id)]);
  const found = await findFilteredPage(db, matching, program.id, request);
  const matches = inOrder(found.ids, await findBacktestMatches(db, program.id, id, found.ids));
  return {
    matches: matches.map((match) => presentMatch({ ...match, status: 'SHADOW' }, program.currency)),
    found,
  };
}
