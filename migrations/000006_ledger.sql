-- Up Migration

-- What a program charges and is charged. Rates are basis points, amounts minor units of the program's currency.
alter table programs
  add column fx_fee_bps                  integer not null default 0 check (fx_fee_bps between 0 and 10000),
  add column atm_fee_minor               bigint  not null default 0 check (atm_fee_minor >= 0),
  add column interchange_bps             integer not null default 0 check (interchange_bps between 0 and 10000),
  add column transaction_cost_minor      bigint  not null default 0 check (transaction_cost_minor >= 0),
  add column transaction_cost_bps        integer not null default 0 check (transaction_cost_bps between 0 and 10000),
  add column virtual_issuance_fee_minor  bigint  not null default 0 check (virtual_issuance_fee_minor >= 0),
  add column physical_issuance_fee_minor bigint  not null default 0 check (physical_issuance_fee_minor >= 0),
  add column maintenance_fee_minor       bigint  not null default 0 check (maintenance_fee_minor >= 0),
  -- Declines what the master account cannot pay for.
  add column enforce_master_balance      boolean not null default false,
  add column hold_days                   integer not null default 7 check (hold_days between 1 and 365);

-- A program made for a demonstration begins in the past and is brought up to the present.
alter table programs drop constraint programs_clock_offset_ms_check;

-- Double entry. An account's balance is what was credited to it less what was debited from it, kept here so that
-- reading it costs one row however many transfers there are. A program's own accounts have the fixed ids that
-- ledger/accounts.ts names; a card's account has the card's id. No foreign keys: rows come in bulk, every transfer
-- moves two accounts that its transaction has just locked. Room is left on each page, so that a new balance
-- finds its place next to the old one.
create table ledger_accounts (
  program_id    uuid   not null,
  id            uuid   not null,
  balance_minor bigint not null,
  primary key (program_id, id)
) with (fillfactor = 50);

-- One transfer is one row and cannot be unbalanced. The transfers of one movement share its id, which is also the
-- id of the event that tells of it, where there is one.
create table ledger_transfers (
  program_id        uuid        not null,
  id                uuid        not null,
  movement_id       uuid        not null,
  code              text        not null,
  debit_account_id  uuid        not null,
  credit_account_id uuid        not null,
  amount_minor      bigint      not null check (amount_minor > 0),
  created_at        timestamptz not null,
  primary key (program_id, id),
  check (debit_account_id <> credit_account_id)
);

-- The balance of each of the program's own accounts at the end of each day on which it moved.
create table ledger_daily_balances (
  program_id    uuid   not null,
  account_id    uuid   not null,
  day           date   not null,
  balance_minor bigint not null,
  primary key (program_id, account_id, day)
);

-- Money given to or taken from a card by the merchant, with the merchant's own reference.
create table balance_adjustments (
  program_id   uuid        not null,
  id           uuid        not null,
  card_id      uuid        not null,
  amount_minor bigint      not null check (amount_minor <> 0),
  reference    text        not null,
  created_at   timestamptz not null,
  primary key (program_id, id)
);

create index balance_adjustments_card on balance_adjustments (program_id, card_id, id);

-- What every authorization of a card reads and writes. It is the row that whoever changes a card locks first: it is
-- narrow, and the card's own wide row stays untouched by spending. The sums hold what was approved and not
-- reversed: on `day`, in its month, and in all.
create table card_counters (
  program_id        uuid     not null,
  card_id           uuid     not null,
  event_sequence    integer  not null,
  -- Wrong CVVs in a row.
  wrong_cvvs        smallint not null default 0,
  day               date     not null,
  day_spent_minor   bigint   not null default 0,
  month_spent_minor bigint   not null default 0,
  total_spent_minor bigint   not null default 0,
  primary key (program_id, card_id)
) with (fillfactor = 50);

-- Cards that exist already: their opening balance becomes a transfer of the day they were made.
insert into card_counters (program_id, card_id, event_sequence, day)
  select program_id, id, event_sequence, (created_at at time zone 'utc')::date from cards;
alter table cards drop column event_sequence;

insert into ledger_accounts (program_id, id, balance_minor)
  select program_id, id, spend_limit_minor from cards;
insert into ledger_accounts (program_id, id, balance_minor)
  select p.id, ('00000000-0000-8000-8000-' || lpad(n::text, 12, '0'))::uuid,
         case when n = 3 then -coalesce((select sum(spend_limit_minor) from cards where program_id = p.id), 0) else 0 end
  from programs p, generate_series(1, 12) n;
insert into ledger_transfers
    (program_id, id, movement_id, code, debit_account_id, credit_account_id, amount_minor, created_at)
  select program_id, id, id, 'opening_balance', '00000000-0000-8000-8000-000000000003', id, spend_limit_minor, created_at
  from cards where spend_limit_minor > 0;
insert into ledger_daily_balances (program_id, account_id, day, balance_minor)
  select program_id, '00000000-0000-8000-8000-000000000003', day, -sum(sum(minor)) over (partition by program_id order by day)
  from (select program_id, (created_at at time zone 'utc')::date as day, spend_limit_minor as minor
        from cards where spend_limit_minor > 0) opening
  group by program_id, day;

alter table ledger_accounts alter column program_id set statistics 0;
alter table ledger_transfers alter column program_id set statistics 0;
alter table ledger_daily_balances alter column program_id set statistics 0;
alter table balance_adjustments alter column program_id set statistics 0;
alter table card_counters alter column program_id set statistics 0;
