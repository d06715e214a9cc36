import pg from 'pg';

/** What the database holds, read with SQL of our own: nothing here knows the product's code. */

export interface Row {
  // biome-ignore lint/suspicious/noExplicitAny: columns are named where they are used
  [column: string]: any;
}

export interface Rows {
  cards: Row[];
  credentials: Row[];
  vaultRecords: Row[];
  counters: Row[];
  accounts: Row[];
  transfers: Row[];
  transactions: Row[];
  messages: Row[];
  adjustments: Row[];
  events: Row[];
  audit: Row[];
  auditLinks: Row[];
  deliveries: Row[];
  reports: Row[];
  reportRequests: Row[];
  keys: Row[];
  migrations: Row[];
}

const READ: Record<keyof Rows, string> = {
  cards: 'select id, status, spend_limit_minor, credential_id from cards',
  credentials: 'select id, card_id, expiry_date::text from credentials',
  vaultRecords: `select owner_id, kind from vault_records
                 union all select card_id, 'fingerprint' from card_fingerprints`,
  counters: 'select card_id, event_sequence from card_counters',
  accounts: 'select id, balance_minor from ledger_accounts',
  transfers: `select id, movement_id, code, debit_account_id, credit_account_id, amount_minor,
                to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+0000"') as at
              from ledger_transfers order by id`,
  transactions: `select id, card_id, kind, parent_id, external_transaction_id, status, bill_amount_minor, held_minor,
                   cleared_minor, decline_reason, event_ids from transactions`,
  messages:
    'select kind, message_id, transaction_id, card_id, response as answer from network_messages where request_digest is not null',
  adjustments: 'select id, card_id, amount_minor, reference from balance_adjustments',
  events: `select id, event_type, event_name, card_id, card_sequence, data,
             to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+0000"') as at
           from events order by id`,
  audit: 'select program_id, id, action, card_id from audit_entries',
  auditLinks: 'select program_id, position, entry_id from audit_links order by program_id, position',
  deliveries: 'select event_id, status from webhook_deliveries',
  reports:
    "select id, file_type, first_day::text, last_day::text, status, encode(sha256, 'hex') as sha256 from reports",
  reportRequests: 'select id, report_id, notified from report_requests',
  keys: 'select name, revoked_at is not null as revoked from api_keys',
  migrations: 'select name from migrations',
};

const BIGINT = 20;

export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 2_000,
    query_timeout: 60_000,
    types: {
      getTypeParser: (oid, format) =>
        (oid === BIGINT ? BigInt : pg.types.getTypeParser(oid, format)) as never,
    },
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** All of one moment. */
export async function readRows(databaseUrl: string): Promise<Rows> {
  const client = await connect(databaseUrl);
  try {
    await client.query('begin isolation level repeatable read read only');
    const rows = {} as Rows;
    for (const [name, text] of Object.entries(READ))
      rows[name as keyof Rows] = (await client.query(text)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

export const groupBy = <Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
