import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Database, Tx } from '../db/database.ts';
import { reveal } from '../kernel/secret.ts';
import { type Actor, readActor } from '../programs/actor.ts';
import { announceKey } from '../programs/credentials-key.ts';
import { type CreatedKey, createKey, revokeKey, rotateKey } from '../programs/manage-keys.ts';
import { type ApiKey, KEY_KINDS, type KeyKind, SCOPES, type Scope, scopesOf } from '../programs/program.ts';
import { listKeys } from '../programs/queries.ts';
import { openVault } from '../vault/vault.ts';
import { PROGRAM, selectActor, selectKey, selectProgram } from './select.ts';
import { cliIdentity, type Session } from './session.ts';
import { details, moment, type Output, type Terminal, table } from './terminal.ts';
import { durationMs, expiry, scopeList } from './values.ts';

const EXPIRES = 'when the key expires: 90d, 2027-01-31 (end of that UTC day), a timestamp, or never';

export function keyCommands(emboss: Command, session: Session): void {
  const group = emboss.command('key').description('API keys of a program');
  group
    .command('create')
    .description('Create a key; it is shown only once')
    .option(...PROGRAM)
    .addOption(new Option('--kind <kind>', 'key type').choices([...KEY_KINDS]).default('merchant'))
    .option('--name <text>', 'display name')
    .option(
      '--scopes <list>',
      `permissions of a merchant key: ${SCOPES.merchant.join(', ')} (default: read,write); of a network key: ${SCOPES.network.join(', ')} (default: all)`,
      scopeList,
    )
    .option('--expires <when>', EXPIRES, expiry)
    .action(({ program: wanted, kind, name = kind, scopes, expires }) => {
      if (scopes) requireScopesOf(kind, scopes);
      return session.run(async ({ db, masters }) => {
        const { digest } = await openVault(db, masters);
        const actor = await selectActor(db, wanted);
        const input = { kind, name, scopes, expiresAt: expires?.at ?? null };
        const created = await db.transaction((tx) =>
          announced(tx, actor, createKey(tx, digest, actor, input)),
        );
        return newKey('Created a key.', created);
      });
    });
  group
    .command('list')
    .description('List the keys of a program, without the secret values')
    .option(...PROGRAM)
    .action(({ program }) =>
      session.run(async ({ db }) =>
        keyList(session.terminal, await listKeys(db, (await selectProgram(db, program)).id)),
      ),
    );
  group
    .command('rotate')
    .description('Replace a key with a new one with the same scopes; the old key stays valid for the overlap')
    .argument('<key>', 'id of the key, or its last four characters')
    .addOption(
      new Option('--overlap <duration>', 'how long the old key stays valid: 30m, 24h, 7d, 0s')
        .argParser(durationMs)
        .default(86_400_000, '24h'),
    )
    .option('--expires <when>', `${EXPIRES} (default: the same as the old key)`, expiry)
    .action((wanted, { overlap, expires }) =>
      session.run(async ({ db, masters }) => {
        const [id, actor] = await selectOwnedKey(db, wanted);
        const { digest } = await openVault(db, masters);
        const created = await db.transaction((tx) =>
          announced(tx, actor, rotateKey(tx, digest, actor, id, overlap, expires?.at)),
        );
        const until = moment(new Date(Date.now() + overlap), '');
        return newKey(`Created a new key; the old key expires ${until} at the latest.`, created, id);
      }),
    );
  group
    .command('revoke')
    .description('Revoke a key immediately, on every server')
    .argument('<key>', 'id of the key, or its last four characters')
    .action((wanted) =>
      session.run(async ({ db }) => {
        const [id, actor] = await selectOwnedKey(db, wanted);
        const key = await revokeKey(db, actor, id);
        return { json: keyJson(key), text: `Revoked key ${key.id} (${key.name}, ${key.hint}).` };
      }),
    );
}

function requireScopesOf(kind: KeyKind, scopes: readonly Scope[]): void {
  const known: readonly Scope[] = SCOPES[kind];
  if (scopes.some((scope) => !known.includes(scope)))
    throw new InvalidArgumentError(`--scopes of a ${kind} key must be one or more of ${known.join(', ')}`);
}

/** The key's id, and the user of the command line as an actor of the key's program. */
async function selectOwnedKey(db: Database, wanted: string): Promise<[id: string, actor: Actor]> {
  const { id, programId } = await selectKey(db, wanted);
  return [id, await readActor(db, cliIdentity(), programId)];
}

async function announced(tx: Tx, actor: Actor, creating: Promise<CreatedKey>): Promise<CreatedKey> {
  const created = await creating;
  await announceKey(tx, actor, created.row);
  return created;
}

function newKey(title: string, { key, row }: CreatedKey, replacesId?: string): Output {
  const pairs: Array<[string, string]> = [
    ['id', row.id],
    ['kind', row.kind],
    ['name', row.name],
    ['scopes', row.scopes.join(', ')],
    ['expires', moment(row.expiresAt, 'never')],
    ['key', reveal(key)],
  ];
  const json = { ...keyJson(row), key: reveal(key), ...(replacesId && { replacesId }) };
  return {
    json,
    text: `${title}
${details(pairs)}
Save the key now: it is shown only once.`,
  };
}

function keyList(terminal: Terminal, keys: ApiKey[]): Output {
  const rows = keys.map((key) => [
    key.id,
    key.kind,
    key.name,
    key.hint,
    scopesOf(key).join(','),
    statusOf(key),
    moment(key.expiresAt, 'never'),
    moment(key.lastUsedAt, 'never'),
  ]);
  const names = ['ID', 'KIND', 'NAME', 'ENDS IN', 'SCOPES', 'STATUS', 'EXPIRES', 'LAST USED'];
  return {
    json: { keys: keys.map(keyJson) },
    text: table(terminal, names, rows, 'The program has no keys yet.'),
  };
}

export function statusOf({ revokedAt, expiresAt }: ApiKey): 'active' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active';
}

const keyJson = (key: ApiKey) => ({ ...key, scopes: scopesOf(key), status: statusOf(key) });
