import { beforeAll, expect, test } from 'vitest';
import { createEmboss, type Emboss } from '../../sdk/src/index.ts';
import { createCard } from '../support/cards/cards.ts';
import { fillCards } from '../support/database/fill-cards.ts';
import { appForTests } from '../support/server/test-app.ts';

const CARDS = 130;

const app = appForTests();
let emboss: Emboss;

beforeAll(async () => {
  emboss = createEmboss({ apiKey: app.key, baseUrl: app.url });
  await fillCards(app, app.program, {
    count: CARDS,
    fromMs: Date.now() - 7_200_000,
    toMs: Date.now() - 3_600_000,
  });
});

test('for await returns every existing card once, newest first, while new cards are created', async () => {
  const met: string[] = [];
  for await (const { id } of emboss.cards.list({ page_size: 20 })) {
    met.push(id);
    if (met.length % 25 === 0) await createCard(app);
  }
  expect(met).toHaveLength(CARDS);
  expect(new Set(met).size).toBe(CARDS);
  expect(met).toEqual([...met].sort().reverse());
});

test('links with another host are used only for their query', async () => {
  const hosts = new Set<string>();
  const watched = createEmboss({
    apiKey: app.key,
    baseUrl: app.url,
    fetch: (url, init) => {
      hosts.add(new URL(url as string).origin);
      return fetch(url, init);
    },
  });
  const { next } = await watched.cards.list({ page_size: 100 }).page();
  expect(new URL(next ?? '').origin).toBe('http://emboss.test');
  for await (const _card of watched.cards.list({ page_size: 100 }));
  expect([...hosts]).toEqual([app.url]);
});

test('pages can be read one by one, from any page on', async () => {
  const first = await emboss.cards.list({ page_size: 50 }).page();
  expect(first.results).toHaveLength(50);
  const sizes: number[] = [];
  for await (const page of emboss.cards.list({ page_size: 50, page: 2 }).pages())
    sizes.push(page.results.length);
  expect(sizes).toEqual([50, first.count - 100]);
  const filtered = emboss.cards.list({ page_size: 50, max_created: '2020-01-01' });
  expect(await filtered.page()).toEqual({ results: [], count: 0, next: null, previous: null });
});

test('no page is requested before it is needed, and none more than needed', async () => {
  let requests = 0;
  const counted = createEmboss({
    apiKey: app.key,
    baseUrl: app.url,
    fetch: (url, init) => {
      requests += 1;
      return fetch(url, init);
    },
  });
  const list = counted.cards.list({ page_size: 10 });
  expect(requests).toBe(0);
  for await (const _card of list) break;
  expect(requests).toBe(1);
});
