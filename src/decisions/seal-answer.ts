import type { Queryable } from '../db/database.ts';
import type { SecretKeeper } from '../outbound/signing-secret.ts';
import type { DecisionEndpoint, LastFailure } from './decision.ts';

type Of = Pick<DecisionEndpoint, 'programId' | 'kind'>;

const bindingOf = ({ programId, kind }: Of): string[] => ['decision-answer', programId, kind];

/** What a merchant's server answered may contain personal data: it is stored sealed, as base64. */
export async function sealAnswer(
  keeper: SecretKeeper,
  db: Queryable,
  endpoint: Of,
  failure: LastFailure,
): Promise<LastFailure> {
  const { answerStart } = failure;
  if (answerStart === null) return failure;
  const sealed = await keeper.sealText(db, bindingOf(endpoint), answerStart);
  return { ...failure, answerStart: sealed.toString('base64') };
}

/** Null also after the key of the seal was destroyed, a day after a rotation. */
export async function openAnswer(
  keeper: SecretKeeper,
  db: Queryable,
  endpoint: Of,
  { answerStart }: LastFailure,
): Promise<string | null> {
  if (answerStart === null) return null;
  return keeper.openText(db, bindingOf(endpoint), Buffer.from(answerStart, 'base64')).catch(() => null);
}
