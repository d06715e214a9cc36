import { createBatch } from '../../cards/batches/create-batch.ts';
import { cardBatches } from '../../cards/batches/create-rows.ts';
import type { CreateCardServices } from '../../cards/create-card.ts';
import type { Actor } from '../../programs/actor.ts';
import { makePerson } from './people.ts';

const ROWS = 12;
/** Added to the seed. */
const OTHER_PEOPLE = 1_000_000;
/** The sandbox's KYC provider answers by the prefix of the applicant id. */
const REFUSED: Record<number, string> = { 3: 'rejected', 7: 'pending', 10: 'mismatch' };
/** Far more than it takes. A worker of a running server creates what is left. */
const TURN_MS = 30_000;
/** The demo uses no Idempotency-Key, so no response is stored. */
const storeNothing = async () => {};

/** A file of cards that a manager uploaded. Some rows are refused, so that there is something to look for. */
export async function addBatch(
  stage: CreateCardServices & { actor: Actor; count: (what: string) => void },
  seed: number,
): Promise<void> {
  const { actor, count } = stage;
  const people = Array.from({ length: ROWS }, (_, index) => makePerson(seed + OTHER_PEOPLE, index));
  const rows = people.map(({ card }, index) => ({
    ...card,
    cardType: 'virtual' as const,
    kycApplicantId: `${REFUSED[index] ?? 'demo'}-new-applicant-${index + 1}`,
    meta: { ...card.meta, id: `demo-new-customer-${index + 1}` },
  }));
  await createBatch(stage, actor, rows, storeNothing);
  count('card batch');
  const turn = { deadline: performance.now() + TURN_MS, isStopping: () => false };
  await cardBatches(stage).work({ programId: actor.program.id }, turn);
}
