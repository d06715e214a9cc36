-- Up Migration

-- Transactions run under this role (see db/queries.ts). It may write everything but the past: transfers and the
-- audit can be added to and never changed. A server where roles may not be made goes without it; there the
-- rights are taken from the owner of the tables.
do $$
begin
  begin
    create role emboss_app nologin;
  exception
    when duplicate_object or unique_violation or insufficient_privilege then null;
  end;
  if exists (select from pg_roles where rolname = 'emboss_app') then
    begin
      grant emboss_app to current_user;
    exception
      when insufficient_privilege then null;
    end;
    grant usage on schema public to emboss_app;
    grant select, insert, update, delete on all tables in schema public to emboss_app;
    alter default privileges in schema public grant select, insert, update, delete on tables to emboss_app;
    revoke update, delete on ledger_transfers, audit_entries from emboss_app;
  end if;
  revoke update, delete, truncate on ledger_transfers, audit_entries from current_user;
end $$;
