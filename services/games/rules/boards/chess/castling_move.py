"""Castling as it is begun by hand: the king touched, and a rook."""

import chess


def castles(board: chess.Board, king: str, rook: str) -> str | None:
    """The move in UCI, legal or not, that castles with the pieces of the side to move on these squares; None where they are
    not its king and a rook at home. In chess960 home is any square of its first rank, and the king takes the rook."""
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
