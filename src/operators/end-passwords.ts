import type { Identity } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import { type Digest, digestKeyId } from '../kernel/digest.ts';
import { changeOperator } from './manage-operators.ts';
import type { Operator } from './operator.ts';
import { pepperedOf } from './password.ts';
import { listOperators } from './queries.ts';

/** Enabled operators who have not signed in since the rotation of this vault key: their passwords need it. */
export const findPasswordsUnder = async (db: Database, keyId: number): Promise<Operator[]> =>
  (await listOperators(db)).filter(
    ({ password, disabledAt }) => disabledAt === null && digestKeyId(pepperedOf(password)) === keyId,
  );

/** Disables operators whose passwords cannot be checked without the key. They need a new password. */
export async function disablePasswordsUnder(
  db: Database,
  digest: Digest,
  by: Identity,
  keyId: number,
): Promise<void> {
  for (const { id } of await findPasswordsUnder(db, keyId))
    await changeOperator(db, { digest }, by, id, { enabled: false });
}
