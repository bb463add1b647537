#!/bin/sh
# One role and one database for each service, at the cluster's first start; none may enter another's.
# Passwords: ARBITER_PAIRING_DB, ARBITER_GAMES_DB, ARBITER_PENALTIES_DB, ARBITER_STANDINGS_DB.
set -eu
for service in pairing games penalties standings; do
  password=$(printenv "ARBITER_$(echo "$service" | tr '[:lower:]' '[:upper:]')_DB")
  psql --no-psqlrc -q -v ON_ERROR_STOP=1 -v name="$service" -v password="$password" -d postgres <<'SQL'
CREATE ROLE :"name" LOGIN PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name" ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
SQL
done
