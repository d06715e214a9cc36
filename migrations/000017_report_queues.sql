-- Up Migration

-- By program: its open reports are counted, and each program's next one is found.
drop index reports_pending;
create index reports_pending on reports (program_id, leased_until) where status = 'pending';
