-- Up Migration

-- Data keys, each wrapped by the master key, which is never in the database. Few, and copied to every node.
create table vault_keys (
  id            integer     primary key,
  purpose       text        not null check (purpose in ('card-number', 'personal-data', 'fingerprint', 'cvv', 'digest')),
  -- Which master key wraps it, and the wrapped key; null once the key is retired.
  master_key_id text        not null,
  wrapped       bytea,
  created_at    timestamptz not null,
  -- When a walk over all records last ended that left none under an older key of the same purpose.
  resealed_at   timestamptz,
  retired_at    timestamptz,
  check ((wrapped is null) = (retired_at is not null))
);

-- Everything sealed: card numbers, cardholder and KYC data. owner_id is the card (or whatever the record
-- belongs to). The sealed bytes begin with the id of their key; program, owner, kind, id and key are all
-- bound into the ciphertext, so that a row moved or altered can no longer be opened.
create table vault_records (
  program_id uuid  not null references programs (id),
  owner_id   uuid  not null,
  kind       text  not null,
  id         uuid  not null,
  sealed     bytea not null,
  primary key (program_id, owner_id, kind, id)
);

-- The one look-up across programs. Its rows never change, so that it can be cached. The primary key is
-- what makes a number unique for all time.
create table card_fingerprints (
  fingerprint bytea primary key,
  program_id  uuid  not null,
  card_id     uuid  not null,
  number_id   uuid  not null
);
