-- Up Migration

-- The blind index and what must be recognised for ever have keys of their own, so that each kind of key can be rotated
-- by itself. Digests and fingerprints begin with the id of their key (4 bytes, big-endian).
alter table vault_keys drop constraint vault_keys_purpose_check;
alter table vault_keys add constraint vault_keys_purpose_check
  check (purpose in ('card-number', 'personal-data', 'fingerprint', 'cvv', 'digest', 'search', 'history'));
