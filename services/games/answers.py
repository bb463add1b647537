"""What games answers: games and their sheets, claims, results, what came of a command."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from services.games.judge_answers import JUDGED
from services.games.schemas import QUESTIONS_AT_MOST
from shared.core.readings.claims import ClaimState
from shared.core.rulebook.game_rules import Settling
from shared.http.answers import (
    Answer,
    LogLine,
    MarkAnswer,
    TournamentListAnswer,
    WrittenAnswer,
    said,
)

Pieces = Annotated[str, said(enum=["white", "black", "red", "first", "second"])]
"""What the pieces of a seat are called; ``first`` and ``second`` in a game without rules of ours."""

Status = Literal["paired", "playing", "decided", "withdrawn"]


class GameWrittenAnswer(WrittenAnswer):
    game: str


class FileDifferenceAnswer(Answer, kw_only=True):
    """What a file says of the game otherwise than the tournament, which stays right; ``name`` as PGN or SGF has it. Where it
    stands: ``line`` and ``column``, or in a binary file the ``byte``."""

    name: str
    file: str
    here: str
    line: int | UnsetType = UNSET
    column: int | UnsetType = UNSET
    byte: int | UnsetType = UNSET


class FileReadAnswer(Answer):
    """What was read of a file: how many moves, the ``result`` that it states, and where it says otherwise than the
    tournament. What stands beside the moves is kept, and is in the sheet's own file."""

    moves: int
    result: str | None
    differs: Sequence[FileDifferenceAnswer]


class MovesWrittenAnswer(GameWrittenAnswer, kw_only=True):
    """``file``: of the file that the moves came in."""

    file: FileReadAnswer | UnsetType = UNSET


class ResultAnswer(Answer, kw_only=True):
    """A board's result; ``beneath``: of a correction, the ruling that it waits under."""

    board: int
    game: str
    white: MarkAnswer
    black: MarkAnswer
    beneath: str | UnsetType | None = UNSET


class ResultsWrittenAnswer(WrittenAnswer):
    round: int
    results: Sequence[ResultAnswer]


class ClocksAnswer(Answer):
    """Seconds; null: unchanged, or not known."""

    white: int | None
    black: int | None


class ClaimDecisionAnswer(GameWrittenAnswer):
    """``claim``: its id on the game's sheet. ``due``: the moves one of which must be played now; none: any. ``clocks``: what
    they are to be set to."""

    claim: str | None
    state: Literal["upheld", "denied", "pending"]
    article: str | None
    grounds: str
    due: Sequence[str]
    clocks: ClocksAnswer


class ArbiterClaimAnswer(Answer):
    """A claim that waited for an arbiter. ``kind``: what is claimed; ``player`` claims that ``accused`` did it. ``accused``
    null: the claim is about the position and accuses nobody."""

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
    claims: Sequence[ArbiterClaimAnswer]


class StepAnswer(Answer):
    ply: int
    side: str
    step: str
    values: Sequence[str]


class GameResultAnswer(Answer):
    """The result as it counts now, and the line that set it."""

    notation: str | None
    white: MarkAnswer
    black: MarkAnswer
    seq: int


class ClockPartsAnswer(Answer):
    """What a clock is made of, in seconds."""

    reading: int | None
    lateness: int
    rulings: int
    given_back: int


class PartsOfClocksAnswer(Answer):
    white: ClockPartsAnswer
    black: ClockPartsAnswer


class ByoYomiAnswer(Answer):
    """The periods of byo-yomi that each side has left, with the one that runs."""

    white: int
    black: int


class ColoursAnswer(Answer):
    """The colours at a board: the pieces that the ``white`` seat and the ``black`` seat of the pairing hold now, and the seat
    that moves ``first``. They are null until the guess, swap or prediction in ``settled_by`` has given them."""

    white: Pieces | None
    black: Pieces | None
    first: Literal["white", "black"] | None
    settled_by: Settling | None


class GameAnswer(Answer):
    """A game: its seats, state and result, and what its sheet says.

    What only a game with moves has is null in others. ``start``: the position that it began from; ``facts`` are the
    position's own, by game; ``due`` the moves one of which must be played.
    """

    game: str
    tournament: str
    round: int
    board: int
    white: int
    black: int
    status: Status
    result: GameResultAnswer | None
    ruling: str | None
    kind: str | None
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
    ply: int
    move: str
    clock: int | None


class SheetClaimAnswer(Answer, kw_only=True):
    """A claim as it was made (``side``, ``move``, ``squares``, ``state``), or as it was decided (``upheld`` and why)."""

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
    """A score sheet: how many ``lines`` it has, their digest, and the moves that count."""

    game: str
    lines: int
    sha256: str
    moves: Sequence[MoveAnswer]
    steps: Sequence[StepAnswer]
    claims: Sequence[SheetClaimAnswer]
    offer: str | None
    seq: int


class QuestionProblemAnswer(Answer, kw_only=True):
    """Why a question has no answer."""

    type: str
    title: str
    detail: str | UnsetType | None = UNSET
    where: str | UnsetType | None = UNSET
    article: str | UnsetType | None = UNSET


class VerdictAnswer(Answer, kw_only=True):
    """``id`` as it was sent; ``answer`` has the members that its game's question asks for, ``error`` stands where it has none."""

    id: Any
    answer: Annotated[Any, said(anyOf=[*dict.fromkeys(JUDGED.values())])] | UnsetType = UNSET
    error: QuestionProblemAnswer | UnsetType = UNSET


class VerdictsAnswer(Answer):
    """A verdict, or one for each question of a list."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "oneOf": [VerdictAnswer, {"type": "array", "items": VerdictAnswer, "maxItems": QUESTIONS_AT_MOST}]
    }


class CommandLineAnswer(Answer):
    seq: int
    command: Annotated[str, said(description="the causation id of the command that wrote it")]
    event: LogLine


class SheetLinesAnswer(Answer):
    game: str
    lines: Sequence[int]
    sheet: Annotated[str, said(description="where the sheet is")]


class CommandAnswer(Answer):
    """What came of a command: official lines, the lines of its own on a sheet, the rulings that it brought, and how many
    commands are due of it and not decided yet (``open``)."""

    tournament: str
    command: str
    seq: int
    events: Sequence[CommandLineAnswer]
    sheets: Sequence[SheetLinesAnswer]
    rulings: Sequence[str]
    open: int
