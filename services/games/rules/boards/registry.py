"""The games with score sheets, each by the row in its own folder, and tables derived from all of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import get_args

from services.games.rules.boards.chess.game import CHESS
from services.games.rules.boards.go.game import GO
from services.games.rules.boards.gomoku.game import GOMOKU
from services.games.rules.boards.port.board_game import BoardGame, Step
from services.games.rules.boards.port.claim import Claim
from services.games.rules.boards.port.position import BadPosition, Position, SetUp
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
    """Convert a time control with increments before each move to one with increments after it.

    A clock shows the first increment from the start, such as 1:30:30 for 90 minutes and 30 seconds, and that of another
    period from the beginning of that period.
    """
    periods: list[Period] = []
    before = 0
    for period in control.periods:
        increment = control.increment + period.increment
        periods.append(replace(period, seconds=Seconds(period.seconds + increment - before)))
        before = increment
    if control.periods and control.periods[-1].moves and periods[-1].seconds != control.periods[-1].seconds:
        periods.append(control.periods[-1])  # Repeated periods: the increment was added before.
    return replace(control, periods=tuple(periods))


GAMES: dict[str, BoardGame] = {game.name: game for game in (CHESS, XIANGQI, GO, RENJU, GOMOKU, PREDICTION)}
"""Announced game -> its row. All other games have no moves here; their results are reported."""

COMMON_REASONS = {
    "agreement": "house: both sides agree that the moves were not to count",  # prose: ok: recorded in logs
    "ruling": "house: a ruling asks for it",  # prose: ok: recorded in logs
    "misrecorded": "house: the sheet did not show what was played",  # prose: ok: recorded in logs
}
"""Reasons for taking moves back in any game, with the article."""

COMMON_CLAIMS: tuple[ClaimName, ...] = ("resignation", "flag")
"""The claims that every game has."""

STEPS: tuple[Step, ...] = tuple(step for game in GAMES.values() for step in game.steps)
CLAIMS: tuple[Claim, ...] = tuple(claim for game in GAMES.values() for claim in game.claims)


def _steps(chosen: Iterable[Step]) -> frozenset[StepName]:
    return frozenset(step.name for step in chosen)


# Used to replay a sheet without knowing its game. A name means the same in every game that has it.
PLY_STEPS = _steps(step for step in STEPS if step.is_ply)
"""The steps that count as a move 一着 and have a ply of their own (000-C 2)."""
PERMANENT_STEPS = _steps(step for step in STEPS if step.permanent)
"""The steps that stay if moves are taken back."""
PLACING_STEPS = _steps(step for step in STEPS if step.places)
"""The steps that put a stone on the board, or are a pass."""
COMMANDED_STEPS = _steps(step for step in STEPS if step.commanded)
"""All steps of any game that can be commanded."""
STEP_WORDS: Mapping[StepName, Message] = {step.name: step.words for step in STEPS}
VOID_REASONS: frozenset[str] = frozenset().union(*(game.void for game in GAMES.values()))
"""Reasons for which a game is played again: nothing of it counts, and it begins as it was paired."""
REASONS: frozenset[str] = frozenset(COMMON_REASONS).union(*(game.reasons for game in GAMES.values()))
"""All reasons for which any game takes moves back."""
CLOCK_STEP_NAMES = _steps(step for step in STEPS if step.clock)
COSTLY_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.costs_time)
BINDING_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.binds)
VARYING_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.varies)
TOUCH_CLAIMS = frozenset(claim.name for claim in CLAIMS if claim.touches)
CLAIM_NAMES: tuple[ClaimName, ...] = tuple(
    name for name in get_args(ClaimName) if name in {*COMMON_CLAIMS, *(claim.name for claim in CLAIMS)}
)
"""All claims of any game, in the order of the event's own list."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A game under the regulations in force.

    ``time``: the announcement's, else that of the regulations, or None without a time control, which leaves clock
    readings unlimited. ``position``: the one that was set up before the first move, or None for the usual one.
    ``decisions``: the decision edition.
    """

    name: str
    rules: BoardRules
    time: TimeControl | None = None
    position: str | None = None
    decisions: int = 1

    @property
    def clock(self) -> TimeControl | None:
        """The time control as the clocks run it, or None without one.

        In decision edition 1, every game added each increment after its move.
        """
        if self.time is None or not self.game.increment_first or self.decisions < 2:
            return self.time
        return increments_first(self.time)

    @property
    def game(self) -> BoardGame:
        return GAMES[self.name]

    def start(self) -> Position:
        """Return the position before the first move."""
        set_up = None if self.position is None else _set_up(self.name, self.rules, self.position)
        return self.game.start(self.rules) if set_up is None else set_up.position.fork()

    def reasons(self) -> Mapping[str, str]:
        """Return the reasons for which moves may be taken back, each with its article."""
        return dict(self.game.reasons) | COMMON_REASONS

    def claims(self) -> tuple[ClaimName, ...]:
        """Return the claims that can be made."""
        return (*COMMON_CLAIMS, *sorted(self.game.claims_by_name))


@lru_cache(maxsize=256)
def _set_up(name: str, rules: BoardRules, position: str) -> SetUp | None:
    """Return the position that a log states, or None if the text cannot be read or is the usual position.

    A log may contain a position that no rules would have written.
    """
    set_up = GAMES[name].set_up
    try:
        return None if set_up is None else set_up(rules, position)
    except BadPosition:
        return None


def default_rules(name: str) -> BoardRules:
    """Return the rules of the game ``name`` that apply outside any tournament."""
    return GAMES[name].default_rules()


def variant_of(t: Tournament, one: Game | None = None) -> Variant | None:
    """Return the variant that this tournament, or its game ``one``, plays; None if only results are reported.

    It is the announced game if the regulations have rules for it and it was not announced with ``results_only``. A
    started game continues under the regulations of its start, in the time of its stage, from the position that it began
    from. If the log states a start that is not a position of the game, the result is None too. Regulations from before
    rules of games name chess as their ``sheet``.
    """
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
