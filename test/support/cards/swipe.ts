import { insertTransactions } from '../../../src/authorizations/transactions/queries.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Program } from '../../../src/programs/program.ts';
import type { Answer, TestApp } from '../server/test-app.ts';
import { someTransaction } from './authorization-facts.ts';

/** A purchase in the simulator, approved or declined. */
export const swipe = async (
  app: TestApp,
  cardId: string,
  amount: string,
  changes: Record<string, unknown> = {},
  key: string = app.key,
): Promise<Answer['body']> => follow(app, 'authorizations', { card_id: cardId, amount, ...changes }, key);

/** What comes after: a reversal, a clearing, a refund. */
export async function follow(
  app: TestApp,
  path: 'authorizations' | 'increments' | 'reversals' | 'clearings' | 'refunds',
  body: Record<string, unknown>,
  key: string = app.key,
): Promise<Answer['body']> {
  const answer = await app.call('POST', `/api/v1/sandbox/${path}/`, { body, key });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/**
 * Many purchases of the past at once, evenly spread over a time and over the cards in turn. They can be listed; no
 * money moved. Returns them oldest first.
 */
export async function fillTransactions(
  app: TestApp,
  program: Program,
  cardIds: readonly string[],
  { count, fromMs, toMs }: { count: number; fromMs: number; toMs: number },
): Promise<Array<{ id: string; cardId: string }>> {
  const made = Array.from({ length: count }, (_, index) => {
    const ms = Math.floor(fromMs + ((toMs - fromMs) * index) / count);
    return { id: newId(ms), cardId: cardIds[index % cardIds.length] as string, createdAt: new Date(ms) };
  });
  const cleared = {
    status: 'CLEARED' as const,
    heldMinor: 0n,
    clearedMinor: 1_000n,
    clearedAmountMinor: 1_000n,
  };
  const rows = made.map(({ id, ...of }) =>
    someTransaction({ ...cleared, ...of, id, credentialId: id, clearedCurrency: 'EUR' }),
  );
  await app.db.transaction(async (tx) => insertTransactions(tx, program.id, rows));
  return made.sort((a, b) => (a.id < b.id ? -1 : 1));
}
