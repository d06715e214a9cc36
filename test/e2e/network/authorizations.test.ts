import { describe, expect, test } from 'vitest';
import { leavesOf } from '../../support/cards/card-rows.ts';
import { act, retrieve } from '../../support/cards/card-states.ts';
import {
  APPROVAL,
  abroad,
  authorizationOf,
  balancesOf,
  clearingOf,
  DECLINE,
  fund,
  MERCHANT,
  networkApp,
  newMessageId,
  ownProgram,
  type PayingCard,
  payingCard,
  STORED_MERCHANT,
  send,
  setTerms,
} from '../../support/cards/network.ts';
import { setClock } from '../../support/server/clock.ts';

const app = networkApp();

describe('an approval', () => {
  test('has every response field, reduces the credit, is listed and sends an event', async () => {
    const card = await payingCard(app);
    const request = authorizationOf(card, '12.50', { cvv: card.cvv });
    const answer = await card.send('authorizations', request);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...APPROVAL,
        external_transaction_id: request.external_transaction_id,
        bill_amount: '12.50',
      },
    ]);
    expect(await card.available()).toBe(237.5);
    expect(await card.transactions()).toEqual([
      {
        id: answer.body.transaction_id,
        external_transaction_id: request.external_transaction_id,
        card_id: card.id,
        bill_amount: 12.5,
        bill_currency: 'EUR',
        cardholder_name: 'Ada Lovelace',
        amount: '12.50',
        currency: 'EUR',
        status: 'PENDING',
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
      },
    ]);
    const events = await card.events();
    expect(events.at(-1)).toMatchObject({
      name: 'authorization',
      sequence: 2,
      data: {
        transaction_id: answer.body.transaction_id,
        message_id: request.external_transaction_id,
        status: 'PENDING',
        amount: '12.50',
        bill_amount: '12.50',
        channel: 'POS',
        merchant: STORED_MERCHANT,
        network_code: '00',
        approval_code: answer.body.approval_code,
        decision: {
          source: 'emboss',
          outcome: 'approved',
          duration_ms: null,
          reason: null,
          reference: null,
          metadata: null,
        },
      },
    });
    const text = leavesOf(events).join('\n');
    expect([text.includes(card.number), text.includes('Lovelace')]).toEqual([false, false]);
  });

  test('abroad is billed with the network’s bill amount', async () => {
    const card = await payingCard(app);
    const answer = await card.authorize('1500', abroad('1500', 'JPY', '9.31'));
    expect(answer).toMatchObject({ approved: true, bill_amount: '9.31', bill_currency: 'EUR' });
    expect(await card.available()).toBe(240.69);
    expect((await card.transactions())[0]).toMatchObject({
      amount: '1500',
      currency: 'JPY',
      bill_amount: 9.31,
      bill_currency: 'EUR',
    });
  });

  test.each(['ECOMMERCE', 'POS', 'ATM', 'MOTO'])('by %s', async (channel) => {
    expect(await (await payingCard(app)).authorize('1.00', { channel })).toMatchObject({
      approved: true,
    });
  });
});

describe('a zero amount checks the account', () => {
  test('approved: holds nothing, ends VOID, even without money or limits left', async () => {
    const card = await payingCard(app, { spendLimit: 0 });
    await card.setControls({ transactionLimit: 0, dailyLimit: 0, monthlyLimit: 0, allTimeLimit: 0 });
    const answer = await card.authorize('0.00');
    expect(answer).toMatchObject({ approved: true, status: 'VOID', network_code: '00', bill_amount: '0.00' });
    expect(answer.approval_code).toMatch(/^\d{6}$/);
    expect(await card.transactions()).toMatchObject([{ status: 'VOID', bill_amount: 0, amount: '0.00' }]);
    expect(await card.eventNames()).toEqual(['authorization']);
    expect(await card.available()).toBe(0);
  });

  test('declined for the same reasons as others', async () => {
    const card = await payingCard(app);
    await card.act('freeze');
    expect(await card.authorize('0')).toMatchObject({ status: 'DECLINED', decline_code: 'R1' });
    expect(await card.authorize('0', { cvv: card.wrongCvv })).toMatchObject({ decline_code: 'R1' });
  });
});

describe('every decline reason', () => {
  type Prepare = (card: PayingCard) => Promise<Record<string, unknown>>;
  const block =
    (reason: string): Prepare =>
    async ({ id, owner }) => {
      await act(app, id, `block: ${reason}`, owner.key);
      return {};
    };
  const control =
    (body: object): Prepare =>
    async (card) => {
      await card.setControls(body);
      return {};
    };
  const TABLE: Array<[what: string, declineCode: string, reason: string, networkCode: string, Prepare]> = [
    [
      'number of a credential that a reissue ended',
      '14',
      'invalid_card_number',
      '14',
      async ({ id, owner }) => {
        await act(app, id, 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE', owner.key);
        return {};
      },
    ],
    ['blocked for fraud', 'R8', 'card_blocked', '59', block('Fraud suspected')],
    ['blocked: lost', 'R8', 'card_blocked', '41', block('lost by holder')],
    ['blocked: stolen', 'R8', 'card_blocked', '43', block('STOLEN')],
    ['blocked for another reason', 'R8', 'card_blocked', '62', block('left the company')],
    [
      'blocked, by a number that the card had before',
      'R8',
      'card_blocked',
      '43',
      async ({ id, owner }) => {
        await act(app, id, 'reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE', owner.key);
        await act(app, id, 'block: stolen', owner.key);
        return {};
      },
    ],
    [
      'frozen',
      'R1',
      'card_frozen',
      '62',
      async ({ id, owner }) => {
        await act(app, id, 'freeze', owner.key);
        return {};
      },
    ],
    ['another month', '54', 'expiry_mismatch', '54', async () => ({ expiry: '2020-01' })],
    ['a wrong CVV', 'N7', 'cvv_mismatch', 'N7', async ({ wrongCvv }) => ({ cvv: wrongCvv })],
    ['a CVV of four digits', 'N7', 'cvv_mismatch', 'N7', async ({ cvv }) => ({ cvv: `${cvv}0` })],
    ['a blocked category', 'R19', 'merchant_category_not_allowed', '57', control({ blockedMccs: ['5814'] })],
    ['no allowed category', 'R19', 'merchant_category_not_allowed', '57', control({ allowedMccs: ['5411'] })],
    ['the transaction limit', 'R7', 'transaction_limit', '61', control({ transactionLimit: 24.99 })],
    ['the daily limit', 'R6', 'daily_limit', '61', control({ dailyLimit: 24.99 })],
    ['the monthly limit', 'R13', 'card_limit', '61', control({ monthlyLimit: 24.99 })],
    ['the all-time limit', 'R13', 'card_limit', '61', control({ allTimeLimit: 24.99 })],
    ['money', '51', 'insufficient_funds', '51', async () => ({ amount: '250.01' })],
  ];

  test.each(TABLE)('%s: %s %s', async (_what, decline_code, decline_reason, network_code, prepare) => {
    const card = await payingCard(app);
    const changes = await prepare(card);
    await expectDecline(card, changes, { decline_code, decline_reason, network_code });
  });

  test('past its expiry: 54 card_expired', async () => {
    const owner = await ownProgram(app);
    await setClock(app, '2095-01-31T12:00:00Z', owner.key);
    const card = await payingCard(app, { expiryDate: '2095-02-28' }, owner);
    await setClock(app, '2095-02-28T23:59:00Z', owner.key);
    await card.hold('1.00');
    await setClock(app, '2095-03-01T00:00:00Z', owner.key);
    const expired = { decline_code: '54', decline_reason: 'card_expired', network_code: '54' };
    await expectDecline(card, {}, expired, 2);
  });

  test('the master account does not cover it and is enforced: R10 program_balance', async () => {
    const owner = await ownProgram(app, { enforce_master_balance: true });
    const card = await payingCard(app, {}, owner);
    const short = { decline_code: 'R10', decline_reason: 'program_balance', network_code: '51' };
    await expectDecline(card, {}, short);
    await fund(app, owner, 3_000n);
    await card.hold('30.00');
    expect(await card.authorize('0.01')).toMatchObject(short);
    expect(await balancesOf(app, owner)).toMatchObject({ holds: 3_000n, funding: -3_000n });
    await setTerms(app, owner, { enforce_master_balance: false });
    await card.hold('0.01');
    expect(await balancesOf(app, owner)).toMatchObject({ master: -1n, holds: 3_001n });
  });

  /** The whole answer, the record, the event, and that no money moved. */
  async function expectDecline(card: PayingCard, changes: object, codes: object, records = 1): Promise<void> {
    const [money, books] = [await card.available(), await card.balances()];
    const request = { ...authorizationOf(card, '25.00'), ...changes };
    const { status, body } = await card.send('authorizations', request);
    expect([status, body]).toEqual([
      200,
      {
        ...DECLINE,
        external_transaction_id: request.external_transaction_id,
        ...codes,
        bill_amount: request.amount,
      },
    ]);
    const listed = await card.transactions();
    expect(listed).toHaveLength(records);
    expect(listed[0]).toMatchObject({
      id: body.transaction_id,
      external_transaction_id: request.external_transaction_id,
      status: 'DECLINED',
      amount: request.amount,
    });
    const event = (await card.events()).findLast(({ name }) => name === 'authorization.declined');
    expect(event?.data).toMatchObject({
      transaction_id: body.transaction_id,
      ...codes,
      decision: { source: 'emboss', outcome: 'declined' },
    });
    expect(event?.data).toHaveProperty('limits');
    expect([await card.available(), await card.balances()]).toEqual([money, books]);
  }

  test('an unknown number and a number of another program: 14, and nothing is recorded', async () => {
    const foreign = await payingCard(app, {}, await ownProgram(app));
    const count = async () => (await app.call('GET', '/api/v1/merchant/transactions/')).body.count;
    const before = await count();
    for (const number of ['9999000000000000', '999900000000000017', foreign.number]) {
      const request = authorizationOf(foreign.with({ number, owner: app }), '25.00');
      const { status, body } = await send(app, 'authorizations', request);
      expect([status, body]).toEqual([
        200,
        {
          ...DECLINE,
          transaction_id: null,
          external_transaction_id: request.external_transaction_id,
          decline_code: '14',
          decline_reason: 'invalid_card_number',
          network_code: '14',
          bill_amount: '25.00',
        },
      ]);
    }
    expect(await count()).toBe(before);
    expect(await foreign.transactions()).toEqual([]);
  });

  test('an id that came with an unknown number counts once too, and a clearing with it still spends', async () => {
    const card = await payingCard(app);
    const unknown = authorizationOf(card.with({ number: '9999000000000000' }), '25.00');
    const { body: first } = await card.send('authorizations', unknown);
    expect((await card.send('authorizations', unknown)).body).toEqual(first);
    const id = unknown.external_transaction_id as string;
    for (const other of [
      { ...unknown, amount: '26.00' },
      authorizationOf(card, '25.00', { external_transaction_id: id }),
    ])
      expect((await card.send('authorizations', other)).status).toBe(409);
    const body = await card.reverse(id);
    expect(body).toMatchObject({ transaction_id: null, bill_amount: '0.00' });
    const clearing = clearingOf(card, id, '10.00', { card_number: card.number });
    expect((await card.send('clearings', clearing)).body).toMatchObject({ status: 'CLEARED' });
    expect(await card.available()).toBe(240);
    expect((await card.send('authorizations', unknown)).body).toEqual(first);
  });

  test('after a reissue the new number works, with its own expiry and CVV', async () => {
    const card = await payingCard(app);
    await card.act('reissue: NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE');
    const renewed = await card.renewed();
    expect(await card.authorize('1.00', { cvv: card.cvv })).toMatchObject({ decline_code: '14' });
    expect(await renewed.authorize('1.00', { cvv: renewed.cvv })).toMatchObject({ approved: true });
  });
});

describe('three wrong CVVs in a row', () => {
  const codes = async (card: PayingCard, ...cvvs: Array<string | undefined>): Promise<string[]> => {
    const seen: string[] = [];
    for (const cvv of cvvs) {
      const answer = await card.authorize('1.00', cvv === undefined ? {} : { cvv });
      seen.push(answer.decline_code ?? 'ok');
    }
    return seen;
  };

  test('of one credential: a reissue with another CVV starts the count again', async () => {
    const card = await payingCard(app);
    expect(await codes(card, card.wrongCvv, card.wrongCvv)).toEqual(['N7', 'N7']);
    await card.act('reissue: CALCULATE_NEW_EXPIRY_DATE');
    const now = await card.renewed();
    expect(await codes(now, now.wrongCvv, now.wrongCvv, now.cvv)).toEqual(['N7', 'N7', 'ok']);
  });

  test('block the card permanently, for suspected fraud', async () => {
    const card = await payingCard(app);
    const bad = card.wrongCvv;
    expect(await codes(card, bad, bad, bad, card.cvv)).toEqual(['N7', 'N7', 'N7', 'R8']);
    expect(await retrieve(app, card.id)).toMatchObject({
      status: 'BLOCKED',
      statusReason: 'fraud suspected: cvv attempts',
    });
    expect((await card.act('unfreeze')).body.code).toBe(59);
    expect(await card.authorize('1.00')).toMatchObject({ network_code: '59' });
    const events = await card.events();
    expect(events.map(({ name, sequence }) => `${sequence} ${name}`)).toEqual([
      '1 card.created',
      '2 authorization.declined',
      '3 authorization.declined',
      '4 authorization.declined',
      '5 card.blocked',
      '6 authorization.declined',
      '7 authorization.declined',
    ]);
    expect(events[4]?.data).toMatchObject({
      status: 'BLOCKED',
      statusReason: 'fraud suspected: cvv attempts',
    });
  });

  test('a correct CVV resets the count', async () => {
    const card = await payingCard(app);
    const [good, bad] = [card.cvv, card.wrongCvv];
    expect(await codes(card, bad, bad, good, bad, bad, good)).toEqual(['N7', 'N7', 'ok', 'N7', 'N7', 'ok']);
  });

  test('an authorization without a CVV, or declined before the CVV check, does not reset it', async () => {
    const card = await payingCard(app);
    const [good, bad] = [card.cvv, card.wrongCvv];
    expect(await codes(card, bad, undefined, bad)).toEqual(['N7', 'ok', 'N7']);
    expect(await card.authorize('1.00', { cvv: good, expiry: '2020-01' })).toMatchObject({
      decline_code: '54',
    });
    expect(await codes(card, bad, good)).toEqual(['N7', 'R8']);
  });

  test('a wrong CVV on a frozen card does not count, and a repeated message does not count again', async () => {
    const card = await payingCard(app);
    const bad = card.wrongCvv;
    await card.act('freeze');
    expect(await codes(card, bad, bad, bad)).toEqual(['R1', 'R1', 'R1']);
    await card.act('unfreeze');
    const request = authorizationOf(card, '1.00', { cvv: bad });
    await Promise.all(Array.from({ length: 5 }, () => card.send('authorizations', request)));
    expect(await codes(card, bad, card.cvv)).toEqual(['N7', 'ok']);
  });

  test('count over all channels', async () => {
    const card = await payingCard(app);
    const codes: string[] = [];
    for (const channel of ['ECOMMERCE', 'POS', 'ATM', 'ECOMMERCE']) {
      const answer = await card.authorize('1.00', { channel, cvv: card.wrongCvv });
      codes.push(answer.decline_code ?? 'ok');
    }
    expect(codes).toEqual(['N7', 'N7', 'N7', 'R8']);
  });

  test('twenty concurrent: two are declined for the CVV and the third blocks the card', async () => {
    const card = await payingCard(app);
    const requests = Array.from({ length: 20 }, () => card.authorize('1.00', { cvv: card.wrongCvv }));
    const told = (await Promise.all(requests)).map(({ decline_code }) => decline_code).sort();
    expect(told).toEqual([...Array(3).fill('N7'), ...Array(17).fill('R8')]);
  });
});

describe('a repeated message', () => {
  test('unknown fields do not make the content different', async () => {
    const card = await payingCard(app);
    const request = authorizationOf(card, '10.00');
    const first = await card.send('authorizations', request);
    const second = await card.send('authorizations', {
      ...request,
      trace: 'x',
      merchant: { ...MERCHANT, fax: '1' },
    });
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  test('in another program the id is free', async () => {
    const external_transaction_id = newMessageId('shared');
    const other = await payingCard(app, {}, await ownProgram(app));
    await (await payingCard(app)).hold('10.00', { external_transaction_id });
    await other.hold('20.00', { external_transaction_id });
    expect(await other.available()).toBe(230);
  });
});
