import type { Queryable } from '../db/database.ts';
import type { Digest } from '../kernel/digest.ts';
import { isAtLeast, type Role } from '../programs/access.ts';
import type { Operator } from './operator.ts';
import { findOperators } from './queries.ts';
import { isUnaltered } from './seals.ts';

/** The operator, if the account is enabled and has at least this role in the program now (null: in all programs). */
export async function findEntitled(
  db: Queryable,
  { digest, onError }: { digest: Digest; onError: (error: unknown) => void },
  id: string,
  programId: string | null,
  role: Role,
): Promise<Operator | undefined> {
  const [operator] = await findOperators(db, [id]);
  if (!operator || operator.disabledAt !== null || !isUnaltered(digest, operator, onError)) return undefined;
  const isHere = operator.programId === null || operator.programId === programId;
  return isHere && isAtLeast(operator.role, role) ? operator : undefined;
}
