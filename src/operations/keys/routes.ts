import type { Database } from '../../db/database.ts';
import { badRequest, errorResponses, refusal, success } from '../../http/schemas.ts';
import type { App } from '../../http/server.ts';
import { formatTimestamp } from '../../kernel/calendar.ts';
import type { Digest } from '../../kernel/digest.ts';
import { invalid, notFound } from '../../kernel/error.ts';
import { reveal } from '../../kernel/secret.ts';
import { Message } from '../../operators/schema.ts';
import { type CreatedKey, createKey, revokeKey, rotateKey } from '../../programs/manage-keys.ts';
import type { ApiKey, Caller, Scope } from '../../programs/program.ts';
import { listKeys } from '../../programs/queries.ts';
import { ProgramPath } from '../console-schema.ts';
import { EXAMPLE_KEY, KeyBody, KeyList, KeyPath, NewKey, RotateBody } from './schema.ts';

const MS_PER_SECOND = 1_000;
const SHOWN_ONCE = { ...EXAMPLE_KEY, key: 'emboss_merchant_…' };

export function keyRoutes(app: App, { db, digest }: { db: Database; digest: Digest }): void {
  const about = (operationId: string, summary: string) => ({ tags: ['Console'], operationId, summary });
  const callerOf = (request: { getDecorator: <T>(name: string) => T }) =>
    request.getDecorator<Caller>('caller');
  const actorOf = (request: { id: string; getDecorator: <T>(name: string) => T }) => {
    const { actor, address } = callerOf(request);
    return { actor, address, requestId: request.id };
  };

  app.get(
    '/keys/',
    {
      schema: {
        ...about('listKeys', 'List API keys'),
        params: ProgramPath,
        response: {
          200: success(KeyList, 'All of them, never the keys themselves', { keys: [EXAMPLE_KEY] }),
          ...errorResponses(401, 403, 404, 500, 503),
        },
      },
    },
    async (request) => {
      const keys = await listKeys(db, callerOf(request).program.id);
      return { keys: keys.map(presentKey) };
    },
  );

  app.post(
    '/keys/',
    {
      schema: {
        ...about('createKey', 'Create an API key'),
        params: ProgramPath,
        body: KeyBody,
        response: {
          201: success(NewKey, 'Created; the key is shown this once', SHOWN_ONCE),
          ...badRequest([400, 'name: is required']),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { program } = callerOf(request);
      const { kind, name } = request.body;
      const input = { programId: program.id, kind, name, scopes: scopesOf(request.body), expiresAt: null };
      const created = await db.transaction((tx) => createKey(tx, digest, input, actorOf(request)));
      return reply.code(201).send(presentNew(created));
    },
  );

  app.post(
    '/keys/:keyId/rotate/',
    {
      schema: {
        ...about('rotateKey', 'Create a successor of an API key'),
        description: 'With the same rights. The old key stays valid for the overlap.',
        params: KeyPath,
        body: RotateBody,
        response: {
          201: success(NewKey, 'The successor; it is shown this once', SHOWN_ONCE),
          ...badRequest([400, 'overlapSeconds: is required']),
          ...refusal(409, 'It has ended', 'The key is revoked or expired; create a new one'),
          ...errorResponses(401, 403, 404, 413, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id } = await findKey(db, caller, request.params.keyId);
      const overlapMs = request.body.overlapSeconds * MS_PER_SECOND;
      const created = await rotateKey(db, digest, id, overlapMs, actorOf(request));
      return reply.code(201).send(presentNew(created));
    },
  );

  app.delete(
    '/keys/:keyId/',
    {
      schema: {
        ...about('revokeKey', 'Revoke an API key'),
        description: 'At once, on every process.',
        params: KeyPath,
        response: {
          200: success(Message, 'Revoked', { message: 'The key is revoked' }),
          ...errorResponses(401, 403, 404, 500, 503),
        },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const { id } = await findKey(db, caller, request.params.keyId);
      await revokeKey(db, id, actorOf(request));
      return { message: 'The key is revoked' };
    },
  );
}

function scopesOf({ kind, scopes }: { kind: string; scopes?: Scope[] }): Scope[] {
  if (kind === 'merchant') return [...new Set(scopes ?? (['read', 'write'] as const))];
  if (scopes && scopes.length > 0) throw invalid('scopes', 'is for merchant keys; a network key has none');
  return [];
}

/** A program's keys are few; which program a key belongs to never changes. */
async function findKey(db: Database, { program }: Caller, keyId: string): Promise<ApiKey> {
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
    scopes,
    created: formatTimestamp(times.createdAt),
    expiresAt: timeOrNull(times.expiresAt),
    lastUsedAt: timeOrNull(times.lastUsedAt),
    revokedAt: timeOrNull(times.revokedAt),
  };
}

const presentNew = ({ key, row }: CreatedKey) => ({ ...presentKey(row), key: reveal(key) });
