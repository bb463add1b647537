#!/bin/sh
# Starts one broker. At the first start, it formats the folder of the records. Environment:
#   KAFKA_JARS        folder of the jars (pom.xml)
#   KAFKA_CONFIG      folder of the files *.properties
#   KAFKA_DATA        folder of the records
#   KAFKA_LISTEN      host:port to listen at
#   KAFKA_ADVERTISED  host:port given to clients
#   KAFKA_CONTROLLER  host:port of the controller
#   KAFKA_HEAP        memory (512m)
#   KAFKA_PASSWORDS   file of "NAME=PASSWORD" words, one of them admin's. Clients must log in and have only their own rights.
#                     If it is not set, anyone may connect.
# Three brokers also need:
#   KAFKA_NODE        number of this broker (1)
#   KAFKA_VOTERS      NUMBER@HOST:PORT of the three controllers, separated by commas
#   KAFKA_CLUSTER     file with the ID of the cluster, the same for all three
# TLS needs KAFKA_PASSWORDS and:
#   KAFKA_TLS         folder of broker.pem (private key, certificate and chain) and ca.pem (trusted authorities)
#   KAFKA_BROKERS     host:port for the other brokers
#   KAFKA_PEERS       subjects of the brokers' certificates, separated by semicolons (CN=arbiter-broker)
set -eu
umask 077
passwords=
[ -z "${KAFKA_PASSWORDS:-}" ] || passwords=$(cat "$KAFKA_PASSWORDS")
config="$KAFKA_DATA/server.properties"
node=${KAFKA_NODE:-1}
mkdir -p "$KAFKA_DATA"
clients=PLAINTEXT
others=PLAINTEXT
cat "$KAFKA_CONFIG/server.properties" >"$config"
if [ -n "${KAFKA_VOTERS:-}" ]; then
  cat "$KAFKA_CONFIG/cluster.properties" >>"$config"
  echo "controller.quorum.voters=$KAFKA_VOTERS" >>"$config"
else
  echo "controller.quorum.bootstrap.servers=$KAFKA_CONTROLLER" >>"$config"
fi
if [ -n "$passwords" ]; then
  clients=SASL_PLAINTEXT
  admin=
  for pair in $passwords; do
    case "$pair" in admin=*) admin=${pair#admin=} ;; esac
  done
  sed "s|@ADMIN_PASSWORD@|$admin|" "$KAFKA_CONFIG/passwords.properties" >>"$config"
fi
listeners="CLIENTS://$KAFKA_LISTEN,CONTROLLER://$KAFKA_CONTROLLER"
advertised="CLIENTS://$KAFKA_ADVERTISED"
if [ -n "${KAFKA_TLS:-}" ]; then
  [ -n "$passwords" ] || { echo "start.sh: KAFKA_TLS needs KAFKA_PASSWORDS" >&2; exit 2; }
  clients=SASL_SSL
  others=SSL
  peers=$(printf 'User:%s' "${KAFKA_PEERS:-CN=arbiter-broker}" | sed 's/;/;User:/g')
  cat "$KAFKA_CONFIG/tls.properties" - >>"$config" <<END
ssl.keystore.location=$KAFKA_TLS/broker.pem
ssl.truststore.location=$KAFKA_TLS/ca.pem
super.users=User:admin;$peers
END
  listeners="$listeners,BROKERS://$KAFKA_BROKERS"
  advertised="$advertised,BROKERS://$KAFKA_BROKERS"
fi
cat >>"$config" <<END
node.id=$node
listeners=$listeners
advertised.listeners=$advertised
listener.security.protocol.map=CLIENTS:$clients,BROKERS:$others,CONTROLLER:$others
log.dirs=$KAFKA_DATA/records
END
if [ ! -f "$KAFKA_DATA/records/meta.properties" ]; then
  set -- --standalone -t "$(head -c 16 /dev/urandom | base64 | tr '+/' 'pr' | tr -d =)"
  [ -z "${KAFKA_VOTERS:-}" ] || set -- -t "$(cat "$KAFKA_CLUSTER")"
  for pair in $passwords; do
    set -- "$@" --add-scram "SCRAM-SHA-512=[name=${pair%%=*},password=${pair#*=}]"
  done
  java ${KAFKA_JAVA_OPTIONS:-} -cp "$KAFKA_JARS/*" kafka.tools.StorageTool format -c "$config" "$@" >&2
fi
exec java "-Xmx${KAFKA_HEAP:-512m}" ${KAFKA_JAVA_OPTIONS:-} -cp "$KAFKA_JARS/*" kafka.Kafka "$config"
