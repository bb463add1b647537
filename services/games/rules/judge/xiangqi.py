"""Questions about xiangqi: legal moves, a replay, repetition, the natural limit, drawn material, touched pieces."""

from collections.abc import Callable, Iterator, Sequence

from services.games.rules.boards.port.position import BadPosition, IllegalMove
from services.games.rules.boards.port.search_budget import TooMuch
from services.games.rules.boards.xiangqi import fen, notation
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.claims import count, due
from services.games.rules.boards.xiangqi.geometry import BLACK, RED, move_name, move_of
from services.games.rules.boards.xiangqi.position import FACING, XiangqiPosition, drawn_material, find_fault
from services.games.rules.boards.xiangqi.repetition import Deed, explain, judge
from services.games.rules.boards.xiangqi.set_up import board_of
from services.games.rules.boards.xiangqi.turning_points import turning_points
from services.games.rules.judge import question as q
from services.games.rules.judge.question import (
    Answer,
    Ask,
    Question,
    Unclear,
    touch_answer,
    touched_squares,
    unclear_position,
)
from shared.core.language.messages import message_of, say
from shared.core.rulebook.game_rules import XiangqiRules
from shared.core.state.grounds import lines_of

SIDES = ("red", "black")
LONGEST_LIMIT = 500


def legal_moves(question: Question) -> Answer:
    """Answer with the legal moves, and with the moves that are illegal only because of the king, each with its reason.

    The reasons are ``facing_generals`` and ``left_in_check``.
    """
    board, _ = _board(question)
    illegal = {}
    for move in sorted(board.pseudo_moves(), key=move_name):
        fault = find_fault(board, move)
        if fault is not None:
            illegal[move_name(move)] = "facing_generals" if fault.article == FACING else "left_in_check"
    return {"legal": sorted(move_name(move) for move in board.legal_moves()), "illegal": illegal}


def replay(question: Question) -> Answer:
    """Answer with the moves played from a position, in ICCS and Chinese, and the end there."""
    board, number = _board(question, fen.START)
    position = XiangqiPosition(board.fork(), number)
    moves = _replay(question, position)
    return {
        "iccs": [move_name(move) for move in moves],
        "chinese": list(_chinese(board, moves)),
        "fen": position.text(),
        "end": q.end_answer(position.stuck(), {"white": "red"}),
    }


def repetition(question: Question) -> Answer:
    """Answer with the judgement of a repeated position, its explanation and its turning points.

    A cycle that takes too much effort is an error.
    """
    defending = {SIDES.index(side) for side in _sides(question, "defence_point")}
    board, number = _board(question, fen.START)
    moves = _replay(question, XiangqiPosition(board.fork(), number))
    rules = question.rules(XiangqiRules)
    try:
        judgement = judge(board, moves, rules, defending, question.effort)
    except TooMuch as problem:
        raise Unclear(say("Cycle too long"), message_of(problem), "moves") from None
    points = turning_points(board, moves, rules, judgement, defending, question.effort.reasons)
    return {
        "verdict": judgement.outcome,
        "status": dict(zip(SIDES, judgement.status, strict=True)),
        "kinds": {"red": judgement.kinds(RED), "black": judgement.kinds(BLACK)},
        "article": judgement.article,
        "explanation": list(lines_of(explain(judgement))),
        "articles": judgement.articles(),
        "turns_on": None if points is None else [one._asdict() for one in points],
        "moves": [_named(deed) for deed in judgement.deeds],
    }


def _named(deed: Deed) -> Answer:
    articles = [f"002-X {article}" for article in deed.articles]
    return {
        "move": move_name(deed.move),
        "chinese": deed.text,
        "side": SIDES[deed.side],
        "kind": deed.kind,
        "articles": articles,
    }


def natural_limit(question: Question) -> Answer:
    """Answer whether a claim of the natural limit is right, with the count."""
    claimant = SIDES.index(q.choice(question, "claimant", SIDES))
    rules = question.rules(XiangqiRules)
    limit = q.number(question, "limit_rounds", 1, LONGEST_LIMIT, rules.natural_limit_rounds)
    board, number = _board(question, fen.START)
    moves = _replay(question, XiangqiPosition(board.fork(), number))
    tally = count(board, moves, claimant, rules)
    return {"valid": tally.reaches(limit), "own_checks": tally.own_checks, "rounds": tally.rounds}


def material(question: Question) -> Answer:
    """Answer whether neither side can win any more. The side to move does not matter."""
    board, _ = _board(question, read=fen.parse)
    return {"draw": drawn_material(board)}


def touch(question: Question) -> Answer:
    """Answer with the moves due 应走 after pieces were touched, after the moves of the question if it has any."""
    position = XiangqiPosition(*_board(question, fen.START))
    _replay(question, position, ())
    return touch_answer(due(position, touched_squares(question, position.men())))


def _board(
    question: Question, default: str | None = None, read: Callable[[str], tuple[Board, int]] = board_of
) -> tuple[Board, int]:
    try:
        return read(q.text(question, "fen", default))
    except BadPosition as problem:
        raise unclear_position(problem, "fen") from None


def _replay(question: Question, position: XiangqiPosition, default: Sequence[str] | None = None) -> list[int]:
    """Play the moves of the question on the position, and return them."""
    moves = []
    for n, text in enumerate(q.moves(question, default=default)):
        move = position.play(text)
        if isinstance(move, IllegalMove):
            raise q.illegal_move(n, text, move)
        moves.append(move_of(move.move))
    return moves


def _chinese(board: Board, moves: Sequence[int]) -> Iterator[str]:
    """Yield each of the moves in Chinese notation, from this position on."""
    for move in moves:
        yield notation.write(board, move)
        board.make(move)


def _sides(question: Question, name: str) -> list[str]:
    sides = q.moves(question, name, ())
    for n, side in enumerate(sides):
        if side not in SIDES:
            detail = say("{name}[{n}] must be one of {sides}", name=name, n=n, sides=tuple(SIDES))
            raise q.wrong_field(detail, f"{name}[{n}]")
    return sides


QUESTIONS = {
    "legal_moves": Ask(legal_moves, ("fen",)),
    "replay": Ask(replay, ("fen", "moves")),
    "repetition": Ask(repetition, ("fen", "moves", "defence_point")),
    "natural_limit": Ask(natural_limit, ("fen", "moves", "limit_rounds", "claimant")),
    "drawn_material": Ask(material, ("fen",)),
    "touch": Ask(touch, ("fen", "moves", "touched")),
}
