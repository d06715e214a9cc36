import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { CARDS, createCard } from '../../test/support/cards/cards.ts';
import { freshDatabase } from '../../test/support/database/database.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { runToEnd } from '../../test/support/server/jobs.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { notificationUpdates } from '../notifications/update-notifications.ts';
import { makePerson } from '../sandbox/demo/people.ts';
import { DAY_MS, planPerson } from '../sandbox/demo/plan.ts';
import { findersOf } from '../worker.ts';

const SMALL = ['--cards', '8', '--days', '6'];
const SEED = 7;

const app = appForTests();
const emboss = (...args: string[]) => runCli(app.env, args);

interface Made {
  programId: string;
  key: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into documents freely
  json: any;
}

async function demo(...args: string[]): Promise<Made> {
  const { code, json, err } = await emboss('demo', ...SMALL, ...args, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return { programId: json.program.id, key: json.key, json };
}

/** Everything except ids, random values and milliseconds. */
async function contentOf({ programId, key }: Made): Promise<Record<string, unknown>> {
  const rows = async (text: string) => withoutTimes(await app.sql(text, [programId]));
  const cards = (await app.call('GET', `${CARDS}?page_size=100`, { key })).body.results;
  return {
    cards: cards
      .map(({ externalCustomerId, cardholderName, cardName, cardDesign, cardType, status }: Record<string, string>) =>
        [externalCustomerId, cardholderName, cardName, cardDesign, cardType, status].join('|'))
      .sort(),
    transactions: await rows(
      `select external_transaction_id, kind, status, amount_minor, currency, bill_amount_minor, channel, merchant_id,
              merchant_name, merchant_mcc, merchant_city, merchant_country, decline_reason, held_minor, cleared_minor,
              counted, (created_at at time zone 'utc')::date as day
       from transactions where program_id = $1 order by external_transaction_id`,
    ),
    adjustments: await rows(
      'select amount_minor, reference from balance_adjustments where program_id = $1 order by reference, amount_minor, id',
    ),
    balances: await rows(
      "select id, balance_minor from ledger_accounts where program_id = $1 and id < '00000001-0000-0000-0000-000000000000' order by id",
    ),
    events: await rows(
      'select event_name, count(*)::int from events where program_id = $1 group by 1 order by 1',
    ),
  };
} // biome-ignore format: long statements

const withoutTimes = (rows: unknown[]): unknown =>
  JSON.parse(JSON.stringify(rows, (name, value) => (name === 'atMs' ? undefined : value)));

const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** The history ends at full ten minutes, so a pair created across them is created again. */
async function madeAtOneTime(): Promise<[Made, Made]> {
  for (;;) {
    const end = historyEnd(Date.now());
    const pair: [Made, Made] = [await demo('--seed', String(SEED)), await demo('--seed', String(SEED))];
    if (historyEnd(Date.now()) === end) return pair;
  }
}
const historyEnd = (atMs: number) => Math.floor(atMs / 600_000) * 600_000;

describe(`emboss demo, seed ${SEED}`, () => {
  let first: Made;
  let second: Made;
  beforeAll(async () => {
    [first, second] = await madeAtOneTime();
  });

  test('the same seed creates the same content, another seed creates different content', async () => {
    const [one, two, other] = [await contentOf(first), await contentOf(second), await contentOf(await demo('--seed', '8'))];
    // Compares each part first, so that a failure names the part.
    for (const piece of Object.keys(one)) expect(two[piece], piece).toEqual(one[piece]);
    expect(digestOf(two)).toBe(digestOf(one));
    for (const piece of ['cards', 'transactions', 'adjustments', 'balances'])
      expect(digestOf(other[piece]), piece).not.toBe(digestOf(one[piece]));
  }); // biome-ignore format: one line

  test('each run creates a program with a name of its own', async () => {
    expect([first.json.program.name, second.json.program.name]).toEqual(['Demo', 'Demo 2']);
    expect((await emboss('program', 'show', 'demo 2', '--json')).json).toMatchObject({
      id: second.programId,
    });
  });

  test('the program’s clock and its history reach the present', async () => {
    const clock = (await app.call('GET', '/api/v1/sandbox/clock/', { key: first.key })).body;
    expect(Math.abs(Date.parse(clock.now) - Date.now())).toBeLessThan(60_000);
    const [span] = await app.sql<{ from: Date; to: Date }>(
      'select min(created_at) as from, max(created_at) as to from transactions where program_id = $1',
      [first.programId],
    );
    const now = Date.parse(clock.now);
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    expect(span?.from.getTime()).toBeGreaterThanOrEqual(today - 6 * DAY_MS);
    expect(span?.from.getTime()).toBeLessThan(today - 4 * DAY_MS);
    // Eight cards buy something in any eighteen hours.
    expect(span?.to.getTime()).toBeGreaterThan(now - 0.75 * DAY_MS);
    expect(span?.to.getTime()).toBeLessThan(historyEnd(now));
  });

  test('every event since its endpoint was added is delivered, and the endpoint is paused', async () => {
    const [endpoint, ...more] = await app.sql<{ id: string; status: string }>(
      'select id, status from webhook_endpoints where program_id = $1',
      [first.programId],
    );
    expect([endpoint?.status, more]).toEqual(['PAUSED', []]);
    const states = await app.sql(
      `select d.status, count(*)::int, min(a.status_code) as worst
       from events e left join webhook_deliveries d on d.program_id = $1 and d.event_id = e.id
       left join webhook_attempts a on a.program_id = $1 and a.event_id = e.id
       where e.program_id = $1 and e.id > $2 group by 1`,
      [first.programId, endpoint?.id],
    );
    expect(states).toEqual([{ status: 'DELIVERED', count: expect.any(Number), worst: 200 }]);
    expect((states[0] as { count: number }).count).toBeGreaterThan(10);
  });

  test('its ledger verifies', async () => {
    const { code, json } = await emboss('ledger', 'verify', first.programId, '--json');
    expect({ code, verified: json.verified }).toEqual({ code: 0, verified: true });
    expect(json.programs[0].transfers).toBeGreaterThan(100);
    expect(Number(first.json.program.balances.available)).toBeGreaterThan(0);
  });

  test('even with eight cards, every kind of event occurs', async () => {
    const { happened, program } = first.json;
    const rare = ['advice', 'credit', 'unmatched clearing'];
    for (const what of ['approval', 'clearing', 'decline: card_blocked', 'decline: cvv_mismatch', ...rare])
      expect(happened[what], what).toBeGreaterThan(0);
    // One card was lost and one attacked; both were replaced. Two people have a second card.
    expect(happened.card).toBe(12);
    expect(program.fees.fxFeeBps).toBeGreaterThan(0);
    const content = (await contentOf(first)) as { cards: string[] };
    expect(content.cards.filter((card) => card.endsWith('BLOCKED'))).toHaveLength(2);
  });

  test('a file of cards was uploaded, and some of its rows were refused', async () => {
    const { results } = (await app.call('GET', '/api/v1/merchant/card-batches/', { key: first.key })).body;
    expect(results).toMatchObject([{ status: 'COMPLETED', total: 12, created: 9, failed: 3 }]);
  });

  test('transactions have flags and what the network said, and a credit has its refund', async () => {
    const { results } = (
      await app.call('GET', '/api/v1/merchant/transactions/?page_size=100', { key: first.key })
    ).body;
    const details = await Promise.all(
      results.map(async ({ id }: { id: string }) => {
        const { body } = await app.call('GET', `/api/v1/merchant/transactions/${id}/`, { key: first.key });
        return body;
      }),
    );
    const flags = details.flatMap((detail) => detail.flags);
    expect(new Set(flags)).toEqual(new Set(['after_block', 'duplicate', 'over_hold']));
    expect(details.filter(({ network }) => !network)).toEqual([]);
    const cleared = details.filter(({ status }) => status === 'CLEARED');
    expect(cleared.filter(({ network }) => !/^24\d{21}$/.test(network.arn))).toEqual([]);
    const names = details.map(({ events }) => events.map(({ name }: { name: string }) => name).join(' '));
    expect(names).toContain('authorization refund');
    expect(details.some(({ decision }) => decision?.source === 'network')).toBe(true);
  });

  test('a rule decides and two are in shadow, from the first hours on', async () => {
    const { results } = (await app.call('GET', '/api/v1/merchant/rules/', { key: first.key })).body;
    expect(results.map(({ status }: { status: string }) => status)).toEqual(['SHADOW', 'ACTIVE', 'SHADOW']);
    const { byDay } = (
      await app.call('GET', `/api/v1/merchant/rules/${results[2].id}/report/`, { key: first.key })
    ).body;
    expect(byDay.at(-2).evaluated).toBeGreaterThan(0);
  });

  test('the rule that counts has a backtest, which finds what it recorded', async () => {
    const get = async (path: string) =>
      (await app.call('GET', `/api/v1/merchant/rules/${path}`, { key: first.key })).body;
    const [rule] = (await get('')).results;
    expect(Object.keys(rule.when)).toContain('velocity');
    const { results } = await get(`${rule.id}/backtests/`);
    expect(results).toMatchObject([{ status: 'COMPLETED', progress: 100, approximate: false }]);
    const { byDay } = await get(`${rule.id}/report/`);
    const sum = (key: string) =>
      byDay.reduce((total: number, day: Record<string, number>) => total + (day[key] as number), 0);
    expect([results[0].evaluated, results[0].matched]).toEqual([sum('evaluated'), sum('matched')]);
    expect(results[0].evaluated).toBeGreaterThan(50);
  });

  test('an adjustment of a second administrator waits for approval', async () => {
    const { email, password } = first.json.secondPerson;
    expect(first.json.program.secondPersonAbove).toBe('1000.00');
    const signedIn = await app.call('POST', '/console/api/session/', {
      key: null,
      body: { email, password },
    });
    expect(signedIn).toMatchObject({ status: 200, body: { operator: { role: 'admin' } } });
    const rows = await app.sql(
      'select kind, status, amount_minor, requested_by from approvals where program_id = $1',
      [first.programId],
    );
    const requestedBy = signedIn.body.operator.id;
    expect(rows).toEqual([
      { kind: 'adjustment', status: 'PENDING', amount_minor: '125000', requested_by: requestedBy },
    ]);
  });

  test('a worker opens the notification of a low master account', async () => {
    await runToEnd(notificationUpdates({ db: app.db, finders: findersOf({}) }));
    const notifications = await app.sql(
      'select kind, closed_at is null as open from notifications where program_id = $1 order by 1',
      [first.programId],
    );
    expect(notifications).toEqual([{ kind: 'master_balance', open: true }]);
  });

  test('it prints its key once, and no other secret', async () => {
    const { out } = await emboss('demo', '--cards', '1', '--days', '1');
    expect(out.match(/emboss_sandbox_merchant_\w+/g)?.length).toBe(2);
    expect(out).toContain('shown only once');
    expect(out).not.toContain('sandbox program');
  });
});

test('before the first start, it also creates the sandbox program that the first start would create', async () => {
  const env = {
    ...app.env,
    DATABASE_URL: await freshDatabase(),
    EMBOSS_SANDBOX_API_KEY: 'a-key-of-our-own-choice',
  };
  const { json } = await runCli(env, ['demo', '--cards', '1', '--days', '1', '--json']);
  expect(json.sandbox).toEqual({
    merchantKey: null,
    networkKey: expect.stringMatching(/^emboss_sandbox_network_/),
    operator: { email: 'admin@emboss.local', password: expect.any(String) },
  });
  const { json: list } = await runCli(env, ['program', 'list', '--json']);
  expect(list.programs.map(({ name }: { name: string }) => name).sort()).toEqual(['Demo', 'Sandbox']);
});

describe('generated data passes the API’s validation', () => {
  const history = { seed: SEED, startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 1, 20) };
  const people = Array.from({ length: 60 }, (_, index) => makePerson(SEED, index));

  test('people', async () => {
    for (const { card } of people) {
      const answer = await app.call('POST', CARDS, { body: { ...card, cardDesign: 'black' } });
      expect(answer.status, JSON.stringify([card, answer.body])).toBe(201);
    }
    const names = people.map(({ card }) => card.preferredCardName);
    expect(new Set(names).size).toBeGreaterThan(45);
  });

  test('merchants, amounts and currencies', async () => {
    const { id } = await createCard(app, { spendLimit: 1_000_000 });
    const purchases = new Map(
      people
        .flatMap((person) => planPerson(history, person))
        .flatMap((action) => (action.kind === 'authorize' ? [[action.acceptor.id, action] as const] : [])),
    );
    expect(purchases.size).toBeGreaterThan(150);
    const currencies = new Set([...purchases.values()].map(({ money }) => money.currency));
    expect(currencies.size).toBeGreaterThan(6);
    await Promise.all(
      [...purchases.values()].map(async ({ acceptor: merchant, channel, money }) => {
        const body = {
          card_id: id,
          amount: '1',
          currency: money.currency,
          bill_amount: '1',
          channel,
          merchant,
        };
        const answer = await app.call('POST', '/api/v1/sandbox/authorizations/', { body });
        expect(answer.body, JSON.stringify(merchant)).toMatchObject({ approved: true });
      }),
    );
  });
});
