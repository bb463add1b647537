"""The events of standings."""

from dataclasses import dataclass

from shared.core.events.event import Official
from shared.core.terms import TextRef


@dataclass(frozen=True, slots=True)
class StandingsPublished(Official):
    """A published table. The command handler fills in ``digest`` (hex) and ``checkpoint`` (signed note).

    ``order``: if the table decides who qualifies (groups), all of its sides from the first on, with shared places together;
    else empty.
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
    """Checkpoints of this log restart: it does not continue the one signed before, of ``size`` events and ``root`` (hex)."""

    size: int
    root: str
    reason: TextRef


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record of a report file: its ``code``, and its ``line`` (None: blank). ``after``: the number of player records before it.

    A player record (001) is kept as its starting number and its rounds only.
    """

    code: str
    after: int
    line: TextRef | None = None


@dataclass(frozen=True, slots=True)
class ReportFileKept(Official):
    """Records of the report file (TRF) that a tournament was imported from, in order, if no other event contains them.

    They decide nothing, and exports contain them. One file may need several events.
    """

    records: tuple[KeptRecord, ...]
