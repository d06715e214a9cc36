import type { Submit } from '../authorizations/engine/engine.ts';
import type { Database } from '../db/database.ts';
import { openSealed } from '../files/sealed-file.ts';
import type { FileStorage } from '../files/storage.ts';
import type { Job, Turn } from '../jobs/job.ts';
import { programJob } from '../jobs/program-job.ts';
import { MS_PER_DAY } from '../kernel/calendar.ts';
import { wipe } from '../kernel/secret.ts';
import type { Program } from '../programs/program.ts';
import { readProgram } from '../programs/queries.ts';
import { bookFile } from './book-file.ts';
import { createCheck } from './check-file.ts';
import type { ClearingFile } from './clearing-file.ts';
import { endClearingFile } from './end-file.ts';
import { type FileKeeper, openKey } from './file-keys.ts';
import { findOpenFile, updateCheck, updateChecked } from './queries.ts';
import { type ReadRecord, readHead, readRecords } from './read-records.ts';
import type { RecordMessages } from './record.ts';
import { rejectionOf } from './rejection.ts';

export interface FileServices {
  db: Database;
  keeper: FileKeeper;
  storage: FileStorage;
  messages: RecordMessages;
  submit: Submit;
}

/** Between two looks at the time that is left. */
const RECORDS_PER_LOOK = 256;

/**
 * Checks and books the files of a program, one after the other. The position is stored, and each step of a worker depends
 * on the position that it has read: any number of workers may run, and one that was killed is no loss.
 */
export const clearingFiles = (services: FileServices): Job =>
  programJob(services.db, 'clearing-files', { everyMs: 500, atOnce: 1 }, async (programId, turn, nowMs) => {
    while (mayGoOn(turn)) {
      const file = await findOpenFile(services.db, programId);
      if (!file) return nowMs + MS_PER_DAY;
      const { program } = await readProgram(services.db, programId);
      await workOn(services, program, file, turn);
    }
    return nowMs;
  });

const mayGoOn = ({ isStopping, deadline }: Turn): boolean => !isStopping() && performance.now() < deadline;

async function workOn(services: FileServices, program: Program, file: ClearingFile, turn: Turn) {
  const records = await openRecords(services, file);
  if (file.isChecked) await bookFile(services, program, file, records, () => mayGoOn(turn));
  else await checkFile(services, program, file, records, turn);
}

/** From the file's position. */
async function openRecords({ db, keeper, storage }: FileServices, file: ClearingFile) {
  const key = await openKey(keeper, db, file);
  const { format, position } = file;
  const open = (from: number) => openSealed(storage, file.storageKey as string, key, from);
  const head = format === 'csv' && position.bytes > 0 ? await readHead(open(0)) : undefined;
  return readRecords(open(position.bytes), format, { position, head });
}

/** Up to the end of the file or of the turn. */
async function checkFile(
  services: FileServices,
  program: Program,
  file: ClearingFile,
  records: AsyncIterable<ReadRecord>,
  turn: Turn,
): Promise<void> {
  const { db } = services;
  const check = createCheck({ program, messages: services.messages }, file);
  try {
    let seen = 0;
    for await (const read of records) {
      if (read.kind === 'record') wipe(read.number);
      check.accept(read);
      if (++seen % RECORDS_PER_LOOK !== 0 || check.isEnding() || mayGoOn(turn)) continue;
      await updateCheck(db, file, read.end, check.tally());
      return;
    }
    check.finish();
  } catch (error) {
    const rejected = rejectionOf(error);
    if (!rejected) throw error;
    await endClearingFile(db, file, 'REJECTED', rejected);
    return;
  }
  await updateChecked(db, file, check.tally());
}
