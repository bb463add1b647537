"""Questions about Go: illegal points, single moves, captures, and the count."""

from services.games.rules.boards.go.area import count, winner
from services.games.rules.boards.go.board import EMPTY, LARGEST, Board, Point, point_of, vertex, vertices
from services.games.rules.boards.go.legality import Fault, Game
from services.games.rules.boards.go.position import FAULTS, PLACING
from services.games.rules.boards.go.set_up import listed_stones
from services.games.rules.boards.port.position import BadPosition
from services.games.rules.boards.port.stone_list import parse
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Ask, Question, Unclear, unclear_position
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GoRules
from shared.core.terms import Side, other
from shared.core.values.bounds import POSITION

SMALLEST = 2
_COLOURS: dict[str, Side] = {"b": "black", "w": "white"}


def legality(question: Question) -> Answer:
    """Answer with all illegal empty points of one side after the first ``ply`` moves."""
    game, side = _board_and_side(question)
    faults = game.faults(side)
    size = game.board.size
    return {
        "ko": vertices(faults.ko, size),
        "suicide": vertices(faults.suicide, size),
        "superko": vertices(game.superko(side), size),
    }


def move(question: Question) -> Answer:
    """Answer whether one move is legal: by simple ko, and by positional superko if the regulations have it."""
    game, side = _board_and_side(question)
    name = q.text(question, "move")
    if name.upper() == "PASS":
        return {"verdict": "legal"}
    return {"verdict": _fault(question, game, side, _point(name, game.board.size, "move")) or "legal"}


def replay(question: Question) -> Answer:
    """Answer with the stones that each move captured, and their number by side. The error for an illegal move identifies it."""
    moves = _moves(question)
    game, captures = _replay(question, moves, len(moves))
    return {"captures": captures, "captured_by": {"black": game.captured["black"], "white": game.captured["white"]}}


def area(question: Question) -> Answer:
    """Answer with the count by 数子法, in 子, without the dead stones.

    The komi is that of the position, else that of the ruleset. If a side has ``given_up`` the contest, every point
    touched by both belongs to the other (000-E 围棋, 5(4)).
    """
    moves = _moves(question)
    game, _ = _replay(question, moves, len(moves))
    size = game.board.size
    dead = set[Point]()
    for n, name in enumerate(q.moves(question, "dead", ())):
        point = _point(name, size, f"dead[{n}]")
        if game.board.points[point] == EMPTY:
            detail = say("{name} is empty, so it has no dead stone", name=name)
            raise Unclear(say("No stone there"), detail, f"dead[{n}]")
        dead.add(point)
    given_up = "given_up" in question and q.choice(question, "given_up", tuple(_COLOURS))
    score = count(game.board, frozenset(dead), contested_to=other(_COLOURS[given_up]) if given_up else None)
    margin = score.margin_quarters(_komi(question))
    return {
        "black": score.black,
        "white": score.white,
        "neutral": score.neutral,
        "black_zi": score.black_quarters() / 4,
        "margin_zi": margin / 4,
        "winner": winner(margin),
    }


def _komi(question: Question) -> int:
    """Return the komi in quarters of a 子: the one in ``position``, else the regulations'."""
    regular = question.rules(GoRules).komi_quarter_zi
    if question.get("position") is None:
        return regular
    komi = parse(q.text(question, "position", longest=POSITION.longest)).komi_quarters()
    return regular if komi is None else komi


def _board_and_side(question: Question) -> tuple[Game, Side]:
    """Return the board after the first ``ply`` moves, and the side asked about, by default the side to move."""
    moves = _moves(question)
    ply = q.number(question, "ply", 0, len(moves), default=len(moves))
    game, _ = _replay(question, moves, ply)
    first = "b" if question.get("position") is None else _start(question)[1][0]
    turn = first if not ply else "w" if moves[ply - 1][0] == "b" else "b"
    return game, _COLOURS[q.choice(question, "to_move", tuple(_COLOURS), default=turn)]


def _moves(question: Question) -> list[tuple[str, str]]:
    """Return the moves as (b or w, vertex or PASS)."""
    read = []
    for n, one in enumerate(q.listed(question, "moves")):
        if not isinstance(one, list | tuple) or len(one) != 2 or not all(isinstance(part, str) for part in one):
            raise q.wrong_field(say('moves[{n}] must be like ["b", "D4"]', n=n), f"moves[{n}]")
        if one[0] not in _COLOURS:
            raise q.wrong_field(say("moves[{n}]: the colour must be b or w", n=n), f"moves[{n}]")
        read.append((one[0], one[1]))
    return read


def _replay(question: Question, moves: list[tuple[str, str]], ply: int) -> tuple[Game, dict[str, list[str]]]:
    """Return the board after the first ``ply`` moves, and the captured stones by ply (from 0, as text)."""
    size = _size(question)
    game, captures = Game(size, _start(question)[0]), dict[str, list[str]]()
    for n, (colour, name) in enumerate(moves[:ply]):
        if name.upper() == "PASS":
            game.pass_turn()
            continue
        side, point = _COLOURS[colour], _point(name, size, f"moves[{n}]")
        fault = _fault(question, game, side, point)
        if fault is not None:
            detail = say(
                "ply {n}, {colour} {vertex}: {fault}", n=n, colour=colour, vertex=vertex(point, size), fault=fault
            )
            raise Unclear(say("Illegal move"), detail, f"moves[{n}]", FAULTS[fault])
        stones = game.play(side, point)
        if stones:
            captures[str(n)] = vertices(stones, size)
    return game, captures


def _size(question: Question) -> int:
    return q.number(question, "size", SMALLEST, LARGEST, question.rules(GoRules).size)


def _start(question: Question) -> tuple[Board | None, Side]:
    """Return the stones of ``position`` and the side to move; without one, None and Black."""
    if question.get("position") is None:
        return None, "black"
    try:
        listed = listed_stones(q.text(question, "position", longest=POSITION.longest), _size(question))
    except BadPosition as problem:
        raise unclear_position(problem, "position", PLACING) from None
    return listed.board, listed.to_move


def _fault(question: Question, game: Game, side: Side, point: Point) -> Fault | None:
    fault = game.fault(side, point)
    repeats = fault is None and question.rules(GoRules).positional_superko and game.repeats(side, point)
    return "superko" if repeats else fault


def _point(name: str, size: int, where: str) -> Point:
    point = point_of(name, size)
    if point is None:
        detail = say(
            "{where}: {name} is not a vertex of a {size} x {size} board", where=where, name=name[:20], size=size
        )
        raise Unclear(say("Unreadable move"), detail, where)
    return point


QUESTIONS = {
    "legality": Ask(legality, ("size", "position", "moves", "ply", "to_move")),
    "move": Ask(move, ("size", "position", "moves", "ply", "to_move", "move")),
    "replay": Ask(replay, ("size", "position", "moves")),
    "area": Ask(area, ("size", "position", "moves", "dead", "given_up")),
}
