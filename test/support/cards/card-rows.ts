import type { TestApp } from '../server/test-app.ts';

export interface JournalRow {
  name: string;
  sequence: number | null;
  actor: string | null;
  requestId: string | null;
  data: Record<string, unknown> | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** The transaction that wrote the row. */
  transaction: string;
}

// biome-ignore lint/suspicious/noExplicitAny: rows are compared whole
export type Row = Record<string, any>;

/** Everything the database holds of a card, read past the product's own queries. */
export interface CardRows {
  card: Row;
  /** What every change of the card and every authorization locks and writes. */
  counters: Row;
  credentials: Row[];
  shipments: Row[];
  sealed: Row[];
  events: JournalRow[];
  audits: JournalRow[];
}

export async function cardRows(app: TestApp, cardId: string): Promise<CardRows> {
  const read = <R extends Row>(text: string): Promise<R[]> => app.db.query<R>({ text }, [cardId]);
  const [cards, counters, credentials, shipments, sealed, events, audits] = await Promise.all([
    read('select *, xmin::text as transaction from cards where id = $1'),
    read('select *, xmin::text as transaction from card_counters where card_id = $1'),
    read('select *, xmin::text as transaction from credentials where card_id = $1 order by id'),
    read('select *, xmin::text as transaction from shipments where card_id = $1 order by id'),
    read(
      "select kind, id, encode(sealed, 'hex') as sealed from vault_records where owner_id = $1 order by kind, id",
    ),
    read<Row & JournalRow>(
      `select event_name as name, card_sequence as sequence, null as actor, null as request_id, data,
              null as before, null as after, xmin::text as transaction
       from events where card_id = $1 order by card_sequence`,
    ),
    read<Row & JournalRow>(
      `select action as name, null as sequence, actor, request_id, null as data,
              before, after, xmin::text as transaction
       from audit_entries where card_id = $1 order by id`,
    ),
  ]);
  return {
    card: cards[0] as Row,
    counters: counters[0] as Row,
    credentials,
    shipments,
    sealed,
    events,
    audits,
  };
}

/** Every text and number at any depth of rows or of a JSON value. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return typeof value === 'string' || typeof value === 'number' ? [`${value}`] : [];
}
