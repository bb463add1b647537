"""What an operator may set, by environment variables; embedded, everything has a default.

=========================  =============================================================
``ARBITER_DATA``          folder of the log, the keys (``./data``)
``ARBITER_HOST``          address to listen at (127.0.0.1)
``ARBITER_PORT``          port to listen at (8000)
``ARBITER_MAX_BODY``      bytes that a request's body may have (1048576)
``ARBITER_RATE``          commands a second and caller (500; 0: no limit)
``ARBITER_BURST``         commands at once and caller (2000)
``ARBITER_READS``         cost of reads a second, of a token or else an address (200; 0: no limit)
``ARBITER_READS_BURST``   cost of reads at once (4000); a line costs 1, a table 5, an audit 100
``ARBITER_PROXIES``       addresses or networks whose ``X-Forwarded-For`` is believed (none)
``ARBITER_STREAMS``       live streams at once (2000), of one reader three quarters
``ARBITER_HEARTBEAT``     seconds between signs of life on a quiet stream (15)
``ARBITER_HEAD_SECONDS``  in which the head of a request is to have come (10)
``ARBITER_BODY_SECONDS``  in which its body is to have come, after the head (30)
``ARBITER_SEND_SECONDS``  in which an answer is to be read; of a stream, each piece (30)
``ARBITER_WAITS``         requests that wait for a line (``?after``) at once (1000)
``ARBITER_REPLAYS``       requests at once for a past state (``?at``) or one without a ruling (8)
``ARBITER_AUDITS``        requests that wait for an audit at once (16)
``ARBITER_AUDIT_SECONDS`` that an audit may take on the server (60)
``ARBITER_AUDIT_MEMORY``  MiB that the process of audits may map, and that of previews (1024)
``ARBITER_PREVIEWS``      requests that wait for a preview at once (16)
``ARBITER_PREVIEW_TIME``  seconds that a preview may take (20)
``ARBITER_PAIRINGS``      rounds that engines pair at once, each of another tournament (8)
``ARBITER_PAIRING_TIME``  seconds of a processor that an engine may take for a round, by the clock half as many again; past
                          them it is paired by hand (60)
``ARBITER_PAIRING_MEMORY`` MiB that its process may map (4096)
``ARBITER_NAME``          name of the house in its checkpoints (what ``DIR/arbiter.name`` says, else ``arbiter``)
``ARBITER_WITNESSES``     who cosigns checkpoints: ``VKEY URL``, several with ``;`` (``DIR/arbiter.witnesses``)
``ARBITER_TIMEZONE``      of the hall, in which pages show times, by its IANA name: ``Asia/Shanghai`` (UTC)
``ARBITER_CROSS_ORIGIN``  ``reads``: pages of any other site may read what everybody may; ``none`` (reads)
``ARBITER_PEOPLE``        ``public``: everybody may read people across tournaments; ``officials`` of all of them (officials)
``ARBITER_WEBHOOK_NETWORKS`` addresses or networks that webhooks are sent to though they are not public (none)
``ARBITER_SIGNED``        file of what was signed, which no backup puts back (``DIR/signed.db``)
=========================  =============================================================

Of one service of the distributed system, web process or worker:

=========================  =============================================================
``ARBITER_SERVICE``        pairing, games, penalties or standings; unset: embedded
``ARBITER_DATABASE_URL``   its database (``postgresql+psycopg://user:password@host/name``)
``ARBITER_KAFKA``          brokers, ``host:port``, several with commas
``ARBITER_KAFKA_USER``     user (the service's name)
``ARBITER_KAFKA_PASSWORD`` password; unset or empty: a broker without SASL
``ARBITER_KAFKA_PASSWORD_FILE`` file with the password, if ``ARBITER_KAFKA_PASSWORD`` is not set
``ARBITER_KAFKA_CA``       file of the authority that signed the brokers' certificates: TLS
``ARBITER_PARTITIONS``     of tournaments and moves; never changes (12)
``ARBITER_REPLICATION``    copies of each topic (1); with three, two must confirm
``ARBITER_WORKERS``        web processes of the service (1)
``ARBITER_API_URL``        address of the gateway, by which pairing imports report files (unset: it imports none)
``ARBITER_OUTBOX``         records that may wait for Kafka until commands are refused (20000)
``ARBITER_SERVICE_KEYS``   folder of the services' public keys (``ARBITER_DATA/keys``); all but pairing need its alone
=========================  =============================================================
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from deploy.failure import Failure
from shared.core.language.messages import message_of, say
from shared.core.terms import SOURCES, Source, service_of
from shared.core.values.bounds import HIGHEST
from shared.log.kafka.broker import Broker

if TYPE_CHECKING:
    from shared.http.identity.proxies import Network
    from shared.http.limits.rate_limits import Limits

SERVICES: dict[str, Source] = {service_of(source): source for source in SOURCES}
"""A service's name -> the source that its events name."""
VERIFIER = Path(__file__).parents[1] / "docs" / "verify.html"
"""The auditor's page, which can be saved and opened from the disk."""
DATABASES = "ARBITER_DATABASES"
SCRAM = "SCRAM-SHA-512"

Value = TypeVar("Value", int, float)


class BadSetting(ValueError):
    """A setting that cannot be used; names the variable."""


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What one service of the distributed system needs. ``outbox``: records that may wait for Kafka; ``keys``: folder of the
    services' public keys, None: beside its own; ``api``: address of all services' API, empty: unknown."""

    service: str
    database: str
    broker: Broker
    workers: int
    outbox: int
    keys: Path | None = None
    api: str = ""

    @property
    def source(self) -> Source:
        return SERVICES[self.service]


@dataclass(frozen=True, slots=True)
class Settings:
    """``distributed`` is None where all four services are embedded in one process."""

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


def settings(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of an environment. Raises `BadSetting`."""

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
            _service(environment["ARBITER_SERVICE"]),
            _needed(environment, "ARBITER_DATABASE_URL"),
            broker(environment, environment["ARBITER_SERVICE"]),
            number("ARBITER_WORKERS", int, 1, 1),
            number("ARBITER_OUTBOX", int, 20_000, 1),
            Path(environment["ARBITER_SERVICE_KEYS"]) if environment.get("ARBITER_SERVICE_KEYS") else None,
            environment.get("ARBITER_API_URL", "") if environment["ARBITER_SERVICE"] == "pairing" else "",
        )
    port, proxies = number("ARBITER_PORT", int, 8000, 0), _networks("ARBITER_PROXIES", environment)
    zone = _timezone(environment.get("ARBITER_TIMEZONE", ""))
    webhooks = _networks("ARBITER_WEBHOOK_NETWORKS", environment)
    any_origin = _is_first(environment, "ARBITER_CROSS_ORIGIN", "reads", "none", "reads")
    public_people = _is_first(environment, "ARBITER_PEOPLE", "public", "officials", "officials")
    return Settings(data, host, port, limits, proxies, distributed, zone, any_origin, webhooks, public_people)


def addresses(options: Sequence[str]) -> dict[str, str]:
    """Service -> its database: those named, else that of the service that the environment is."""
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


def _is_first(environment: Mapping[str, str], name: str, first: str, other: str, default: str) -> bool:
    """Return whether a setting has the first of its two values. Raises `BadSetting` if it has neither."""
    text = environment.get(name) or default
    if text not in (first, other):
        raise BadSetting(
            say("{name}={text} must be {first} or {other}", name=name, text=repr(text), first=first, other=other)
        )
    return text == first


def _networks(name: str, environment: Mapping[str, str]) -> tuple["Network", ...]:
    """Addresses and networks, with commas between them."""
    text = environment.get(name, "")
    try:
        return tuple(ip_network(one.strip()) for one in text.split(",") if one.strip())
    except ValueError as problem:
        raise BadSetting(
            say("{name}={text}: {problem}", name=name, text=repr(text), problem=message_of(problem))
        ) from None


def _timezone(name: str) -> tzinfo:
    """A time zone by its IANA name; UTC where none is named."""
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
    """The Kafka cluster of an environment, as ``user``. Raises `BadSetting`."""
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
    """kafka-python's own options."""
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
    """Return Kafka's password, or None if neither it nor a file with it is named."""
    password, file = environment.get("ARBITER_KAFKA_PASSWORD"), environment.get("ARBITER_KAFKA_PASSWORD_FILE")
    if password or not file:
        return password
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadSetting(
            say("ARBITER_KAFKA_PASSWORD_FILE={file} cannot be read: {problem}", file=repr(file), problem=str(problem))
        ) from None


def _service(text: str) -> str:
    if text not in SERVICES:
        raise BadSetting(say("ARBITER_SERVICE={text} must be one of {names}", text=repr(text), names=tuple(SERVICES)))
    return text


def _needed(environment: Mapping[str, str], name: str) -> str:
    text = environment.get(name)
    if not text:
        raise BadSetting(say("{name} is not set", name=name))
    return text
