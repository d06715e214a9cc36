import { fillCards as fill, type People } from '../../../bench/fill-cards.ts';
import { lowestIdAt } from '../../../src/kernel/ids.ts';
import type { Program } from '../../../src/programs/program.ts';
import type { TestApp } from '../server/test-app.ts';

/**
 * Many cards of the past at once, evenly spread: the first at `fromMs`, the last just before `toMs`. They can
 * be listed; they have no number and no journal. Returns the ids of that stretch of time, oldest first.
 */
export async function fillCards(
  app: TestApp,
  program: Program,
  range: { count: number; fromMs: number; toMs: number } & People,
): Promise<string[]> {
  const { fromMs, toMs, ...cards } = range;
  const times = { from: new Date(fromMs), to: new Date(toMs) };
  await fill(app.db, app.vault, program, { designId: 'black', ...cards, ...times });
  const rows = await app.db.query<{ id: string }>(
    { text: 'select id from cards where program_id = $1 and id >= $2 and id < $3 order by id' },
    [program.id, lowestIdAt(fromMs), lowestIdAt(toMs)],
  );
  return rows.map(({ id }) => id);
}
