import { beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../support/database/database.ts';
import { type RunResult, runLives } from './lives/run.ts';

/**
 * Random scripts of cards, their messages interleaved over two servers that are killed without warning and started again.
 * Clients without a response retry with the same id. `npm run chaos -- --soak` is the long form.
 */

/** Repeat a run with EMBOSS_CHAOS_SEED. */
const SEED = Number(process.env['EMBOSS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

let result: RunResult;
beforeAll(async () => {
  process.stdout.write(`lives seed ${SEED}\n`);
  const databaseUrl = await freshDatabase();
  result = await runLives({ databaseUrl, seed: SEED, messages: 1_800, cards: 24, kills: 4 });
  const hits = result.kills.map(({ place, underWay, cut }) => `server ${place}: ${cut} of ${underWay} cut`);
  process.stdout.write(`${hits.join(', ')}\n`);
}, 240_000);

test('the run covers every kind of message and event, approvals and many decline reasons', () => {
  expect(Object.keys(result.outcomes)).toEqual(
    expect.arrayContaining([
      'authorization approved',
      'authorization insufficient_funds',
      'authorization card_frozen',
      'authorization already_reversed',
      'authorization invalid_card_number',
      'authorization 409',
      'authorization stand_in_declined',
      'increment PENDING',
      'increment DECLINED',
      'event authorization.increment',
      'event authorization.clearing.reversal',
      'event refund.reversal',
      'clearing PENDING',
      'clearing CLEARED',
      'reversal PENDING',
      'reversal VOID',
      'refund CLEARED',
      'event authorization.expired',
      'event card.reissued',
    ]),
  );
});

test.each([0, 1])(
  'server %i was killed with requests in progress, and some of them were interrupted',
  (place) => {
    const kills = result.kills.filter((kill) => kill.place === place);
    expect(kills.length).toBeGreaterThan(0);
    expect(kills.reduce((sum, { cut }) => sum + cut, 0)).toBeGreaterThan(0);
  },
);

test.each<[keyof RunResult['findings'], string]>([
  ['replay', "every response is the model's, in the order of the card's journal"],
  ['agreement', 'cards, transactions, spent sums and accounts are those of the model'],
  ['ledger', 'accounts sum to zero, balances are their transfers, closing balances the running sums'],
  ['journal', 'events are dense per card, and every message had at most one effect'],
  ['askedAgain', 'every acknowledged response is given again'],
  ['holds', 'no hold outlives its days'],
])('%s: %s', (guarantee) => {
  expect(result.findings[guarantee]).toEqual([]);
});
