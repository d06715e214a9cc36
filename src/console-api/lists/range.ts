import { Type } from 'typebox';
import { nullable, rule } from '../../http/schemas.ts';
import { dayEndMs, dayStartMs, formatTimestamp, isDay, parseTimestamp } from '../../kernel/calendar.ts';
import { invalid } from '../../kernel/error.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt, timeOf } from '../../kernel/ids.ts';
import type { Range } from '../../lists/filter-list.ts';
import { before, next, readBefore, timestamp } from '../console-schema.ts';

const MOMENT = 'must be a UTC day, such as 2026-11-15, or a timestamp with an offset';
const moment = (description: string) =>
  Type.Optional(Type.String({ minLength: 10, maxLength: 40, ...rule(MOMENT), description }));

/** The period and the order of a filtered list. */
export const RangeQuery = {
  min_created: moment('Only from this UTC day or this time on.'),
  max_created: moment('Only up to and including this UTC day, or before this time.'),
  order: Type.Optional(
    Type.Enum(['newest', 'oldest'], { description: 'Which records come first. Default newest.' }),
  ),
};

/** A filtered list: its period, its order and where to continue. */
export const ListQuery = { ...RangeQuery, before };

export interface RangeQuery {
  min_created?: string;
  max_created?: string;
  order?: 'newest' | 'oldest';
  before?: string;
}

export function readRange(programId: string, query: RangeQuery): Range {
  const fromMs = readMoment('min_created', query.min_created, dayStartMs);
  const toMs = readMoment('max_created', query.max_created, dayEndMs);
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
    throw invalid('min_created', 'must not be after max_created');
  const oldestFirst = query.order === 'oldest';
  const reached = readBefore(query.before);
  const [aboveId, belowId] = [
    fromMs === undefined ? LOWEST_ID : lowestIdAt(fromMs),
    toMs === undefined ? HIGHEST_ID : lowestIdAt(toMs),
  ];
  return {
    programId,
    oldestFirst,
    aboveId: oldestFirst && reached && reached > aboveId ? reached : aboveId,
    belowId: !oldestFirst && reached && reached < belowId ? reached : belowId,
  };
}

function readMoment(
  field: string,
  given: string | undefined,
  ofDay: (day: string) => number,
): number | undefined {
  if (given === undefined) return undefined;
  const ms = isDay(given) ? ofDay(given) : parseTimestamp(given);
  if (ms === undefined) throw invalid(field, MOMENT);
  return ms;
}

/** Fields of every page of a filtered list. */
export const pageEnd = {
  next,
  searchedTo: nullable(timestamp('How far the search got; null if the whole requested period was searched.')),
};

export const presentEnd = (position: string | null) => ({
  next: position,
  searchedTo: position === null ? null : formatTimestamp(new Date(timeOf(position))),
});

export const ListCount = Type.Object(
  {
    count: Type.Integer({ description: 'Number of matching records.' }),
    isExact: Type.Boolean({
      description:
        'False if there may be more: a count with filters ends at 10,000 records, or after reading 200,000.',
    }),
  },
  { title: 'ListCount' },
);
