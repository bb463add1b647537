"""What games answers: games and their sheets, claims, results, what came of a command."""

from typing import Any, ClassVar, get_args

from marshmallow import fields, validate

from services.games.judge_answers import JUDGED
from services.games.schemas import QUESTIONS_AT_MOST
from shared.core.readings.claims import ClaimState
from shared.core.rulebook.game_rules import Settling
from shared.http.openapi.answers import (
    OPTIONAL,
    Answer,
    AnyOf,
    EventAnswer,
    MarkAnswer,
    TournamentListAnswer,
    WrittenAnswer,
)

_PIECES = ("white", "black", "red", "first", "second")
"""What the pieces of a seat are called; ``first`` and ``second`` in a game without rules of ours."""


class GameWrittenAnswer(WrittenAnswer):
    game = fields.String()


class FileDifferenceAnswer(Answer):
    """What a file says of the game otherwise than the tournament, which stays right; ``name`` as PGN or SGF has it. Where it
    stands: ``line`` and ``column``, or in a binary file the ``byte``."""

    name = fields.String()
    file = fields.String()
    here = fields.String()
    line = fields.Integer(metadata=OPTIONAL)
    column = fields.Integer(metadata=OPTIONAL)
    byte = fields.Integer(metadata=OPTIONAL)


class FileReadAnswer(Answer):
    """What was read of a file: how many moves, the ``result`` that it states, and where it says otherwise than the
    tournament. What stands beside the moves is kept, and is in the sheet's own file."""

    moves = fields.Integer()
    result = fields.String(allow_none=True)
    differs = fields.List(fields.Nested(FileDifferenceAnswer))


class MovesWrittenAnswer(GameWrittenAnswer):
    """``file``: of the file that the moves came in."""

    file = fields.Nested(FileReadAnswer, metadata=OPTIONAL)


class ResultAnswer(Answer):
    """A board's result; ``beneath``: of a correction, the ruling that it waits under."""

    board = fields.Integer()
    game = fields.String()
    white = fields.Nested(MarkAnswer)
    black = fields.Nested(MarkAnswer)
    beneath = fields.String(allow_none=True, metadata=OPTIONAL)


class ResultsWrittenAnswer(WrittenAnswer):
    round = fields.Integer()
    results = fields.List(fields.Nested(ResultAnswer))


class ClocksAnswer(Answer):
    """Seconds; null: unchanged, or not known."""

    white = fields.Integer(allow_none=True)
    black = fields.Integer(allow_none=True)


class ClaimDecisionAnswer(GameWrittenAnswer):
    """``claim``: its id on the game's sheet. ``due``: the moves one of which must be played now; none: any. ``clocks``: what
    they are to be set to."""

    claim = fields.String(allow_none=True)
    state = fields.String(validate=validate.OneOf(("upheld", "denied", "pending")))
    article = fields.String(allow_none=True)
    grounds = fields.String()
    due = fields.List(fields.String())
    clocks = fields.Nested(ClocksAnswer)


class ArbiterClaimAnswer(Answer):
    """A claim that waited for an arbiter. ``kind``: what is claimed; ``player`` claims that ``accused`` did it. ``accused``
    null: the claim is about the position and accuses nobody."""

    claim = fields.String()
    game = fields.String()
    kind = fields.String()
    ply = fields.Integer()
    side = fields.String()
    player = fields.Integer()
    accused = fields.Integer(allow_none=True)
    article = fields.String()
    move = fields.String(allow_none=True)
    squares = fields.List(fields.String())
    state = fields.String(validate=validate.OneOf(get_args(ClaimState)))
    seq = fields.Integer()


class ClaimsAnswer(TournamentListAnswer):
    claims = fields.List(fields.Nested(ArbiterClaimAnswer))


class StepAnswer(Answer):
    ply = fields.Integer()
    side = fields.String()
    step = fields.String()
    values = fields.List(fields.String())


class GameResultAnswer(Answer):
    """The result as it counts now, and the line that set it."""

    notation = fields.String(allow_none=True)
    white = fields.Nested(MarkAnswer)
    black = fields.Nested(MarkAnswer)
    seq = fields.Integer()


class ClockPartsAnswer(Answer):
    """What a clock is made of, in seconds."""

    reading = fields.Integer(allow_none=True)
    lateness = fields.Integer()
    rulings = fields.Integer()
    given_back = fields.Integer()


class PartsOfClocksAnswer(Answer):
    white = fields.Nested(ClockPartsAnswer)
    black = fields.Nested(ClockPartsAnswer)


class ByoYomiAnswer(Answer):
    """The periods of byo-yomi that each side has left, with the one that runs."""

    white = fields.Integer()
    black = fields.Integer()


class ColoursAnswer(Answer):
    """The colours at a board: the pieces that the ``white`` seat and the ``black`` seat of the pairing hold now, and the seat
    that moves ``first``. They are null until the guess, swap or prediction in ``settled_by`` has given them."""

    white = fields.String(allow_none=True, validate=validate.OneOf(_PIECES))
    black = fields.String(allow_none=True, validate=validate.OneOf(_PIECES))
    first = fields.String(allow_none=True, validate=validate.OneOf(("white", "black")))
    settled_by = fields.String(allow_none=True, validate=validate.OneOf(get_args(Settling)))


class GameAnswer(Answer):
    """A game: its seats, state and result, and what its sheet says.

    What only a game with moves has is null in others. ``start``: the position that it began from; ``facts`` are the
    position's own, by game; ``due`` the moves one of which must be played.
    """

    game = fields.String()
    tournament = fields.String()
    round = fields.Integer()
    board = fields.Integer()
    white = fields.Integer()
    black = fields.Integer()
    status = fields.String(validate=validate.OneOf(("paired", "playing", "decided", "withdrawn")))
    result = fields.Nested(GameResultAnswer, allow_none=True)
    ruling = fields.String(allow_none=True)
    kind = fields.String(allow_none=True)
    start = fields.String(allow_none=True)
    ply = fields.Integer()
    moves = fields.List(fields.String())
    steps = fields.List(fields.Nested(StepAnswer))
    to_move = fields.String(allow_none=True)
    fen = fields.String(allow_none=True)
    facts = fields.Dict(keys=fields.String(), values=fields.String())
    colours = fields.Nested(ColoursAnswer)
    clocks = fields.Nested(ClocksAnswer)
    clock_parts = fields.Nested(PartsOfClocksAnswer, allow_none=True)
    byo_yomi = fields.Nested(ByoYomiAnswer, allow_none=True)
    offer = fields.String(allow_none=True)
    must_play = fields.String(allow_none=True)
    due = fields.List(fields.String())
    adjourned = fields.String(allow_none=True)
    claims = fields.List(fields.Nested(ArbiterClaimAnswer))
    seq = fields.Integer()


class MoveAnswer(Answer):
    ply = fields.Integer()
    move = fields.String()
    clock = fields.Integer(allow_none=True)


class SheetClaimAnswer(Answer):
    """A claim as it was made (``side``, ``move``, ``squares``, ``state``), or as it was decided (``upheld`` and why)."""

    ply = fields.Integer()
    claim = fields.String()
    id = fields.String(allow_none=True)
    side = fields.String(allow_none=True, metadata=OPTIONAL)
    move = fields.String(allow_none=True, metadata=OPTIONAL)
    squares = fields.List(fields.String(), metadata=OPTIONAL)
    state = fields.String(validate=validate.OneOf(get_args(ClaimState)), metadata=OPTIONAL)
    upheld = fields.Boolean(metadata=OPTIONAL)
    article = fields.String(allow_none=True, metadata=OPTIONAL)
    grounds = fields.String(metadata=OPTIONAL)
    due = fields.List(fields.String(), metadata=OPTIONAL)


class SheetAnswer(Answer):
    """A score sheet: how many ``lines`` it has, their digest, and the moves that count."""

    game = fields.String()
    lines = fields.Integer()
    sha256 = fields.String()
    moves = fields.List(fields.Nested(MoveAnswer))
    steps = fields.List(fields.Nested(StepAnswer))
    claims = fields.List(fields.Nested(SheetClaimAnswer))
    offer = fields.String(allow_none=True)
    seq = fields.Integer()


class QuestionProblemAnswer(Answer):
    """Why a question has no answer."""

    type = fields.String()
    title = fields.String()
    detail = fields.String(allow_none=True, metadata=OPTIONAL)
    where = fields.String(allow_none=True, metadata=OPTIONAL)
    article = fields.String(allow_none=True, metadata=OPTIONAL)


class VerdictAnswer(Answer):
    """``id`` as it was sent; ``answer`` has the members that its game's question asks for, ``error`` stands where it has none."""

    id = fields.Raw(allow_none=True)
    answer = AnyOf(tuple(dict.fromkeys(JUDGED.values())), metadata=OPTIONAL)
    error = fields.Nested(QuestionProblemAnswer, metadata=OPTIONAL)


class VerdictsAnswer(Answer):
    """A verdict, or one for each question of a list."""

    OPENAPI: ClassVar[dict[str, Any]] = {
        "oneOf": [VerdictAnswer, {"type": "array", "items": VerdictAnswer, "maxItems": QUESTIONS_AT_MOST}]
    }


class CommandLineAnswer(Answer):
    seq = fields.Integer()
    command = fields.String(metadata={"description": "the causation id of the command that wrote it"})
    event = fields.Nested(EventAnswer)


class SheetLinesAnswer(Answer):
    game = fields.String()
    lines = fields.List(fields.Integer())
    sheet = fields.String(metadata={"description": "where the sheet is"})


class CommandAnswer(Answer):
    """What came of a command: official lines, the lines of its own on a sheet, the rulings that it brought, and how many
    commands are due of it and not decided yet (``open``)."""

    tournament = fields.String()
    command = fields.String()
    seq = fields.Integer()
    events = fields.List(fields.Nested(CommandLineAnswer))
    sheets = fields.List(fields.Nested(SheetLinesAnswer))
    rulings = fields.List(fields.String())
    open = fields.Integer()
