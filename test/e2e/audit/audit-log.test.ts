import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyOn } from '../../../src/audit/verify-continuously.ts';
import { auditVerification } from '../../../src/worker.ts';
import { CARDS, createCard } from '../../support/cards/cards.ts';
import { type SignedIn, signInAs } from '../../support/console/operators.ts';
import { hurry, linkAudit, runToEnd } from '../../support/server/jobs.ts';
import { appForTests } from '../../support/server/test-app.ts';
import { exchange } from '../../support/server/wire.ts';

const app = appForTests();
let manager: SignedIn;
let card: { id: string };
const CUSTOMER = 'customer-of-the-audit';
const freeze = (cardId: string, freezing: boolean) =>
  manager.call('PUT', `merchant/cards/${cardId}/freeze/`, { freeze: freezing });
beforeAll(async () => {
  manager = await signInAs(app, 'manager');
  card = await createCard(app, {
    meta: { id: CUSTOMER, otpPhoneNumber: { dialCode: 49, phoneNumber: '15112345678' } },
  });
  for (const cardId of [card.id, (await createCard(app)).id])
    for (const freezing of [true, false]) await freeze(cardId, freezing);
});

const list = async (query = '') => (await manager.call('GET', `audit/?${query}`)).body;
const actionsIn = async (query: string) =>
  (await list(query)).results.map(({ action }: { action: string }) => action);
const exported = (query = '', { cookie, csrfToken } = manager) =>
  exchange(app.url, 'GET', `/console/api/programs/${app.program.id}/audit/export/${query}`, {
    headers: { cookie, 'x-csrf-token': csrfToken },
  });
const today = new Date().toISOString().slice(0, 10);

describe('the audit log', () => {
  test('is filtered by actor, action, card, customer and day, newest first', async () => {
    const { results, next } = await list(`card_id=${card.id}`);
    expect(next).toBe(null);
    expect(results).toMatchObject([
      { action: 'card.unfrozen', cardId: card.id, actor: { kind: 'operator' }, address: '127.0.0.1' },
      { action: 'card.frozen', changes: [{ field: 'status', before: 'ACTIVE', after: 'FROZEN' }] },
      { action: 'card.created', actor: { kind: 'key' } },
    ]);
    expect(await list(`customer_id=${CUSTOMER}`)).toEqual({ results, next, searchedTo: null });
    expect(await actionsIn('customer_id=unknown')).toEqual([]);
    expect(await actionsIn('action=card.frozen')).toEqual(['card.frozen', 'card.frozen']);
    const actor = encodeURIComponent(`operator:Test manager <${manager.email}>`);
    expect(await actionsIn(`actor=${actor}`)).toHaveLength(4);
    expect(await actionsIn(`actor=${actor}&action=card.frozen&card_id=${card.id}`)).toEqual(['card.frozen']);
    expect(await actionsIn(`from=${today}&to=${today}&action=card.frozen`)).toHaveLength(2);
    expect(await actionsIn('to=2020-01-01')).toEqual([]);
    expect(await actionsIn('from=2099-01-01')).toEqual([]);
    for (const [query, message] of [
      ['from=2026-02-30', 'from: must be a day such as 2026-11-15'],
      ['card_id=1', 'card_id: must be a card id'],
      ['actor=%00', 'actor: must not contain control characters'],
      ['action=a%00', 'action: must not contain control characters'],
      ['before=1', 'before: must be a record id from `next`'],
    ])
      expect(await manager.call('GET', `audit/?${query}`)).toMatchObject({ status: 400, body: { message } });
  });

  test('says in words what was done, and what was touched', async () => {
    const { results } = await list(`card_id=${card.id}`);
    const { lastFour } = (await app.call('GET', `${CARDS}${card.id}/`)).body;
    expect(results[1]).toMatchObject({
      words: 'Card frozen',
      target: { kind: 'card', id: card.id, name: lastFour },
    });
    const [signedIn] = (await list('chain=installation&action=operator.signed_in')).results;
    expect(signedIn.target).toEqual({ kind: 'person', id: null, name: manager.email });
  });

  test('is filtered by kind of action and by text, in any case', async () => {
    const body = { amount: 5, reference: 'Goodwill after a Complaint' };
    const { id } = await createCard(app);
    await manager.call('POST', `merchant/cards/${id}/balance-adjustments/`, body);
    expect(await actionsIn('preset=money')).toEqual(['card.balance_adjusted']);
    expect(await actionsIn('preset=reveals')).toEqual([]);
    expect(await actionsIn('preset=money&action=card.frozen')).toEqual([]);
    expect(await actionsIn('text=COMPLAINT')).toEqual(['card.balance_adjusted']);
    // The words of an action, which no entry contains.
    expect(await actionsIn('text=balance%20adj')).toEqual(['card.balance_adjusted']);
    expect(await actionsIn(`text=${card.id}&preset=cards`)).toHaveLength(3);
    expect(await actionsIn('text=nothing%20of%20this')).toEqual([]);
    const { text } = await exported('?preset=money&text=complaint');
    expect(text.trimEnd().split('\r\n')).toHaveLength(2);
    for (const [query, message] of [
      ['preset=gold', expect.stringMatching(/^preset: must be one of money, access/)],
      ['text=%20', 'text: must be 1 to 100 characters'],
      ['text=a%00', 'text: must not contain control characters'],
    ])
      expect(await manager.call('GET', `audit/?${query}`)).toMatchObject({ status: 400, body: { message } });
  });

  test('offers the actors and actions that it has', async () => {
    const { body } = await manager.call('GET', 'audit/filters/');
    expect(body.actions).toContainEqual({ action: 'card.frozen', words: 'Card frozen', preset: 'cards' });
    expect(body.presets).toContainEqual({ preset: 'cards', words: 'Cards and customers' });
    expect(body.presets.map(({ preset }: { preset: string }) => preset)).not.toContain('reveals');
    const name = `Test manager <${manager.email}>`;
    expect(body.actors).toContainEqual({ actor: `operator:${name}`, kind: 'operator', name });
  });

  test('of the installation is for operators of all programs', async () => {
    const { results } = await list('chain=installation&action=operator.signed_in');
    expect(results[0]).toMatchObject({ action: 'operator.signed_in' });
    const bound = await signInAs(app, 'manager', app.program.id);
    for (const path of ['audit/', 'audit/filters/', 'audit/verification/', 'audit/export/'])
      expect((await bound.call('GET', `${path}?chain=installation`)).status).toBe(403);
  });

  test('is exported as it is filtered, and each export is audited', async () => {
    const { status, headers, text } = await exported(`?card_id=${card.id}`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe('time,id,actor,action,card_id,address,request_id,before,after');
    expect(lines.map((line) => line.split(',')[3])).toEqual(['card.unfrozen', 'card.frozen', 'card.created']);
    const refused = await exported('?actor=%00');
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('actor: must not contain control characters'),
    ]);
    const entries = (await list('action=console.exported_audit')).results;
    // The text of a search is not stored.
    expect(entries).toMatchObject([
      { facts: [{ field: 'card_id', value: card.id }] },
      { facts: [{ field: 'preset', value: 'money' }] },
    ]);
  });

  test('pages over more entries than one page, with and without filters, each exactly once', async () => {
    await app.sql(
      `insert into audit_entries (program_id, id, actor, action, created_at)
       select $1, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'system:' || n % 2, 'test.' || n % 3, now()
       from generate_series(1, 12000) n`,
      [app.program.id],
    );
    const { text } = await exported('?actor=system:1&action=test.2');
    expect(new Set(text.trimEnd().split('\r\n')).size).toBe(2_001);
    let found = 0;
    for (let before = ''; before !== null && found < 120; ) {
      const page = await list(`actor=system:1&action=test.2${before && `&before=${before}`}`);
      found += page.results.length;
      before = page.next;
    }
    expect(found).toBe(150);
    // A text is looked for in 5,000 entries at a time; the answer says how far.
    const first = await list('text=no-such-text');
    expect(first).toMatchObject({ results: [], searchedTo: expect.any(String) });
    expect(first.next).not.toBe(null);
    await app.sql(`delete from audit_entries where action like 'test.%'`);
  });
});

describe('the chain of the audit log', () => {
  const digest = () => app.vault.history;
  const verify = async (nowMs = Date.now()) => {
    await linkAudit(app);
    await verifyOn({ db: app.db, digest: digest() }, app.program.id, nowMs);
    return (await manager.call('GET', 'audit/verification/')).body;
  };
  const DAY = 25 * 3_600_000;

  test('is shown as verified up to its end, and names the first entry that was changed', async () => {
    expect((await manager.call('GET', 'audit/verification/')).body.verified).toBe(null);
    const first = await verify();
    expect(first).toMatchObject({ waiting: 0, tampering: null, verified: { position: first.entries } });
    await freeze(card.id, true);
    expect((await verify()).verified.position).toBe(first.entries + 1);

    const [entry] = (await list(`card_id=${card.id}&action=card.created`)).results;
    const change = (actor: string) =>
      app.sql('update audit_entries set actor = $2 where id = $1', [entry.id, actor]);
    const [{ actor } = { actor: '' }] = await app.sql<{ actor: string }>(
      'select actor from audit_entries where id = $1',
      [entry.id],
    );
    await change('key:unknown');
    // Verified entries are verified again every day.
    const changed = await verify(Date.now() + DAY);
    expect(changed.tampering).toMatchObject({ what: 'changed', entryId: entry.id });
    await change(actor);
    expect((await verify(Date.now() + DAY)).tampering).toBe(null);
  });

  test('finds an entry that was removed before it was linked', async () => {
    const lost = '00000000-0000-7000-8000-000000000002';
    const insert = 'insert into audit_unlinked (program_id, entry_id) values ($1, $2)';
    await app.sql(insert, [app.program.id, lost]);
    await verifyOn({ db: app.db, digest: digest() }, app.program.id, Date.now() + DAY);
    const { body } = await manager.call('GET', 'audit/verification/');
    expect(body.tampering).toMatchObject({ what: 'missing', entryId: lost });
    await app.sql('delete from audit_unlinked where entry_id = $1', [lost]);
    expect((await verify(Date.now() + DAY)).tampering).toBe(null);
  });

  test('finds an inserted entry, a cut chain, and does not trust an altered state', async () => {
    const id = '00000000-0000-7000-8000-000000000001';
    const insert = `insert into audit_entries (program_id, id, actor, action, created_at) values ($1, $2, 'x', 'y', now())`;
    await app.sql(insert, [app.program.id, id]);
    const logged: unknown[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => logged.push(JSON.parse(line)) });
    // A new pass starts a day after the last one, which the tests before this started in the future.
    await app.sql('delete from audit_verifications');
    for (let round = 0; round < 2; round++) {
      await runToEnd(auditVerification({ db: app.db, digest: digest() }, logger));
      await hurry(app, 'audit-verification', 3_600_000);
    }
    const expected = { level: 50, programId: app.program.id, what: 'added', entryId: id, position: null };
    expect(logged).toEqual([expect.objectContaining(expected)]);
    expect((await verify(Date.now() + 2 * DAY)).tampering).toMatchObject({ what: 'added', entryId: id });
    await app.sql('delete from audit_entries where id = $1', [id]);
    const { verified, tampering } = await verify(Date.now() + 2 * DAY);
    expect(tampering).toBe(null);

    await app.sql(
      `with cut as (delete from audit_links where program_id = $1 and position = $2 returning entry_id)
       delete from audit_entries where id in (select entry_id from cut)`,
      [app.program.id, verified.position],
    );
    expect((await verify(Date.now() + 4 * DAY)).tampering).toMatchObject({ what: 'cut' });
    await app.sql(`update audit_verifications set state = replace(state, '"cut"', '"x"')`);
    expect((await manager.call('GET', 'audit/verification/')).body).toMatchObject({
      verified: null,
      tampering: null,
    });
  });
});
