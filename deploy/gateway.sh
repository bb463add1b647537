#!/bin/sh
# Starts the gateway: gateway.sh NGINX ARGUMENT…
#   ARBITER_PROXIES  addresses or networks of proxies before it, with commas, whose X-Forwarded-For is believed (none)
#   GATEWAY_TRUSTED  the file that says so to nginx; modules.conf and headers.conf are written next to it
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
# nginx looks the services up when it starts. A container that is started again can have another address: read them again.
addresses() { getent hosts pairing games penalties standings || true; }
if getent hosts pairing >/dev/null 2>&1; then
  (
    known=$(addresses)
    while sleep 1 && kill -0 $$ 2>/dev/null; do
      found=$(addresses)
      if [ "$found" != "$known" ] && [ "$(printf '%s\n' "$found" | wc -l)" -eq 4 ]; then
        known=$found
        kill -HUP $$
      fi
    done
  ) &
fi
exec "$@"
