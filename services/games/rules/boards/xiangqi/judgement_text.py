"""The reasons for the names of moves in a repetition: grounds that an arbiter can read out."""

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.chase import Chase
from services.games.rules.boards.xiangqi.exchange import Scale
from services.games.rules.boards.xiangqi.geometry import PAWN, move_name
from services.games.rules.boards.xiangqi.notation import piece
from services.games.rules.boards.xiangqi.threats import Line
from shared.core.events import Ground
from shared.core.events.event import GroundFact
from shared.core.state.grounds import ground


def chase_grounds(board: Board, chase: Chase, worth: Scale) -> tuple[Ground, ...]:
    """Return why a chased piece counts as lost.

    It is lost after checks, is unprotected 无根, has a false protector 假根 or too few of them 少根, or is worth more
    than its taker. ``board``: the position after the move, with its side to move again. ``worth``: the worth of a piece
    by its kind.
    """
    prey = piece(board, chase.prey)
    if chase.line:
        return (ground("through_checks", prey=prey, line=line_text(chase.line)),)
    capture, square = chase.capture, chase.capture.move >> 7
    kind, hunted = board.squares[square] & 7, board.squares[chase.prey] & 7
    facts: dict[str, GroundFact] = {"piece": piece(board, square), "prey": prey}
    by_pawn = (ground("pawn_in_mutual_attacks", piece=facts["piece"]),) if kind == PAWN else ()
    if not capture.roots:
        return ground("unprotected", **facts), *by_pawn
    facts["roots"] = tuple(piece(board, root >> 7) for root in (capture.sound or capture.roots))
    if not capture.sound:
        return ground("false_root", **facts), *by_pawn
    dearer = hunted != PAWN and worth[hunted] > worth[kind]
    return ground("worth_more" if dearer else "few_roots", **facts), *by_pawn


def line_text(line: Line) -> str:
    return " ".join(move_name(move) for move in line)
