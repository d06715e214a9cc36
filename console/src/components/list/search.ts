import { DAY_MS, dayKey } from '../../lib/time.ts';

/** Filters are in the URL under the names of the API, so that a link shows the same list. */
export type Search<Name extends string = string> = Partial<Record<Name | CommonName, string>>;
/** What each filter accepts. Other values in a URL are ignored and not sent. */
export type Fits<Name extends string = string> = Record<Name, (value: string) => boolean>;

/** `created` is a preset, which stays relative to today in links and saved views. */
type CommonName = 'created' | 'min_created' | 'max_created' | 'order';

export const PRESETS = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month',
  'last-month': 'Last month',
} as const;
export type Preset = keyof typeof PRESETS;

export const isDay = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value;
const isMoment = (value: string): boolean =>
  isDay(value) || (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/.test(value) && !Number.isNaN(Date.parse(value)));

const COMMON: Fits<CommonName> = {
  created: (value) => Object.hasOwn(PRESETS, value),
  min_created: isMoment,
  max_created: isMoment,
  order: (value) => value === 'oldest',
};

export const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);

/** The filters of a URL. */
export const readSearch =
  <Name extends string>(fits: Fits<Name>) =>
  (given: Record<string, unknown>): Search<Name> => {
    const all: Fits = { ...COMMON, ...fits };
    const search: Search = Object.fromEntries(
      Object.entries(given).filter(
        ([name, value]) => typeof value === 'string' && value !== '' && all[name]?.(value),
      ) as Array<[string, string]>,
    );
    const { min_created: from, max_created: to } = search;
    if (from && to && from > to) delete search.max_created;
    return search as Search<Name>;
  };

/** The number of filters; the order is none. */
export const countFilters = (search: Search): number =>
  Object.keys(search).filter((name) => name !== 'order').length;

/** The filters as the server knows them: with days in place of a preset. */
export function toQuery({ created, ...search }: Search, now: Date): Record<string, string> {
  const [from, to] = created === undefined ? [] : daysOf(created as Preset, now);
  return { ...search, ...(from && { min_created: from }), ...(to && { max_created: to }) } as Record<
    string,
    string
  >;
}

function daysOf(preset: Preset, now: Date): [from: string, to: string] {
  const before = (days: number) => dayKey(new Date(now.getTime() - days * DAY_MS));
  const today = before(0);
  const firstOfMonth = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).getTime();
  switch (preset) {
    case 'today':
      return [today, today];
    case '7d':
      return [before(6), today];
    case '30d':
      return [before(29), today];
    case 'month':
      return [dayKey(new Date(firstOfMonth(0))), today];
    case 'last-month':
      return [dayKey(new Date(firstOfMonth(-1))), dayKey(new Date(firstOfMonth(0) - DAY_MS))];
  }
}
