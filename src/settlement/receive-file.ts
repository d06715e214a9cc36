import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { newFileKey, saveSealed } from '../files/sealed-file.ts';
import type { FileStorage } from '../files/storage.ts';
import { makeDue } from '../jobs/queries.ts';
import type { Digest } from '../kernel/digest.ts';
import { EmbossError } from '../kernel/error.ts';
import { newId } from '../kernel/ids.ts';
import type { Actor } from '../programs/actor.ts';
import {
  type ClearingFile,
  type FileFormat,
  MOST_OPEN,
  type PresentedFile,
  presentFile,
} from './clearing-file.ts';
import { type FileKeeper, sealKey } from './file-keys.ts';
import {
  countOpenFiles,
  deleteUpload,
  findFile,
  hasUpload,
  insertFile,
  insertUpload,
  type NewFile,
} from './queries.ts';

const KEPT_DAYS = 90;
const RETRY_AFTER_SECONDS = 60;

export interface ReceiveServices {
  db: Database;
  keeper: FileKeeper;
  /** Of the content: a repeat is found by it. */
  digest: Digest;
  storage: FileStorage;
}

export interface GivenFile {
  fileId: string;
  settlementDate: string;
  isLast: boolean;
  format: FileFormat;
}

/** Seals a file while it arrives. A file that the program has is only compared. */
export async function receiveFile(
  services: ReceiveServices,
  actor: Actor,
  given: GivenFile,
  content: AsyncIterable<Buffer>,
): Promise<PresentedFile> {
  const { db, digest } = services;
  const { program } = actor;
  await digest.refresh();
  const found = await findFile(db, program.id, given.fileId);
  const file = found
    ? requireSame(digest, found, await hashOf(content))
    : await receiveNew(services, actor, given, content);
  return presentFile(file, program.currency);
}

async function receiveNew(
  services: ReceiveServices,
  actor: Actor,
  given: GivenFile,
  content: AsyncIterable<Buffer>,
): Promise<ClearingFile> {
  const { db, digest, storage } = services;
  const nowMs = actor.now();
  const { id: programId } = actor.program;
  if ((await countOpenFiles(db, programId)) >= MOST_OPEN) throw tooManyOpen();
  const id = newId(nowMs);
  // The key does not name the program, because links to a storage would show it.
  const upload = { programId, id, storageKey: `clearing-files/${id}` };
  await insertUpload(db, upload);
  const key = newFileKey();
  let isStored = false;
  try {
    const arrived = hashing(content);
    await saveSealed(storage, upload.storageKey, key, arrived.content);
    const { hash, bytes } = arrived.result();
    const file = { ...upload, ...given, digest: digest(hash), bytes, createdAt: new Date(nowMs) };
    isStored = await storeFile(services, file, key);
    const stored = (await findFile(db, programId, given.fileId)) as ClearingFile;
    return isStored ? stored : requireSame(digest, stored, hash);
  } finally {
    key.fill(0);
    if (!isStored) await removeUpload(services, upload);
  }
}

/** False: a file of the same name was faster. */
function storeFile({ db, keeper }: ReceiveServices, file: NewFile, key: Buffer): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (!(await insertFile(tx, file, KEPT_DAYS))) return false;
    await Promise.all([
      sealKey(keeper, tx, file, key, file.createdAt.getTime()),
      deleteUpload(tx, file),
      makeDue(tx, file.programId, ['clearing-files']),
    ]);
    return true;
  });
}

/** The first error is the one to report. */
async function removeUpload(
  { db, storage }: ReceiveServices,
  upload: { programId: string; id: string; storageKey: string },
): Promise<void> {
  try {
    // A lost answer of the commit leaves it open whether the file is stored. If it is, its upload is gone.
    if (!(await hasUpload(db, upload))) return;
    await storage.remove(upload.storageKey);
    await deleteUpload(db, upload);
  } catch {
    // The sweep finds it.
  }
}

function requireSame(digest: Digest, file: ClearingFile, hash: string): ClearingFile {
  if (digest.matches(file.digest, hash)) return file;
  throw new EmbossError(409, 'file_id: was already used with a different file');
}

const hashOf = async (content: AsyncIterable<Buffer>): Promise<string> => {
  const arrived = hashing(content);
  for await (const _chunk of arrived.content);
  return arrived.result().hash;
};

function hashing(given: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* content(): AsyncGenerator<Buffer> {
    for await (const chunk of given) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { content: content(), result: () => ({ hash: hash.digest('hex'), bytes }) };
}

const tooManyOpen = (): EmbossError =>
  new EmbossError(
    429,
    `A program can have at most ${MOST_OPEN} clearing files in progress; retry when one is completed`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
