import pLimit from 'p-limit';
import type { InTurn } from '../../kernel/gather.ts';

/** Few: a program that waits gathers a larger batch, which costs each of its messages less. */
const AT_ONCE = 4;
/** A batch that takes longer waits for a lock or a slow disk: the others do not wait with it. */
const TURN_MS = 50;

/** The batches of all programs take turns, in the order in which they arrive. */
export function createBatchTurns(atOnce = AT_ONCE, turnMs = TURN_MS): InTurn {
  const limit = pLimit(atOnce);
  return (work) =>
    new Promise((resolve) => {
      void limit(() => {
        const running = work();
        resolve(running);
        return endOf(running, turnMs);
      });
    });
}

const endOf = (work: Promise<unknown>, turnMs: number): Promise<void> =>
  new Promise((end) => {
    const timer = setTimeout(end, turnMs);
    const finish = () => {
      clearTimeout(timer);
      end();
    };
    work.then(finish, finish);
  });
