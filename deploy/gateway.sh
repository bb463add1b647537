#!/bin/sh
# Starts the gateway: gateway.sh NGINX ARGUMENT…
#   ARBITER_PROXIES    addresses or networks of proxies before it, with commas, whose X-Forwarded-For is believed (none)
#   ARBITER_UPSTREAMS  SERVICE=HOST:PORT[,HOST:PORT…], separated by spaces: the web processes of each service
#                      (pairing=pairing:8000 games=games:8000 penalties=penalties:8000 standings=standings:8000)
#   GATEWAY_TRUSTED    the file that says so to nginx; the other files that nginx includes are written next to it
set -euf
umask 077
# nginx removes its own header "Server" only with this module (Debian: libnginx-mod-http-headers-more-filter).
module=/usr/lib/nginx/modules/ngx_http_headers_more_filter_module.so
folder=$(dirname "$GATEWAY_TRUSTED")
: >"$folder/modules.conf"
: >"$folder/headers.conf"
if [ -e "$module" ]; then
  echo "load_module $module;" >"$folder/modules.conf"
  echo "more_clear_headers Server;" >"$folder/headers.conf"
fi
: >"$GATEWAY_TRUSTED"
v4='([0-9]{1,3}[.]){3}[0-9]{1,3}(/([1-9]|[12][0-9]|3[0-2]))?'
v6='[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(/[1-9][0-9]{0,2})?'
IFS=' ,
'
for proxy in ${ARBITER_PROXIES:-}; do
  # A name could be anybody's tomorrow, and a network of all makes every stranger a proxy.
  if ! printf '%s\n' "$proxy" | grep -Eqx "$v4|$v6"; then
    echo "gateway: ARBITER_PROXIES: no address and no network: $proxy" >&2
    exit 2
  fi
  echo "set_real_ip_from $proxy;" >>"$GATEWAY_TRUSTED"
done
unset IFS
# Each service has an upstream SERVICE, and an upstream SERVICE.N without its N-th process. nginx uses the latter while the file
# away/SERVICE.N exists, so that no reload closes the connections of clients. max_fails=0: a process that was restarted is tried
# again at once. An idle connection ends before the process closes it (after 2 s when it stops, else after 15 s); otherwise a
# request could be sent on a connection that is just being closed.
mkdir -p "$folder/away"
: >"$folder/upstreams.conf"
: >"$folder/away.conf"
names='' most=0
for upstream in ${ARBITER_UPSTREAMS:-pairing=pairing:8000 games=games:8000 penalties=penalties:8000 standings=standings:8000}; do
  service=${upstream%%=*}
  servers=$(printf '%s' "${upstream#*=}" | tr ',' ' ')
  if ! printf '%s\n' "$upstream" | grep -Eqx '(pairing|games|penalties|standings)=[][A-Za-z0-9_.:-]+:[0-9]+(,[][A-Za-z0-9_.:-]+:[0-9]+)*'; then
    echo "gateway: ARBITER_UPSTREAMS: not SERVICE=HOST:PORT[,HOST:PORT…]: $upstream" >&2
    exit 2
  fi
  count=$(printf '%s\n' "$servers" | wc -w)
  [ "$count" -le "$most" ] || most=$count
  for away in $(seq 0 "$count"); do
    suffix=.$away
    [ "$away" -gt 0 ] || suffix=''
    {
      echo "upstream $service$suffix {"
      number=0
      for server in $servers; do
        number=$((number + 1))
        echo "  server $server max_fails=0$([ "$number" -ne "$away" ] || echo ' down');"
      done
      echo '  keepalive 32;'
      echo '  keepalive_timeout 1s;'
      echo '}'
    } >>"$folder/upstreams.conf"
  done
  for server in $servers; do
    host=${server%:*}
    case $host in *[!0-9.]*) names="$names $host" ;; esac
  done
done
for away in $(seq 1 "$most"); do
  echo "if (-f $folder/away/\$service.$away) { set \$without .$away; }" >>"$folder/away.conf"
done
# nginx looks the services up when it starts. A container that is started again can have another address: read them again.
addresses() { for name in $names; do getent ahosts "$name" || echo unknown; done; }
if [ -n "$names" ]; then
  (
    known=$(addresses)
    while sleep 1 && kill -0 $$ 2>/dev/null; do
      found=$(addresses)
      case $found in *unknown*) continue ;; esac
      if [ "$found" != "$known" ]; then
        known=$found
        kill -HUP $$
      fi
    done
  ) &
fi
exec "$@"
