import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyAudit } from '../../../src/audit/verify-audit.ts';
import { keyUses } from '../../../src/cli/key-uses.ts';
import { mintLink, readLink } from '../../../src/files/link.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { retireKeys } from '../../../src/vault/rotate-keys.ts';
import { CVV_DESTROYED } from '../../../src/vault/vault.ts';
import { act } from '../../support/cards/card-states.ts';
import { businessCard, CARDS, consumerCard } from '../../support/cards/cards.ts';
import { authorizationOf, type PayingCard, payingCard, send } from '../../support/cards/network.ts';
import { swipe } from '../../support/cards/swipe.ts';
import {
  addTestOperator,
  cookieOf,
  SESSION,
  type SignedIn,
  signInAs,
} from '../../support/console/operators.ts';
import { holdTable } from '../../support/database/hold-table.ts';
import { SOON } from '../../support/scripts/soon.ts';
import { ROOT } from '../../support/scripts/sources.ts';
import { runCli } from '../../support/server/cli.ts';
import { linkAudit } from '../../support/server/jobs.ts';
import { startTestApp, type TestApp } from '../../support/server/test-app.ts';

/** The keys of a first start. */
const FIRST = { fingerprint: 3, cvv: 4, digest: 5, history: 7 };

const masterKey = randomBytes(32).toString('base64');
let app: TestApp;
/** Another server, which has not read the keys again since the rotation began. */
let late: TestApp;
let env: Record<string, string>;
let operator: SignedIn;
let away: { id: string; email: string; password: string };
/** Not used during the rotation; the second one never. */
let unused: { id: string; key: string };
let forgotten: { id: string; key: string };
const cards: Array<{ card: PayingCard; cvv: string }> = [];
let first: { body: ReturnType<typeof authorizationOf>; answer: unknown };
let link: string;
const publicUrl = 'https://emboss.test';

beforeAll(async () => {
  // Reads its keys before each use of them: the half minute in which it may not is the other server's part.
  app = await startTestApp({ masterKey, keyMaxAgeMs: 0 });
  late = await startTestApp({ masterKey, databaseUrl: app.databaseUrl });
  env = {
    DATABASE_URL: app.databaseUrl,
    EMBOSS_MASTER_KEY: masterKey,
    DATA_DIR: join(tmpdir(), 'emboss-rotation-none'),
  };
  // What the other server was given with its program is not looked at here.
  await app.sql('update api_keys set revoked_at = now() where program_id = $1', [late.program.id]);
  operator = await signInAs(app, 'admin');
  away = await addTestOperator(app, 'support');
  for (let i = 0; i < 5; i++) await signInOf({ ...away, password: 'not the password' });
  unused = await app.addKey(app.program.id, ['read']);
  forgotten = await app.addKey(app.program.id, ['read']);
  for (let i = 0; i < 3; i++) await addCard(app);
  const body = authorizationOf(cards[0]?.card as PayingCard, '1.00');
  first = { body, answer: (await send(app, 'authorizations', body)).body };
  link = await mint();
});
afterAll(() => app.close());

async function addCard(server: TestApp): Promise<void> {
  const card = await payingCard(server, {}, app);
  cards.push({ card, cvv: card.cvv });
}

const mint = async () =>
  (
    await mintLink(
      { storage: { ...app.reports.storage, presign: undefined }, publicUrl, digest: app.vault.digest },
      { id: newId(Date.now()), storageKey: 'a.csv', fileName: 'a.csv' },
    )
  ).link.slice(publicUrl.length);

const vaultCli = (...args: string[]) => runCli(env, ['vault', ...args]);
const makeOlder = (interval: string) =>
  app.sql('update vault_keys set created_at = created_at - $1::interval', [interval]);
const keys = () =>
  app.sql<{ id: number; purpose: string; retired: boolean }>(
    'select id, purpose, retired_at is not null as retired from vault_keys order by id',
  );
const rowsUnder = async (table: string, column: string, keyId: number, where = 'true') =>
  (
    await app.sql<{ n: number }>(
      `select count(*)::int as n from ${table} where substring(${column} from 1 for 4) = int4send($1) and ${where}`,
      [keyId],
    )
  )[0]?.n;

/** All that a user would notice. */
async function expectAllWorks(server: TestApp): Promise<void> {
  for (const { card, cvv } of cards) {
    await card.with({ app: server }).hold('0.10', { cvv });
    expect((await card.with({ app: server }).renewed()).cvv).toBe(cvv);
  }
  expect((await send(server, 'authorizations', first.body, app)).body).toEqual(first.answer);
  expect((await send(server, 'authorizations', { ...first.body, amount: '2.00' }, app)).status).toBe(409);
  const path = `/console/api/programs/${app.program.id}/`;
  const headers = { cookie: operator.cookie, 'x-csrf-token': operator.csrfToken };
  const desk = (method: string, to: string, body?: unknown) =>
    server.call(method, path + to, { key: null, body, headers });
  for (const query of ['lovelace', 'Ada Love', 'customer-42']) {
    const found = await desk('GET', `search/?q=${encodeURIComponent(query)}`);
    expect([query, found.status, found.body.results.length]).toEqual([query, 200, cards.length]);
  }
  const id = cards[0]?.card.id;
  for (const freeze of [true, false])
    expect((await desk('PUT', `merchant/cards/${id}/freeze/`, { freeze })).status).toBe(200);
  await linkAudit(server);
  const { tampering, entries } = await verifyAudit(
    { db: server.db, digest: server.vault.history },
    app.program.id,
    undefined,
  );
  expect([tampering, entries > 0]).toEqual([undefined, true]);
}

/** A request that is repeated at another server. */
async function expectRepeatsKnown(): Promise<void> {
  const meta = { ...consumerCard().meta, id: 'customer-43' };
  const body = businessCard({ meta, preferredCardName: 'ENGINES' });
  const create = (server: TestApp, key: string) =>
    server.call('POST', CARDS, { key: app.key, body, headers: { 'idempotency-key': key } });
  const turns: Array<[TestApp, TestApp]> = [
    [late, app],
    [app, late],
  ];
  for (const [index, [one, other]] of turns.entries()) {
    const made = await create(one, `turn-${index}`);
    const again = await create(other, `turn-${index}`);
    expect([made.status, again.status, again.body.id]).toEqual([201, 201, made.body.id]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    await act(app, made.body.id, 'block');
  }
}

/** And one that comes to both at once, each of which would use another key. */
async function expectOneOfTwins(): Promise<void> {
  const body = businessCard({ preferredCardName: 'ENGINES' });
  body.meta = { ...body.meta, id: 'customer-44' };
  for (let turn = 0; turn < 5; turn++) {
    const headers = { 'idempotency-key': `twins-${turn}` };
    const twins = await Promise.all(
      [app, late].map((server) => server.call('POST', CARDS, { key: app.key, body, headers })),
    );
    const ids = new Set(twins.map((twin) => twin.body.id));
    expect([twins.map(({ status }) => status), ids.size]).toEqual([[201, 201], 1]);
    for (const id of ids) await act(app, id, 'block');
  }
}

const signInOf = ({ email, password }: { email: string; password: string }) =>
  app.call('POST', SESSION, { key: null, body: { email, password } });

async function signInAt(server: TestApp): Promise<void> {
  const { email, password } = operator;
  const answer = await server.call('POST', SESSION, { key: null, body: { email, password } });
  expect(answer.status).toBe(200);
  operator = { ...operator, cookie: cookieOf(answer), csrfToken: answer.body.csrfToken };
}

/** The command as a process of its own, killed once a condition holds. */
async function killed(args: string[], when: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'bin/emboss.mjs'), 'vault', ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: 'ignore',
  });
  const ended = new Promise((done) => {
    child.once('exit', (_code, signal) => done(signal));
  });
  await vi.waitFor(when, SOON);
  child.kill('SIGKILL');
  expect(await ended).toBe('SIGKILL');
}

describe('while servers run, every key of the vault', () => {
  test('is replaced by a command that can be killed; everything keeps working, also on servers that do not know the new keys yet', async () => {
    await expectAllWorks(app);
    const held = await holdTable(app.databaseUrl, 'card_fingerprints');
    await killed(['rotate', '--purpose', 'fingerprint'], async () => {
      expect(await held.waiting()).toBe(1);
    });
    await held.release();
    const rotated = await vaultCli('rotate', '--json');
    const made = rotated.json.rotations.map(({ newKeyId }: { newKeyId: number }) => newKeyId);
    // The one whose rotation was killed goes on with its key.
    expect([rotated.code, made]).toEqual([0, [9, 10, 8, 11, 12, 13, 14]]);
    // First what shows that the other server does not have the new keys yet: reading a record would load them.
    await addCard(late);
    await expectRepeatsKnown();
    await addCard(app);
    for (const server of [app, late]) await expectAllWorks(server);
    for (const [one, other] of [
      [app, late],
      [late, app],
    ] as const) {
      await signInAt(one);
      await expectAllWorks(other);
    }
    for (const server of [app, late]) expect(readLink(server.vault.digest, link, Date.now())).toBeDefined();
  });

  test('is used once every server knows it: records that are used move to it', async () => {
    await makeOlder('3 minutes');
    await expectOneOfTwins();
    await late.close();
    // Who was locked out stays so.
    expect((await signInOf(away)).status).toBe(429);
    await expectAllWorks(app);
    expect(readLink(app.vault.digest, link, Date.now())).toBeDefined();
    await signInAt(app);
    await addCard(app);
    await expectAllWorks(app);
    expect(await rowsUnder('network_messages', 'request_digest', FIRST.history)).toBeGreaterThan(0);
    expect(await rowsUnder('network_messages', 'request_digest', 14)).toBeGreaterThan(0);
    expect(await rowsUnder('audit_links', 'hash', 14)).toBeGreaterThan(0);
    await vi.waitFor(async () => {
      const live = 'revoked_at is null and last_used_at is not null';
      expect(await rowsUnder('api_keys', 'key_hash', FIRST.digest, live)).toBe(0);
    }, SOON);
  });

  test('is not destroyed while something needs it, and the command prints what', async () => {
    await makeOlder('26 hours');
    const refused = await vaultCli('retire', '--purpose', 'digest');
    expect(refused.code).toBe(0);
    for (const { key } of [unused, forgotten])
      expect(refused.out).toContain(`merchant key "test" (…${key.slice(-4)}) has not been used since`);
    expect(refused.out).toContain(`operator ${away.email} has not signed in since`);
    expect(refused.out).not.toContain(operator.email);
    const cvv = await vaultCli('retire', '--purpose', 'cvv', '--json');
    // Not those made since by a server that knew the new key, nor those that are blocked for good.
    const reasons = [`${cards.length - 2} cards have a CVV from this key until they are reissued`];
    expect(cvv.json.rotations[0].needs).toEqual([{ keyId: FIRST.cvv, reasons }]);
    const { json } = await vaultCli('keys', '--json');
    const replaced = json.keys.filter(({ state }: { state: string }) => state === 'replaced');
    expect(replaced).toHaveLength(7);
    expect(replaced.find(({ id }: { id: number }) => id === FIRST.cvv).needs).toEqual(reasons);
    expect((await keys()).filter(({ retired }) => retired)).toEqual([]);
    expect((await app.call('GET', CARDS, { key: unused.key })).status).toBe(200);
  });

  test('is destroyed by a command that can be killed, and nothing is lost', async () => {
    const leftOver = [
      `merchant key "test" (…${forgotten.key.slice(-4)}) has not been used since`,
      `operator ${away.email} has not signed in since`,
    ];
    const idle = await app.addKey(app.program.id, ['read']);
    await vi.waitFor(async () => {
      expect((await vaultCli('retire', '--purpose', 'digest', '--json')).json.rotations[0].needs).toEqual([
        { keyId: FIRST.digest, reasons: leftOver },
      ]);
    }, SOON);
    for (const { card } of cards) {
      const body = { renewOption: 'NEW_CARD_NUMBER_WITH_NEW_EXPIRY_DATE' };
      expect((await app.call('PUT', `${CARDS}${card.id}/replace/`, { body })).status).toBe(200);
    }
    for (const entry of cards) {
      entry.card = await entry.card.with({ app }).renewed();
      entry.cvv = entry.card.cvv;
    }
    await killed(['retire', '--purpose', 'fingerprint'], async () => {
      expect((await keys())[FIRST.fingerprint - 1]).toMatchObject({ retired: true });
    });
    expect(await rowsUnder('card_fingerprints', 'fingerprint', FIRST.fingerprint)).toBeGreaterThan(0);
    await expectAllWorks(app);
    await app.sql("update vault_keys set retired_at = now() - interval '2 minutes' where id = 3");
    for (const purpose of ['card-number', 'personal-data', 'fingerprint', 'cvv', 'history'])
      expect((await vaultCli('retire', '--purpose', purpose)).code).toBe(0);
    expect((await vaultCli('retire', '--purpose', 'digest', '--force')).code).toBe(0);
    const use = (await keyUses(app)).search;
    await retireKeys(app.db, app.masters, 'search', { use, forgottenAfterMs: 0 });
    const live = (await keys()).filter(({ retired }) => !retired);
    expect(live.map(({ id }) => id)).toEqual([FIRST.history, 8, 9, 10, 11, 12, 13, 14]);
    for (const [table, column] of [
      ['card_fingerprints', 'fingerprint'],
      ['card_search_words', 'word'],
      ['search_spellings', 'spelling'],
      ['search_spellings', 'word'],
    ] as const)
      for (const keyId of [3, 6]) expect(await rowsUnder(table, column, keyId)).toBe(0);
    await expectAllWorks(app);
    await addCard(app);
    await expectAllWorks(app);
    await app.sql('delete from sign_in_attempts');
    expect((await signInOf(away)).status).toBe(401);
    expect((await app.call('GET', CARDS, { key: forgotten.key })).status).toBe(401);
    expect((await app.call('GET', CARDS, { key: idle.key })).status).toBe(200);
    const revoked = "select after->>'id' as id from audit_entries where action = 'key.revoked'";
    expect(await app.sql(revoked)).toEqual([{ id: forgotten.id }]);
    const audit = await app.sql<{ action: string; after: { purpose: string; keyId: number } }>(
      "select action, after from audit_entries where action like 'vault.%' order by id",
    );
    const counted = (action: string) => audit.filter((entry) => entry.action === action).length;
    expect([counted('vault.key_added'), counted('vault.key_destroyed')]).toEqual([7, 6]);
  });

  test('destroys the CVVs of blocked cards: they are declined as before, and cannot be shown', async () => {
    const [blocked] = await app.sql<{ id: string }>(
      `select c.id from cards c join credentials r on r.program_id = c.program_id and r.id = c.credential_id
       where c.status = 'BLOCKED' and r.cvv_key_id = $1`,
      [FIRST.cvv],
    );
    const id = blocked?.id as string;
    const { status, body } = await app.call('GET', `${CARDS}${id}/credentials/`);
    expect([status, body.message]).toEqual([409, CVV_DESTROYED]);
    const paid = await swipe(app, id, '1.00', { cvv: '123' });
    expect([paid.approved, paid.decline_reason]).toEqual([false, 'card_blocked']);
  });
});
