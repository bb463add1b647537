"""Repetition 棋例: every move of the cycle named 将 杀 捉 闲, and the pair judged (002-X 24 to 29)."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Final, Literal

from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.boards.xiangqi import judgement_text, notation
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.chase import Sight
from services.games.rules.boards.xiangqi.exchange import scale
from services.games.rules.boards.xiangqi.geometry import BLACK, RED, move_name
from services.games.rules.boards.xiangqi.measured_board import MeasuredBoard
from shared.core.game_rules import XiangqiRules

Variant = Literal["将", "杀", "捉", "闲"]
Status = Literal["allowed", "forbidden", "perpetual_check"]
Outcome = Literal["red_wins", "black_wins", "draw", "none"]

NAMES: Final = ("红方", "黑方")


@dataclass(frozen=True, slots=True)
class Deed:
    """One move of the cycle, also in Chinese, what it is called, and why."""

    move: int
    text: str
    side: int
    kind: Variant
    because: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """``status`` of Red and Black; ``at_once``: otherwise the loser has to vary, and loses if the cycle comes once
    more (24.3). ``none``: the last position has not come often enough."""

    outcome: Outcome
    at_once: bool
    article: str
    status: tuple[Status, Status]
    deeds: tuple[Deed, ...]

    def kinds(self, side: int) -> list[Variant]:
        return [deed.kind for deed in self.deeds if deed.side == side]


def judge(
    start: Board,
    moves: Sequence[int],
    rules: XiangqiRules,
    defending: Set[int] = frozenset(),
    effort: Effort | None = None,
) -> Judgement:
    """Judge the moves between the last ``rules.repetitions`` occurrences of the position after ``moves``.

    ``defending``: the sides that, as the referee finds, take a defence point by which a simple draw arises: their
    chases of advisors and elephants are idle (27.3). A pawn's chase counts where both sides then attack all along (27.2).
    ``effort`` is shared with other judgements; raises `effort.TooMuch` where it does not suffice.
    """
    board = start.fork()
    keys = [board.key()]
    for move in moves:
        board.make(move)
        keys.append(board.key())
    seen = [ply for ply, key in enumerate(keys) if key == keys[-1]][-rules.repetitions :]
    if len(seen) < rules.repetitions:
        return Judgement("none", False, "002-X 24", ("allowed", "allowed"), ())
    for _ in range(len(moves) - seen[0]):
        board.unmake()
    cycle, sight, board = moves[seen[0] :], Sight(rules), MeasuredBoard(board, effort or Effort())
    deeds = _deeds(board, cycle, sight, rules, defending, pawns=False)
    status = _statuses(deeds)
    if "allowed" in status:
        mutual = _deeds(board, cycle, sight, rules, defending, pawns=True)
        if "allowed" not in _statuses(mutual):
            deeds, status = mutual, _statuses(mutual)
    return Judgement(*outcome_of(status), status, deeds)


def explain(judgement: Judgement) -> list[str]:
    """The judgement as a referee reads it out: each different move with its reason, each side, and what follows."""
    lines = list(
        dict.fromkeys(
            f"{NAMES[deed.side]} {deed.text} ({move_name(deed.move)}) {deed.kind}: {deed.because}"
            for deed in judgement.deeds
        )
    )
    if judgement.outcome == "none":
        return ["the position has not come often enough to be judged; 002-X 24"]
    for side in (RED, BLACK):
        lines.append(f"{NAMES[side]}: {_kinds_text(judgement.kinds(side))}, {judgement.status[side]}; 002-X 25.2")
    return [*lines, _verdict_text(judgement)]


# ---------------------------------------------------------------- the moves


def _deeds(
    start: Board, cycle: Sequence[int], sight: Sight, rules: XiangqiRules, defending: Set[int], pawns: bool
) -> tuple[Deed, ...]:
    board = start.fork()
    known: dict[tuple[bytes, int], Deed] = {}
    deeds = []
    for move in cycle:
        key = board.key(), move
        if key not in known:
            known[key] = _deed(board, move, sight, rules, board.turn in defending, pawns)
        deeds.append(known[key])
        board.make(move)
    return tuple(deeds)


def _deed(board: Board, move: int, sight: Sight, rules: XiangqiRules, defending: bool, pawns: bool) -> Deed:
    """Name a move by the gravest thing that it does (27.4)."""
    side, text = board.turn, notation.write(board, move)
    board.make(move)
    if board.in_check(board.turn):
        because = judgement_text.of_check(board)
        board.unmake()
        return Deed(move, text, side, "将", because)
    board.pass_move()
    line = sight.mate(board)
    board.pass_move()
    board.unmake()
    if line:
        return Deed(move, text, side, "杀", judgement_text.of_mate(line))
    chases = sight.chases(board, move, pawns)
    board.make(move)
    board.pass_move()
    grave = tuple(chase for chase in chases if not (defending and judgement_text.excusable(board, chase)))
    kind: Variant = "捉" if grave else "闲"
    because = judgement_text.of_chases(board, grave, scale(rules.worth)) if grave else judgement_text.of_idle(chases)
    board.pass_move()
    board.unmake()
    return Deed(move, text, side, kind, because)


# ---------------------------------------------------------------- the pair


def status_of(kinds: Iterable[Variant]) -> Status:
    """What 25.2 calls a side's moves: forbidden 禁止着法 where none is idle, and of these 长将 by its name."""
    present = set(kinds)
    if present == {"将"}:
        return "perpetual_check"
    return "allowed" if "闲" in present else "forbidden"


def outcome_of(status: tuple[Status, Status]) -> tuple[Outcome, bool, str]:
    """Who loses, whether at once, and the articles (24, 26), by what Red's and Black's moves are."""
    checking = [side for side in (RED, BLACK) if status[side] == "perpetual_check"]
    if len(checking) == 1:
        return _loses(checking[0]), True, "002-X 24.1, 26.1"
    breaking = [side for side in (RED, BLACK) if status[side] != "allowed"]
    if len(breaking) == 1:
        return _loses(breaking[0]), False, "002-X 24.3, 26.4"
    return "draw", True, "002-X 24.2, 26.3" if breaking else "002-X 24.2, 26.2"


def _statuses(deeds: Sequence[Deed]) -> tuple[Status, Status]:
    red, black = (status_of(deed.kind for deed in deeds if deed.side == side) for side in (RED, BLACK))
    return red, black


def _loses(side: int) -> Outcome:
    return "black_wins" if side == RED else "red_wins"


def _kinds_text(kinds: Sequence[Variant]) -> str:
    """长将, 一将一捉, 数捉一闲 …"""
    present = [kind for kind in ("将", "杀", "捉") if kind in kinds]
    if "闲" in kinds:
        return "".join(f"数{kind}" for kind in present) + "一闲" if present else "闲着"
    return f"长{present[0]}" if len(present) == 1 else "".join(f"一{kind}" for kind in present)


def _verdict_text(judgement: Judgement) -> str:
    if judgement.outcome == "draw":
        return f"双方不变作和: nobody varies, the game is drawn; {judgement.article}"
    loser = NAMES[RED if judgement.outcome == "black_wins" else BLACK]
    what = "loses at once" if judgement.at_once else "must vary, and loses if the cycle comes once more"
    return f"{loser} {what}; {judgement.article}"
