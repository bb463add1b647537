"""The settings of Kafka's clients: the address, the limits, and the names of the topics."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.core.terms import GAMES, PAIRING, PENALTIES, STANDINGS, Source, service_of
from shared.log.port import TRACE_HEADER, TRACEPARENT

TOURNAMENTS = "arbiter.tournaments"
MOVES = "arbiter.moves"
TEXTS = "arbiter.texts"
TOKENS = "arbiter.tokens"
TOPICS = (TOURNAMENTS, MOVES, TEXTS, TOKENS)
COMPACTED = (TEXTS, TOKENS)
"""Topics for which Kafka keeps the newest record of each key. Each has one partition."""

WRITES: dict[Source, tuple[str, ...]] = {
    PAIRING: (TEXTS, TOKENS, TOURNAMENTS),
    GAMES: (MOVES, TEXTS, TOURNAMENTS),
    PENALTIES: (TEXTS, TOURNAMENTS),
    STANDINGS: (TEXTS, TOURNAMENTS),
}
"""Source -> the topics that it writes, and that it may write if the cluster checks permissions."""

FOLLOWS: dict[Source, tuple[str, ...]] = {
    source: (TOURNAMENTS, TEXTS, TOKENS, *((MOVES,) if source in (GAMES, STANDINGS) else ())) for source in WRITES
}
"""Source -> the topics that its follower reads. Games compares the score sheets with its own; standings keeps a copy."""


def group_of(source: Source) -> str:
    """Return the consumer group in which a service's workers share the partitions."""
    return f"arbiter-{service_of(source)}"


PEOPLE_GROUP = "arbiter-people"
"""The consumer group in which standings' workers share the projection of people."""

SCRAM = "SCRAM-SHA-512"
"""How users log in."""
READER = "auditor"
"""The user of Kafka who may read every topic, also in consumer groups whose names begin so, and writes nothing."""

MAX_RECORD = 9 * 1024 * 1024
"""Maximum size of one record in bytes: a command of 8 MiB and its overhead."""


@dataclass(frozen=True, slots=True)
class Broker:
    """A Kafka cluster and the settings of its topics.

    ``security`` contains kafka-python's own options (``security_protocol``, ``sasl_mechanism``, …). ``partitions`` is for
    tournaments and moves and never changes; texts and tokens have one partition.
    """

    bootstrap: str
    security: Mapping[str, Any] = field(default_factory=dict)
    partitions: int = 12
    replication: int = 1
    min_insync: int = 1

    def options(self) -> dict[str, Any]:
        """Return the settings of every client."""
        return {"bootstrap_servers": self.bootstrap.split(","), **self.security}


HEADER = "arbiter-n"
NUMBERED = (TOURNAMENTS, MOVES)
"""The topics whose records are numbered. Texts and tokens are compacted, so a gap in them has no meaning."""
_DIGITS = 18


def headers_of(number: int | None, traceparent: str | None = None) -> list[tuple[str, bytes]]:
    """Return the headers of a record with this number, whose command belongs to this trace."""
    numbered = [] if number is None else [(HEADER, b"%d" % number)]
    return numbered if traceparent is None else [*numbered, (TRACE_HEADER, traceparent.encode())]


def traceparent_of(headers: Iterable[tuple[str, bytes | None]]) -> str | None:
    """Return a record's ``traceparent``, or None unless its headers have exactly one in the form of version 00."""
    found = [value for name, value in headers if name == TRACE_HEADER]
    if len(found) != 1 or found[0] is None:
        return None
    match = TRACEPARENT.fullmatch(text := found[0].decode("ascii", "replace"))
    return text if match is not None and match[1] == "00" and not match[5] else None


def number_of(headers: Iterable[tuple[str, bytes | None]]) -> int | None:
    """Return a record's number, from 1, or None unless its headers have exactly one that can be read."""
    found = [value for name, value in headers if name == HEADER]
    if len(found) != 1 or (value := found[0]) is None:
        return None
    if not value.isdigit() or len(value) > _DIGITS or value.startswith(b"0"):
        return None
    return int(value)
