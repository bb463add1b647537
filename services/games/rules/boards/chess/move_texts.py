"""Moves of chess as texts, in UCI and SAN: the move they mean, or why it is illegal.

python-chess computes its tables for 30 ms when it is imported, so it is imported when chess is played.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from services.games.rules.boards.port.position import IllegalMove, illegal
from shared.core.events import Ground
from shared.core.language.messages import say
from shared.core.state.grounds import ground

if TYPE_CHECKING:
    import chess

ILLEGAL = "000-A 国际象棋, 不合规则 1; Laws 3.10"
_UCI = re.compile(r"([a-h][1-8])(?!\1)[a-h][1-8][qrbn]?")


def read_move(board: chess.Board, text: str) -> chess.Move | IllegalMove:
    """Return the legal move that a text means, in UCI or SAN, or the reason why it is illegal."""
    return _uci(board, text) if _UCI.fullmatch(text) else _san(board, text)


def _uci(board: chess.Board, text: str) -> chess.Move | IllegalMove:
    import chess

    move = chess.Move.from_uci(text)
    if board.is_legal(move):
        return move
    return illegal(_find_fault(board, move), ILLEGAL)


def _san(board: chess.Board, text: str) -> chess.Move | IllegalMove:
    import chess

    try:
        move = board.parse_san(text)
    except chess.AmbiguousMoveError:
        detail = say("more than one piece can make this move: {candidates}", candidates=tuple(_candidates(board, text)))
        return IllegalMove(detail, ILLEGAL)
    except chess.IllegalMoveError:
        return IllegalMove(say("none of the pieces can make this move"), ILLEGAL)
    except chess.InvalidMoveError:
        return IllegalMove(say("this is neither UCI nor SAN"), ILLEGAL)
    return move if move else IllegalMove(say("a pass is not a move"), ILLEGAL)


def capture_square(board: chess.Board, move: chess.Move) -> str | None:
    """Return the square of the piece that a move captures, or None if it captures nothing.

    For en passant, that is the square of the captured pawn.
    """
    import chess

    if board.is_en_passant(move):
        return chess.square_name(chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square)))
    return chess.square_name(move.to_square) if board.is_capture(move) else None


def _candidates(board: chess.Board, text: str) -> list[str]:
    """Return the legal moves, in UCI and sorted, that an ambiguous SAN could mean."""
    import chess

    match = chess.SAN_REGEX.match(text)
    assert match is not None, "an ambiguous text is SAN"
    piece, end = chess.PIECE_SYMBOLS.index((match[1] or "p").lower()), chess.parse_square(match[4])
    files = chess.BB_FILES[chess.FILE_NAMES.index(match[2])] if match[2] else chess.BB_ALL
    ranks = chess.BB_RANKS[int(match[3]) - 1] if match[3] else chess.BB_ALL
    moves = board.generate_legal_moves(board.pieces_mask(piece, board.turn) & files & ranks, chess.BB_SQUARES[end])
    return sorted(map(board.uci, moves))


def _find_fault(board: chess.Board, move: chess.Move) -> Ground:
    """Return why a move is illegal. The move must be well-formed and illegal."""
    import chess

    piece, square = board.piece_at(move.from_square), chess.square_name(move.from_square)
    if piece is None:
        return ground("no_piece", square=square)
    if piece.color != board.turn:
        return ground("not_own_on", square=square)
    if board.is_pseudo_legal(move):
        return ground("left_in_check")
    pawn_arrives = piece.piece_type == chess.PAWN and bool(chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS)
    if pawn_arrives and move.promotion is None:
        return ground("promotion_missing")
    return ground("does_not_move_so", man=chess.piece_name(piece.piece_type), square=square)


def castles(board: chess.Board, king: str, rook: str) -> str | None:
    """Return the castling move in UCI, legal or not, with the pieces of the side to move on these squares, or None.

    None is returned if they are not its king and a rook at home. In chess960, home is any square of its first rank, and
    the move is the king's square and the rook's square.
    """
    import chess

    first = chess.BB_RANK_1 if board.turn else chess.BB_RANK_8
    own = chess.BB_SQUARES[chess.parse_square(king)], chess.BB_SQUARES[chess.parse_square(rook)]
    pieces = (chess.KING, own[0]), (chess.ROOK, own[1])
    if not all(at & first & board.pieces_mask(kind, board.turn) for kind, at in pieces):
        return None
    if board.chess960:
        return king + rook
    if king[0] != "e" or rook[0] not in "ah":
        return None
    return king + ("c" if rook[0] == "a" else "g") + king[1]


def square_name(square: chess.Square) -> str:
    """Return the name of a square, for example ``e4``."""
    import chess

    return chess.SQUARE_NAMES[square]
