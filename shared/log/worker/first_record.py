"""How a tournament begins in the log: with an announcement that this house's pairing signed."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.merkle import leaf_hash
from shared.core.messages import Message, say
from shared.core.service_keys import ANNOUNCED_BY, ServiceKey
from shared.core.terms import PAIRING, service_of
from shared.log.kafka.consumer import partition_of
from shared.log.sql.tables import LEDGER, STOPPED
from shared.log.worker.acceptance import Place
from shared.signing.log_keys import announces, keys_named
from shared.signing.records import holds
from shared.wire.signature import signed_bytes

Keys = Callable[[], Collection[ServiceKey]]
"""Pairing's public keys as they are configured now, the newest first and former ones behind it."""


class Beginning(NamedTuple):
    """Why the first record of a tournament does not begin it: ``no line`` may stand there, or its tournament ``stops``."""

    kind: Literal["no line", "stops"]
    why: Message


class Beginnings:
    """Knows pairing's keys from the service's own configuration: who can write to a topic signs with none of them, and an
    announcement of an older version, which bears no signature, is what he would write.

    A former key begins what lies in its partition before the line that names a newer one, and nothing behind it. ``known``:
    stream → the leaf hash of the first line that was taken before, of those that were not stopped there.
    """

    def __init__(self, keys: Keys, partitions: int, known: Mapping[str, bytes] | None = None) -> None:
        self._keys, self._partitions, self._known = keys, partitions, known or {}
        self._named: dict[int, set[str]] | None = None
        """Partition → the keys that its lines name; None until a former key asks for them."""

    def why_not(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Beginning | None:
        """Why this record, the first of its stream, does not begin a tournament; None where it does. What was taken before it
        is in the ledger."""
        if self._known and self._known.get(place.stream) == leaf_hash(lines[0]):
            return None
        if place.source != PAIRING or not announces(lines[0]):
            return Beginning("no line", say("lines of a tournament that nobody has announced"))
        keys = list(self._keys())
        by = next((n for n, key in enumerate(keys) if holds(lines, key)), None)
        if by is None:
            signed = signed_bytes(lines)[1]
            return Beginning("stops", _unsigned(signed))
        newer = set(map(str, keys[:by]))
        if newer and not newer.isdisjoint(self._named_before(connection, place.stream)):
            why = say(
                "an announcement signed by a former key ({key}) of {service}, behind a newer one",
                key=keys[by].hash,
                service=service_of(PAIRING),
            )
            return Beginning("stops", why)
        return None

    def took(self, place: Place, lines: Sequence[bytes]) -> None:
        """A record that nothing stopped at its beginning was appended to the ledger."""
        if self._named is not None and place.source in ANNOUNCED_BY[PAIRING]:
            self._named[self._partition(place.stream)].update(keys_named(lines))

    def forget(self) -> None:
        """What was taken is undone."""
        self._named = None

    def _named_before(self, connection: Connection, stream: str) -> Collection[str]:
        if self._named is None:
            self._named = defaultdict(set)
            stopped = sa.select(STOPPED.c.stream).where(STOPPED.c.seq == 0, STOPPED.c.resumed < 0)
            chosen = sa.select(LEDGER.c.stream, LEDGER.c.line).where(
                LEDGER.c.source.in_(ANNOUNCED_BY[PAIRING]), LEDGER.c.stream.not_in(stopped)
            )
            for row in connection.execute(chosen):
                self._named[self._partition(row.stream)].update(keys_named([row.line]))
        return self._named[self._partition(stream)]

    def _partition(self, stream: str) -> int:
        return partition_of(stream.partition("/")[2], self._partitions)


def _unsigned(signature: str) -> Message:
    service = service_of(PAIRING)
    if not signature:
        return say("an announcement not signed by any of the keys of {service} that are configured", service=service)
    return say(
        "an announcement signed by a key ({key}) that is not among the keys of {service} that are configured",
        key=signature[:8],
        service=service,
    )
