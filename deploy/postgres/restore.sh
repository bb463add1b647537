#!/bin/sh
# Replaces the cluster in PGDATA by a base backup: restore.sh [TIME] <base.tar. PostgreSQL must be stopped.
#   TIME     the moment to go back to, such as "2026-11-28 10:45:00+00"; without it, the end of the archive
#   ARCHIVE  folder of the archived write-ahead log (/archive)
set -eu
umask 077
find "$PGDATA" -mindepth 1 -delete
tar --extract --directory="$PGDATA"
{
  echo "restore_command = 'cp ${ARCHIVE:-/archive}/%f %p'"
  [ -z "${1:-}" ] || echo "recovery_target_time = '$1'"
  echo "recovery_target_action = 'promote'"
} >>"$PGDATA/postgresql.auto.conf"
touch "$PGDATA/recovery.signal"
# As root, tar keeps the owners of the backup.
chown -R --reference="$PGDATA" "$PGDATA"
