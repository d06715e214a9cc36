import { randomUUID } from 'node:crypto';
import { localIdentity } from '../src/audit/entry.ts';
import { reveal } from '../src/kernel/secret.ts';
import { addOperator } from '../src/operators/manage-operators.ts';
import { createPasswords, generatePassword } from '../src/operators/password.ts';
import type { Stage } from './stage.ts';

/** An operator who may see every program. */
export async function addAdmin({
  db,
  vault: { digest },
}: Stage): Promise<{ email: string; password: string }> {
  const services = { digest, passwords: createPasswords(digest) };
  const email = `${randomUUID()}@example.com`;
  const person = { email, name: 'Bench', role: 'admin', programId: null } as const;
  const chosen = { password: generatePassword(), isTheirOwn: true };
  const { password } = await db.transaction((tx) =>
    addOperator(tx, services, localIdentity('bench'), person, chosen),
  );
  return { email, password: reveal(password) };
}
