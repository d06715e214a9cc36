import type { Database } from '../src/db/database.ts';
import { ACCOUNTS } from '../src/ledger/accounts.ts';

/**
 * One authorization as one SQL function: it finds the card, locks it, reads the same facts, makes the simplest of the
 * engine's decisions and writes the same rows to the same tables. This is what a server with no HTTP, no validation
 * and no Node in front of PostgreSQL could do, one transaction per authorization. Like the engine's, its ids are in order of time.
 */
const FUNCTION = `
create or replace function bench_authorize(place integer) returns boolean language plpgsql as $$
declare
  target record; counters record; facts record; terms record;
  at timestamptz := clock_timestamp();
  today date := (at at time zone 'utc')::date;
  transaction_id uuid := uuidv7();
  event_id uuid := uuidv7();
  external_id text := uuidv7()::text;
  amount bigint := 10;
  approved boolean;
begin
  set local lock_timeout = '5s';
  select program_id, card_id into target from bench_cards where n = place;
  select * into counters from card_counters
    where program_id = target.program_id and card_id = target.card_id for update;
  select c.*, r.number_id, r.expiry_date, a.balance_minor into facts
    from cards c
    join credentials r on r.program_id = c.program_id and r.id = c.credential_id
    join ledger_accounts a on a.program_id = c.program_id and a.id = c.id
    where c.program_id = target.program_id and c.id = target.card_id;
  perform from network_messages
    where program_id = target.program_id and kind = 'authorization' and message_id = external_id;
  select * into terms from programs where id = target.program_id;
  approved := facts.status = 'ACTIVE' and facts.expiry_date >= today and facts.balance_minor >= amount;
  insert into network_messages
      (program_id, kind, message_id, transaction_id, card_id, request_digest, response, created_at)
    values (target.program_id, 'authorization', external_id, transaction_id, target.card_id,
            sha256(external_id::bytea), repeat('{"response":"as long as a real one"}', 8), at);
  insert into transactions
      (program_id, id, card_id, credential_id, kind, parent_id, external_transaction_id, status, amount_minor,
       currency, bill_amount_minor, bill_currency, channel, merchant_id, merchant_name, merchant_mcc, merchant_city,
       merchant_country, decline_reason, network_code, approval_code, fx_fee_bps, atm_fee_minor, held_minor,
       cleared_minor, reversed_minor, final, cleared_amount_minor, created_at)
    values (target.program_id, transaction_id, target.card_id, facts.credential_id, 'purchase', null, external_id,
            'PENDING', amount, 'EUR', amount, 'EUR', 'POS', 'm-1001', 'Corner Coffee', '5814', 'London', 'GB', null,
            '00', '123456', terms.fx_fee_bps, 0, amount, 0, 0, false, 0, at);
  update card_counters
    set event_sequence = event_sequence + 1, day = today, day_spent_minor = day_spent_minor + amount,
        month_spent_minor = month_spent_minor + amount, total_spent_minor = total_spent_minor + amount
    where program_id = target.program_id and card_id = target.card_id;
  insert into events (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
    values (target.program_id, event_id, 'transaction', 'authorization', target.card_id,
            counters.event_sequence + 1,
            jsonb_build_object('transaction_id', transaction_id, 'external_transaction_id', external_id,
              'card_id', target.card_id, 'message_id', external_id, 'status', 'PENDING', 'amount', '0.10',
              'currency', 'EUR', 'bill_amount', '0.10', 'bill_currency', 'EUR', 'channel', 'POS',
              'merchant', jsonb_build_object('id', 'm-1001', 'mcc', '5814', 'city', 'London', 'name',
                'Corner Coffee', 'country', 'GB'),
              'decline_code', null, 'decline_reason', null, 'network_code', '00', 'approval_code', '123456',
              'parent_transaction_id', null), at);
  insert into ledger_transfers
      (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
    values (target.program_id, uuidv7(), event_id, 'credit_hold', target.card_id, '${ACCOUNTS.credit}', amount, at),
           (target.program_id, uuidv7(), event_id, 'hold', '${ACCOUNTS.master}', '${ACCOUNTS.holds}', amount, at);
  perform from ledger_accounts
    where program_id = target.program_id
      and id in ('${ACCOUNTS.master}', '${ACCOUNTS.holds}', '${ACCOUNTS.credit}') order by id for update;
  update ledger_accounts a set balance_minor = a.balance_minor + change.delta
    from (values (target.card_id, -amount), ('${ACCOUNTS.credit}'::uuid, amount),
                 ('${ACCOUNTS.master}'::uuid, -amount), ('${ACCOUNTS.holds}'::uuid, amount)) as change (id, delta)
    where a.program_id = target.program_id and a.id = change.id;
  insert into ledger_daily_balances as kept (program_id, account_id, day, balance_minor)
    select target.program_id, change.id, today, change.delta
    from (values ('${ACCOUNTS.credit}'::uuid, amount), ('${ACCOUNTS.master}'::uuid, -amount),
                 ('${ACCOUNTS.holds}'::uuid, amount)) as change (id, delta)
    on conflict (program_id, account_id, day) do update
      set balance_minor = kept.balance_minor + excluded.balance_minor;
  return approved;
end $$`;

/** The function and the cards it draws from. */
export async function prepareAuthorizeFunction(
  db: Database,
  cards: ReadonlyArray<{ programId: string; cardId: string }>,
): Promise<void> {
  await db.query({ text: FUNCTION });
  await db.query({ text: 'drop table if exists bench_cards' });
  await db.query({
    text: 'create table bench_cards (n integer primary key, program_id uuid not null, card_id uuid not null)',
  });
  await db.query(
    {
      text: `insert into bench_cards (n, program_id, card_id)
             select place, program_id, card_id
             from unnest($1::uuid[], $2::uuid[]) with ordinality as card (program_id, card_id, place)`,
    },
    [cards.map(({ programId }) => programId), cards.map(({ cardId }) => cardId)],
  );
  await db.query({ text: 'analyze bench_cards' });
}
