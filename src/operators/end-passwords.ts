import type { Identity } from '../audit/entry.ts';
import type { Database } from '../db/database.ts';
import { type Digest, digestKeyId } from '../kernel/digest.ts';
import { changeOperator } from './manage-operators.ts';
import type { Operator } from './operator.ts';
import { pepperedOf } from './password.ts';
import { listOperators } from './queries.ts';

/** Operators who can sign in and have not done so since a key of the vault was replaced: their passwords need it. */
export const findPasswordsUnder = async (db: Database, keyId: number): Promise<Operator[]> =>
  (await listOperators(db)).filter(
    ({ password, disabledAt }) => disabledAt === null && digestKeyId(pepperedOf(password)) === keyId,
  );

/** Without the key a password is lost: the account stays disabled until an administrator gives it a new one. */
export async function disablePasswordsUnder(
  db: Database,
  digest: Digest,
  by: Identity,
  keyId: number,
): Promise<void> {
  for (const { id } of await findPasswordsUnder(db, keyId))
    await changeOperator(db, { digest }, by, id, { enabled: false });
}
