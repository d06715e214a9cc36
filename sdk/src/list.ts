import type { Client, RequestOptions } from './client.ts';
import { type Request, send } from './send.ts';

export interface Page<Item> {
  results: Item[];
  /** The number of matching records on all pages. */
  count: number;
  next: string | null;
  previous: string | null;
}

/**
 * Records, newest first. `for await` returns every record that existed at the start exactly once, also while new ones
 * are created. It requests pages as needed, and nothing before that.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** The page that the query selects. */
  page(): Promise<Page<Item>>;
  /** All pages, starting with the page that the query selects. */
  pages(): AsyncIterable<Page<Item>>;
}

export function list<Item>(client: Client, request: Request, options: RequestOptions = {}): List<Item> {
  const page = (query: object | undefined) => send<Page<Item>>(client, { ...request, query }, options);
  async function* pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let query: object | undefined = request.query;
    while (query !== null) {
      const current: Page<Item> = await page(query);
      yield current;
      if (current.next === null) return;
      query = queryOf(client, current.next);
    }
  }
  return {
    page: () => page(request.query),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { results } of pages()) yield* results;
    },
  };
}

/**
 * Uses only the query of a link, with the `baseUrl` of the client: the key is sent nowhere else, and it works if the
 * server uses another name for itself.
 */
const queryOf = ({ baseUrl }: Client, link: string): object =>
  Object.fromEntries(new URL(link, baseUrl).searchParams);
