"""Responses of penalties: rulings, appeals, arrivals and breaks."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, UnsetType, field

from shared.core.events import Rung
from shared.core.rulebook.regulations import Rulebook
from shared.http.answers import MarkAnswer, StoredText, TournamentListAnswer, WrittenAnswer
from shared.wire.answer import Answer, Facts, said


class EffectAnswer(Answer, kw_only=True):
    """The effect of a ruling. `kind` decides which other members are present."""

    kind: str
    white: MarkAnswer | UnsetType = UNSET
    black: MarkAnswer | UnsetType = UNSET
    points: float | UnsetType = UNSET
    clock: int | UnsetType = UNSET
    rounds: Sequence[int] | UnsetType = UNSET


class ReachedRungAnswer(Answer):
    """A step of the penalty ladder that a ruling reached."""

    rule: str
    player: int
    scope: str
    count: int


RulingText = Annotated[
    str | None,
    said(
        description="The stored text in words. Null if it was erased. Absent without such a text, or unless readable."
    ),
]


class RulingAnswer(Answer, kw_only=True):
    """A ruling or an annulment. A ruling about lateness also has `late`, `counted` and `limit`.

    Only an annulment has `annuls`, `appeal`, `reason` and `retracted`. It has no infraction, player or effects.
    """

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
    reason_text: RulingText | UnsetType = UNSET
    note: StoredText | UnsetType | None = UNSET
    note_text: RulingText | UnsetType = UNSET
    standing: bool
    effective: bool
    why: str | None
    late: int | UnsetType | None = UNSET
    limit: int | UnsetType = UNSET
    counted: int | UnsetType | None = UNSET


class RulingsAnswer(TournamentListAnswer):
    """A page of the rulings."""

    rulings: Sequence[RulingAnswer]


Grounds = Annotated[
    str | None,
    said(description="Grounds in words. Null if none were given or they were erased. Absent unless readable."),
]


class AppealDecisionAnswer(Answer, kw_only=True):
    """The decision of an appeal. ``grounds`` is absent unless the caller may read erasable texts."""

    seq: Annotated[int, said(description="Sequence number of the event that decided the appeal.")]
    actor: Annotated[str, said(description="Login name of the official who decided it.")]
    role: Annotated[str, said(description="Role in which the official decided it.")]
    time: Annotated[str, said(format="date-time", description="Time of the decision (RFC 3339).")]
    upheld: bool
    article: str
    grounds: Grounds | UnsetType = UNSET


class AppealAnswer(Answer, kw_only=True):
    """An appeal and its decision. ``grounds`` is absent unless the caller may read erasable texts."""

    appeal: str
    seq: int
    ruling: str
    by: int
    actor: Annotated[
        str, said(description="Login name of the person who lodged the appeal: the player, or an official.")
    ]
    role: Annotated[str, said(description="Role in which it was lodged.")]
    time: Annotated[str, said(format="date-time", description="Time at which it was recorded (RFC 3339).")]
    lodged: str | None
    grounds: Grounds | UnsetType = UNSET
    upheld: bool | None
    article: str | None
    decision: Annotated[AppealDecisionAnswer | None, said(description="Null while the appeal is open.")]


class AppealsAnswer(TournamentListAnswer):
    """The appeals of a tournament."""

    appeals: Sequence[AppealAnswer]


class RulebookAnswer(Answer):
    """The penalty rules in force."""

    regulations: str
    rulebook: Rulebook


class AppealWrittenAnswer(WrittenAnswer):
    """The response to an appeal."""

    appeal: str


class ConsequencesAnswer(WrittenAnswer, kw_only=True):
    """The response to a command that can cause rulings."""

    brought: Sequence[str]


class RulingWrittenAnswer(ConsequencesAnswer):
    """The response to a ruling."""

    ruling: str | None


class ArrivalsWrittenAnswer(ConsequencesAnswer):
    """The response to a record of arrivals."""

    arrival: str
    arrivals: Sequence[str]


class BreakWrittenAnswer(ConsequencesAnswer):
    """The response to a record of a break."""

    break_: str = field(name="break")


class ArrivalAnswer(Answer):
    """An arrival of a player."""

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
    """A seat of a board. All members but `player` are null if no arrival is recorded."""

    player: int
    arrival: str | None
    late: int | None
    absent: bool | None
    place: str | None


class ArrivedBoardAnswer(Answer):
    """A board with the arrivals of both players."""

    board: int
    game: str
    white: SeatAnswer
    black: SeatAnswer


class _ArrivalsAnswer(TournamentListAnswer):
    arrivals: Sequence[ArrivalAnswer]


class ArrivalsAnswer(_ArrivalsAnswer, kw_only=True):
    """A page of the arrivals."""

    boards: Sequence[ArrivedBoardAnswer] | UnsetType = UNSET


class BreakAnswer(Answer):
    """A break: a player's absence from the board."""

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
    """The breaks of a game."""

    breaks: Sequence[BreakAnswer]
