import type { Database, Tx } from '../db/database.ts';
import { EmbossError, invalid } from '../kernel/error.ts';
import { isCleanText } from '../kernel/text.ts';
import { type AnswerKeeper, type Claim, type KeyRecord, openKeyRecord } from './idempotency-record.ts';
import { createQueue } from './queue.ts';

/** An operation calls it last, with its answer and inside its own transaction: effect and answer commit together. */
export type Remember = (tx: Tx, answer: unknown) => Promise<void>;

interface Answered<Answer> {
  answer: Answer;
  replayed: boolean;
}

/** For an operation that writes in one transaction of its own. */
export type AnswerOnce = <Answer>(
  claim: Claim,
  operation: (remember: Remember) => Promise<Answer>,
) => Promise<Answered<Answer>>;

/**
 * For an operation that commits elsewhere and is idempotent by an id. The key is bound to the request and to a new id
 * before the operation runs, so a retry after a crash at any point runs it with the same id. An operation that throws a
 * 4xx has changed nothing, and its key is free again.
 */
export type AnswerById = <Answer>(
  claim: Claim,
  newId: () => string,
  operation: (id: string) => Promise<Answer>,
) => Promise<Answered<Answer>>;

export interface Idempotency {
  answerOnce: AnswerOnce;
  answerById: AnswerById;
}

const MAX_KEY_LENGTH = 255;

const stillUnderWay = (): EmbossError =>
  new EmbossError(409, 'Idempotency-Key: a request with this key is in progress; retry');

export function createIdempotency(db: Database, keeper: AnswerKeeper): Idempotency {
  // Copies of a request wait in this process, so that the KYC provider is called once.
  const inTurn = createQueue(stillUnderWay);
  const withRecord = <Answer>(
    claim: Claim,
    key: string | string[],
    run: (record: KeyRecord) => Promise<Answered<Answer>>,
  ) => {
    const keyText = checkKey(key);
    return inTurn(JSON.stringify([claim.programId, claim.endpoint, keyText]), async () =>
      run(await openKeyRecord(db, keeper, claim, keyText)),
    );
  };
  return {
    answerOnce: async (claim, operation) =>
      claim.key === undefined
        ? { answer: await operation(async () => {}), replayed: false }
        : withRecord(claim, claim.key, (record) => runOnce(record, operation)),
    answerById: async (claim, newId, operation) =>
      claim.key === undefined
        ? { answer: await operation(newId()), replayed: false }
        : withRecord(claim, claim.key, (record) => runById(db, record, newId(), operation)),
  };
}

async function runOnce<Answer>(
  record: KeyRecord,
  operation: (remember: Remember) => Promise<Answer>,
): Promise<Answered<Answer>> {
  const replay = async () => {
    const found = await record.find();
    return found && { answer: JSON.parse(found.text) as Answer, replayed: true };
  };
  const known = await replay();
  if (known) return known;
  const beaten = stillUnderWay();
  try {
    const answer = await operation(async (tx, value) => {
      if (!(await record.insert(tx, JSON.stringify(value)))) throw beaten;
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

/** The record of an operation by id. Without an answer, the operation is in progress, or its process ended. */
interface Begun<Answer> {
  id: string;
  answer?: Answer;
}

async function runById<Answer>(
  db: Database,
  record: KeyRecord,
  newId: string,
  operation: (id: string) => Promise<Answer>,
): Promise<Answered<Answer>> {
  const known = await record.find();
  const inserted = known ? undefined : await begin(db, record, newId);
  const found = known ?? (inserted ? undefined : await record.find());
  const rows = found?.rows ?? inserted;
  // Another process took the key, and freed it again because its request was refused.
  if (!rows) throw stillUnderWay();
  const begun = found ? (JSON.parse(found.text) as Begun<Answer>) : { id: newId };
  if (begun.answer !== undefined) return { answer: begun.answer, replayed: true };
  const { id } = begun;
  try {
    const answer = await operation(id);
    await db.transaction((tx) => record.update(tx, rows, JSON.stringify({ id, answer })));
    return { answer, replayed: id !== newId };
  } catch (error) {
    if (error instanceof EmbossError && error.httpStatus < 500)
      await db.transaction((tx) => record.remove(tx, rows));
    throw error;
  }
}

/** Binds the key to the request and the id. Undefined if another process was first. */
async function begin(db: Database, record: KeyRecord, id: string): ReturnType<KeyRecord['insert']> {
  const beaten = stillUnderWay();
  try {
    return await db.transaction(async (tx) => {
      const rows = await record.insert(tx, JSON.stringify({ id }));
      if (!rows) throw beaten;
      return rows;
    });
  } catch (error) {
    if (error !== beaten) throw error;
    return undefined;
  }
}

function checkKey(key: string | string[]): string {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH || !isCleanText(key))
    throw invalid('Idempotency-Key', `must be 1 to ${MAX_KEY_LENGTH} printable characters`);
  return key;
}
