"""Chess 国际象棋 by python-chess: legality, natural ends, and who can still win.

Articles: 000-A is the campus event's text, chapters 对局结束 and 不合规则; "Laws" are FIDE's Laws of Chess.
"""

import re
from typing import Self

import chess

from services.games.rules.position import End, Illegal, Written
from shared.terms import Side

MATE = "000-A 国际象棋, 对局结束 1; Laws 5.1.1"
STALEMATE = "000-A 国际象棋, 对局结束 3; Laws 5.2.1"
MATERIAL = "000-A 国际象棋, 对局结束 4; Laws 5.2.2"
ILLEGAL = "000-A 国际象棋, 不合规则 1; Laws 3.10"

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")
_LAST_RANKS = chess.BB_RANK_1 | chess.BB_RANK_8


class ChessPosition:
    """A position; moves are kept in UCI and read in UCI or SAN."""

    __slots__ = ("_board",)

    def __init__(self, board: chess.Board | None = None) -> None:
        self._board = chess.Board() if board is None else board

    def fork(self) -> Self:
        return type(self)(self._board.copy(stack=False))

    def to_move(self) -> Side:
        return _side(self._board.turn)

    def play(self, move: str) -> Written | Illegal:
        """Play a legal move; a null move is none."""
        found = _uci(self._board, move) if _UCI.fullmatch(move) else _san(self._board, move)
        if isinstance(found, Illegal):
            return found
        written = self._board.uci(found)
        self._board.push(found)
        self._board.clear_stack()
        return Written(written)

    def end(self) -> End | None:
        """Checkmate 将死, stalemate 逼和, and the material that cannot mate; all else needs a claim."""
        if self._board.is_checkmate():
            return End("checkmate", _side(not self._board.turn), MATE)
        if self._board.is_stalemate():
            return End("stalemate", None, STALEMATE)
        if self._board.is_insufficient_material():
            return End("insufficient_material", None, MATERIAL)
        return None

    def can_win(self, side: Side) -> bool:
        """Whether ``side`` has what could mate (000-A 国际象棋, 对局结束 5): a lone king has not."""
        return not self._board.has_insufficient_material(side == "white")

    def text(self) -> str:
        return self._board.fen()


def _side(colour: chess.Color) -> Side:
    return "white" if colour == chess.WHITE else "black"


def _uci(board: chess.Board, written: str) -> chess.Move | Illegal:
    move = chess.Move.from_uci(written)
    if board.is_legal(move):
        return move
    return Illegal(_why(board, move), ILLEGAL)


def _san(board: chess.Board, written: str) -> chess.Move | Illegal:
    try:
        move = board.parse_san(written)
    except chess.AmbiguousMoveError:
        return Illegal("more than one piece can make this move", ILLEGAL)
    except chess.IllegalMoveError:
        return Illegal("no piece can make this move", ILLEGAL)
    except chess.InvalidMoveError:
        return Illegal("this is neither UCI nor SAN", ILLEGAL)
    return move if move else Illegal("passing is no move", ILLEGAL)


def _why(board: chess.Board, move: chess.Move) -> str:
    """What is wrong with a move that is written well."""
    piece = board.piece_at(move.from_square)
    if piece is None:
        return f"there is no piece on {chess.square_name(move.from_square)}"
    if piece.color != board.turn:
        return f"the piece on {chess.square_name(move.from_square)} is the opponent's"
    if board.is_pseudo_legal(move):
        return "the king would be left in check"
    pawn_arrives = piece.piece_type == chess.PAWN and bool(chess.BB_SQUARES[move.to_square] & _LAST_RANKS)
    if pawn_arrives and move.promotion is None:
        return "the move does not say what the pawn becomes"
    return f"the {chess.piece_name(piece.piece_type)} on {chess.square_name(move.from_square)} does not move so"
