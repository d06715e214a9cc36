import pLimit from 'p-limit';
import type { BatchResult } from './apply-message.ts';
import type { BatchItem } from './batch-state.ts';

/** Runs messages in transactions of their own, a few at a time, so that batches do not wait for them. */
export interface SideTrack {
  run(programId: string, item: BatchItem): Promise<BatchResult>;
  /** Whether messages on one of the item's cards are running here. A new one joins them and does not delay a batch. */
  isBusy(item: BatchItem): boolean;
}

/** Few, because each holds a database connection while it waits. */
const CONCURRENCY = 8;

export function createSideTrack(runAlone: SideTrack['run']): SideTrack {
  const limit = pLimit(CONCURRENCY);
  const onCard = new Map<string, number>();
  const count = (item: BatchItem, by: number) => {
    for (const cardId of item.cardIds) {
      const messages = (onCard.get(cardId) ?? 0) + by;
      if (messages > 0) onCard.set(cardId, messages);
      else onCard.delete(cardId);
    }
  };
  return {
    isBusy: ({ cardIds }) => cardIds.some((cardId) => onCard.has(cardId)),
    run: (programId, item) => {
      count(item, 1);
      return limit(runAlone, programId, item).finally(() => count(item, -1));
    },
  };
}
