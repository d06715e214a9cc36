import type { Claim } from '../http/idempotency-record.ts';
import { actorOf } from './actor.ts';

/** The claim of a request on its Idempotency-Key. */
export const claimOf = (
  request: { headers: Record<string, unknown>; getDecorator: <T>(name: string) => T },
  claim: Omit<Claim, 'programId' | 'key'>,
): Claim => ({
  ...claim,
  programId: actorOf(request).program.id,
  key: request.headers['idempotency-key'] as string | string[] | undefined,
});

/** Returns the answer, and marks a repeated one in the response. */
export async function markReplay<Answer>(
  reply: { header(name: string, value: string): unknown },
  answered: Promise<{ answer: Answer; replayed: boolean }>,
): Promise<Answer> {
  const { answer, replayed } = await answered;
  if (replayed) reply.header('idempotent-replayed', 'true');
  return answer;
}
