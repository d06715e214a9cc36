-- The schema after all migrations. Written by "npm run schema"; a test compares it.

create table api_keys (
  key_hash bytea not null,
  id uuid not null,
  program_id uuid not null,
  kind text not null,
  name text not null,
  hint text not null,
  scopes text[] not null,
  rights_seal bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  constraint api_keys_id_key UNIQUE (id),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['merchant'::text, 'network'::text]))),
  constraint api_keys_pkey PRIMARY KEY (key_hash),
  constraint api_keys_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id)
);
CREATE INDEX api_keys_program ON public.api_keys USING btree (program_id, id);

create table approvals (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  payload jsonb not null,
  card_id uuid,
  amount_minor bigint,
  status text not null default 'PENDING'::text,
  requested_by uuid not null,
  requested_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  decided_by uuid,
  decided_at timestamp with time zone,
  reason text,
  movement_id uuid,
  constraint approvals_check CHECK (((status = 'PENDING'::text) = (decided_at IS NULL))),
  constraint approvals_check1 CHECK (((decided_by IS NULL) = (decided_at IS NULL))),
  constraint approvals_check2 CHECK (((decided_by IS DISTINCT FROM requested_by) OR (status = 'WITHDRAWN'::text))),
  constraint approvals_check3 CHECK (((movement_id IS NULL) OR (status = 'APPROVED'::text))),
  constraint approvals_kind_check CHECK ((kind = ANY (ARRAY['adjustment'::text, 'deposit'::text, 'withdrawal'::text, 'fees'::text, 'second_person'::text]))),
  constraint approvals_pkey PRIMARY KEY (program_id, id),
  constraint approvals_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint approvals_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text, 'FAILED'::text])))
);
CREATE INDEX approvals_open ON public.approvals USING btree (program_id, expires_at, id) WHERE (status = 'PENDING'::text);
CREATE UNIQUE INDEX approvals_movement ON public.approvals USING btree (program_id, movement_id) WHERE (movement_id IS NOT NULL);

create table audit_entries (
  program_id uuid not null,
  id uuid not null,
  actor text not null,
  action text not null,
  card_id uuid,
  before jsonb,
  after jsonb,
  request_id text,
  created_at timestamp with time zone not null,
  address text,
  constraint audit_entries_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX audit_entries_action ON public.audit_entries USING btree (program_id, action, id);
CREATE INDEX audit_entries_actor ON public.audit_entries USING btree (program_id, actor, id);
CREATE INDEX audit_entries_card ON public.audit_entries USING btree (program_id, card_id, id);
comment on table audit_entries is 'append only';

create table audit_links (
  program_id uuid not null,
  position bigint not null,
  entry_id uuid not null,
  hash bytea not null,
  constraint audit_links_pkey PRIMARY KEY (program_id, "position"),
  constraint audit_links_position_check CHECK (("position" > 0)),
  constraint audit_links_program_id_entry_id_key UNIQUE (program_id, entry_id)
);
comment on table audit_links is 'append only';

create table audit_unlinked (
  program_id uuid not null,
  entry_id uuid not null,
  constraint audit_unlinked_pkey PRIMARY KEY (program_id, entry_id)
);
comment on table audit_unlinked is 'rows may be deleted';

create table audit_verifications (
  program_id uuid not null,
  state text not null,
  seal bytea not null,
  constraint audit_verifications_pkey PRIMARY KEY (program_id)
);

create table authentication_attempts (
  program_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  authentication_id uuid not null,
  outcome text not null,
  at timestamp with time zone not null,
  constraint authentication_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['right'::text, 'wrong'::text]))),
  constraint authentication_attempts_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX authentication_attempts_authentication ON public.authentication_attempts USING btree (program_id, authentication_id, id);
CREATE INDEX authentication_attempts_card ON public.authentication_attempts USING btree (program_id, card_id, at) WHERE (outcome = 'wrong'::text);
comment on table authentication_attempts is 'append only';

create table authentications (
  program_id uuid not null,
  purpose text not null,
  authentication_id text not null,
  id uuid not null,
  request_digest bytea not null,
  card_id uuid,
  number_id uuid,
  merchant_id text,
  merchant_name text,
  merchant_mcc text,
  merchant_country text,
  amount_minor bigint,
  currency text,
  device_channel text,
  category text,
  challenge text,
  wallet text,
  status text not null,
  trans_status text not null,
  reason text,
  method text,
  reference text,
  otp_digests bytea[] not null default '{}'::bytea[],
  destination text,
  sandbox_otp bytea,
  wrong_attempts smallint not null default 0,
  sends smallint not null default 0,
  send_started_at timestamp with time zone,
  sent_at timestamp with time zone,
  expires_at timestamp with time zone,
  completed_at timestamp with time zone,
  used_by uuid[] not null default '{}'::uuid[],
  created_at timestamp with time zone not null,
  created_real timestamp with time zone not null,
  constraint authentications_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint authentications_check CHECK (((status = 'CHALLENGE'::text) = (completed_at IS NULL))),
  constraint authentications_check1 CHECK (((status = 'CHALLENGE'::text) OR ((otp_digests = '{}'::bytea[]) AND (sandbox_otp IS NULL)))),
  constraint authentications_method_check CHECK ((method = ANY (ARRAY['OTP'::text, 'OUT_OF_BAND'::text]))),
  constraint authentications_pkey PRIMARY KEY (program_id, purpose, authentication_id),
  constraint authentications_program_id_id_key UNIQUE (program_id, id),
  constraint authentications_purpose_check CHECK ((purpose = ANY (ARRAY['3ds'::text, 'wallet'::text]))),
  constraint authentications_status_check CHECK ((status = ANY (ARRAY['AUTHENTICATED'::text, 'CHALLENGE'::text, 'REJECTED'::text, 'UNAVAILABLE'::text]))),
  constraint authentications_trans_status_check CHECK ((trans_status = ANY (ARRAY['Y'::text, 'C'::text, 'N'::text, 'R'::text, 'U'::text])))
);
CREATE INDEX authentications_card ON public.authentications USING btree (program_id, card_id, id);
CREATE INDEX authentications_expiring ON public.authentications USING btree (expires_at, program_id) WHERE (status = 'CHALLENGE'::text);
CREATE INDEX authentications_open ON public.authentications USING btree (program_id, expires_at) WHERE (status = 'CHALLENGE'::text);
CREATE INDEX authentications_sends ON public.authentications USING btree (program_id, card_id, send_started_at) WHERE (sends > 0);

create table balance_adjustments (
  program_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  amount_minor bigint not null,
  reference text not null,
  created_at timestamp with time zone not null,
  constraint balance_adjustments_amount_minor_check CHECK ((amount_minor <> 0)),
  constraint balance_adjustments_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX balance_adjustments_card ON public.balance_adjustments USING btree (program_id, card_id, id);

create table card_batch_rows (
  program_id uuid not null,
  batch_id uuid not null,
  id uuid not null,
  row_index integer not null,
  status text not null,
  sealed bytea,
  card_id uuid,
  error jsonb,
  constraint card_batch_rows_check CHECK (((status = 'PENDING'::text) = (sealed IS NOT NULL))),
  constraint card_batch_rows_check1 CHECK (((status = 'CREATED'::text) = (card_id IS NOT NULL))),
  constraint card_batch_rows_check2 CHECK (((status = 'FAILED'::text) = (error IS NOT NULL))),
  constraint card_batch_rows_pkey PRIMARY KEY (program_id, batch_id, id),
  constraint card_batch_rows_program_id_batch_id_fkey FOREIGN KEY (program_id, batch_id) REFERENCES card_batches(program_id, id),
  constraint card_batch_rows_program_id_card_id_fkey FOREIGN KEY (program_id, card_id) REFERENCES cards(program_id, id),
  constraint card_batch_rows_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'CREATED'::text, 'FAILED'::text])))
);
CREATE INDEX card_batch_rows_pending ON public.card_batch_rows USING btree (program_id, batch_id, id) WHERE (status = 'PENDING'::text);

create table card_batches (
  program_id uuid not null,
  id uuid not null,
  sender jsonb not null,
  total integer not null,
  created integer,
  failed integer,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint card_batches_check CHECK ((num_nonnulls(created, failed, completed_at) = ANY (ARRAY[0, 3]))),
  constraint card_batches_check1 CHECK (((created + failed) = total)),
  constraint card_batches_pkey PRIMARY KEY (program_id, id),
  constraint card_batches_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint card_batches_total_check CHECK ((total > 0))
);
CREATE INDEX card_batches_open ON public.card_batches USING btree (program_id, id) WHERE (completed_at IS NULL);

create table card_counters (
  program_id uuid not null,
  card_id uuid not null,
  event_sequence integer not null,
  wrong_cvvs smallint not null default 0,
  day date not null,
  day_spent_minor bigint not null default 0,
  month_spent_minor bigint not null default 0,
  total_spent_minor bigint not null default 0,
  held_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  wrong_entries timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  last_used_at timestamp with time zone,
  used jsonb,
  constraint card_counters_pkey PRIMARY KEY (program_id, card_id)
);

create table card_designs (
  program_id uuid not null,
  id text not null,
  name text not null,
  stock boolean not null,
  is_default boolean not null,
  emboss_name_supported boolean not null,
  retired boolean not null default false,
  look jsonb,
  created_at timestamp with time zone not null,
  constraint card_designs_check CHECK ((NOT (is_default AND retired))),
  constraint card_designs_pkey PRIMARY KEY (program_id, id),
  constraint card_designs_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id)
);
CREATE UNIQUE INDEX card_designs_default ON public.card_designs USING btree (program_id) WHERE is_default;

create table card_fingerprints (
  fingerprint bytea not null,
  program_id uuid not null,
  card_id uuid not null,
  number_id uuid not null,
  seal bytea not null,
  constraint card_fingerprints_pkey PRIMARY KEY (fingerprint)
);
comment on table card_fingerprints is 'rows may be deleted';

create table card_labels (
  program_id uuid not null,
  label text not null,
  id uuid not null,
  constraint card_labels_pkey PRIMARY KEY (program_id, label, id)
);
comment on table card_labels is 'rows may be deleted';

create table card_search_words (
  program_id uuid not null,
  word bytea not null,
  card_id uuid not null,
  constraint card_search_words_pkey PRIMARY KEY (program_id, word, card_id)
);
comment on table card_search_words is 'rows may be deleted';

create table cards (
  program_id uuid not null,
  id uuid not null,
  cardholder_id uuid not null,
  customer_type text not null,
  card_type text not null,
  design_id text not null,
  currency text not null,
  status text not null,
  status_reason text,
  frozen_with_customer boolean not null default false,
  reason_code text,
  blocked_at timestamp with time zone,
  credential_id uuid not null,
  last_four text not null,
  expiry_event_due date,
  spend_limit_minor bigint not null,
  transaction_limit_minor bigint,
  daily_limit_minor bigint,
  monthly_limit_minor bigint,
  all_time_limit_minor bigint,
  allowed_mccs text[] not null default '{}'::text[],
  blocked_mccs text[] not null default '{}'::text[],
  temporary_limits jsonb not null default '{}'::jsonb,
  usage jsonb,
  metadata jsonb,
  three_ds_forwarding boolean not null default false,
  replaces_card_id uuid,
  created_at timestamp with time zone not null,
  constraint cards_all_time_limit_minor_check CHECK ((all_time_limit_minor >= 0)),
  constraint cards_card_type_check CHECK ((card_type = ANY (ARRAY['physical'::text, 'virtual'::text]))),
  constraint cards_check CHECK (((NOT frozen_with_customer) OR (status <> 'ACTIVE'::text))),
  constraint cards_check1 CHECK ((num_nonnulls(reason_code, blocked_at) =
CASE status
    WHEN 'BLOCKED'::text THEN 2
    ELSE 0
END)),
  constraint cards_check2 CHECK (
CASE status
    WHEN 'BLOCKED'::text THEN (status_reason IS NOT NULL)
    WHEN 'ACTIVE'::text THEN (status_reason IS NULL)
    ELSE true
END),
  constraint cards_customer_type_check CHECK ((customer_type = ANY (ARRAY['Consumer'::text, 'Business'::text]))),
  constraint cards_daily_limit_minor_check CHECK ((daily_limit_minor >= 0)),
  constraint cards_monthly_limit_minor_check CHECK ((monthly_limit_minor >= 0)),
  constraint cards_pkey PRIMARY KEY (program_id, id),
  constraint cards_program_id_credential_id_fkey FOREIGN KEY (program_id, credential_id) REFERENCES credentials(program_id, id) DEFERRABLE INITIALLY DEFERRED,
  constraint cards_program_id_design_id_fkey FOREIGN KEY (program_id, design_id) REFERENCES card_designs(program_id, id),
  constraint cards_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint cards_program_id_replaces_card_id_fkey FOREIGN KEY (program_id, replaces_card_id) REFERENCES cards(program_id, id),
  constraint cards_reason_code_check CHECK ((reason_code = ANY (ARRAY['FRAUD'::text, 'LOST'::text, 'STOLEN'::text, 'OTHER'::text]))),
  constraint cards_spend_limit_minor_check CHECK ((spend_limit_minor >= 0)),
  constraint cards_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'FROZEN'::text, 'BLOCKED'::text]))),
  constraint cards_transaction_limit_minor_check CHECK ((transaction_limit_minor >= 0))
);
CREATE INDEX cards_cardholder ON public.cards USING btree (program_id, cardholder_id, id);
CREATE INDEX cards_design ON public.cards USING btree (program_id, design_id, id);
CREATE INDEX cards_expired ON public.cards USING btree (program_id, id) WHERE ((expiry_event_due IS NULL) AND (status <> 'BLOCKED'::text));
CREATE INDEX cards_expiry_event_due ON public.cards USING btree (program_id, expiry_event_due, id) WHERE (expiry_event_due IS NOT NULL);
CREATE INDEX cards_last_four ON public.cards USING btree (program_id, last_four, id);
CREATE INDEX cards_status ON public.cards USING btree (program_id, status, id);
CREATE UNIQUE INDEX cards_replaces ON public.cards USING btree (program_id, replaces_card_id) WHERE (replaces_card_id IS NOT NULL);

create table clearing_files (
  program_id uuid not null,
  id uuid not null,
  file_id text not null,
  settlement_date date not null,
  is_last boolean not null,
  format text not null,
  bytes bigint not null,
  digest bytea not null,
  storage_key text,
  status text not null,
  is_checked boolean not null default false,
  position_bytes bigint not null default 0,
  position_line integer not null default 0,
  records integer not null default 0,
  debit_minor numeric not null default 0,
  credit_minor numeric not null default 0,
  matched integer not null default 0,
  booked integer not null default 0,
  different integer not null default 0,
  not_booked integer not null default 0,
  rejected_line integer,
  rejected_field text,
  rejected_rule text,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  erase_at timestamp with time zone not null,
  constraint clearing_files_check CHECK (((status = ANY (ARRAY['COMPLETED'::text, 'REJECTED'::text])) = (ended_at IS NOT NULL))),
  constraint clearing_files_check1 CHECK (((status = 'REJECTED'::text) = (rejected_rule IS NOT NULL))),
  constraint clearing_files_check2 CHECK (((rejected_line IS NULL) = (rejected_rule IS NULL))),
  constraint clearing_files_format_check CHECK ((format = ANY (ARRAY['ndjson'::text, 'csv'::text]))),
  constraint clearing_files_pkey PRIMARY KEY (program_id, id),
  constraint clearing_files_program_id_file_id_key UNIQUE (program_id, file_id),
  constraint clearing_files_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint clearing_files_status_check CHECK ((status = ANY (ARRAY['RECEIVED'::text, 'PROCESSING'::text, 'COMPLETED'::text, 'REJECTED'::text])))
);
CREATE INDEX clearing_files_open ON public.clearing_files USING btree (program_id, id) WHERE (ended_at IS NULL);
CREATE INDEX clearing_files_raw ON public.clearing_files USING btree (erase_at) WHERE (storage_key IS NOT NULL);

create table clearing_records (
  program_id uuid not null,
  file_id uuid not null,
  line integer not null,
  record_type text not null,
  network_id text not null,
  bill_amount_minor bigint not null,
  outcome text not null,
  transaction_id uuid,
  problem text,
  constraint clearing_records_outcome_check CHECK ((outcome = ANY (ARRAY['MATCHED'::text, 'BOOKED'::text, 'DIFFERENT'::text, 'NOT_BOOKED'::text]))),
  constraint clearing_records_pkey PRIMARY KEY (program_id, file_id, line),
  constraint clearing_records_program_id_file_id_fkey FOREIGN KEY (program_id, file_id) REFERENCES clearing_files(program_id, id)
);

create table clearing_uploads (
  program_id uuid not null,
  id uuid not null,
  storage_key text not null,
  started_at timestamp with time zone not null,
  constraint clearing_uploads_pkey PRIMARY KEY (program_id, id),
  constraint clearing_uploads_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id)
);
CREATE INDEX clearing_uploads_age ON public.clearing_uploads USING btree (started_at);
comment on table clearing_uploads is 'rows may be deleted';

create table credentials (
  program_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  number_id uuid not null,
  last_four text not null,
  expiry_date date not null,
  cvv_key_id integer not null,
  cvv_salt integer not null,
  created_at timestamp with time zone not null,
  constraint credentials_pkey PRIMARY KEY (program_id, id),
  constraint credentials_program_id_card_id_fkey FOREIGN KEY (program_id, card_id) REFERENCES cards(program_id, id)
);
CREATE INDEX credentials_card ON public.credentials USING btree (program_id, card_id, id);
CREATE INDEX credentials_last_four ON public.credentials USING btree (program_id, last_four, id);

create table cursors (
  program_id uuid not null,
  name text not null,
  position uuid not null,
  constraint cursors_pkey PRIMARY KEY (program_id, name)
);

create table customer_notes (
  program_id uuid not null,
  id uuid not null,
  cardholder_id uuid not null,
  operator_id uuid not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint customer_notes_pkey PRIMARY KEY (program_id, id),
  constraint customer_notes_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id)
);
CREATE INDEX customer_notes_cardholder ON public.customer_notes USING btree (program_id, cardholder_id, id);

create table customers (
  program_id uuid not null,
  id uuid not null,
  cardholder_id uuid not null,
  constraint customers_pkey PRIMARY KEY (program_id, id),
  constraint customers_program_id_cardholder_id_key UNIQUE (program_id, cardholder_id),
  constraint customers_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint customers_program_id_id_fkey FOREIGN KEY (program_id, id) REFERENCES cards(program_id, id)
);

create table decision_endpoints (
  program_id uuid not null,
  kind text not null,
  url text not null,
  timeout_ms integer not null,
  on_failure text not null,
  stand_in_transaction_limit_minor bigint,
  stand_in_daily_limit_minor bigint,
  paused boolean not null,
  secret_id uuid not null,
  previous_secret_id uuid,
  previous_signs_until timestamp with time zone,
  stand_in_since timestamp with time zone,
  stand_in_reason text,
  last_failure jsonb,
  created_at timestamp with time zone not null,
  constraint decision_endpoints_kind_check CHECK ((kind = ANY (ARRAY['authorization'::text, 'authentication'::text, 'otp'::text]))),
  constraint decision_endpoints_on_failure_check CHECK ((on_failure = ANY (ARRAY['DECLINE'::text, 'STANDARD'::text, 'APPROVE'::text]))),
  constraint decision_endpoints_pkey PRIMARY KEY (program_id, kind),
  constraint decision_endpoints_stand_in_daily_limit_minor_check CHECK ((stand_in_daily_limit_minor >= 0)),
  constraint decision_endpoints_stand_in_reason_check CHECK ((stand_in_reason = ANY (ARRAY['paused'::text, 'failing'::text]))),
  constraint decision_endpoints_stand_in_transaction_limit_minor_check CHECK ((stand_in_transaction_limit_minor >= 0)),
  constraint decision_endpoints_timeout_ms_check CHECK (((timeout_ms >= 200) AND (timeout_ms <= 3000)))
);
CREATE INDEX decision_endpoints_failing ON public.decision_endpoints USING btree (program_id) WHERE (stand_in_reason = 'failing'::text);
comment on table decision_endpoints is 'rows may be deleted';

create table events (
  program_id uuid not null,
  id uuid not null,
  event_type text not null,
  event_name text not null,
  card_id uuid,
  card_sequence integer,
  data jsonb not null,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX events_card ON public.events USING btree (program_id, card_id, id) WHERE (event_type <> 'transaction'::text);

create table hourly_totals (
  program_id uuid not null,
  starts_at timestamp with time zone not null,
  approved bigint not null,
  declined bigint not null,
  spend_minor numeric not null,
  reasons jsonb not null,
  merchants jsonb not null,
  constraint hourly_totals_pkey PRIMARY KEY (program_id, starts_at)
);
CREATE INDEX hourly_totals_declines ON public.hourly_totals USING btree (starts_at) WHERE (declined >= 20);
comment on table hourly_totals is 'rows may be deleted';

create table idempotency_records (
  program_id uuid not null,
  endpoint text not null,
  key_digest bytea not null,
  request_digest bytea not null,
  answer bytea not null,
  created_at timestamp with time zone not null,
  constraint idempotency_records_pkey PRIMARY KEY (program_id, endpoint, key_digest),
  constraint idempotency_records_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id)
);
CREATE INDEX idempotency_records_age ON public.idempotency_records USING btree (created_at);
comment on table idempotency_records is 'rows may be deleted';

create table ledger_accounts (
  program_id uuid not null,
  id uuid not null,
  balance_minor bigint not null,
  constraint ledger_accounts_pkey PRIMARY KEY (program_id, id)
);

create table ledger_daily_balances (
  program_id uuid not null,
  account_id uuid not null,
  day date not null,
  balance_minor bigint not null,
  constraint ledger_daily_balances_pkey PRIMARY KEY (program_id, account_id, day)
);

create table ledger_transfers (
  program_id uuid not null,
  id uuid not null,
  movement_id uuid not null,
  code text not null,
  debit_account_id uuid not null,
  credit_account_id uuid not null,
  amount_minor bigint not null,
  created_at timestamp with time zone not null,
  constraint ledger_transfers_amount_minor_check CHECK ((amount_minor > 0)),
  constraint ledger_transfers_check CHECK ((debit_account_id <> credit_account_id)),
  constraint ledger_transfers_pkey PRIMARY KEY (program_id, id)
);
comment on table ledger_transfers is 'append only';

create table list_milestones (
  program_id uuid not null,
  list text not null,
  ordinal bigint not null,
  record_id uuid not null,
  constraint list_milestones_pkey PRIMARY KEY (program_id, list, ordinal),
  constraint list_milestones_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint list_milestones_program_id_list_record_id_key UNIQUE (program_id, list, record_id)
);

create table maintenance_charges (
  program_id uuid not null,
  month date not null,
  card_id uuid not null,
  movement_id uuid not null,
  constraint maintenance_charges_pkey PRIMARY KEY (program_id, month, card_id)
);

create table maintenance_cursors (
  program_id uuid not null,
  month date not null,
  position uuid not null,
  fee_minor bigint,
  constraint maintenance_cursors_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint maintenance_cursors_pkey PRIMARY KEY (program_id)
);

create table network_messages (
  program_id uuid not null,
  kind text not null,
  message_id text not null,
  transaction_id uuid,
  card_id uuid,
  request_digest bytea,
  response text,
  early jsonb,
  created_at timestamp with time zone not null,
  constraint network_messages_kind_check CHECK ((kind = ANY (ARRAY['transaction'::text, 'advice'::text, 'increment'::text, 'reversal'::text, 'clearing'::text]))),
  constraint network_messages_pkey PRIMARY KEY (program_id, kind, message_id)
);

create table notification_deliveries (
  program_id uuid not null,
  id uuid not null,
  notification_id uuid not null,
  operator_id uuid not null,
  channel text not null,
  status text not null,
  due_at timestamp with time zone,
  attempts smallint not null default 0,
  error text,
  constraint notification_deliveries_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'webhook'::text]))),
  constraint notification_deliveries_check CHECK (((status = 'PENDING'::text) = (due_at IS NOT NULL))),
  constraint notification_deliveries_pkey PRIMARY KEY (program_id, id),
  constraint notification_deliveries_program_id_notification_id_fkey FOREIGN KEY (program_id, notification_id) REFERENCES notifications(program_id, id) ON DELETE CASCADE,
  constraint notification_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SENT'::text, 'FAILED'::text, 'DROPPED'::text])))
);
CREATE INDEX notification_deliveries_due ON public.notification_deliveries USING btree (due_at) WHERE (due_at IS NOT NULL);

create table notification_preferences (
  operator_id uuid not null,
  kind text not null,
  channels text[] not null,
  constraint notification_preferences_channels_check CHECK ((channels <@ ARRAY['bell'::text, 'email'::text, 'webhook'::text])),
  constraint notification_preferences_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id),
  constraint notification_preferences_pkey PRIMARY KEY (operator_id, kind)
);

create table notification_reads (
  program_id uuid not null,
  notification_id uuid not null,
  operator_id uuid not null,
  constraint notification_reads_pkey PRIMARY KEY (program_id, notification_id, operator_id),
  constraint notification_reads_program_id_notification_id_fkey FOREIGN KEY (program_id, notification_id) REFERENCES notifications(program_id, id) ON DELETE CASCADE
);

create table notification_webhooks (
  operator_id uuid not null,
  url text not null,
  secret_id uuid not null,
  created_at timestamp with time zone not null,
  constraint notification_webhooks_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id),
  constraint notification_webhooks_pkey PRIMARY KEY (operator_id)
);
comment on table notification_webhooks is 'rows may be deleted';

create table notifications (
  program_id uuid not null,
  id uuid not null,
  kind text not null,
  subject text not null,
  details jsonb not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint notifications_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX notifications_closed ON public.notifications USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX notifications_open ON public.notifications USING btree (program_id, kind, subject) WHERE (closed_at IS NULL);
comment on table notifications is 'rows may be deleted';

create table operator_invitations (
  id uuid not null,
  token_hash bytea not null,
  email text not null,
  name text not null,
  role text not null,
  program_id uuid,
  invited_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint operator_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES operators(id),
  constraint operator_invitations_pkey PRIMARY KEY (id),
  constraint operator_invitations_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint operator_invitations_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'manager'::text, 'admin'::text])))
);
CREATE INDEX operator_invitations_age ON public.operator_invitations USING btree (expires_at);
comment on table operator_invitations is 'rows may be deleted';

create table operator_recovery_codes (
  operator_id uuid not null,
  code_digest bytea not null,
  constraint operator_recovery_codes_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id),
  constraint operator_recovery_codes_pkey PRIMARY KEY (operator_id, code_digest)
);
comment on table operator_recovery_codes is 'rows may be deleted';

create table operator_sessions (
  token_hash bytea not null,
  id uuid not null,
  operator_id uuid not null,
  device text not null,
  address text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint operator_sessions_id_key UNIQUE (id),
  constraint operator_sessions_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES operators(id),
  constraint operator_sessions_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX operator_sessions_age ON public.operator_sessions USING btree (expires_at);
CREATE INDEX operator_sessions_operator ON public.operator_sessions USING btree (operator_id);
comment on table operator_sessions is 'rows may be deleted';

create table operators (
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  program_id uuid,
  password text not null,
  openid_issuer text,
  openid_subject text,
  rights_seal bytea not null,
  created_at timestamp with time zone not null,
  password_changed_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  must_change_password boolean not null default true,
  former_passwords text[] not null default '{}'::text[],
  second_factor_id uuid,
  second_factor_step bigint not null default 0,
  last_signed_in_at timestamp with time zone,
  constraint operators_email_key UNIQUE (email),
  constraint operators_openid_issuer_openid_subject_key UNIQUE (openid_issuer, openid_subject),
  constraint operators_pkey PRIMARY KEY (id),
  constraint operators_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint operators_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'manager'::text, 'admin'::text])))
);

create table presentments (
  program_id uuid not null,
  kind text not null,
  message_id text not null,
  transaction_id uuid,
  card_id uuid,
  amount_minor bigint not null,
  currency text not null,
  bill_minor bigint not null,
  reversed_amount_minor bigint not null,
  reversed_minor bigint not null,
  final boolean not null,
  interchange_bps integer not null,
  interchange_minor bigint,
  arn text,
  counted_on date not null,
  constraint presentments_check CHECK (((reversed_amount_minor >= 0) AND (reversed_amount_minor <= amount_minor))),
  constraint presentments_check1 CHECK (((reversed_minor >= 0) AND (reversed_minor <= bill_minor))),
  constraint presentments_kind_check CHECK ((kind = ANY (ARRAY['clearing'::text, 'refund'::text]))),
  constraint presentments_pkey PRIMARY KEY (program_id, kind, message_id)
);
CREATE INDEX presentments_arn ON public.presentments USING btree (program_id, arn) WHERE (arn IS NOT NULL);
CREATE INDEX presentments_unmatched ON public.presentments USING btree (program_id, message_id) WHERE (card_id IS NULL);

create table program_jobs (
  program_id uuid not null,
  job text not null,
  due_at timestamp with time zone not null,
  leased_until timestamp with time zone,
  constraint program_jobs_pkey PRIMARY KEY (program_id, job)
);
CREATE INDEX program_jobs_due ON public.program_jobs USING btree (job, due_at);

create table programs (
  id uuid not null,
  name text not null,
  mode text not null,
  currency text not null,
  bin text not null,
  kyc_provider text not null,
  clock_offset_ms bigint not null default 0,
  clock_moved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  fx_fee_bps integer not null default 0,
  atm_fee_minor bigint not null default 0,
  interchange_bps integer not null default 0,
  cash_interchange_bps integer not null default 0,
  transaction_cost_minor bigint not null default 0,
  transaction_cost_bps integer not null default 0,
  virtual_issuance_fee_minor bigint not null default 0,
  physical_issuance_fee_minor bigint not null default 0,
  maintenance_fee_minor bigint not null default 0,
  enforce_master_balance boolean not null default false,
  authorization_mode text not null default 'STANDARD'::text,
  hold_days integer not null default 7,
  long_hold_days integer not null default 30,
  alert_below_minor bigint,
  alert_sent boolean not null default false,
  challenge_above_minor bigint,
  require_authentication_above_minor bigint,
  authentication_days integer not null default 90,
  over_hold_percent integer not null default 20,
  allowed_exemptions text[] not null default '{}'::text[],
  support_limit_factor integer not null default 2,
  support_limit_days integer not null default 7,
  second_person_above_minor bigint,
  rules_version bigint not null default 0,
  rules_guard_percent integer not null default 5,
  constraint programs_allowed_exemptions_check CHECK ((allowed_exemptions <@ ARRAY['LOW_VALUE'::text, 'RISK_ANALYSIS'::text, 'TRUSTED_MERCHANT'::text, 'CORPORATE'::text])),
  constraint programs_atm_fee_minor_check CHECK ((atm_fee_minor >= 0)),
  constraint programs_authentication_days_check CHECK (((authentication_days >= 1) AND (authentication_days <= 90))),
  constraint programs_authorization_mode_check CHECK ((authorization_mode = ANY (ARRAY['STANDARD'::text, 'REAL_TIME'::text, 'BOTH'::text]))),
  constraint programs_bin_check CHECK ((bin ~ '^[0-9]{6,8}$'::text)),
  constraint programs_cash_interchange_bps_check CHECK (((cash_interchange_bps >= '-10000'::integer) AND (cash_interchange_bps <= 10000))),
  constraint programs_challenge_above_minor_check CHECK ((challenge_above_minor >= 0)),
  constraint programs_check CHECK (((mode = 'sandbox'::text) OR (clock_offset_ms = 0))),
  constraint programs_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint programs_fx_fee_bps_check CHECK (((fx_fee_bps >= 0) AND (fx_fee_bps <= 10000))),
  constraint programs_hold_days_check CHECK (((hold_days >= 1) AND (hold_days <= 365))),
  constraint programs_interchange_bps_check CHECK (((interchange_bps >= 0) AND (interchange_bps <= 10000))),
  constraint programs_kyc_provider_check CHECK ((kyc_provider = ANY (ARRAY['sandbox'::text, 'sumsub'::text]))),
  constraint programs_long_hold_days_check CHECK (((long_hold_days >= 1) AND (long_hold_days <= 365))),
  constraint programs_maintenance_fee_minor_check CHECK ((maintenance_fee_minor >= 0)),
  constraint programs_mode_check CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  constraint programs_over_hold_percent_check CHECK (((over_hold_percent >= 0) AND (over_hold_percent <= 1000))),
  constraint programs_physical_issuance_fee_minor_check CHECK ((physical_issuance_fee_minor >= 0)),
  constraint programs_pkey PRIMARY KEY (id),
  constraint programs_require_authentication_above_minor_check CHECK ((require_authentication_above_minor >= 0)),
  constraint programs_rules_guard_percent_check CHECK (((rules_guard_percent >= 0) AND (rules_guard_percent <= 100))),
  constraint programs_second_person_above_minor_check CHECK ((second_person_above_minor >= 0)),
  constraint programs_support_limit_days_check CHECK (((support_limit_days >= 1) AND (support_limit_days <= 90))),
  constraint programs_support_limit_factor_check CHECK (((support_limit_factor >= 1) AND (support_limit_factor <= 100))),
  constraint programs_transaction_cost_bps_check CHECK (((transaction_cost_bps >= 0) AND (transaction_cost_bps <= 10000))),
  constraint programs_transaction_cost_minor_check CHECK ((transaction_cost_minor >= 0)),
  constraint programs_virtual_issuance_fee_minor_check CHECK ((virtual_issuance_fee_minor >= 0))
);
CREATE INDEX programs_low ON public.programs USING btree (id) WHERE alert_sent;
CREATE UNIQUE INDEX programs_name ON public.programs USING btree (lower(name));

create table report_requests (
  program_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  notified boolean not null,
  created_at timestamp with time zone not null,
  constraint report_requests_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX report_requests_waiting ON public.report_requests USING btree (program_id, report_id) WHERE (NOT notified);

create table reports (
  program_id uuid not null,
  id uuid not null,
  file_type text not null,
  first_day date not null,
  last_day date not null,
  status text not null,
  leased_until timestamp with time zone,
  storage_key text,
  attempts integer not null default 0,
  row_count bigint,
  bytes bigint,
  sha256 bytea,
  produced_at timestamp with time zone,
  kept_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint reports_pkey PRIMARY KEY (program_id, id),
  constraint reports_program_id_file_type_last_day_key UNIQUE (program_id, file_type, last_day),
  constraint reports_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'ready'::text, 'expired'::text])))
);
CREATE INDEX reports_id ON public.reports USING btree (id);
CREATE INDEX reports_kept ON public.reports USING btree (kept_until) WHERE (kept_until IS NOT NULL);
CREATE INDEX reports_pending ON public.reports USING btree (program_id, leased_until) WHERE (status = 'pending'::text);

create table reveal_sessions (
  program_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  credential_id uuid not null,
  created_by text not null,
  origin text,
  challenge bytea not null,
  fields text[] not null,
  display_seconds integer not null,
  theme jsonb,
  wrong_verifiers smallint not null default 0,
  expires_at timestamp with time zone not null,
  seal bytea not null,
  constraint reveal_sessions_challenge_check CHECK ((length(challenge) = 32)),
  constraint reveal_sessions_display_seconds_check CHECK (((display_seconds >= 10) AND (display_seconds <= 300))),
  constraint reveal_sessions_pkey PRIMARY KEY (program_id, id),
  constraint reveal_sessions_program_id_card_id_fkey FOREIGN KEY (program_id, card_id) REFERENCES cards(program_id, id)
);
CREATE INDEX reveal_sessions_age ON public.reveal_sessions USING btree (expires_at);
CREATE INDEX reveal_sessions_card ON public.reveal_sessions USING btree (program_id, card_id);
comment on table reveal_sessions is 'rows may be deleted';

create table rule_backtest_matches (
  program_id uuid not null,
  backtest_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  card_id uuid not null,
  effect text not null,
  approved boolean not null,
  amount_minor bigint not null,
  match_values jsonb not null,
  created_at timestamp with time zone not null,
  constraint rule_backtest_matches_pkey PRIMARY KEY (program_id, backtest_id, id)
);

create table rule_backtests (
  program_id uuid not null,
  id uuid not null,
  rule_id uuid,
  mode text not null,
  from_day date not null,
  to_day date not null,
  status text not null,
  below_id uuid not null,
  position uuid,
  tally jsonb not null,
  approximate boolean not null,
  requested_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint rule_backtests_mode_check CHECK ((mode = ANY (ARRAY['OBSERVED'::text, 'AS_IF_ACTIVE'::text]))),
  constraint rule_backtests_pkey PRIMARY KEY (program_id, id),
  constraint rule_backtests_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint rule_backtests_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text])))
);
CREATE INDEX rule_backtests_open ON public.rule_backtests USING btree (program_id, id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));
CREATE INDEX rule_backtests_rule ON public.rule_backtests USING btree (program_id, rule_id, id);

create table rule_entries (
  program_id uuid not null,
  subject text not null,
  at_ms bigint not null,
  transaction_id uuid not null,
  velocities integer[] not null,
  count smallint not null,
  minor bigint not null,
  constraint rule_entries_pkey PRIMARY KEY (program_id, subject, at_ms, transaction_id)
);
CREATE INDEX rule_entries_old ON public.rule_entries USING btree (program_id, ((at_ms / 3600000)));
comment on table rule_entries is 'rows may be deleted';

create table rule_evaluations (
  program_id uuid not null,
  subject_id uuid not null,
  day date not null,
  rules_version bigint not null,
  evaluated bigint not null,
  constraint rule_evaluations_pkey PRIMARY KEY (program_id, subject_id, day, rules_version)
);

create table rule_lists (
  program_id uuid not null,
  name text not null,
  id uuid not null,
  type text not null,
  size integer not null,
  values_id uuid not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint rule_lists_pkey PRIMARY KEY (program_id, name),
  constraint rule_lists_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint rule_lists_program_id_id_key UNIQUE (program_id, id),
  constraint rule_lists_size_check CHECK ((size >= 0)),
  constraint rule_lists_type_check CHECK ((type = ANY (ARRAY['merchant'::text, 'country'::text, 'mcc'::text, 'customer'::text, 'text'::text])))
);
comment on table rule_lists is 'rows may be deleted';

create table rule_matches (
  program_id uuid not null,
  rule_id uuid not null,
  id uuid not null,
  transaction_id uuid not null,
  card_id uuid not null,
  status text not null,
  effect text not null,
  approved boolean not null,
  changes boolean not null,
  amount_minor bigint not null,
  match_values jsonb not null,
  created_at timestamp with time zone not null,
  constraint rule_matches_pkey PRIMARY KEY (program_id, rule_id, id)
);

create table rule_sums (
  program_id uuid not null,
  subject text not null,
  sums jsonb not null,
  constraint rule_sums_pkey PRIMARY KEY (program_id, subject)
);

create table rule_velocities (
  program_id uuid not null,
  ordinal integer not null,
  filled boolean not null,
  filled_to uuid,
  constraint rule_velocities_ordinal_check CHECK ((ordinal > 0)),
  constraint rule_velocities_pkey PRIMARY KEY (program_id, ordinal),
  constraint rule_velocities_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id)
);

create table rules (
  program_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  action text not null,
  reason text,
  priority integer not null,
  lists text[] not null,
  velocities integer[] not null,
  replaces uuid,
  created_at timestamp with time zone not null,
  shadow_since timestamp with time zone,
  active_since timestamp with time zone,
  archived_at timestamp with time zone,
  first_version bigint not null,
  archived_version bigint,
  constraint rules_action_check CHECK ((action = ANY (ARRAY['DECLINE'::text, 'FLAG'::text, 'REQUIRE_AUTHENTICATION'::text]))),
  constraint rules_check CHECK (((status = 'ARCHIVED'::text) = (archived_at IS NOT NULL))),
  constraint rules_check1 CHECK (((archived_at IS NULL) = (archived_version IS NULL))),
  constraint rules_pkey PRIMARY KEY (program_id, id),
  constraint rules_priority_check CHECK (((priority >= 0) AND (priority <= 999))),
  constraint rules_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint rules_program_id_replaces_fkey FOREIGN KEY (program_id, replaces) REFERENCES rules(program_id, id),
  constraint rules_reason_check CHECK ((reason = ANY (ARRAY['NOT_PERMITTED'::text, 'SUSPECTED_FRAUD'::text, 'LIMIT'::text, 'COUNT'::text]))),
  constraint rules_status_check CHECK ((status = ANY (ARRAY['PREPARING'::text, 'SHADOW'::text, 'ACTIVE'::text, 'ARCHIVED'::text])))
);
CREATE INDEX rules_live ON public.rules USING btree (program_id, id) WHERE (status <> 'ARCHIVED'::text);

create table sandbox_kyc_applicants (
  program_id uuid not null,
  applicant_id text not null,
  record_id uuid not null,
  review text not null,
  constraint sandbox_kyc_applicants_pkey PRIMARY KEY (program_id, applicant_id),
  constraint sandbox_kyc_applicants_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint sandbox_kyc_applicants_review_check CHECK ((review = ANY (ARRAY['approved'::text, 'pending'::text, 'rejected'::text])))
);

create table saved_views (
  program_id uuid not null,
  operator_id uuid not null,
  list text not null,
  id uuid not null,
  name text not null,
  search text not null,
  columns text[] not null,
  created_at timestamp with time zone not null,
  constraint saved_views_list_check CHECK ((list = ANY (ARRAY['cards'::text, 'transactions'::text, 'webhook-events'::text]))),
  constraint saved_views_pkey PRIMARY KEY (program_id, operator_id, list, id)
);
CREATE UNIQUE INDEX saved_views_name ON public.saved_views USING btree (program_id, operator_id, list, lower(name));
comment on table saved_views is 'rows may be deleted';

create table search_spellings (
  program_id uuid not null,
  spelling bytea not null,
  word bytea not null,
  constraint search_spellings_pkey PRIMARY KEY (program_id, spelling, word)
);
comment on table search_spellings is 'rows may be deleted';

create table shipments (
  program_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  status text not null,
  design_id text not null,
  created_at timestamp with time zone not null,
  constraint shipments_pkey PRIMARY KEY (program_id, id),
  constraint shipments_program_id_card_id_fkey FOREIGN KEY (program_id, card_id) REFERENCES cards(program_id, id),
  constraint shipments_program_id_design_id_fkey FOREIGN KEY (program_id, design_id) REFERENCES card_designs(program_id, id),
  constraint shipments_status_check CHECK ((status = ANY (ARRAY['ORDERED'::text, 'SHIPPED'::text, 'DELIVERED'::text, 'RETURNED'::text])))
);
CREATE INDEX shipments_card ON public.shipments USING btree (program_id, card_id, id);

create table sign_in_attempts (
  email_digest bytea not null,
  source_digest bytea not null,
  failures integer not null,
  tried_at timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (email_digest, source_digest)
);
CREATE INDEX sign_in_attempts_age ON public.sign_in_attempts USING btree (tried_at);
comment on table sign_in_attempts is 'rows may be deleted';

create table transaction_labels (
  program_id uuid not null,
  label text not null,
  id uuid not null,
  constraint transaction_labels_pkey PRIMARY KEY (program_id, label, id)
);
comment on table transaction_labels is 'rows may be deleted';

create table transactions (
  program_id uuid not null,
  id uuid not null,
  card_id uuid not null,
  credential_id uuid not null,
  kind text not null,
  type text,
  parent_id uuid,
  external_transaction_id text not null,
  status text not null,
  amount_minor bigint not null,
  currency text not null,
  bill_amount_minor bigint not null,
  bill_currency text not null,
  authorization_mode text not null,
  channel text,
  merchant_id text,
  merchant_name text,
  merchant_mcc text,
  merchant_city text,
  merchant_country text,
  authentication jsonb,
  decline_reason text,
  network_code text,
  approval_code text,
  fx_fee_bps integer not null,
  atm_fee_minor bigint not null,
  held_minor bigint not null,
  held_amount_minor bigint not null,
  increments jsonb,
  renewed_at timestamp with time zone,
  long_hold boolean,
  hold_end text,
  advised boolean,
  cleared_minor bigint not null,
  fx_cleared_minor bigint not null,
  final boolean not null,
  cleared_amount_minor bigint not null,
  cleared_currency text,
  flags jsonb,
  matched_rules jsonb,
  cvv_given boolean,
  network jsonb,
  created_at timestamp with time zone not null,
  approved_on date,
  counted jsonb not null,
  event_ids uuid[] not null default '{}'::uuid[],
  metadata jsonb,
  constraint transactions_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint transactions_authorization_mode_check CHECK ((authorization_mode = ANY (ARRAY['STANDARD'::text, 'REAL_TIME'::text, 'BOTH'::text]))),
  constraint transactions_bill_amount_minor_check CHECK ((bill_amount_minor >= 0)),
  constraint transactions_check CHECK (((fx_cleared_minor >= 0) AND (fx_cleared_minor <= cleared_minor))),
  constraint transactions_cleared_amount_minor_check CHECK ((cleared_amount_minor >= 0)),
  constraint transactions_cleared_minor_check CHECK ((cleared_minor >= 0)),
  constraint transactions_held_amount_minor_check CHECK ((held_amount_minor >= 0)),
  constraint transactions_held_minor_check CHECK ((held_minor >= 0)),
  constraint transactions_hold_end_check CHECK ((hold_end = ANY (ARRAY['expired'::text, 'reversed'::text]))),
  constraint transactions_kind_check CHECK ((kind = ANY (ARRAY['purchase'::text, 'refund'::text]))),
  constraint transactions_pkey PRIMARY KEY (program_id, id),
  constraint transactions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'CLEARED'::text, 'DECLINED'::text, 'VOID'::text])))
) partition by RANGE (id);
CREATE INDEX transactions_after_block ON public.transactions USING btree (program_id, id) WHERE (flags ? 'after_block'::text);
CREATE INDEX transactions_card ON public.transactions USING btree (program_id, card_id, id);
CREATE INDEX transactions_decline_reason ON public.transactions USING btree (program_id, decline_reason, id) WHERE (decline_reason IS NOT NULL);
CREATE INDEX transactions_duplicate ON public.transactions USING btree (program_id, id) WHERE (flags ? 'duplicate'::text);
CREATE INDEX transactions_late ON public.transactions USING btree (program_id, id) WHERE (flags ? 'late'::text);
CREATE INDEX transactions_no_authorization ON public.transactions USING btree (program_id, id) WHERE (flags ? 'no_authorization'::text);
CREATE INDEX transactions_over_hold ON public.transactions USING btree (program_id, id) WHERE (flags ? 'over_hold'::text);
CREATE INDEX transactions_parent ON public.transactions USING btree (program_id, parent_id, id) WHERE (parent_id IS NOT NULL);
CREATE INDEX transactions_pending ON public.transactions USING btree (program_id, id) WHERE texteq(status, 'PENDING'::text);
CREATE INDEX transactions_renewed ON public.transactions USING btree (program_id, COALESCE(long_hold, false), renewed_at) WHERE (renewed_at IS NOT NULL);
CREATE INDEX transactions_status ON public.transactions USING btree (program_id, status, id) WHERE (NOT texteq(status, 'PENDING'::text));

create table vault_keys (
  id integer not null,
  purpose text not null,
  master_key_id text not null,
  wrapped bytea,
  created_at timestamp with time zone not null,
  resealed_at timestamp with time zone,
  retired_at timestamp with time zone,
  constraint vault_keys_check CHECK (((wrapped IS NULL) = (retired_at IS NOT NULL))),
  constraint vault_keys_pkey PRIMARY KEY (id),
  constraint vault_keys_purpose_check CHECK ((purpose = ANY (ARRAY['card-number'::text, 'personal-data'::text, 'fingerprint'::text, 'cvv'::text, 'digest'::text, 'search'::text, 'history'::text])))
);

create table vault_records (
  program_id uuid not null,
  owner_id uuid not null,
  kind text not null,
  id uuid not null,
  sealed bytea not null,
  constraint vault_records_pkey PRIMARY KEY (program_id, owner_id, kind, id)
);

create table webhook_attempts (
  program_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status_code integer,
  error text,
  answer_start text,
  duration_ms integer not null,
  created_at timestamp with time zone not null,
  constraint webhook_attempts_pkey PRIMARY KEY (program_id, id)
);
CREATE INDEX webhook_attempts_event ON public.webhook_attempts USING btree (program_id, event_id, id);

create table webhook_deliveries (
  program_id uuid not null,
  event_id uuid not null,
  endpoint_id uuid not null,
  status text not null,
  due_at timestamp with time zone,
  attempts integer not null default 0,
  first_attempt_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (program_id, event_id, endpoint_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text])))
);
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (program_id, endpoint_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_due_at ON public.webhook_deliveries USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX webhook_deliveries_undelivered ON public.webhook_deliveries USING btree (program_id, status, event_id) WHERE (status <> 'DELIVERED'::text);

create table webhook_endpoints (
  program_id uuid not null,
  id uuid not null,
  url text not null,
  event_types text[],
  secret_id uuid not null,
  previous_secret_id uuid,
  previous_signs_until timestamp with time zone,
  status text not null,
  status_reason text,
  failing_since timestamp with time zone,
  failed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (program_id, id),
  constraint webhook_endpoints_status_check CHECK ((status = ANY (ARRAY['ENABLED'::text, 'PAUSED'::text, 'DISABLED'::text, 'REMOVED'::text])))
);
CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (program_id) WHERE ((failing_since IS NOT NULL) OR (status = 'DISABLED'::text));
