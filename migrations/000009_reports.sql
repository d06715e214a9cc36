-- Up Migration

-- A settlement report of one type and period. It is made once for all who ask for it; its bytes never change, so what
-- it weighs stays here when its file is gone, and the same file can be made again.
create table reports (
  program_id   uuid        not null,
  id           uuid        not null,
  file_type    text        not null check (file_type in ('monthly', 'daily', 'fee', 'monthlyTransactionFees',
                                                         'monthlyNonTransactionFees', 'dailyTransactionFee')),
  first_day    date        not null,
  last_day     date        not null,
  -- Expired: the file is gone, and nobody has asked for it since.
  status       text        not null check (status in ('pending', 'ready', 'expired')),
  -- Real time. Until then a worker is at it, or it is left alone after a failure.
  leased_until timestamptz,
  -- Where the file is or is being written. Each lease has a place of its own: by it a worker knows its own lease.
  storage_key  text,
  attempts     integer     not null default 0,
  row_count    bigint,
  bytes        bigint,
  sha256       bytea,
  produced_at  timestamptz,
  -- Real time; null where there is no file.
  kept_until   timestamptz,
  created_at   timestamptz not null,
  primary key (program_id, id),
  unique (program_id, file_type, last_day)
);

-- A link names the report and nothing else.
create index reports_id on reports (id);
create index reports_pending on reports (leased_until) where status = 'pending';
create index reports_kept on reports (kept_until) where kept_until is not null;

-- Who asked: the id is the request's reference_id. Each request is told once when its file is there.
create table report_requests (
  program_id uuid        not null,
  id         uuid        not null,
  report_id  uuid        not null,
  notified   boolean     not null,
  created_at timestamptz not null,
  primary key (program_id, id)
);

create index report_requests_waiting on report_requests (program_id, report_id) where not notified;

-- How far the monthly maintenance fee is charged: all months before this one, and of this one the cards up to an id.
create table maintenance_walks (
  program_id uuid primary key,
  month      date not null check (extract(day from month) = 1),
  walked_to  uuid not null,
  -- What each card is charged for this month; null until its first card is.
  fee_minor  bigint
);

-- Which movement charged which card: a card is charged once a month, whatever happens.
create table maintenance_charges (
  program_id  uuid not null,
  month       date not null,
  card_id     uuid not null,
  movement_id uuid not null,
  primary key (program_id, month, card_id)
);

-- Programs that exist already are charged from the next month of their clock on, not for the time before.
insert into maintenance_walks (program_id, month, walked_to)
  select id, (date_trunc('month', (now() + clock_offset_ms * interval '1 ms') at time zone 'utc') + interval '1 month')::date,
         '00000000-0000-0000-0000-000000000000'
  from programs;

alter table reports alter column program_id set statistics 0;
alter table report_requests alter column program_id set statistics 0;
alter table maintenance_walks alter column program_id set statistics 0;
alter table maintenance_charges alter column program_id set statistics 0;
