"""How a tournament begins in the log: with an announcement that this house's pairing signed."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, say
from shared.core.terms import PAIRING, service_of
from shared.core.trust.merkle import leaf_hash
from shared.log.sql.worker_state import Mendable
from shared.log.worker.acceptance import Place
from shared.log.worker.listed_announcements import Keys, ListedAnnouncements
from shared.signing.log_keys import announces
from shared.signing.service_keys import holds
from shared.wire.envelope import signed_bytes


class Beginning(NamedTuple):
    """Why the first record of a tournament does not begin it: ``no line`` may stand there, or its tournament ``stops``."""

    kind: Literal["no line", "stops"]
    why: Message


class Beginnings:
    """Knows pairing's keys from the service's own configuration: who can write to a topic signs with none of them, and an
    announcement of an older version, which bears no signature, is what he would write.

    A former key begins what the newest has ``listed`` as announced by it, and nothing else. ``known``: stream → the leaf hash
    of the first line that was taken before, of those that were not stopped there.
    """

    def __init__(self, keys: Keys, listed: ListedAnnouncements, known: Mapping[str, bytes] | None = None) -> None:
        self._keys, self._listed, self._known = keys, listed, known or {}

    def why_not(self, connection: Connection, place: Place, lines: Sequence[bytes]) -> Beginning | None:
        """Why this record, the first of its stream, does not begin a tournament; None where it does. Raises `Mendable` where a
        former key signed it, and the newest has not listed yet what those announced."""
        if self._known and self._known.get(place.stream) == leaf_hash(lines[0]):
            return None
        if place.source != PAIRING or not announces(lines[0]):
            return Beginning("no line", say("events of a tournament that was never created"))
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
            "an announcement signed by a former key ({key}) of {service}, which its newest key does not list",
            key=key.hash,
            service=service_of(PAIRING),
        )
        return Beginning("stops", why)


def _unsigned(signature: str) -> Message:
    service = service_of(PAIRING)
    if not signature:
        return say("an announcement not signed by any of the keys of {service} that are configured", service=service)
    return say(
        "an announcement signed by a key ({key}) that is not among the keys of {service} that are configured",
        key=signature[:8],
        service=service,
    )
