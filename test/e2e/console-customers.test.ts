import { beforeAll, expect, test } from 'vitest';
import { CARDS, createCard, shippingInformation } from '../support/cards/cards.ts';
import { type SignedIn, signInAs } from '../support/console/operators.ts';
import { appForTests } from '../support/server/test-app.ts';

const app = appForTests();
let support: SignedIn;
beforeAll(async () => {
  support = await signInAs(app, 'support');
});

test('a freeze keeps its reason until the card is unfrozen, and refuses a card number', async () => {
  const { id } = await createCard(app);
  const freeze = (body: object) => support.call('PUT', `merchant/cards/${id}/freeze/`, body);
  const reasonOf = async () => (await support.call('GET', `merchant/cards/${id}/`)).body.statusReason;
  const refused = await freeze({ freeze: true, reason: 'called about 4111 1111 1111 1111' });
  expect([refused.status, refused.body.message]).toEqual([400, 'reason: must not contain a card number']);
  for (const [reason, message] of [
    [' ', 'reason: must not be empty'],
    ['x'.repeat(256), 'reason: must be at most 255 characters'],
  ])
    expect((await freeze({ freeze: true, reason })).body.message).toBe(message);
  expect((await freeze({ freeze: true, reason: 'travels' })).status).toBe(200);
  await freeze({ freeze: true, reason: 'another' });
  expect(await reasonOf()).toBe('travels');
  await freeze({ freeze: false, reason: 'is back' });
  expect(await reasonOf()).toBeNull();
  const { body } = await support.call('GET', `cards/${id}/history/`);
  expect(body.results.map(({ action, reason }: Record<string, string>) => [action, reason])).toEqual([
    ['card.unfrozen', null],
    ['card.frozen', 'travels'],
    ['card.created', null],
  ]);
});

test('the address of a shipment is shown to support, and each view is audited', async () => {
  const { id } = await createCard(app, { cardType: 'physical' });
  const read = (cardId = id) => support.call('GET', `cards/${cardId}/shipment/`);
  expect((await read()).body).toMatchObject({ cardId: id, status: 'ORDERED', shipTo: null });
  const body = { shippingInformation: shippingInformation() };
  expect((await app.call('PUT', `${CARDS}${id}/replace/`, { body })).status).toBe(200);
  expect((await read()).body.shipTo).toEqual({
    recipient: 'Ada Lovelace',
    line1: '12 St James Square',
    line2: null,
    zone: null,
    city: 'London',
    postalCode: 'SW1Y 4JH',
    country: 'GB',
    phone: '+44 7700900123',
    email: 'ada@example.com',
  });
  expect((await read('unknown')).status).toBe(404);
  const [entry] = await app.db.query<{ count: number }>({
    text: `select count(*)::int from audit_entries where action = 'console.viewed_shipment' and card_id = '${id}'`,
  });
  expect(entry?.count).toBe(1);
});
