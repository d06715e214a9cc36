import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { INSTALLATION_ID } from '../../src/audit/entry.ts';
import { changeOperator } from '../../src/operators/manage-operators.ts';
import { retireKeys, rotateKeys } from '../../src/vault/rotate-keys.ts';
import { openVault } from '../../src/vault/vault.ts';
import { CARDS, createCard } from '../support/cards/cards.ts';
import { SESSION, signInAs } from '../support/console/operators.ts';
import { TESTER } from '../support/server/actor.ts';
import { runCli } from '../support/server/cli.ts';
import { linkAudit } from '../support/server/jobs.ts';
import { appForTests } from '../support/server/test-app.ts';

/**
 * An attacker with write access to the database restores an older value of the same row. Emboss sealed it for this row, so
 * the seal cannot detect it. These tests show how far that goes, and what detects it.
 */
const masterKey = randomBytes(32).toString('base64');
const app = appForTests({ masterKey });
let env: Record<string, string>;
beforeAll(async () => {
  const none = join(tmpdir(), 'emboss-replay-none');
  env = { DATABASE_URL: app.databaseUrl, EMBOSS_MASTER_KEY: masterKey, DATA_DIR: none };
});

const verifyAudit = async (): Promise<number> => {
  await linkAudit(app);
  return (await runCli(env, ['audit', 'verify', '--json'])).code;
};

type Row = Record<string, unknown>;

/** Everything of the row as it stands, and a way back to it. */
async function keep(table: string, where: string, values: unknown[]): Promise<() => Promise<void>> {
  const rows = await app.sql<Row>(`select * from ${table} where ${where}`, values);
  expect(rows).toHaveLength(1);
  const row = rows[0] as Row;
  // A row never changes its program.
  const names = Object.keys(row).filter((name) => name !== 'program_id');
  const columns = names.map((name, index) => `${name} = $${values.length + index + 1}`).join(', ');
  return async () => {
    const given = [...values, ...names.map((name) => row[name])];
    await app.sql(`update ${table} set ${columns} where ${where}`, given);
  };
}

describe('an old version of a vault record', () => {
  test('has the same content as the current one: a record never changes under its id', async () => {
    const { id } = await createCard(app);
    const show = () => app.call('GET', `${CARDS}${id}/credentials/`);
    const { body: shown } = await show();
    const putBack = await keep('vault_records', "kind = 'number' and owner_id = $1", [id]);
    await rotateKeys(app.db, app.masters, 'card-number');
    await putBack();
    expect((await show()).body).toEqual(shown);
  });

  test('cannot be decrypted once its key is destroyed, in every process that starts later', async () => {
    const { id } = await createCard(app);
    const holderOf = async () => {
      const vault = await openVault(app.db, app.masters);
      return vault.openRecords(app.db, app.program.id, 'holder', [id]);
    };
    const known = await holderOf();
    const putBack = await keep('vault_records', "kind = 'holder' and owner_id = $1", [id]);
    await rotateKeys(app.db, app.masters, 'personal-data');
    await putBack();
    expect(await holderOf()).toEqual(known);
    await rotateKeys(app.db, app.masters, 'personal-data');
    expect(
      (await retireKeys(app.db, app.masters, 'personal-data', { retireAfterMs: 0 })).retiredKeyIds,
    ).not.toEqual([]);
    expect(await holderOf()).toEqual(known);
    await putBack();
    await expect(holderOf()).rejects.toThrow(/does not exist or is retired/);
  });
});

describe('an old version of an operator’s row', () => {
  test('is accepted, and the audit still shows what was revoked', async () => {
    const person = await signInAs(app, 'admin');
    const role = async () =>
      (await app.call('GET', SESSION, { key: null, headers: { cookie: person.cookie } })).body.operator?.role;
    expect(await role()).toBe('admin');
    const putBack = await keep('operators', 'id = $1', [person.id]);
    await changeOperator(app.db, app.vault, TESTER, person.id, { role: 'viewer' });
    expect(await role()).toBe('viewer');
    await putBack();
    // Cannot be distinguished from the older row: SECURITY.md says so.
    expect(await role()).toBe('admin');
    expect(await verifyAudit()).toBe(0);
    const ofPerson = `program_id = $1 and action = 'operator.changed' and after->>'id' = $2`;
    const entries = await app.sql<{ before: Row; after: Row }>(
      `select before, after from audit_entries where ${ofPerson}`,
      [INSTALLATION_ID, person.id],
    );
    expect(entries).toEqual([
      {
        before: expect.objectContaining({ role: 'admin' }),
        after: expect.objectContaining({ role: 'viewer' }),
      },
    ]);
    await app.sql(`delete from audit_entries where ${ofPerson}`, [INSTALLATION_ID, person.id]);
    expect(await verifyAudit()).toBe(1);
  });
});

describe('an old version of a card’s row', () => {
  test('restores the old number, and the audit still shows the reissue', async () => {
    const { id } = await createCard(app);
    const number = async () => (await app.call('GET', `${CARDS}${id}/credentials/`)).body.cardNumber;
    const old = await number();
    const putBack = await keep('cards', 'id = $1', [id]);
    const body = { renewOption: 'NEW_CARD_NUMBER_WITH_SAME_EXPIRY_DATE' };
    expect((await app.call('PUT', `${CARDS}${id}/replace/`, { body })).status).toBe(200);
    expect(await number()).not.toBe(old);
    await putBack();
    expect(await number()).toBe(old);
    const entries = await app.sql<{ action: string }>(
      'select action from audit_entries where card_id = $1 order by id',
      [id],
    );
    expect(entries.map(({ action }) => action)).toContain('card.reissued');
  });
});
