"""A game with score sheets: the one object in ``boards/<game>/game.py`` with everything that game-independent code needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from services.games.rules.boards.port.claim import Claim
from services.games.rules.boards.port.position import Position, SetUp
from shared.core.events.sheets import Claim as ClaimName
from shared.core.events.sheets import Step as StepName
from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import BoardRules
from shared.core.terms import Seconds, TimeControl
from shared.regulations import load


@dataclass(frozen=True, slots=True)
class Step:
    """A kind of step that a game has in addition to moves, such as a pass. ``words`` describe it on a page.

    ``is_ply``: it counts as a move 一着, with a ply of its own (000-C 2). ``commanded``: False for a step that only
    results from a claim. ``act``: the act that allows an official to take it; None for steps of the sides.
    ``from_start``: it states a fact that applies since the first move. ``permanent``: it stays if moves are taken back.
    ``sealing``: it belongs to an adjournment and does not change the position.

    ``places``: SGF records it like a move, as a stone, or as a pass if it has no point. ``overtime``: a function of the
    time control, the rules and the step's values; it returns the article that limits the time of the step if the step
    took longer. ``clock``: it is about a side's clock, not the position.
    """

    name: StepName
    words: Message
    is_ply: bool = False
    commanded: bool = True
    act: str | None = None
    from_start: bool = False
    permanent: bool = False
    sealing: bool = False
    places: bool = False
    overtime: Callable[[TimeControl, Any, tuple[str, ...]], str | None] | None = None
    clock: bool = False


ADJOURNMENT = (
    Step("adjourn", say("seals a move"), sealing=True),
    Step("unseal", say("the sealed move is opened"), sealing=True),
)
"""The steps of sealed moves, for a game with an article for them (``BoardGame.sealing``)."""


CLOCK_STEPS = (
    Step("set_clock", say("the clock is set to"), act="set a clock", permanent=True, clock=True),
    Step("clock_shows", say("the clock shows"), commanded=False, clock=True),
    Step("start_clocks", say("the clocks are set up"), act="set a clock", permanent=True, clock=True),
    Step("byo_yomi", say("periods of byo-yomi left:"), clock=True),
)
"""The steps of clocks, which every game has.

An arbiter sets one, or sets them up if the game began without. A reading shows the effect of rulings and lateness. A
clock has a number of byo-yomi periods left.
"""


class Progress(NamedTuple):
    """The length of a game so far: full moves of both sides, and the seconds that both have used by the clocks.

    ``time``: the game's time control, or None without one.
    """

    moves: int
    seconds: int
    time: TimeControl | None


@dataclass(frozen=True, slots=True)
class ReversedColours:
    """The rule for a game begun with reversed colours 双方棋子颠倒.

    The game continues with ``step``, or is played again with ``reason`` as the reason of moves taken back. ``goes_on``
    returns whether it continues, or None if the arbiter decides.
    """

    step: StepName
    reason: str
    article: str
    goes_on: Callable[[Any, Progress], bool | None]
    new_game: Callable[[Any], Message]
    """Returns the sentence that states the move before which a new game is played."""


@dataclass(frozen=True, kw_only=True)
class BoardGame:
    """A game by its ``name`` in tournaments, with the articles of common rules, numbered as in the game's text.

    ``start``: returns the position before the first move. ``set_up``: reads a position in the game's own notation, None
    for the usual one (raises `BadPosition`). ``default_rules``: returns the rules for a question outside any
    tournament.

    ``turn``: the article that sides move alternately. ``sealing``: that of sealed moves 封棋. ``clock_fault``: that of
    faulty clocks. ``increment_first``: each increment is added before its move; empty: after it. ``announced_move``:
    the move announced with a wrong claim must be played. ``reasons``: reasons for taking moves back. For those in
    ``void`` the whole game is played again as it was paired. ``passing``: a pass in the notation of the sheets, or None
    without passes.

    Hooks: ``resignation_limit`` returns the seconds within which a resignation must be confirmed, or it is void; 0 if
    it need not be. ``reversed_colours``: the rule for games begun with reversed colours, or None; even then a step may
    correct them.
    """

    name: str
    start: Callable[[Any], Position]
    default_rules: Callable[[], BoardRules]
    turn: str
    resignation: str
    agreement: str
    offering: str
    sealing: str = ""
    clock_fault: str = "house: as 000-E 围棋 5(5): 裁判长应根据实际情况作出…裁决"  # prose: ok: recorded in logs
    increment_first: str = ""
    announced_move: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    void: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    claims: tuple[Claim, ...] = ()
    passing: str | None = None
    set_up: Callable[[Any, str], SetUp | None] | None = None
    resignation_limit: Callable[[Any], Seconds] = lambda rules: Seconds(0)
    reversed_colours: ReversedColours | None = None

    @cached_property
    def steps_by_name(self) -> Mapping[StepName, Step]:
        return {step.name: step for step in self.steps}

    @cached_property
    def claims_by_name(self) -> Mapping[ClaimName, Claim]:
        return {claim.name: claim for claim in self.claims}


T = TypeVar("T", bound=BoardRules)


def rules_of(regulations: str, game: str, of: type[T]) -> T:
    """Return the rules of a game in the ruleset of the name ``regulations``. ``of``: the class of these rules."""
    rules = load(regulations).game.rules[game]
    assert isinstance(rules, of), "the table of rules has one class a game"
    return rules
