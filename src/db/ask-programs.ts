import { isNodeLoss } from './failures.ts';

/** How long programs are asked one by one, and those of a lost node not at all. */
const AVOIDED_MS = 30_000;
const AT_ONCE = 8;

export interface ProgramAnswers<Row> {
  rows: Row[];
  /** Programs that could not be asked. */
  missed: ReadonlySet<string>;
}

/** Asks about all programs, or about one. */
export type AskPrograms = <Row>(ask: (programId?: string) => Promise<Row[]>) => Promise<ProgramAnswers<Row>>;

/**
 * Asks about all programs with one statement. After a cluster has lost a node, programs are asked one by one for a while,
 * without those of that node: they wait, and the others do not.
 */
export function createAskPrograms(listIds: () => Promise<readonly string[]>): AskPrograms {
  let oneByOneUntil = Number.NEGATIVE_INFINITY;
  const lost = new Set<string>();
  return async (ask) => {
    try {
      if (performance.now() >= oneByOneUntil) return { rows: await ask(), missed: new Set() };
    } catch (error) {
      if (!isNodeLoss(error)) throw error;
      oneByOneUntil = performance.now() + AVOIDED_MS;
      lost.clear();
    }
    const answers: Array<Awaited<ReturnType<typeof ask>>> = [];
    const ids = (await listIds()).filter((id) => !lost.has(id)).values();
    const askInTurn = async () => {
      for (const id of ids)
        await ask(id).then(
          (rows) => answers.push(rows),
          (error) => {
            if (!isNodeLoss(error)) throw error;
            lost.add(id);
          },
        );
    };
    await Promise.all(Array.from({ length: AT_ONCE }, askInTurn));
    return { rows: answers.flat(), missed: new Set(lost) };
  };
}
