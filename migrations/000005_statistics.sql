-- Up Migration

-- The planner must not guess from how many rows the programs it has seen have. Of a program it has not seen it
-- believes that it has no rows, and with nothing to lose it reads all of them where an index entry would do: the
-- list of a new program of a million cards took over 15 s until the next ANALYZE. Without figures about program_id it
-- takes every program for a two-hundredth of the table, and always uses the whole of a key.
alter table events alter column program_id set statistics 0;
alter table audit_entries alter column program_id set statistics 0;
alter table idempotency_records alter column program_id set statistics 0;
alter table list_milestones alter column program_id set statistics 0;
alter table vault_records alter column program_id set statistics 0;
alter table cards alter column program_id set statistics 0;
alter table credentials alter column program_id set statistics 0;
alter table shipments alter column program_id set statistics 0;
alter table sandbox_kyc_applicants alter column program_id set statistics 0;
