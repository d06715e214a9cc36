import {
  type Accepted,
  type Ask,
  askConsole,
  differences,
  type Effect,
  type Json,
  type Look,
} from './effect.ts';
import { type Pool, remember } from './pool.ts';

/** A key that ends sooner than this may be over before it is tried. */
const SOON_MS = 10_000;
/** Times are told in whole seconds. */
const SECOND_MS = 1_000;

interface Key {
  kind: string;
  key: string;
  scopes: string[];
}

/** Whether it opens the door of its kind, and no more than its rights allow. */
async function triedKey(ask: Ask, { kind, key, scopes }: Key): Promise<'open' | 'closed' | 'wrong'> {
  const { status } =
    kind === 'network'
      ? await ask('POST', '/api/v1/network/reversals/', { networkKey: key, body: {} })
      : await ask('GET', '/api/v1/sandbox/clock/', { key });
  // An empty body is refused by its rules, and that only once the key was found good.
  const wanted = kind === 'network' ? 400 : scopes.includes('read') ? 200 : 403;
  return status === wanted ? 'open' : status === 401 ? 'closed' : 'wrong';
}

const isOpenFor = (expiresAt: string | null): boolean =>
  expiresAt === null || Date.parse(expiresAt) > Date.now() + SOON_MS;

async function listedKey(ask: Ask, pool: Pool, id: string | undefined): Promise<Json> {
  const { body } = await askConsole(ask, pool, 'keys/');
  return body.keys.find((key: Json) => key.id === id);
}

const rememberKey = ({ answer, pool }: Accepted): void =>
  remember(pool.keys, { id: answer.id, key: answer.key, kind: answer.kind });

export const createKey: Effect = async (accepted) => {
  const { sent, answer, ask } = accepted;
  rememberKey(accepted);
  const tried = await triedKey(ask, answer);
  return [
    ...differences(answer, { name: sent.name, kind: sent.kind }),
    ...(tried === 'open' ? [] : [`the door is ${tried} for a new key`]),
  ];
};

/** The key as it is before its successor comes, and when that was asked for. */
export const lookAtKey: Look = async ({ parameters }, pool, ask) => ({
  key: await listedKey(ask, pool, parameters['keyId']),
  askedMs: Date.now(),
});

/** After the overlap, but never later than it would have ended anyway. */
function isEndOfOverlap(
  end: string,
  ownEnd: string | null,
  askedMs: number,
  overlapSeconds: number,
): boolean {
  const sinceMs = Date.parse(end) - overlapSeconds * SECOND_MS;
  const isOfOverlap = sinceMs > askedMs - SECOND_MS && sinceMs <= Date.now();
  return ownEnd === null || Date.parse(ownEnd) > Date.parse(end)
    ? isOfOverlap
    : end === ownEnd && sinceMs <= Date.now();
}

export const rotateKey: Effect = async (accepted) => {
  const { request, sent, answer, before, pool, ask } = accepted;
  const id = request.parameters['keyId'];
  const secret = pool.keys.find((known) => known.id === id)?.key;
  rememberKey(accepted);
  const { kind, name, scopes, expiresAt } = before.key;
  const [old, successor] = [await listedKey(ask, pool, id), await listedKey(ask, pool, answer.id)];
  const wrong = [
    ...differences(answer, { kind, name, scopes, expiresAt, revokedAt: null }),
    ...differences(successor, { kind, name, scopes, expiresAt, revokedAt: null, hint: answer.hint }),
  ];
  if (!isEndOfOverlap(old.expiresAt, expiresAt, before.askedMs, sent.overlapSeconds))
    wrong.push(
      `the old key ends at ${old.expiresAt}, was to end at ${expiresAt}, with ${sent.overlapSeconds} seconds to overlap`,
    );
  const ofNew = await triedKey(ask, answer);
  if (isOpenFor(answer.expiresAt) && ofNew !== 'open') wrong.push(`the door is ${ofNew} for the successor`);
  if (secret === undefined) return wrong;
  const ofOld = await triedKey(ask, { kind, scopes, key: secret });
  if (sent.overlapSeconds === 0 && ofOld !== 'closed') wrong.push(`the door is ${ofOld} for the old key`);
  if (isOpenFor(old.expiresAt) && ofOld !== 'open')
    wrong.push(`the door is ${ofOld} for the old key while the two overlap`);
  return wrong;
};

export const revokeKey: Effect = async ({ request, pool, ask }) => {
  const known = pool.keys.find(({ id }) => id === request.parameters['keyId']);
  const tried = known ? await triedKey(ask, { ...known, scopes: [] }) : 'closed';
  return tried === 'closed' ? [] : [`the door is ${tried} for a revoked key`];
};
