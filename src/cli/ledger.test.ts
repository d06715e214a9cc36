import { beforeAll, describe, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { advanceDays, setClock } from '../../test/support/server/clock.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { ACCOUNTS } from '../ledger/accounts.ts';
import { runCommandLine } from './emboss.ts';

const SANDBOX = '/api/v1/sandbox/';
const CLEAR_LINE = '\r\u001b[2K';
const FIRST_DAY = '2041-03-10';
const LAST_DAY = '2041-03-11';

const app = appForTests();
const verify = (programId: string) => runCli(app.env, ['ledger', 'verify', programId, '--json']);
/** Changes rows as the owner of the database, without the restrictions of the application's role. */
const tamper = (text: string, values: unknown[]) => app.sql(text, values);

/** Two days of every kind of movement, with fees. */
async function livelyProgram(): Promise<{ programId: string; key: string; cardId: string }> {
  const { program, key, networkKey } = await app.addProgram();
  await setClock(app, `${FIRST_DAY}T12:00:00Z`, key);
  const terms = ['--fx-fee-bps', '150', '--interchange-bps', '20', '--transaction-cost', '0.05'];
  await runCli(app.env, ['program', 'set', program.id, ...terms, '--virtual-issuance-fee', '0.50']);
  await runCli(app.env, ['program', 'fund', program.id, '--amount', '1000.00']);
  const { id: cardId } = await createCard(app, { spendLimit: 250 }, key);
  const post = async (path: string, body: object) => {
    const answer = await app.call('POST', path, { body, key });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const swipe = (body: object) => post(`${SANDBOX}authorizations/`, { card_id: cardId, ...body });
  const abroad = await swipe({ amount: '30.00', currency: 'USD', bill_amount: '27.50' });
  await swipe({ amount: '12.00' });
  await advanceDays(app, 1, key);
  await post(`${SANDBOX}clearings/`, { transaction_id: abroad.transaction_id });
  await post(`${SANDBOX}refunds/`, {
    transaction_id: abroad.transaction_id,
    amount: '10.00',
    bill_amount: '9.10',
  });
  await post(`/api/v1/merchant/cards/${cardId}/balance-adjustments/`, { amount: 40, reference: 'top-up' });
  const unmatched = { amount: '7.00', currency: 'EUR', bill_amount: '7.00', bill_currency: 'EUR' };
  const card_number = `${program.bin}${'0'.repeat(16 - program.bin.length)}`;
  for (const [path, ids] of [
    ['clearings', { external_transaction_id: 'net-0', clearing_id: 'clr-0' }],
    ['refunds', { refund_id: 'ref-0' }],
    ['reversals', { reversal_id: 'rev-0', refund_id: 'ref-0', amount: '2.00', bill_amount: '2.00' }],
  ] as const) {
    const body = { ...unmatched, card_number, ...ids };
    const { status } = await app.call('POST', `/api/v1/network/${path}/`, { key: null, networkKey, body });
    expect(status).toBe(200);
  }
  return { programId: program.id, key, cardId };
}

describe('a correct ledger', () => {
  test('verifies, and the output counts what was checked', async () => {
    const { programId } = await livelyProgram();
    const { code, json, err } = await verify(programId);
    const looked = {
      id: programId,
      name: expect.stringMatching(/^Test \d+$/),
      transfers: 18,
      accounts: 14,
      closingBalances: 15,
      holds: 1,
      unmatched: 2,
      approvals: 0,
    };
    expect({ code, json, err }).toEqual({
      code: 0,
      json: { verified: true, programs: [{ ...looked, difference: null }] },
      err: '',
    });
    const { out } = await runCli(app.env, ['ledger', 'verify', programId]);
    expect(out).toMatch(
      /^ok {4}Test \d+: 18 transfers, 14 accounts, 15 closing balances, 1 holds, 2 without a card, 0 approved: all agree\n$/,
    );
  });

  test('verifies while money moves', async () => {
    const { programId, key, cardId } = await livelyProgram();
    let moving = true;
    const traffic = Array.from({ length: 4 }, async () => {
      let count = 0;
      for (; moving; count++)
        await app.call('POST', `${SANDBOX}authorizations/`, {
          key,
          body: { card_id: cardId, amount: '0.01' },
        });
      return count;
    });
    const checks = [];
    for (let each = 0; each < 5; each++) checks.push(await verify(programId));
    moving = false;
    expect(Math.min(...(await Promise.all(traffic)))).toBeGreaterThan(0);
    for (const check of checks) expect(check).toMatchObject({ code: 0, json: { verified: true } });
    const seen = checks.map(({ json }) => json.programs[0].transfers);
    expect(new Set(seen).size, 'transfers were written during the check').toBeGreaterThan(1);
  });
});

describe('an altered ledger', () => {
  let programId: string;
  let cardId: string;
  const { master, holds, settlement } = ACCOUNTS;

  beforeAll(async () => {
    ({ programId, cardId } = await livelyProgram());
  });

  /** Applies the change, runs the check, and reverts the change. */
  async function differenceAfter(change: string, undo: string, values: unknown[], undoValues = values) {
    await tamper(change, [programId, ...values]);
    try {
      const { code, json } = await verify(programId);
      expect({ code, verified: json.verified }).toEqual({ code: 1, verified: false });
      return json.programs[0].difference;
    } finally {
      await tamper(undo, [programId, ...undoValues]);
    }
  }

  const balance = (sign: string) =>
    `update ledger_accounts set balance_minor = balance_minor ${sign} 1 where program_id = $1 and id = $2`;

  test.each([
    ['master', master],
    ['holds', holds],
  ])('a balance: %s', async (account, id) => {
    const found = await differenceAfter(balance('+'), balance('-'), [id]);
    expect(found).toMatchObject({ what: 'balance', account, accountId: id, day: null, currency: 'EUR' });
    expect(Number(found.kept)).toBeCloseTo(Number(found.expected) + 0.01, 5);
  });

  test('the balance of a card', async () => {
    // 250 opened, 27.50 and its fee of 0.41 spent, 12 held, 9.10 refunded, 40 given.
    expect(await differenceAfter(balance('-'), balance('+'), [cardId])).toMatchObject({
      what: 'balance',
      account: `card ${cardId}`,
      expected: '259.19',
      kept: '259.18',
    });
  });

  test('a missing account', async () => {
    const found = await differenceAfter(
      'with gone as (delete from ledger_accounts where program_id = $1 and id = $2) select',
      'insert into ledger_accounts (program_id, id, balance_minor) values ($1, $2, 25919)',
      [cardId],
    );
    expect(found).toMatchObject({ what: 'balance', accountId: cardId, expected: '259.19', kept: null });
  });

  test('a transfer with a changed amount', async () => {
    const amount = (sign: string) =>
      `update ledger_transfers set amount_minor = amount_minor ${sign} 1 where program_id = $1 and code = $2`;
    expect(await differenceAfter(amount('+'), amount('-'), ['funding'])).toMatchObject({
      what: 'balance',
      account: 'master',
      expected: '969.20',
      kept: '969.19',
    });
  });

  test('a transfer with a changed account', async () => {
    const to = (account: string) =>
      `update ledger_transfers set credit_account_id = '${account}' where program_id = $1 and code = $2`;
    const found = await differenceAfter(to(ACCOUNTS.payable), to(settlement), ['clearing']);
    expect(found).toMatchObject({ what: 'balance', account: 'settlement' });
  });

  test('a missing transfer', async () => {
    const [kept] = await tamper(
      'select row_to_json(t)::text as row from ledger_transfers t where program_id = $1 and code = $2',
      [programId, 'adjustment'],
    );
    const found = await differenceAfter(
      'delete from ledger_transfers where program_id = $1 and code = $2',
      'insert into ledger_transfers select * from json_populate_record(null::ledger_transfers, $2) where program_id = $1',
      ['adjustment'],
      [kept?.['row']],
    );
    expect(found).toMatchObject({ what: 'balance', account: 'credit' });
  });

  test('a transfer with a changed day', async () => {
    const date = (sign: string) =>
      `update ledger_transfers set created_at = (created_at at time zone 'UTC' ${sign} interval '1 day') at time zone 'UTC'
       where program_id = $1 and code = $2`;
    expect(await differenceAfter(date('-'), date('+'), ['adjustment'])).toMatchObject({
      what: 'closing balance',
      account: 'credit',
      day: FIRST_DAY,
    });
  });

  test('a closing balance', async () => {
    const close = (sign: string) =>
      `update ledger_daily_balances set balance_minor = balance_minor ${sign} 1
       where program_id = $1 and account_id = $2 and day = $3`;
    expect(await differenceAfter(close('+'), close('-'), [master, FIRST_DAY])).toEqual({
      what: 'closing balance',
      account: 'master',
      accountId: master,
      day: FIRST_DAY,
      currency: 'EUR',
      expected: '960.09',
      kept: '960.10',
    });
    await tamper(close('+'), [programId, master, LAST_DAY]);
    const { out } = await runCli(app.env, ['ledger', 'verify', programId]);
    await tamper(close('-'), [programId, master, LAST_DAY]);
    expect(out).toContain(
      `the closing balance of master on ${LAST_DAY} is stored as 969.20 EUR, the sum of its transfers is 969.19 EUR`,
    );
  });

  test('a missing closing balance, and an additional one', async () => {
    const gone = 'delete from ledger_daily_balances where program_id = $1 and account_id = $2 and day = $3';
    const back =
      'insert into ledger_daily_balances (program_id, account_id, day, balance_minor) values ($1, $2, $3, 96009)';
    expect(await differenceAfter(gone, back, [master, FIRST_DAY])).toMatchObject({
      day: FIRST_DAY,
      kept: null,
    });
    const far = '2199-12-31';
    expect(await differenceAfter(back, gone, [master, far])).toMatchObject({ day: far, kept: '960.09' });
  });

  test("a card's hold that its transfers do not hold", async () => {
    const hold = (sign: string) =>
      `update transactions set held_minor = held_minor ${sign} 1
       where program_id = $1 and held_minor > 0 and card_id = $2`;
    expect(await differenceAfter(hold('+'), hold('-'), [cardId])).toEqual({
      what: 'held amount',
      account: `card ${cardId}`,
      accountId: cardId,
      day: null,
      currency: 'EUR',
      expected: '12.01',
      kept: '12.00',
    });
  });

  test('a hold that is in the transfers of another card', async () => {
    const owner = (card: string) =>
      `update events set card_id = ${card} where program_id = $1 and event_name = 'authorization' and
       data ->> 'card_id' = $2 and data ->> 'status' = 'PENDING'`;
    const found = await differenceAfter(owner("'00000000-0000-9000-8000-000000000001'"), owner('$2::uuid'), [
      cardId,
    ]);
    expect(found).toMatchObject({ what: 'held amount', expected: '12.00', kept: '-27.91' });
  });

  test('what cleared without a card', async () => {
    const part = (sign: string) =>
      `update presentments set reversed_minor = reversed_minor ${sign} 1
       where program_id = $1 and message_id = $2`;
    expect(await differenceAfter(part('+'), part('-'), ['clr-0'])).toMatchObject({
      what: 'amount without a card',
      account: 'suspense',
      expected: '1.99',
      kept: '2.00',
    });
    await tamper(part('+'), [programId, 'ref-0']);
    const { out } = await runCli(app.env, ['ledger', 'verify', programId]);
    await tamper(part('-'), [programId, 'ref-0']);
    expect(out).toContain(
      'the amount without a card of suspense is stored as 2.00 EUR, its clearings and refunds are 2.01 EUR',
    );
  });

  test.each([
    ['total_spent_minor', 'amount spent', '39.50'],
    ['held_minor', 'amount held', '12.00'],
    ['refunded_minor', 'amount refunded', '9.10'],
  ])('what is kept of a card to judge its limits: %s', async (name, what, expected) => {
    const change = (sign: string) =>
      `update card_counters set ${name} = ${name} ${sign} 100 where program_id = $1 and card_id = $2`;
    const found = await differenceAfter(change('+'), change('-'), [cardId]);
    const kept = (Number(expected) + 1).toFixed(2);
    expect(found).toMatchObject({ what, account: `card ${cardId}`, expected, kept });
  });

  test('the purchases that count in the usage of a card', async () => {
    const set = (used: string) =>
      `update card_counters set used = ${used} where program_id = $1 and card_id = $2`;
    const kept = (purchases: number) => set(`'{"purchases": ${purchases}, "lockedTo": null}'`);
    expect(await differenceAfter(kept(3), set('null'), [cardId])).toMatchObject({
      what: 'purchases in use',
      expected: '2',
      kept: '3',
    });
    await tamper(kept(2), [programId, cardId]);
    expect((await verify(programId)).json.verified).toBe(true);
    await tamper(set('null'), [programId, cardId]);
  });

  test('an approved amount that did not move', async () => {
    const id = '019a85f3-0a51-7004-9f3e-5a1c2b3d4e5f';
    await tamper(
      `insert into approvals (program_id, id, kind, payload, amount_minor, status, requested_by, requested_at,
                              expires_at, decided_by, decided_at)
       values ($1, $2, 'deposit', '{}', 5000, 'APPROVED', gen_random_uuid(), now(), now(), gen_random_uuid(), now())`,
      [programId, id],
    );
    const { out } = await runCli(app.env, ['ledger', 'verify', programId]);
    await tamper('delete from approvals where program_id = $1 and id = $2', [programId, id]);
    expect(out).toContain(`the approved amount of ${id} is missing, its approval is of 50.00 EUR`);
  });

  test('is reported for its own program only', async () => {
    const { program } = await app.addProgram();
    await tamper(balance('+'), [programId, master]);
    try {
      expect((await verify(program.id)).code).toBe(0);
      const all = await runCli(app.env, ['ledger', 'verify', '--json']);
      expect(all.code).toBe(1);
      // It stops at the first difference.
      expect(all.json.programs.at(-1)).toMatchObject({ id: programId, difference: { account: 'master' } });
    } finally {
      await tamper(balance('-'), [programId, master]);
    }
    expect(await runCli(app.env, ['ledger', 'verify'])).toMatchObject({ code: 0, err: '' });
  });
});

describe('a ledger with many transfers', () => {
  const COUNT = 120_000;

  test('is verified page by page, and a difference in the middle is found', async () => {
    const { program } = await app.addProgram();
    const { id: cardId } = await createCard(
      app,
      { spendLimit: 0 },
      (await app.addKey(program.id, ['write'])).key,
    );
    await fill(program.id, cardId, COUNT);
    expect((await verify(program.id)).json).toMatchObject({
      verified: true,
      programs: [{ transfers: COUNT, accounts: 14, closingBalances: 13 }],
    });
    const shown = await watched(['ledger', 'verify', program.id]);
    const drawn = shown.err.split(CLEAR_LINE);
    expect([drawn.shift(), drawn.pop()], 'each begins on a clean line, and the last leaves one').toEqual([
      '',
      '',
    ]);
    const percents = drawn.map((line) => Number(/^Test \d+ [█░]{30} +(\d+) %$/.exec(line)?.[1]));
    expect(percents[0]).toBe(0);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    expect(percents.every((percent) => percent <= 100)).toBe(true);
    expect(shown.out).toContain(`${COUNT} transfers`);
    const [middle] = await tamper(
      'select id from ledger_transfers where program_id = $1 order by id offset $2 limit 1',
      [program.id, COUNT / 2],
    );
    await tamper(
      'update ledger_transfers set amount_minor = amount_minor + 1 where program_id = $1 and id = $2',
      [program.id, middle?.['id']],
    );
    expect((await verify(program.id)).json.programs[0].difference).toMatchObject({
      what: 'balance',
      account: 'credit',
      expected: '-1200.01',
      kept: '-1200.00',
    });
  });

  /** Credits of one cent each, over slightly more than a day, inserted directly into the tables. */
  async function fill(programId: string, cardId: string, count: number): Promise<void> {
    const time = "timestamptz '2026-01-01 00:00:00Z' + n * interval '9 seconds'";
    await tamper(
      `insert into ledger_transfers (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
       select $1, id, id, 'adjustment', $2, $3, 1, at
       from (select at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id
             from (select n, ${time} as at from generate_series(0, $4 - 1) n) moment) transfer`,
      [programId, ACCOUNTS.credit, cardId, count],
    );
    await tamper(
      'update ledger_accounts set balance_minor = case when id = $2 then -$4::bigint else $4 end where program_id = $1 and id in ($2, $3)',
      [programId, ACCOUNTS.credit, cardId, count],
    );
    await tamper(
      `insert into ledger_daily_balances (program_id, account_id, day, balance_minor)
       select $1, $2, (created_at at time zone 'utc')::date, -sum(count(*)) over (order by (created_at at time zone 'utc')::date)
       from ledger_transfers where program_id = $1 group by 3`,
      [programId, ACCOUNTS.credit],
    );
  }

  /** The output as shown in a terminal. */
  async function watched(args: string[]) {
    const shown = { out: '', err: '' };
    await runCommandLine(args, {
      env: app.env,
      out: (text) => {
        shown.out += text;
      },
      err: (text) => {
        shown.err += text;
      },
      color: false,
      live: true,
    });
    return shown;
  }
});
