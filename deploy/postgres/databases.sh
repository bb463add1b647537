#!/bin/sh
# One role and one database for each service, at the cluster's first start; no service may enter another's.
# Passwords: the files pairing.db, games.db, penalties.db and standings.db in the folder ARBITER_PASSWORDS.
set -eu
for service in pairing games penalties standings; do
  password=$(cat "$ARBITER_PASSWORDS/$service.db")
  psql --no-psqlrc -q -v ON_ERROR_STOP=1 -v name="$service" -v password="$password" -d postgres <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
done
