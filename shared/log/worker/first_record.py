"""How a tournament begins in the log: with an announcement that this house's pairing signed."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from shared.core.merkle import leaf_hash
from shared.core.service_keys import ServiceKey
from shared.core.terms import PAIRING, service_of
from shared.log.worker.acceptance import Place
from shared.signing.log_keys import announces
from shared.signing.records import holds
from shared.wire.signature import signed_bytes

Keys = Callable[[], Collection[ServiceKey]]
"""Pairing's public keys as they are configured now, former ones that still count among them."""


class Beginning(NamedTuple):
    """Why the first record of a tournament does not begin it: ``no line`` may stand there, or its tournament ``stops``."""

    kind: Literal["no line", "stops"]
    why: str


class Beginnings:
    """Knows pairing's keys from the service's own configuration: who can write to a topic signs with none of them, and an
    announcement of an older version, which bears no signature, is what he would write. ``known``: stream → the leaf hash of
    the first line that was taken before, of those that were not stopped there."""

    def __init__(self, keys: Keys, known: Mapping[str, bytes] | None = None) -> None:
        self._keys, self._known = keys, known or {}

    def why_not(self, place: Place, lines: Sequence[bytes]) -> Beginning | None:
        """Why this record, the first of its stream, does not begin a tournament; None where it does."""
        if self._known and self._known.get(place.stream) == leaf_hash(lines[0]):
            return None
        if place.source != PAIRING or not announces(lines[0]):
            return Beginning("no line", "lines of a tournament that nobody has announced")
        if any(holds(lines, key) for key in self._keys()):
            return None
        signed = signed_bytes(lines)[1]
        by = f"signed by a key ({signed[:8]}) that is not among" if signed else "not signed by any of"
        return Beginning("stops", f"an announcement {by} the keys of {service_of(PAIRING)} that are configured")
