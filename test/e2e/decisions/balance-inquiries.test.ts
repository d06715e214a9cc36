import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, test } from 'vitest';
import {
  APPROVE,
  type Decided,
  type DecidingMerchant,
  decidingMerchant,
} from '../../support/cards/deciding-merchant.ts';
import {
  APPROVAL,
  accepted,
  authorizationOf,
  networkApp,
  newMessageId,
  type PayingCard,
  payingCard,
  STORED_MERCHANT,
  setTerms,
} from '../../support/cards/network.ts';
import { follow } from '../../support/cards/swipe.ts';

const app = networkApp();
const open: DecidingMerchant[] = [];
afterEach(async () => {
  for (const { receiver } of open.splice(0)) await receiver.close();
});

async function merchantWith(
  ...options: Parameters<typeof decidingMerchant> extends [unknown, ...infer Rest] ? Rest : never
) {
  const merchant = await decidingMerchant(app, ...options);
  open.push(merchant);
  merchant.decide = () => ({ available_amount: '77.05' });
  return { merchant, card: await payingCard(app, {}, merchant.owner) };
}

const inquiryOf = (card: PayingCard, changes: Record<string, unknown> = {}) => {
  const { amount: _amount, currency: _currency, ...request } = authorizationOf(card, '', changes);
  return { ...request, type: 'BALANCE_INQUIRY' };
};
const inquire = (card: PayingCard, changes: Record<string, unknown> = {}) =>
  accepted(app, 'authorizations', inquiryOf(card, changes), card.owner);
const decisionIn = async (card: PayingCard) => (await card.events()).at(-1)?.data?.['decision'];

test('the merchant gives the balance: a signed request, no money, and the event names it', async () => {
  const { merchant, card } = await merchantWith();
  let [text, headers] = ['', {} as Record<string, string>];
  merchant.decide = (_, request) => {
    [text, headers] = [request.body, request.headers as typeof headers];
    return { available_amount: '77.05', reference: 'ignored' };
  };
  const request = inquiryOf(card, { channel: 'ATM', cvv: card.cvv, partial_approval: true });
  const body = await accepted(app, 'authorizations', request, card.owner);
  expect(body).toEqual({
    ...APPROVAL,
    external_transaction_id: request.external_transaction_id,
    status: 'VOID',
    bill_amount: '0.00',
    available_amount: '77.05',
  });
  expect(merchant.requests).toEqual([
    {
      eventType: 'decision',
      eventName: 'balance.request',
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created: expect.any(String),
      data: {
        external_transaction_id: request.external_transaction_id,
        card_id: card.id,
        external_customer_id: expect.any(String),
        card_metadata: {},
        type: 'BALANCE_INQUIRY',
        bill_currency: 'EUR',
        channel: 'ATM',
        merchant: STORED_MERCHANT,
        authentication: null,
        network: null,
        rules: [],
        available_credit: '250.00',
        timeout_ms: 2000,
      },
    },
  ]);
  expect(() => new Webhook(merchant.secret).verify(text, headers)).not.toThrow();
  for (const hidden of [card.number, `"${card.cvv}"`, 'Lovelace']) expect(text).not.toContain(hidden);
  expect(await decisionIn(card)).toEqual({
    source: 'merchant',
    outcome: 'approved',
    duration_ms: expect.any(Number),
    reason: null,
    reference: null,
    metadata: null,
  });
  const path = `/api/v1/merchant/transactions/${body.transaction_id}/`;
  expect((await app.call('GET', path, { key: card.owner.key })).body).toMatchObject({
    status: 'VOID',
    decision: { source: 'merchant', outcome: 'approved' },
  });
  expect(await card.available()).toBe(250);
  for (const account of ['holds', 'master']) expect(await card.balances()).not.toHaveProperty(account);
});

test('a repeat gets the first answer, and another id is requested again', async () => {
  const { merchant, card } = await merchantWith();
  const request = inquiryOf(card);
  const copies = await Promise.all([1, 2, 3].map(() => card.send('authorizations', request)));
  merchant.decide = () => ({ available_amount: '1.00' });
  expect(new Set(copies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect((await card.send('authorizations', request)).body).toEqual(copies[0]?.body);
  expect(merchant.requests).toHaveLength(1);
  expect((await inquire(card)).available_amount).toBe('1.00');
  expect(new Set(merchant.requests.map(({ eventId }) => eventId)).size).toBe(2);
});

test.each<[string, Decided, string]>([
  ['zero', { available_amount: '0.00' }, '0.00'],
  ['below zero', { available_amount: '-12.50' }, '-12.50'],
  ['fewer decimals', { available_amount: '12.5' }, '12.50'],
  ['beside a decision', { decision: 'DECLINE', reason: 'suspected_fraud', available_amount: '5.00' }, '5.00'],
])('the balance can be %s', async (_what, answer, available_amount) => {
  const { merchant, card } = await merchantWith();
  merchant.decide = () => answer;
  expect(await inquire(card)).toMatchObject({ approved: true, network_code: '00', available_amount });
});

test('the balance has the decimals of the card’s currency', async () => {
  const { merchant, card } = await merchantWith('REAL_TIME', {}, 'JPY');
  merchant.decide = () => ({ available_amount: '1500' });
  const shown = await inquire(card);
  expect(shown).toMatchObject({ bill_currency: 'JPY', available_amount: '1500' });
  expect(merchant.requests[0]?.data).toMatchObject({ bill_currency: 'JPY' });
  merchant.decide = () => ({ available_amount: '1500.00' });
  const withCents = await inquire(card);
  expect(withCents).toMatchObject({ approved: true });
  expect(withCents).not.toHaveProperty('available_amount');
  expect(await decisionIn(card)).toMatchObject({ source: 'stand_in', outcome: 'invalid' });
});

describe('without a usable answer', () => {
  const RULES = [
    { onFailure: 'DECLINE' },
    { onFailure: 'STANDARD' },
    { onFailure: 'APPROVE', standIn: { transactionLimit: 0, dailyLimit: 0 } },
  ];
  test.each<[string, Decided, string]>([
    ['no answer in time', 'hang', 'timeout'],
    ['a status', 500, 'unreachable'],
    ['no amount', APPROVE, 'invalid'],
    ['no decimal', { available_amount: 'much' }, 'invalid'],
    ['a number', { available_amount: 12.5 }, 'invalid'],
    ['too many decimals', { available_amount: '12.505' }, 'invalid'],
    ['too much', { available_amount: '99999999999999999.00' }, 'invalid'],
    ['paused', { available_amount: '1.00' }, 'paused'],
  ])('%s: approved without an amount, whatever the rule', async (what, answer, outcome) => {
    const paused = what === 'paused';
    const { merchant, card } = await merchantWith('REAL_TIME', { timeoutMs: 200, paused });
    merchant.decide = () => answer;
    for (const rule of RULES) {
      await merchant.set({ timeoutMs: 200, paused, ...rule });
      const shown = await inquire(card);
      expect(shown).toMatchObject({ approved: true, network_code: '00', status: 'VOID' });
      expect(shown).not.toHaveProperty('available_amount');
      expect((await card.events()).at(-1)?.data).toMatchObject({
        authorization_mode: 'REAL_TIME',
        decision: { source: 'stand_in', outcome },
      });
    }
    expect(merchant.requests).toHaveLength(paused ? 0 : RULES.length);
  });

  test('it counts for the circuit of the endpoint, like the failures of authorizations', async () => {
    const { merchant, card } = await merchantWith();
    merchant.decide = () => ({ available_amount: 'much' });
    for (let n = 0; n < 5; n++) await inquire(card);
    merchant.decide = () => APPROVE;
    expect((await card.authorize('1.00')).decline_reason).toBe('decision_unavailable');
    expect(await inquire(card)).not.toHaveProperty('available_amount');
    expect(merchant.requests).toHaveLength(5);
  });
});

test.each([
  ['BOTH', '240.00'],
  ['STANDARD', '240.00'],
] as const)('in %s our own available credit is shown, and nothing is requested', async (mode, available) => {
  const { merchant, card } = await merchantWith('BOTH');
  await setTerms(app, card.owner, { authorization_mode: 'STANDARD' });
  await card.hold('10.00');
  await setTerms(app, card.owner, { authorization_mode: mode });
  expect((await inquire(card)).available_amount).toBe(available);
  expect(merchant.requests).toEqual([]);
});

test('what a guard declines is not requested, and a card that is frozen meanwhile shows no balance', async () => {
  const { merchant, card } = await merchantWith();
  expect(await inquire(card, { cvv: card.wrongCvv })).toMatchObject({ decline_reason: 'cvv_mismatch' });
  await inquire(card.with({ number: '9999000000000008' }));
  await inquire(card, { stand_in: { approved: true } });
  expect(merchant.requests).toEqual([]);
  merchant.decide = async () => {
    await card.act('freeze');
    return { available_amount: '5.00' };
  };
  const declined = await inquire(card, { external_transaction_id: newMessageId('frozen') });
  expect(declined).toMatchObject({ approved: false, decline_reason: 'card_frozen' });
  expect(declined).not.toHaveProperty('available_amount');
  expect(await decisionIn(card)).toMatchObject({ source: 'merchant', outcome: 'approved' });
});

test('the simulator takes the same way', async () => {
  const { merchant, card } = await merchantWith();
  const request = { card_id: card.id, type: 'BALANCE_INQUIRY' };
  const shown = await follow(app, 'authorizations', request, merchant.owner.key);
  expect(shown).toMatchObject({ approved: true, status: 'VOID', available_amount: '77.05' });
  expect(merchant.requests).toMatchObject([{ eventName: 'balance.request' }]);
});
