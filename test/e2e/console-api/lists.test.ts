import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { insertTransactions } from '../../../src/authorizations/transactions/queries.ts';
import { createExportSlots } from '../../../src/console-api/export-slots.ts';
import { CARDS as CARD_FILTERS } from '../../../src/console-api/lists/cards.ts';
import { exportList } from '../../../src/console-api/lists/export-list.ts';
import type { ConsoleList } from '../../../src/console-api/lists/list.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { createActor } from '../../../src/programs/actor.ts';
import { someMerchant, someTransaction } from '../../support/cards/authorization-facts.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { swipe } from '../../support/cards/swipe.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { TESTER } from '../../support/server/actor.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { addEndpoint, ENDPOINTS } from '../../support/webhooks/webhooks.ts';

const app = appForTests();
const MINUTE_MS = 60_000;
const CARD_LIST = CARD_FILTERS as unknown as ConsoleList;
let sam: SignedIn;
let cards: Array<{ id: string; lastFour: string }>;

beforeAll(async () => {
  sam = await signInAs(app, 'support');
  cards = [];
  for (let made = 0; made < 4; made++) cards.push(await createCard(app));
  await app.call('PUT', `${CARDS}${cards[1]?.id}/freeze/`, { body: { freeze: true, reason: '=1+1' } });
  const expired = `with over as (update credentials set expiry_date = '2020-01-01' where card_id = $1)
    update cards set expiry_event_due = '2020-01-01' where id = $1`;
  await app.sql(expired, [cards[2]?.id]);
});

const get = async (path: string) => {
  const { status, body } = await sam.call('GET', path);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
};
const idsOf = async (path: string): Promise<string[]> =>
  (await get(path)).results.map(({ id }: { id: string }) => id);
const exported = async (path: string, by: SignedIn = sam) => {
  const answer = await fetch(`${app.url}/console/api/programs/${app.program.id}/${path}`, {
    headers: { cookie: by.cookie, 'x-csrf-token': by.csrfToken },
  });
  return { status: answer.status, headers: answer.headers, lines: (await answer.text()).split('\r\n') };
};
const at = (...indexes: number[]) => indexes.map((index) => cards[index]?.id);

test('cards are found by status, type, design and time, counted, and sorted both ways', async () => {
  expect(await idsOf('cards/')).toEqual(at(3, 2, 1, 0));
  expect(await idsOf('cards/?order=oldest')).toEqual(at(0, 1, 2, 3));
  expect(await idsOf(`cards/?order=oldest&before=${cards[1]?.id}`)).toEqual(at(2, 3));
  expect(await idsOf('cards/?status=FROZEN')).toEqual(at(1));
  expect(await idsOf('cards/?status=EXPIRED')).toEqual(at(2));
  expect(await idsOf('cards/?status=ACTIVE&type=virtual')).toEqual(at(3, 0));
  expect(await idsOf('cards/?type=physical')).toEqual([]);
  expect(await idsOf('cards/?design=no-such-design')).toEqual([]);
  expect(await idsOf('cards/?max_created=2020-01-01')).toEqual([]);
  expect(await get('cards/count/')).toEqual({ count: 4, isExact: true });
  expect(await get('cards/count/?status=ACTIVE')).toEqual({ count: 2, isExact: true });
  for (const [query, message] of [
    ['status=GONE', 'status: must be one of ACTIVE, FROZEN, BLOCKED, EXPIRED'],
    ['min_created=yesterday-1', 'min_created: must be a UTC day'],
    ['before=x', 'before: must be a record id'],
    ['design=%00', 'design: must not contain control characters'],
  ])
    expect((await sam.call('GET', `cards/?${query}`)).body.message).toContain(message);
});

test('transactions are found by card, kind, the amount with fees, and a period to the minute', async () => {
  const { program } = await app.addProgram();
  const startMs = Date.now() - 60 * MINUTE_MS;
  const foreign = { currency: 'USD', fxFeeBps: 150, heldMinor: 10_000n, billAmountMinor: 10_000n };
  const rows = [
    {},
    // 100.00 and 1.5 % of it.
    foreign,
    // Half a cent is rounded to even: 0.50 and 0.0075, then 1.00 and 0.015.
    { ...foreign, heldMinor: 50n, billAmountMinor: 50n },
    { ...foreign, heldMinor: 100n, billAmountMinor: 100n },
    // 20.00 and a fee of 3.00 at a machine.
    { channel: 'ATM' as const, atmFeeMinor: 300n, heldMinor: 2_000n, billAmountMinor: 2_000n },
    { kind: 'refund' as const, heldMinor: 0n, billAmountMinor: 700n },
  ].map((row, index) => {
    const ms = startMs + index * MINUTE_MS;
    const owner = { cardId: cards[0]?.id as string, credentialId: cards[0]?.id as string };
    return someTransaction({ id: newId(ms), createdAt: new Date(ms), ...owner, ...row });
  });
  await app.db.transaction(async (tx) => insertTransactions(tx, program.id, rows));
  const count = async (query: string) =>
    (await sam.call('GET', `transactions/count/?${query}`, undefined, program.id)).body.count;
  const exactly = (amount: string) => count(`min_amount=${amount}&max_amount=${amount}`);
  expect(await Promise.all(['101.50', '100.00', '23', '20', '0.51', '1.02', '7'].map(exactly))).toEqual([
    1, 0, 1, 0, 1, 1, 1,
  ]);
  expect(await count('kind=refund')).toBe(1);
  expect(await count(`card=${cards[0]?.id}`)).toBe(6);
  expect(await count(`card=${cards[1]?.id}`)).toBe(0);
  const moment = (index: number) => new Date(startMs + index * MINUTE_MS).toISOString();
  expect(await count(`min_created=${moment(2)}&max_created=${moment(4)}`)).toBe(2);
});

test('events are found by name, endpoint and state', async () => {
  const { id: endpointId } = await addEndpoint(app, 'http://127.0.0.1:9/', ['card']);
  await createCard(app);
  const count = async (query: string) => (await get(`webhook-events/count/?${query}`)).count;
  expect(await count('event=card.frozen')).toBe(1);
  expect(await count('event=card')).toBe(6);
  expect(await count(`endpoint=${endpointId}`)).toBe(1);
  expect(await count('state=pending')).toBe(1);
  expect(await count('state=not_sent&event=card')).toBe(5);
  await app.sql('update webhook_deliveries set attempts = 2');
  expect([await count('state=retrying'), await count('state=undelivered')]).toEqual([1, 1]);
  await app.sql("update webhook_deliveries set status = 'FAILED', due_at = null");
  expect([await count('state=failed'), await count('state=retrying')]).toEqual([1, 0]);
  const [found] = (await get('webhook-events/?state=failed')).results;
  expect(found).toMatchObject({ eventName: 'card.created', deliveries: [{ endpointId, status: 'FAILED' }] });
  const { lines } = await exported('webhook-events/export/?state=failed');
  expect(lines[1]).toContain(`${found.eventId},`);
  expect(lines[1]).toContain(',card,card.created,failed,');
  await app.call('DELETE', `${ENDPOINTS}${endpointId}/`);
  // Nothing can be resent to a removed endpoint.
  expect([await count('state=failed'), await count('state=undelivered')]).toEqual([0, 0]);
  expect(await count('state=not_sent&event=card')).toBe(6);
  expect((await exported('webhook-events/export/?state=failed')).lines).toHaveLength(2);
  const { lines: all } = await exported(`webhook-events/export/?endpoint=${endpointId}`);
  expect(all[1]).toContain(',card,card.created,not_sent,');
});

test('what matches is exported: harmless in a spreadsheet, with names only on request, audited, one at a time', async () => {
  const { status, headers, lines } = await exported('cards/export/?status=FROZEN');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="emboss-cards-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const [header, row, ...rest] = lines;
  expect(header).toBe(
    'card_id,created,status,status_reason,type,design,currency,last_four,expiry_date,available_credit,last_used,cardholder_name',
  );
  const { id, lastFour } = cards[1] as (typeof cards)[0];
  expect(row?.startsWith(`${id},`)).toBe(true);
  expect(row).toContain(`,FROZEN,'=1+1,virtual,`);
  expect(row).toMatch(new RegExp(`,${lastFour},20\\d\\d-\\d\\d-\\d\\d,\\d+\\.\\d\\d,,Ada Lovelace$`));
  expect(rest).toEqual(['']);
  expect((await exported('cards/export/?columns=last_four&order=oldest')).lines.slice(0, 3)).toEqual([
    'last_four',
    cards[0]?.lastFour,
    cards[1]?.lastFour,
  ]);
  const merchant = { ...someMerchant, name: "O'Neil; DROP \\ =cmd" };
  const records = [someTransaction({ cardId: id, credentialId: id, acceptor: merchant })];
  await app.db.transaction(async (tx) => insertTransactions(tx, app.program.id, records));
  const query = `merchant=${encodeURIComponent("o'neil; drop \\ =")}&columns=merchant_name,amount,total`;
  expect((await exported(`transactions/export/?${query}`)).lines[1]).toMatch(
    /^O'Neil; DROP \\ =cmd,\d+\.\d\d,\d+\.\d\d$/,
  );

  expect((await sam.call('GET', 'cards/export/?columns=pan')).body.message).toMatch(
    /^columns: must be some of/,
  );
  const viewer = await signInAs(app, 'viewer');
  expect((await exported('cards/export/', viewer)).status).toBe(403);
  const startExport = createExportSlots();
  const actor = createActor({ ...TESTER, id: 'operator:sam' }, app.program, Date.now);
  const start = () => exportList(app, startExport, CARD_LIST, actor, {});
  const running = await start();
  await expect(start()).rejects.toMatchObject({ httpStatus: 429 });
  running.destroy();
  await once(running, 'close');
  (await start()).destroy();
  const path = `${app.url}/console/api/programs/${app.program.id}/cards/export/`;
  const { cookie } = sam;
  expect(
    (await fetch(path, { method: 'HEAD', headers: { cookie, 'x-csrf-token': sam.csrfToken } })).status,
  ).toBe(404);
  expect((await exported('cards/export/?design=%00')).status).toBe(400);
  const entriesOf = (action: string) =>
    app.sql<{ after: object }>('select after from audit_entries where action = $1 order by id', [action]);
  // Neither HEAD nor what was refused is an export.
  expect(await entriesOf('console.exported_cards')).toEqual([
    { after: { status: 'FROZEN' } },
    { after: { columns: 'last_four', order: 'oldest' } },
  ]);
  await exported('transactions/export/?merchant=at%204111%201111%201111%201111');
  expect((await entriesOf('console.exported_transactions')).at(-1)).toEqual({
    after: { merchant: 'at [card number]' },
  });
});

test('a page shows what a card has, when it expires and when it was last used; an export takes named cards', async () => {
  const [plain, spent] = [
    await createCard(app, { spendLimit: 30 }),
    await createCard(app, { spendLimit: 30 }),
  ];
  const refused = await swipe(app, spent.id, '31.00');
  await swipe(app, spent.id, '12.50');
  const { results } = await get('cards/');
  const [second, first] = results;
  expect(first).toMatchObject({ id: plain.id, availableCredit: 30, lastUsed: null });
  expect(second).toMatchObject({
    id: spent.id,
    availableCredit: 17.5,
    expiryDate: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    lastUsed: expect.stringMatching(/^20.*\+0000$/),
  });
  expect(refused.approved).toBe(false);
  const { lines } = await exported(`cards/export/?ids=${plain.id},${spent.id}`);
  expect(lines[0]).toBe(
    'card_id,created,status,status_reason,type,design,currency,last_four,expiry_date,available_credit,last_used,cardholder_name',
  );
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(new RegExp(`^${spent.id},.*,${spent.lastFour},${second.expiryDate},17.50,20`));
  expect(lines[2]).toMatch(new RegExp(`^${plain.id},.*,30.00,,Ada Lovelace$`));
  for (const ids of ['x', '', Array(101).fill(plain.id).join()])
    expect((await exported(`cards/export/?ids=${ids}`)).status).toBe(400);
});

test('views are saved by name, each operator their own, and at most twenty', async () => {
  const other = await signInAs(app, 'viewer');
  const save = (name: string, search = 'status=FROZEN', by = sam) =>
    by.call('PUT', 'views/', { list: 'cards', name, search, columns: ['holder'] });
  await save('Frozen');
  const { body } = await save('frozen', 'status=FROZEN&created=7d');
  expect(body.views).toEqual([
    { id: expect.any(String), name: 'frozen', search: 'status=FROZEN&created=7d', columns: ['holder'] },
  ]);
  for (let made = 1; made < 20; made++) await save(`view ${made}`);
  const refused = await save('one too many');
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'name: you can have at most 20 views of a list; delete one first',
  ]);
  expect((await save(' ')).body.message).toBe('name: must be readable text');
  expect((await save('x'.repeat(61))).status).toBe(400);
  const id = body.views[0].id;
  expect((await other.call('GET', 'views/?list=cards')).body).toEqual({ views: [] });
  expect((await other.call('DELETE', `views/${id}/`)).status).toBe(404);
  expect((await sam.call('DELETE', `views/${id}/`)).status).toBe(200);
  expect((await get('views/?list=cards')).views).toHaveLength(19);
  expect((await get('views/?list=transactions')).views).toEqual([]);
});
