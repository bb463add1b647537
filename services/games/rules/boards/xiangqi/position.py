"""Xiangqi 中国象棋 for the score sheets: legality, natural ends, and the sides that can still win.

Articles: 002-X is 象棋竞赛规则 of 1999; 000-A is the campus event's text, chapter 中国象棋规则.
"""

from typing import Self

from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, Position, illegal
from services.games.rules.boards.port.touch_move import Option
from services.games.rules.boards.xiangqi import fen, notation
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import (
    ADVISOR,
    BLACK,
    CANNON,
    COLOURS,
    ELEPHANT,
    KING,
    NAMES,
    RED,
    move_name,
)
from shared.core.language.messages import say
from shared.core.state.grounds import ground
from shared.core.terms import Side

MATE = "002-X 3.1, 4.1.1; 000-A 2.1"
STALEMATE = "002-X 3.2, 4.1.3; 000-A 2.3"
FACING = "002-X 2.2, 4.1.2; 000-A 2.2"
CHECKED = "002-X 3.1, 4.1.6; 000-A 2.5"
ILLEGAL = "002-X 2.2, 2.3, 4.1.6; 000-A 2.5"
UNREAD = "002-X 7.5"


class XiangqiPosition(Position):
    """A position. Moves are kept in ICCS and read in ICCS or Chinese. Red 红 is White."""

    __slots__ = ("_number", "_start", "board")

    def __init__(self, board: Board | None = None, number: int = 1) -> None:
        self.board = fen.read(fen.START)[0] if board is None else board
        self._number = number
        self._start = self.board.fork()

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy.board, copy._number, copy._start = self.board.fork(), self._number, self._start
        return copy

    def start(self) -> Board:
        """Return the board before the first move."""
        return self._start.fork()

    def to_move(self) -> Side:
        return COLOURS[self.board.turn]

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a move. An ambiguous text is refused, with its possible meanings."""
        code = notation.read(self.board, move)
        if isinstance(code, notation.UnreadableMove):
            reason = code.reason
            if code.candidates:
                reason = say("{reason}: {candidates}", reason=reason, candidates=tuple(code.candidates))
            return IllegalMove(reason, UNREAD)
        fault = find_fault(self.board, code)
        if fault is not None:
            return fault
        self._number += self.board.turn == BLACK
        self.board.make(code)
        return LegalMove(move_name(code))

    def end(self) -> End | None:
        """Return checkmate 将死, stalemate 困毙, or a draw if neither side can win any more (4.2.1); None otherwise."""
        return self.stuck() or (End("insufficient_material", None, DRAWN) if drawn_material(self.board) else None)

    def stuck(self) -> End | None:
        """Return checkmate 将死 or stalemate 困毙, or None. Without a legal move the side to move loses."""
        if self.board.legal_moves():
            return None
        winner = COLOURS[1 - self.board.turn]
        if self.board.is_in_check(self.board.turn):
            return End("checkmate", winner, MATE)
        return End("stalemate", winner, STALEMATE)

    def options(self) -> list[Option]:
        """Return the legal moves, each with the point of the captured piece."""
        squares = self.board.squares
        ends = ((move, NAMES[move & 127] if squares[move & 127] else None) for move in self.board.legal_moves())
        return [Option(move_name(move), NAMES[move >> 7], taken) for move, taken in ends]

    def men(self) -> dict[str, Side]:
        """Return the side of the piece on each occupied point."""
        return {NAMES[point]: COLOURS[man >> 3] for point, man in enumerate(self.board.squares) if man}

    def can_win(self, side: Side) -> bool:
        return can_win(self.board, RED if side == "white" else BLACK)

    def text(self) -> str:
        return fen.write(self.board, self._number)


def find_fault(board: Board, move: int) -> IllegalMove | None:
    """Return why a move is illegal, or None if it is legal.

    Kings that face each other 将帅对面 are reported under article 4.1.2, a king left in check under 4.1.6.
    """
    origin = move >> 7
    man = board.squares[origin]
    if not man:
        return illegal(ground("no_piece", square=NAMES[origin]), ILLEGAL)
    if man >> 3 != board.turn:
        return illegal(ground("not_own", piece=notation.piece(board, origin)), ILLEGAL)
    if move not in board.moves_of(origin):
        reach = ground("does_not_reach", piece=notation.piece(board, origin), square=NAMES[move & 127])
        return illegal(reach, ILLEGAL)
    if not board.leaves_king(move):
        return None
    board.make(move)
    facing = board.kings_face()
    board.unmake()
    return illegal(ground("kings_face"), FACING) if facing else illegal(ground("left_in_check"), CHECKED)


DRAWN = "002-X 4.2.1; 000-A 2, 和 1"

_AT_HOME = (KING, ADVISOR, ELEPHANT)
"""Kinds that never cross the river, so they never give check."""


def can_win(board: Board, side: int) -> bool:
    """Return whether any moves of both sides could still lead to a win of ``side``.

    It cannot win without a piece that crosses the river. Nor can it with one cannon and nothing else on the board but
    the kings: the kings may not face each other, so a king is never its screen.
    """
    attackers = [man & 7 for man in board.men[side].values() if man & 7 not in _AT_HOME]
    if attackers == [CANNON]:
        return len(board.men[side]) + len(board.men[1 - side]) > 3
    return bool(attackers)


def drawn_material(board: Board) -> bool:
    """Return whether neither side can win."""
    return not can_win(board, 0) and not can_win(board, 1)
