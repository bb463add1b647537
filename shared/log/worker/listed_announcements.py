"""Which tournaments the former keys of pairing's announced: its newest key lists them, and what it does not list they did not."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, message_of, say
from shared.core.terms import PAIRING, service_of
from shared.core.trust.merkle import leaf_hash
from shared.core.trust.service_keys import ServiceKey
from shared.log.kafka.broker import TOKENS
from shared.log.sql.tables import EVENTS, OUTBOX
from shared.log.sql.worker_state import Mendable
from shared.log.worker.acceptance import Place
from shared.signing.announcement_lists import KEY, BadList, list_of, read_list
from shared.signing.log_keys import announces
from shared.signing.service_keys import NO_KEYS, ServiceKeys, holds
from shared.wire.envelope import signed_bytes

Keys = Callable[[], Collection[ServiceKey]]
"""Pairing's public keys as they are configured now, the newest first and former ones behind it."""


class ListedAnnouncements:
    """As the topic tells them, read from its beginning by each worker that starts.

    ``own`` has pairing's private keys, where the service is pairing: it lists what stands in its own table, signed by its
    newest key. A list that another key signed is none: the newest lists again what those before it announced.
    """

    def __init__(self, keys: Keys, own: ServiceKeys = NO_KEYS) -> None:
        self._keys, self._own = keys, own
        self._by: ServiceKey | None = None
        self._leaves: set[bytes] = set()

    def take(self, record: bytes | None) -> Message | None:
        """Why a record under the key of the list is not believed; None for one that is. What was listed stays so."""
        if record is None:
            return say("ignored tombstone: an announced key cannot be removed")
        newest = next(iter(self._keys()), None)
        try:
            leaves = read_list(record, newest)
        except BadList as bad:
            return message_of(bad)
        if self._by != newest:
            self._by, self._leaves = newest, set()
        self._leaves |= leaves
        return None

    def holds(self, connection: Connection, line: bytes) -> bool | None:
        """Whether an announcement's first line is listed; None while the newest key has signed no list."""
        if self.due():
            # Before anything else of a former key is read, so that its thief's announcements are in no list.
            self.publish(connection, None)
        if self._by != next(iter(self._keys()), None):
            return None
        if leaf_hash(line) not in self._leaves:
            # Of pairing's own processes one may have gone on with the key before for a moment.
            self.publish(connection, None)
        return leaf_hash(line) in self._leaves

    def denies(self, lines: Sequence[bytes]) -> bool:
        """Whether a former key signed an announcement that the newest, which has signed a list, does not list."""
        newest, former = [*self._keys()][:1], [*self._keys()][1:]
        if newest != [self._by] or leaf_hash(lines[0]) in self._leaves:
            return False
        return any(holds(lines, key) for key in former)

    def due(self) -> bool:
        """Whether pairing has a newer key than the one that listed last, as when it was rotated while the worker runs."""
        newest = self._lists_by()
        return newest is not None and newest != self._by

    def publish(self, connection: Connection, last: bytes | None) -> None:
        """Where the service is pairing and has former keys: list what they announced, unless ``last`` does, which is the last
        record of the topic under this key, or such a list waits already."""
        newest = self._lists_by()
        sign = None if newest is None else self._own.signer(str(newest))
        if newest is None or sign is None:
            return
        record = list_of(_announced_by_former(connection, newest), sign)
        self.take(record)
        waits = sa.select(OUTBOX.c.id).where(OUTBOX.c.topic == TOKENS, OUTBOX.c.key == KEY.decode())
        if record != last and connection.execute(waits.where(OUTBOX.c.record == record).limit(1)).first() is None:
            row = {"topic": TOKENS, "key": KEY.decode(), "record": record, "at": 0.0, "partition": 0}
            connection.execute(sa.insert(OUTBOX), row)

    def _lists_by(self) -> ServiceKey | None:
        """The key that pairing lists by; None elsewhere, without former keys, and while the private keys that were read are not
        yet those of the public file: what another than the newest signs is believed by nobody."""
        own, known = self._own.own(PAIRING), [*self._keys()]
        return own[0] if own and len(known) > 1 and own[0] == known[0] else None


def _announced_by_former(connection: Connection, newest: ServiceKey) -> list[bytes]:
    """Return the leaf hashes of the announcements in pairing's own table that a former key signed."""
    own = EVENTS.c.source == PAIRING, EVENTS.c.stream.startswith("tournaments/")
    first = sa.select(EVENTS.c.command).where(*own, EVENTS.c.sourceseq == 1)
    chosen = sa.select(EVENTS.c.command, EVENTS.c.line).where(*own, EVENTS.c.command.in_(first))
    leaves = []
    for _, rows in groupby(
        connection.execute(chosen.order_by(EVENTS.c.stream, EVENTS.c.sourceseq)), key=lambda row: row.command
    ):
        lines = [row.line for row in rows]
        signature = signed_bytes(lines)[1]
        if signature and announces(lines[0]) and not signature.startswith(newest.hash):
            leaves.append(leaf_hash(lines[0]))
    return leaves


class Beginning(NamedTuple):
    """Why the first record of a tournament does not begin it: ``no line`` may stand there, or its tournament ``stops``."""

    kind: Literal["no line", "stops"]
    why: Message


class Beginnings:
    """Decides which records may begin a tournament, by pairing's keys from the service's own configuration.

    Other writers of a topic do not have these keys, but could write an announcement of an older version, without signature.

    A former key begins what the newest has ``listed`` as announced by it, and nothing else. ``known``: stream → the leaf hash
    of the first line that was taken before, of those that were not stopped there.
    """

    def __init__(self, keys: Keys, listed: ListedAnnouncements, known: Mapping[str, bytes] | None = None) -> None:
        self._keys, self._listed, self._known = keys, listed, known or {}

    def why_not(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Beginning | None:
        """Return why this record, the first of its stream, does not begin a tournament, or None if it does.

        Raises `Mendable` if a former key signed it, and the newest key has not listed the announcements of former keys yet.
        """
        if self._known and self._known.get(place.stream) == leaf_hash(lines[0]):
            return None
        if place.source != PAIRING or not announces(lines[0]):
            return Beginning("no line", say("the events belong to a tournament that was never created"))
        by = next(((n, key) for n, key in enumerate(self._keys()) if holds(lines, key)), None)
        if by is None:
            return Beginning("stops", _unsigned(signed_bytes(lines)[1]))
        number, key = by
        listed = number == 0 or self._listed.holds(connection, lines[0])
        if listed is None:
            raise Mendable(
                say(
                    "{stream} was announced by a former key ({key}) of {service}, whose newest has not listed yet what those "
                    "before it announced: its worker does when it starts (`docker compose restart pairing-worker`)",
                    stream=place.stream,
                    key=key.hash,
                    service=service_of(PAIRING),
                )
            )
        if listed:
            return None
        why = say(
            "the announcement is signed by a former key ({key}) of {service}, and the newest key does not list it",
            key=key.hash,
            service=service_of(PAIRING),
        )
        return Beginning("stops", why)


def _unsigned(signature: str) -> Message:
    service = service_of(PAIRING)
    if not signature:
        return say("the announcement is not signed by any configured key of {service}", service=service)
    return say(
        "the announcement is signed by the key {key}, which is not a configured key of {service}",
        key=signature[:8],
        service=service,
    )
