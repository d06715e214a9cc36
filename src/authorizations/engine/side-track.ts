import type { BatchItem, Result } from './run-batch.ts';

/** Where messages run one by one, a few at a time, so that the many others need not wait for them. */
export interface SideTrack {
  run(programId: string, item: BatchItem): Promise<Result>;
  /** Whether messages on one of its cards are here already: a new one joins them instead of holding up a batch. */
  isBusy(item: BatchItem): boolean;
}

/** Few, since each holds a database connection while it waits. */
const AT_ONCE = 8;

export function createSideTrack(
  runAlone: (programId: string, item: BatchItem) => Promise<Result>,
): SideTrack {
  const waiting: Array<() => void> = [];
  const onCard = new Map<string, number>();
  let running = 0;

  const count = (item: BatchItem, by: number) => {
    for (const cardId of item.cardIds) {
      const messages = (onCard.get(cardId) ?? 0) + by;
      if (messages > 0) onCard.set(cardId, messages);
      else onCard.delete(cardId);
    }
  };

  return {
    isBusy: ({ cardIds }) => cardIds.some((cardId) => onCard.has(cardId)),
    run: async (programId, item) => {
      count(item, 1);
      if (running >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn));
      else running++;
      try {
        return await runAlone(programId, item);
      } finally {
        count(item, -1);
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
