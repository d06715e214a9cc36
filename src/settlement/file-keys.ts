import type { Database, Tx } from '../db/database.ts';
import type { SealedRecords } from '../db/sealed-records.ts';
import { newId } from '../kernel/ids.ts';
import type { ClearingFile } from './clearing-file.ts';

/** The keys of files are vault records: a rotation of keys reseals them. */
export type FileKeeper = SealedRecords<'clearing-file'>;
type Owner = Pick<ClearingFile, 'programId' | 'id'>;

const refOf = ({ programId, id }: Owner) => ({ programId, ownerId: id, kind: 'clearing-file' as const });

export const sealKey = (keeper: FileKeeper, tx: Tx, file: Owner, key: Buffer, nowMs: number): Promise<void> =>
  keeper.sealRecord(tx, { ...refOf(file), id: newId(nowMs) }, key.toString('base64'));

export async function openKey(keeper: FileKeeper, db: Database, { programId, id }: Owner): Promise<Buffer> {
  const records = await keeper.openRecords(db, programId, 'clearing-file', [id]);
  return Buffer.from(records.get(id) as string, 'base64');
}

export const eraseKey = (keeper: FileKeeper, tx: Tx, file: Owner): Promise<void> =>
  keeper.eraseRecord(tx, refOf(file));
