import { isConnectionLoss } from './failures.ts';

/**
 * Asks about all programs with one statement. If a node of a cluster does not answer, it asks about each program by
 * itself, and leaves out those of that node: they wait, and the others do not.
 */
export async function askPrograms<Row>(
  ask: (programId?: string) => Promise<Row[]>,
  listIds: () => Promise<readonly string[]>,
): Promise<Row[]> {
  try {
    return await ask();
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    const rows: Row[] = [];
    for (const id of await listIds()) rows.push(...(await ask(id).catch(withoutLost)));
    return rows;
  }
}

function withoutLost(error: unknown): [] {
  if (isConnectionLoss(error)) return [];
  throw error;
}
