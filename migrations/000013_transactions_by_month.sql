-- Up Migration

-- Transactions lie by month, so that old ones can leave without the new ones noticing. Ids are in order of time, and a
-- month is a range of them; the months from 2027 on are made ahead at every start (src/db/months.ts). What there is so
-- far becomes the first part as it is, without being copied.
alter table transactions rename to transactions_2026;
alter index transactions_pkey rename to transactions_2026_pkey;
alter index transactions_card rename to transactions_2026_card;
alter index transactions_parent rename to transactions_2026_parent;

create table transactions (like transactions_2026 including defaults including constraints) partition by range (id);
alter table transactions add primary key (program_id, id);
create index transactions_card on transactions (program_id, card_id, id);
create index transactions_parent on transactions (program_id, parent_id, id) where parent_id is not null;
alter table transactions alter column program_id set statistics 0;

-- What lies beyond the months that were made: the clock of a program in the sandbox may be years ahead.
create table transactions_later (like transactions including all);
alter table transactions_later alter column program_id set statistics 0;
with later as (
  delete from transactions_2026 where id >= '01a2ce8b-d400-7000-8000-000000000000' returning *)
insert into transactions_later select * from later;

alter table transactions attach partition transactions_2026
  for values from (minvalue) to ('01a2ce8b-d400-7000-8000-000000000000');
-- No default part: only of ranges PostgreSQL knows that they follow one another, and reads a page of the newest from the
-- newest part alone.
alter table transactions attach partition transactions_later
  for values from ('01a2ce8b-d400-7000-8000-000000000000') to (maxvalue);

-- Below which id transactions have moved out, once some have.
create table moved_out_transactions (
  below_id uuid primary key
);
