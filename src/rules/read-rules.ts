import type { Database } from '../db/database.ts';
import { notFound } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { type FoundPage, findFilteredPage, inOrder } from '../lists/filtered-page.ts';
import { isFiltered, matchingOf } from '../lists/filters.ts';
import type { PageRequest } from '../lists/find-page.ts';
import { readPage } from '../lists/read-page.ts';
import { type Actor, listClock } from '../programs/actor.ts';
import { ofRule } from './filter-queries.ts';
import { RULE_FILTERS } from './filters.ts';
import { findMatches, MATCH_LIST } from './match-queries.ts';
import { type PresentedRule, presentMatch, presentRule } from './present-rule.ts';
import { findRule, findRules, listRules, RULE_LIST } from './queries.ts';
import type { RuleDocument, RuleRecord } from './rule.ts';
import { openDocuments, type RuleKeeper } from './stored-documents.ts';

export interface ReadServices {
  db: Database;
  keeper: RuleKeeper;
  onError: (error: unknown) => void;
}

/** Throws a 404 if the program has no such rule. */
export async function requireRule(db: Database, programId: string, id: string): Promise<RuleRecord> {
  const rule = isId(id) ? await findRule(db, programId, id) : undefined;
  if (!rule) throw notFound();
  return rule;
}

export async function retrieveRule(
  services: Pick<ReadServices, 'db' | 'keeper'>,
  actor: Actor,
  id: string,
): Promise<PresentedRule> {
  const rule = await requireRule(services.db, actor.program.id, id);
  return (await present(services, actor, [rule]))[0] as PresentedRule;
}

async function present(
  { db, keeper }: Pick<ReadServices, 'db' | 'keeper'>,
  { program }: Actor,
  rules: readonly RuleRecord[],
): Promise<PresentedRule[]> {
  const documents = await openDocuments(
    keeper,
    db,
    program.id,
    rules.map(({ id }) => id),
  );
  return rules.map((rule) => presentRule(rule, documents.get(rule.id) as RuleDocument));
}

/** A page, newest first. It contains one rule more than requested if another page follows. */
export async function listProgramRules(
  services: ReadServices,
  actor: Actor,
  request: PageRequest,
  given: object,
): Promise<{ count: number; rules: PresentedRule[]; found?: FoundPage }> {
  const { db, onError } = services;
  const { id: programId } = actor.program;
  if (isFiltered(RULE_FILTERS, given)) {
    const matching = matchingOf(RULE_LIST, RULE_FILTERS, given, undefined);
    const found = await findFilteredPage(db, matching, programId, request);
    const rules = inOrder(found.ids, await findRules(db, programId, found.ids));
    return { count: found.count, rules: await present(services, actor, rules), found };
  }
  const { count, records } = await readPage(
    db,
    RULE_LIST,
    programId,
    request,
    listClock(actor),
    (fromId, lowestId, limit) => listRules(db, programId, fromId, lowestId, limit),
    onError,
  );
  return { count, rules: await present(services, actor, records) };
}

/** A page of the attempts that a rule matched, newest first. */
export async function listMatches(
  { db }: Pick<ReadServices, 'db'>,
  { program }: Actor,
  ruleId: string,
  request: PageRequest,
): Promise<{ matches: Array<ReturnType<typeof presentMatch>>; found: FoundPage }> {
  await requireRule(db, program.id, ruleId);
  const matching = matchingOf(MATCH_LIST, {}, {}, undefined, [ofRule(ruleId)]);
  const found = await findFilteredPage(db, matching, program.id, request);
  const matches = inOrder(found.ids, await findMatches(db, program.id, ruleId, found.ids));
  return { matches: matches.map((match) => presentMatch(match, program.currency)), found };
}
