import { ACCOUNTS } from '../../../src/ledger/accounts.ts';
import { sql } from './database.ts';

/** What must hold in any database, whatever was sent in whatever order. Each check returns what it found wrong. */

/** The rows of a statement that looks for what must not exist, as text. */
async function found(url: string, what: string, statement: string): Promise<string[]> {
  const rows = await sql<Record<string, unknown>>(url, statement);
  return rows.map((row) => `${what}: ${JSON.stringify(row)}`);
}

/** A program's own accounts sort before every card's. */
const FIRST_CARD_ID = '00000000-0000-9000-8000-000000000000';

/** Every account an amount moved on, with its sign. */
const MOVES = `
  select program_id, debit_account_id as account_id, -amount_minor as delta, created_at, movement_id
  from ledger_transfers
  union all
  select program_id, credit_account_id, amount_minor, created_at, movement_id from ledger_transfers`;

/** The card's credit follows the master account, except for what was made while the merchant keeps the balances. */
export const creditFindings = (url: string): Promise<string[]> =>
  found(
    url,
    'credit that does not move as the mode says',
    `select e.event_name, e.data ->> 'authorization_mode' as mode, moved.credit, moved.master
     from (
       select program_id, movement_id,
              coalesce(sum(delta) filter (where account_id = '${ACCOUNTS.master}'), 0) as master,
              coalesce(sum(delta) filter (where account_id >= '${FIRST_CARD_ID}'), 0) as credit
       from (${MOVES}) m group by 1, 2) moved
     join events e on e.program_id = moved.program_id and e.id = moved.movement_id
     where e.event_type = 'transaction'
       and moved.credit <> case e.data ->> 'authorization_mode' when 'REAL_TIME' then 0 else moved.master end`,
  );

export async function ledgerFindings(url: string): Promise<string[]> {
  const checks: Array<[string, string]> = [
    [
      'a program whose accounts do not sum to zero',
      'select program_id, sum(balance_minor) from ledger_accounts group by 1 having sum(balance_minor) <> 0',
    ],
    [
      'a balance that is not the sum of its transfers',
      `select account_id, a.balance_minor, moved.total
       from (select program_id, account_id, sum(delta) as total from (${MOVES}) m group by 1, 2) moved
       full join (select program_id, id as account_id, balance_minor from ledger_accounts) a
         using (program_id, account_id)
       where coalesce(a.balance_minor, 0) <> coalesce(moved.total, 0) or a.balance_minor is null`,
    ],
    [
      'a closing balance that is not the running sum',
      // A day on which an account ended where it began needs no row: the last one before it holds.
      `with days as (
         select program_id, account_id, day, sum(delta) as delta, max(kept) as kept
         from (
           select program_id, account_id, (created_at at time zone 'utc')::date as day, delta, null::bigint as kept
           from (${MOVES}) m where account_id < '${FIRST_CARD_ID}'
           union all
           select program_id, account_id, day, 0, balance_minor from ledger_daily_balances) either
         group by 1, 2, 3),
       running as (
         select program_id, account_id, day, kept, sum(delta) over days as closing, count(kept) over days as number
         from days window days as (partition by program_id, account_id order by day)),
       held as (
         select account_id, day, closing, max(kept) over (partition by program_id, account_id, number) as kept
         from running)
       select account_id, day::text, closing, kept from held where closing <> coalesce(kept, 0)`,
    ],
    [
      'a movement that belongs to nothing',
      `select movement_id, code from ledger_transfers t
       where not exists (select from events where program_id = t.program_id and id = t.movement_id)
         and not exists (select from balance_adjustments where program_id = t.program_id and id = t.movement_id)
         and not exists (select from cards where program_id = t.program_id and id = t.movement_id)
         and not exists (
           select from audit_entries a where a.program_id = t.program_id and a.action in ('program.funded', 'program.withdrawn')
             and a.after ->> 'movementId' = t.movement_id::text)`,
    ],
  ];
  const findings = await Promise.all(checks.map(([what, statement]) => found(url, what, statement)));
  return [...findings.flat(), ...(await creditFindings(url))];
}

export async function journalFindings(url: string): Promise<string[]> {
  const checks: Array<[string, string]> = [
    [
      'a card whose events are not numbered 1, 2, 3 …',
      `select card_id, count(*)::int, min(card_sequence), max(card_sequence), k.event_sequence
       from events join card_counters k using (program_id, card_id) group by program_id, card_id, k.event_sequence
       having count(distinct card_sequence) <> count(*) or min(card_sequence) <> 1
           or max(card_sequence) <> count(*) or k.event_sequence <> count(*)`,
    ],
    [
      'a message with more than one effect',
      // An advice may have the id of its purchase, and a purchase links several refunds.
      `select event_name, data ->> 'message_id' as message_id, count(*)::int from events
       where event_type = 'transaction' and event_name <> 'transaction.updated'
       group by program_id, 1, 2, data -> 'decision' ->> 'source' = 'network' having count(*) > 1`,
    ],
    [
      'an authorization both approved and declined',
      `select data ->> 'message_id' as message_id from events
       where event_name in ('authorization', 'authorization.declined')
       group by program_id, 1, data -> 'decision' ->> 'source' = 'network' having count(*) > 1`,
    ],
    [
      'a purchase with two transactions',
      `select kind, external_transaction_id from transactions group by program_id, 1, 2 having count(*) > 1`,
    ],
    [
      'a transaction that does not list its own events',
      `with sent as (
         select program_id, data ->> 'transaction_id' as id, array_agg(id order by card_sequence) as ids
         from events where event_type = 'transaction' group by 1, 2)
       select coalesce(t.id::text, sent.id) as id, t.event_ids, sent.ids
       from transactions t full join sent on sent.program_id = t.program_id and sent.id = t.id::text
       where t.event_ids is distinct from sent.ids`,
    ],
    [
      'a response that names no transaction',
      `select kind, message_id from network_messages m where transaction_id is not null
       and not exists (select from transactions t where t.program_id = m.program_id and t.id = m.transaction_id)`,
    ],
    [
      "a response that names another purchase's transaction",
      `select m.kind, m.message_id, m.response, t.external_transaction_id
       from network_messages m join transactions t on t.program_id = m.program_id and t.id = m.transaction_id
       where m.response::jsonb ->> 'transaction_id' <> t.id::text
          or t.kind <> 'refund' and m.response::jsonb ->> 'external_transaction_id' <> t.external_transaction_id`,
    ],
  ];
  return (await Promise.all(checks.map(([what, statement]) => found(url, what, statement)))).flat();
}
