-- Up Migration

-- The block stores its time and its code, so that fees and decisions read them from the card.
alter table cards
  add column reason_code text check (reason_code in ('FRAUD', 'LOST', 'STOLEN', 'OTHER')),
  add column blocked_at timestamptz,
  drop constraint cards_check,
  add constraint cards_check
    check (num_nonnulls(status_reason, reason_code, blocked_at) = case status when 'BLOCKED' then 3 else 0 end);

alter table network_messages rename column answer to response;
