-- Up Migration

-- When the last wrong expiry dates and CVVs were tried on the card, by the program's clock and oldest first: those of
-- the 24 hours before the newest one, so never more than ten. The tenth blocks the card.
alter table card_counters add column wrong_entries timestamptz[] not null default '{}';
