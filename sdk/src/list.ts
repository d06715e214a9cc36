import type { Client, RequestOptions } from './client.ts';
import { type Request, send } from './send.ts';

export interface Page<Item> {
  results: Item[];
  /** How many records match, on all pages. */
  count: number;
  next: string | null;
  previous: string | null;
}

/**
 * Records, newest first. `for await` meets every one that was there at the start exactly once, also while new ones are
 * made; pages are fetched as they are needed. Nothing is asked before that.
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** The one page that the query names. */
  page(): Promise<Page<Item>>;
  /** Page after page, from the one that the query names. */
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
 * Of a link only what it asks for is taken, and asked at the address we know: the key goes nowhere else, and a server
 * that calls itself by another name is still found.
 */
const queryOf = ({ baseUrl }: Client, link: string): object =>
  Object.fromEntries(new URL(link, baseUrl).searchParams);
