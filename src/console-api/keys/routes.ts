import type { Database, Tx } from '../../db/database.ts';
import { badRequest, Message, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import type { Digest } from '../../kernel/digest.ts';
import { notFound } from '../../kernel/error.ts';
import type { Counter, Metrics } from '../../kernel/metric.ts';
import { reveal } from '../../kernel/secret.ts';
import type { Access } from '../../programs/access.ts';
import { type Actor, actorOf } from '../../programs/actor.ts';
import {
  announceKey,
  limitCredentialsKeys,
  MOST_CREDENTIALS_KEYS,
  needsPassword,
  revealsNumbers,
} from '../../programs/credentials-key.ts';
import { type CreatedKey, checkScopes, createKey, revokeKey, rotateKey } from '../../programs/manage-keys.ts';
import { type ApiKey, DEFAULT_SCOPES, type Scope, scopesOf } from '../../programs/program.ts';
import { listKeys } from '../../programs/queries.ts';
import { type ConfirmServices, confirmRequest, type OperatorRequest } from '../confirm-request.ts';
import { EXAMPLE_KEY, KeyBody, KeyList, KeyPath, NewKey, RotateBody } from './schema.ts';

const MS_PER_SECOND = 1_000;
const SHOWN_ONCE = { ...EXAMPLE_KEY, key: 'emboss_live_merchant_…' };

/** The additional conditions for a key with dangerous scopes. */
const CONFIRMED =
  'The operator must confirm a key with the scope `credentials`, `reveal` or `decisions` with the password. A key with `credentials` or `reveal` can reveal card numbers: a program can create at most 5 such keys an hour, and each one creates the event `security.credentials_key_created`.';

export const CREDENTIALS_KEYS: Counter = {
  type: 'counter',
  name: 'emboss_credentials_keys_created_total',
  help: 'API keys created in the console that can reveal card numbers.',
  labels: {},
};

export interface KeyRouteServices {
  db: Database;
  digest: Digest;
  signIn: ConfirmServices;
  metrics: Metrics;
}

export function keyRoutes(app: App, { db, digest, signIn, metrics }: KeyRouteServices): void {
  const ADMIN = { role: 'admin' } as const satisfies Access;

  /** All key routes of the console create keys through this function, including rotation. */
  async function makeKey(
    request: KeyRequest,
    rights: { scopes: readonly Scope[] },
    create: (tx: Tx, actor: Actor) => Promise<CreatedKey>,
  ): Promise<ReturnType<typeof presentNew>> {
    const actor = actorOf(request);
    const { program } = actor;
    const isAlarming = revealsNumbers(rights);
    // Checked before the second factor's code is used up, and again under the lock.
    if (isAlarming) await db.transaction((tx) => limitCredentialsKeys(tx, program.id));
    if (needsPassword(rights)) await confirmRequest(signIn, request);
    const created = await db.transaction(async (tx) => {
      if (isAlarming) await limitCredentialsKeys(tx, program.id);
      const made = await create(tx, actor);
      await announceKey(tx, actor, made.row);
      return made;
    });
    if (isAlarming) {
      metrics.count(CREDENTIALS_KEYS, {});
      request.log.warn(
        {
          reqId: request.id,
          programId: program.id,
          keyId: created.row.id,
          actor: actor.id,
          address: actor.address,
        },
        'an API key that can reveal card numbers was created',
      );
    }
    return presentNew(created);
  }

  app.get(
    '/keys/',
    {
      config: { role: 'viewer' } satisfies Access,
      schema: {
        operationId: 'listKeys',
        summary: 'List API keys',
        response: { 200: success(KeyList, 'All keys, without the secret values', { keys: [EXAMPLE_KEY] }) },
      },
    },
    async (request) => {
      const keys = await listKeys(db, actorOf(request).program.id);
      return { keys: keys.map(presentKey) };
    },
  );

  app.post(
    '/keys/',
    {
      config: ADMIN,
      schema: {
        operationId: 'createKey',
        summary: 'Create an API key',
        description: CONFIRMED,
        body: KeyBody,
        response: {
          201: success(NewKey, 'Created. The key is shown only once', SHOWN_ONCE),
          ...badRequest([400, 'name: is required'], [400, 'password: is wrong']),
          ...tooMany,
        },
      },
    },
    async (request, reply) => {
      const { kind, name } = request.body;
      const scopes = [...new Set(request.body.scopes ?? DEFAULT_SCOPES[kind])];
      // Before the second factor's code is used up.
      checkScopes(kind, scopes);
      const input = { kind, name, scopes, expiresAt: null };
      const key = await makeKey(request, input, (tx, actor) => createKey(tx, digest, actor, input));
      return reply.code(201).send(key);
    },
  );

  app.post(
    '/keys/:keyId/rotate/',
    {
      config: ADMIN,
      schema: {
        operationId: 'rotateKey',
        summary: 'Rotate an API key',
        description: `Creates a new key with the same scopes. The old key stays valid for the overlap. ${CONFIRMED}`,
        params: KeyPath,
        body: RotateBody,
        response: {
          201: success(NewKey, 'The new key. It is shown only once', SHOWN_ONCE),
          ...badRequest([400, 'overlapSeconds: is required'], [400, 'password: is wrong']),
          ...tooMany,
          ...refusal(409, 'The key is revoked or expired', 'The key is revoked or expired; create a new one'),
        },
      },
    },
    async (request, reply) => {
      const old = await findKey(db, actorOf(request), request.params.keyId);
      const overlapMs = request.body.overlapSeconds * MS_PER_SECOND;
      const key = await makeKey(request, old, (tx, actor) => rotateKey(tx, digest, actor, old.id, overlapMs));
      return reply.code(201).send(key);
    },
  );

  app.delete(
    '/keys/:keyId/',
    {
      config: ADMIN,
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke an API key',
        description: 'Takes effect immediately, on every server.',
        params: KeyPath,
        response: { 200: success(Message, 'Revoked', { message: 'The key is revoked' }) },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id } = await findKey(db, actor, request.params.keyId);
      await revokeKey(db, actor, id);
      return { message: 'The key is revoked' };
    },
  );
}

interface KeyRequest extends OperatorRequest {
  log: { warn: (fields: object, message: string) => void };
  body: unknown;
}

const tooMany = refusal(
  429,
  'Too many keys',
  `scopes: at most ${MOST_CREDENTIALS_KEYS} keys with "credentials" or "reveal" an hour in a program; retry in 42 min`,
);

/** A program has few keys, so the list is searched. A key never moves to another program. */
async function findKey(db: Database, { program }: Actor, keyId: string): Promise<ApiKey> {
  const key = (await listKeys(db, program.id)).find(({ id }) => id === keyId);
  if (!key) throw notFound();
  return key;
}

const timeOrNull = (time: Date | null) => time && formatTimestamp(time);

function presentKey({ id, kind, name, hint, scopes, ...times }: ApiKey) {
  return {
    id,
    kind,
    name,
    hint,
    scopes: [...scopesOf({ kind, scopes })],
    created: formatTimestamp(times.createdAt),
    expiresAt: timeOrNull(times.expiresAt),
    lastUsedAt: timeOrNull(times.lastUsedAt),
    revokedAt: timeOrNull(times.revokedAt),
  };
}

const presentNew = ({ key, row }: CreatedKey) => ({ ...presentKey(row), key: reveal(key) });
