-- Up Migration

-- What happened: events for the outside, the audit for the inside, and the answers that a repeated
-- request gets again. Each row is written in the transaction of the change it tells of. Events and audit entries have
-- no foreign key: they come in bulk, and the check would lock the program's row once for each.

create table events (
  program_id    uuid        not null,
  id            uuid        not null,
  event_type    text        not null,
  event_name    text        not null,
  card_id       uuid,
  -- Dense per card, so that a receiver can put in order what arrives out of order.
  card_sequence integer,
  data          jsonb       not null,
  created_at    timestamptz not null,
  primary key (program_id, id)
);

create table audit_entries (
  program_id  uuid        not null,
  id          uuid        not null,
  actor       text        not null,
  action      text        not null,
  card_id     uuid,
  before      jsonb,
  after       jsonb,
  request_id  text,
  created_at  timestamptz not null,
  primary key (program_id, id)
);

create index audit_entries_card on audit_entries (program_id, card_id, id);

create table idempotency_records (
  program_id     uuid        not null references programs (id),
  endpoint       text        not null,
  -- Digests: neither the caller's key nor the request can be read back from here.
  key_digest     bytea       not null,
  request_digest bytea       not null,
  answer         bytea       not null,
  created_at     timestamptz not null,
  primary key (program_id, endpoint, key_digest)
);

create index idempotency_records_age on idempotency_records (created_at);

-- Every 500th record of a list with its place counted from the oldest. Records never move and are never
-- deleted, so a milestone stays true for good, and "how many before this" or "which is number n" is one
-- milestone plus fewer than 500 index entries, however long the list.
create table list_milestones (
  program_id uuid   not null references programs (id),
  list       text   not null,
  ordinal    bigint not null,
  record_id  uuid   not null,
  primary key (program_id, list, ordinal),
  unique (program_id, list, record_id)
);
