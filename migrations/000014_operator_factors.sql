-- Up Migration

alter table operators
  -- Set while the password is one that somebody else knows: generated, or given by an administrator.
  add column must_change_password boolean not null default true,
  -- The three before the present one, in the same form: none of them may come back.
  add column former_passwords text[] not null default '{}',
  -- The vault record that holds the secret of the second factor; null without one.
  add column second_factor_id uuid,
  -- The time step of the last code that was accepted: no code is accepted twice.
  add column second_factor_step bigint not null default 0;

-- Each opens once, in place of a code: it is deleted when it is used.
create table operator_recovery_codes (
  operator_id uuid  not null references operators (id),
  -- A keyed digest, which names the operator and the second factor.
  code_digest bytea not null,
  primary key (operator_id, code_digest)
);

-- Attempts are counted by account and by where they come from: what one address does locks no other.
drop table sign_in_attempts;
create table sign_in_attempts (
  -- A keyed digest of what was given as e-mail: unknown ones are counted like known ones.
  email_digest  bytea       not null,
  -- A keyed digest of the client's address, of a known device, or of a session's confirmations.
  source_digest bytea       not null,
  failures      integer     not null,
  tried_at      timestamptz not null,
  primary key (email_digest, source_digest)
);

create index sign_in_attempts_age on sign_in_attempts (tried_at);

-- The vault also keeps what belongs to the installation and not to a program.
alter table vault_records drop constraint vault_records_program_id_fkey;
