-- Up Migration

-- Where a program wants its events sent. Few rows. The secrets that sign are records of the vault; for a day after a
-- rotation the one before signs too.
create table webhook_endpoints (
  program_id            uuid        not null,
  id                    uuid        not null,
  url                   text        not null,
  -- Null: all of them.
  event_types           text[],
  secret_id             uuid        not null,
  previous_secret_id    uuid,
  previous_signs_until  timestamptz,
  status                text        not null check (status in ('ENABLED', 'DISABLED', 'REMOVED')),
  -- Why it was disabled.
  status_reason         text,
  -- Since when nothing was delivered to it, while something was tried; and when that was last seen, within minutes.
  failing_since         timestamptz,
  failed_at             timestamptz,
  created_at            timestamptz not null,
  primary key (program_id, id)
);

-- What is to be told to whom: written with the event, in the transaction that caused it. A row that is due is taken
-- by moving `due_at` ahead by more than an attempt can last, so that it falls due again should the worker die.
create table webhook_deliveries (
  program_id       uuid        not null,
  event_id         uuid        not null,
  endpoint_id      uuid        not null,
  status           text        not null check (status in ('PENDING', 'DELIVERED', 'FAILED')),
  -- Null once there is nothing more to do.
  due_at           timestamptz,
  attempts         integer     not null default 0,
  first_attempt_at timestamptz,
  primary key (program_id, event_id, endpoint_id)
) with (fillfactor = 70);

create index webhook_deliveries_due on webhook_deliveries (program_id, endpoint_id, due_at) where due_at is not null;

-- Every try, for good: what was answered, and the beginning of it.
create table webhook_attempts (
  program_id   uuid        not null,
  id           uuid        not null,
  event_id     uuid        not null,
  endpoint_id  uuid        not null,
  -- Null where there was no answer; then `error` says why.
  status_code  integer,
  error        text,
  answer_start text,
  duration_ms  integer     not null,
  created_at   timestamptz not null,
  primary key (program_id, id)
);

create index webhook_attempts_event on webhook_attempts (program_id, event_id, id);

alter table webhook_endpoints alter column program_id set statistics 0;
alter table webhook_deliveries alter column program_id set statistics 0;
alter table webhook_attempts alter column program_id set statistics 0;
