"""The environment variables that an operator may set.

Defaults are in parentheses. An embedded server runs with them alone:

- ``ARBITER_DATA``: folder of the log and the keys (``./data``).
- ``ARBITER_HOST``, ``ARBITER_PORT``: address and port to listen on (127.0.0.1, 8000).
- ``ARBITER_ADDRESS``: address of the site for other devices, in links and QR codes (that of the page, or of this machine).
- ``ARBITER_MAX_BODY``: maximum size of a request body, in bytes (1048576).
- ``ARBITER_RATE``, ``ARBITER_BURST``: commands per second and caller (0 sets no limit), and at once (500, 2000).
- ``ARBITER_READS``: cost of reads per second for a token, or for an address without a token; 0 sets no limit (200).
- ``ARBITER_READS_BURST``: cost of reads at once (4000). An event costs 1, a table 5, an audit 100.
- ``ARBITER_PROXIES``: addresses or networks of proxies with trusted ``X-Forwarded-For`` (none).
- ``ARBITER_STREAMS``: concurrent live streams (2000). One reader may have three quarters of them.
- ``ARBITER_HEARTBEAT``: seconds between signs of life on a quiet stream (15).
- ``ARBITER_HEAD_SECONDS``: timeout for request headers, in seconds (10).
- ``ARBITER_BODY_SECONDS``: timeout for the request body after the headers, in seconds (30).
- ``ARBITER_SEND_SECONDS``: timeout for the client to read a response, or each piece of a stream, in seconds (30).
- ``ARBITER_WAITS``: concurrent requests that wait for an event, ``?after`` (1000).
- ``ARBITER_REPLAYS``: concurrent requests for a past state, ``?at``, or one without a ruling, ``?without`` (8).
- ``ARBITER_AUDITS``: concurrent requests that wait for an audit (16).
- ``ARBITER_AUDIT_SECONDS``: CPU seconds of an audit on the server (60).
- ``ARBITER_AUDIT_MEMORY``: MiB that the process of audits, and that of previews, may map (1024).
- ``ARBITER_PREVIEWS``, ``ARBITER_PREVIEW_TIME``: concurrent requests that wait for a preview, and its CPU seconds (16, 20).
- ``ARBITER_PAIRINGS``: rounds that engines pair at the same time, each of another tournament (8).
- ``ARBITER_PAIRING_TIME``: CPU seconds of an engine for a round (60). By the clock it has 1.5 times as many.
- ``ARBITER_PAIRING_MEMORY``: MiB that the process of an engine may map (4096).
- ``ARBITER_NAME``: name of the installation in its checkpoints (content of ``DIR/arbiter.name``, else ``arbiter``).
- ``ARBITER_WITNESSES``: witnesses that cosign checkpoints, ``VKEY URL``, separated by ``;`` (``DIR/arbiter.witnesses``).
- ``ARBITER_TIMEZONE``: IANA name of the venue's time zone, in which pages show times, such as ``Asia/Shanghai`` (UTC).
- ``ARBITER_CROSS_ORIGIN``: ``reads`` lets pages of any site read public data, ``none`` does not (reads).
- ``ARBITER_PEOPLE``: readers of people across tournaments, ``public`` or the ``officials`` of all tournaments (officials).
- ``ARBITER_WEBHOOK_NETWORKS``: non-public addresses or networks to which webhooks may be sent (none).
- ``ARBITER_EDITION``: edition of rules and event versions that is written, 2 or 3; lower it only for an upgrade (3).
- ``ARBITER_SIGNED``: file with the signer's memory, which no backup restores (``DIR/signed.db``).

One service of the distributed system, as web process or worker, also has these:

- ``ARBITER_SERVICE``: pairing, games, penalties or standings. If it is not set, the server is embedded.
- ``ARBITER_DATABASE_URL``: database of the service (``postgresql+psycopg://user:password@host/name``).
- ``ARBITER_REPLICA_URL``: copy of the database, for web processes of standings that only read (none).
- ``ARBITER_KAFKA``: brokers, ``host:port``, separated by commas.
- ``ARBITER_KAFKA_USER``: user at the broker (name of the service).
- ``ARBITER_KAFKA_PASSWORD``: password at the broker, else from ``ARBITER_KAFKA_PASSWORD_FILE``. Without it, no SASL is used.
- ``ARBITER_KAFKA_CA``: file of the authority that signed the brokers' certificates. It turns TLS on.
- ``ARBITER_PARTITIONS``: partitions of tournaments and moves, which never change (12).
- ``ARBITER_REPLICATION``: copies of each topic (1). With three or more, two must confirm.
- ``ARBITER_WORKERS``: web processes of the service (1).
- ``ARBITER_API_URL``: address of the gateway through which pairing imports report files (not set: no imports).
- ``ARBITER_OUTBOX``: records that may wait for Kafka before commands are refused (20000).
- ``ARBITER_SERVICE_KEYS``: folder of public keys, of which other services than pairing need only pairing's (``DIR/keys``).
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from deploy.failure import Failure
from shared.core.language.messages import message_of, say
from shared.core.rulebook.editions import EDITIONS, NEWEST
from shared.core.terms import SOURCES, Source, service_of
from shared.core.values.bounds import HIGHEST
from shared.log.kafka.broker import SCRAM, Broker

if TYPE_CHECKING:
    from shared.http.identity.proxies import Network
    from shared.http.limits.rate_limits import Limits

SERVICES: dict[str, Source] = {service_of(source): source for source in SOURCES}
"""The source in a service's events, by the name of the service."""
DESCRIPTION = Path(__file__).parents[1] / "openapi" / "arbiter.json"
VERIFIER = Path(__file__).parents[1] / "docs" / "verify.html"
"""The auditor's page, which can be saved and opened from the disk."""
DATABASES = "ARBITER_DATABASES"

Value = TypeVar("Value", int, float)


class BadSetting(ValueError):
    """An unusable setting. The text names the variable."""


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """The settings of one service of the distributed system.

    ``outbox``: number of records that may wait for Kafka. ``keys``: folder of the services' public keys, or None for that of
    the data folder. ``api``: address of the API of all services, or "". ``replica``: whether ``database`` is a read-only copy.
    """

    service: str
    database: str
    broker: Broker
    workers: int
    outbox: int
    keys: Path | None = None
    api: str = ""
    replica: bool = False

    @property
    def source(self) -> Source:
        return SERVICES[self.service]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a process. ``distributed`` is None if all four services are embedded in one process."""

    data: Path
    host: str
    port: int
    limits: "Limits"
    proxies: tuple["Network", ...] = ()
    distributed: ServiceSettings | None = None
    timezone: tzinfo = UTC
    any_origin: bool = True
    webhook_networks: tuple["Network", ...] = ()
    public_people: bool = False
    edition: int = NEWEST.number
    address: str = ""


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings in an environment. Raises `BadSetting`."""

    def number(name: str, kind: Callable[[str], Value], default: Value, low: Value) -> Value:
        text = environment.get(name)
        if text is None:
            return default
        try:
            value = kind(text)
        except ValueError:
            raise BadSetting(say("{name}={text} is not a number", name=name, text=repr(text))) from None
        if not low <= value < HIGHEST:
            raise BadSetting(say("{name}={text} is out of range", name=name, text=repr(text)))
        return value

    from shared.http.limits.rate_limits import Limits

    usual = Limits()
    limits = Limits(
        body=number("ARBITER_MAX_BODY", int, usual.body, 1),
        rate=number("ARBITER_RATE", float, usual.rate, 0.0),
        burst=number("ARBITER_BURST", int, usual.burst, 1),
        reads=number("ARBITER_READS", float, usual.reads, 0.0),
        reads_burst=number("ARBITER_READS_BURST", int, usual.reads_burst, 1),
        streams=number("ARBITER_STREAMS", int, usual.streams, 0),
        heartbeat=number("ARBITER_HEARTBEAT", float, usual.heartbeat, 0.05),
        head_seconds=number("ARBITER_HEAD_SECONDS", float, usual.head_seconds, 0.05),
        body_seconds=number("ARBITER_BODY_SECONDS", float, usual.body_seconds, 0.05),
        send_seconds=number("ARBITER_SEND_SECONDS", float, usual.send_seconds, 0.05),
        waits=number("ARBITER_WAITS", int, usual.waits, 0),
        replays=number("ARBITER_REPLAYS", int, usual.replays, 0),
        audits=number("ARBITER_AUDITS", int, usual.audits, 0),
        audit_seconds=number("ARBITER_AUDIT_SECONDS", float, usual.audit_seconds, 0.05),
        audit_memory=number("ARBITER_AUDIT_MEMORY", int, usual.audit_memory, 256),
        previews=number("ARBITER_PREVIEWS", int, usual.previews, 0),
        preview_seconds=number("ARBITER_PREVIEW_TIME", float, usual.preview_seconds, 0.05),
        pairings=number("ARBITER_PAIRINGS", int, usual.pairings, 1),
        pairing_seconds=number("ARBITER_PAIRING_TIME", float, usual.pairing_seconds, 0.05),
        pairing_memory=number("ARBITER_PAIRING_MEMORY", int, usual.pairing_memory, 256),
    )
    data, host = Path(environment.get("ARBITER_DATA", "data")), environment.get("ARBITER_HOST", "127.0.0.1")
    distributed = None
    if environment.get("ARBITER_SERVICE"):
        distributed = ServiceSettings(
            _one_of(environment, "ARBITER_SERVICE", tuple(SERVICES)),
            environment.get("ARBITER_REPLICA_URL") or _needed(environment, "ARBITER_DATABASE_URL"),
            broker(environment, environment["ARBITER_SERVICE"]),
            number("ARBITER_WORKERS", int, 1, 1),
            number("ARBITER_OUTBOX", int, 20_000, 1),
            Path(environment["ARBITER_SERVICE_KEYS"]) if environment.get("ARBITER_SERVICE_KEYS") else None,
            environment.get("ARBITER_API_URL", "") if environment["ARBITER_SERVICE"] == "pairing" else "",
            bool(environment.get("ARBITER_REPLICA_URL")),
        )
        if distributed.replica and distributed.service != "standings":
            raise BadSetting(say("ARBITER_REPLICA_URL is only for standings, because the other services write"))
    port, proxies = number("ARBITER_PORT", int, 8000, 0), _networks("ARBITER_PROXIES", environment)
    zone = _timezone(environment.get("ARBITER_TIMEZONE", ""))
    webhooks = _networks("ARBITER_WEBHOOK_NETWORKS", environment)
    any_origin = _one_of(environment, "ARBITER_CROSS_ORIGIN", ("reads", "none"), "reads") == "reads"
    public_people = _one_of(environment, "ARBITER_PEOPLE", ("public", "officials"), "officials") == "public"
    edition = int(_one_of(environment, "ARBITER_EDITION", tuple(map(str, EDITIONS)), str(NEWEST.number)))
    site, rest = environment.get("ARBITER_ADDRESS", ""), (webhooks, public_people, edition)
    return Settings(data, host, port, limits, proxies, distributed, zone, any_origin, *rest, _site(site))


def addresses(options: Sequence[str]) -> dict[str, str]:
    """Return the database of each service that ``options`` list as ``SERVICE=URL``.

    Without options, return the database of the service in the environment, if any. Raises `Failure` for an invalid option.
    """
    urls: dict[str, str] = {}
    for option in options:
        service, _, url = option.partition("=")
        if service not in SERVICES or not url:
            raise Failure(
                say(
                    "{service} is not of the form SERVICE=URL; the services are {names}",
                    service=repr(service),
                    names=tuple(SERVICES),
                )
            )
        urls[service] = url
    own, address = os.environ.get("ARBITER_SERVICE"), os.environ.get("ARBITER_DATABASE_URL")
    if not urls and own in SERVICES and address:
        urls[own] = address
    return urls


def _site(address: str) -> str:
    """Return an address of the site, or an empty text. Raises `BadSetting` if it is not a URL."""
    parts = urlsplit(address)
    if address and (parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/")):
        raise BadSetting(say("ARBITER_ADDRESS={text} is not a URL such as http://192.168.1.5:8000", text=repr(address)))
    return address.rstrip("/")


def _networks(name: str, environment: Mapping[str, str]) -> tuple["Network", ...]:
    """Return the addresses and networks of a setting, which commas separate. Raises `BadSetting`."""
    text = environment.get(name, "")
    try:
        return tuple(ip_network(one.strip()) for one in text.split(",") if one.strip())
    except ValueError as problem:
        raise BadSetting(
            say("{name}={text}: {problem}", name=name, text=repr(text), problem=message_of(problem))
        ) from None


def _timezone(name: str) -> tzinfo:
    """Return the time zone with this IANA name, or UTC for an empty name. Raises `BadSetting`."""
    from shared.http.language.language import zone_named

    zone = zone_named(name) if name else UTC
    if zone is None:
        raise BadSetting(
            say(
                "ARBITER_TIMEZONE={name} is not a known time zone; use an IANA name such as Asia/Shanghai",
                name=repr(name),
            )
        )
    return zone


def broker(environment: Mapping[str, str] = os.environ, user: str = "admin") -> Broker:
    """Return the Kafka cluster in an environment. ``user``: the default user. Raises `BadSetting`."""
    counts = {}
    for name, usual in (("ARBITER_PARTITIONS", 12), ("ARBITER_REPLICATION", 1)):
        text = environment.get(name) or str(usual)
        if not text.isdecimal() or not 1 <= int(text) <= 1000:
            raise BadSetting(say("{name}={text} must be a number from 1 to 1000", name=name, text=repr(text)))
        counts[name] = int(text)
    partitions, replication = counts.values()
    at = _needed(environment, "ARBITER_KAFKA")
    return Broker(at, _security(environment, user), partitions, replication, 2 if replication >= 3 else 1)


def _security(environment: Mapping[str, str], user: str) -> dict[str, str]:
    """Return the options of kafka-python for TLS and SASL."""
    password, authority = _password(environment), environment.get("ARBITER_KAFKA_CA")
    options: dict[str, str] = {"ssl_cafile": authority} if authority else {}
    if password:
        options |= {
            "sasl_mechanism": SCRAM,
            "sasl_plain_username": environment.get("ARBITER_KAFKA_USER") or user,
            "sasl_plain_password": password,
        }
    if options:
        options["security_protocol"] = ("SASL_" if password else "") + ("SSL" if authority else "PLAINTEXT")
    return options


def _password(environment: Mapping[str, str]) -> str | None:
    """Return Kafka's password, or None if neither it nor a file with it is set. Raises `BadSetting`."""
    password, file = environment.get("ARBITER_KAFKA_PASSWORD"), environment.get("ARBITER_KAFKA_PASSWORD_FILE")
    if password or not file:
        return password
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadSetting(
            say("ARBITER_KAFKA_PASSWORD_FILE={file} cannot be read: {problem}", file=repr(file), problem=str(problem))
        ) from None


def _one_of(environment: Mapping[str, str], name: str, names: tuple[str, ...], default: str = "") -> str:
    if (text := environment.get(name) or default) not in names:
        raise BadSetting(say("{name}={text} must be one of {names}", name=name, text=repr(text), names=names))
    return text


def _needed(environment: Mapping[str, str], name: str) -> str:
    text = environment.get(name)
    if not text:
        raise BadSetting(say("{name} is not set", name=name))
    return text
