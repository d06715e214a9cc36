-- Up Migration

-- What the console asks: cards by the words of their holders' names, the life of a transaction, the overview.

-- A blind index: keyed digests of the words of a card's names, and of their first letters. Nothing can be read from
-- it; whoever has the key can ask whether a word is there.
create table card_search_words (
  program_id uuid  not null,
  word       bytea not null,
  card_id    uuid  not null,
  primary key (program_id, word, card_id)
);

-- Programs whose older cards still want their words, and how far the walk over them has come. A walk that is through
-- has no row.
create table card_search_walks (
  program_id uuid primary key,
  walked_to  uuid not null
);
insert into card_search_walks (program_id, walked_to)
  select id, '00000000-0000-0000-0000-000000000000' from programs p
  where exists (select from cards c where c.program_id = p.id);

create index credentials_last_four on credentials (program_id, last_four, id);

-- The events of a transaction, which are its ledger movements too, oldest first. Kept here because an index on events
-- or transfers would cost every authorization more.
alter table transactions add column event_ids uuid[] not null default '{}';
update transactions t set event_ids = life.ids
  from (
    select program_id, (data->>'transaction_id')::uuid as id, array_agg(id order by card_sequence, id) as ids
    from events where event_type = 'transaction' group by 1, 2) life
  where t.program_id = life.program_id and t.id = life.id;

-- Refunds are few.
create index transactions_parent on transactions (program_id, parent_id, id) where parent_id is not null;

-- Purchases by the hour of the program's time.
create table hourly_totals (
  program_id  uuid        not null,
  starts_at   timestamptz not null,
  approved    bigint      not null,
  declined    bigint      not null,
  -- The bill amounts of what was approved.
  spend_minor numeric     not null,
  -- How many declines for each reason.
  reasons     jsonb       not null,
  -- Where most was spent, at most fifty: [name, count, spend].
  merchants   jsonb       not null,
  primary key (program_id, starts_at)
);

-- All purchases before this time are in the totals.
create table hourly_total_cursors (
  program_id uuid primary key,
  counted_to timestamptz not null
);

alter table card_search_words alter column program_id set statistics 0;
alter table card_search_walks alter column program_id set statistics 0;
alter table hourly_totals alter column program_id set statistics 0;
alter table hourly_total_cursors alter column program_id set statistics 0;
