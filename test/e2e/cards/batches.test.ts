import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { cardBatches } from '../../../src/cards/batches/create-rows.ts';
import type { Database } from '../../../src/db/database.ts';
import type { Turn } from '../../../src/jobs/job.ts';
import { EmbossError } from '../../../src/kernel/error.ts';
import { retrieve } from '../../support/cards/card-states.ts';
import {
  CARDS,
  consumerCard,
  rowsWritten,
  shippingInformation,
  withValue,
} from '../../support/cards/cards.ts';
import type { Owner } from '../../support/cards/network.ts';
import { runToEnd } from '../../support/server/jobs.ts';
import { appForTests } from '../../support/server/test-app.ts';

const app = appForTests();
const BATCHES = '/api/v1/merchant/card-batches/';
const NOBODY = { code: 404, message: 'Record not found', status: 'failed' };

interface Row {
  id: string;
  index: number;
  status: string;
  card: { id: string; externalCustomerId: string } | null;
  error: { code: number; message: string; field: string | null } | null;
}

const someone = (id: string, changes: object = {}) =>
  consumerCard({ kycApplicantId: id, meta: { ...consumerCard().meta, id }, ...changes });
const people = (count: number) => Array.from({ length: count }, (_, index) => someone(`person-${index}`));

const send = (
  cards: unknown,
  { key = app.key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
) => app.call('POST', BATCHES, { body: { cards }, key, headers });
const batchOf = async (id: string, key: string = app.key) =>
  (await app.call('GET', `${BATCHES}${id}/`, { key })).body;
const rowsOf = async (id: string, query = 'page_size=100', key: string = app.key) =>
  (await app.call('GET', `${BATCHES}${id}/rows/?${query}`, { key })).body;
const job = (db: Database = app.db) => cardBatches({ ...app, db });
const work = () => runToEnd(job());
/** The cards of each customer. */
const cardsOf = (programId: string) =>
  app.sql<{ cards: number }>(
    'select count(*)::int as cards from cards where program_id = $1 group by cardholder_id',
    [programId],
  );

describe('a batch with good and bad rows', () => {
  const refused: Array<[string, Record<string, unknown>]> = [
    ['a rejected applicant', { kycApplicantId: 'rejected-1' }],
    ['an unknown applicant', { kycApplicantId: 'not-found-1' }],
    ['another name', { kycApplicantId: 'mismatch-1' }],
    ['a provider that is down', { kycApplicantId: 'timeout-1' }],
    ['a design without stock', { cardType: 'physical', cardDesign: 'sold-out' }],
    ['an unknown design', { cardDesign: 'none' }],
  ];
  const cards = [
    someone('ada', { spendLimit: 12.5, metadata: { order: '1' } }),
    ...refused.map(([, changes], index) => someone(`refused-${index}`, changes)),
    someone('bob', { cardType: 'physical', shippingInformation: withoutDesign() }),
  ];
  const total = cards.length;
  let id: string;

  beforeAll(async () => {
    const { status, body } = await send(cards);
    expect([status, body]).toEqual([
      202,
      {
        ...{ id: expect.any(String), status: 'PROCESSING', total, created: 0, failed: 0 },
        ...{ createdAt: expect.any(String), completedAt: null },
      },
    ]);
    id = body.id;
    const waiting = await rowsOf(id);
    expect(waiting.results.map(({ status: of }: Row) => of)).toEqual(Array(total).fill('PENDING'));
    await work();
  });

  test('is completed, and says how many were created', async () => {
    expect(await batchOf(id)).toMatchObject({
      status: 'COMPLETED',
      total,
      created: 2,
      failed: refused.length,
    });
  });

  test('has the rows in the order of the request, each with its card or its error', async () => {
    const { results, count } = await rowsOf(id);
    expect(count).toBe(total);
    expect(results.map(({ index, status }: Row) => [index, status])).toEqual([
      [0, 'CREATED'],
      ...refused.map((_, index) => [index + 1, 'FAILED']),
      [total - 1, 'CREATED'],
    ]);
    const listed = (await app.call('GET', CARDS)).body.results;
    for (const { card } of [results[0], results.at(-1)]) expect(listed).toContainEqual(card);
    expect(results[0].error).toBeNull();
  });

  test.each(refused.map(([what], index) => [what, index]))(
    '%s: the error of a single creation',
    async (_, index) => {
      const row = (await rowsOf(id)).results[index + 1] as Row;
      const { body } = await app.call('POST', CARDS, { body: cards[index + 1] });
      const message = body.message.replace(/ \(request req_.*\)$/, '');
      const field = /^([\w.]+): /.exec(message)?.[1] ?? null;
      expect(row).toMatchObject({ card: null, error: { code: body.code, message, field } });
    },
  );

  test('the cards are like single ones: balance, metadata, shipment, event and audit in the name of the key', async () => {
    const [ada, bob] = (await rowsOf(id, 'status=CREATED')).results as Row[];
    expect(await retrieve(app, ada?.card?.id as string)).toMatchObject({
      ...{ availableCredit: 12.5, metadata: { order: '1' }, externalCustomerId: 'ada' },
    });
    expect(await retrieve(app, bob?.card?.id as string)).toMatchObject({ shipment: { status: 'ORDERED' } });
    const entries = await app.sql(
      'select action, actor, request_id from audit_entries where card_id = $1 or action = $2',
      [ada?.card?.id, 'card_batch.created'],
    );
    expect(entries.map(({ action }) => action).sort()).toEqual(['card.created', 'card_batch.created']);
    expect(new Set(entries.map(({ actor, request_id }) => `${actor} ${request_id}`)).size).toBe(1);
    const events = await app.sql(
      "select data from events where program_id = $1 and event_name = 'card_batch.completed'",
      [app.program.id],
    );
    expect(events).toEqual([{ data: await batchOf(id) }]);
  });

  test('the filter by status, and pages', async () => {
    const failed = await rowsOf(id, 'status=FAILED&page_size=4');
    expect(failed.count).toBe(refused.length);
    const next = (await app.call('GET', failed.next.replace('http://emboss.test', ''))).body;
    expect([...failed.results, ...next.results].map(({ index }: Row) => index)).toEqual(
      refused.map((_, index) => index + 1),
    );
    expect(next.next).toBeNull();
    expect((await rowsOf(id, 'status=PENDING')).results).toEqual([]);
  });

  test('no body of a row is left', async () => {
    expect(await app.sql('select id from card_batch_rows where sealed is not null')).toEqual([]);
  });

  test('the list of batches has it', async () => {
    const { results, count } = (await app.call('GET', BATCHES)).body;
    expect([count, results]).toEqual([1, [await batchOf(id)]]);
  });

  test('another program cannot see it', async () => {
    const { key } = await app.addProgram();
    expect(await batchOf(id, key)).toEqual(NOBODY);
    expect(await rowsOf(id, '', key)).toEqual(NOBODY);
    expect((await app.call('GET', BATCHES, { key })).body.results).toEqual([]);
    expect(await batchOf(randomUUID())).toEqual(NOBODY);
    expect(await batchOf('none')).toEqual(NOBODY);
  });
});

function withoutDesign() {
  const { cardDesign: _, ...delivery } = shippingInformation();
  return delivery;
}

describe('the shape of every row is checked at once', () => {
  test.each<[string, unknown, string]>([
    ['kyc.dob', '1990-02-30', 'must be a valid date, as YYYY-MM-DD'],
    ['kyc.dob', undefined, 'is required'],
    ['kyc.dob', '2999-01-01', 'must be in the past'],
    ['kyc.firstName', 'A\u0000da', 'must not contain control, invisible or invalid characters'],
    ['customerType', 'Person', 'must be one of Consumer, Business'],
    ['spendLimit', 1.005, 'must have at most 2 decimals in EUR'],
    ['spendLimit', '1', 'must be a number'],
    ['expiryDate', '2020-01-01', 'must be at least one month from today'],
    [
      'metadata',
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])),
      'must have at most 20 pairs',
    ],
    ['usage', {}, 'must limit something: purchases, merchants, from or until; null lifts the rule'],
    ['meta.id', 'number 9999000000000000', 'must not contain a card number'],
  ])('%s = %j', async (path, value, rule) => {
    const before = await rowsWritten(app);
    const number = await app.sql<{ bin: string }>('select bin from programs where id = $1', [app.program.id]);
    const given =
      typeof value === 'string' ? value.replace('9999000000000000', numberOf(number[0]?.bin ?? '')) : value;
    const { status, body } = await send([
      ...people(3),
      withValue(someone('bad'), path, given),
      someone('good'),
    ]);
    expect([status, body.message]).toEqual([400, `cards[3].${path}: ${rule}`]);
    await work();
    expect(await rowsWritten(app)).toEqual(before);
  });

  /** With a valid check digit. */
  function numberOf(bin: string): string {
    const body = bin.padEnd(15, '0');
    const sum = [...body].reduce((total, digit, index) => {
      const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
    return `${body}${(10 - (sum % 10)) % 10}`;
  }

  test('a row that is no object, no rows, and no list', async () => {
    for (const [cards, message] of [
      [[someone('a'), 'card'], 'cards[1]: must be an object'],
      [[], 'cards: must not be empty'],
      ['x', 'cards: must be a list'],
      [undefined, 'cards: is required'],
    ] as const)
      expect(await send(cards)).toMatchObject({ status: 400, body: { message } });
  });

  test('1,000 rows are accepted, 1,001 are not', async () => {
    const { key, program } = await app.addProgram();
    const answer = await send(people(1_001), { key });
    expect([answer.status, answer.body.message]).toEqual([400, 'cards: must have at most 1000 items']);
    expect((await send(people(1_000), { key })).body).toMatchObject({ total: 1_000 });
    await work();
    expect((await cardsOf(program.id)).map(({ cards }) => cards)).toEqual(Array(1_000).fill(1));
    const seen = new Set<number>();
    const [batch] = (await app.call('GET', BATCHES, { key })).body.results;
    expect(batch).toMatchObject({ status: 'COMPLETED', created: 1_000 });
    for (let page = 1; page <= 10; page++)
      for (const { index, card } of (await rowsOf(batch.id, `page_size=100&page=${page}`, key))
        .results as Row[]) {
        expect(card?.externalCustomerId).toBe(`person-${index}`);
        seen.add(index);
      }
    expect(seen.size).toBe(1_000);
  });

  test('2 MiB are accepted, a byte more is not; other paths take 64 KiB', async () => {
    const { key } = await app.addProgram();
    const sized = (bytes: number) => {
      const text = JSON.stringify({ cards: people(2), pad: '' });
      return text.replace('"pad":""', `"pad":"${'x'.repeat(bytes - text.length)}"`);
    };
    const post = (raw: string, path = BATCHES) => app.call('POST', path, { raw, key });
    expect((await post(sized(2_097_152))).status).toBe(202);
    for (const bytes of [2_097_153, 2_200_000, 2_400_000])
      expect(await post(sized(bytes))).toMatchObject({
        status: 413,
        body: { message: 'body: must be at most 2097152 bytes' },
      });
    expect(await post(sized(65_537), CARDS)).toMatchObject({
      status: 413,
      body: { message: 'body: must be at most 65536 bytes' },
    });
  });

  test('50,000 values are accepted, more are not', async () => {
    const { key } = await app.addProgram();
    const values = (count: number) => ({ cards: people(1), pad: Array(count).fill(1) });
    const of = (body: object) => app.call('POST', BATCHES, { body, key });
    const own = 50_000 - countValues(values(0).cards);
    expect((await of(values(own))).status).toBe(202);
    expect(await of(values(own + 1))).toMatchObject({
      status: 400,
      body: { message: 'body: must contain at most 50000 values' },
    });
  });
  const countValues = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, each) => sum + countValues(each), 0)
      : 1;
});

describe('sending', () => {
  test('a repeated request with one key gives one batch', async () => {
    const owner = await app.addProgram();
    const headers = { 'idempotency-key': 'batch-1' };
    const once = () => send(people(3), { key: owner.key, headers });
    const answers = await Promise.all([once(), once(), once()]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await work();
    expect(await cardsOf(owner.program.id)).toHaveLength(3);
    expect(await send(people(2), { key: owner.key, headers })).toMatchObject({ status: 409 });
  });

  test('a program can have 10 open batches, also when 20 are sent at once', async () => {
    const { key } = await app.addProgram();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(people(1), { key })));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.message).toBe(
      'A program can have at most 10 card batches in progress; retry when one is completed',
    );
    expect(refused?.headers.get('retry-after')).toBe('10');
    await work();
    expect((await send(people(1), { key })).status).toBe(202);
  });

  test('rows are sealed until they are cards', async () => {
    const { key, program } = await app.addProgram();
    await send([someone('Zaphod-17')], { key });
    const [row] = await app.sql<{ sealed: Buffer }>('select * from card_batch_rows where program_id = $1', [
      program.id,
    ]);
    expect(row?.sealed.length).toBeGreaterThan(300);
    expect(JSON.stringify(row)).not.toContain('Zaphod');
    expect(row?.sealed.includes('Lovelace')).toBe(false);
  });

  test('a key without the scope write cannot send', async () => {
    const { key } = await app.addKey(app.program.id, ['read']);
    expect((await send(people(1), { key })).status).toBe(403);
  });
});

describe('workers', () => {
  const COUNT = 60;
  let owner: Owner;
  let id: string;
  const begin = async () => {
    owner = await app.addProgram();
    id = (await send(people(COUNT), { key: owner.key })).body.id;
  };
  const check = async () => {
    expect((await cardsOf(owner.program.id)).map(({ cards }) => cards)).toEqual(Array(COUNT).fill(1));
    expect(await batchOf(id, owner.key)).toMatchObject({ status: 'COMPLETED', created: COUNT, failed: 0 });
    const events = await app.sql(
      "select 1 from events where program_id = $1 and event_name = 'card_batch.completed'",
      [owner.program.id],
    );
    expect(events).toHaveLength(1);
  };
  const freeLease = () =>
    app.sql("update program_jobs set leased_until = null where job = 'card-batches' and program_id = $1", [
      owner.program.id,
    ]);

  test('two that work on the same rows at the same time create each once', async () => {
    await begin();
    const turn: Turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => false };
    const [due] = await job().findDue(owner.program.id);
    // The lease of the first is lost, so the second begins with the same rows.
    const first = job().work(due as never, turn);
    await freeLease();
    await Promise.all([first, job().work(due as never, turn), runToEnd(job())]);
    await runToEnd(job());
    await check();
  });

  test('a worker that dies at any statement leaves each row for the next, once', async () => {
    await begin();
    for (const statements of [1, 2, 3, 5, 9, 14, 20, 33]) {
      await workAndDie(statements);
      await freeLease();
    }
    await work();
    await check();
  });

  /** From its n-th statement on the database is not there, for some statements; a commit may have been the last one, with its answer lost. */
  async function workAndDie(statements: number, missing = Number.POSITIVE_INFINITY): Promise<void> {
    let left = statements;
    const isAway = () => left-- <= 0 && left >= -missing;
    const unavailable = () => Promise.reject(new EmbossError(503, 'The database is unavailable; retry'));
    const db: Database = {
      ...app.db,
      query: (...given) => (isAway() ? unavailable() : app.db.query(...given)),
      transaction: async (run, patience) => {
        if (isAway()) return unavailable();
        const result = await app.db.transaction(run, patience);
        return isAway() ? unavailable() : result;
      },
    };
    const [due] = await job(db).findDue(owner.program.id);
    const turn: Turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => false };
    if (due)
      await job(db)
        .work(due, turn)
        .catch(() => {});
  }

  test('a row for which the database was unavailable for a moment is created later', async () => {
    await begin();
    for (const statements of [3, 6, 12, 40]) {
      await workAndDie(statements, 1);
      await freeLease();
    }
    await work();
    await check();
  });

  test('a turn ends in time, and the next one goes on', async () => {
    await begin();
    const [due] = await job().findDue(owner.program.id);
    expect(await job().work(due as never, { deadline: 0, isStopping: () => false })).toBe(true);
    expect(await batchOf(id, owner.key)).toMatchObject({ status: 'PROCESSING', created: 0 });
    await work();
    await check();
  });
});
