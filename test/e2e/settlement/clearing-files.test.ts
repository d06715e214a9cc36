import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { Turn } from '../../../src/jobs/job.ts';
import { MOST_OPEN } from '../../../src/settlement/clearing-file.ts';
import { sweepRawFiles } from '../../../src/settlement/sweep-raw-files.ts';
import { networkApp, newMessageId, ownProgram, payingCard } from '../../support/cards/network.ts';
import { eventually } from '../../support/scripts/eventually.ts';
import { createTestKey } from '../../support/server/test-app.ts';
import {
  CLEARING_FILES,
  CSV,
  clearingRecord,
  fileJob,
  fileOf,
  importFile,
  NDJSON,
  sendFile,
  workOnFiles,
} from '../../support/settlement/clearing-files.ts';
import { csvOf, type FileLine, linesOf, ndjsonOf, recordOf } from '../../support/settlement/records.ts';

const app = networkApp();

describe.each([NDJSON, CSV])('a file as %s', (type) => {
  test('books what has not come, matches what has, and the books are those of the messages', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const before = await card.available();
    const held = await card.hold('10.00');
    const known = await card.clear(await card.hold('7.00'), '7.00');
    const fresh = clearingRecord(card, '10.00', { external_transaction_id: held });
    const stray = clearingRecord(card, '3.00', {
      merchant: { id: 'm-1', name: 'A "quoted", shop', mcc: '5411' },
    });
    const records = [
      fresh,
      clearingRecord(card, '7.00', {
        network_id: known.clearing_id,
        external_transaction_id: known.external_transaction_id,
      }),
      stray,
      recordOf('refund', '2.50', { card_number: card.number }),
      recordOf('clearing_reversal', '3.00', { reverses: stray['network_id'] }),
    ];
    const file = await importFile(app, records, { type, owner });
    expect(file).toMatchObject({
      status: 'COMPLETED',
      records: 5,
      totals: { debit_total: '20.00', credit_total: '5.50', currency: 'EUR' },
      outcomes: { MATCHED: 1, BOOKED: 4, DIFFERENT: 0, NOT_BOOKED: 0 },
      rejected: null,
    });
    expect(await card.available()).toBe(before - 10 - 7 + 2.5);
    // The message after the file is a repeat.
    const { body } = await card.send('clearings', {
      clearing_id: fresh['network_id'],
      external_transaction_id: held,
      ...{ amount: '10.00', currency: 'EUR', bill_amount: '10.00', bill_currency: 'EUR' },
    });
    expect([body.status, await card.available()]).toEqual(['CLEARED', before - 10 - 7 + 2.5]);
  });
});

describe('the upload', () => {
  test('is answered with the file as it is received', async () => {
    const fileId = newMessageId('received');
    const { status, body } = await sendFile(app, ndjsonOf(linesOf(fileId, [])), { fileId, last: true });
    expect([status, body]).toEqual([
      202,
      {
        ...{ file_id: fileId, settlement_date: '2026-11-17', last: true, status: 'RECEIVED' },
        ...{ records: null, totals: null, rejected: null, created: expect.any(String), ended: null },
        outcomes: { MATCHED: 0, BOOKED: 0, DIFFERENT: 0, NOT_BOOKED: 0 },
      },
    ]);
    await workOnFiles(app);
    expect(await fileOf(app, fileId)).toMatchObject({ status: 'COMPLETED', records: 0 });
  });
});

describe('matching', () => {
  test('a second file with the same records books nothing, and a refund names its purchase without a card', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const purchase = newMessageId('net');
    const records = [
      clearingRecord(card, '4.00', { external_transaction_id: purchase }),
      recordOf('refund', '1.00', { external_transaction_id: purchase }),
    ];
    const outcomes = async () => (await importFile(app, records, { owner })).outcomes;
    expect(await outcomes()).toMatchObject({ BOOKED: 2 });
    const after = await card.available();
    expect(await outcomes()).toMatchObject({ MATCHED: 2, BOOKED: 0 });
    expect(await card.available()).toBe(after);
  });

  test('a reversal of all without amounts, and a clearing that is not the last, are the same as their records', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const cleared = await card.clear(await card.hold('9.00'), '3.00', { final: false });
    const { body: reversal } = await card.send('reversals', {
      ...{ reversal_id: newMessageId('rev'), clearing_id: cleared.clearing_id },
    });
    const known = { external_transaction_id: cleared.external_transaction_id, card_number: card.number };
    const records = [
      recordOf('clearing', '3.00', { ...known, network_id: cleared.clearing_id }),
      recordOf('clearing_reversal', '3.00', {
        network_id: reversal.reversal_id,
        reverses: cleared.clearing_id,
      }),
    ];
    const { outcomes } = await importFile(app, records, { owner });
    expect(outcomes).toEqual({ MATCHED: 2, BOOKED: 0, DIFFERENT: 0, NOT_BOOKED: 0 });
    const other = [{ ...records[1], amount: '2.00', bill_amount: '2.00' } as FileLine];
    expect((await importFile(app, other, { owner })).outcomes).toMatchObject({ DIFFERENT: 1 });
  });

  test('other values are DIFFERENT, what the engine refuses is NOT_BOOKED, and neither stops the file', async () => {
    const owner = await ownProgram(app);
    const [card, other] = [await payingCard(app, {}, owner), await payingCard(app, {}, owner)];
    const known = await card.clear(await card.hold('5.00'), '5.00');
    const before = await card.available();
    const { clearing_id, external_transaction_id } = known;
    const records = [
      clearingRecord(card, '6.00', { network_id: clearing_id, external_transaction_id }),
      clearingRecord(other, '1.00', { external_transaction_id }),
      recordOf('refund_reversal', '1.00', { reverses: 'never-came' }),
      recordOf('clearing', '2.00', { external_transaction_id: newMessageId('net'), card_id: card.id }),
      clearingRecord(card, '7.00', { card_number: '9999000000000000' }),
    ];
    const file = await importFile(app, records, { owner });
    expect(file.outcomes).toEqual({ MATCHED: 0, BOOKED: 2, DIFFERENT: 1, NOT_BOOKED: 2 });
    expect(await card.available()).toBe(before - 2);
    expect(
      await app.sql(
        `select outcome, problem, transaction_id is not null as linked from clearing_records
         where program_id = $1 order by line`,
        [owner.program.id],
      ),
    ).toEqual([
      {
        outcome: 'DIFFERENT',
        problem: 'clearing_id: was already used with a different request',
        linked: false,
      },
      {
        outcome: 'NOT_BOOKED',
        problem: 'card_number: does not match the card of the purchase',
        linked: false,
      },
      { outcome: 'NOT_BOOKED', problem: 'refund_id: is not a refund in this program', linked: false },
      { outcome: 'BOOKED', problem: null, linked: true },
      { outcome: 'BOOKED', problem: null, linked: false },
    ]);
  });

  test('the day of the file is kept with the transaction', async () => {
    const card = await payingCard(app);
    const record = clearingRecord(card, '1.00', { arn: 'arn-of-the-file' });
    await importFile(app, [record]);
    const list = await app.call('GET', `/api/v1/merchant/cards/${card.id}/transactions/`);
    const { body } = await app.call('GET', `/api/v1/merchant/transactions/${list.body.results[0].id}/`);
    expect(body.network).toMatchObject({ settlement_date: '2026-11-17', arn: 'arn-of-the-file' });
  });
});

describe.each([NDJSON, CSV])(
  'a rejected file as %s books nothing, and names line, field and rule',
  (type) => {
    /** CSV has a line more. */
    const first = type === CSV ? 2 : 1;
    const write = (lines: FileLine[]) => (type === CSV ? csvOf(lines) : ndjsonOf(lines));

    const edited = (index: number, changes: FileLine) => (lines: FileLine[]) =>
      lines.map((line, at) => (at === index ? { ...line, ...changes } : line));
    const CASES: Array<[string, (lines: FileLine[]) => FileLine[], number, string | null, string]> = [
      ['another file_id', edited(0, { file_id: 'other' }), 0, 'file_id', 'must be the same as in the query'],
      [
        'another date',
        edited(0, { settlement_date: '2026-11-18' }),
        0,
        'settlement_date',
        'must be the same as in the query',
      ],
      [
        'another currency',
        edited(0, { currency: 'USD' }),
        0,
        'currency',
        'must be the currency of the program, EUR',
      ],
      ['no header', (lines) => lines.slice(1), 0, 'record_type', 'must be header'],
      [
        'two headers',
        (lines) => [lines[0] as FileLine, ...lines],
        1,
        'record_type',
        'must not be a second header',
      ],
      ['no trailer', (lines) => lines.slice(0, -1), 3, 'record_type', 'must be trailer'],
      [
        'a record after the trailer',
        (lines) => [...lines, lines[1] as FileLine],
        4,
        'record_type',
        'nothing may follow the trailer',
      ],
      ['another count', edited(3, { count: 3 }), 3, 'count', 'must be 2, the number of records'],
      [
        'another debit total',
        edited(3, { debit_total: '3.01' }),
        3,
        'debit_total',
        'must be 3.00, the sum of the records',
      ],
      [
        'another credit total',
        edited(3, { credit_total: '0.00' }),
        3,
        'credit_total',
        'must be 2.00, the sum of the records',
      ],
      [
        'a total with three decimals',
        edited(3, { debit_total: '3.000' }),
        3,
        'debit_total',
        'must have at most 2 decimals in EUR',
      ],
      [
        'an amount with three decimals',
        edited(2, { bill_amount: '2.000' }),
        2,
        'bill_amount',
        'must have at most 2 decimals in EUR',
      ],
      [
        'another bill_amount',
        edited(1, { bill_amount: '3.50' }),
        1,
        'bill_amount',
        "must equal amount in the card's currency, EUR",
      ],
      [
        'another bill_currency',
        edited(1, { bill_currency: 'USD' }),
        1,
        'bill_currency',
        "must be the card's currency, EUR",
      ],
      [
        'a refund of nothing',
        edited(2, { amount: '0.00', bill_amount: '0.00' }),
        2,
        'bill_amount',
        'must be greater than 0',
      ],
      [
        'a refund of nobody',
        edited(2, { card_number: undefined }),
        2,
        'card_number',
        'is required without external_transaction_id',
      ],
      ['a fee', edited(1, { record_type: 'fee' }), 1, 'record_type', 'fee is not supported yet'],
      [
        'interchange in words',
        edited(1, { interchange_amount: 'some' }),
        1,
        'interchange_amount',
        'must be a decimal, such as "-0.15"',
      ],
      ['two cards', edited(1, { card_id: 'x' }), 1, 'card_id', 'must not be given with card_number'],
    ];

    test.each(CASES)('%s', async (_, change, index, field, rule) => {
      const card = await payingCard(app);
      const fileId = newMessageId('rejected');
      const records = [
        clearingRecord(card, '3.00'),
        recordOf('refund', '2.00', { card_number: card.number }),
      ];
      const before = await card.available();
      await sendFile(app, write(change(linesOf(fileId, records))), { fileId, type });
      await workOnFiles(app);
      expect(await fileOf(app, fileId)).toMatchObject({
        ...{
          status: 'REJECTED',
          records: null,
          totals: null,
          rejected: { line: first + index, field, rule },
        },
        outcomes: { MATCHED: 0, BOOKED: 0, DIFFERENT: 0, NOT_BOOKED: 0 },
      });
      expect(await card.available()).toBe(before);
    });

    test('a card number in a name', async () => {
      const card = await payingCard(app);
      const file = await importFile(app, [clearingRecord(card, '1.00', { network_id: card.number })], {
        type,
      });
      expect(file.rejected).toEqual({
        line: first + 1,
        field: 'network_id',
        rule: 'must not contain a card number',
      });
    });
  },
);

test('an empty file is rejected', async () => {
  for (const type of [NDJSON, CSV]) {
    const fileId = newMessageId('empty');
    await sendFile(app, '', { fileId, type });
    await sendFile(app, '\n', { fileId, type });
    await workOnFiles(app);
    expect((await fileOf(app, fileId)).rejected).toMatchObject({ field: 'record_type' });
  }
});

describe('the request', () => {
  const send = (query: string, headers: Record<string, string> = { 'content-type': NDJSON }) =>
    app.call('POST', `${CLEARING_FILES}?${query}`, {
      key: null,
      networkKey: app.networkKey,
      raw: 'x',
      headers,
    });
  const good = 'file_id=f&settlement_date=2026-11-17&last=true';

  test.each([
    [good.replace('file_id=f', ''), 'file_id: is required'],
    [
      good.replace('=f', '=%20'),
      'file_id: must be 1 to 128 letters, digits, dots, colons, hyphens and underscores',
    ],
    [good.replace('=f', '=9999000000000004'), 'file_id: must not contain a card number'],
    [good.replace('17', '31'), 'settlement_date: must be a valid date, as YYYY-MM-DD'],
    [good.replace('=true', '=1'), 'last: must be one of true, false'],
    [good.replace('&last=true', ''), 'last: is required'],
  ])('%s', async (query, message) => {
    expect((await send(query)).body).toEqual({ code: 400, message, status: 'failed' });
  });

  test.each(['application/json', 'text/plain', 'text/csv; charset=latin1', 'text/csv; header=present'])(
    'as %s is refused',
    async (type) => {
      const message = 'content-type: must be application/x-ndjson or text/csv';
      expect((await send(good, { 'content-type': type })).body).toEqual({
        code: 400,
        message,
        status: 'failed',
      });
    },
  );

  test('needs the scope, and shows a program its own files only', async () => {
    const fileId = newMessageId('own');
    await sendFile(app, ndjsonOf(linesOf(fileId, [])), { fileId });
    const { key } = await createTestKey(app, app.program.id, 'network', ['authorizations']);
    expect((await sendFile(app, '', { fileId }, { networkKey: key })).status).toBe(403);
    const other = await ownProgram(app);
    expect(await fileOf(app, fileId, other)).toEqual({
      code: 404,
      message: 'Record not found',
      status: 'failed',
    });
    expect((await sendFile(app, 'other', { fileId }, other)).status).toBe(202);
  });

  test('a program has few files in progress', async () => {
    const owner = await ownProgram(app);
    for (let index = 0; index < MOST_OPEN; index++) await sendFile(app, 'x', { fileId: `f-${index}` }, owner);
    const refused = await sendFile(app, 'x', { fileId: 'one-more' }, owner);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await sendFile(app, 'x', { fileId: 'f-1' }, owner)).status).toBe(202);
    await workOnFiles(app);
    expect((await sendFile(app, 'x', { fileId: 'one-more' }, owner)).status).toBe(202);
  });
});

/** Every name in the storage, drafts among them. */
const stored = () =>
  readdirSync(app.filesDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;
const traces = async () => ({
  stored: stored(),
  rows: await app.sql(
    'select (select count(*) from clearing_files) as files, (select count(*) from clearing_uploads) as uploads',
  ),
});

/** An upload that has sent some of its body and waits. */
async function openUpload(fileId: string, networkKey = app.networkKey) {
  const path = `${CLEARING_FILES}?file_id=${fileId}&settlement_date=2026-11-17&last=false`;
  const upload = request(`${app.url}${path}`, {
    method: 'POST',
    headers: { 'x-network-key': networkKey, 'content-type': NDJSON, 'transfer-encoding': 'chunked' },
  });
  upload.on('error', () => {});
  upload.write('x'.repeat(100_000));
  await eventually(async () => expect(await app.sql('select id from clearing_uploads')).not.toEqual([]));
  return upload;
}

describe('an upload that breaks off', () => {
  test('leaves nothing, and the same file can be sent again', async () => {
    const fileId = newMessageId('broken');
    const before = await traces();
    const upload = await openUpload(fileId);
    await eventually(async () => expect(stored()).toBe(before.stored + 1));
    upload.destroy();
    await eventually(async () => expect(await traces()).toEqual(before));
    expect((await sendFile(app, ndjsonOf(linesOf(fileId, [])), { fileId })).status).toBe(202);
  });

  test('a sweep removes what a killed server has left', async () => {
    const before = await traces();
    await app.clearing.storage.save('clearing-files/left', Readable.from([Buffer.from('sealed')]));
    const insert = `insert into clearing_uploads (program_id, id, storage_key, started_at)
                    values ($1, gen_random_uuid(), $2, now() - $3::interval)`;
    await app.sql(insert, [app.program.id, 'clearing-files/left', '3 hours']);
    await app.sql(insert, [app.program.id, 'clearing-files/arriving', '1 hour']);
    await sweepRawFiles({ ...app, ...app.clearing, keeper: app.vault });
    expect(stored()).toBe(before.stored);
    expect(await app.sql('delete from clearing_uploads returning storage_key')).toEqual([
      { storage_key: 'clearing-files/arriving' },
    ]);
  });

  test('a program can send two files at once', async () => {
    const owner = await ownProgram(app);
    const uploads = [await openUpload('a', owner.networkKey), await openUpload('b', owner.networkKey)];
    await eventually(async () =>
      expect(
        await app.sql('select id from clearing_uploads where program_id = $1', [owner.program.id]),
      ).toHaveLength(2),
    );
    expect((await sendFile(app, '', { fileId: 'c' }, owner)).status).toBe(429);
    expect((await sendFile(app, '', { fileId: newMessageId('of-another') })).status).toBe(202);
    for (const upload of uploads) upload.destroy();
    await eventually(async () => expect((await sendFile(app, '', { fileId: 'c' }, owner)).status).toBe(202));
  });
});

describe('one file_id', () => {
  test('with the same bytes gets the first answer, with others a 409, and the first file stays', async () => {
    const card = await payingCard(app);
    const fileId = newMessageId('twice');
    const content = ndjsonOf(linesOf(fileId, [clearingRecord(card, '1.00')]));
    const first = await sendFile(app, content, { fileId });
    const before = await traces();
    expect((await sendFile(app, content, { fileId })).body).toEqual(first.body);
    const other = await sendFile(app, `${content}\n`, { fileId });
    expect([other.status, other.body.message]).toEqual([
      409,
      'file_id: was already used with a different file',
    ]);
    await workOnFiles(app);
    expect((await sendFile(app, content, { fileId })).body).toEqual(await fileOf(app, fileId));
    expect(await traces()).toEqual(before);
  });

  test('sent many times at once is one file, booked once', async () => {
    const owner = await ownProgram(app);
    const card = await payingCard(app, {}, owner);
    const before = await card.available();
    const content = ndjsonOf(linesOf('at-once', [clearingRecord(card, '1.00')]));
    const answers = await Promise.all(
      [1, 2, 3, 4].map((index) =>
        sendFile(app, index === 4 ? `${content}\n` : content, { fileId: 'at-once' }, owner),
      ),
    );
    // Some may be refused because two are under way.
    expect(answers.every(({ status }) => [202, 409, 429].includes(status))).toBe(true);
    expect(
      new Set(answers.filter(({ status }) => status === 202).map(({ body }) => JSON.stringify(body))).size,
    ).toBe(1);
    await workOnFiles(app);
    const rows = await app.sql('select status, storage_key from clearing_files where program_id = $1', [
      owner.program.id,
    ]);
    expect(rows).toEqual([{ status: 'COMPLETED', storage_key: expect.any(String) }]);
    expect(await card.available()).toBe(before - 1);
  });
});

describe('a worker that ends in the middle', () => {
  const COUNT = 700;

  /** Gives turns of which each ends after a while, in the way that `interrupt` says. */
  async function inPieces(
    interrupt: (job: ReturnType<typeof fileJob>, turn: Turn) => Promise<unknown>,
    services: Parameters<typeof fileJob>[1] = {},
  ) {
    const job = fileJob(app, services);
    let turns = 0;
    for (; (await job.findDue(app.program.id)).length > 0; turns++) {
      let looks = 0;
      // Time is up at the second look: a look comes after each batch.
      const turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => ++looks >= 2 };
      await interrupt(job, turn);
      await app.sql("update program_jobs set leased_until = null where job = 'clearing-files'");
    }
    return turns;
  }

  test.each([NDJSON, CSV])(
    '%s: the next one goes on where it was, in the check and in the booking',
    async (type) => {
      const owner = app;
      const card = await payingCard(app, { spendLimit: 100_000 });
      const before = await card.available();
      const records = Array.from({ length: COUNT }, () => clearingRecord(card, '1.00'));
      const fileId = newMessageId('pieces');
      const content = type === CSV ? csvOf(linesOf(fileId, records)) : ndjsonOf(linesOf(fileId, records));
      await sendFile(app, content, { fileId, type }, owner);
      const turns = await inPieces((job, turn) => job.work({ programId: app.program.id }, turn));
      expect(turns).toBeGreaterThan(4);
      expect(await fileOf(app, fileId)).toMatchObject({
        status: 'COMPLETED',
        records: COUNT,
        outcomes: { BOOKED: COUNT, MATCHED: 0 },
      });
      expect(await card.available()).toBe(before - COUNT);
    },
  );

  test('killed after any message: nothing is booked twice, and our own messages are not taken for earlier ones', async () => {
    const card = await payingCard(app, { spendLimit: 100_000 });
    const before = await card.available();
    const known = await card.clear(await card.hold('1.00'), '1.00');
    const records = [
      ...Array.from({ length: 300 }, () => clearingRecord(card, '1.00')),
      clearingRecord(card, '1.00', {
        network_id: known.clearing_id,
        external_transaction_id: known.external_transaction_id,
      }),
    ];
    const fileId = newMessageId('killed');
    await sendFile(app, ndjsonOf(linesOf(fileId, records)), { fileId });
    let left = 0;
    const dying = (async (...given: Parameters<typeof app.submit>) => {
      if (left-- <= 0) throw new Error('killed');
      const response = await app.submit(...given);
      if (left <= 0) throw new Error('killed');
      return response;
    }) as typeof app.submit;
    let kills = 0;
    await inPieces(
      async (job) => {
        // More than before, so that it ends.
        left = 40 * (kills + 1);
        const turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => false };
        await job.work({ programId: app.program.id }, turn).catch((error: Error) => {
          expect(error.message).toBe('killed');
          kills++;
        });
      },
      { submit: dying },
    );
    expect(kills).toBeGreaterThan(4);
    expect((await fileOf(app, fileId)).outcomes).toEqual({
      MATCHED: 1,
      BOOKED: 300,
      DIFFERENT: 0,
      NOT_BOOKED: 0,
    });
    expect(await card.available()).toBe(before - 301);
  });

  test('two at once book each record once', async () => {
    const card = await payingCard(app, { spendLimit: 100_000 });
    const before = await card.available();
    const fileId = newMessageId('two');
    const records = Array.from({ length: COUNT }, () => clearingRecord(card, '1.00'));
    await sendFile(app, ndjsonOf(linesOf(fileId, records)), { fileId });
    const turn = { deadline: Number.POSITIVE_INFINITY, isStopping: () => false };
    const release = setInterval(
      () => void app.sql("update program_jobs set leased_until = null where job = 'clearing-files'"),
      20,
    );
    const work = async () => {
      for (;;) {
        await fileJob(app).work({ programId: app.program.id }, turn);
        if ((await fileOf(app, fileId)).ended) return;
      }
    };
    await Promise.all([work(), work()]).finally(() => clearInterval(release));
    expect(await fileOf(app, fileId)).toMatchObject({
      status: 'COMPLETED',
      outcomes: { BOOKED: COUNT, MATCHED: 0 },
    });
    expect(await card.available()).toBe(before - COUNT);
    const events = await app.sql(
      `select from events where event_name = 'clearing_file.completed' and data->>'file_id' = $1`,
      [fileId],
    );
    expect(events).toHaveLength(1);
  });
});

describe('the raw file', () => {
  test('is sealed, and erased with its key after 90 days', async () => {
    const card = await payingCard(app);
    const fileId = newMessageId('raw');
    await sendFile(app, ndjsonOf(linesOf(fileId, [clearingRecord(card, '1.00')])), { fileId });
    await workOnFiles(app);
    const rowOf = async () =>
      (
        await app.sql<{ id: string; storage_key: string | null; days: number }>(
          `select id, storage_key, (erase_at::date - now()::date) as days from clearing_files where file_id = $1`,
          [fileId],
        )
      )[0];
    const row = await rowOf();
    expect(row?.days).toBe(90);
    const path = join(app.filesDir, row?.storage_key as string);
    expect(readFileSync(path).includes(card.number)).toBe(false);
    const sweep = () => sweepRawFiles({ ...app, ...app.clearing, keeper: app.vault });
    await sweep();
    expect(existsSync(path)).toBe(true);
    await app.sql(`update clearing_files set erase_at = now() - interval '1 second' where file_id = $1`, [
      fileId,
    ]);
    await sweep();
    expect([existsSync(path), (await rowOf())?.storage_key]).toEqual([false, null]);
    const keys = await app.vault.openRecords(app.db, app.program.id, 'clearing-file', [row?.id as string]);
    expect(keys.get(row?.id as string)).toBeNull();
  });

  test('no table has a card number of the file', async () => {
    const card = await payingCard(app);
    const stray = '9999004444444448';
    const file = await importFile(app, [
      clearingRecord(card, '1.00', {
        arn: `x${card.number}`,
        merchant: { id: 'm-1', mcc: '5411', name: `of ${card.number}` },
      }),
      clearingRecord(card, '2.00', { card_number: stray }),
    ]);
    expect(file.outcomes).toMatchObject({ BOOKED: 2 });
    const rejected = await importFile(app, [clearingRecord(card, '1.00', { currency: card.number })]);
    expect(rejected.status).toBe('REJECTED');
    const tables = await app.sql<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await app.sql(`select from "${name}" t where t::text ~ $1`, [`${card.number}|${stray}`]);
      if (rows.length > 0) found.push(name);
    }
    expect([tables.length > 30, found]).toEqual([true, []]);
  });
});
