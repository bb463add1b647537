"""The games that have score sheets, each by the row in its own folder, and what follows from all of them together."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import get_args

from services.games.rules.boards.chess.game import CHESS
from services.games.rules.boards.go.game import GO
from services.games.rules.boards.gomoku.game import GOMOKU
from services.games.rules.boards.port.board_game import BoardGame, Step
from services.games.rules.boards.port.claim import Claim
from services.games.rules.boards.port.position import Position
from services.games.rules.boards.port.set_up import BadPosition, SetUp
from services.games.rules.boards.prediction.game import PREDICTION
from services.games.rules.boards.renju.game import RENJU
from services.games.rules.boards.xiangqi.game import XIANGQI
from shared.core.events.sheets import Claim as ClaimName
from shared.core.events.sheets import Step as StepName
from shared.core.language.messages import Message
from shared.core.rulebook.game_rules import BoardRules
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Period, Seconds, TimeControl


@lru_cache(maxsize=256)
def increments_first(control: TimeControl) -> TimeControl:
    """The control whose clocks have each increment before its move, as one that gives them after it.

    A clock shows the first increment from the start, 1:30:30 of 90 minutes and 30 seconds, and another period's from where
    that begins.
    """
    periods: list[Period] = []
    before = 0
    for period in control.periods:
        increment = control.increment + period.increment
        periods.append(replace(period, seconds=Seconds(period.seconds + increment - before)))
        before = increment
    if control.periods and control.periods[-1].moves and periods[-1].seconds != control.periods[-1].seconds:
        periods.append(control.periods[-1])  # Again and again: its increment was there before.
    return replace(control, periods=tuple(periods))


GAMES: dict[str, BoardGame] = {game.name: game for game in (CHESS, XIANGQI, GO, RENJU, GOMOKU, PREDICTION)}
"""Announced game -> its row. Every other game is one without moves: its results are reported from the hall."""

COMMON_REASONS = {
    "agreement": "house: both sides agree that the moves were not to count",
    "ruling": "house: a ruling asks for it",
    "misrecorded": "house: the sheet did not show what was played",
}
"""Why moves may be taken back in any game, and the article that says so."""

COMMON_CLAIMS: tuple[ClaimName, ...] = ("resignation", "flag")
"""The claims that every game has."""

STEPS: tuple[Step, ...] = tuple(step for game in GAMES.values() for step in game.steps)
CLAIMS: tuple[Claim, ...] = tuple(claim for game in GAMES.values() for claim in game.claims)


def _steps(chosen: Iterable[Step]) -> frozenset[StepName]:
    return frozenset(step.name for step in chosen)


# What the fold of a sheet asks of a line without knowing its game. A name means the same in every game that has it.
PLY_STEPS = _steps(step for step in STEPS if step.is_ply)
"""The steps that are a move's worth 一着 and have a ply of their own (000-C 2)."""
PERMANENT_STEPS = _steps(step for step in STEPS if step.permanent)
"""The steps that stand though moves are taken back."""
PLACING_STEPS = _steps(step for step in STEPS if step.places)
"""The steps that put a stone on the board, or are a pass."""
COMMANDED_STEPS = _steps(step for step in STEPS if step.commanded)
"""Every step that some game can be asked for."""
STEP_WORDS: Mapping[StepName, Message] = {step.name: step.words for step in STEPS}
VOID_REASONS: frozenset[str] = frozenset().union(*(game.void for game in GAMES.values()))
"""Reasons for which a game is played anew: nothing of it counts, and it begins as it was paired."""
REASONS: frozenset[str] = frozenset(COMMON_REASONS).union(*(game.reasons for game in GAMES.values()))
"""Every reason for which some game takes moves back."""
CLOCK_STEP_NAMES = _steps(step for step in STEPS if step.clock)
COSTLY_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.costs_time)
BINDING_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.binds)
VARYING_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.varies)
TOUCH_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.touches)
CLAIM_NAMES: tuple[ClaimName, ...] = tuple(
    name for name in get_args(ClaimName) if name in {*COMMON_CLAIMS, *(claim.name for claim in CLAIMS)}
)
"""Every claim that some game has, in the order of the event's own list."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A game as the regulations in force have it. ``time`` is the announcement's, else theirs; None: both leave it open,
    and a reading may say anything. ``position``: the one that was set up before the first move, None for the usual one;
    ``decisions``: the edition by which it is decided."""

    name: str
    rules: BoardRules
    time: TimeControl | None = None
    position: str | None = None
    decisions: int = 1

    @property
    def clock(self) -> TimeControl | None:
        """The time as the clocks run it: by decisions 1 each increment was added after its move in every game."""
        if self.time is None or not self.game.increment_first or self.decisions < 2:
            return self.time
        return increments_first(self.time)

    @property
    def game(self) -> BoardGame:
        return GAMES[self.name]

    def start(self) -> Position:
        """The position before the first move."""
        set_up = None if self.position is None else _set_up(self.name, self.rules, self.position)
        return self.game.start(self.rules) if set_up is None else set_up.position.fork()

    def reasons(self) -> Mapping[str, str]:
        """The reasons for which moves may be taken back, each with its article."""
        return dict(self.game.reasons) | COMMON_REASONS

    def claims(self) -> tuple[ClaimName, ...]:
        """The claims that can be made."""
        return (*COMMON_CLAIMS, *sorted(self.game.claims_by_name))


@lru_cache(maxsize=256)
def _set_up(name: str, rules: BoardRules, position: str) -> SetUp | None:
    """The position of a log, which may hold what no rules would have written there. None: it is not to be read."""
    set_up = GAMES[name].set_up
    try:
        return None if set_up is None else set_up(rules, position)
    except BadPosition:
        return None


def default_rules(name: str) -> BoardRules:
    """The rules of a game where no tournament's regulations are before the desk."""
    return GAMES[name].default_rules()


def variant_of(t: Tournament, one: Game | None = None) -> Variant | None:
    """The variant that this tournament plays: the game announced, where the regulations have rules for it, unless
    it was announced with ``results_only``; else None, and results alone are reported. A game is played on by the
    regulations that it was started by, in the time of its stage, from the position that it began from; None too where
    that is no position of the game.
    Regulations from before they held rules name chess as their ``sheet``."""
    start = None if one is None else one.started
    regulations = t.regulations if start is None else t.regulations_at(start)
    name, game = t.announced.game, regulations.game
    if name not in GAMES or t.announced.excludes_sheets:
        return None
    rules = game.rules.get(name)
    if rules is None and game.sheet == name:
        rules = default_rules(name)
    if rules is None:
        return None
    stage = None if one is None else t.pairings[one.pairing - 1].event.stage
    of_stage = next((row.time for row in regulations.stages if row.name == stage), None)
    position = None if one is None else one.position
    if position is not None and _set_up(name, rules, position) is None:
        return None
    time = of_stage or t.announced.conditions.time or game.time(name)
    return Variant(name, rules, time, position, regulations.decisions)
