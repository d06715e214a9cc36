import { setTimeout as pause } from 'node:timers/promises';
import { newBody } from './create-card.ts';
import { type Figure, median, rateText } from './figures.ts';
import { openLine } from './http-load.ts';
import type { Stage } from './stage.ts';

const BATCHES = '/api/v1/merchant/card-batches/';
const ROWS = 1_000;
const LEAST_PER_SECOND = 150;
const LOOK_EVERY_MS = 25;

/** From the request with 1,000 rows to the last card, with sandbox KYC, on a server that does nothing else. */
export async function benchBatches(stage: Stage, quick: boolean): Promise<Figure[]> {
  const { key } = await stage.addProgram('Batches');
  const line = await openLine({ url: stage.server.url, key });
  const rates: number[] = [];
  // The first rounds only warm up.
  for (let round = -2; round < (quick ? 3 : 5); round++) {
    const body = { cards: Array.from({ length: ROWS }, newBody) };
    const startedMs = performance.now();
    const { id } = JSON.parse(await line.send({ method: 'POST', path: BATCHES, body }));
    while (JSON.parse(await line.send({ method: 'GET', path: `${BATCHES}${id}/` })).created < ROWS)
      await pause(LOOK_EVERY_MS);
    if (round >= 0) rates.push((ROWS * 1_000) / (performance.now() - startedMs));
  }
  line.close();
  return [
    {
      name: `cards of a batch of ${ROWS.toLocaleString('en')}`,
      measured: rateText(median(rates)),
      against: rateText(LEAST_PER_SECOND),
      ratio: median(rates) / LEAST_PER_SECOND,
      limit: { atLeast: 1 },
    },
  ];
}
