-- Up Migration

-- Every table of a program carries program_id in its keys, so that a distributed PostgreSQL can spread it by program.
-- Tables without it, and programs, keys and operators, are small and are copied to every node.
--
-- The comment of a table limits what the server may do with its rows: 'append only' forbids updates, 'rows may be
-- deleted' allows deletions. Without a comment it may insert and update rows, but not delete them.


-- Programs and API keys

create table programs (
  id                          uuid        primary key,
  name                        text        not null,
  mode                        text        not null check (mode in ('sandbox', 'live')),
  currency                    text        not null check (currency ~ '^[A-Z]{3}$'),
  bin                         text        not null check (bin ~ '^[0-9]{6,8}$'),
  kyc_provider                text        not null check (kyc_provider in ('sandbox', 'sumsub')),
  -- How far program time is ahead of real time. It is negative while a demo program catches up with the present.
  clock_offset_ms             bigint      not null default 0,
  -- Real time of the clock's last move: lists treat a past hour as closed only some time after it.
  clock_moved_at              timestamptz,
  created_at                  timestamptz not null,
  -- What a program charges and pays. Rates are basis points, amounts minor units of the program's currency.
  fx_fee_bps                  integer     not null default 0 check (fx_fee_bps between 0 and 10000),
  atm_fee_minor               bigint      not null default 0 check (atm_fee_minor >= 0),
  interchange_bps             integer     not null default 0 check (interchange_bps between 0 and 10000),
  -- For cash. Negative: the issuer pays it.
  cash_interchange_bps        integer     not null default 0 check (cash_interchange_bps between -10000 and 10000),
  transaction_cost_minor      bigint      not null default 0 check (transaction_cost_minor >= 0),
  transaction_cost_bps        integer     not null default 0 check (transaction_cost_bps between 0 and 10000),
  virtual_issuance_fee_minor  bigint      not null default 0 check (virtual_issuance_fee_minor >= 0),
  physical_issuance_fee_minor bigint      not null default 0 check (physical_issuance_fee_minor >= 0),
  maintenance_fee_minor       bigint      not null default 0 check (maintenance_fee_minor >= 0),
  -- Decline what the master account cannot pay for.
  enforce_master_balance      boolean     not null default false,
  -- Who decides authorizations: Emboss, the merchant, or both.
  authorization_mode          text        not null default 'STANDARD' check (authorization_mode in ('STANDARD', 'REAL_TIME', 'BOTH')),
  -- For lodging and vehicle rental the second one applies.
  hold_days                   integer     not null default 7 check (hold_days between 1 and 365),
  long_hold_days              integer     not null default 30 check (long_hold_days between 1 and 365),
  -- The balance of the master account below which an event is sent, and whether it was sent since the balance fell.
  alert_below_minor           bigint,
  alert_sent                  boolean     not null default false,
  -- 3-D Secure without a decision endpoint: a challenge above this amount; null: always.
  challenge_above_minor       bigint      check (challenge_above_minor >= 0),
  -- E-commerce authorizations above this amount must be authenticated; null: none must.
  require_authentication_above_minor bigint check (require_authentication_above_minor >= 0),
  -- An authentication counts for purchases on this number of days after the day of its result.
  authentication_days         integer     not null default 90 check (authentication_days between 1 and 90),
  -- A clearing above what was approved for it by more than this percentage is flagged.
  over_hold_percent           integer     not null default 20 check (over_hold_percent between 0 and 1000),
  -- Purchases with one of these exemptions need no authentication.
  allowed_exemptions          text[]      not null default '{}'
    check (allowed_exemptions <@ array['LOW_VALUE', 'RISK_ANALYSIS', 'TRUSTED_MERCHANT', 'CORPORATE']),
  -- Support may raise the limit of a card to this multiple for this number of days. A multiple of 1: it may not.
  support_limit_factor        integer     not null default 2 check (support_limit_factor between 1 and 100),
  support_limit_days          integer     not null default 7 check (support_limit_days between 1 and 90),
  -- Money that an operator moves above this amount needs a second operator; null: none does.
  second_person_above_minor   bigint      check (second_person_above_minor >= 0),
  -- Raised with every change of the rules that can alter a decision. 0: the program never had a rule.
  rules_version               bigint      not null default 0,
  -- A rule that would have declined more than this percentage of the approvals of a week is not promoted without a
  -- confirmation.
  rules_guard_percent         integer     not null default 5 check (rules_guard_percent between 0 and 100),
  check (mode = 'sandbox' or clock_offset_ms = 0)
);

create unique index programs_name on programs (lower(name));
create index programs_low on programs (id) where alert_sent;

create table api_keys (
  key_hash     bytea       primary key,
  id           uuid        not null unique,
  program_id   uuid        not null references programs (id),
  kind         text        not null check (kind in ('merchant', 'network')),
  name         text        not null,
  -- Enough of the key to recognise it, too little to guess it.
  hint         text        not null,
  scopes       text[]      not null,
  -- A keyed digest of the key and its permissions: write access to this table is not enough to create or extend a key.
  rights_seal  bytea       not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz
);
create index api_keys_program on api_keys (program_id, id);

-- How far a background job has come through the records of a program: up to this id, and so up to its time.
create table cursors (
  program_id uuid not null,
  name       text not null,
  position   uuid not null,
  primary key (program_id, name)
);

-- When a background job has work in a program next, in real time. A row is due from `due_at` on and remains due until its
-- turn has ended, so that nothing is lost with a worker.
create table program_jobs (
  program_id   uuid        not null,
  job          text        not null,
  due_at       timestamptz not null,
  -- A worker has its turn until then. Null: none has one, or the row has become due since its turn began.
  leased_until timestamptz,
  primary key (program_id, job)
);
create index program_jobs_due on program_jobs (job, due_at);


-- Events, audit, idempotency and lists. Each row is written in the transaction of the change that it records. Events and
-- audit entries have no foreign key: they are written in bulk, and the check would lock the program's row for each.

create table events (
  program_id    uuid        not null,
  id            uuid        not null,
  event_type    text        not null,
  event_name    text        not null,
  card_id       uuid,
  -- Without gaps per card, so that a receiver can sort events that arrive out of order.
  card_sequence integer,
  data          jsonb       not null,
  created_at    timestamptz not null,
  primary key (program_id, id)
);
-- Events of transactions are found by the transactions of the card: an index on them would slow down every authorization.
create index events_card on events (program_id, card_id, id) where event_type <> 'transaction';
-- No statement finds rows by it, and its statistics would take three quarters of the time of each ANALYZE.
alter table events alter column data set statistics 0;

create table audit_entries (
  program_id uuid        not null,
  id         uuid        not null,
  actor      text        not null,
  action     text        not null,
  card_id    uuid,
  before     jsonb,
  after      jsonb,
  request_id text,
  created_at timestamptz not null,
  -- The client's address; null for the command line and the system.
  address    text,
  primary key (program_id, id)
);
comment on table audit_entries is 'append only';
create index audit_entries_card on audit_entries (program_id, card_id, id);
create index audit_entries_actor on audit_entries (program_id, actor, id);
create index audit_entries_action on audit_entries (program_id, action, id);

-- The audit is a chain: each link is a keyed hash of its entry and of the previous link, so that a changed, removed, moved
-- or inserted entry is detected. Links follow the order in which a worker finds the entries, not the order of their ids,
-- because program time and the machine's time differ.
create table audit_links (
  program_id uuid   not null,
  position   bigint not null check (position > 0),
  entry_id   uuid   not null,
  hash       bytea  not null,
  primary key (program_id, position),
  unique (program_id, entry_id)
);
comment on table audit_links is 'append only';

-- Entries that are not in the chain yet, written together with the entry.
create table audit_unlinked (
  program_id uuid not null,
  entry_id   uuid not null,
  primary key (program_id, entry_id)
);
comment on table audit_unlinked is 'rows may be deleted';

-- How far a worker has verified each chain. The seal is a keyed digest of the state: a state that was altered in the
-- database is not used.
create table audit_verifications (
  program_id uuid  primary key,
  state      text  not null,
  seal       bytea not null
);

create table idempotency_records (
  program_id     uuid        not null references programs (id),
  endpoint       text        not null,
  -- Digests: neither the client's key nor its request can be read from them.
  key_digest     bytea       not null,
  request_digest bytea       not null,
  answer         bytea       not null,
  created_at     timestamptz not null,
  primary key (program_id, endpoint, key_digest)
);
comment on table idempotency_records is 'rows may be deleted';
create index idempotency_records_age on idempotency_records (created_at);

-- Every 500th record of a list with its ordinal, counted from the oldest. Records never move and are never deleted, so a
-- milestone stays true, and a count or a page costs one milestone and fewer than 500 index entries.
create table list_milestones (
  program_id uuid   not null references programs (id),
  list       text   not null,
  ordinal    bigint not null,
  record_id  uuid   not null,
  primary key (program_id, list, ordinal),
  unique (program_id, list, record_id)
);


-- Vault

-- Data keys, each wrapped by the master key, which is never in the database. Digests, fingerprints and sealed records
-- begin with the id of their key (4 bytes, big-endian).
create table vault_keys (
  id            integer     primary key,
  purpose       text        not null
    check (purpose in ('card-number', 'personal-data', 'fingerprint', 'cvv', 'digest', 'search', 'history')),
  master_key_id text        not null,
  -- Null once the key is retired.
  wrapped       bytea,
  created_at    timestamptz not null,
  -- When every record was last found to be under this key or a newer one of the same purpose.
  resealed_at   timestamptz,
  retired_at    timestamptz,
  check ((wrapped is null) = (retired_at is not null))
);

-- Everything sealed: card numbers, cardholder and KYC data, secrets of endpoints and operators. Program, owner (usually the
-- card), kind, id and key are bound into the ciphertext, so that a moved or altered row cannot be opened. No foreign key:
-- some records belong to the installation and not to a program.
create table vault_records (
  program_id uuid  not null,
  owner_id   uuid  not null,
  kind       text  not null,
  id         uuid  not null,
  sealed     bytea not null,
  primary key (program_id, owner_id, kind, id)
);

-- The one look-up across programs. Its rows never change, so that it can be cached. The primary key prevents that a card
-- number is ever issued twice. The seal proves the rest of the row.
create table card_fingerprints (
  fingerprint bytea primary key,
  program_id  uuid  not null,
  card_id     uuid  not null,
  number_id   uuid  not null,
  seal        bytea not null
);
comment on table card_fingerprints is 'rows may be deleted';


-- Cards

create table card_designs (
  program_id            uuid        not null references programs (id),
  id                    text        not null,
  name                  text        not null,
  stock                 boolean     not null,
  is_default            boolean     not null,
  emboss_name_supported boolean     not null,
  -- Not for new cards any more; existing ones keep it.
  retired               boolean     not null default false,
  -- How the console draws it; null: derived from the id.
  look                  jsonb,
  created_at            timestamptz not null,
  primary key (program_id, id),
  check (not (is_default and retired))
);
create unique index card_designs_default on card_designs (program_id) where is_default;

create table cards (
  program_id              uuid        not null references programs (id),
  id                      uuid        not null,
  -- One cardholder has several cards: a keyed digest of the merchant's own customer id.
  cardholder_id           uuid        not null,
  customer_type           text        not null check (customer_type in ('Consumer', 'Business')),
  card_type               text        not null check (card_type in ('physical', 'virtual')),
  design_id               text        not null,
  currency                text        not null,
  -- EXPIRED is not stored: it follows from the active credential's expiry date and program time.
  status                  text        not null check (status in ('ACTIVE', 'FROZEN', 'BLOCKED')),
  status_reason           text,
  -- Frozen together with the customer's other cards: these are unfrozen together.
  frozen_with_customer    boolean     not null default false check (not frozen_with_customer or status <> 'ACTIVE'),
  reason_code             text        check (reason_code in ('FRAUD', 'LOST', 'STOLEN', 'OTHER')),
  blocked_at              timestamptz,
  -- The active credential; all others of the card are inactive.
  credential_id           uuid        not null,
  -- Of the active credential, for lists.
  last_four               text        not null,
  -- The expiry date for which no event was recorded yet: it is due when that day has passed.
  expiry_event_due        date,
  spend_limit_minor       bigint      not null check (spend_limit_minor >= 0),
  transaction_limit_minor bigint      check (transaction_limit_minor >= 0),
  daily_limit_minor       bigint      check (daily_limit_minor >= 0),
  monthly_limit_minor     bigint      check (monthly_limit_minor >= 0),
  all_time_limit_minor    bigint      check (all_time_limit_minor >= 0),
  allowed_mccs            text[]      not null default '{}',
  blocked_mccs            text[]      not null default '{}',
  -- By the name of the limit: {amountMinor, endsMs}. Each applies until it ends, if it is higher than the limit.
  temporary_limits        jsonb       not null default '{}',
  -- What the card may be used for: {purchases, merchants, fromMs, untilMs}. Null: anything.
  usage                   jsonb,
  -- The merchant's own pairs of texts. Null: none. Each is in card_labels too.
  metadata                jsonb,
  -- Challenges of 3-D Secure go to the merchant, whose app asks the cardholder.
  three_ds_forwarding     boolean     not null default false,
  -- The blocked card in whose place this one was issued.
  replaces_card_id        uuid,
  created_at              timestamptz not null,
  primary key (program_id, id),
  foreign key (program_id, design_id) references card_designs (program_id, id),
  foreign key (program_id, replaces_card_id) references cards (program_id, id),
  -- A block stores its reason, code and time, so that fees and decisions read them from the card. A freeze may have a reason.
  check (num_nonnulls(reason_code, blocked_at) = case status when 'BLOCKED' then 2 else 0 end),
  check (case status when 'BLOCKED' then status_reason is not null when 'ACTIVE' then status_reason is null else true end)
);
create index cards_cardholder on cards (program_id, cardholder_id, id);
-- A card is replaced once: a repeated request finds the first replacement.
create unique index cards_replaces on cards (program_id, replaces_card_id) where replaces_card_id is not null;
-- For lists of the cards of one value, which may be rare.
create index cards_status on cards (program_id, status, id);
create index cards_design on cards (program_id, design_id, id);
create index cards_last_four on cards (program_id, last_four, id);
create index cards_expired on cards (program_id, id) where expiry_event_due is null and status <> 'BLOCKED';
create index cards_expiry_event_due on cards (program_id, expiry_event_due, id) where expiry_event_due is not null;

-- One row for each pair of metadata, 'key=value': finds the cards that have it, newest first.
create table card_labels (
  program_id uuid not null,
  label      text not null,
  id         uuid not null,
  primary key (program_id, label, id)
);
comment on table card_labels is 'rows may be deleted';

create table credentials (
  program_id  uuid        not null,
  id          uuid        not null,
  card_id     uuid        not null,
  number_id   uuid        not null,
  last_four   text        not null,
  expiry_date date        not null,
  -- The CVV is derived from this key, the number's id, the expiry date and the salt; it is never stored.
  cvv_key_id  integer     not null,
  cvv_salt    integer     not null,
  created_at  timestamptz not null,
  primary key (program_id, id),
  foreign key (program_id, card_id) references cards (program_id, id)
);
create index credentials_card on credentials (program_id, card_id, id);
create index credentials_last_four on credentials (program_id, last_four, id);

-- A card and its first credential are inserted together and name each other, so one of the two checks waits for the commit.
alter table cards add foreign key (program_id, credential_id)
  references credentials (program_id, id) deferrable initially deferred;

-- What every authorization of a card reads and writes. Every change of a card locks this row first: it is narrow, and
-- spending leaves the card's own wide row untouched. The sums hold what was approved and not reversed: on `day`, in its
-- month, and over the card's lifetime. The fill factor leaves room for new row versions on the same page.
create table card_counters (
  program_id        uuid          not null,
  card_id           uuid          not null,
  event_sequence    integer       not null,
  -- Wrong CVVs in a row.
  wrong_cvvs        smallint      not null default 0,
  day               date          not null,
  day_spent_minor   bigint        not null default 0,
  month_spent_minor bigint        not null default 0,
  total_spent_minor bigint        not null default 0,
  -- The part of it that is still held; the rest has cleared.
  held_minor        bigint        not null default 0,
  -- Refunds, less what was taken back of them.
  refunded_minor    bigint        not null default 0,
  -- Program times of wrong expiry dates and CVVs in the 24 hours before the newest one, oldest first. The tenth blocks
  -- the card.
  wrong_entries     timestamptz[] not null default '{}',
  -- When its newest transaction was created, approved or not. Null: it has none.
  last_used_at      timestamptz,
  -- The purchases that count, and the merchant of the first: {purchases, lockedTo}. Null: the card never had a rule for them.
  used              jsonb,
  primary key (program_id, card_id)
) with (fillfactor = 50);

-- A customer is the cards with one cardholder id. The row has the id of the first card, so that lists are in order of
-- creation and customers keep their place in them.
create table customers (
  program_id    uuid not null references programs (id),
  id            uuid not null,
  cardholder_id uuid not null,
  primary key (program_id, id),
  unique (program_id, cardholder_id),
  foreign key (program_id, id) references cards (program_id, id)
);

-- Cards that are created in the background.
create table card_batches (
  program_id   uuid        not null references programs (id),
  id           uuid        not null,
  -- Who sent it: {id, name, address, requestId}. Its cards are created in this name.
  sender       jsonb       not null,
  total        integer     not null check (total > 0),
  -- Once it is completed: how many of its rows are cards, and how many were refused.
  created      integer,
  failed       integer,
  created_at   timestamptz not null,
  completed_at timestamptz,
  primary key (program_id, id),
  check (num_nonnulls(created, failed, completed_at) in (0, 3)),
  check (created + failed = total)
);
create index card_batches_open on card_batches (program_id, id) where completed_at is null;

create table card_batch_rows (
  program_id uuid    not null,
  batch_id   uuid    not null,
  -- In the order against row_index.
  id         uuid    not null,
  -- The position in the request.
  row_index  integer not null,
  status     text    not null check (status in ('PENDING', 'CREATED', 'FAILED')),
  -- The create body. Erased when the row ends, because it is personal data.
  sealed     bytea,
  card_id    uuid,
  -- {code, message, field}
  error      jsonb,
  primary key (program_id, batch_id, id),
  foreign key (program_id, batch_id) references card_batches (program_id, id),
  foreign key (program_id, card_id) references cards (program_id, id),
  check ((status = 'PENDING') = (sealed is not null)),
  check ((status = 'CREATED') = (card_id is not null)),
  check ((status = 'FAILED') = (error is not null))
);
create index card_batch_rows_pending on card_batch_rows (program_id, batch_id, id) where status = 'PENDING';

create table shipments (
  program_id uuid        not null,
  id         uuid        not null,
  card_id    uuid        not null,
  status     text        not null check (status in ('ORDERED', 'SHIPPED', 'DELIVERED', 'RETURNED')),
  design_id  text        not null,
  created_at timestamptz not null,
  primary key (program_id, id),
  foreign key (program_id, card_id) references cards (program_id, id),
  foreign key (program_id, design_id) references card_designs (program_id, id)
);
create index shipments_card on shipments (program_id, card_id, id);

-- Open sessions that show a card to its holder. A session ends by deletion: a used one looks like one that never existed.
create table reveal_sessions (
  program_id      uuid        not null,
  id              uuid        not null,
  card_id         uuid        not null,
  -- The credential to show: a reissue with a new one ends the session.
  credential_id   uuid        not null,
  -- The key that created the session: its limit counts the reveal, and its revocation ends the session.
  created_by      text        not null,
  -- The origin whose pages can frame the page; null: none.
  origin          text,
  -- SHA-256 of a random verifier that only the cardholder's browser knows.
  challenge       bytea       not null check (length(challenge) = 32),
  fields          text[]      not null,
  display_seconds integer     not null check (display_seconds between 10 and 300),
  theme           jsonb,
  wrong_verifiers smallint    not null default 0,
  -- In real time.
  expires_at      timestamptz not null,
  -- A keyed digest of the columns above, except the count: write access to this table is not enough to reveal a number.
  seal            bytea       not null,
  primary key (program_id, id),
  foreign key (program_id, card_id) references cards (program_id, id)
);
comment on table reveal_sessions is 'rows may be deleted';
create index reveal_sessions_card on reveal_sessions (program_id, card_id);
create index reveal_sessions_age on reveal_sessions (expires_at);

-- A blind index: keyed digests of the words of a cardholder's names, of their first letters, and of the phone number and
-- e-mail. Without the key nothing can be read from it.
create table card_search_words (
  program_id uuid  not null,
  word       bytea not null,
  card_id    uuid  not null,
  primary key (program_id, word, card_id)
);
comment on table card_search_words is 'rows may be deleted';

-- Finds a name with one typo: digests of each word with one letter left out, and the digest of the word as above. One row
-- for each pair, so it grows with the number of different names and not with the number of cards.
create table search_spellings (
  program_id uuid  not null,
  spelling   bytea not null,
  word       bytea not null,
  primary key (program_id, spelling, word)
);
comment on table search_spellings is 'rows may be deleted';

-- What operators noted about a customer. The vault holds the text and the author's name, under the note's id.
create table customer_notes (
  program_id    uuid        not null references programs (id),
  id            uuid        not null,
  cardholder_id uuid        not null,
  operator_id   uuid        not null,
  created_at    timestamptz not null,
  removed_at    timestamptz,
  primary key (program_id, id)
);
create index customer_notes_cardholder on customer_notes (program_id, cardholder_id, id);

-- Applicants registered in the sandbox; the vault holds their data under the same id.
create table sandbox_kyc_applicants (
  program_id   uuid not null references programs (id),
  applicant_id text not null,
  record_id    uuid not null,
  review       text not null check (review in ('approved', 'pending', 'rejected')),
  primary key (program_id, applicant_id)
);


-- Ledger. Double entry, without foreign keys: rows are written in bulk, and every transfer moves two accounts that its
-- transaction has just locked.

-- The balance is what was credited less what was debited, kept here so that reading it costs one row. A program's own
-- accounts have the fixed ids in ledger/accounts.ts; a card's account has the card's id.
create table ledger_accounts (
  program_id    uuid   not null,
  id            uuid   not null,
  balance_minor bigint not null,
  primary key (program_id, id)
) with (fillfactor = 50);

-- One transfer is one row and is always balanced. The transfers of one movement share its id, which is also the id of its
-- event, if it has one.
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
comment on table ledger_transfers is 'append only';

-- The balance of each of the program's own accounts at the end of each day on which it changed.
create table ledger_daily_balances (
  program_id    uuid   not null,
  account_id    uuid   not null,
  day           date   not null,
  balance_minor bigint not null,
  primary key (program_id, account_id, day)
);

-- Money that the merchant gave to a card or took from it, with the merchant's own reference.
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

-- The progress of the monthly maintenance fee: all earlier months are charged, and of this one the cards up to a position.
-- Apart from the other cursors, because month, position and fee change together.
create table maintenance_cursors (
  program_id uuid primary key,
  month      date not null check (extract(day from month) = 1),
  position   uuid not null,
  -- The fee of each card for this month; null until the first card is charged.
  fee_minor  bigint
);

-- Which movement charged which card: the primary key prevents that a card is charged twice for a month.
create table maintenance_charges (
  program_id  uuid not null,
  month       date not null,
  card_id     uuid not null,
  movement_id uuid not null,
  primary key (program_id, month, card_id)
);


-- Transactions

-- A purchase (also cash and account checks) from its authorization or first clearing on, or a refund. Declined attempts
-- are here too. No foreign keys, as in the ledger. Partitioned by month: ids are in order of time, so a month is a range of
-- ids. There is no default partition: PostgreSQL knows only of ranges that they follow one another, and then reads a page
-- of the newest rows from the newest partition alone.
create table transactions (
  program_id              uuid        not null,
  id                      uuid        not null,
  card_id                 uuid        not null,
  credential_id           uuid        not null,
  kind                    text        not null check (kind in ('purchase', 'refund')),
  -- CASH, BALANCE_INQUIRY or CREDIT. Null: a purchase, or no authorization has said it.
  type                    text,
  -- A refund's purchase, if it is known.
  parent_id               uuid,
  -- The network's own id: of the purchase, or of the refund message.
  external_transaction_id text        not null,
  status                  text        not null check (status in ('PENDING', 'CLEARED', 'DECLINED', 'VOID')),
  -- The requested amount, in the merchant's currency and in the card's.
  amount_minor            bigint      not null check (amount_minor >= 0),
  currency                text        not null,
  bill_amount_minor       bigint      not null check (bill_amount_minor >= 0),
  bill_currency           text        not null,
  -- In REAL_TIME the merchant keeps the balances, and the card's available credit does not move.
  authorization_mode      text        not null check (authorization_mode in ('STANDARD', 'REAL_TIME', 'BOTH')),
  channel                 text,
  merchant_id             text,
  merchant_name           text,
  merchant_mcc            text,
  merchant_city           text,
  merchant_country        text,
  -- How the cardholder was authenticated: {authenticationId, eci, reason, amountMinor}. No reason: it counts, up to the amount.
  authentication          jsonb,
  decline_reason          text,
  network_code            text,
  approval_code           text,
  -- The program's fees at that time; later changes do not apply to this transaction.
  fx_fee_bps              integer     not null,
  atm_fee_minor           bigint      not null,
  -- Parts of the bill amount: still held, cleared, and cleared in a foreign currency. Fees follow from these.
  held_minor              bigint      not null check (held_minor >= 0),
  -- What is held, in the merchant's currency.
  held_amount_minor       bigint      not null check (held_amount_minor >= 0),
  -- Approved increments of the hold: {id, billMinor, reversedMinor, advised}.
  increments              jsonb,
  -- When the days of the hold began anew. Null: when the transaction was created, or nothing is held any more.
  renewed_at              timestamptz,
  -- True: the hold lasts as long as one for lodging.
  long_hold               boolean,
  -- Why nothing is held any more, where that was not a clearing.
  hold_end                text        check (hold_end in ('expired', 'reversed')),
  -- True: the network has said by an advice what became of it.
  advised                 boolean,
  cleared_minor           bigint      not null check (cleared_minor >= 0),
  fx_cleared_minor        bigint      not null check (fx_cleared_minor between 0 and cleared_minor),
  -- A clearing was marked as the last one: later clearings hold nothing.
  final                   boolean     not null,
  -- The cleared amount, in the merchant's currency.
  cleared_amount_minor    bigint      not null check (cleared_amount_minor >= 0),
  cleared_currency        text,
  -- A list of what a person should look at, such as "over_hold".
  flags                   jsonb,
  -- The rules that matched its authorization, as the API shows them. Null: none.
  matched_rules           jsonb,
  -- True: its authorization had a CVV.
  cvv_given               boolean,
  -- What messages said beside what they decide and move, as the API names it.
  network                 jsonb,
  created_at              timestamptz not null,
  approved_on             date,
  -- What is held and cleared, by the day on which it counts in the card's limits: [{day, minor}].
  counted                 jsonb       not null,
  -- Its events, which are also its ledger movements, oldest first. An index on events or transfers would slow down every
  -- authorization.
  event_ids               uuid[]      not null default '{}',
  -- The merchant's own pairs of texts. Null: none. Each is in transaction_labels too. No message of the network writes it.
  metadata                jsonb,
  primary key (program_id, id)
) partition by range (id);
create index transactions_card on transactions (program_id, card_id, id);
create index transactions_renewed on transactions (program_id, (coalesce(long_hold, false)), renewed_at)
  where renewed_at is not null;
-- A new transaction is nearly always pending: in an index of its own it goes to the end, which costs an authorization least.
-- By a function, because of one PostgreSQL expects a third of all rows, whatever its statistics are: of the few that it may
-- expect of an operator it reads and sorts all.
create index transactions_pending on transactions (program_id, id) where texteq(status, 'PENDING');
create index transactions_status on transactions (program_id, status, id) where not texteq(status, 'PENDING');
create index transactions_decline_reason on transactions (program_id, decline_reason, id) where decline_reason is not null;
create index transactions_no_authorization on transactions (program_id, id) where flags ? 'no_authorization';
create index transactions_over_hold on transactions (program_id, id) where flags ? 'over_hold';
create index transactions_late on transactions (program_id, id) where flags ? 'late';
create index transactions_after_block on transactions (program_id, id) where flags ? 'after_block';
create index transactions_duplicate on transactions (program_id, id) where flags ? 'duplicate';
create index transactions_parent on transactions (program_id, parent_id, id) where parent_id is not null;

-- The first partition ends with 2026. Every start creates the coming months ahead (src/db/months.ts); later ids, such as
-- those of a sandbox program whose clock is years ahead, wait in the last one.
create table transactions_2026 partition of transactions
  for values from (minvalue) to ('01a2ce8b-d400-7000-8000-000000000000');
create table transactions_later partition of transactions
  for values from ('01a2ce8b-d400-7000-8000-000000000000') to (maxvalue);

-- As card_labels. Not partitioned: its rows are few, and those of an archived month find nothing any more.
create table transaction_labels (
  program_id uuid not null,
  label      text not null,
  id         uuid not null,
  primary key (program_id, label, id)
);
comment on table transaction_labels is 'rows may be deleted';

-- Every message of the network by its own id, with a keyed digest of the request and with the response. The primary key
-- applies each message once. Authorizations and refunds share the kind 'transaction', and so one space of ids. Later messages find their purchase by the authorization's row; a reversal that arrives
-- before its authorization takes that row, without a transaction.
create table network_messages (
  program_id     uuid        not null,
  kind           text        not null check (kind in ('transaction', 'advice', 'increment', 'reversal', 'clearing')),
  message_id     text        not null,
  transaction_id uuid,
  card_id        uuid,
  request_digest bytea,
  response       text,
  -- What came before an authorization: {reversed, timedOut, refunds}.
  early          jsonb,
  created_at     timestamptz not null,
  primary key (program_id, kind, message_id)
);

-- Clearings and refunds as the network presented them, so that it can take them back, whole or in part.
create table presentments (
  program_id      uuid    not null,
  kind            text    not null check (kind in ('clearing', 'refund')),
  message_id      text    not null,
  -- Both null: no card has the number, and the money is in suspense.
  transaction_id  uuid,
  card_id         uuid,
  amount_minor    bigint  not null,
  currency        text    not null,
  bill_minor      bigint  not null,
  -- What was taken back, in the merchant's currency and in the card's.
  reversed_amount_minor bigint not null check (reversed_amount_minor between 0 and amount_minor),
  reversed_minor  bigint  not null check (reversed_minor between 0 and bill_minor),
  -- A clearing was marked as the last one.
  final           boolean not null,
  -- The program's rate at that time: a reversal gives back what was earned.
  interchange_bps integer not null,
  -- What the network said that the program earns, instead of the rate.
  interchange_minor bigint,
  -- The reference of the acquirer.
  arn             text,
  -- The day on which a clearing counts in the card's limits.
  counted_on      date    not null,
  primary key (program_id, kind, message_id)
);
create index presentments_arn on presentments (program_id, arn) where arn is not null;
create index presentments_unmatched on presentments (program_id, message_id) where card_id is null;

-- Purchases by the hour of program time.
create table hourly_totals (
  program_id  uuid        not null,
  starts_at   timestamptz not null,
  approved    bigint      not null,
  declined    bigint      not null,
  -- The bill amounts of what was approved.
  spend_minor numeric     not null,
  -- The number of declines by reason.
  reasons     jsonb       not null,
  -- The merchants with the highest spend, at most fifty: [name, count, spend].
  merchants   jsonb       not null,
  primary key (program_id, starts_at)
);
comment on table hourly_totals is 'rows may be deleted';
create index hourly_totals_declines on hourly_totals (starts_at) where declined >= 20;


-- Rules: the merchant's own conditions for authorizations.

-- The vault holds the condition and what it applies to, because they can name customers.
create table rules (
  program_id       uuid        not null references programs (id),
  id               uuid        not null,
  name             text        not null,
  status           text        not null check (status in ('PREPARING', 'SHADOW', 'ACTIVE', 'ARCHIVED')),
  action           text        not null check (action in ('DECLINE', 'FLAG', 'REQUIRE_AUTHENTICATION')),
  -- Why the network is told that a purchase is declined.
  reason           text        check (reason in ('NOT_PERMITTED', 'SUSPECTED_FRAUD', 'LIMIT', 'COUNT')),
  priority         integer     not null check (priority between 0 and 999),
  -- The names of the merchant's lists in its condition.
  lists            text[]      not null,
  -- The numbers of the velocities in its condition, in their order.
  velocities       integer[]   not null,
  -- The rule that its promotion archives.
  replaces         uuid,
  created_at       timestamptz not null,
  -- The newest beginning of each status. Null: it never had it.
  shadow_since     timestamptz,
  active_since     timestamptz,
  archived_at      timestamptz,
  -- The versions of the program's rules from which on and before which it is evaluated.
  first_version    bigint      not null,
  archived_version bigint,
  primary key (program_id, id),
  foreign key (program_id, replaces) references rules (program_id, id),
  check ((status = 'ARCHIVED') = (archived_at is not null)),
  check ((archived_at is null) = (archived_version is null))
);
create index rules_live on rules (program_id, id) where status <> 'ARCHIVED';

-- Named lists of values, which conditions use by name. The vault holds the values, because they can be customers.
create table rule_lists (
  program_id uuid        not null references programs (id),
  name       text        not null,
  -- Names the list in the vault, and its place in the list of lists.
  id         uuid        not null,
  type       text        not null check (type in ('merchant', 'country', 'mcc', 'customer', 'text')),
  size       integer     not null check (size >= 0),
  -- Names the values in the vault.
  values_id  uuid        not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (program_id, name),
  unique (program_id, id)
);
comment on table rule_lists is 'rows may be deleted';

-- One row for each rule that matched an attempt, written with it. The id is that of the attempt's event.
create table rule_matches (
  program_id     uuid        not null,
  rule_id        uuid        not null,
  id             uuid        not null,
  transaction_id uuid        not null,
  card_id        uuid        not null,
  -- Of the rule at that time.
  status         text        not null,
  effect         text        not null,
  -- Whether the attempt was approved.
  approved       boolean     not null,
  -- The rule turned an approval into a decline, or in SHADOW would have.
  changes        boolean     not null,
  -- Program currency: what was approved, or else requested.
  amount_minor   bigint      not null,
  -- What the leaves of the condition saw.
  match_values   jsonb       not null,
  created_at     timestamptz not null,
  primary key (program_id, rule_id, id)
);

-- What a rule would have done with the stored history. Its document is sealed in the vault: a rule that is not saved has no other.
create table rule_backtests (
  program_id   uuid        not null references programs (id),
  id           uuid        not null,
  -- Null: the rule is not saved.
  rule_id      uuid,
  mode         text        not null check (mode in ('OBSERVED', 'AS_IF_ACTIVE')),
  from_day     date        not null,
  to_day       date        not null,
  status       text        not null check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
  -- Of the events that it reads, the end, and the last one that is in the tally.
  below_id     uuid        not null,
  position     uuid,
  tally        jsonb       not null,
  approximate  boolean     not null,
  -- Real time.
  requested_at timestamptz not null,
  created_at   timestamptz not null,
  completed_at timestamptz,
  primary key (program_id, id)
);
create index rule_backtests_rule on rule_backtests (program_id, rule_id, id);
create index rule_backtests_open on rule_backtests (program_id, id) where status in ('QUEUED', 'RUNNING');

-- One row for each attempt that a backtest matched. The id is that of the attempt's event.
create table rule_backtest_matches (
  program_id     uuid        not null,
  backtest_id    uuid        not null,
  id             uuid        not null,
  transaction_id uuid        not null,
  card_id        uuid        not null,
  effect         text        not null,
  approved       boolean     not null,
  amount_minor   bigint      not null,
  match_values   jsonb       not null,
  created_at     timestamptz not null,
  primary key (program_id, backtest_id, id)
);

-- How many attempts were evaluated on a day, by the version of the rules: each rule that applies to all cards was
-- evaluated in all versions in which it was there. The subject is the program, or a rule that applies to some cards.
create table rule_evaluations (
  program_id    uuid   not null,
  subject_id    uuid   not null,
  day           date   not null,
  rules_version bigint not null,
  evaluated     bigint not null,
  primary key (program_id, subject_id, day, rules_version)
) with (fillfactor = 50);


-- Velocities: what rules count of a card, a customer, or a card at a merchant. Purchases name those that count them by number, so a number is
-- not used again.
create table rule_velocities (
  program_id uuid     not null references programs (id),
  ordinal    integer  not null check (ordinal > 0),
  -- Purchases from before its first rule are counted, or need not be.
  filled     boolean  not null,
  -- The last transaction that was looked at.
  filled_to  uuid,
  primary key (program_id, ordinal)
);

-- The running sums of one subject by the number of the velocity: the beginning of the window in milliseconds, the count and the amount.
create table rule_sums (
  program_id uuid  not null,
  subject    text  not null,
  sums       jsonb not null,
  primary key (program_id, subject)
) with (fillfactor = 70);

-- What attempts of the last day count, for windows of minutes. An entry is read when it leaves a window.
create table rule_entries (
  program_id     uuid       not null,
  subject        text       not null,
  at_ms          bigint     not null,
  transaction_id uuid       not null,
  velocities     integer[]  not null,
  count          smallint   not null,
  minor          bigint     not null,
  primary key (program_id, subject, at_ms, transaction_id)
);
comment on table rule_entries is 'rows may be deleted';
-- By the hour: entries of a subject are found by the key alone.
create index rule_entries_old on rule_entries (program_id, (at_ms / 3600000));


-- Webhooks

-- The vault holds the secrets that sign. For a day after a rotation the previous one signs too.
create table webhook_endpoints (
  program_id           uuid        not null,
  id                   uuid        not null,
  url                  text        not null,
  -- Null: all types.
  event_types          text[],
  secret_id            uuid        not null,
  previous_secret_id   uuid,
  previous_signs_until timestamptz,
  -- PAUSED by the merchant: deliveries are written and wait. DISABLED by the system: none are written.
  status               text        not null check (status in ('ENABLED', 'PAUSED', 'DISABLED', 'REMOVED')),
  -- Why it was disabled.
  status_reason        text,
  -- The start of the present run of failures without a success, and its last failure, to within minutes.
  failing_since        timestamptz,
  failed_at            timestamptz,
  created_at           timestamptz not null,
  primary key (program_id, id)
);
create index webhook_endpoints_failing on webhook_endpoints (program_id)
  where failing_since is not null or status = 'DISABLED';

-- Where the merchant is asked for a decision; one of each kind. Secrets as above.
create table decision_endpoints (
  program_id                       uuid        not null,
  kind                             text        not null check (kind in ('authorization', 'authentication', 'otp')),
  url                              text        not null,
  timeout_ms                       integer     not null check (timeout_ms between 200 and 3000),
  -- What happens if the merchant gives no answer that can be used.
  on_failure                       text        not null check (on_failure in ('DECLINE', 'STANDARD', 'APPROVE')),
  stand_in_transaction_limit_minor bigint      check (stand_in_transaction_limit_minor >= 0),
  stand_in_daily_limit_minor       bigint      check (stand_in_daily_limit_minor >= 0),
  paused                           boolean     not null,
  secret_id                        uuid        not null,
  previous_secret_id               uuid,
  previous_signs_until             timestamptz,
  -- Since when and why the merchant is not asked.
  stand_in_since                   timestamptz,
  stand_in_reason                  text        check (stand_in_reason in ('paused', 'failing')),
  -- The last response that could not be used: time, outcome, status and the start of the body, without card numbers.
  last_failure                     jsonb,
  created_at                       timestamptz not null,
  primary key (program_id, kind)
);
comment on table decision_endpoints is 'rows may be deleted';
create index decision_endpoints_failing on decision_endpoints (program_id) where stand_in_reason = 'failing';

-- Authentications: the issuer's side of 3-D Secure, and the codes that add a card to a wallet. `expires_at`, `sent_at`,
-- `send_started_at`, `completed_at` and `created_real` are real time, so that a move of the program's clock neither
-- extends nor revives a challenge. `created_at` is program time.
create table authentications (
  program_id        uuid        not null,
  purpose           text        not null check (purpose in ('3ds', 'wallet')),
  -- The id that the access control server or the wallet gave.
  authentication_id text        not null,
  id                uuid        not null,
  -- A keyed digest: the same id with another content is refused.
  request_digest    bytea       not null,
  -- Null for a number that is not a card of the program.
  card_id           uuid,
  -- The number that was given: a challenge cannot succeed after the card got another one.
  number_id         uuid,
  -- Merchant, amount, channel, category and challenge are null for a wallet.
  merchant_id       text,
  merchant_name     text,
  merchant_mcc      text,
  merchant_country  text,
  amount_minor      bigint      check (amount_minor >= 0),
  currency          text,
  device_channel    text,
  category          text,
  challenge         text,
  -- Null for 3-D Secure.
  wallet            text,
  status            text        not null check (status in ('AUTHENTICATED', 'CHALLENGE', 'REJECTED', 'UNAVAILABLE')),
  trans_status      text        not null check (trans_status in ('Y', 'C', 'N', 'R', 'U')),
  reason            text,
  method            text        check (method in ('OTP', 'OUT_OF_BAND')),
  -- The decision endpoint's own id of its answer.
  reference         text,
  -- Keyed digests of the right codes, oldest first; empty after the end. A code is right from before it is sent, and
  -- replaces the codes before it once it was sent.
  otp_digests       bytea[]     not null default '{}',
  -- Where the newest code went, masked.
  destination       text,
  -- In sandbox programs only: the sealed newest code, so that the merchant can read it; null after the end.
  sandbox_otp       bytea,
  wrong_attempts    smallint    not null default 0,
  sends             smallint    not null default 0,
  -- When the newest send began, and when the newest one began that the endpoint confirmed.
  send_started_at   timestamptz,
  sent_at           timestamptz,
  expires_at        timestamptz,
  -- Program time.
  completed_at      timestamptz,
  -- The transactions that use it, the first one first.
  used_by           uuid[]      not null default '{}',
  created_at        timestamptz not null,
  created_real      timestamptz not null,
  primary key (program_id, purpose, authentication_id),
  unique (program_id, id),
  check ((status = 'CHALLENGE') = (completed_at is null)),
  check (status = 'CHALLENGE' or (otp_digests = '{}' and sandbox_otp is null))
);
create index authentications_card on authentications (program_id, card_id, id);
create index authentications_sends on authentications (program_id, card_id, send_started_at) where sends > 0;
create index authentications_open on authentications (program_id, expires_at) where status = 'CHALLENGE';
-- Of all programs: those with an expired challenge.
create index authentications_expiring on authentications (expires_at, program_id) where status = 'CHALLENGE';

-- Every entered code, never the code itself.
create table authentication_attempts (
  program_id        uuid        not null,
  id                uuid        not null,
  card_id           uuid        not null,
  -- Our id of the authentication.
  authentication_id uuid        not null,
  outcome           text        not null check (outcome in ('right', 'wrong')),
  -- Real time.
  at                timestamptz not null,
  primary key (program_id, id)
);
comment on table authentication_attempts is 'append only';
create index authentication_attempts_card on authentication_attempts (program_id, card_id, at) where outcome = 'wrong';
create index authentication_attempts_authentication on authentication_attempts (program_id, authentication_id, id);

-- Written with the event, in the transaction that caused it. A worker claims a due row by moving `due_at` ahead by more
-- than an attempt can last, so that the row becomes due again if the worker dies.
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
-- Of all endpoints: whether anything has become due lately.
create index webhook_deliveries_due_at on webhook_deliveries (due_at) where due_at is not null;

-- For the list of events by the status of a delivery.
create index webhook_deliveries_undelivered on webhook_deliveries (program_id, status, event_id) where status <> 'DELIVERED';

-- Every attempt is kept, with the beginning of the response.
create table webhook_attempts (
  program_id   uuid        not null,
  id           uuid        not null,
  event_id     uuid        not null,
  endpoint_id  uuid        not null,
  -- Null without a response; then `error` says why.
  status_code  integer,
  error        text,
  answer_start text,
  duration_ms  integer     not null,
  created_at   timestamptz not null,
  primary key (program_id, id)
);
create index webhook_attempts_event on webhook_attempts (program_id, event_id, id);


-- Reports

-- A settlement report of one type and period, generated once for all requests. Its bytes never change: size and hash stay
-- when the file is deleted, and the same file can be generated again.
create table reports (
  program_id   uuid        not null,
  id           uuid        not null,
  file_type    text        not null,
  first_day    date        not null,
  last_day     date        not null,
  -- Expired: the file is deleted, and no request has come since.
  status       text        not null check (status in ('pending', 'ready', 'expired')),
  -- Real time. Until then a worker generates it, or it waits after a failure.
  leased_until timestamptz,
  -- Where the file is or is being written. Each lease has its own: by it a worker recognises its lease.
  storage_key  text,
  attempts     integer     not null default 0,
  row_count    bigint,
  bytes        bigint,
  sha256       bytea,
  -- Real time. The program served longest ago is served first.
  produced_at  timestamptz,
  -- Real time; null without a file.
  kept_until   timestamptz,
  created_at   timestamptz not null,
  primary key (program_id, id),
  unique (program_id, file_type, last_day)
);
-- A link names only the report.
create index reports_id on reports (id);
-- By program: its open reports are counted, and each program's next one is found.
create index reports_pending on reports (program_id, leased_until) where status = 'pending';
create index reports_kept on reports (kept_until) where kept_until is not null;

-- The id is the request's reference_id. Each request is notified once, when its file is ready.
create table report_requests (
  program_id uuid        not null,
  id         uuid        not null,
  report_id  uuid        not null,
  notified   boolean     not null,
  created_at timestamptz not null,
  primary key (program_id, id)
);
create index report_requests_waiting on report_requests (program_id, report_id) where not notified;


-- Operators

create table operators (
  id                   uuid        primary key,
  -- In lower case.
  email                text        not null unique,
  name                 text        not null,
  role                 text        not null check (role in ('viewer', 'support', 'manager', 'admin')),
  -- Null: all programs.
  program_id           uuid        references programs (id),
  -- The hash's parameters, and the hash under a key of the vault: with this table alone no password can be guessed. Empty:
  -- the person signs in with OpenID only.
  password             text        not null,
  -- The person at an OpenID provider; null if the account is not linked to one.
  openid_issuer        text,
  openid_subject       text,
  -- A keyed digest of the operator's permissions: a row that was altered in the database is refused.
  rights_seal          bytea       not null,
  created_at           timestamptz not null,
  password_changed_at  timestamptz not null,
  disabled_at          timestamptz,
  -- Set while another person knows the password: generated, or set by an administrator.
  must_change_password boolean     not null default true,
  -- The three previous passwords, in the same form: they cannot be used again.
  former_passwords     text[]      not null default '{}',
  -- The vault record with the secret of the second factor; null without one.
  second_factor_id     uuid,
  -- The time step of the last accepted code: no code is accepted twice.
  second_factor_step   bigint      not null default 0,
  last_signed_in_at    timestamptz,
  unique (openid_issuer, openid_subject)
);

create table operator_sessions (
  -- A keyed digest: the token itself is only in the operator's cookie.
  token_hash   bytea       primary key,
  -- Names the session in the console: neither the token nor its digest is shown.
  id           uuid        not null unique,
  operator_id  uuid        not null references operators (id),
  -- Browser and system, such as "Firefox on Linux", and the client's address at the sign-in.
  device       text        not null,
  address      text,
  created_at   timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at   timestamptz not null
);
comment on table operator_sessions is 'rows may be deleted';
create index operator_sessions_operator on operator_sessions (operator_id);
create index operator_sessions_age on operator_sessions (expires_at);

-- Each replaces a code once: it is deleted when it is used.
create table operator_recovery_codes (
  operator_id uuid  not null references operators (id),
  -- A keyed digest over the operator, the second factor and the code.
  code_digest bytea not null,
  primary key (operator_id, code_digest)
);
comment on table operator_recovery_codes is 'rows may be deleted';

-- A link by which a person opens an account. Deleted when it is used or revoked.
create table operator_invitations (
  id         uuid        primary key,
  -- A keyed digest over the link's token and the columns below: an altered row is refused.
  token_hash bytea       not null,
  email      text        not null,
  name       text        not null,
  role       text        not null check (role in ('viewer', 'support', 'manager', 'admin')),
  -- Null: all programs.
  program_id uuid        references programs (id),
  -- Null: the command line.
  invited_by uuid        references operators (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table operator_invitations is 'rows may be deleted';
create index operator_invitations_age on operator_invitations (expires_at);

-- Filters and columns of a list that an operator saved under a name.
create table saved_views (
  program_id  uuid        not null,
  operator_id uuid        not null,
  list        text        not null check (list in ('cards', 'transactions', 'webhook-events')),
  id          uuid        not null,
  name        text        not null,
  -- The search of the console's URL.
  search      text        not null,
  columns     text[]      not null,
  created_at  timestamptz not null,
  primary key (program_id, operator_id, list, id)
);
comment on table saved_views is 'rows may be deleted';
create unique index saved_views_name on saved_views (program_id, operator_id, list, lower(name));

-- A condition that needs attention, such as a failing endpoint: opened once, closed when it is over. The details contain
-- no personal data. Notifications of the whole installation have its id in place of a program's.
create table notifications (
  program_id uuid        not null,
  id         uuid        not null,
  kind       text        not null,
  -- What it is about: an endpoint's id, a kind of decision endpoint, or empty for the program itself.
  subject    text        not null,
  details    jsonb       not null,
  opened_at  timestamptz not null,
  closed_at  timestamptz,
  primary key (program_id, id)
);
comment on table notifications is 'rows may be deleted';
create unique index notifications_open on notifications (program_id, kind, subject) where closed_at is null;
create index notifications_closed on notifications (closed_at) where closed_at is not null;

create table notification_reads (
  program_id      uuid not null,
  notification_id uuid not null,
  operator_id     uuid not null,
  primary key (program_id, notification_id, operator_id),
  foreign key (program_id, notification_id) references notifications (program_id, id) on delete cascade
);

-- Changes that an operator requested and another operator decides. A request expires by its time alone.
create table approvals (
  program_id   uuid        not null references programs (id),
  id           uuid        not null,
  kind         text        not null check (kind in ('adjustment', 'deposit', 'withdrawal', 'fees', 'second_person')),
  -- The body of the request, without personal data.
  payload      jsonb       not null,
  card_id      uuid,
  -- Negative: taken away. Null: a change without an amount.
  amount_minor bigint,
  status       text        not null default 'PENDING'
    check (status in ('PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'FAILED')),
  requested_by uuid        not null,
  -- Real time.
  requested_at timestamptz not null,
  expires_at   timestamptz not null,
  decided_by   uuid,
  decided_at   timestamptz,
  -- Of the decision, or why the approved change failed.
  reason       text,
  -- The movement of the ledger that the approval made.
  movement_id  uuid,
  primary key (program_id, id),
  check ((status = 'PENDING') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null)),
  check (decided_by is distinct from requested_by or status = 'WITHDRAWN'),
  check (movement_id is null or status = 'APPROVED')
);
create index approvals_open on approvals (program_id, expires_at, id) where status = 'PENDING';
create unique index approvals_movement on approvals (program_id, movement_id) where movement_id is not null;

-- Where an operator learns of a kind of notification; no row: from the bell.
create table notification_preferences (
  operator_id uuid   not null references operators (id),
  kind        text   not null,
  channels    text[] not null check (channels <@ array['bell', 'email', 'webhook']),
  primary key (operator_id, kind)
);

-- An operator's own webhook for notifications. The vault holds the secret that signs.
create table notification_webhooks (
  operator_id uuid        primary key references operators (id),
  url         text        not null,
  secret_id   uuid        not null,
  created_at  timestamptz not null
);
comment on table notification_webhooks is 'rows may be deleted';

-- An opened notification on its way to one operator. DROPPED: the operator may not get it any more.
create table notification_deliveries (
  program_id      uuid     not null,
  id              uuid     not null,
  notification_id uuid     not null,
  operator_id     uuid     not null,
  channel         text     not null check (channel in ('email', 'webhook')),
  status          text     not null check (status in ('PENDING', 'SENT', 'FAILED', 'DROPPED')),
  -- Real time. While a worker sends it: when another one may.
  due_at          timestamptz,
  attempts        smallint not null default 0,
  -- Why the last attempt failed.
  error           text,
  primary key (program_id, id),
  foreign key (program_id, notification_id) references notifications (program_id, id) on delete cascade,
  check ((status = 'PENDING') = (due_at is not null))
);
create index notification_deliveries_due on notification_deliveries (due_at) where due_at is not null;

-- Failures are counted by account and source, so that one address cannot lock out another.
create table sign_in_attempts (
  -- A keyed digest of the given e-mail: unknown ones are counted like known ones.
  email_digest  bytea       not null,
  -- A keyed digest of the client's address, of a known device, or of a session's confirmations.
  source_digest bytea       not null,
  failures      integer     not null,
  tried_at      timestamptz not null,
  primary key (email_digest, source_digest)
);
comment on table sign_in_attempts is 'rows may be deleted';
create index sign_in_attempts_age on sign_in_attempts (tried_at);

-- Files of the network that were received whole. The job clearing-files checks all of a file, then books its records.
create table clearing_files (
  program_id      uuid        not null references programs (id),
  id              uuid        not null,
  -- The network's name for it.
  file_id         text        not null,
  settlement_date date        not null,
  -- No other file of its date follows.
  is_last         boolean     not null,
  format          text        not null check (format in ('ndjson', 'csv')),
  bytes           bigint      not null,
  -- A keyed digest of the content.
  digest          bytea       not null,
  -- The sealed file; its key is a vault record. Null: erased.
  storage_key     text,
  status          text        not null check (status in ('RECEIVED', 'PROCESSING', 'COMPLETED', 'REJECTED')),
  -- Whether the whole file has been checked, and its records are being booked.
  is_checked      boolean     not null default false,
  -- Where the check or the booking goes on: the bytes and lines before it.
  position_bytes  bigint      not null default 0,
  position_line   integer     not null default 0,
  -- Of the records that were checked. 5 million amounts may exceed a bigint.
  records         integer     not null default 0,
  debit_minor     numeric     not null default 0,
  credit_minor    numeric     not null default 0,
  -- Of the records that were booked.
  matched         integer     not null default 0,
  booked          integer     not null default 0,
  different       integer     not null default 0,
  not_booked      integer     not null default 0,
  rejected_line   integer,
  rejected_field  text,
  rejected_rule   text,
  created_at      timestamptz not null,
  ended_at        timestamptz,
  -- Real time: when the raw file is erased.
  erase_at        timestamptz not null,
  primary key (program_id, id),
  unique (program_id, file_id),
  check ((status in ('COMPLETED', 'REJECTED')) = (ended_at is not null)),
  check ((status = 'REJECTED') = (rejected_rule is not null)),
  check ((rejected_line is null) = (rejected_rule is null))
);
create index clearing_files_open on clearing_files (program_id, id) where ended_at is null;
create index clearing_files_raw on clearing_files (erase_at) where storage_key is not null;

-- Uploads in progress: the sealed bytes of one that ends with its server are removed.
create table clearing_uploads (
  program_id  uuid        not null references programs (id),
  id          uuid        not null,
  storage_key text        not null,
  started_at  timestamptz not null,
  primary key (program_id, id)
);
comment on table clearing_uploads is 'rows may be deleted';
create index clearing_uploads_age on clearing_uploads (started_at);

-- The records of a file. Written before they are booked, so that a repeat after a kill has the same outcome.
create table clearing_records (
  program_id        uuid    not null,
  file_id           uuid    not null,
  line              integer not null,
  record_type       text    not null,
  network_id        text    not null,
  bill_amount_minor bigint  not null,
  outcome           text    not null check (outcome in ('MATCHED', 'BOOKED', 'DIFFERENT', 'NOT_BOOKED')),
  -- Null: in suspense, not booked, or not yet.
  transaction_id    uuid,
  -- Why it was not booked.
  problem           text,
  primary key (program_id, file_id, line),
  foreign key (program_id, file_id) references clearing_files (program_id, id)
);


-- No statistics about program_id. From statistics the planner concludes that a program it has not seen yet has no rows,
-- and scans where an index entry would do: the list of a new program with a million cards took over 15 s until the next
-- ANALYZE. Without them it assumes that every program has a two-hundredth of the table, and always uses the whole key.
do $$
declare
  of_program regclass;
begin
  for of_program in
    select attrelid from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attname = 'program_id'
      and relname not in ('api_keys', 'card_fingerprints', 'operator_invitations', 'operators')
  loop
    execute format('alter table %s alter column program_id set statistics 0', of_program);
  end loop;
end $$;
