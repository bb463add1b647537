"""Positions of chess as FEN, and those of chess960 by their number.

Castling rights in the letters of the rooks' files (``HAha``, Shredder-FEN) are those of chess960. ``KQkq`` are those of
kings and rooks at home.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.port.position import BadPosition, SetUp
from shared.core.language.messages import Message, and_more, say
from shared.core.rulebook.game_rules import ChessRules

if TYPE_CHECKING:
    from collections.abc import Mapping

    import chess

_BY_NUMBER = re.compile(r"chess960 (\d{1,3})", re.IGNORECASE)
_CASTLING = re.compile(r"-|(?=.)K?Q?k?q?|(?=.)[A-H]{0,2}[a-h]{0,2}")


@cache
def _faults() -> Mapping[chess.Status, Message]:
    """Return the sentence for each fault of a position."""
    import chess

    return {
        chess.Status.NO_WHITE_KING: say("the position has no white king"),
        chess.Status.NO_BLACK_KING: say("the position has no black king"),
        chess.Status.TOO_MANY_KINGS: say("too many kings"),
        chess.Status.TOO_MANY_WHITE_PAWNS: say("too many white pawns"),
        chess.Status.TOO_MANY_BLACK_PAWNS: say("too many black pawns"),
        chess.Status.PAWNS_ON_BACKRANK: say("pawns on backrank"),
        chess.Status.TOO_MANY_WHITE_PIECES: say("too many white pieces"),
        chess.Status.TOO_MANY_BLACK_PIECES: say("too many black pieces"),
        chess.Status.BAD_CASTLING_RIGHTS: say("bad castling rights"),
        chess.Status.INVALID_EP_SQUARE: say("invalid ep square"),
        chess.Status.OPPOSITE_CHECK: say("opposite check: the side not to move is in check"),
        chess.Status.EMPTY: say("empty"),
        chess.Status.TOO_MANY_CHECKERS: say("too many checkers"),
        chess.Status.IMPOSSIBLE_CHECK: say("impossible check"),
    }


def set_up(rules: ChessRules, text: str) -> SetUp | None:
    """Return the position of a FEN of 4 or 6 fields, or of ``chess960`` and a number from 0 to 959.

    Return None for the usual position. Raises `BadPosition`.
    """
    import chess

    number = _BY_NUMBER.fullmatch(text.strip())
    if number is None and len(text.split()) not in (4, 6):
        raise BadPosition(say("FEN must have 4 or 6 fields, not {fields}", fields=len(text.split())))
    position = ChessPosition(board_of(text), rules)
    return None if position.text() == chess.STARTING_FEN else SetUp(position, position.text())


def board_of(text: str) -> chess.Board:
    """Return the board of a FEN (see `read`), or of ``chess960`` and a number. Raises `BadPosition`."""
    import chess

    match = _BY_NUMBER.fullmatch(text.strip())
    if match is None:
        return read(text)
    number = int(match[1])  # Scharnagl's; 518 is the usual position
    if number > 959:
        raise BadPosition(say("the number of a chess960 position must be from 0 to 959, not {number}", number=number))
    return chess.Board.from_chess960_pos(number)


def read(fen: str) -> chess.Board:
    """Return the board of a FEN. Defaults for omitted fields: White to move, no castling, no en passant.

    Raises `BadPosition`, also for a position that no game can reach.
    """
    import chess

    fields = fen.split()
    if not 1 <= len(fields) <= 6:
        raise BadPosition(say("FEN must have 1 to 6 fields, not {fields}", fields=len(fields)))
    _check_placed(fields[0])
    for field, good, problem in zip(fields[1:], _GOOD, _PROBLEMS, strict=False):
        if not good.fullmatch(field):
            raise BadPosition(Message(problem.text, {"field": field[:20]}))
    rights = fields[2] if len(fields) > 2 else "-"
    board = chess.Board(" ".join(fields), chess960=bool(set(rights) & set("ABCDEFGHabcdefgh")))
    status = board.status()
    if status != chess.STATUS_VALID:
        raise BadPosition(
            and_more([words for fault, words in _faults().items() if fault & status], 20), impossible=True
        )
    return board


_GOOD = (
    re.compile("[wb]"),
    _CASTLING,
    re.compile("-|[a-h][36]"),
    re.compile(r"\d{1,4}", re.ASCII),
    re.compile(r"\d{1,4}", re.ASCII),
)
_PROBLEMS = (
    say("the side to move must be w or b, not {field}", field=""),
    say("castling rights must be like KQkq, or files like HAha, or -, not {field}", field=""),
    say("the square of a capture in passing must be like e3, or -, not {field}", field=""),
    say("the half-move clock must be a whole number, not {field}", field=""),
    say("the move number must be a whole number, not {field}", field=""),
)


def _check_placed(placed: str) -> None:
    ranks = placed.split("/")
    if len(ranks) != 8:
        raise BadPosition(say("a chess position must have eight ranks, not {ranks}", ranks=len(ranks)))
    for rank, text in zip(range(8, 0, -1), ranks, strict=True):
        count = 0
        for n, letter in enumerate(text):
            if letter in "12345678" and not (n and text[n - 1] in "12345678"):
                count += int(letter)
            elif letter in "PNBRQKpnbrqk":
                count += 1
            else:
                raise BadPosition(say("{letter} on rank {rank} is not a piece", letter=letter, rank=rank))
        if count != 8:
            detail = say("rank {rank} has {count} squares, not 8: {row}", rank=rank, count=count, row=text[:20])
            raise BadPosition(detail)
