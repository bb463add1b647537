"""What penalties answers: rulings, appeals, arrivals and breaks."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType, field

from shared.core.events import Rung
from shared.core.rulebook.regulations import Rulebook
from shared.http.answers import (
    Answer,
    Facts,
    MarkAnswer,
    StoredText,
    TournamentListAnswer,
    WrittenAnswer,
)


class EffectAnswer(Answer, kw_only=True):
    """An effect with its kind's own members: marks, points, seconds on the clock, rounds."""

    kind: str
    white: MarkAnswer | UnsetType = UNSET
    black: MarkAnswer | UnsetType = UNSET
    points: float | UnsetType = UNSET
    clock: int | UnsetType = UNSET
    rounds: Sequence[int] | UnsetType = UNSET


class ReachedRungAnswer(Answer):
    """The rung of the ladder that a ruling is: whose, counted within what, at which count."""

    rule: str
    player: int
    scope: str
    count: int


class RulingAnswer(Answer, kw_only=True):
    """A ruling, or an annulment (``annuls``, ``appeal``, ``retracted``, ``reason`` in place of what a ruling has).

    ``standing``: not taken away; ``effective``: standing and the first of its rung; ``why`` says why not. ``player`` null: a
    decision on a game that nobody is accused for. Of a lateness ``late`` (seconds; null: did not come), those that are
    ``counted``, and the ``limit``."""

    ruling: str
    seq: int
    role: str
    actor: str
    player: int | UnsetType | None = UNSET
    round: int | UnsetType | None = UNSET
    game: str | UnsetType | None = UNSET
    infraction: str | UnsetType = UNSET
    annuls: str | UnsetType = UNSET
    article: str
    appeal: str | UnsetType | None = UNSET
    retracted: bool | UnsetType = UNSET
    reason: StoredText | UnsetType | None = UNSET
    counter: str | UnsetType | None = UNSET
    effect: EffectAnswer | UnsetType = UNSET
    ply: int | UnsetType | None = UNSET
    facts: Facts | UnsetType = UNSET
    because: Sequence[str] | UnsetType = UNSET
    arrival: str | UnsetType | None = UNSET
    breaks: Sequence[str] | UnsetType = UNSET
    rung: Annotated[Rung, ReachedRungAnswer] | UnsetType | None = UNSET
    finding: str | UnsetType | None = UNSET
    note: StoredText | UnsetType | None = UNSET
    standing: bool
    effective: bool
    why: str | None
    late: int | UnsetType | None = UNSET
    limit: int | UnsetType = UNSET
    counted: int | UnsetType | None = UNSET


class RulingsAnswer(TournamentListAnswer):
    rulings: Sequence[RulingAnswer]


class AppealAnswer(Answer):
    """``lodged``: RFC 3339, null in logs from before it was noted; ``upheld`` and ``article`` null: not decided."""

    appeal: str
    seq: int
    ruling: str
    by: int
    lodged: str | None
    upheld: bool | None
    article: str | None


class AppealsAnswer(TournamentListAnswer):
    appeals: Sequence[AppealAnswer]


class RulebookAnswer(Answer):
    """The rulebook of the set in force, as the log has it."""

    regulations: str
    rulebook: Rulebook


class AppealWrittenAnswer(WrittenAnswer):
    appeal: str


class ConsequencesAnswer(WrittenAnswer, kw_only=True):
    """``brought``: as ``rulings``."""

    brought: Sequence[str]


class RulingWrittenAnswer(ConsequencesAnswer):
    """``ruling``: the first that was written; ``brought``: those that followed from it."""

    ruling: str | None


class ArrivalsWrittenAnswer(ConsequencesAnswer):
    """``arrival``: the first of ``arrivals``."""

    arrival: str
    arrivals: Sequence[str]


class BreakWrittenAnswer(ConsequencesAnswer):
    break_: str = field(name="break")


class ArrivalAnswer(Answer):
    """An arrival: ``late`` seconds (null: absent), of which so many are ``counted`` against the limit, from his ``turn`` where
    lateness counts from then. ``corrected_by``: what is in force instead; ``rulings`` are those that follow from it."""

    arrival: str
    seq: int
    player: int
    round: int | None
    board: int | None
    game: str
    late: int | None
    absent: bool
    place: str
    turn: int | None
    counted: int | None
    in_force: bool
    corrects: str | None
    corrected_by: str | None
    reason: StoredText | None
    rulings: Sequence[str]


class SeatAnswer(Answer):
    """A seat; ``arrival`` null: nobody is noted yet."""

    player: int
    arrival: str | None
    late: int | None
    absent: bool | None
    place: str | None


class ArrivedBoardAnswer(Answer):
    board: int
    game: str
    white: SeatAnswer
    black: SeatAnswer


class _ArrivalsAnswer(TournamentListAnswer):
    arrivals: Sequence[ArrivalAnswer]


class ArrivalsAnswer(_ArrivalsAnswer, kw_only=True):
    """``boards``: of the round that is asked for, each with who is there and who is not noted yet."""

    boards: Sequence[ArrivedBoardAnswer] | UnsetType = UNSET


class BreakAnswer(Answer):
    """A break: ``seconds`` away (null: there was none); the rest as of an arrival."""

    break_: str = field(name="break")
    seq: int
    player: int
    game: str
    seconds: int | None
    in_force: bool
    corrects: str | None
    corrected_by: str | None
    reason: StoredText | None
    rulings: Sequence[str]


class BreaksAnswer(TournamentListAnswer):
    breaks: Sequence[BreakAnswer]
