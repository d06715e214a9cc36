import { insertAdjustment } from '../../../src/cards/queries.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Program } from '../../../src/programs/program.ts';
import type { TestApp } from '../server/test-app.ts';

/** Many adjustments of the past, for the cards in turn. They can be listed; no money moved. Returns them oldest first. */
export async function fillAdjustments(
  app: TestApp,
  program: Program,
  cardIds: readonly string[],
  { count, fromMs, toMs }: { count: number; fromMs: number; toMs: number },
): Promise<Array<{ id: string; cardId: string }>> {
  const made = Array.from({ length: count }, (_, index) => {
    const ms = Math.floor(fromMs + ((toMs - fromMs) * index) / count);
    return { id: newId(ms), cardId: cardIds[index % cardIds.length] as string, createdAt: new Date(ms) };
  });
  await app.db.transaction(async (tx) => {
    for (const each of made)
      insertAdjustment(tx, { programId: program.id, amountMinor: 1n, reference: 'filled', ...each });
  });
  return made.sort((a, b) => (a.id < b.id ? -1 : 1));
}
