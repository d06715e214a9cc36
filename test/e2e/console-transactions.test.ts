import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DECLINES } from '../../src/authorizations/decline.ts';
import { createCard } from '../support/cards.ts';
import { startTestConsole, type TestConsole } from '../support/console.ts';
import { swipe } from '../support/swipe.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let desk: TestConsole;
beforeAll(async () => {
  app = await startTestApp();
  desk = await startTestConsole(app);
});
afterAll(() => app.close());

describe("a card's timeline", () => {
  test('shows what was spent and refused, newest first, with meaning and remedy', async () => {
    const card = await createCard(app, { spendLimit: 100 });
    const merchant = { id: 'm-9', name: 'Night Market', mcc: '5814', city: 'Lisbon', country: 'PT' };
    const paid = await swipe(app, card.id, '12.50', { merchant, channel: 'POS' });
    const refused = await swipe(app, card.id, '500.00', { merchant });
    const { status, body } = await desk.ask(`cards/${card.id}/timeline/`);
    expect(status).toBe(200);
    expect(body.next).toBeNull();
    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([
      refused.transaction_id,
      paid.transaction_id,
    ]);
    expect(body.results[1]).toMatchObject({
      cardId: card.id,
      lastFour: card.lastFour,
      cardholderName: 'Ada Lovelace',
      kind: 'purchase',
      status: 'PENDING',
      amount: '12.50',
      billAmount: '12.50',
      billCurrency: 'EUR',
      fees: { fx: '0.00', atm: '0.00' },
      channel: 'POS',
      merchant,
      decline: null,
      approvalCode: paid.approval_code,
    });
    expect(body.results[0].decline).toEqual({
      code: '51',
      reason: 'insufficient_funds',
      networkCode: '51',
      meaning: DECLINES.insufficient_funds.meaning,
      remedy: DECLINES.insufficient_funds.remedy,
    });
  });
});
