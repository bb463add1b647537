# The gateway: Debian's nginx with the routes of the four services.
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends curl libnginx-mod-http-headers-more-filter nginx-light \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10004 --no-create-home gateway
COPY nginx.conf gateway.sh /etc/nginx/
COPY openapi/arbiter.json /srv/arbiter.json
RUN chmod a+r /etc/nginx/nginx.conf /etc/nginx/gateway.sh /srv/arbiter.json
USER 10004
CMD ["sh", "/etc/nginx/gateway.sh", "nginx", "-c", "/etc/nginx/nginx.conf", "-e", "stderr", "-g", "daemon off;"]
