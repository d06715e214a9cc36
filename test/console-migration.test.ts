import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { runner } from 'node-pg-migrate';
import { expect, inject, test } from 'vitest';
import { MIGRATIONS_DIR, migrate } from '../src/db/migrate.ts';
import { LOWEST_ID, newId } from '../src/kernel/ids.ts';
import { createDatabase, sql, urlOf } from './support/database.ts';

const NOW_MS = Date.parse('2030-01-01T00:00:00Z');
const [PROGRAM, EMPTY, CARD, PURCHASE, REFUND] = Array.from({ length: 5 }, () => newId(NOW_MS)) as [
  string,
  string,
  string,
  string,
  string,
];

/** Everything before the console's queries, as an older release left it. */
async function olderDatabase(): Promise<string> {
  const name = `older_${randomBytes(6).toString('hex')}`;
  await createDatabase(inject('serverUrl'), name);
  const databaseUrl = urlOf(inject('serverUrl'), name);
  const count = readdirSync(MIGRATIONS_DIR).filter((file) => /^\d/.test(file) && file < '000011').length;
  const names = { migrationsTable: 'migrations', ignorePattern: '(?!\\d{6}_).*', dir: MIGRATIONS_DIR };
  await runner({ databaseUrl, ...names, direction: 'up', count, log: () => {} });
  return databaseUrl;
}

test('what older releases wrote is found again', async () => {
  const url = await olderDatabase();
  for (const id of [PROGRAM, EMPTY])
    await sql(
      url,
      `insert into programs (id, name, mode, currency, bin, kyc_provider, created_at)
       values ($1, 'Old', 'sandbox', 'EUR', '999900', 'sandbox', now())`,
      [id],
    );
  await sql(
    url,
    `insert into card_designs (program_id, id, name, stock, is_default, emboss_name_supported, created_at)
     values ($1, 'black', 'Black', true, true, true, now())`,
    [PROGRAM],
  );
  await sql(
    url,
    `with card as (
       insert into cards (program_id, id, cardholder_id, customer_type, card_type, design_id, currency, status,
                          credential_id, spend_limit_minor, created_at)
       values ($1, $2, $2, 'Consumer', 'virtual', 'black', 'EUR', 'ACTIVE', $2, 0, now()))
     insert into credentials (program_id, id, card_id, number_id, last_four, expiry_date, cvv_key_id, cvv_salt, created_at)
     values ($1, $2, $2, $2, '0042', '2029-11-15', 1, 0, now())`,
    [PROGRAM, CARD],
  );
  for (const [id, kind, parentId] of [
    [PURCHASE, 'purchase', null],
    [REFUND, 'refund', PURCHASE],
  ])
    await sql(
      url,
      `insert into transactions (program_id, id, card_id, credential_id, kind, parent_id, external_transaction_id, status,
                                 amount_minor, currency, bill_amount_minor, bill_currency, fx_fee_bps, atm_fee_minor,
                                 held_minor, cleared_minor, reversed_minor, final, cleared_amount_minor, created_at)
       values ($1, $2, $3, $3, $4, $5, 'ext', 'CLEARED', 1, 'EUR', 1, 'EUR', 0, 0, 0, 1, 0, true, 1, now())`,
      [PROGRAM, id, CARD, kind, parentId],
    );
  // The ids of two servers may not be in the order of the card's own count.
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => newId(NOW_MS));
  for (const [id, type, sequence, transactionId] of [
    [second, 'transaction', 2, PURCHASE],
    [first, 'transaction', 3, PURCHASE],
    [third, 'card', 4, PURCHASE],
    [fourth, 'transaction', 5, REFUND],
  ])
    await sql(
      url,
      `insert into events (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
       values ($1, $2, $3, 'x', $4, $5, jsonb_build_object('transaction_id', $6::text), now())`,
      [PROGRAM, id, type, CARD, sequence, transactionId],
    );
  await migrate(url);
  const lives = await sql(url, 'select id, event_ids::text[] as events from transactions order by id');
  expect(lives).toEqual([
    { id: PURCHASE, events: [second, first] },
    { id: REFUND, events: [fourth] },
  ]);
  const walks = await sql(
    url,
    'select program_id as program, walked_to as "walkedTo" from card_search_walks',
  );
  expect(walks).toEqual([{ program: PROGRAM, walkedTo: LOWEST_ID }]);
});
