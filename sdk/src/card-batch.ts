import type { Client, IdempotentOptions, RequestOptions } from './client.ts';
import { EmbossError } from './error.ts';
import { createCardBatch, retrieveCardBatch } from './generated/operations.ts';
import type { CardBatch, CardBatchRequest } from './generated/types.ts';
import { pause } from './retry.ts';

export interface BatchWaitOptions extends RequestOptions {
  /** Called with the batch whenever more of its rows have ended. */
  onProgress?: ((batch: CardBatch) => void) | undefined;
  /** How long to wait until every row is a card or has an error. Default ten minutes. */
  waitMs?: number | undefined;
}

const FIRST_LOOK_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/** Creates the cards of a batch. With `onProgress` it resolves when the batch is completed, else when the rows are stored. */
export async function createCardsOfBatch(
  client: Client,
  body: CardBatchRequest,
  options: BatchWaitOptions & IdempotentOptions = {},
): Promise<CardBatch> {
  const batch = await createCardBatch(client, body, options);
  return options.onProgress ? waitForCardBatch(client, batch.id, options) : batch;
}

/** Resolves when every row of a batch is a card or has an error. */
export async function waitForCardBatch(
  client: Client,
  batchId: string,
  options: BatchWaitOptions = {},
): Promise<CardBatch> {
  const { onProgress, waitMs = 600_000, signal } = options;
  const deadline = Date.now() + waitMs;
  let ended = -1;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const batch = await retrieveCardBatch(client, batchId, options);
    if (batch.created + batch.failed > ended) onProgress?.(batch);
    ended = batch.created + batch.failed;
    if (batch.status === 'COMPLETED') return batch;
    if (Date.now() + pauseMs > deadline)
      throw new EmbossError(`The card batch ${batchId} is not completed yet; wait for it later`, {
        status: null,
        code: null,
      });
    await pause(pauseMs, signal);
  }
}
