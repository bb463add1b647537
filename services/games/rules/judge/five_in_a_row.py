"""Questions about renju and free gomoku: forbidden points, and replayed games."""

from dataclasses import replace

from services.games.rules.boards.fifteen import Start, Stones, listed_stones, name, point_of
from services.games.rules.boards.gomoku.position import GomokuPosition
from services.games.rules.boards.port.position import BadPosition, IllegalMove
from services.games.rules.boards.renju.forbidden import forbidden_points
from services.games.rules.boards.renju.position import RenjuPosition
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Ask, Question, Unclear, unclear_position
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GomokuRules, RenjuRules
from shared.core.terms import Side
from shared.core.values.bounds import POSITION


def forbidden(question: Question) -> Answer:
    """Answer with Black's forbidden points, each with its kind, and the points that make exactly five."""
    stones = Stones()
    sides: tuple[Side, Side] = ("black", "white")
    for side in sides:
        for n, text in enumerate(q.moves(question, side)):
            where = f"{side}[{n}]"
            point = point_of(text)
            if point is None:
                detail = say("{where}: {name} is not a point from a1 to o15", where=where, name=text[:20])
                raise Unclear(say("Unreadable move"), detail, where)
            if stones.at(point) is not None:
                detail = say("{where}: {name} is already occupied by a stone", where=where, name=name(point))
                raise Unclear(say("Occupied point"), detail, where)
            stones.put(side, point)
    forbidden, five = forbidden_points(stones, "black")
    return {"forbidden": forbidden, "five": five}


def replay_renju(question: Question) -> Answer:
    """Answer with the end of a renju game, and the fouls that White could still claim.

    After a ``swap`` the winner is given as a seat.
    """
    moves = q.moves(question)
    position = RenjuPosition(_rules(question, moves), _start(question))
    _play(position, moves)
    pointed = [{"point": name(foul.point), "kind": foul.kind} for foul in position.claimable()]
    return {"end": q.end_answer(position.end()), "five": position.five(), "claimable": pointed}


def replay_gomoku(question: Question) -> Answer:
    """Answer with the end of a free gomoku game."""
    position = GomokuPosition(question.rules(GomokuRules), _start(question))
    _play(position, q.moves(question))
    return {"end": q.end_answer(position.end()), "five": position.five()}


def _start(question: Question) -> Start | None:
    """Return the stones and the side to move in the field ``position``, or None if it is absent or the empty board."""
    if question.get("position") is None:
        return None
    try:
        return listed_stones(q.text(question, "position", longest=POSITION.longest)).start
    except BadPosition as problem:
        raise unclear_position(problem, "position") from None


def _rules(question: Question, moves: list[str]) -> RenjuRules:
    """Return the rules of the question. Without steps of the opening in its moves, the opening counts as finished."""
    rules = question.rules(RenjuRules)
    steps = any(move == "swap" or " " in move for move in moves)
    return rules if steps else replace(rules, opening="free", fifth_moves=1)


def _play(position: RenjuPosition | GomokuPosition, moves: list[str]) -> None:
    for n, move in enumerate(moves):
        if position.end() is not None:
            detail = say("move {n}, {move}: the game has ended before", n=n + 1, move=move[:20])
            raise Unclear(say("Game over"), detail, f"moves[{n}]")
        played = position.play(move)
        if isinstance(played, IllegalMove):
            raise q.illegal_move(n, move[:20], played)


RENJU = {"forbidden": Ask(forbidden, ("black", "white")), "replay": Ask(replay_renju, ("moves", "position"))}
GOMOKU = {"replay": Ask(replay_gomoku, ("moves", "position"))}
