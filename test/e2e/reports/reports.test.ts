import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { updateProgram } from '../../../src/programs/update-program.ts';
import { completeFileData } from '../../../src/reports/read-request.ts';
import { FILE_TYPES } from '../../../src/reports/report.ts';
import { sweepFiles } from '../../../src/reports/sweep-files.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import { businessCard, createCard } from '../../support/cards/cards.ts';
import {
  abroad,
  balancesOf,
  clearingOf,
  type NetworkPath,
  ownProgram,
  payingCard,
  refundOf,
  reversalOf,
} from '../../support/cards/network.ts';
import { follow, swipe } from '../../support/cards/swipe.ts';
import { readCsv } from '../../support/reports/csv.ts';
import {
  FILES,
  fileOf,
  makeReports,
  produceReports,
  readReport,
  requestReport,
} from '../../support/reports/reports.ts';
import { testActor } from '../../support/server/actor.ts';
import { setClock } from '../../support/server/clock.ts';
import { fund } from '../../support/server/fund.ts';
import { type Answer, appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
const day = '2030-03-10';

/** One day of a program that charges for everything, and the days after it. */
beforeAll(async () => {
  await updateProgram(app.db, await testActor(app.db, app.program.id), {
    fxFeeBps: 250,
    atmFeeMinor: 200n,
    interchangeBps: 100,
    cashInterchangeBps: -50,
    transactionCostMinor: 5n,
    transactionCostBps: 10,
    virtualIssuanceFeeMinor: 75n,
  });
  await setClock(app, `${day}T08:00:00Z`);
});

async function liveThroughTheDay() {
  await fund(app, 1_000_000n);
  const card = await createCard(app);
  const merchant = {
    id: 'm-1',
    name: '=HYPERLINK("http://x"), "Shop"',
    mcc: '5411',
    city: 'Paris',
    country: 'FR',
  };
  const abroad = await swipe(app, card.id, '100.00', {
    currency: 'USD',
    bill_amount: '90.00',
    channel: 'ATM',
    merchant,
  });
  await follow(app, 'clearings', {
    transaction_id: abroad.transaction_id,
    amount: '100.00',
    bill_amount: '90.00',
  });
  const home = await swipe(app, card.id, '10.00', { channel: 'POS' });
  await follow(app, 'reversals', { transaction_id: home.transaction_id });
  const over = await swipe(app, card.id, '20.00', { channel: 'ECOMMERCE' });
  await follow(app, 'clearings', { transaction_id: over.transaction_id, amount: '25.00' });
  await follow(app, 'refunds', { transaction_id: over.transaction_id, amount: '5.00' });
  return { card, abroad, home, over };
}

describe('a day', () => {
  let lived: Awaited<ReturnType<typeof liveThroughTheDay>>;
  beforeAll(async () => {
    lived = await liveThroughTheDay();
    await setClock(app, '2030-03-12T00:00:00Z');
  });

  test('daily: all movements of the master account, with its running balance', async () => {
    const { header, rows } = await readReport(app, 'daily', day);
    expect(header.join(',')).toBe(
      'event_time,event,transaction_id,external_transaction_id,card_id,last_four,cardholder_name,merchant_name,mcc,channel,currency,amount,bill_currency,bill_amount,fx_fee,atm_fee,description,in,out,balance',
    );
    const short = rows.map((row) => [
      row['event'],
      row['bill_amount'],
      row['fx_fee'],
      row['atm_fee'],
      row['in'],
      row['out'],
      row['balance'],
    ]);
    expect(short).toEqual([
      ['funding', '10000.00', '', '', '10000.00', '0.00', '10000.00'],
      ['authorization', '90.00', '2.25', '2.00', '0.00', '94.25', '9905.75'],
      ['authorization', '10.00', '0.00', '0.00', '0.00', '10.00', '9895.75'],
      ['authorization.reversal', '10.00', '0.00', '0.00', '10.00', '0.00', '9905.75'],
      ['authorization', '20.00', '0.00', '0.00', '0.00', '20.00', '9885.75'],
      ['authorization.clearing', '25.00', '0.00', '0.00', '0.00', '5.00', '9880.75'],
      ['refund', '5.00', '0.00', '0.00', '5.00', '0.00', '9885.75'],
    ]);
    expect(rows[1]).toMatchObject({
      event_time: expect.stringMatching(/^2030-03-10T08:\d\d:\d\d\+0000$/),
      transaction_id: lived.abroad.transaction_id,
      external_transaction_id: lived.abroad.external_transaction_id,
      card_id: lived.card.id,
      last_four: lived.card.lastFour,
      cardholder_name: 'Ada Lovelace',
      merchant_name: `'=HYPERLINK("http://x"), "Shop"`,
      mcc: '5411',
      channel: 'ATM',
      currency: 'USD',
      amount: '100.00',
      bill_currency: 'EUR',
    });
    expect(rows[0]).toMatchObject({ card_id: '', cardholder_name: '', last_four: '' });
  });

  test('fee: each fee that a cardholder paid', async () => {
    const { header, rows } = await readReport(app, 'fee', day);
    expect(header.join(',')).toBe('fee_id,event_time,transaction_id,card_id,type,rate,amount,currency');
    const of = { transaction_id: lived.abroad.transaction_id, card_id: lived.card.id, currency: 'EUR' };
    expect(rows).toEqual([
      {
        ...of,
        fee_id: expect.any(String),
        event_time: expect.any(String),
        type: 'FX',
        rate: '2.50',
        amount: '2.25',
      },
      {
        ...of,
        fee_id: expect.any(String),
        event_time: expect.any(String),
        type: 'ATM',
        rate: '',
        amount: '2.00',
      },
    ]);
  });

  test('dailyTransactionFee: revenue and cost of each transaction', async () => {
    const { header, rows } = await readReport(app, 'dailyTransactionFee', day);
    expect(header.join(',')).toBe(
      'event_time,transaction_id,card_id,event,channel,currency,amount,bill_currency,bill_amount,is_fx,interchange_revenue,fx_revenue,atm_revenue,transaction_cost,net',
    );
    expect(rows).toEqual([
      expect.objectContaining({
        transaction_id: lived.abroad.transaction_id,
        event: 'authorization.clearing',
        channel: 'ATM',
        currency: 'USD',
        amount: '100.00',
        bill_amount: '90.00',
        is_fx: 'true',
        interchange_revenue: '-0.45',
        fx_revenue: '2.25',
        atm_revenue: '2.00',
        transaction_cost: '0.14',
        net: '3.66',
      }),
      expect.objectContaining({
        transaction_id: lived.over.transaction_id,
        event: 'authorization.clearing',
        is_fx: 'false',
        interchange_revenue: '0.25',
        fx_revenue: '0.00',
        transaction_cost: '0.07',
        net: '0.18',
      }),
      expect.objectContaining({
        event: 'refund',
        amount: '-5.00',
        bill_amount: '-5.00',
        is_fx: 'false',
        interchange_revenue: '-0.05',
        fx_revenue: '0.00',
        transaction_cost: '0.00',
        net: '-0.05',
      }),
    ]);
  });

  test('a day without transactions is only a header', async () => {
    const referenceId = await requestReport(app, 'daily', '2030-03-09');
    await makeReports(app);
    expect((await fileOf(app, referenceId)).split('\r\n')).toEqual([
      expect.stringMatching(/^event_time,/),
      '',
    ]);
  });
});

describe('what the network cleared in a day', () => {
  const TERMS = {
    fx_fee_bps: 250,
    atm_fee_minor: 200,
    interchange_bps: 100,
    cash_interchange_bps: 100,
    transaction_cost_minor: 5,
    transaction_cost_bps: 10,
  };

  /** A clearing and a refund, half of each reversed; beside them messages that clear nothing. */
  async function clearedDay(terms: Record<string, unknown>) {
    const owner = await ownProgram(app, terms);
    await setClock(app, `${day}T08:00:00Z`, owner.key);
    const card = await payingCard(app, {}, owner);
    const post = async (path: NetworkPath, body: object): Promise<Answer['body']> => {
      const answer = await card.send(path, body);
      expect([answer.status, answer.body.message]).toEqual([200, undefined]);
      return answer.body;
    };
    const away = (amount: string, bill: string) => abroad(amount, 'USD', bill);
    const purchase = await card.authorize('', { channel: 'ATM', ...away('100.00', '90.00') });
    const { external_transaction_id } = purchase;
    const clearing = clearingOf(card, external_transaction_id, '', {
      ...away('100.00', '90.00'),
      clearing_id: '=clr-1',
      arn: '=arn-1',
      settlement_date: '2030-03-11',
    });
    await post('clearings', clearing);
    const refund = refundOf(card, '', { ...away('10.00', '9.00'), external_transaction_id, arn: 'arn-2' });
    const { transaction_id: refundId } = await post('refunds', refund);
    const { refund_id } = refund;
    await post('reversals', { reversal_id: 'rev-1', refund_id, bill_amount: '4.50' });
    await post('reversals', { reversal_id: 'rev-2', clearing_id: '=clr-1', bill_amount: '45.00' });
    await post('reversals', reversalOf(await card.hold('1.00')));
    await card.hold('2.00');
    await card.authorize('9999.00');
    const settlement = (await balancesOf(app, owner))['settlement'];
    await setClock(app, '2030-03-12T00:00:00Z', owner.key);
    const { lastFour } = await retrieve(app, card.id, owner.key);
    return { owner, card, lastFour, purchase, refundId, refundNetworkId: refund_id, settlement };
  }

  test('settlement: a row for each clearing, refund and reversal, as in the settlement account', async () => {
    const { owner, card, lastFour, purchase, refundId, refundNetworkId, settlement } =
      await clearedDay(TERMS);
    const { header, rows } = await readReport(app, 'settlement', day, owner.key);
    expect(header.join(',')).toBe(
      'event_time,event,network_id,reverses,transaction_id,external_transaction_id,arn,settlement_date,card_id,last_four,merchant_name,mcc,channel,currency,amount,bill_currency,bill_amount,interchange',
    );
    const always = {
      event_time: expect.stringMatching(/^2030-03-10T08:\d\d:\d\d\+0000$/),
      card_id: card.id,
      last_four: lastFour,
      merchant_name: 'Corner Coffee',
      mcc: '5814',
      channel: 'ATM',
      currency: 'USD',
      bill_currency: 'EUR',
      settlement_date: '',
    };
    const ofPurchase = {
      ...always,
      transaction_id: purchase.transaction_id,
      external_transaction_id: purchase.external_transaction_id,
    };
    const ofRefund = { ...always, transaction_id: refundId, external_transaction_id: refundNetworkId };
    expect(rows).toEqual([
      {
        ...ofPurchase,
        event: 'clearing',
        network_id: "'=clr-1",
        reverses: '',
        arn: "'=arn-1",
        settlement_date: '2030-03-11',
        amount: '100.00',
        bill_amount: '90.00',
        interchange: '0.90',
      },
      {
        ...ofRefund,
        event: 'refund',
        network_id: refundNetworkId,
        reverses: '',
        arn: 'arn-2',
        amount: '-10.00',
        bill_amount: '-9.00',
        interchange: '-0.09',
      },
      {
        ...ofRefund,
        event: 'refund_reversal',
        network_id: 'rev-1',
        reverses: refundNetworkId,
        arn: 'arn-2',
        amount: '5.00',
        bill_amount: '4.50',
        interchange: '0.05',
      },
      {
        ...ofPurchase,
        event: 'clearing_reversal',
        network_id: 'rev-2',
        reverses: "'=clr-1",
        arn: "'=arn-1",
        amount: '-50.00',
        bill_amount: '-45.00',
        interchange: '-0.45',
      },
    ]);
    const minor = (column: string) =>
      rows.reduce((total, row) => total + BigInt((row[column] as string).replace('.', '')), 0n);
    expect(minor('bill_amount') - minor('interchange')).toBe(settlement);
  });

  test.each<[what: string, terms: Record<string, unknown>, fees: string[]]>([
    [
      'the fees that each charged or gave back',
      TERMS,
      [
        '0.90 2.25 2.00 0.14 5.01',
        '-0.09 0.00 0.00 0.00 -0.09',
        '0.05 0.00 0.00 0.00 0.05',
        '-0.45 -1.13 0.00 0.00 -1.58',
      ],
    ],
    ['zeros where the program charges nothing', {}, Array(4).fill('0.00 0.00 0.00 0.00 0.00')],
  ])('dailyTransactionFee: a row for each, in order, with %s', async (_what, terms, fees) => {
    const { owner } = await clearedDay(terms);
    const { rows } = await readReport(app, 'dailyTransactionFee', day, owner.key);
    const cells = (...columns: string[]) => rows.map((row) => columns.map((name) => row[name]).join(' '));
    expect(cells('event', 'amount', 'currency', 'bill_amount', 'bill_currency', 'is_fx')).toEqual([
      'authorization.clearing 100.00 USD 90.00 EUR true',
      'refund -10.00 USD -9.00 EUR true',
      'refund.reversal 5.00 USD 4.50 EUR true',
      'authorization.clearing.reversal -50.00 USD -45.00 EUR true',
    ]);
    expect(cells('interchange_revenue', 'fx_revenue', 'atm_revenue', 'transaction_cost', 'net')).toEqual(
      fees,
    );
  });

  test('settlement has a row for each, also where the program earns no interchange', async () => {
    const { owner, settlement } = await clearedDay({});
    const { rows } = await readReport(app, 'settlement', day, owner.key);
    expect(rows.map(({ event, interchange }) => [event, interchange])).toEqual(
      ['clearing', 'refund', 'refund_reversal', 'clearing_reversal'].map((event) => [event, '0.00']),
    );
    // 90.00 - 9.00 + 4.50 - 45.00
    expect(settlement).toBe(4_050n);
  });

  test('settlement: money of numbers without a card, and the interchange that the network names', async () => {
    const owner = await ownProgram(app, TERMS);
    await setClock(app, `${day}T08:00:00Z`, owner.key);
    const card = await payingCard(app, {}, owner);
    const nobody = card.with({ number: `${card.number.slice(0, 6)}0000000000` });
    const card_number = nobody.number;
    const { clearing_id } = await nobody.clear('net-unknown', '12.50', { card_number, arn: 'arn-3' });
    const { refund_id } = await nobody.refund('3.00', { card_number });
    await nobody.send('reversals', { reversal_id: 'rev-3', clearing_id, bill_amount: '2.50' });
    await nobody.send('reversals', { reversal_id: 'rev-4', refund_id });
    await card.clear(await card.hold('20.00'), '20.00', { interchange_amount: '-0.35' });
    const { settlement, suspense } = await balancesOf(app, owner);
    await setClock(app, '2030-03-12T00:00:00Z', owner.key);
    const { rows } = await readReport(app, 'settlement', day, owner.key);
    const cells = (...columns: string[]) => rows.map((row) => columns.map((name) => row[name]).join(' '));
    expect(cells('event', 'network_id', 'reverses', 'arn', 'bill_amount', 'interchange')).toEqual([
      `clearing ${clearing_id}  arn-3 12.50 0.00`,
      `refund ${refund_id}   -3.00 0.00`,
      `clearing_reversal rev-3 ${clearing_id} arn-3 -2.50 0.00`,
      `refund_reversal rev-4 ${refund_id}  3.00 0.00`,
      expect.stringMatching(/^clearing clr-\d+ {3}20.00 -0.35$/),
    ]);
    expect(cells('transaction_id', 'card_id', 'last_four').slice(0, 4)).toEqual(Array(4).fill('  '));
    expect(rows[0]).toMatchObject({
      external_transaction_id: 'net-unknown',
      currency: 'EUR',
      amount: '12.50',
    });
    // 12.50 - 2.50 in suspense; 20.00 and the interchange that is paid.
    expect([settlement, suspense]).toEqual([3_035n, -1_000n]);
    const fees = await readReport(app, 'dailyTransactionFee', day, owner.key);
    expect(fees.rows.map((row) => row['card_id'])).toEqual([card.id]);
  });

  test('daily: what an advice of the network did to a hold', async () => {
    const owner = await ownProgram(app);
    await setClock(app, `${day}T08:00:00Z`, owner.key);
    const card = await payingCard(app, {}, owner);
    const external_transaction_id = await card.hold('30.00');
    const advise = (amount: string, approved: boolean) =>
      card.authorize(amount, {
        external_transaction_id,
        advice_id: `adv-${amount}`,
        stand_in: { approved },
      });
    await advise('40.00', true);
    await advise('25.00', true);
    await advise('26.00', false);
    await setClock(app, '2030-03-12T00:00:00Z', owner.key);
    const { rows } = await readReport(app, 'daily', day, owner.key);
    expect(rows.map(({ description, in: plus, out }) => [description, plus, out])).toEqual([
      ['Hold for a purchase', '0.00', '30.00'],
      ['Hold for a purchase, approved by the network', '0.00', '10.00'],
      ['Hold lowered, approved by the network', '15.00', '0.00'],
      ['Hold released: declined by the network', '25.00', '0.00'],
    ]);
  });

  test('a day on which nothing cleared is only a header', async () => {
    const { owner } = await clearedDay({});
    const { header, rows } = await readReport(app, 'settlement', '2030-03-09', owner.key);
    expect([header[0], rows]).toEqual(['event_time', []]);
  });
});

test('hostile names and ids survive a CSV parser, and a spreadsheet runs none of them', async () => {
  const { key } = await app.addProgram();
  await setClock(app, '2030-04-01T00:00:00Z', key);
  const names = [
    '=HYPERLINK("http://x","y")',
    '+1;=2+5',
    '-2+3',
    '@SUM(A1), "quoted" Ltd',
    'Zoë Müller 🦄',
    "O'Brien, Jr.",
    ';=cmd|calc',
    'x;"=1+1;',
  ];
  for (const name of names) {
    const card = await createCard(
      app,
      { ...businessCard(), kyc: { ...businessCard().kyc, fullName: name } },
      key,
    );
    const merchant = { name };
    await swipe(app, card.id, '1.00', { merchant, external_transaction_id: name }, key);
  }
  await setClock(app, '2030-04-10T00:00:00Z', key);
  const { rows } = await readReport(app, 'daily', '2030-04-01', key);
  for (const column of ['cardholder_name', 'merchant_name', 'external_transaction_id'])
    expect(rows.map((row) => row[column])).toEqual([
      `'=HYPERLINK("http://x","y")`,
      "'+1;'=2+5",
      "'-2+3",
      `'@SUM(A1), "quoted" Ltd`,
      'Zoë Müller 🦄',
      "O'Brien, Jr.",
      ";'=cmd|calc",
      `x;'"=1+1;`,
    ]);
});

describe('requesting', () => {
  test.each([
    ['daily/', 'date: is required'],
    ['daily/?date=', 'date: must be a valid date, as YYYY-MM-DD'],
    ['daily/?date=2030-02-29', 'date: must be a valid date, as YYYY-MM-DD'],
    ['daily/?date=2030-03-11', 'date: must be at least two days before today'],
    ['fee/?date=2030-03-11', 'date: must be at least two days before today'],
    ['settlement/?date=2030-03-11', 'date: must be at least two days before today'],
    [
      'monthly/?date=2030-03-01',
      'date: must be in a past month: available from the 2nd day of the following month',
    ],
    ['weekly/?date=2030-03-01', `fileType: must be one of ${FILE_TYPES.join(', ')}`],
    ['requests/?date=2030-03-01', `fileType: must be one of ${FILE_TYPES.join(', ')}`],
    ['DAILY/?date=2030-03-01', `fileType: must be one of ${FILE_TYPES.join(', ')}`],
  ])('%s is a 400', async (path, message) => {
    const { status, body } = await app.call('GET', FILES + path);
    expect({ status, ...body }).toEqual({
      status: 'failed',
      code: 400,
      message,
    });
    expect(status).toBe(400);
  });
});

describe('generation', () => {
  const events = (referenceIds: string[]) =>
    app.sql<{ reference: string; name: string; type: string; card: string | null }>(
      `select data ->> 'reference_id' as reference, event_name as name, event_type as type, card_id as card
       from events where event_type = 'files' and data ->> 'reference_id' = any ($1) order by id`,
      [referenceIds],
    );

  test('fifty concurrent requests and four workers generate the file once, and each request gets its event', async () => {
    const saved: string[] = [];
    const { storage } = app.reports;
    const counted = {
      ...app.reports,
      storage: {
        ...storage,
        save: (...given: Parameters<typeof storage.save>) => {
          saved.push(given[0]);
          return storage.save(...given);
        },
      },
    };
    const requests = await Promise.all(
      Array.from({ length: 50 }, () => requestReport(app, 'daily', '2030-03-01')),
    );
    expect(new Set(requests).size).toBe(50);
    expect((await app.call('GET', `${FILES}requests/${requests[0]}/`)).body).toEqual({
      reference_id: requests[0],
      status: 'pending',
      link: null,
      expireAt: null,
    });
    expect(await events(requests)).toEqual([]);
    await Promise.all(Array.from({ length: 4 }, () => produceReports({ db: app.db, ...counted })));
    expect(saved).toHaveLength(1);
    const sent = await events(requests);
    expect(sent.map(({ reference }) => reference).sort()).toEqual([...requests].sort());
    expect(new Set(sent.map(({ name, type, card }) => `${type}/${name}/${card}`))).toEqual(
      new Set(['files/daily_file/null']),
    );
    const late = await requestReport(app, 'daily', '2030-03-01');
    expect(await events([late])).toHaveLength(1);
    await Promise.all(Array.from({ length: 4 }, () => produceReports({ db: app.db, ...counted })));
    expect(saved).toHaveLength(1);
  });

  test('an expired file is generated again on request, with the same bytes, and sends no second event', async () => {
    const referenceId = await requestReport(app, 'daily', day);
    await makeReports(app);
    const first = await fileOf(app, referenceId);
    await app.sql(`update reports set kept_until = now() - interval '1 s' where last_day = $1`, [day]);
    const [before] = await reportRows(day);
    await sweepFiles({ db: app.db, ...app.reports });
    expect(await app.reports.storage.open(before?.storage_key as string)).toBeUndefined();
    expect((await reportRows(day))[0]?.status).toBe('expired');
    expect((await app.call('GET', `${FILES}requests/${referenceId}/`)).body.status).toBe('pending');
    await makeReports(app);
    expect(sha256(await fileOf(app, referenceId))).toBe(sha256(first));
    expect(await events([referenceId])).toHaveLength(1);
    expect(readCsv(first).rows.length).toBe(7);
  });

  test('every delivery of the event gets its own link; none while the file is being generated again', async () => {
    const referenceId = await requestReport(app, 'fee', day);
    await makeReports(app);
    const services = { db: app.db, ...app.reports };
    const data = await completeFileData(services, app.program.id, referenceId);
    expect(data).toEqual({
      reference_id: referenceId,
      link: expect.stringMatching(
        /^http:\/\/emboss\.test\/files\/[0-9a-f-]{36}\/emboss-fee-2030-03-10\.csv\?/,
      ),
      expireAt: expect.any(Number),
    });
    expect(Math.abs(data.expireAt - Date.now() / 1000 - 300)).toBeLessThan(5);
    await app.sql(`update reports set kept_until = now() where file_type = 'fee' and last_day = $1`, [day]);
    await expect(completeFileData(services, app.program.id, referenceId)).rejects.toThrow(
      /being generated again/,
    );
    await makeReports(app);
    expect(await completeFileData(services, app.program.id, referenceId)).toMatchObject({
      reference_id: referenceId,
    });
    expect(await events([referenceId])).toHaveLength(1);
  });

  test('a report with different bytes is not delivered', async () => {
    const referenceId = await requestReport(app, 'dailyTransactionFee', '2030-03-02');
    await app.sql(
      `update reports set sha256 = '\\x00', row_count = 9 where file_type = 'dailyTransactionFee' and last_day = $1`,
      ['2030-03-02'],
    );
    await expect(makeReports(app)).rejects.toThrow(/differs from the file that was delivered before/);
    expect((await app.call('GET', `${FILES}requests/${referenceId}/`)).body.status).toBe('pending');
    expect(await events([referenceId])).toEqual([]);
    await app.sql(`update reports set sha256 = null, leased_until = null where status = 'pending'`);
    await makeReports(app);
    expect(await events([referenceId])).toHaveLength(1);
  });

  test('the lease of a dead worker expires, and its incomplete file is deleted', async () => {
    const referenceId = await requestReport(app, 'daily', '2030-03-03');
    const left = `${app.program.id}/left-behind.csv`;
    await app.reports.storage.save(left, Readable.from(['half']));
    await app.sql(
      `update reports set leased_until = now() + interval '1 hour', storage_key = $1 where last_day = '2030-03-03'`,
      [left],
    );
    await makeReports(app);
    expect((await app.call('GET', `${FILES}requests/${referenceId}/`)).body.status).toBe('pending');
    await app.sql(`update reports set leased_until = now() where last_day = '2030-03-03'`);
    await makeReports(app);
    expect((await app.call('GET', `${FILES}requests/${referenceId}/`)).body.status).toBe('ready');
    expect(await app.reports.storage.open(left)).toBeUndefined();
  });

  test('nothing is generated while an open transaction may still add to the period', async () => {
    const { key } = await app.addProgram();
    await setClock(app, '2031-05-01T00:00:00Z', key);
    const client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    await client.query('begin');
    await setClock(app, '2031-05-10T00:00:00Z', key);
    const referenceId = await requestReport(app, 'daily', '2031-05-02', key);
    await makeReports(app);
    expect((await app.call('GET', `${FILES}requests/${referenceId}/`, { key })).body.status).toBe('pending');
    await client.end();
    await app.sql(`update reports set leased_until = now() where last_day = '2031-05-02'`);
    await makeReports(app);
    expect((await app.call('GET', `${FILES}requests/${referenceId}/`, { key })).body.status).toBe('ready');
  });

  const reportRows = (lastDay: string) =>
    app.sql<{ status: string; storage_key: string }>(
      `select status, storage_key from reports where last_day = $1 and file_type = 'daily'`,
      [lastDay],
    );
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
