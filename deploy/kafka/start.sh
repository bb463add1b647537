#!/bin/sh
# Starts one broker; formats its folder at the first start. Environment:
#   KAFKA_JARS        folder of the jars (pom.xml)
#   KAFKA_CONFIG      folder of server.properties and production.properties
#   KAFKA_DATA        folder of the records
#   KAFKA_LISTEN      host:port to listen at         KAFKA_ADVERTISED  host:port given to clients
#   KAFKA_CONTROLLER  host:port of the controller    KAFKA_HEAP        memory (512m)
#   KAFKA_PASSWORDS   file of "NAME=PASSWORD" words, one of them admin's: SASL and ACLs; unset: anyone may connect.
#                     The passwords of the first start are stored in the cluster's metadata.
set -eu
umask 077
passwords=
[ -z "${KAFKA_PASSWORDS:-}" ] || passwords=$(cat "$KAFKA_PASSWORDS")
config="$KAFKA_DATA/server.properties"
mkdir -p "$KAFKA_DATA"
protocol=PLAINTEXT
cat "$KAFKA_CONFIG/server.properties" >"$config"
if [ -n "$passwords" ]; then
  protocol=SASL_PLAINTEXT
  admin=
  for pair in $passwords; do
    case "$pair" in admin=*) admin=${pair#admin=} ;; esac
  done
  sed "s|@ADMIN_PASSWORD@|$admin|" "$KAFKA_CONFIG/production.properties" >>"$config"
fi
cat >>"$config" <<END
listeners=CLIENTS://$KAFKA_LISTEN,CONTROLLER://$KAFKA_CONTROLLER
advertised.listeners=CLIENTS://$KAFKA_ADVERTISED
listener.security.protocol.map=CLIENTS:$protocol,CONTROLLER:PLAINTEXT
controller.quorum.bootstrap.servers=$KAFKA_CONTROLLER
log.dirs=$KAFKA_DATA/records
END
if [ ! -f "$KAFKA_DATA/records/meta.properties" ]; then
  set --
  if [ -n "$passwords" ]; then
    for pair in $passwords; do
      set -- "$@" --add-scram "SCRAM-SHA-512=[name=${pair%%=*},password=${pair#*=}]"
    done
  fi
  id=$(head -c 16 /dev/urandom | base64 | tr '+/' 'pr' | tr -d =)
  java ${KAFKA_JAVA_OPTIONS:-} -cp "$KAFKA_JARS/*" kafka.tools.StorageTool format --standalone -t "$id" -c "$config" "$@" >&2
fi
exec java "-Xmx${KAFKA_HEAP:-512m}" ${KAFKA_JAVA_OPTIONS:-} -cp "$KAFKA_JARS/*" kafka.Kafka "$config"
