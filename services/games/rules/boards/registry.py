"""The games that have score sheets: one row each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.games.rules.boards import default_rules as books
from services.games.rules.boards.chess.game import ChessGame
from services.games.rules.boards.chess.position import COLOURS, INITIAL
from services.games.rules.boards.go.game import GoGame
from services.games.rules.boards.gomoku.game import GomokuGame
from services.games.rules.boards.port import Position
from services.games.rules.boards.prediction.game import PredictionGame
from services.games.rules.boards.renju.game import RenjuGame
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from shared.core.entities import Game
from shared.core.events.sheets import Step
from shared.core.game_rules import BoardRules
from shared.core.terms import Side, TimeControl
from shared.core.tournament import Tournament

COMMON_REASONS = {
    "agreement": "house: both sides agree that the moves were not to count",
    "ruling": "house: a ruling asks for it",
    "misrecorded": "house: the sheet did not show what was played",
}
"""Why moves may be taken back in any game, and the article that says so."""

ANEW = frozenset({"initial_position", "wrong_colours"})
"""Reasons for which a game is void and played anew: nothing of it counts, and it begins as it was paired."""

SEALING: frozenset[Step] = frozenset({"adjourn", "unseal"})
"""The steps of an adjournment, which leave the position as it is."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a game brings beside its positions: the articles of what all games have, each as its own text numbers it.

    ``first`` moves first; ``turn``: one side moves after the other; ``reasons``: why moves may be taken back;
    ``steps``: those of its openings and phases, ``hall`` the ones that officials take, and the act of their office
    that each is, ``all_along`` the ones that tell what has been so from the first move on; ``sealing``: of sealed moves 封棋.
    """

    start: Callable[[Any], Position]
    first: Side
    turn: str
    resignation: str
    agreement: str
    offering: str
    reasons: Mapping[str, str]
    steps: frozenset[Step] = frozenset()
    hall: Mapping[Step, str] = field(default_factory=dict)
    all_along: frozenset[Step] = frozenset()
    sealing: str = ""


_RENJU = "000-A 五子棋, A"

ROWS: dict[str, Row] = {
    "chess": Row(
        lambda rules: ChessGame(rules=rules),
        first="white",
        turn="000-A 国际象棋, 违例 4; Laws 1.2",
        resignation="000-A 国际象棋, 对局结束 2; Laws 5.1.2",
        agreement="000-A 国际象棋, 对局结束 6; Laws 5.2.3",
        offering="000-A 国际象棋, 对局结束 7; Laws 9.1.2",
        reasons={
            "illegal_move": "000-A 国际象棋, 不合规则 1; Laws 7.5.1",
            "displaced_pieces": "000-A 国际象棋, 不合规则 2; Laws 7.4.1",
            "initial_position": INITIAL,
            "wrong_colours": COLOURS,
        },
        steps=SEALING | {"correct_colours"},
        hall={"correct_colours": "take moves back"},
        all_along=frozenset({"correct_colours"}),
        sealing="000-A 国际象棋, 对局结束 5, 9; Laws, Guidelines I",
    ),
    "xiangqi": Row(
        lambda rules: XiangqiPosition(),
        first="white",
        turn="002-X 2.1; 000-A 7.4",
        resignation="002-X 4.1.9; 000-A 2.8",
        agreement="002-X 4.2.2; 000-A 2, 和 2",
        offering="002-X 23.1",
        reasons={"wrong_order": "002-X 5.8; 000-A 3.8"},
        steps=SEALING,
        sealing="000-E 4(四)",
    ),
    "go": Row(
        GoGame,
        first="black",
        turn="000-A 围棋, 违例 4",
        resignation="000-A 围棋: house, no article tells how a game is resigned",
        agreement="000-A 围棋: house, no article tells how a draw is agreed",
        offering="000-A 围棋, 违例 6, 7",
        reasons={"takes_back": "000-A 围棋, 行棋 2", "scattered": "000-A 围棋, 行棋 3"},
        steps=frozenset({"confirm_end", "dead", "dispute", "correct_colours", "give_up", "settle"}),
        hall={"correct_colours": "take moves back", "settle": "settle boundaries"},
    ),
    "renju": Row(
        RenjuGame,
        first="black",
        turn=_RENJU,
        resignation="004 3.1 (8) ②",
        agreement="004 3.1 (9)",
        offering="004 3.1 (9)",
        reasons={},
        steps=frozenset({"opening", "swap", "keep", "offer_fifth", "choose_fifth"}),
    ),
    "gomoku": Row(
        GomokuGame,
        first="black",
        turn="000-B 2",
        resignation="000-D ㈢(1)",
        agreement="000-D ㈡",
        offering="000-D ㈡",
        reasons={"pushed_stone": "000-B 6"},
        steps=frozenset({"guess", "confirm_resignation"}),
    ),
    "prediction": Row(
        PredictionGame,
        first="black",
        turn="001 第二条 3",
        resignation="001 第三条 5",
        agreement="001 第三条 5",
        offering="001 第三条 5",
        reasons={},
        steps=frozenset({"criterion", "seal", "reveal"}),
        hall={"criterion": "take moves back"},
    ),
}
"""Announced game -> its row. Every other game is one without moves: its results are reported from the hall."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A game as the regulations in force have it. ``time`` is the announcement's, else theirs; None: both leave it open,
    and a reading may say anything."""

    name: str
    rules: BoardRules
    time: TimeControl | None = None

    @property
    def row(self) -> Row:
        return ROWS[self.name]

    def start(self) -> Position:
        """The position before the first move."""
        return self.row.start(self.rules)

    def reasons(self) -> Mapping[str, str]:
        """Why moves may be taken back, and the article that says so."""
        return dict(self.row.reasons) | COMMON_REASONS


def kind_of(t: Tournament, played: Game | None = None) -> Kind | None:
    """The kind of this tournament's games: the one announced, where the regulations have rules for it; else None,
    and results alone are reported. A game is played on by the regulations that it was started by. Regulations from
    before they held rules name chess as their ``sheet``."""
    begun = None if played is None else played.started
    regulations = t.regulations if begun is None else t.regulations_at(begun)
    name, game = t.announced.game, regulations.game
    if name not in ROWS:
        return None
    rules: BoardRules | None = game.rules.get(name)
    if rules is None and game.sheet == name:
        rules = books.chess()
    return None if rules is None else Kind(name, rules, t.announced.conditions.time or game.time(name))


def reasons() -> frozenset[str]:
    """Every reason for which some game takes moves back."""
    return frozenset(COMMON_REASONS).union(*(row.reasons for row in ROWS.values()))


def all_steps() -> frozenset[Step]:
    """Every step that some game has."""
    return frozenset().union(*(row.steps for row in ROWS.values()))
