#!/bin/sh
# For compose.yaml: PostgreSQL runs this once, when its data directory is new. Neither login is a superuser: the owner's
# login runs migrations, the other one runs the server.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
\set owner `cat /run/secrets/owner-password`
\set server `cat /run/secrets/server-password`
create role emboss_owner login password :'owner';
create role emboss_server login password :'server';
-- The server must see when other transactions began: lists and reports wait for old ones.
grant pg_read_all_stats to emboss_server;
create database emboss owner emboss_owner;
SQL
