-- Where a request came from; null for the command line and the system. It is part of the chain.
alter table audit_entries add column address text;
