import type { EachProgram } from '../database.ts';
import { isNodeLoss } from '../failures.ts';

/** How long programs are queried one by one, and those of a lost node not at all. */
const AVOIDED_MS = 30_000;
const AT_ONCE = 8;

/**
 * Queries all programs with one statement. After a cluster has lost a node, programs are queried one by one for a while,
 * without those of that node: they wait, and the others do not.
 */
export function createEachProgram(): EachProgram {
  let oneByOneUntil = Number.NEGATIVE_INFINITY;
  let lost = new Set<string>();
  return async (listIds, query) => {
    try {
      if (performance.now() >= oneByOneUntil) return { rows: await query(), missed: new Set() };
    } catch (error) {
      if (!isNodeLoss(error)) throw error;
      oneByOneUntil = performance.now() + AVOIDED_MS;
      lost = new Set();
    }
    const known = lost;
    const missed = new Set<string>();
    const answers: Array<Awaited<ReturnType<typeof query>>> = [];
    const ids = (await listIds()).values();
    const queryInTurn = async () => {
      for (const id of ids) {
        if (known.has(id)) missed.add(id);
        else
          await query(id).then(
            (rows) => answers.push(rows),
            (error) => {
              if (!isNodeLoss(error)) throw error;
              known.add(id);
              missed.add(id);
            },
          );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, queryInTurn));
    return { rows: answers.flat(), missed };
  };
}
