"""A game that has score sheets: the one object in which ``boards/<game>/game.py`` says all that generic code asks of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from services.games.rules.boards.port.claim import Claim
from services.games.rules.boards.port.position import IllegalMove, Position
from services.games.rules.boards.port.set_up import SetUp
from shared.core.events.sheets import Claim as ClaimName
from shared.core.events.sheets import Step as StepName
from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import BoardRules
from shared.core.terms import Seconds, TimeControl


@dataclass(frozen=True, slots=True)
class Step:
    """A step that a game has beside moves; ``words`` tell of it on a page.

    ``is_ply``: a move's worth 一着, with a ply of its own (000-C 2). ``commanded``: False for one that only a claim brings.
    ``act``: that of the office which takes it, None for the sides'. ``from_start``: it tells what has been so from the
    first move on; ``permanent``: moves taken back leave it. ``sealing``: of an adjournment, the position stays as it is.
    ``places``: SGF has it as a stone, or as a pass where it names no point. ``overtime``: by which article the step took
    too long, by the time control, the rules, and what the step names. ``clock``: of a side's clock, not of the position.
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
"""The steps of sealed moves, for a game that says the article of them (``BoardGame.sealing``)."""


CLOCK_STEPS = (
    Step("set_clock", say("the clock is set to"), act="set a clock", permanent=True, clock=True),
    Step("clock_shows", say("the clock shows"), commanded=False, clock=True),
    Step("start_clocks", say("the clocks are set up"), act="set a clock", permanent=True, clock=True),
    Step("byo_yomi", say("periods of byo-yomi left:"), clock=True),
)
"""The steps of clocks, which every game has: an arbiter sets one, or sets them up where the game began without; a reading
shows what rulings and lateness took or gave; and how many periods of byo-yomi a clock has left."""


class Progress(NamedTuple):
    """The length of a game so far: full moves of both sides, and by the clocks the seconds that both have used."""

    moves: int
    seconds: int
    time: TimeControl | None


@dataclass(frozen=True, slots=True)
class ReversedColours:
    """The fate of a game that was begun with the colours reversed 双方棋子颠倒: played on by its step, or anew for its
    reason of moves taken back. ``goes_on``: which of both; None: either, as the arbiter says."""

    step: StepName
    reason: str
    article: str
    goes_on: Callable[[Any, Progress], bool | None]
    new_game: Callable[[Any], Message]
    """Until when a new game is played."""


def _drawn_by_agreement(position: Position) -> IllegalMove | None:
    return None


def _at_once(rules: BoardRules) -> Seconds:
    return Seconds(0)


def _as_paired(position: Position) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class BoardGame:
    """A game by its ``name``, as tournaments announce it, with the articles of what all games have, as its texts number them.

    ``start``: the position before the first move, by the rules; ``set_up``: one that a text tells in the game's own notation,
    None for the usual one (it raises `BadPosition`), where games begin from such; ``default_rules``: those of a question
    outside any tournament. ``turn``: one side moves after the other; ``sealing``: of sealed moves 封棋;
    ``clock_fault``: of a faulty clock; ``increment_first``: each increment is added before its move, empty: after it;
    ``announced_move``: the move of a wrong claim is played first. ``reasons``: why moves
    may be taken back; for those in ``void`` the game is played anew, to its first move, as it was paired.
    ``passing``: a pass as the sheets keep it, None where nobody passes.

    Hooks: ``no_draw``, why no draw is agreed on in this position; ``resignation_limit``, the seconds within which a
    resignation is to be confirmed, 0: it needs none; ``reversed_colours``, None where the position alone decides;
    ``colours_settled``, whether a guess, swap or prediction that gives the seats their colours is over.
    """

    name: str
    start: Callable[[Any], Position]
    default_rules: Callable[[], BoardRules]
    turn: str
    resignation: str
    agreement: str
    offering: str
    sealing: str = ""
    clock_fault: str = "house: as 000-E 围棋 5(5): 裁判长应根据实际情况作出…裁决"
    increment_first: str = ""
    announced_move: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)
    void: frozenset[str] = frozenset()
    steps: tuple[Step, ...] = ()
    claims: tuple[Claim, ...] = ()
    passing: str | None = None
    set_up: Callable[[Any, str], SetUp | None] | None = None
    no_draw: Callable[[Position], IllegalMove | None] = _drawn_by_agreement
    resignation_limit: Callable[[Any], Seconds] = _at_once
    reversed_colours: ReversedColours | None = None
    colours_settled: Callable[[Position], bool] = _as_paired

    @cached_property
    def steps_by_name(self) -> Mapping[StepName, Step]:
        return {step.name: step for step in self.steps}

    @cached_property
    def claims_by_name(self) -> Mapping[ClaimName, Claim]:
        return {claim.name: claim for claim in self.claims}
