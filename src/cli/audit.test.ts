import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createCard } from '../../test/support/cards/cards.ts';
import { addTestOperator } from '../../test/support/console/operators.ts';
import { runCli } from '../../test/support/server/cli.ts';
import { linkAudit } from '../../test/support/server/jobs.ts';
import { appForTests } from '../../test/support/server/test-app.ts';
import { audit, auditInstallation } from '../audit/audit.ts';
import { INSTALLATION_ID, localIdentity } from '../audit/entry.ts';
import { newId } from '../kernel/ids.ts';

const folder = mkdtempSync(join(tmpdir(), 'emboss-audit-'));

const app = appForTests();
const verify = (...more: string[]) => runCli(app.env, ['audit', 'verify', '--json', ...more]);
const link = () => linkAudit(app);
/** Changes rows as the owner of the database, without the restrictions of the application's role. */
const tamper = (text: string, values: unknown[]) => app.sql(text, values);

/** A new program with a few linked entries: its creation, its keys, and a card frozen and unfrozen. */
async function auditedProgram() {
  const { program, key } = await app.addProgram();
  const { id } = await createCard(app, {}, key);
  for (const freeze of [true, false, true]) {
    const path = `/api/v1/merchant/cards/${id}/freeze/`;
    expect((await app.call('PUT', path, { body: { freeze }, key })).status).toBe(200);
  }
  await link();
  const rows = await app.sql<{ entry_id: string; position: string }>(
    'select entry_id, position from audit_links where program_id = $1 order by position',
    [program.id],
  );
  return { programId: program.id, entries: rows.map(({ entry_id }) => entry_id) };
}

const chainOf = async (programId: string, ...more: string[]) => {
  const { code, json } = await verify(...more);
  return { code, ...json.chains.find(({ id }: { id: string }) => id === programId) };
};

afterAll(() => rmSync(folder, { recursive: true }));

describe('an unchanged audit', () => {
  test('verifies, for every program and for the installation', async () => {
    const { programId, entries } = await auditedProgram();
    expect(entries.length).toBeGreaterThanOrEqual(5);
    await app.db.transaction((tx) =>
      auditInstallation(tx, localIdentity('cli:test'), 'operator.added', {
        after: { text: 'Žofie "the" \\ Écharpe 😀', number: 1.5e21 },
      }),
    );
    const { code, json } = await verify();
    expect({ code, verified: json.verified }).toEqual({ code: 0, verified: true });
    expect(json.chains[0]).toMatchObject({ id: INSTALLATION_ID, entries: 0, waiting: 1, head: null });
    await link();
    expect(await chainOf(INSTALLATION_ID)).toMatchObject({ entries: 1, waiting: 0, tampering: null });
    const head = { position: entries.length, hash: expect.stringMatching(/^[0-9a-f]{72}$/) };
    expect(await chainOf(programId)).toMatchObject({ entries: entries.length, head, tampering: null });
    const { out } = await runCli(app.env, ['audit', 'verify']);
    expect(out).toMatch(/^ok {4}Installation: 1 entry, ending in [0-9a-f]{16}\n/);
  });

  test('is one chain with many writers and four concurrent workers', async () => {
    const { programId } = await auditedProgram();
    const write = async (count: number) => {
      for (let index = 0; index < count; index += 1) {
        // Commits are not in the order of ids: one may be older than an entry that is already linked.
        const now = () => Date.now() + (index % 3) * 86_400_000;
        const actor = { ...localIdentity('system:test'), program: { id: programId }, now };
        await app.db.transaction((tx) => audit(tx, actor, 'card.updated', { after: { index } }));
      }
    };
    let writing = true;
    const linkOn = async () => {
      while (writing) await link();
    };
    const workers = Array.from({ length: 4 }, linkOn);
    await Promise.all(Array.from({ length: 4 }, () => write(150)));
    writing = false;
    await Promise.all(workers);
    await link();
    const [waiting] = await app.sql('select count(*)::int as n from audit_unlinked', []);
    expect(waiting).toEqual({ n: 0 });
    expect(await chainOf(programId)).toMatchObject({ code: 0, tampering: null, waiting: 0 });
  });
});

describe('emboss audit list', () => {
  const list = (...more: string[]) => runCli(app.env, ['audit', 'list', ...more]);

  test('shows the newest entries with actor and address, of a program, a card, an action or the installation', async () => {
    const { programId } = await auditedProgram();
    const { json } = await list('--program', programId, '--limit', '2', '--json');
    const newest = ['card.frozen', 'card.unfrozen'];
    expect(json.entries).toEqual(
      newest.map((action) =>
        expect.objectContaining({
          action,
          address: '127.0.0.1',
          actor: expect.stringMatching(/^key:/),
          requestId: expect.stringMatching(/^req_/),
        }),
      ),
    );
    const { cardId } = json.entries[0];
    const ofCard = ['--program', programId, '--card', cardId, '--action', 'card.frozen'];
    expect((await list(...ofCard, '--json')).json.entries).toHaveLength(2);
    expect((await list(...ofCard)).out).toContain('127.0.0.1');
    await addTestOperator(app, 'viewer');
    const ofInstallation = (await list('--installation', '--json')).json.entries;
    expect(ofInstallation).toContainEqual(
      expect.objectContaining({ action: 'operator.added', address: null }),
    );
    for (const wrong of [
      ['--card', 'x'],
      ['--limit', '0'],
    ])
      expect((await list(...wrong)).code).toBe(2);
  });
});

describe('an altered audit', () => {
  const columns = [
    ['actor', "'cli:another'"],
    ['address', "'203.0.113.7'"],
    ['action', "'card.unfrozen'"],
    ['card_id', `'${newId(Date.now())}'`],
    ['before', `'{"status": "BLOCKED"}'`],
    ['after', 'null'],
    ['request_id', "'another'"],
    ['created_at', "(created_at at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC'"],
  ] as const;
  test.each(columns)('verification finds a changed %s', async (column, value) => {
    const { programId, entries } = await auditedProgram();
    const entryId = entries[3];
    await tamper(`update audit_entries set ${column} = ${value} where program_id = $1 and id = $2`, [
      programId,
      entryId,
    ]);
    const tampering = { what: 'changed', entryId, position: 4 };
    expect(await chainOf(programId)).toMatchObject({ code: 1, tampering });
    await tamper('delete from audit_entries where program_id = $1', [programId]);
    await tamper('delete from audit_links where program_id = $1', [programId]);
  });

  const deeds: Array<[string, (programId: string, entries: string[]) => Promise<unknown>, object]> = [
    [
      'a missing entry',
      (programId, [, second]) =>
        tamper('delete from audit_entries where program_id = $1 and id = $2', [programId, second]),
      { what: 'missing', position: 2 },
    ],
    [
      'a missing entry whose link was removed too',
      async (programId, [, second]) => {
        await tamper('delete from audit_entries where program_id = $1 and id = $2', [programId, second]);
        await tamper('delete from audit_links where program_id = $1 and entry_id = $2', [programId, second]);
      },
      { what: 'missing', position: 2 },
    ],
    [
      'a gap that was closed',
      async (programId, [, second]) => {
        await tamper('delete from audit_entries where program_id = $1 and id = $2', [programId, second]);
        await tamper('delete from audit_links where program_id = $1 and entry_id = $2', [programId, second]);
        for (const position of [3, 4, 5])
          await tamper('update audit_links set position = $2 where program_id = $1 and position = $3', [
            programId,
            position - 1,
            position,
          ]);
      },
      { what: 'changed', position: 2 },
    ],
    [
      'two swapped entries',
      async (programId) => {
        for (const [from, to] of [[2, 99], [3, 2], [99, 3]]) // biome-ignore format: three steps
          await tamper('update audit_links set position = $3 where program_id = $1 and position = $2', [
            programId,
            from,
            to,
          ]);
      },
      { what: 'changed', position: 2 },
    ],
    [
      'a part that was moved into an empty one',
      (programId) =>
        tamper(
          `update audit_entries set before = after, after = null
           where program_id = $1 and before is null and after is not null`,
          [programId],
        ),
      { what: 'changed' },
    ],
    [
      'the chain of another program instead',
      async (programId) => {
        const other = await auditedProgram();
        for (const table of ['audit_entries', 'audit_links']) {
          await tamper(`delete from ${table} where program_id = $1`, [programId]);
          await tamper(`update ${table} set program_id = $1 where program_id = $2`, [
            programId,
            other.programId,
          ]);
        }
      },
      { what: 'changed', position: 1 },
    ],
    [
      'an entry that was slipped in',
      (programId) =>
        tamper(
          `insert into audit_entries (program_id, id, actor, action, created_at) values ($1, $2, 'x', 'y', now())`,
          [programId, newId(Date.now())],
        ),
      { what: 'added', position: null },
    ],
    [
      'an entry that was removed before it was linked',
      async (programId) => {
        const id = newId(Date.now());
        await tamper('insert into audit_unlinked (program_id, entry_id) values ($1, $2)', [programId, id]);
      },
      { what: 'missing', position: null },
    ],
  ];
  test.each(deeds)('verification finds %s', async (_, deed, tampering) => {
    const { programId, entries } = await auditedProgram();
    await deed(programId, entries);
    expect(await chainOf(programId)).toMatchObject({ code: 1, tampering });
    // An entry that was removed before it was linked stays missing afterwards.
    await link();
    expect((await chainOf(programId)).tampering).not.toBeNull();
    for (const table of ['audit_entries', 'audit_links', 'audit_unlinked'])
      await tamper(`delete from ${table} where program_id = $1`, [programId]);
  });

  test('verification with --since finds a chain that was cut off', async () => {
    const { programId, entries } = await auditedProgram();
    const kept = join(folder, 'kept.json');
    writeFileSync(kept, (await verify()).out);
    expect((await chainOf(programId, '--since', kept)).tampering).toBeNull();
    await tamper('delete from audit_links where program_id = $1 and position = $2', [
      programId,
      entries.length,
    ]);
    await tamper('delete from audit_entries where program_id = $1 and id = $2', [programId, entries.at(-1)]);
    expect((await chainOf(programId)).tampering).toBeNull();
    expect(await chainOf(programId, '--since', kept)).toMatchObject({
      code: 1,
      tampering: { what: 'cut', position: entries.length },
    });
    const { out } = await runCli(app.env, ['audit', 'verify', '--since', kept]);
    expect(out).toContain('the chain was truncated or rebuilt');
  });
});

test('a file that is not the output of audit verify is refused, with its name', async () => {
  const { code, err } = await runCli(app.env, ['audit', 'verify', '--since', join(folder, 'none.json')]);
  expect({ code, err }).toEqual({
    code: 1,
    err: `emboss: --since: ${join(folder, 'none.json')} cannot be read: ENOENT\n`,
  });
});
