-- Up Migration

-- The people who work at the console. Few rows, read on every request of theirs: copied to every node of a distributed
-- database, like programs and keys.
create table operators (
  id                  uuid        primary key,
  -- In lower case.
  email               text        not null unique,
  name                text        not null,
  role                text        not null check (role in ('viewer', 'support', 'admin')),
  -- Null: all programs.
  program_id          uuid        references programs (id),
  -- How it was made, and its result under a key that only the vault has: from here alone no password can be guessed.
  password            text        not null,
  -- Binds the row to what it allows: one that was written or altered past us is not believed.
  rights_seal         bytea       not null,
  created_at          timestamptz not null,
  password_changed_at timestamptz not null,
  disabled_at         timestamptz
);

create table operator_sessions (
  -- A keyed digest: the token itself is in the operator's cookie and nowhere else.
  token_hash   bytea       primary key,
  operator_id  uuid        not null references operators (id),
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null
);

create index operator_sessions_operator on operator_sessions (operator_id);
create index operator_sessions_age on operator_sessions (expires_at);

-- Attempts to sign in since the last good one, by a keyed digest of what was given as e-mail: unknown ones are counted
-- like known ones, so that nobody can tell them apart.
create table sign_in_attempts (
  email_digest bytea       primary key,
  failures     integer     not null,
  locked_until timestamptz,
  tried_at     timestamptz not null
);

create index sign_in_attempts_age on sign_in_attempts (tried_at);
