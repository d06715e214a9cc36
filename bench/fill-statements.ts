import type { Database } from '../src/db/database.ts';
import { ACCOUNTS } from '../src/ledger/accounts.ts';

interface Stretch {
  first: number;
  last: number;
  fromMs: number;
  stepMs: number;
}

/** Row i of the fill: its moment, an id that carries it, and its card. $1 program, $2 cards, $3-$6 the stretch. */
const ROWS = `
  select i, at, (time_part || '70008' || lpad(to_hex(i), 15, '0'))::uuid as id,
         (time_part || '70009' || lpad(to_hex(i), 15, '0'))::uuid as event_id,
         (time_part || '7000a' || lpad(to_hex(i), 15, '0'))::uuid as transfer_id,
         ($2::uuid[])[1 + (i::bigint * 7919) % cardinality($2::uuid[])] as card_id
  from (select i, to_timestamp(ms / 1000.0) as at, substr(encode(int8send(ms), 'hex'), 5) as time_part
        from (select i, floor($5::float8 + i * $6::float8)::bigint as ms
              from generate_series($3::int, $4::int) i) moments) times`;

/** The one transaction of a fill that is not like all others, near its beginning. */
const RARE = 7;

/** What is the same in every event of the fill; the rest of it is as long as the real thing. */
const EVENT_REST = JSON.stringify({
  status: 'PENDING',
  amount: '0.10',
  currency: 'EUR',
  bill_amount: '0.10',
  bill_currency: 'EUR',
  taken_amount: '0.10',
  fx_fee: '0.00',
  fx_fee_bps: 0,
  atm_fee: '0.00',
  channel: 'POS',
  merchant: { id: 'm-1001', name: 'Corner Coffee', mcc: '5814', city: 'London', country: 'GB' },
  decline_code: null,
  decline_reason: null,
  network_code: '00',
  approval_code: '123456',
  parent_transaction_id: null,
}).slice(1, -1);

const STATEMENTS = {
  transactions: `
    insert into transactions
      (program_id, id, card_id, credential_id, kind, external_transaction_id, status, amount_minor, currency,
       bill_amount_minor, bill_currency, authorization_mode, channel, merchant_id, merchant_name, merchant_mcc, merchant_city,
       merchant_country, network_code, approval_code, fx_fee_bps, atm_fee_minor, held_minor, held_amount_minor, cleared_minor,
       fx_cleared_minor, final, cleared_amount_minor, cleared_currency, created_at, counted, event_ids, metadata)
    select $1, id, card_id, card_id, 'purchase', md5(i::text), case i when ${RARE} then 'VOID' else 'CLEARED' end, 10, 'EUR',
           10, 'EUR', 'STANDARD', 'POS', 'm-1001', 'Corner Coffee', '5814', 'London', 'GB', '00', '123456', 0, 0, 0, 0, 10, 0,
           true, 10, 'EUR', at, '[]', array[event_id], jsonb_build_object('team', 'travel', 'order_id', i::text)
    from (${ROWS}) row`,
  labels: `
    insert into transaction_labels (program_id, label, id)
    select $1, label, id from (${ROWS}) row, unnest(array['team=travel', 'order_id=' || i]) as label`,
  messages: `
    insert into network_messages
      (program_id, kind, message_id, transaction_id, card_id, request_digest, response, created_at)
    select $1, 'transaction', md5(i::text), id, card_id, decode(repeat('5a', 32), 'hex'),
           repeat('{"response":"as long as a real one"}', 8), at
    from (${ROWS}) row`,
  events: `
    insert into events (program_id, id, event_type, event_name, card_id, card_sequence, data, created_at)
    select $1, event_id, 'transaction', 'authorization', card_id, i,
           ('{"transaction_id":"' || id || '","card_id":"' || card_id || '","external_transaction_id":"' || md5(i::text)
             || '","message_id":"' || md5(i::text) || '",${EVENT_REST}}')::jsonb, at
    from (${ROWS}) row`,
  transfers: `
    insert into ledger_transfers
      (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
    select $1, case n when 1 then event_id else transfer_id end, event_id, 'hold',
           case n when 1 then card_id else '${ACCOUNTS.master}' end,
           case n when 1 then '${ACCOUNTS.credit}' else '${ACCOUNTS.holds}' end::uuid, 10, at
    from (${ROWS}) row, generate_series(1, 2) n`,
};

/** The bench's own connection has no limit on how long a statement may take, a server's has. */
export async function runStatement(
  db: Database,
  table: keyof typeof STATEMENTS,
  { programId, cardIds }: { programId: string; cardIds: readonly string[] },
  { first, last, fromMs, stepMs }: Stretch,
): Promise<void> {
  await db.query({ text: STATEMENTS[table], timeoutMs: 600_000 }, [
    programId,
    cardIds,
    first,
    last,
    fromMs,
    stepMs,
  ]);
}
