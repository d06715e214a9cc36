-- Up Migration

-- A program's place among those that wait for reports: the worker serves the program first that was served longest ago.
-- Requests that open a report lock the row, so that the bound on open reports holds however many arrive at once.
create table report_queues (
  program_id uuid        primary key,
  -- Real time; null: never.
  served_at  timestamptz
);
alter table report_queues alter column program_id set statistics 0;

-- By program: its open reports are counted, and each program's next one is found.
drop index reports_pending;
create index reports_pending on reports (program_id, leased_until) where status = 'pending';
