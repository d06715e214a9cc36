import { bytesColumn, column, unnested } from '../db/columns.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { type Entry, type Link, partsOf, type StoredEntry } from './entry.ts';

/** Inserts an entry and marks it as not yet linked. */
export async function insertEntry(tx: Tx, programId: string, entry: Entry): Promise<void> {
  await tx.query(
    {
      name: 'insert_audit_entry',
      text: `with entry as (
               insert into audit_entries
                 (program_id, id, actor, address, action, card_id, before, after, request_id, created_at)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10))
             insert into audit_unlinked (program_id, entry_id) values ($1, $2)`,
    },
    [programId, ...partsOf(entry)],
  );
}

/** Newest first, filtered by card and action if they are given. */
export const listNewestEntries = (
  db: Queryable,
  programId: string,
  { card, action }: { card?: string; action?: string },
  limit: number,
): Promise<Entry[]> =>
  db.query<Entry>(
    `select id, actor, address, action, card_id, before, after, request_id, created_at
     from audit_entries
     where program_id = $1 and ($2::uuid is null or card_id = $2) and ($3::text is null or action = $3)
     order by id desc limit $4`,
    [programId, card ?? null, action ?? null, limit],
  );

/** Programs with entries that are not linked yet: all, or the given one. */
export const listUnlinkedPrograms = (
  db: Queryable,
  programId?: string,
): Promise<Array<{ programId: string }>> =>
  db.query(
    {
      name: `list_unlinked_programs${programId ? '_of_one' : ''}`,
      text: `select distinct program_id from audit_unlinked ${programId ? 'where program_id = $1' : ''} order by 1`,
    },
    programId ? [programId] : [],
  );

export async function takeUnlinked(tx: Tx, programId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ entryId: string }>(
    {
      name: 'take_unlinked',
      locks: true,
      text: `delete from audit_unlinked
             where program_id = $1 and entry_id in (
               select entry_id from audit_unlinked where program_id = $1 order by entry_id limit $2 for update)
             returning entry_id`,
    },
    [programId, limit],
  );
  return rows.map(({ entryId }) => entryId);
}

export async function findLastLink(tx: Tx, programId: string): Promise<Link | undefined> {
  const rows = await tx.query<Link>(
    {
      name: 'find_last_link',
      text: `select position, entry_id, hash from audit_links
             where program_id = $1 order by position desc limit 1`,
    },
    [programId],
  );
  return rows[0];
}

/** JSON and time in the database's text form, which is identical in every read. */
const STORED = `
  e.id, e.actor, e.address, e.action, e.card_id, e.before::text as before, e.after::text as after,
  e.request_id, (extract(epoch from e.created_at) * 1000000)::bigint::text as created_at`;

export const listEntries = (tx: Tx, programId: string, ids: readonly string[]): Promise<StoredEntry[]> =>
  tx.query<StoredEntry>(
    {
      name: 'list_audit_entries',
      text: `select ${STORED} from unnest($2::uuid[]) as wanted (id)
             cross join lateral (
               select * from audit_entries where program_id = $1 and id = wanted.id limit 1) e`,
    },
    [programId, column(ids)],
  );

export function insertLinks(tx: Tx, programId: string, links: readonly Link[]): void {
  tx.send(
    {
      name: 'insert_audit_links',
      text: `insert into audit_links (program_id, position, entry_id, hash)
             select $1, ${unnested(2, 'bigint uuid bytea')}`,
    },
    [
      programId,
      column(links.map(({ position }) => position)),
      column(links.map(({ entryId }) => entryId)),
      bytesColumn(links.map(({ hash }) => hash)),
    ],
  );
}

/** Links after a position, each with its entry, or null if the entry no longer exists. */
export const listLinks = (
  tx: Tx,
  programId: string,
  after: bigint,
  limit: number,
): Promise<Array<Link & { entry: StoredEntry | null }>> =>
  tx
    .query<Link & { present: string | null } & StoredEntry>(
      `select l.position, l.entry_id, l.hash, e.id as present, ${STORED}
       from audit_links l left join audit_entries e on e.program_id = $1 and e.id = l.entry_id
       where l.program_id = $1 and l.position > $2 order by l.position limit $3`,
      [programId, after, limit],
    )
    .then((rows) =>
      rows.map(({ position, entryId, hash, present, ...entry }) => ({
        position,
        entryId,
        hash,
        entry: present === null ? null : entry,
      })),
    );

/** The last position of the chain, and the number of entries that are not linked yet. */
export async function countEntries(tx: Tx, programId: string): Promise<{ links: number; waiting: number }> {
  const rows = await tx.query<{ links: bigint; waiting: bigint }>(
    `select (select coalesce(max(position), 0) from audit_links where program_id = $1) as links,
            (select count(*) from audit_unlinked where program_id = $1) as waiting`,
    [programId],
  );
  const { links = 0n, waiting = 0n } = rows[0] ?? {};
  return { links: Number(links), waiting: Number(waiting) };
}

/** Of the next `limit` entries: the first that is neither linked nor waiting to be linked, and the last id. */
export async function findStray(
  tx: Tx,
  programId: string,
  afterId: string,
  limit: number,
): Promise<{ strayId: string | null; lastId: string | null }> {
  const rows = await tx.query<{ strayId: string | null; lastId: string | null }>(
    `with stretch as materialized (
       select id from audit_entries where program_id = $1 and id > $2 order by id limit $3)
     select (select id from stretch s
             where not exists (select from audit_links where program_id = $1 and entry_id = s.id)
               and not exists (select from audit_unlinked where program_id = $1 and entry_id = s.id)
             order by id limit 1) as stray_id,
            (select id from stretch order by id desc limit 1) as last_id`,
    [programId, afterId, limit],
  );
  return rows[0] ?? { strayId: null, lastId: null };
}

/** An entry that waits to be linked but no longer exists. */
export async function findLost(tx: Tx, programId: string): Promise<string | undefined> {
  const rows = await tx.query<{ entryId: string }>(
    `select entry_id from audit_unlinked u
     where program_id = $1
       and not exists (select from audit_entries where program_id = $1 and id = u.entry_id)
     order by entry_id limit 1`,
    [programId],
  );
  return rows[0]?.entryId;
}

export async function findLink(tx: Tx, programId: string, position: bigint): Promise<Link | undefined> {
  const rows = await tx.query<Link>(
    `select position, entry_id, hash from audit_links where program_id = $1 and position = $2`,
    [programId, position],
  );
  return rows[0];
}

/** The audit entries of cards below an id, newest first, without views (`emboss audit list` shows those). */
export const listAuditBelow = (
  db: Queryable,
  programId: string,
  cardIds: readonly string[],
  belowId: string,
  limit: number,
): Promise<Entry[]> =>
  db.query<Entry>(
    {
      name: 'list_card_audit_below',
      text: `select e.id, e.actor, e.address, e.action, e.card_id, e.before, e.after, e.request_id, e.created_at
             from unnest($2::uuid[]) as wanted (card_id)
             cross join lateral (
               select * from audit_entries
               where program_id = $1 and card_id = wanted.card_id and id < $3
                 and action not like 'console.viewed_%'
               order by id desc limit $4) e
             order by e.id desc limit $4`,
    },
    [programId, column(cardIds), belowId, limit],
  );

/** The funding and the withdrawals of a program below an id, newest first. */
export const listFundingBelow = (
  db: Queryable,
  programId: string,
  belowId: string,
  limit: number,
): Promise<Entry[]> =>
  db.query<Entry>(
    {
      name: 'list_funding_below',
      text: `select id, actor, address, action, card_id, before, after, request_id, created_at
             from audit_entries where program_id = $1 and action in ('program.funded', 'program.withdrawn') and id < $2
             order by id desc limit $3`,
    },
    [programId, belowId, limit],
  );

export async function findVerification(
  db: Queryable,
  programId: string,
): Promise<{ state: string; seal: Buffer } | undefined> {
  const rows = await db.query<{ state: string; seal: Buffer }>(
    'select state, seal from audit_verifications where program_id = $1',
    [programId],
  );
  return rows[0];
}

export async function upsertVerification(
  db: Queryable,
  programId: string,
  state: string,
  seal: Buffer,
): Promise<void> {
  await db.query(
    `insert into audit_verifications (program_id, state, seal) values ($1, $2, $3)
     on conflict (program_id) do update set state = excluded.state, seal = excluded.seal`,
    [programId, state, seal],
  );
}

export interface EntryFilter {
  /** Undefined: entries of all cards, and those without a card. */
  cardIds?: readonly string[] | undefined;
  actor?: string | undefined;
  /** One of these. */
  actions?: readonly string[] | undefined;
  /** In lower case: part of an entry, or one of the actions that the words mean. */
  text?: { part: string; actions: readonly string[] } | undefined;
  /** Ids from `fromId` on and below `belowId`. */
  fromId: string;
  belowId: string;
}

/** The newest entries that match, of the newest `scan` entries by cards, actor or actions. */
export interface FilteredEntries {
  entries: Entry[];
  /** The lowest id that was read; null if every entry was read. */
  restBelowId: string | null;
}

/**
 * One index gives the newest entries by cards, by actor or by actions; the other conditions are checked on at most
 * `scan` of them. So the cost is the same for every length of the audit, and a page may have fewer than `limit` entries.
 */
export async function filterEntries(
  db: Queryable,
  programId: string,
  { cardIds, actor, actions, text, fromId, belowId }: EntryFilter,
  scan: number,
  limit: number,
): Promise<FilteredEntries> {
  // With one condition, the index alone gives the page.
  const isOne = [cardIds, actor, actions].filter((given) => given !== undefined).length <= 1 && !text;
  const most = isOne ? limit : scan;
  const range = 'e.program_id = $1 and e.id >= $2 and e.id < $3';
  const source = cardIds
    ? `select e.* from unnest($7::uuid[]) as card (id) cross join lateral (
         select e.* from audit_entries e where ${range} and e.card_id = card.id order by e.id desc limit $4) e`
    : actions && actor === undefined
      ? `select e.* from unnest($6::text[]) as wanted (action) cross join lateral (
           select e.* from audit_entries e
           where ${range} and e.action = wanted.action and $7::uuid[] is null order by e.id desc limit $4) e`
      : `select e.* from audit_entries e where ${range} and $7::uuid[] is null
           and ($5::text is null or e.actor = $5)`;
  const rows = await db.query<Entry & { scanned: number; lastId: string | null }>(
    `with stretch as materialized (select e.* from (${source}) e order by e.id desc limit $4)
     select read.scanned, read.last_id, e.id, e.actor, e.address, e.action, e.card_id, e.before, e.after,
            e.request_id, e.created_at
     from (select (select count(*)::int from stretch) as scanned,
                  (select id from stretch order by id limit 1) as last_id) read
     left join (select * from stretch where ($5::text is null or actor = $5) and ($6::text[] is null or action = any ($6))
                  and ($9::text is null or action = any ($10::text[]) or strpos(lower(concat_ws(' ', actor, action,
                    address, request_id, card_id, id, before, after)), $9) > 0)
                order by id desc limit $8) e on true
     order by e.id desc`,
    [
      programId,
      fromId,
      belowId,
      most,
      actor ?? null,
      actions ?? null,
      cardIds ? column(cardIds) : null,
      limit,
      text?.part ?? null,
      text?.actions ?? null,
    ],
  );
  const entries = rows
    .filter(({ id }) => id !== null)
    .map(({ scanned: _, lastId: __, ...entry }) => entry as Entry);
  const { scanned = 0, lastId = null } = rows[0] ?? {};
  const restBelowId =
    entries.length === limit ? (entries.at(-1) as Entry).id : scanned === most ? lastId : null;
  return { entries, restBelowId };
}

/** The values of a column in the program's entries. Reads one index entry for each value. */
export async function listValues(
  db: Queryable,
  programId: string,
  of: 'actor' | 'action',
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ value: string }>(
    `with recursive seen as (
       (select ${of} as value from audit_entries where program_id = $1 order by ${of} limit 1)
       union all
       select (select ${of} from audit_entries where program_id = $1 and ${of} > seen.value order by ${of} limit 1)
       from seen where seen.value is not null)
     select value from seen where value is not null limit $2`,
    [programId, limit],
  );
  return rows.map(({ value }) => value);
}
