-- Up Migration

-- A purchase (or cash, or a check of the account) from its authorization or first clearing on, or a refund. Declined
-- attempts are here too. No foreign keys, as in the ledger.
create table transactions (
  program_id              uuid        not null,
  id                      uuid        not null,
  card_id                 uuid        not null,
  credential_id           uuid        not null,
  kind                    text        not null check (kind in ('purchase', 'refund')),
  -- A refund's purchase, where it is known.
  parent_id               uuid,
  -- The network's own id: of the purchase, or of the refund message.
  external_transaction_id text        not null,
  status                  text        not null check (status in ('PENDING', 'CLEARED', 'DECLINED', 'VOID')),
  -- What was asked for, in the merchant's currency and in the card's.
  amount_minor            bigint      not null check (amount_minor >= 0),
  currency                text        not null,
  bill_amount_minor       bigint      not null check (bill_amount_minor >= 0),
  bill_currency           text        not null,
  channel                 text,
  merchant_id             text,
  merchant_name           text,
  merchant_mcc            text,
  merchant_city           text,
  merchant_country        text,
  decline_reason          text,
  network_code            text,
  approval_code           text,
  -- The program's terms on the day, which later changes of them leave alone.
  fx_fee_bps              integer     not null,
  atm_fee_minor           bigint      not null,
  -- Of the bill amount: what is still held, was cleared, was reversed. Fees follow from these.
  held_minor              bigint      not null check (held_minor >= 0),
  cleared_minor           bigint      not null check (cleared_minor >= 0),
  reversed_minor          bigint      not null check (reversed_minor >= 0),
  -- A clearing said that it was the last: nothing more is held, whatever comes later.
  final                   boolean     not null,
  -- What cleared, in the merchant's currency.
  cleared_amount_minor    bigint      not null check (cleared_amount_minor >= 0),
  cleared_currency        text,
  created_at              timestamptz not null,
  -- When it was approved, which is when it began to count in the card's limits.
  approved_at             timestamptz,
  primary key (program_id, id)
);

create index transactions_card on transactions (program_id, card_id, id);

-- Every message of the network by its own id: what it asked (a keyed digest) and what it was answered. The primary
-- key makes each message count once. An authorization's row is also how later messages find the purchase; a
-- reversal that comes before its authorization takes that row, with no transaction behind it.
create table network_messages (
  program_id     uuid        not null,
  kind           text        not null check (kind in ('authorization', 'reversal', 'clearing', 'refund')),
  message_id     text        not null,
  transaction_id uuid,
  card_id        uuid,
  request_digest bytea,
  answer         text,
  created_at     timestamptz not null,
  primary key (program_id, kind, message_id)
);

-- How far the walk that releases holds has come: every older hold is released.
create table hold_walks (
  program_id uuid primary key,
  walked_to  uuid not null
);

alter table transactions alter column program_id set statistics 0;
alter table network_messages alter column program_id set statistics 0;
alter table hold_walks alter column program_id set statistics 0;
