"""Repetition 棋例: each move of the cycle is named 将 杀 捉 闲, and both sides are judged (002-X 24 to 29)."""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Final, Literal

from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.boards.xiangqi import notation
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.chase import Chase, Sight
from services.games.rules.boards.xiangqi.exchange import scale
from services.games.rules.boards.xiangqi.geometry import ADVISOR, BLACK, ELEPHANT, RED, move_name
from services.games.rules.boards.xiangqi.judgement_text import chase_grounds, line_text
from shared.core.events import Ground
from shared.core.events.event import GroundFact
from shared.core.rulebook.game_rules import XiangqiRules
from shared.core.state.grounds import ground


class MeasuredBoard(Board):
    """A board on which each move made counts against a search budget."""

    __slots__ = ("_effort",)

    def __init__(self, board: Board, effort: Effort) -> None:
        super().__init__(board.squares.copy(), board.turn, board.quiet)
        self._effort = effort

    def make(self, move: int) -> None:
        self._effort.spend()
        super().make(move)

    def fork(self) -> "MeasuredBoard":
        return MeasuredBoard(self, self._effort)


Variant = Literal["将", "杀", "捉", "闲"]
Status = Literal["allowed", "forbidden", "perpetual_check"]
Outcome = Literal["red_wins", "black_wins", "draw", "none"]

SIDES: Final = ("red", "black")
CODES: Final[dict[Variant, str]] = {"将": "check", "杀": "mate", "捉": "chase", "闲": "idle"}
PERPETUAL_CHECK: Final = "002-X 24.1, 26.1"
THREE_CHECKS: Final = "003 胜负和: 不得将三将"
GOES_ON: Final = "000-A 2.6, 和 3"
_ALLOWED: Final[tuple[Status, Status]] = ("allowed", "allowed")


@dataclass(frozen=True, slots=True)
class Deed:
    """One move of the cycle, also in Chinese, with its name and grounds, and the ``articles`` of 002-X 27 to 29 for it."""

    move: int
    text: str
    side: int
    kind: Variant
    because: tuple[Ground, ...]
    articles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judgement of a cycle. ``status``: of Red and Black.

    ``at_once``: if False, the loser must vary, and loses if the cycle occurs once more (24.3). Outcome ``none``: the
    last position has not occurred often enough. ``article``: the articles for both sides together.
    """

    outcome: Outcome
    at_once: bool
    article: str
    status: tuple[Status, Status]
    deeds: tuple[Deed, ...]

    def kinds(self, side: int) -> list[Variant]:
        return [deed.kind for deed in self.deeds if deed.side == side]

    def articles(self) -> list[str]:
        """Return all articles that decided: first those for both sides, then those for the names of moves."""
        book, _, numbers = self.article.partition(" ")
        named = {article for deed in self.deeds for article in deed.articles}
        if self.deeds:
            named |= {"25.2"}
        pair = [f"{book} {number}" for number in numbers.split(", ")] if book == "002-X" else [self.article]
        return [
            *pair,
            *(f"002-X {number}" for number in sorted(named, key=lambda number: [*map(int, number.split("."))])),
        ]


def judge(
    start: Board,
    moves: Sequence[int],
    rules: XiangqiRules,
    defending: Set[int] = frozenset(),
    effort: Effort | None = None,
) -> Judgement:
    """Judge the moves between the last ``rules.repetitions`` occurrences of the position after ``moves``.

    If the rules only judge a repetition that ``goes_on``, one more earlier occurrence is required. ``defending``: the
    sides that, as the arbiter finds, take a defence point with which a simple draw arises. Their chases of advisors and
    elephants are idle (27.3). A pawn's chase counts if both sides then attack throughout (27.2). ``effort`` is shared
    with other judgements. Raises `TooMuch` if it is used up.
    """
    board = start.fork()
    keys = [board.key()]
    for move in moves:
        board.make(move)
        keys.append(board.key())
    seen = [ply for ply, key in enumerate(keys) if key == keys[-1]]
    if len(seen) < rules.repetitions + (rules.repeated == "goes_on"):
        return Judgement("none", False, "002-X 24" if rules.repeated == "told_to_vary" else GOES_ON, _ALLOWED, ())
    first, *seen = seen[0], *seen[-rules.repetitions :]
    for _ in range(len(moves) - seen[0]):
        board.unmake()
    cycle, sight, board = moves[seen[0] :], Sight(rules), MeasuredBoard(board, effort or Effort())
    deeds = _deeds(board, cycle, sight, rules, defending, pawns=False)
    status = _statuses(deeds)
    if "allowed" in status:
        mutual = _deeds(board, cycle, sight, rules, defending, pawns=True)
        if "allowed" not in _statuses(mutual):
            deeds, status = mutual, _statuses(mutual)
    return Judgement(
        *_judge_checks(start, moves, first, rules) or _result_now(outcome_of(status), rules), status, deeds
    )


def explain(judgement: Judgement) -> tuple[Ground, ...]:
    """Return the judgement in readable grounds: each different move with its reason, each side, and the result."""
    if judgement.outcome == "none":
        return (ground("not_often", article=judgement.article),)
    deeds = {(deed.move, deed.kind, deed.text): deed for deed in reversed(judgement.deeds)}
    grounds: list[Ground] = []
    for deed in reversed(deeds.values()):
        named = ground(f"deed_{CODES[deed.kind]}", side=SIDES[deed.side], text=deed.text, move=move_name(deed.move))
        grounds += [named, *deed.because]
    return *grounds, *(_side_ground(judgement, side) for side in (RED, BLACK)), _verdict(judgement)


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
    """Return a move with the name of the gravest thing that it does (27.4).

    The names are check 将, threat of mate 杀, chase 捉 and idle 闲. ``defending``: its side takes a defence point with
    a simple draw, so its chases of advisors and elephants are idle (27.3). ``pawns``: a pawn's chase counts (27.2).
    """
    side, text = board.turn, notation.write(board, move)
    board.make(move)
    if board.is_in_check(board.turn):
        attacks = ground("attacks_king", piece=notation.piece(board, board.king(board.turn)))
        board.unmake()
        return Deed(move, text, side, "将", (attacks,), ("28.1",))
    board.pass_move()
    line = sight.mate(board)
    board.pass_move()
    board.unmake()
    stood = bool(line) and rules.mate_threat == "new" and sight.mate_stood(board, move)
    if line and not stood:
        return Deed(move, text, side, "杀", (ground("mates_by", line=line_text(line)),), ("28.2",))
    chases, excused = sight.chases(board, move, pawns)
    board.make(move)
    board.pass_move()
    # 27.3 excuses chases of advisors and elephants.
    excusable = {chase.prey for chase in chases if defending and board.squares[chase.prey] & 7 in (ADVISOR, ELEPHANT)}
    grave = tuple(chase for chase in chases if chase.prey not in excusable)
    kind: Variant = "捉" if grave else "闲"
    because: tuple[Ground, ...]
    if grave:
        because = tuple(one for chase in grave for one in chase_grounds(board, chase, scale(rules.worth)))
    elif stood:
        because = (ground("mate_stood", line=line_text(line)),)
    else:
        because = (ground("defends_point" if chases else "does_nothing"),)
    board.pass_move()
    board.unmake()
    return Deed(move, text, side, kind, because, _articles(grave, chases, excused, stood))


def _articles(grave: Sequence[Chase], chases: Sequence[Chase], excused: Sequence[str], stood: bool) -> tuple[str, ...]:
    """Return the articles by which a move that neither checks nor newly threatens mate is a chase 捉, or idle 闲.

    ``chases``: all chases of the move. ``grave``: those that 27.3 does not excuse; if there are any, the move is a
    chase. ``excused``: the articles by which its other winning captures are not chases. ``stood``: the move keeps up a
    threat of mate that existed before it.
    """
    if grave:
        return "28.3", *(["29.1"] if any(chase.line for chase in grave) else []), "29.3"
    return "28.9", *(["27.3"] if chases else excused), *(["28.2", "29.2"] if stood and "29.2" not in excused else [])


# ---------------------------------------------------------------- the pair


def status_of(kinds: Iterable[Variant]) -> Status:
    """Return the status of a side by the ``kinds`` of its moves (25.2): allowed if one is idle, else forbidden.

    If all are checks 长将, the status is ``perpetual_check``, which is also forbidden 禁止着法.
    """
    present = set(kinds)
    if present == {"将"}:
        return "perpetual_check"
    return "allowed" if "闲" in present else "forbidden"


def outcome_of(status: tuple[Status, Status]) -> tuple[Outcome, bool, str]:
    """Return the loss or draw, whether it applies at once, and the articles (24, 26).

    ``status``: whether Red's moves and Black's moves are allowed.
    """
    checking = [side for side in (RED, BLACK) if status[side] == "perpetual_check"]
    if len(checking) == 1:
        return _loss_of(checking[0]), True, PERPETUAL_CHECK
    breaking = [side for side in (RED, BLACK) if status[side] != "allowed"]
    if len(breaking) == 1:
        return _loss_of(breaking[0]), False, "002-X 24.3, 26.4"
    return "draw", True, "002-X 24.2, 26.3" if breaking else "002-X 24.2, 26.2"


def _judge_checks(
    start: Board, moves: Sequence[int], first: int, rules: XiangqiRules
) -> tuple[Outcome, bool, str] | None:
    """Return the result if one side alone has checked three times 将军三次 and the rules forbid it (003), or None.

    Counted are repeated checks since ply ``first``, at which the repeated position occurred for the first time.
    """
    if rules.three_checks == "by_cycle":
        return None
    board, checks = start.fork(), Counter[tuple[bytes, int]]()
    for ply in range(len(moves) + 1):
        if ply >= first and board.is_in_check(board.turn):
            checks[board.key(), 1 - board.turn] += 1
        if ply < len(moves):
            board.make(moves[ply])
    thrice = [side for side in (RED, BLACK) if sum(n for (_, by), n in checks.items() if by == side and n > 1) >= 3]
    return (_loss_of(thrice[0]), True, THREE_CHECKS) if len(thrice) == 1 else None


def _result_now(judged: tuple[Outcome, bool, str], rules: XiangqiRules) -> tuple[Outcome, bool, str]:
    """Return the result ``judged``, or the same loss as one that applies at once.

    The loss applies at once if the rules judge only a repetition that goes on: the loser has then failed to vary
    应变不变 (000-A 2.6).
    """
    outcome, at_once, _ = judged
    return judged if at_once or rules.repeated == "told_to_vary" else (outcome, True, GOES_ON)


def _statuses(deeds: Sequence[Deed]) -> tuple[Status, Status]:
    red, black = (status_of(deed.kind for deed in deeds if deed.side == side) for side in (RED, BLACK))
    return red, black


def _loss_of(side: int) -> Outcome:
    return "black_wins" if side == RED else "red_wins"


def _side_ground(judgement: Judgement, side: int) -> Ground:
    """Return the ground that summarises a side's moves in the judged cycle, such as 长将, 一将一捉 or 数捉一闲."""
    kinds = judgement.kinds(side)
    present = tuple(code for kind, code in CODES.items() if kind in kinds and kind != "闲")
    facts: dict[str, GroundFact] = {"side": SIDES[side], "status": judgement.status[side]}
    if not present:
        return ground("side_idle", **facts)
    return ground("side_pauses" if "闲" in kinds else "side_always", kinds=present, **facts)


def _verdict(judgement: Judgement) -> Ground:
    if judgement.outcome == "draw":
        return ground("nobody_varies", article=judgement.article)
    loser = SIDES[RED if judgement.outcome == "black_wins" else BLACK]
    return ground("loses_at_once" if judgement.at_once else "must_vary", side=loser, article=judgement.article)
