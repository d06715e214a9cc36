-- Up Migration

-- Programs and their keys are few and read on every request. They are the tables that a distributed
-- PostgreSQL copies to every node; all others are spread by program_id.

create table programs (
  id              uuid        primary key,
  name            text        not null,
  mode            text        not null check (mode in ('sandbox', 'live')),
  currency        text        not null check (currency ~ '^[A-Z]{3}$'),
  bin             text        not null check (bin ~ '^[0-9]{6,8}$'),
  kyc_provider    text        not null check (kyc_provider in ('sandbox', 'sumsub')),
  -- How far the program's clock is ahead of real time; only a sandbox program's clock moves.
  clock_offset_ms bigint      not null default 0 check (clock_offset_ms >= 0),
  -- Real time of the clock's last move: lists wait a little after it before they call a past hour closed.
  clock_moved_at  timestamptz,
  created_at      timestamptz not null,
  check (mode = 'sandbox' or clock_offset_ms = 0)
);

create table api_keys (
  key_hash     bytea       primary key,
  id           uuid        not null unique,
  program_id   uuid        not null references programs (id),
  kind         text        not null check (kind in ('merchant', 'network')),
  name         text        not null,
  -- Enough of the key to recognise it by, too little to guess it from.
  hint         text        not null,
  scopes       text[]      not null,
  -- Keyed digest over the key and its rights: only the program can make one, not who writes to the table.
  rights_seal  bytea       not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);

create index api_keys_program on api_keys (program_id, id);
