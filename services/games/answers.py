"""Responses of games: games and their sheets, claims, results, outcomes of commands."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from services.games.judge_answers import JUDGED
from services.games.schemas import QUESTIONS_AT_MOST
from shared.core.readings.claims import ClaimState
from shared.core.rulebook.game_rules import Settling
from shared.http.answers import LogLine, MarkAnswer, TournamentListAnswer, WrittenAnswer
from shared.wire.answer import Answer, said

Pieces = Annotated[str, said(enum=["white", "black", "red", "first", "second"])]
"""Name of the pieces of a seat. ``first`` and ``second`` are for games without rules in Arbiter."""

Status = Literal["paired", "playing", "decided", "withdrawn"]


class GameWrittenAnswer(WrittenAnswer):
    """The response to a command on a score sheet."""

    game: str


class FileDifferenceAnswer(Answer, kw_only=True):
    """A value of a game file that differs from the tournament. The tournament's value counts."""

    name: str
    file: str
    here: str
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET
    byte: int | UnsetType = UNSET


class FileReadAnswer(Answer):
    """The contents of a game file. Its comments are stored."""

    moves: int
    result: str | None
    differs: Sequence[FileDifferenceAnswer]


class MovesWrittenAnswer(GameWrittenAnswer, kw_only=True):
    """The response to a record of moves."""

    file: FileReadAnswer | UnsetType = UNSET


class ResultAnswer(Answer, kw_only=True):
    """The result of a board."""

    board: int
    game: str
    white: MarkAnswer
    black: MarkAnswer
    beneath: str | UnsetType | None = UNSET


class ResultsWrittenAnswer(WrittenAnswer):
    """The response to a report or correction of results."""

    round: int
    results: Sequence[ResultAnswer]


class StatementAnswer(WrittenAnswer):
    """The response to a player's statement of a result. ``reported``: both players have stated it, so it counts."""

    game: str
    player: int
    white: Annotated[MarkAnswer, said(description="White's result as stated.")]
    black: Annotated[MarkAnswer, said(description="Black's result as stated.")]
    reported: Annotated[bool, said(description="True if both players have stated this result, which is then reported.")]


class CallAnswer(WrittenAnswer):
    """The response to a call of an arbiter."""

    game: str
    open: Annotated[bool, said(description="True while the call waits for an arbiter.")]


class ClocksAnswer(Answer):
    """Times on both clocks, in seconds."""

    white: int | None
    black: int | None


class ClaimDecisionAnswer(GameWrittenAnswer):
    """The decision of a claim."""

    claim: str | None
    state: Literal["upheld", "denied", "pending"]
    article: str | None
    grounds: str
    due: Sequence[str]
    clocks: ClocksAnswer


class ArbiterClaimAnswer(Answer):
    """A claim that an arbiter decides."""

    claim: str
    game: str
    kind: str
    ply: int
    side: str
    player: int
    accused: int | None
    article: str
    move: str | None
    squares: Sequence[str]
    state: ClaimState
    seq: int


class ClaimsAnswer(TournamentListAnswer):
    """The claims of a tournament that an arbiter decides."""

    claims: Sequence[ArbiterClaimAnswer]


class StepAnswer(Answer):
    """A step that is not a move."""

    ply: int
    side: str
    step: str
    values: Sequence[str]


class GameResultAnswer(Answer):
    """The result of a game as it counts now."""

    notation: str | None
    white: MarkAnswer
    black: MarkAnswer
    seq: int


class ClockPartsAnswer(Answer):
    """The parts of the time on a clock, in seconds."""

    reading: int | None
    lateness: int
    rulings: int
    given_back: int


class PartsOfClocksAnswer(Answer):
    """The parts of the times on both clocks."""

    white: ClockPartsAnswer
    black: ClockPartsAnswer


class ByoYomiAnswer(Answer):
    """Byo-yomi periods that each side has left, including the one in use."""

    white: int
    black: int


class ColoursAnswer(Answer):
    """The colours at a board. They are null until the guess, swap or prediction in `settled_by` decides them."""

    white: Pieces | None
    black: Pieces | None
    first: Literal["white", "black"] | None
    settled_by: Settling | None


class GameAnswer(Answer):
    """A game: its players, state, moves and result. Members about moves are null if only results are reported."""

    game: str
    tournament: str
    round: int
    board: int
    white: int
    black: int
    status: Status
    result: GameResultAnswer | None
    ruling: str | None
    kind: Annotated[str | None, said(deprecated=True, description="Deprecated: use `discipline`.")]
    discipline: str | None
    ply: int
    moves: Sequence[str]
    steps: Sequence[StepAnswer]
    to_move: str | None
    start: str | None
    fen: str | None
    facts: Mapping[str, str]
    colours: ColoursAnswer
    clocks: ClocksAnswer
    clock_parts: PartsOfClocksAnswer | None
    byo_yomi: ByoYomiAnswer | None
    offer: str | None
    must_play: str | None
    due: Sequence[str]
    adjourned: str | None
    claims: Sequence[ArbiterClaimAnswer]
    seq: int


class MoveAnswer(Answer):
    """A move."""

    ply: int
    move: str
    clock: int | None


class SheetClaimAnswer(Answer, kw_only=True):
    """A claim on a score sheet, as it was made or as it was decided."""

    ply: int
    claim: str
    id: str | None
    side: str | UnsetType | None = UNSET
    move: str | UnsetType | None = UNSET
    squares: Sequence[str] | UnsetType = UNSET
    state: ClaimState | UnsetType = UNSET
    upheld: bool | UnsetType = UNSET
    article: str | UnsetType | None = UNSET
    grounds: str | UnsetType = UNSET
    due: Sequence[str] | UnsetType = UNSET


class SheetAnswer(Answer):
    """A score sheet."""

    game: str
    lines: int
    sha256: str
    moves: Sequence[MoveAnswer]
    steps: Sequence[StepAnswer]
    claims: Sequence[SheetClaimAnswer]
    offer: str | None
    seq: int


class QuestionProblemAnswer(Answer, kw_only=True):
    """Why a question cannot be answered."""

    type: str
    title: str
    detail: str | UnsetType | None = UNSET
    where: str | UnsetType | None = UNSET
    article: str | UnsetType | None = UNSET


class VerdictAnswer(Answer, kw_only=True):
    """The answer to a question, or an error."""

    id: Any
    answer: Annotated[Any, said(anyOf=[*dict.fromkeys(JUDGED.values())])] | UnsetType = UNSET
    error: QuestionProblemAnswer | UnsetType = UNSET


class VerdictsAnswer(Answer):
    """A verdict, or one for each question of a list."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "oneOf": [VerdictAnswer, {"type": "array", "items": VerdictAnswer, "maxItems": QUESTIONS_AT_MOST}]
    }


class CommandLineAnswer(Answer):
    """An event of a command."""

    seq: int
    command: Annotated[str, said(description="ID of the command that wrote the event.")]
    event: LogLine


class SheetLinesAnswer(Answer):
    """The events that a command wrote on a score sheet."""

    game: str
    lines: Sequence[int]
    sheet: Annotated[str, said(description="Address of the score sheet.")]


class CommandAnswer(Answer):
    """The outcome of a command."""

    tournament: str
    command: str
    seq: int
    events: Sequence[CommandLineAnswer]
    sheets: Sequence[SheetLinesAnswer]
    rulings: Sequence[str]
    open: int
