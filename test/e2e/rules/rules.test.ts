import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { consumerCard, createCard } from '../../support/cards/cards.ts';
import { payingCard } from '../../support/cards/network.ts';
import { aRule, BREAD, callsOf, LISTS, RULES } from '../../support/rules/rules.ts';
import { advanceDays, today } from '../../support/server/clock.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { EVENTS } from '../../support/webhooks/webhooks.ts';

const app = appForTests();

/** A program of its own. */
async function ownCalls() {
  const owner = await app.forNewProgram();
  return { owner, calls: callsOf(owner) };
}
const post = (body: object, changes: object = {}) => app.call('POST', RULES, { body, ...changes });
const eventsOf = async (owner: typeof app) =>
  (await owner.call('GET', `${EVENTS}?eventType=rule`)).body.results
    .map(
      ({
        eventName,
        data,
      }: {
        eventName: string;
        data: { name: string; status?: string; size?: number };
      }) => [eventName, data.name, data.status ?? data.size],
    )
    .reverse();

describe('a creation', () => {
  test.each<[string, Record<string, unknown>]>([
    ['name: must not be empty', { name: '' }],
    ['name: must be at most 80 characters', { name: 'n'.repeat(81) }],
    ['when: is required', { when: undefined }],
    ['when: must be an object', { when: 'mcc' }],
    [
      'when.field: "merchant.mcc" is not a field; did you mean "mcc"?',
      { when: { field: 'merchant.mcc', op: 'eq', value: '1' } },
    ],
    [
      'when.all[0].value: at most 2 decimals in EUR',
      { when: { all: [{ field: 'billAmount', op: 'gt', value: '1.001' }] } },
    ],
    ['action: must be one of DECLINE, FLAG, REQUIRE_AUTHENTICATION', { action: 'APPROVE' }],
    ['reason: must be one of NOT_PERMITTED, SUSPECTED_FRAUD, LIMIT, COUNT', { reason: 'OTHER' }],
    ['priority: must be at most 999', { priority: 1_000 }],
    ['priority: must be at least 0', { priority: -1 }],
    ['replaces: is not a rule in this program', { replaces: randomUUID() }],
    ['appliesTo: is required', { appliesTo: undefined }],
    ['appliesTo: must be "PROGRAM", or have either customerIds or cardIds', { appliesTo: 'program' }],
    [
      'appliesTo: must be "PROGRAM", or have either customerIds or cardIds',
      { appliesTo: { cardIds: [], customerIds: [] } },
    ],
    ['appliesTo.cardIds: must not be empty', { appliesTo: { cardIds: [] } }],
    ['appliesTo.cardIds: must have at most 1000 items', { appliesTo: { cardIds: Array(1_001).fill('a') } }],
    [
      'appliesTo.customerIds[1]: must be a string of 1 to 255 characters',
      { appliesTo: { customerIds: ['a', 1] } },
    ],
    [
      'appliesTo.customerIds[0]: is not a customer in this program',
      { appliesTo: { customerIds: ['nobody'] } },
    ],
  ])('refuses %s', async (message, changes) => {
    const answer = await post(aRule(changes));
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  test('names the card of another program as unknown, and takes 1,000 cards and the highest values', async () => {
    const other = await app.forNewProgram();
    const [own, strange] = [await createCard(app), await createCard(app, {}, other.key)];
    const answer = await post(aRule({ appliesTo: { cardIds: [own.id, strange.id] } }));
    expect(answer.body.message).toBe('appliesTo.cardIds[1]: is not a card in this program');
    const cardIds = Array(1_000).fill(own.id);
    const { status, body } = await post(
      aRule({ name: 'n'.repeat(80), priority: 999, appliesTo: { cardIds } }),
    );
    expect([status, body.priority, body.appliesTo.cardIds.length]).toEqual([201, 999, 1_000]);
    const { id } = consumerCard().meta;
    expect((await post(aRule({ appliesTo: { customerIds: [id] } }))).status).toBe(201);
  });

  test('is answered once for an Idempotency-Key, and seals what can name customers', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = aRule({ when: { field: 'customer.id', op: 'eq', value: 'customer-to-hide' } });
    const [first, again] = [await post(body, { headers }), await post(body, { headers })];
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      201,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect((await post(aRule(), { headers })).status).toBe(409);
    expect(first.body).toMatchObject({
      ...body,
      status: 'SHADOW',
      priority: 0,
      reason: null,
      replaces: null,
    });
    const [row] = await app.sql<{ text: string }>(
      `select (select string_agg(r::text, '') from rules r) || (select string_agg(e.data::text, '') from events e)
         || (select string_agg(a::text, '') from audit_entries a) as text`,
    );
    expect(row?.text).toContain(first.body.id);
    expect(row?.text).not.toContain('customer-to-hide');
  });

  test('is refused beyond 100 rules that are not archived', async () => {
    const { calls, owner } = await ownCalls();
    const made = [];
    for (let i = 0; i < 100; i++) made.push(await calls.create());
    const full = 'A program can have at most 100 rules; archive one first';
    expect(await calls.refused(409, 'POST', RULES, aRule())).toBe(full);
    await calls.archive(made[0].id);
    await calls.create();
    expect(await calls.refused(409, 'POST', RULES, aRule())).toBe(full);
    // At once: the last place is taken once.
    await calls.archive(made[1].id);
    const answers = await Promise.all([1, 2, 3].map(() => owner.call('POST', RULES, { body: aRule() })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe('the steps of a rule', () => {
  test('each is allowed from its statuses only, and the refusal names those that are', async () => {
    const { calls, owner } = await ownCalls();
    const { id } = await calls.create();
    const path = `${RULES}${id}/`;
    const shadow = 'The rule is SHADOW; it can be promoted or archived';
    expect(await calls.refused(409, 'POST', `${path}demote/`)).toBe(shadow);
    const active = await calls.promote(id);
    expect(active).toMatchObject({ status: 'ACTIVE', activeSince: expect.any(String) });
    const refusal = 'The rule is ACTIVE; it can be demoted or archived';
    expect(await calls.refused(409, 'POST', `${path}promote/`, {})).toBe(refusal);
    expect(await calls.demote(id)).toMatchObject({ status: 'SHADOW' });
    await calls.promote(id);
    const archived = await calls.archive(id);
    expect(archived).toMatchObject({ status: 'ARCHIVED', archivedAt: expect.any(String) });
    for (const [method, step] of [
      ['POST', 'promote/'],
      ['POST', 'demote/'],
      ['DELETE', ''],
    ] as const)
      expect(await calls.refused(409, method, path + step)).toBe(
        'The rule is ARCHIVED; it stays so; create a new rule',
      );
    expect(await calls.get(path)).toEqual(archived);
    expect(await eventsOf(owner)).toEqual([
      ['rule.created', 'No bread', 'SHADOW'],
      ['rule.promoted', 'No bread', 'ACTIVE'],
      ['rule.demoted', 'No bread', 'SHADOW'],
      ['rule.promoted', 'No bread', 'ACTIVE'],
      ['rule.archived', 'No bread', 'ARCHIVED'],
    ]);
    const entries = await app.sql<{ action: string }>(
      `select action from audit_entries where program_id = $1 and action like 'rule.%' order by id`,
      [owner.program.id],
    );
    expect(entries.map(({ action }) => action)).toEqual(
      (await eventsOf(owner)).map(([name]: [string]) => name),
    );
  });

  test('an unknown, a malformed and a strange id are the same 404', async () => {
    const { calls } = await ownCalls();
    const { id } = (await post(aRule())).body;
    for (const unknown of [randomUUID(), 'x', id])
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', 'promote/'],
        ['POST', 'demote/'],
        ['GET', 'matches/'],
        ['GET', 'report/'],
      ] as const)
        expect(await calls.refused(404, method, `${RULES}${unknown}/${path}`)).toBe('Record not found');
  });

  test('a promotion archives the rule that it replaces, whose place a new rule can take', async () => {
    const { calls } = await ownCalls();
    const old = await calls.active();
    const next = await calls.create({ name: 'next', replaces: old.id });
    expect(await calls.get(`${RULES}${old.id}/`)).toMatchObject({ status: 'ACTIVE' });
    await calls.promote(next.id);
    expect(await calls.get(`${RULES}${old.id}/`)).toMatchObject({ status: 'ARCHIVED' });
    expect(await calls.refused(400, 'POST', RULES, aRule({ replaces: old.id }))).toBe(
      'replaces: is archived already',
    );
  });
});

test('the list has filters and pages, archived rules included', async () => {
  const { calls, owner } = await ownCalls();
  const names = ['a', 'b', 'c', 'd'];
  for (const [index, name] of names.entries())
    await calls.create({ name, action: index % 2 ? 'FLAG' : 'DECLINE' });
  const found = async (query: string) => {
    const body = await calls.get(RULES + query);
    return {
      count: body.count,
      names: body.results.map(({ name }: { name: string }) => name),
      next: body.next,
    };
  };
  const all = await found('');
  expect(all).toEqual({ count: 4, names: ['d', 'c', 'b', 'a'], next: null });
  const { results } = await calls.get(RULES);
  await calls.promote(results[0].id);
  await calls.archive(results[3].id);
  expect(await found('?status=ACTIVE')).toMatchObject({ count: 1, names: ['d'] });
  expect(await found('?status=ARCHIVED')).toMatchObject({ count: 1, names: ['a'] });
  expect(await found('?action=FLAG&status=SHADOW')).toMatchObject({ count: 1, names: ['b'] });
  const page = await found('?page_size=3');
  expect(page).toMatchObject({ count: 4, names: ['d', 'c', 'b'] });
  const { body } = await owner.call('GET', new URL(page.next).pathname + new URL(page.next).search);
  expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['a']);
  expect(await calls.refused(400, 'GET', `${RULES}?status=active`)).toMatch(
    /^status: must be one of PREPARING/,
  );
});

describe('the language over HTTP', () => {
  test('validate answers as a creation would, and evaluate shows what each leaf saw', async () => {
    const { calls, owner } = await ownCalls();
    await calls.put('shops', 'merchant', ['m-1']);
    const when = {
      all: [
        { field: 'merchant.id', op: 'inList', value: 'shops' },
        { field: 'billAmount', op: 'between', value: ['10.00', '20.00'] },
      ],
    };
    const check = (path: string, body: object) => owner.call('POST', RULES + path, { body });
    expect((await check('validate/', { when })).body).toEqual({ message: 'The condition is valid' });
    const wrong = { ...when.all[0], value: 'shop' };
    const [validated, created] = [
      await check('validate/', { when: wrong }),
      await check('', aRule({ when: wrong })),
    ];
    expect([validated.status, validated.body]).toEqual([400, created.body]);
    const sample = { 'merchant.id': 'm-1', billAmount: '20.00' };
    expect((await check('evaluate/', { when, sample })).body).toEqual({
      result: true,
      leaves: [
        { path: 'when.all[0]', value: 'm-1', result: true },
        { path: 'when.all[1]', value: '20.00', result: true },
      ],
    });
    expect((await check('evaluate/', { when, sample: { ...sample, billAmount: '20.01' } })).body.result).toBe(
      false,
    );
    expect((await check('evaluate/', { when, sample: { mcc: 'x' } })).body.message).toMatch(/^sample.mcc: /);
  });

  test('the catalogue has every field with operators and an example', async () => {
    const { fields } = await callsOf(app).get(`${RULES}fields/`);
    expect(fields).toContainEqual({
      ...{ name: 'mcc', type: 'code', mayBeNull: true, values: null, listType: 'mcc', example: '7995' },
      operators: ['eq', 'ne', 'in', 'notIn', 'inList', 'notInList', 'isNull'],
    });
    expect(fields.length).toBeGreaterThan(20);
  });
});

describe('lists', () => {
  test('are put, read, changed and deleted, with an event of each change', async () => {
    const { calls, owner } = await ownCalls();
    expect(await calls.put('eu', 'country', ['DE', '276', 'fra'])).toMatchObject({
      name: 'eu',
      size: 2,
      readOnly: false,
    });
    expect((await calls.get(`${LISTS}eu/`)).values).toEqual(['DEU', 'FRA']);
    expect(await calls.put('eu', 'mcc', ['7995'])).toMatchObject({ type: 'mcc', size: 1 });
    const { ruleLists } = await calls.get(LISTS);
    const names = ruleLists.map(({ name }: { name: string }) => name);
    expect(names).toEqual([
      ...['eu', 'mcc:gambling', 'mcc:adult', 'mcc:cash', 'mcc:crypto', 'mcc:money-transfer', 'country:eea'],
      'country:sepa',
    ]);
    expect((await owner.call('DELETE', `${LISTS}eu/`)).body).toEqual({ message: 'List deleted' });
    expect(await calls.refused(404, 'GET', `${LISTS}eu/`)).toBe('Record not found');
    expect(await eventsOf(owner)).toEqual([
      ['rule.list_changed', 'eu', 2],
      ['rule.list_changed', 'eu', 1],
      ['rule.list_removed', 'eu', 1],
    ]);
  });

  test('refuse wrong names, values and sizes, and shipped ones any change', async () => {
    const { calls } = await ownCalls();
    const put = (name: string, body: object, status = 400) =>
      calls.refused(status, 'PUT', `${LISTS}${name}/`, body);
    const merchants = { type: 'merchant', values: ['m-1'] };
    expect(await put('Upper', merchants)).toMatch(/^name: must be 1 to 64 of/);
    expect(await put('a'.repeat(65), merchants)).toMatch(/^name: /);
    expect(await put('a', { type: 'cards', values: [] })).toMatch(/^type: must be one of/);
    expect(await put('a', { type: 'mcc', values: ['7995', '79'] })).toBe(
      'values[1]: must be a merchant category code of 4 digits',
    );
    expect(await put('a', { type: 'text', values: Array(10_001).fill('x') })).toBe(
      'values: must have at most 10000 items',
    );
    expect(await put('a', { type: 'text', values: ['x'.repeat(1024 * 1024)] }, 413)).toMatch(
      /^body: must be at most/,
    );
    const shipped = 'The list mcc:gambling is shipped with Emboss and read-only';
    expect(await put('mcc:gambling', merchants, 409)).toBe(shipped);
    expect(await calls.refused(409, 'DELETE', `${LISTS}mcc:gambling/`)).toBe(shipped);
    expect((await calls.get(`${LISTS}mcc:gambling/`)).values).toContain('7995');
    const most = Array.from({ length: 10_000 }, (_, index) => `merchant-with-a-long-name-${index}`);
    expect(await calls.put('most', 'merchant', most)).toMatchObject({ size: 10_000 });
    const one = { values: ['one-more'] };
    expect(await calls.refused(400, 'POST', `${LISTS}most/add/`, one)).toBe(
      'values: a list can have at most 10000 values, and would have 10001',
    );
    expect(await calls.refused(404, 'POST', `${LISTS}none/add/`, one)).toBe('Record not found');
    // The vault keeps one version with values.
    const [kept] = await app.sql<{ bytes: number }>(
      `select sum(length(sealed))::int as bytes from vault_records where kind = 'rule-list'`,
    );
    await calls.put('most', 'merchant', most);
    const [again] = await app.sql<{ bytes: number }>(
      `select sum(length(sealed))::int as bytes from vault_records where kind = 'rule-list'`,
    );
    expect((again?.bytes ?? 0) - (kept?.bytes ?? 0)).toBeLessThan(200);
  });

  test('no name holds a card number of the program', async () => {
    const { calls, owner } = await ownCalls();
    const { number } = await payingCard(owner, {}, owner);
    for (const name of [number, `seen-with-${number}`])
      expect(await calls.refused(400, 'PUT', `${LISTS}${name}/`, { type: 'merchant', values: [] })).toBe(
        'name: must not contain a card number',
      );
  });

  test('that a rule uses keep their type and cannot be deleted until it is archived', async () => {
    const { calls } = await ownCalls();
    await calls.put('shops', 'merchant', ['m-1']);
    const { id } = await calls.create({
      name: 'uses it',
      when: { field: 'merchant.id', op: 'notInList', value: 'shops' },
    });
    expect(await calls.refused(409, 'DELETE', `${LISTS}shops/`)).toBe(
      `The list cannot be deleted while a rule uses it: "uses it" (${id}); archive the rules first`,
    );
    expect(await calls.refused(409, 'PUT', `${LISTS}shops/`, { type: 'text', values: [] })).toContain(id);
    await calls.put('shops', 'merchant', []);
    await calls.archive(id);
    await app.call('DELETE', `${LISTS}shops/`);
    expect(await calls.put('shops', 'text', [])).toMatchObject({ type: 'text' });
  });
});

test('the report adds up to the matches day by day, and refuses wrong days', async () => {
  const { calls, owner } = await ownCalls();
  const card = await payingCard(owner, {}, owner);
  const rule = await calls.create();
  const path = `${RULES}${rule.id}/`;
  await card.hold('1.00', { merchant: BREAD });
  await advanceDays(owner, 1, owner.key);
  await calls.promote(rule.id);
  await card.authorize('2.00', { merchant: BREAD });
  await card.hold('3.00');
  // Another rule's versions count for this one too.
  const later = await calls.create();
  await card.authorize('4.00', { merchant: BREAD });
  const last = await today(owner, owner.key);
  const { byDay, currency, lastWeek } = await calls.get(`${path}report/?to=${last}`);
  expect(currency).toBe('EUR');
  // What it declined itself since its promotion is no approval.
  expect(lastWeek).toEqual({ approvals: 2, wouldDecline: 1 });
  expect(byDay.slice(-2)).toMatchObject([
    { evaluated: 1, matched: 1, wouldHaveChanged: 1, amount: '1.00' },
    { evaluated: 3, matched: 2, wouldHaveChanged: 2, amount: '6.00' },
  ]);
  const newest = await calls.get(`${RULES}${later.id}/report/?from=${last}&to=${last}`);
  expect(newest.lastWeek).toEqual({ approvals: 2, wouldDecline: 0 });
  // Declined by the other rule: this one would have changed nothing.
  expect(newest.byDay).toEqual([
    { day: last, evaluated: 1, matched: 1, wouldHaveChanged: 0, amount: '4.00' },
  ]);
  const { count, results } = await calls.get(`${path}matches/?page_size=2`);
  expect([count, results.map(({ amount }: { amount: string }) => amount)]).toEqual([3, ['4.00', '2.00']]);
  const refused = (query: string) => calls.refused(400, 'GET', `${path}report/${query}`);
  expect(await refused('?from=2026-02-02&to=2026-02-01')).toBe('from: must not be after to');
  expect(await refused('?from=2025-01-01&to=2026-01-02')).toMatch(/^from: must be at most 366 days/);
  expect(await refused('?from=2026-02-30')).toMatch(/^from: must be a valid date/);
  expect((await calls.get(`${path}report/?from=2025-01-01&to=2026-01-01`)).byDay).toHaveLength(366);
});
