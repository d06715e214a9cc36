import { requestApproval } from '../../approvals/request-approval.ts';
import type { Identity } from '../../audit/entry.ts';
import { listCardIdsAfter } from '../../cards/queries.ts';
import { LOWEST_ID } from '../../kernel/ids.ts';
import type { Secret } from '../../kernel/secret.ts';
import { addOperator } from '../../operators/manage-operators.ts';
import { actorName } from '../../operators/operator.ts';
import { createPasswords } from '../../operators/password.ts';
import { readActor } from '../../programs/actor.ts';
import { updateProgram } from '../../programs/update-program.ts';
import type { DemoServices } from './plan.ts';

const ABOVE_MINOR = 1_000_00n;
const REQUEST = { amount: 1_250, reference: 'Case 4711: goodwill after a lost parcel' };

/** The second person of the demo: an administrator of its program, who waits for an approval. */
export interface Colleague {
  email: string;
  password: Secret;
}

export async function addColleague(
  { db, vault }: Pick<DemoServices, 'db' | 'vault'>,
  by: Identity,
  programId: string,
): Promise<Colleague> {
  const services = { digest: vault.digest, passwords: createPasswords(vault.digest) };
  // Each demo has a colleague of its own.
  const email = `noor-${programId.slice(-6)}@example.com`;
  const person = { name: 'Noor Haddad', email, role: 'admin', programId } as const;
  const { operator, password } = await db.transaction((tx) => addOperator(tx, services, by, person));
  const actor = await readActor(db, { ...by, name: actorName(operator) }, programId);
  await updateProgram(db, await readActor(db, by, programId), { secondPersonAboveMinor: ABOVE_MINOR });
  const [cardId] = await listCardIdsAfter(db, programId, LOWEST_ID, 1);
  await requestApproval(db, { ...actor, id: `operator:${operator.id}` }, 'adjustment', {
    cardId,
    ...REQUEST,
  });
  return { email, password };
}
