import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../../src/ledger/accounts.ts';
import { updateProgram } from '../../src/programs/update-program.ts';
import { openReport } from '../../src/reports/open-report.ts';
import { FILE_TYPES, type FileType, subjectOf } from '../../src/reports/report.ts';
import { freshDatabase, sql } from '../support/database/database.ts';
import { readCsv } from '../support/reports/csv.ts';
import { history, playHistory } from '../support/reports/report-history.ts';
import { fileOf, makeReports, requestReport } from '../support/reports/reports.ts';
import { testActor } from '../support/server/actor.ts';
import { setClock } from '../support/server/clock.ts';
import { startTestApp, type TestApp } from '../support/server/test-app.ts';

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2031, 11, 1);
const TO = Date.UTC(2032, 2, 1);
const MONTHS = ['2031-12', '2032-01', '2032-02'];
const DAYS = Array.from({ length: (TO - FROM) / DAY_MS }, (_, index) =>
  new Date(FROM + index * DAY_MS).toISOString().slice(0, 10),
);
const TERMS = {
  fxFeeBps: 175,
  atmFeeMinor: 250n,
  interchangeBps: 123,
  cashInterchangeBps: -45,
  transactionCostMinor: 4n,
  transactionCostBps: 33,
  virtualIssuanceFeeMinor: 80n,
  physicalIssuanceFeeMinor: 500n,
  maintenanceFeeMinor: 99n,
};
/** As far east and west as there is, one at half an hour, and home. */
const ZONES = ['Pacific/Kiritimati', 'America/Los_Angeles'];
/** Two, none and three decimals. */
const PROGRAMS = [
  ['EUR', 'Pacific/Kiritimati'],
  ['JPY', 'America/Los_Angeles'],
  ['KWD', 'Asia/Kathmandu'],
] as const;

type Rows = Array<Record<string, string>>;
type Account = keyof typeof ACCOUNTS;

const ownZone = process.env['TZ'];
afterAll(() => {
  process.env['TZ'] = ownZone;
});

/** Of process and database both: neither may matter. */
async function startIn(zone: string, currency: string): Promise<TestApp> {
  const databaseUrl = await freshDatabase();
  await setDatabaseZone(databaseUrl, zone);
  process.env['TZ'] = zone;
  return startTestApp({ databaseUrl, currency });
}

const setDatabaseZone = (url: string, zone: string) =>
  sql(url, `alter database ${new URL(url).pathname.slice(1)} set timezone = '${zone}'`);

describe.each(PROGRAMS)('three months in %s, in the time zone %s', (currency, zone) => {
  test('reports reconcile with each other and with the ledger, to the cent', async () => {
    await fc.assert(
      fc.asyncProperty(history(90), async (steps) => {
        const app = await startIn(zone, currency);
        try {
          await setClock(app, new Date(FROM).toISOString());
          await updateProgram(app.db, await testActor(app.db, app.program.id), TERMS);
          await playHistory(app, app.program.id, steps, { from: FROM, to: TO });
          await setClock(app, `${TODAY}T00:00:00Z`);
          const read = await readAll(app);
          await checkMaster(app, read);
          await checkFees(app, read);
          await checkSettlement(app, read);
          expect(FILE_TYPES.filter((type) => !read.checked.has(type))).toEqual([]);
          if (currency === 'EUR') await checkAgain(app, read);
        } finally {
          await app.close();
        }
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });
});

interface Read {
  files: Map<string, string>;
  contentOf(fileType: FileType, date: string): string;
  rows(fileType: FileType, date: string): Rows;
  /** The types whose rows were checked. */
  checked: Set<FileType>;
}

const MONTHLY = FILE_TYPES.filter((type) => type.startsWith('monthly'));
const DAILY = FILE_TYPES.filter((type) => !MONTHLY.includes(type));
const TODAY = '2032-03-03';
const AT_ONCE = 4;

/** Every report of the three months: the monthly ones by way of a worker and a download, the many others past both. */
async function readAll(app: TestApp): Promise<Read> {
  const files = new Map<string, string>();
  for (const fileType of MONTHLY)
    for (const month of MONTHS) {
      const referenceId = await requestReport(app, fileType, `${month}-17`);
      await makeReports(app);
      files.set(`${fileType} ${month}-17`, await fileOf(app, referenceId));
    }
  const days = DAILY.flatMap((fileType) =>
    DAYS.map((date) => subjectOf(fileType, date, TODAY, TODAY.replace('2032', '2026'))),
  ).values();
  const readSome = async () => {
    for (const subject of days) {
      const { content } = await openReport({ db: app.db, ...app.reports }, app.program, subject);
      files.set(`${subject.fileType} ${subject.lastDay}`, await text(content));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readSome));
  const checked = new Set<FileType>();
  const contentOf = (fileType: FileType, date: string) => {
    checked.add(fileType);
    return files.get(`${fileType} ${date}`) as string;
  };
  return { files, contentOf, rows: (...report) => readCsv(contentOf(...report)).rows, checked };
}

/** Without its decimal point: every amount of a report has all decimals of its currency. */
const minor = (text: string | undefined): bigint => {
  if (!/^-?\d+(\.\d+)?$/.test(text ?? '')) throw new Error(`no plain decimal: ${text}`);
  return BigInt((text as string).replace('.', ''));
};
const total = (rows: Rows, column: string): bigint => rows.reduce((sum, row) => sum + minor(row[column]), 0n);
const daysOf = (month: string) => DAYS.filter((date) => date.startsWith(month));

/** What each account gained on each day, added up from the transfers alone. */
async function readGains(app: TestApp): Promise<(account: Account, period: string) => bigint> {
  const gains = await app.sql<{ account: string; day: string; sum: string }>(
    `select account, to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as day, sum(delta)::text as sum
     from ledger_transfers t
     cross join lateral (values (t.credit_account_id, t.amount_minor), (t.debit_account_id, -t.amount_minor))
       as side (account, delta)
     where program_id = $1 group by 1, 2`,
    [app.program.id],
  );
  return (account, period) =>
    gains
      .filter((gain) => gain.account === ACCOUNTS[account] && gain.day.startsWith(period))
      .reduce((sum, gain) => sum + BigInt(gain.sum), 0n);
}

async function checkMaster(app: TestApp, { rows, contentOf }: Read): Promise<void> {
  const gained = await readGains(app);
  let balance = 0n;
  let count = 0;
  for (const date of DAYS) {
    const day = rows('daily', date);
    for (const row of day) {
      balance += minor(row['in']) - minor(row['out']);
      expect(minor(row['balance'])).toBe(balance);
      expect(row['event_time']?.slice(0, 10)).toBe(date);
    }
    const times = day.map((row) => row['event_time'] as string);
    expect(times).toEqual([...times].sort());
    count += day.length;
    expect(total(day, 'in') - total(day, 'out')).toBe(gained('master', date));
  }
  expect(count).toBeGreaterThan(10);
  const [master] = await app.sql<{ balance: string }>(
    `select balance_minor::text as balance from ledger_daily_balances
     where program_id = $1 and account_id = $2 and day < '2032-03-01' order by day desc limit 1`,
    [app.program.id, ACCOUNTS.master],
  );
  expect(balance).toBe(BigInt(master?.balance ?? 0));
  for (const month of MONTHS) {
    const lines = (...report: [FileType, string]) =>
      contentOf(...report)
        .split('\r\n')
        .slice(1, -1);
    const days = daysOf(month).flatMap((date) => lines('daily', date));
    expect(lines('monthly', `${month}-17`)).toEqual(days);
  }
}

async function checkFees(app: TestApp, { rows }: Read): Promise<void> {
  const gained = await readGains(app);
  for (const month of MONTHS) {
    const months = rows('monthlyTransactionFees', `${month}-17`);
    expect(daysOf(month).flatMap((date) => rows('dailyTransactionFee', date))).toEqual(months);
    expect(total(months, 'interchange_revenue')).toBe(gained('interchangeRevenue', month));
    expect(total(months, 'fx_revenue')).toBe(gained('fxRevenue', month));
    expect(total(months, 'atm_revenue')).toBe(gained('atmRevenue', month));
    expect(total(months, 'transaction_cost')).toBe(-gained('transactionCost', month));
    for (const row of months)
      expect(minor(row['net'])).toBe(
        minor(row['interchange_revenue']) +
          minor(row['fx_revenue']) +
          minor(row['atm_revenue']) -
          minor(row['transaction_cost']),
      );
    const fees = rows('fee', daysOf(month).at(-1) as string);
    const of = (type: string) => fees.filter((row) => row['type'] === type);
    expect(total(of('FX'), 'amount')).toBe(gained('fxRevenue', month));
    expect(total(of('ATM'), 'amount')).toBe(gained('atmRevenue', month));
    for (const date of daysOf(month))
      expect(rows('fee', date)).toEqual(
        fees.filter((row) => (row['event_time'] as string).slice(0, 10) <= date),
      );
    const others = rows('monthlyNonTransactionFees', `${month}-17`);
    const costs = (event: string) =>
      total(
        others.filter((row) => row['event'] === event),
        'amount',
      );
    expect(costs('issuance_fee')).toBe(-gained('issuanceCost', month));
    expect(costs('maintenance_fee')).toBe(-gained('maintenanceCost', month));
    if (month !== MONTHS[0]) expect(costs('maintenance_fee')).toBeGreaterThan(0n);
  }
}

const PRESENTED = [
  'authorization.clearing',
  'authorization.clearing.reversal',
  'refund',
  'refund.reversal',
  'settlement.unmatched',
  'settlement.unmatched.reversal',
];

/** Row by row what the network cleared, and what it moved on the settlement account. */
async function checkSettlement(app: TestApp, { rows }: Read): Promise<void> {
  const gained = await readGains(app);
  const events = await app.sql<{ day: string; network: string; bill: string; moved: string }>(
    `select to_char(created_at at time zone 'utc', 'YYYY-MM-DD') as day, data ->> 'message_id' as network,
            data ->> 'bill_amount' as bill,
            (select coalesce(sum(case when $3 = t.credit_account_id then t.amount_minor else -t.amount_minor end), 0)
             from ledger_transfers t
             where t.program_id = $1 and t.movement_id = e.id and $3 in (t.credit_account_id, t.debit_account_id))::text
              as moved
     from events e where program_id = $1 and event_name = any ($2) order by id`,
    [app.program.id, PRESENTED, ACCOUNTS.settlement],
  );
  expect(events.length).toBeGreaterThan(5);
  for (const date of DAYS) {
    const day = rows('settlement', date);
    const reported = day.map((row) => ({
      network: row['network_id'],
      bill: row['bill_amount']?.replace('-', ''),
      moved: String(minor(row['bill_amount']) - minor(row['interchange'])),
    }));
    expect(reported).toEqual(
      events.filter((event) => event.day === date).map(({ day: _, ...event }) => event),
    );
    expect(total(day, 'bill_amount') - total(day, 'interchange')).toBe(gained('settlement', date));
    // The rows of a card have their fees in the other report, also where these are zero.
    const fees = rows('dailyTransactionFee', date).filter((row) =>
      PRESENTED.includes(row['event'] as string),
    );
    expect(fees.map((row) => row['bill_amount'])).toEqual(
      day.filter((row) => row['card_id'] !== '').map((row) => row['bill_amount']),
    );
    for (const row of fees) if (row['is_fx'] === 'false') expect(minor(row['fx_revenue'])).toBe(0n);
  }
}

/** Made again, in every other time zone: the same bytes. A difference would fail the making. */
async function checkAgain(app: TestApp, { files }: Read): Promise<void> {
  for (const zone of ZONES) {
    await setDatabaseZone(app.databaseUrl, zone);
    await app.sql(
      `update reports set status = 'pending', leased_until = null where file_type like 'monthly%'`,
    );
    await makeReports(app);
  }
  for (const fileType of MONTHLY) {
    const referenceId = await requestReport(app, fileType, '2032-01-05');
    expect(await fileOf(app, referenceId)).toBe(files.get(`${fileType} 2032-01-17`));
  }
}
