import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ENDPOINT } from '../../support/cards/deciding-merchant.ts';
import {
  abroad,
  accepted,
  authorizationOf,
  balancesOf,
  clearingOf,
  networkApp,
  type Owner,
  ownProgram,
  type PayingCard,
  payingCard,
  refundOf,
  send,
  setTerms,
} from '../../support/cards/network.ts';
import { ROOT } from '../../support/scripts/sources.ts';
import { advanceDays } from '../../support/server/clock.ts';
import { freePort } from '../../support/server/free-port.ts';
import { addEndpoint, deliver } from '../../support/webhooks/webhooks.ts';

/** The example that we give to merchants that decide, as it stands, against the whole product. */
const EXAMPLE = join(ROOT, 'examples/decision-server');
const SOON = { timeout: 60_000 };
const DEPOSIT = 100_000n;

const app = networkApp();
let owner: Owner;
let example: ChildProcess;
let url: string;
let decisionSecret: string;
let printed = '';
let stopDeliveries: () => Promise<void>;

beforeAll(async () => {
  owner = await ownProgram(app, { fx_fee_bps: 175, atm_fee_minor: 150, interchange_bps: 120 });
  url = `http://127.0.0.1:${await freePort()}`;
  const put = async (kind: string, path: string): Promise<string> => {
    const body = { url: `${url}${path}` };
    return (await app.call('PUT', ENDPOINT.replace('authorization', kind), { body, key: owner.key })).body
      .secret;
  };
  decisionSecret = await put('authorization', '/decisions');
  await setTerms(app, owner, { authorization_mode: 'REAL_TIME' });
  const { secret } = await addEndpoint(app, `${url}/events`, ['transaction'], owner);
  example = spawn(process.execPath, [join(EXAMPLE, 'server.mjs')], {
    env: {
      DECISION_SECRET: decisionSecret,
      WEBHOOK_SECRET: secret,
      AUTHENTICATION_SECRET: await put('authentication', '/authentications'),
      OTP_SECRET: await put('otp', '/codes'),
      PORT: new URL(url).port,
      BALANCES: '{"ada": "1000.00", "grace": "1000.00", "mary": "50.00"}',
      EMBOSS_URL: app.url,
      EMBOSS_SANDBOX_API_KEY: owner.key,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  example.stdout?.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await vi.waitFor(() => expect(printed).toContain('listening on '), SOON);
  stopDeliveries = deliver(app).stop;
});
afterAll(async () => {
  await stopDeliveries();
  example.kill();
  await once(example, 'exit');
});

const cardOf = (customerId: string): Promise<PayingCard> =>
  payingCard(
    app,
    { meta: { id: customerId, otpPhoneNumber: { dialCode: 44, phoneNumber: '7700900123' } } },
    owner,
  );
const balanceOf = async (customerId: string): Promise<{ available: string; reserved: string }> =>
  (await fetch(`${url}/balances/${customerId}`)).json() as never;
const minorOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
/** What all customers have spent by the example's books; nothing is reserved once all events have arrived. */
async function spentMinor(): Promise<bigint> {
  const all = await Promise.all(['ada', 'grace', 'mary'].map(balanceOf));
  expect(all.map(({ reserved }) => reserved)).toEqual(['0.00', '0.00', '0.00']);
  return 2n * DEPOSIT + 5_000n - all.reduce((sum, { available }) => sum + minorOf(available), 0n);
}
/** Every event has arrived, and the books say the same as the ledger: the master account pays what customers spend. */
const expectAgreement = () =>
  vi.waitFor(async () => expect(-((await balancesOf(app, owner))['master'] ?? 0n)).toBe(await spentMinor()), {
    ...SOON,
    interval: 100,
  });

test('3-D Secure challenges what the balance covers, and the code is printed nowhere', async () => {
  const { id } = await cardOf('mary');
  const authenticate = async (amount: string) => {
    const body = { card_id: id, amount };
    return (await app.call('POST', '/api/v1/sandbox/authentications/', { body, key: owner.key })).body;
  };
  const { status, otp } = await authenticate('50.00');
  expect([status, otp]).toEqual(['CHALLENGE', expect.stringMatching(/^\d{6}$/)]);
  expect(await authenticate('50.01')).toMatchObject({ status: 'REJECTED', reason: 'declined_by_program' });
  await vi.waitFor(() => expect(printed).toContain('DECLINE mary 50.01 EUR with 3-D Secure'), SOON);
  expect(printed).toContain('a code for mary');
  expect(printed).not.toContain(otp);
});

describe('the books of the merchant', () => {
  test('follow a purchase through every message', async () => {
    const card = await cardOf('ada');
    const steps: string[] = [];
    const note = async () => {
      await expectAgreement();
      steps.push((await balanceOf('ada')).available);
    };
    const id = await card.hold('100.00', abroad('120.00', 'USD', '100.00'));
    await note();
    await card.increment(id, '12.00', abroad('12.00', 'USD', '10.00'));
    await note();
    await card.reverse(id, { bill_amount: '20.00' });
    await note();
    // In the card's own currency, and not the last: the fee on the rest is an estimate that changes.
    const part = clearingOf(card, id, '33.33', { final: false });
    await accepted(app, 'clearings', part, owner);
    await note();
    const rest = clearingOf(card, id, '0', abroad('60.00', 'USD', '50.01'));
    await accepted(app, 'clearings', rest, owner);
    await note();
    await accepted(app, 'reversals', { reversal_id: `${id} a`, clearing_id: rest.clearing_id }, owner);
    await note();
    const refund = refundOf(card, '5.00', { external_transaction_id: id });
    await accepted(app, 'refunds', refund, owner);
    await note();
    await accepted(app, 'reversals', { reversal_id: `${id} b`, refund_id: refund.refund_id }, owner);
    await note();
    expect(steps).toEqual([
      '898.25', // 100.00 and 1.75
      '888.08', // 10.00 and 0.17: 1.92 on 110.00, half to even
      '908.42', // 90.00 and 1.57
      '909.01', // 33.33 without a fee, 56.67 and 0.99 held
      '915.78', // 50.01 and 0.88
      '966.67',
      '971.67',
      '966.67',
    ]);
    await card.hold('10.00');
    await note();
    await advanceDays(app, 8, owner.key);
    await note();
    expect(steps.slice(-2)).toEqual(['956.67', '966.67']);
  });

  test('decline what they do not cover, and approve a part of it where that is allowed', async () => {
    const card = await cardOf('mary');
    expect(await card.authorize('50.01')).toMatchObject({
      approved: false,
      decline_reason: 'program_insufficient_funds',
    });
    const cash = { partial_approval: true, channel: 'ATM', type: 'CASH' };
    expect(await card.authorize('60.00', cash)).toMatchObject({ approved: true, bill_amount: '48.50' });
    await expectAgreement();
    expect(await balanceOf('mary')).toMatchObject({ available: '0.00' });
    expect(await card.authorize('0.01', { partial_approval: true })).toMatchObject({ approved: false });
  });

  test('show their balance to an inquiry', async () => {
    const card = await cardOf('ada');
    const { amount: _amount, ...inquiry } = authorizationOf(card, '', { type: 'BALANCE_INQUIRY' });
    const { available } = await balanceOf('ada');
    expect((await accepted(app, 'authorizations', inquiry, owner)).available_amount).toBe(available);
  });

  test('give back what Emboss declined after their approval', async () => {
    const card = await cardOf('grace');
    await card.setControls({ dailyLimit: 100 });
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => card.authorize('30.00')));
    expect(answers.filter(({ approved }) => approved)).toHaveLength(3);
    const declined = (await card.events()).filter(({ name }) => name === 'authorization.declined');
    expect(declined.map(({ data }) => data?.['decision'])).toContainEqual(
      expect.objectContaining({ source: 'merchant', outcome: 'approved' }),
    );
    await expectAgreement();
    expect(await balanceOf('grace')).toMatchObject({ available: '910.00' });
  });

  test('count what was decided without them: a clearing without authorization, and an advice', async () => {
    const card = await cardOf('grace');
    const before = minorOf((await balanceOf('grace')).available);
    const unknown = clearingOf(card, 'forced', '7.00', { card_number: card.number });
    await accepted(app, 'clearings', unknown, owner);
    await card.authorize('3.00', { stand_in: { approved: true } });
    await expectAgreement();
    expect(minorOf((await balanceOf('grace')).available)).toBe(before - 1_000n);
  });

  test('are right again after Emboss could not be reached', async () => {
    const card = await cardOf('ada');
    const { externalTransactionId } = await requestDecision(card, '20.00', 'never-committed');
    expect(await balanceOf('ada')).toMatchObject({ reserved: '20.00' });
    // The network repeats the message, Emboss requests the decision again, and its event ends the reservation.
    const repeated = authorizationOf(card, '20.00', { external_transaction_id: externalTransactionId });
    await send(app, 'authorizations', repeated, owner);
    await expectAgreement();
  });
});

/** Sends a decision request to the example, as Emboss does. */
async function requestDecision(
  card: PayingCard,
  amount: string,
  externalTransactionId: string,
  key = decisionSecret,
) {
  const data = {
    external_transaction_id: externalTransactionId,
    card_id: card.id,
    external_customer_id: 'ada',
    bill_amount: amount,
    bill_currency: 'EUR',
    hold_amount: amount,
    partial_approval_allowed: false,
  };
  const eventId = `question ${externalTransactionId}`;
  const text = JSON.stringify({ eventType: 'decision', eventName: 'authorization.request', eventId, data });
  const sent = new Date();
  const response = await fetch(`${url}/decisions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(sent.getTime() / 1000)),
      'webhook-signature': new Webhook(key).sign(eventId, sent, text),
    },
    body: text,
  });
  return { status: response.status, answer: await response.json(), externalTransactionId };
}

test('a request that is not from Emboss is refused and reserves nothing', async () => {
  const card = await cardOf('ada');
  const otherSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  expect((await requestDecision(card, '1.00', 'forged', otherSecret)).status).toBe(401);
  await expectAgreement();
});

describe('without a server', () => {
  interface Books {
    answer(question: object): object;
    apply(customerId: string, event: object): void;
    balanceOf(customerId: string): { availableMinor: bigint; reservedMinor: bigint };
  }
  const newBooks = async (): Promise<Books> => {
    const { createBooks } = await import(pathToFileURL(join(EXAMPLE, 'books.mjs')).href);
    return createBooks([['ada', DEPOSIT]]);
  };
  const requestOf = (more: object = {}) => ({
    data: {
      external_transaction_id: 'net-1',
      external_customer_id: 'ada',
      bill_amount: '10.00',
      hold_amount: '10.00',
      bill_currency: 'EUR',
      ...more,
    },
  });
  const eventOf = (eventName: string, sequence: number, taken_amount: string, message_id = 'net-1') => ({
    eventName,
    data: {
      transaction_id: 't-1',
      external_transaction_id: 'net-1',
      message_id,
      sequence,
      taken_amount,
      bill_currency: 'EUR',
    },
  });

  test('events may arrive in any order, each any number of times', async () => {
    const events = [
      eventOf('authorization', 2, '10.00'),
      eventOf('authorization.increment', 3, '15.00', 'inc-1'),
      eventOf('authorization.declined', 4, '15.00', 'inc-2'),
      eventOf('authorization.reversal', 5, '12.00', 'rev-1'),
      eventOf('authorization.clearing', 6, '12.50', 'clr-1'),
    ];
    const orders = permutations(events);
    expect(orders).toHaveLength(120);
    for (const order of orders) {
      const books = await newBooks();
      books.answer(requestOf());
      books.answer(requestOf({ increment_id: 'inc-1', hold_amount: '5.00' }));
      books.answer(requestOf({ increment_id: 'inc-2', hold_amount: '9.00' }));
      expect(books.balanceOf('ada')).toEqual({ availableMinor: DEPOSIT - 2_400n, reservedMinor: 2_400n });
      for (const event of [...order, ...order]) books.apply('ada', event);
      expect(books.balanceOf('ada')).toEqual({ availableMinor: DEPOSIT - 1_250n, reservedMinor: 0n });
    }
  });

  test('a repeated request gets the same answer and reserves once', async () => {
    const books = await newBooks();
    const first = books.answer(requestOf());
    expect(first).toEqual({ decision: 'APPROVE' });
    expect(books.answer(requestOf())).toEqual(first);
    expect(books.balanceOf('ada').reservedMinor).toBe(1_000n);
  });

  test('an approval that comes too late reserves nothing', async () => {
    const books = await newBooks();
    books.apply('ada', eventOf('authorization.declined', 2, '0.00'));
    books.answer(requestOf());
    expect(books.balanceOf('ada')).toEqual({ availableMinor: DEPOSIT, reservedMinor: 0n });
  });
});

function permutations<Each>(all: readonly Each[]): Each[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((each, index) =>
    permutations([...all.slice(0, index), ...all.slice(index + 1)]).map((rest) => [each, ...rest]),
  );
}
