import { beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { type RunResult, runEngine } from '../support/engine-run.ts';
import type { Findings } from '../support/engine-verdict.ts';

/**
 * The random lives of engine-random.test.ts while servers are killed without warning and started again. Whoever was not
 * answered asks again by the same id. `engine-soak.ts` is the long form.
 */

/** Repeat a run with EMBOSS_CHAOS_SEED. */
const SEED = Number(process.env['EMBOSS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

let result: RunResult;
beforeAll(async () => {
  process.stdout.write(`engine seed ${SEED}\n`);
  const databaseUrl = await freshDatabase();
  result = await runEngine({ databaseUrl, seed: SEED, messages: 3_000, cards: 24, kills: 4 });
  const hits = result.kills.map(({ place, underWay, cut }) => `server ${place}: ${cut} of ${underWay} cut`);
  process.stdout.write(`${hits.join(', ')}\n`);
}, 120_000);

test.each([0, 1])(
  'the kills hit: server %i was killed with requests under way, and some were cut',
  (place) => {
    const kills = result.kills.filter((kill) => kill.place === place);
    expect(kills.length).toBeGreaterThan(0);
    expect(kills.reduce((sum, { cut }) => sum + cut, 0)).toBeGreaterThan(0);
  },
);

test.each<[keyof Findings, string]>([
  ['replay', "every answer is the model's, in the order that the card's journal tells"],
  ['agreement', 'cards, transactions, spent sums and accounts are what the model came to'],
  ['ledger', 'accounts sum to zero, balances are their transfers, closing balances the running sums'],
  ['journal', 'events are dense per card, and every message had at most one effect'],
  ['askedAgain', 'every acknowledged answer is given again when asked again'],
  ['holds', 'no hold outlives its days'],
])('%s: %s', (guarantee) => {
  expect(result.findings[guarantee]).toEqual([]);
});
