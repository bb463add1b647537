"""What standings says."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import TextRef


@dataclass(frozen=True, slots=True)
class StandingsPublished(Official):
    """A table as published. ``digest`` (hex) and ``checkpoint`` (signed note) are filled in by the desk.

    ``order``: where who goes on follows from the table (groups), everybody of it from the first on, who share a place
    together; else empty.
    """

    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool
    digest: str = ""
    checkpoint: str = ""
    order: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckpointRestarted(Official):
    """Checkpoints of this log begin anew: it does not continue the one of ``size`` lines and ``root`` (hex) signed before."""

    size: int
    root: str
    reason: TextRef


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record of a report file: its ``code``, how many players' lines stood before it, and the ``line``; None: a blank one.
    Of a player (001) it is the starting number and the rounds alone."""

    code: str
    after: int
    line: TextRef | None = None


@dataclass(frozen=True, slots=True)
class ReportFileKept(Official):
    """Records of the report file (TRF) that a tournament was imported from, in their order, which no other event says: they
    decide nothing, and exports have them. Several events are one file's."""

    records: tuple[KeptRecord, ...]
