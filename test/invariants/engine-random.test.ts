import { beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { type RunResult, runEngine } from '../support/engine-run.ts';

/** Random lives of cards, their messages interleaved over two servers, against a model written from the contract. */

/** Repeat a run with EMBOSS_CHAOS_SEED. */
const SEED = Number(process.env['EMBOSS_CHAOS_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

let result: RunResult;
beforeAll(async () => {
  process.stdout.write(`engine seed ${SEED}\n`);
  const databaseUrl = await freshDatabase();
  result = await runEngine({ databaseUrl, seed: SEED, messages: 1_500, cards: 16, kills: 0 });
}, 120_000);

test('the run met what it is about: every kind of message and event, approvals and many reasons to decline', () => {
  expect(Object.keys(result.outcomes)).toEqual(
    expect.arrayContaining([
      'authorization approved',
      'authorization insufficient_funds',
      'authorization card_frozen',
      'authorization already_reversed',
      'authorization invalid_card_number',
      'authorization 409',
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

test("every answer is the model's, in the order that the card's journal tells", () => {
  expect(result.findings.replay).toEqual([]);
});

test('cards, transactions, spent sums and the accounts of the program are what the model came to', () => {
  expect(result.findings.agreement).toEqual([]);
});

test('accounts sum to zero, balances are their transfers, closing balances the running sums', () => {
  expect(result.findings.ledger).toEqual([]);
});

test('events are dense per card, and every message had at most one effect', () => {
  expect(result.findings.journal).toEqual([]);
});

test('every answer is given again when asked again', () => {
  expect(result.findings.askedAgain).toEqual([]);
});

test('no hold outlives its days', () => {
  expect(result.findings.holds).toEqual([]);
});
