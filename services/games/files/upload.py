"""Files that electronic boards and programs export, as the batch of moves they hold: PGN and SGF, the whole game each."""

from collections.abc import Sequence
from typing import TypeAlias

from services.games.files import pgn, sgf
from services.games.files.export import format_of, stones
from services.games.rules.boards.registry import PLACING_STEPS, PLY_STEPS, Variant
from services.games.rules.play.commands import Move
from services.games.rules.play.sheet import Sheet, SheetEntry
from shared.core.events import MovePlayed, StepTaken
from shared.core.messages import say
from shared.core.terms import Ply
from shared.http.problems import Problem

Batch: TypeAlias = tuple[Ply, tuple[Move, ...]]
"""The ply of the first move, and the moves."""


def batch(media: str, charset: str, content: bytes, variant: Variant, sheet: Sheet) -> Batch:
    """The moves of a file: from its first on, or from where a step on the sheet has put stones on the board.

    Raises `Problem`: 415 for a form that is not this game's, 422 for a file that cannot be read or holds no move, 409
    where it differs from the stones of such a step.
    """
    format = format_of(variant)
    if format is None or format.media != media:
        comes = "as no file, but in JSON" if format is None else f"as {format.media}"
        raise Problem(
            415,
            "other-media-type",
            say("Another media type is expected"),
            say("a file of {name} comes {comes}", name=variant.name, comes=comes),
        )
    dialect = format.dialect
    moves = _from_pgn(content, charset) if dialect is None else _from_sgf(content, dialect(variant.rules))
    if not moves:
        raise _unreadable("there is no move in it")
    return _after_steps(moves, sheet)


def _from_pgn(content: bytes, charset: str) -> tuple[Move, ...]:
    try:
        return tuple(Move(one.move, one.clock) for one in pgn.read(content.decode(charset)))
    except (UnicodeDecodeError, LookupError):
        raise _unreadable(f"it is not written in {charset[:40]}; the Content-Type may name another charset") from None
    except pgn.UnreadablePgn as problem:
        raise _unreadable(str(problem)) from None


def _from_sgf(content: bytes, dialect: sgf.Dialect) -> tuple[Move, ...]:
    try:
        return tuple(Move(one.move, one.clock) for one in sgf.read(content, dialect))
    except sgf.UnreadableSgf as problem:
        raise _unreadable(str(problem)) from None


def _after_steps(moves: tuple[Move, ...], sheet: Sheet) -> Batch:
    """No batch can repeat a step; its stones are compared, and the batch begins behind them."""
    before = _steps(sheet.entries)
    stand = stones(before)
    for n, (move, stone) in enumerate(zip(moves, stand, strict=False), 1):
        if move.move != stone.move:
            detail = say("stone {n} is {move} on the sheet, not {move2}", n=n, move=stone.move, move2=move.move)
            raise Problem(409, "other-move", say("The rules refuse this"), detail, see=f"/v1/games/{sheet.game}/sheet")
    if len(moves) <= len(stand):
        # All of it stands on the sheet, as its first stone does, which is a move in every game and can be sent again.
        return Ply(1), moves[:1]
    plies = sum(
        isinstance(line, MovePlayed) or (isinstance(line, StepTaken) and line.step in PLY_STEPS) for line in before
    )
    return Ply(plies + 1), moves[len(stand) :]


def _steps(lines: Sequence[SheetEntry]) -> Sequence[SheetEntry]:
    """The lines up to the last step that is a ply or places a stone."""
    steps = PLY_STEPS | PLACING_STEPS
    last = max((n for n, line in enumerate(lines, 1) if isinstance(line, StepTaken) and line.step in steps), default=0)
    return lines[:last]


def _unreadable(detail: str) -> Problem:
    return Problem(422, "unreadable-file", say("The file cannot be read"), detail)
