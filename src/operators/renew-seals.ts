import type { Database } from '../db/database.ts';
import { type Digest, digestKeyId } from '../kernel/digest.ts';
import { changeOperator } from './manage-operators.ts';
import type { Operator } from './operator.ts';
import { pepperedOf } from './password.ts';
import { listOperators, lockOperator, updateOperator } from './queries.ts';
import { isUnaltered, sealOperator } from './seals.ts';

/** Seals the accounts under the vault's newest key; a row that was altered stops it. Returns how many it sealed. */
export async function renewSeals(db: Database, digest: Digest): Promise<number> {
  const older = (await listOperators(db)).filter(({ rightsSeal }) => !digest.isCurrent(rightsSeal));
  for (const { id } of older)
    await db.transaction(async (tx) => {
      const operator = await lockOperator(tx, id);
      if (operator && isUnaltered(digest, operator, refuse))
        await updateOperator(tx, { ...operator, rightsSeal: sealOperator(digest, operator) });
    });
  return older.length;
}

const refuse = (error: unknown): never => {
  throw error;
};

/** Operators who can sign in and have not done so since a key of the vault was replaced: their passwords need it. */
export const findPasswordsUnder = async (db: Database, keyId: number): Promise<Operator[]> =>
  (await listOperators(db)).filter(
    ({ password, disabledAt }) => disabledAt === null && digestKeyId(pepperedOf(password)) === keyId,
  );

/** Without the key a password is lost: the account stays closed until an administrator gives it a new one. */
export async function disablePasswordsUnder(
  db: Database,
  digest: Digest,
  keyId: number,
  actor: string,
): Promise<void> {
  for (const { id } of await findPasswordsUnder(db, keyId))
    await changeOperator(db, { digest }, id, { enabled: false }, actor);
}
