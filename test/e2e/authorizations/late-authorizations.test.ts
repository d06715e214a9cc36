import { beforeEach, describe, expect, test } from 'vitest';
import { expireHolds } from '../../../src/authorizations/engine/expire-holds.ts';
import {
  authorizationOf,
  balancesOf,
  networkApp,
  newMessageId,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  setTerms,
} from '../../support/cards/network.ts';
import { advanceDays, setClock } from '../../support/server/clock.ts';
import type { Answer } from '../../support/server/test-app.ts';

/** An authorization that comes after a clearing of its purchase: what the clearing did not settle is decided now. */

const app = networkApp();

/** A purchase of which nothing but a clearing came, which was not final. */
async function clearedFirst(card: PayingCard, amount: string): Promise<string> {
  const id = newMessageId('early');
  await card.clear(id, amount, { card_number: card.number, final: false });
  return id;
}

const late = (card: PayingCard, id: string, amount: string, changes: object = {}): Promise<Answer['body']> =>
  card.authorize(amount, { external_transaction_id: id, ...changes });

/** `status amount currency bill_amount` of the card's newest purchase, and what the card has left. */
async function shown(card: PayingCard): Promise<[string, number]> {
  const [{ status, amount, currency, bill_amount }] = await card.transactions();
  return [`${status} ${amount} ${currency} ${bill_amount}`, await card.available()];
}

describe('an authorization after a clearing that was not final', () => {
  test('holds the rest, returns the requested amount, and is one purchase with the clearing', async () => {
    const card = await payingCard(app, {}, await ownProgram(app));
    const id = await clearedFirst(card, '4.00');
    const [{ id: transaction_id }] = await card.transactions();
    const answer = await late(card, id, '10.00');
    expect(answer).toEqual({
      transaction_id,
      external_transaction_id: id,
      approved: true,
      status: 'PENDING',
      decline_code: null,
      decline_reason: null,
      network_code: '00',
      approval_code: expect.stringMatching(/^\d{6}$/),
      amount: '10.00',
      currency: 'EUR',
      bill_amount: '10.00',
      bill_currency: 'EUR',
    });
    expect(await shown(card)).toEqual(['PENDING 10.00 EUR 10', 240]);
    expect(await card.transactions()).toHaveLength(1);
    expect(await card.balances()).toEqual({
      master: -1_000n,
      holds: 600n,
      settlement: 400n,
      credit: -24_000n,
    });
    expect((await card.events()).at(-1)).toMatchObject({
      name: 'authorization',
      sequence: 3,
      data: { transaction_id, message_id: id, status: 'PENDING', bill_amount: '10.00' },
    });
    // And again: the first answer, and nothing more is held.
    const copy = authorizationOf(card, '10.00', { external_transaction_id: id });
    expect((await card.send('authorizations', copy)).body).toEqual(answer);
    expect(await card.available()).toBe(240);
  });
});

describe('the hold of a late authorization', () => {
  let owner: Owner;
  let card: PayingCard;
  const held = async (): Promise<bigint> => (await balancesOf(app, owner))['holds'] ?? 0n;
  /** As the worker does it, when the clock has long been still. */
  const walk = async () => {
    await setTerms(app, owner, { clock_moved_at: new Date(Date.now() - 86_400_000) });
    await expireHolds(app, owner.program.id);
  };
  beforeEach(async () => {
    owner = await ownProgram(app);
    await setClock(app, '2095-01-10T12:00:00Z', owner.key);
    card = await payingCard(app, {}, owner);
  });

  test('is released in time, and no longer counts in the limits', async () => {
    await card.setControls({ allTimeLimit: 10 });
    const id = await clearedFirst(card, '4.00');
    await advanceDays(app, 1, owner.key);
    await late(card, id, '10.00');
    expect(await held()).toBe(600n);
    await advanceDays(app, 8, owner.key);
    await walk();
    expect([await held(), ...(await shown(card))]).toEqual([0n, 'CLEARED 4.00 EUR 4', 246]);
    expect(await card.reverse(id)).toMatchObject({ status: 'CLEARED', bill_amount: '0.00' });
    expect(await card.authorize('6.01')).toMatchObject({ decline_code: 'R13' });
    const next = await card.authorize('6.00');
    expect(next).toMatchObject({ approved: true });
    await card.reverse(next.external_transaction_id);
  });

  test('is released even if the release of holds has passed its purchase', async () => {
    const id = await clearedFirst(card, '4.00');
    await advanceDays(app, 8, owner.key);
    await walk();
    expect(await late(card, id, '10.00')).toMatchObject({ approved: true });
    await advanceDays(app, 8, owner.key);
    await walk();
    expect([await held(), await card.available()]).toEqual([0n, 246]);
  });
});
