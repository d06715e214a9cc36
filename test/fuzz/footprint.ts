import type { Database } from '../../src/db/database.ts';

/**
 * All that a program's requests can change, as one line per table. Left out is what the server does by itself:
 * deliveries, reports and backtests in the making, cursors and milestones, and when a key was last used.
 */
const PARTS: Record<string, string> = {
  programs:
    "select md5(string_agg(concat(clock_offset_ms, ' ', alert_below_minor), '')) from programs where id = $1",
  api_keys:
    "select md5(string_agg(concat(id, name, scopes, expires_at, revoked_at), '' order by id)) from api_keys where program_id = $1",
  cards: "select md5(string_agg(t::text, '' order by id)) from cards t where program_id = $1",
  card_counters:
    "select md5(string_agg(t::text, '' order by card_id)) from card_counters t where program_id = $1",
  transactions:
    "select md5(string_agg(concat(id, status, held_minor, cleared_minor, counted, final, metadata), '' order by id)) from transactions t where program_id = $1",
  ledger_accounts:
    "select md5(string_agg(t::text, '' order by id)) from ledger_accounts t where program_id = $1",
  presentments:
    "select md5(string_agg(concat(kind, message_id, reversed_minor), '' order by kind, message_id)) from presentments where program_id = $1",
  webhook_endpoints:
    "select md5(string_agg(concat(id, url, event_types, secret_id, status = 'REMOVED'), '' order by id)) from webhook_endpoints where program_id = $1",
  decision_endpoints:
    "select md5(string_agg(t::text, '' order by kind)) from decision_endpoints t where program_id = $1",
  sandbox_kyc_applicants:
    "select md5(string_agg(t::text, '' order by applicant_id)) from sandbox_kyc_applicants t where program_id = $1",
  rules: "select md5(string_agg(t::text, '' order by id)) from rules t where program_id = $1",
  rule_backtests:
    "select md5(string_agg(id::text, '' order by id)) from rule_backtests where program_id = $1",
  rule_lists: "select md5(string_agg(t::text, '' order by name)) from rule_lists t where program_id = $1",
  events: `select count(*)::text from events where program_id = $1 and event_type <> 'files' and event_name <> 'rule.backtest_completed'
       and event_name not like 'clearing_file.%'`,
  ...Object.fromEntries(
    [
      ...[
        'credentials',
        'vault_records',
        'shipments',
        'ledger_transfers',
        'network_messages',
        'idempotency_records',
      ],
      ...[
        'balance_adjustments',
        'report_requests',
        'card_search_words',
        'card_labels',
        'transaction_labels',
        'customers',
        'customer_notes',
        'card_batches',
        'audit_entries',
      ],
    ].map((table) => [table, `select count(*)::text from ${table} where program_id = $1`]),
  ),
};
const FOOTPRINT = `select * from (values ${Object.entries(PARTS)
  .map(([table, text]) => `('${table}', (${text}))`)
  .join(', ')}) part (name, value)`;

export type Footprint = Record<string, string | null>;

export async function readFootprint(db: Database, programId: string): Promise<Footprint> {
  const parts = await db.query<{ name: string; value: string | null }>(
    { name: 'fuzz-footprint', text: FOOTPRINT },
    [programId],
  );
  return Object.fromEntries(parts.map(({ name, value }) => [name, value]));
}

export const changesBetween = (
  before: Footprint,
  after: Footprint,
  except: readonly string[] = [],
): string[] =>
  Object.keys(after).filter((table) => before[table] !== after[table] && !except.includes(table));
