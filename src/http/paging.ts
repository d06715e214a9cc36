import { type Static, type TSchema, Type } from 'typebox';
import { invalid } from '../kernel/error.ts';
import { isId } from '../kernel/ids.ts';
import { nullable, success } from './schemas.ts';

const DEFAULT_PAGE_SIZE = 50;

/** The query of every list. */
export const PageQuery = Type.Object({
  page: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Page number, from 1. Default 1.', examples: [1] }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Records per page. Default 50.' }),
  ),
  min_created: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Only records from this UTC day onwards.',
      examples: ['2026-01-01'],
    }),
  ),
  max_created: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Only records up to and including this UTC day.',
      examples: ['2026-12-31'],
    }),
  ),
  after: Type.Optional(
    Type.String({
      description:
        'Set in `next` links: continue after this record, even if records were added in the meantime.',
    }),
  ),
  before: Type.Optional(Type.String({ description: 'Set in `previous` links: end before this record.' })),
});
export type PageQuery = Static<typeof PageQuery>;

/** The 200 of a list, with an example of one record. */
export const pageOf = <Item extends TSchema>(item: Item, description: string, example: unknown) =>
  success(
    Type.Object(
      {
        results: Type.Array(item),
        count: Type.Integer({ description: 'Total number of matching records.' }),
        count_capped: Type.Optional(
          Type.Literal(true, {
            description:
              'There may be more than `count`: with filters a count ends at 10,000, and after checking as many records.',
          }),
        ),
        next: nullable(Type.String(), 'Link to the next page; null on the last page.'),
        previous: nullable(Type.String(), 'Link to the previous page; null on the first page.'),
      },
      { title: `${(item as { title?: string }).title}Page` },
    ),
    description,
    { results: [example], count: 1, next: null, previous: null },
  );

export function readPageQuery(query: PageQuery) {
  const { min_created: minCreated, max_created: maxCreated, after, before } = query;
  if (minCreated && maxCreated && minCreated > maxCreated)
    throw invalid('min_created', 'must not be after max_created');
  if (after !== undefined && !isId(after)) throw invalid('after', 'must be a record id from a `next` link');
  if (before !== undefined && !isId(before))
    throw invalid('before', 'must be a record id from a `previous` link');
  if (after !== undefined && before !== undefined)
    throw invalid('before', 'must not be given together with after');
  const page = query.page ?? 1;
  return { page, pageSize: query.page_size ?? DEFAULT_PAGE_SIZE, after, before, minCreated, maxCreated };
}

/**
 * `url`: the absolute URL of the list. `records`: the page, plus one record if there is a next page. `cursorOf`: the id by
 * which the list is in order, if that is not the `id` of a record.
 */
export function pageEnvelope<Item extends { id: string }>(
  url: string,
  query: PageQuery,
  pageSize: number,
  count: number,
  records: Item[],
  {
    found,
    cursorOf = ({ id }) => id,
  }: {
    /** Of a filtered page: the ids below which the next page continues, and above which the one before ends. */
    found?: { next: string | null; previous: string | null; isCapped: boolean } | undefined;
    cursorOf?: (item: Item) => string;
  } = {},
) {
  const results = records.slice(0, pageSize);
  const page = query.page ?? 1;
  const { after, before, page: _page, ...filters } = query;
  const link = (to: Record<string, string | number>): string => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries<unknown>({ page: 1, ...filters, ...to }))
      if (typeof value === 'object' && value !== null)
        for (const [key, text] of Object.entries(value)) parameters.set(`${name}[${key}]`, String(text));
      else parameters.set(name, String(value));
    return `${url}?${parameters}`;
  };
  const first = results[0];
  const last = results.at(-1);
  const lastPage = Math.max(1, Math.ceil(count / pageSize));
  const follows = found ? found.next : last && records.length > pageSize ? cursorOf(last) : null;
  // A filtered page may be short: links back can take more pages than were counted on the way.
  const above = found ? found.previous : page > 1 && first ? cursorOf(first) : null;
  const byNumber = page > 1 && !first && !(found && (after ?? before));
  const previous = above
    ? { page: Math.max(1, page - 1), before: above }
    : byNumber
      ? { page: Math.min(page - 1, lastPage) }
      : null;
  return {
    results,
    count,
    ...(found?.isCapped && { count_capped: true as const }),
    next: follows ? link({ page: page + 1, after: follows }) : null,
    previous: previous && link(previous),
  };
}
