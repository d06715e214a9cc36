import { afterAll, beforeAll, expect, test } from 'vitest';
import { CARDS, createCard } from '../support/cards.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a card can be made and is listed', async () => {
  const card = await createCard(app);
  const { body } = await app.call('GET', CARDS);
  expect(body).toMatchObject({ count: 1, results: [{ id: card.id }], next: null, previous: null });
});
