"""The events of standings."""

from dataclasses import dataclass
from typing import Annotated

from shared.core.events.event import Official
from shared.core.terms import TextRef
from shared.core.values.bounds import (
    DIGEST,
    NOTE,
    RECORD_CODE,
    SEQ,
    TIEBREAK,
    TIEBREAKS,
    Count,
    Hash,
    NumberOrNobody,
    RoundNumber,
    Slug,
)


@dataclass(frozen=True, slots=True)
class StandingsPublished(Official):
    """A published table. The server fills in ``digest`` (hex) and ``checkpoint`` (signed note).

    ``order``: if the table decides who qualifies (groups), all of its sides from the first on, with shared places together;
    else empty.
    """

    tiebreaks: Annotated[tuple[Annotated[str, TIEBREAK], ...], TIEBREAKS]
    rules: Slug
    round: RoundNumber
    final: bool
    digest: Annotated[str, DIGEST] = ""
    checkpoint: Annotated[str, NOTE] = ""
    order: tuple[tuple[NumberOrNobody, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class CheckpointRestarted(Official):
    """Checkpoints of this log restart: it does not continue the one signed before, of ``size`` events and ``root`` (hex)."""

    size: Annotated[int, SEQ]
    root: Hash
    reason: TextRef


@dataclass(frozen=True, slots=True)
class KeptRecord:
    """A record of a report file: its ``code``, and its ``line`` (None: blank). ``after``: the number of player records before it.

    A player record (001) is kept as its starting number and its rounds only.
    """

    code: Annotated[str, RECORD_CODE]
    after: Count
    line: TextRef | None = None


@dataclass(frozen=True, slots=True)
class ReportFileKept(Official):
    """Records of the report file (TRF) that a tournament was imported from, in order, if no other event contains them.

    They decide nothing, and exports contain them. One file may need several events.
    """

    records: tuple[KeptRecord, ...]
