#!/bin/sh
# Starts PostgreSQL: start.sh postgres ARGUMENT…; creates the cluster and its databases at the first start.
#   PGDATA                  folder of the cluster
#   POSTGRES_PASSWORD_FILE  file with the password of the user postgres
set -eu
umask 077
if [ ! -f "$PGDATA/PG_VERSION" ]; then
  # Created in a temporary folder and moved when complete, so that an interrupted first start begins again.
  made="$PGDATA/.made"
  rm -rf "$made"
  initdb -D "$made" -E UTF8 --locale=C -U postgres --auth-local=trust --auth-host=scram-sha-256 \
    --pwfile="$POSTGRES_PASSWORD_FILE" >&2
  echo "host all all all scram-sha-256" >>"$made/pg_hba.conf"
  # Reachable only by a socket of this container, which needs no password, until the databases exist.
  pg_ctl -D "$made" -w -o "-c listen_addresses='' -k /tmp" start >&2
  sh /docker-entrypoint-initdb.d/databases.sh
  pg_ctl -D "$made" -w -m fast stop >&2
  version=$(cat "$made/PG_VERSION")
  rm "$made/PG_VERSION"
  mv "$made"/* "$PGDATA/"
  rmdir "$made"
  echo "$version" >"$PGDATA/PG_VERSION"
fi
exec "$@" -c listen_addresses='*' -k /tmp
