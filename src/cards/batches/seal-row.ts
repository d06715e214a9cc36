import type { Database } from '../../db/database.ts';
import type { Vault } from '../../vault/vault.ts';
import type { CreateCardBody } from '../schema.ts';
import type { PendingRow } from './queries.ts';

interface Services {
  db: Database;
  vault: Pick<Vault, 'sealText' | 'openText'>;
}
type RowRef = Pick<PendingRow, 'programId' | 'batchId' | 'id'>;

const bindingOf = ({ programId, batchId, id }: RowRef): string[] => [
  programId,
  'card-batch-row',
  batchId,
  id,
];

export const sealRow = ({ db, vault }: Services, row: RowRef, body: CreateCardBody): Promise<Buffer> =>
  vault.sealText(db, bindingOf(row), JSON.stringify(body));

export const openRow = async ({ db, vault }: Services, row: PendingRow): Promise<CreateCardBody> =>
  JSON.parse(await vault.openText(db, bindingOf(row), row.sealed));
