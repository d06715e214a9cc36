import pg from 'pg';
import { expect, test } from 'vitest';
import { chargeMaintenance } from '../../../src/cards/charge-maintenance.ts';
import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import { verifyLedger } from '../../../src/ledger/verify-ledger.ts';
import type { Program } from '../../../src/programs/program.ts';
import { type ProgramChange, updateProgram } from '../../../src/programs/update-program.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { readCsv } from '../../support/reports/csv.ts';
import { fileOf, makeReports, readReport, requestReport } from '../../support/reports/reports.ts';
import { testActor } from '../../support/server/actor.ts';
import { setClock } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
let program: Program;
let key: string;

const setTerms = async (change: ProgramChange) =>
  updateProgram(app.db, await testActor(app.db, program.id), change);

/** A program of its own that charges 1.50 a month. */
async function begin(now: string, maintenanceFeeMinor = 150n): Promise<void> {
  ({ program, key } = await app.addProgram());
  await setClock(app, now, key);
  await setTerms({ maintenanceFeeMinor });
}

/** `card month` of every charge, as the ledger has it. */
async function charges(): Promise<string[]> {
  const rows = await app.sql<{ charge: string }>(
    `select k.card_id || ' ' || to_char(t.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as charge
     from ledger_transfers t
     left join maintenance_charges k on k.program_id = t.program_id and k.movement_id = t.movement_id
     where t.program_id = $1 and t.code = 'maintenance_fee' and t.amount_minor = 150
       and t.debit_account_id = $2 and t.credit_account_id = $3 order by 1`,
    [program.id, ACCOUNTS.maintenanceCost, ACCOUNTS.payable],
  );
  return rows.map(({ charge }) => charge);
}

const card = () => createCard(app, {}, key);
const firsts = (id: string, ...months: string[]) => months.map((month) => `${id} ${month}-01T00:00:00.000`);

test('a card is charged once on the first of each month that the clock passes', async () => {
  await begin('2030-01-15T12:00:00Z');
  const { id } = await card();
  await setClock(app, '2030-01-31T23:59:50Z', key);
  expect(await charges()).toEqual([]);
  await setClock(app, '2030-02-01T00:00:00Z', key);
  expect(await charges()).toEqual(firsts(id, '2030-02'));
  await setClock(app, '2030-02-28T23:59:00Z', key);
  expect(await charges()).toHaveLength(1);
  await setClock(app, '2030-05-20T00:00:00Z', key);
  expect(await charges()).toEqual(firsts(id, '2030-02', '2030-03', '2030-04', '2030-05'));
  expect((await verifyLedger(app.db, program.id)).difference).toBeUndefined();
});

test('a card that is blocked, expired or not created on that day is not charged; a frozen card is', async () => {
  await begin('2031-01-10T00:00:00Z');
  const [blocked, frozen, late] = [await card(), await card(), await card()];
  const expiring = await createCard(app, { expiryDate: '2031-02-28' }, key);
  const lastDay = await createCard(app, { expiryDate: '2031-03-01' }, key);
  await app.call('PUT', `${CARDS}${blocked.id}/block/`, { body: { reason: 'lost' }, key });
  await app.call('PUT', `${CARDS}${frozen.id}/freeze/`, { body: { freeze: true }, key });
  await setClock(app, '2031-02-15T00:00:00Z', key);
  await app.call('PUT', `${CARDS}${late.id}/block/`, { body: { reason: 'lost' }, key });
  const newcomer = await card();
  await setClock(app, '2031-03-20T00:00:00Z', key);
  expect(await charges()).toEqual(
    [
      ...firsts(frozen.id, '2031-02', '2031-03'),
      ...firsts(late.id, '2031-02'),
      ...firsts(expiring.id, '2031-02'),
      ...firsts(lastDay.id, '2031-02', '2031-03'),
      ...firsts(newcomer.id, '2031-03'),
    ].sort(),
  );
});

test('the state on the first of the month counts, not later changes before the charge runs', async () => {
  await begin('2032-01-10T00:00:00Z', 0n);
  const blockedLater = await card();
  const reissuedLater = await createCard(app, { expiryDate: '2032-02-20' }, key);
  await setClock(app, '2032-02-25T00:00:00Z', key);
  // As if nobody had charged anything yet.
  await app.sql(`update maintenance_cursors set month = '2032-02-01' where program_id = $1`, [program.id]);
  await setTerms({ maintenanceFeeMinor: 150n });
  await setClock(app, '2032-02-26T00:00:00Z', key);
  expect(await charges()).toEqual(
    [...firsts(blockedLater.id, '2032-02'), ...firsts(reissuedLater.id, '2032-02')].sort(),
  );
  await app.sql(`update maintenance_cursors set month = '2033-01-01' where program_id = $1`, [program.id]);
  await setClock(app, '2032-03-05T00:00:00Z', key);
  await app.call('PUT', `${CARDS}${blockedLater.id}/block/`, { body: { reason: 'lost' }, key });
  await app.call('PUT', `${CARDS}${reissuedLater.id}/replace/`, { body: {}, key });
  await app.sql(`update maintenance_cursors set month = '2032-03-01' where program_id = $1`, [program.id]);
  await chargeMaintenance(app.db, program.id);
  expect((await charges()).filter((charge) => charge.includes('2032-03'))).toEqual(
    firsts(blockedLater.id, '2032-03'),
  );
});

test('many concurrent and interrupted workers charge every card once', async () => {
  await begin('2033-01-31T00:00:00Z', 0n);
  const cards = await Promise.all(Array.from({ length: 30 }, card));
  await setClock(app, '2033-03-02T00:00:00Z', key);
  await app.sql(`update maintenance_cursors set month = '2033-02-01' where program_id = $1`, [program.id]);
  await setTerms({ maintenanceFeeMinor: 150n });
  for (;;) {
    const months = await Promise.all(
      Array.from({ length: 6 }, () => chargeMaintenance(app.db, program.id, performance.now())),
    );
    if (months.some((month) => month > '2033-03-31')) break;
  }
  expect(await charges()).toEqual(cards.flatMap(({ id }) => firsts(id, '2033-02', '2033-03')).sort());
  expect((await verifyLedger(app.db, program.id)).difference).toBeUndefined();
});

test('all cards of a month have the same fee, also if the fee changes during the charge', async () => {
  await begin('2036-01-10T00:00:00Z', 0n);
  const cards = [await card(), await card(), await card()];
  await setClock(app, '2036-03-05T00:00:00Z', key);
  await app.sql(`update maintenance_cursors set month = '2036-02-01' where program_id = $1`, [program.id]);
  const chargeOne = () => chargeMaintenance(app.db, program.id, performance.now(), 1);
  await setTerms({ maintenanceFeeMinor: 150n });
  expect(await chargeOne()).toBe('2036-02-01');
  await setTerms({ maintenanceFeeMinor: 0n });
  expect(await chargeOne()).toBe('2036-02-01');
  await setTerms({ maintenanceFeeMinor: 70n });
  while ((await chargeOne()) < '2036-03-01');
  const february = cards.flatMap(({ id }) => firsts(id, '2036-02')).sort();
  expect(await charges()).toEqual(february);
  // The next month has the fee that is agreed when it is begun.
  expect(await chargeOne()).toBe('2036-03-01');
  await setTerms({ maintenanceFeeMinor: 150n });
  await chargeMaintenance(app.db, program.id);
  expect(await charges()).toEqual(february);
});

test('a report of fees waits until all cards are charged', async () => {
  await begin('2037-01-10T00:00:00Z', 0n);
  const { id } = await card();
  await setClock(app, '2037-03-05T00:00:00Z', key);
  await app.sql(`update maintenance_cursors set month = '2037-02-01' where program_id = $1`, [program.id]);
  await setTerms({ maintenanceFeeMinor: 150n });
  const referenceId = await requestReport(app, 'monthlyNonTransactionFees', '2037-02-01', key);
  // Another worker is at it, under a name that does not keep the period open.
  const other = new pg.Client({ connectionString: app.databaseUrl, application_name: 'emboss reader' });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('select from maintenance_cursors where program_id = $1 for update', [program.id]);
    await makeReports(app);
    await expect(fileOf(app, referenceId, key)).rejects.toThrow('the report is pending');
  } finally {
    await other.end();
  }
  await app.sql('update reports set leased_until = now() where program_id = $1', [program.id]);
  await makeReports(app);
  expect(readCsv(await fileOf(app, referenceId, key)).rows).toMatchObject([
    { card_id: id, event: 'maintenance_fee' },
  ]);
});

test('without a fee there is no charge; a later fee does not apply to earlier months', async () => {
  await begin('2034-01-10T00:00:00Z', 0n);
  const { id } = await card();
  await setClock(app, '2034-04-10T00:00:00Z', key);
  await setTerms({ maintenanceFeeMinor: 150n });
  await setClock(app, '2034-05-01T00:00:00Z', key);
  expect(await charges()).toEqual(firsts(id, '2034-05'));
});

test('monthlyNonTransactionFees: issuance and maintenance', async () => {
  await begin('2035-01-20T10:00:00Z');
  await setTerms({ virtualIssuanceFeeMinor: 75n, physicalIssuanceFeeMinor: 450n });
  const old = await card();
  await setClock(app, '2035-02-10T10:00:00Z', key);
  const plastic = await createCard(app, { cardType: 'physical' }, key);
  await setClock(app, '2035-03-02T00:00:00Z', key);
  const { header, rows } = await readReport(app, 'monthlyNonTransactionFees', '2035-02-07', key);
  expect(header.join(',')).toBe('event_time,card_id,event,card_type,amount,currency');
  expect(rows).toEqual([
    {
      event_time: '2035-02-01T00:00:00+0000',
      card_id: old.id,
      event: 'maintenance_fee',
      card_type: 'virtual',
      amount: '1.50',
      currency: 'EUR',
    },
    {
      event_time: expect.stringMatching(/^2035-02-10T10:0/),
      card_id: plastic.id,
      event: 'issuance_fee',
      card_type: 'physical',
      amount: '4.50',
      currency: 'EUR',
    },
  ]);
});
