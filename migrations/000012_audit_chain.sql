-- Up Migration

-- The audit as a chain: each link is a keyed hash of its entry and of the link before, so that an entry that is changed,
-- taken away, moved or slipped in shows. Links are made in the order in which a worker finds the entries, not in the
-- order of their ids: a program's clock and the machine's tell different times.
create table audit_links (
  program_id uuid   not null,
  position   bigint not null check (position > 0),
  entry_id   uuid   not null,
  hash       bytea  not null,
  primary key (program_id, position),
  unique (program_id, entry_id)
);

-- What waits for its place in the chain, written with the entry.
create table audit_unlinked (
  program_id uuid not null,
  entry_id   uuid not null,
  primary key (program_id, entry_id)
);

insert into audit_unlinked (program_id, entry_id) select program_id, id from audit_entries;

alter table audit_links alter column program_id set statistics 0;
alter table audit_unlinked alter column program_id set statistics 0;
