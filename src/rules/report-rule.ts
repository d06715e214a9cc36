import type { Database } from '../db/database.ts';
import { type Day, dayEndMs, dayOf, dayStartMs, MS_PER_DAY } from '../kernel/calendar.ts';
import { invalid } from '../kernel/error.ts';
import { lowestIdAt } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import type { Actor } from '../programs/actor.ts';
import { type LastWeekServices, readLastWeek } from './last-week.ts';
import { sumEvaluations, sumMatches } from './match-queries.ts';
import { requireRule } from './read-rules.ts';
import type { RuleDocument } from './rule.ts';
import { openDocuments, type RuleKeeper } from './stored-documents.ts';

const MOST_DAYS = 366;
const USUAL_DAYS = 30;

/** What a rule did, or would have done, day by day. */
export async function reportRule(
  services: LastWeekServices & { db: Database; keeper: RuleKeeper },
  actor: Actor,
  id: string,
  given: { from?: Day; to?: Day },
) {
  const { db, keeper } = services;
  const { id: programId, currency } = actor.program;
  const days = daysOf(given, dayOf(actor.now()));
  const rule = await requireRule(db, programId, id);
  const { appliesTo } = (await openDocuments(keeper, db, programId, [id])).get(id) as RuleDocument;
  const { from, to } = days;
  const [evaluations, matches, lastWeek] = await Promise.all([
    sumEvaluations(db, programId, appliesTo === 'PROGRAM' ? programId : id, days, {
      first: rule.firstVersion,
      archived: rule.archivedVersion,
    }),
    sumMatches(db, programId, id, lowestIdAt(dayStartMs(from)), lowestIdAt(dayEndMs(to))),
    readLastWeek(services, db, actor, id),
  ]);
  const evaluatedOn = new Map(evaluations.map(({ day, evaluated }) => [day, Number(evaluated)]));
  const matchedOn = new Map(matches.map((row) => [row.day, row]));
  const byDay = every(from, to).map((day) => {
    const { matched = 0, changed = 0, amountMinor = 0n } = matchedOn.get(day) ?? {};
    const evaluated = evaluatedOn.get(day) ?? 0;
    return {
      day,
      evaluated,
      matched,
      wouldHaveChanged: changed,
      amount: formatAmount(amountMinor, currency),
    };
  });
  return { from, to, currency, byDay, lastWeek };
}

function daysOf({ from, to }: { from?: Day; to?: Day }, today: Day): { from: Day; to: Day } {
  const last = to ?? today;
  const first = from ?? dayOf(dayStartMs(last) - (USUAL_DAYS - 1) * MS_PER_DAY);
  if (first > last) throw invalid('from', 'must not be after to');
  if (dayStartMs(last) - dayStartMs(first) >= MOST_DAYS * MS_PER_DAY)
    throw invalid('from', `must be at most ${MOST_DAYS} days before the end of to`);
  return { from: first, to: last };
}

function every(from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let ms = dayStartMs(from); ms < dayEndMs(to); ms += MS_PER_DAY) days.push(dayOf(ms));
  return days;
}
