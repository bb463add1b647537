"""A judgement on a repetition in words that a referee can read out."""

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.chase import Chase
from services.games.rules.boards.xiangqi.exchange import Scale
from services.games.rules.boards.xiangqi.geometry import ADVISOR, ELEPHANT, PAWN, move_name
from services.games.rules.boards.xiangqi.notation import piece
from services.games.rules.boards.xiangqi.threats import Line


def of_check(board: Board) -> str:
    """The position after the move, the side in check to move."""
    return f"attacks {piece(board, board.king(board.turn))}; 照将, 002-X 28.1"


def of_mate(line: Line) -> str:
    return f"threatens mate by {_moves(line)}; 杀着, 002-X 28.2"


def of_standing_mate(line: Line) -> str:
    return f"leaves a threat of mate by {_moves(line)} standing, which was there before; 闲着, 002-X 28.2, 29.2"


def of_idle(chases: tuple[Chase, ...]) -> str:
    """``chases``: those that 27.3 excuses."""
    if chases:
        return "chases only advisors or elephants while a defence point is taken; 闲着, 002-X 27.3"
    return "neither check, nor threat of mate, nor new chase; 闲着, 002-X 28.9"


def of_chases(board: Board, chases: tuple[Chase, ...], worth: Scale) -> str:
    """The position after the move, as if its side were to move again."""
    return "; ".join(_chase(board, chase, worth) for chase in chases) + "; 捉, 002-X 28.3, 29"


def _chase(board: Board, chase: Chase, worth: Scale) -> str:
    if chase.line:
        return f"attacks {piece(board, chase.prey)}, 无根 without a root (28.16), by way of checks: {_moves(chase.line)} (29.1)"
    taker = chase.capture.move >> 7
    by_pawn = ", a pawn in mutual attacks (27.2)" if board.squares[taker] & 7 == PAWN else ""
    return f"{piece(board, taker)}{by_pawn} attacks {piece(board, chase.prey)}, {_root(board, chase, worth)}"


def _root(board: Board, chase: Chase, worth: Scale) -> str:
    """Why the prey counts as unrooted: 无根, 假根, 少根, or worth more than its taker."""
    capture = chase.capture
    taker, prey = board.squares[capture.move >> 7] & 7, board.squares[chase.prey] & 7
    roots = ", ".join(piece(board, root >> 7) for root in (capture.sound or capture.roots))
    if not capture.roots:
        return "无根: nothing protects it (28.16)"
    if not capture.sound:
        return f"假根: {roots} may not legally take back (28.16)"
    if prey != PAWN and worth[prey] > worth[taker]:
        return f"protected by {roots}, but worth more than its taker (25.3)"
    return f"少根: {roots} protects it too little for a full exchange (28.16, 29.1)"


def excusable(board: Board, chase: Chase) -> bool:
    """Whether 27.3 is about it: the prey is an advisor or an elephant."""
    return board.squares[chase.prey] & 7 in (ADVISOR, ELEPHANT)


def _moves(line: Line) -> str:
    return " ".join(move_name(move) for move in line)
