-- Up Migration

create table card_designs (
  program_id            uuid        not null references programs (id),
  id                    text        not null,
  name                  text        not null,
  stock                 boolean     not null,
  is_default            boolean     not null,
  emboss_name_supported boolean     not null,
  created_at            timestamptz not null,
  primary key (program_id, id)
);

create unique index card_designs_default on card_designs (program_id) where is_default;

create table cards (
  program_id              uuid        not null references programs (id),
  id                      uuid        not null,
  -- One cardholder, several cards: a keyed digest of the merchant's own customer id.
  cardholder_id           uuid        not null,
  customer_type           text        not null check (customer_type in ('Consumer', 'Business')),
  card_type               text        not null check (card_type in ('physical', 'virtual')),
  design_id               text        not null,
  currency                text        not null,
  -- EXPIRED is no stored status: it follows from the active credential's expiry date and the clock.
  status                  text        not null check (status in ('ACTIVE', 'FROZEN', 'BLOCKED')),
  status_reason           text,
  -- The active credential. All others of the card are inactive, by construction.
  credential_id           uuid        not null,
  spend_limit_minor       bigint      not null check (spend_limit_minor >= 0),
  transaction_limit_minor bigint      check (transaction_limit_minor >= 0),
  daily_limit_minor       bigint      check (daily_limit_minor >= 0),
  monthly_limit_minor     bigint      check (monthly_limit_minor >= 0),
  all_time_limit_minor    bigint      check (all_time_limit_minor >= 0),
  allowed_mccs            text[]      not null default '{}',
  blocked_mccs            text[]      not null default '{}',
  event_sequence          integer     not null,
  created_at              timestamptz not null,
  primary key (program_id, id),
  foreign key (program_id, design_id) references card_designs (program_id, id),
  check ((status = 'BLOCKED') = (status_reason is not null))
);

create index cards_cardholder on cards (program_id, cardholder_id, id);

create table credentials (
  program_id  uuid        not null,
  id          uuid        not null,
  card_id     uuid        not null,
  number_id   uuid        not null,
  last_four   text        not null,
  expiry_date date        not null,
  -- The CVV is derived from this key, the number's id, the expiry and the salt; it is stored nowhere.
  cvv_key_id  integer     not null,
  cvv_salt    integer     not null,
  created_at  timestamptz not null,
  primary key (program_id, id),
  foreign key (program_id, card_id) references cards (program_id, id)
);

create index credentials_card on credentials (program_id, card_id, id);

-- A card and its credential come together; each names the other, so one of the two checks waits for commit.
alter table cards add foreign key (program_id, credential_id)
  references credentials (program_id, id) deferrable initially deferred;

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

-- Applicants registered in the sandbox; their data are sealed in the vault under the same id.
create table sandbox_kyc_applicants (
  program_id   uuid not null references programs (id),
  applicant_id text not null,
  record_id    uuid not null,
  review       text not null check (review in ('approved', 'pending', 'rejected')),
  primary key (program_id, applicant_id)
);
