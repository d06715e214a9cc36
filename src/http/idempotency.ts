import type { Database, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { isCleanText } from '../kernel/text.ts';
import { findIdempotencyRecord, insertIdempotencyRecord } from './queries.ts';

/** The same key with the same request returns the same answer. */
export interface Claim {
  programId: string;
  endpoint: string;
  key: string | string[] | undefined;
  /** Path parameters and body. */
  request: unknown;
}

/** An operation calls it last, with its answer and inside its own transaction: effect and answer commit together. */
export type Remember = (tx: Tx, answer: unknown) => Promise<void>;

export type AnswerOnce = <Answer>(
  claim: Claim,
  operation: (remember: Remember) => Promise<Answer>,
) => Promise<{ answer: Answer; replayed: boolean }>;

/** Stored answers may contain cardholder data, so they are sealed; the request is stored as a keyed digest. */
export type AnswerKeeper = Pick<SealedRecords<never>, 'sealText' | 'openText'> & { digest: Digest };

const MAX_KEY_LENGTH = 255;
const MAX_WAIT_MS = 30_000;

const stillUnderWay = (): EmbossError =>
  new EmbossError(409, 'Idempotency-Key: a request with this key is in progress; retry');

export function createAnswerOnce(db: Database, keeper: AnswerKeeper): AnswerOnce {
  /** Requests in progress in this process. Copies wait here, so that the KYC provider is called once. */
  const underWay = new Map<string, Promise<unknown>>();

  async function attempt<Answer>(
    claim: Claim,
    keyText: string,
    operation: (remember: Remember) => Promise<Answer>,
  ) {
    const { programId, endpoint } = claim;
    await keeper.digest.refresh();
    // One digest per live key of the vault: every process knows at least one of them, so copies on other processes are found.
    const keyDigests = keeper.digest.all('idempotency-key', keyText);
    const requestText = canonicalJson(claim.request);
    const requestDigest = keeper.digest('idempotent-request', requestText);
    const bindingOf = (keyDigest: Buffer) => [programId, 'idempotency', endpoint, keyDigest.toString('hex')];
    const replay = async () => {
      const record = await findIdempotencyRecord(db, programId, endpoint, keyDigests);
      if (!record) return undefined;
      if (!keeper.digest.matches(record.requestDigest, 'idempotent-request', requestText))
        throw new EmbossError(409, 'Idempotency-Key: was already used with a different request');
      return {
        answer: JSON.parse(await keeper.openText(db, bindingOf(record.keyDigest), record.answer)) as Answer,
        replayed: true,
      };
    };
    const known = await replay();
    if (known) return known;
    const beaten = stillUnderWay();
    try {
      const answer = await operation(async (tx, value) => {
        const text = JSON.stringify(value);
        for (const keyDigest of keyDigests) {
          const sealed = await keeper.sealText(tx, bindingOf(keyDigest), text);
          const row = { programId, endpoint, keyDigest, requestDigest, answer: sealed };
          if (!(await insertIdempotencyRecord(tx, row))) throw beaten;
        }
      });
      return { answer, replayed: false };
    } catch (error) {
      // Another process committed first: our transaction rolls back, and its answer is returned.
      if (error !== beaten) throw error;
      const first = await replay();
      if (first) return first;
      throw beaten;
    }
  }

  return async (claim, operation) => {
    if (claim.key === undefined) return { answer: await operation(async () => {}), replayed: false };
    const keyText = checkKey(claim.key);
    const place = JSON.stringify([claim.programId, claim.endpoint, keyText]);
    const deadline = performance.now() + MAX_WAIT_MS;
    for (let ahead = underWay.get(place); ahead; ahead = underWay.get(place)) {
      // Copies run one after the other and each may time out; the last must not wait for the sum.
      if (performance.now() > deadline) throw stillUnderWay();
      await ahead.catch(() => {});
    }
    const run = attempt(claim, keyText, operation);
    underWay.set(place, run);
    try {
      return await run;
    } finally {
      underWay.delete(place);
    }
  };
}

function checkKey(key: string | string[]): string {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH || !isCleanText(key))
    throw invalid('Idempotency-Key', `must be 1 to ${MAX_KEY_LENGTH} printable characters`);
  return key;
}

/**
 * Objects are compared by content: the order of their keys does not matter. It keeps its own stack, because an ignored
 * field may nest deeper than the call stack allows.
 */
function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  const pending: Array<{ text: string } | { value: unknown }> = [{ value }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null)
      parts.push(JSON.stringify(next.value) ?? '');
    else for (const member of members(next.value).reverse()) pending.push(member);
  }
  return parts.join('');
}

function members(item: object): Array<{ text: string } | { value: unknown }> {
  if (Array.isArray(item))
    return [{ text: '[' }, ...item.flatMap((value) => [{ value }, { text: ',' }]), { text: ']' }];
  const sorted = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1));
  const inside = sorted.flatMap(([key, value]) => [
    { text: `${JSON.stringify(key)}:` },
    { value },
    { text: ',' },
  ]);
  return [{ text: '{' }, ...inside, { text: '}' }];
}
