"""The model of formats: the sides of a competition, entries or (in a team event) teams, as formats see them.

Formats speak of sides alone; `seating` turns their meetings into boards.
"""

from dataclasses import dataclass

from shared.core.events import Engine
from shared.core.rulebook.stage_rules import StageRule
from shared.core.terms import HalfPoints, Side


@dataclass(frozen=True, slots=True)
class Contender:
    """A side that is to meet another in the next round.

    ``side``: the number of the entry or of the team; ``number``: its place in the starting order. ``points`` in
    half-points, of a team its match points doubled; ``game_points`` a team's game points, 0 for a player. ``met``: sides
    it has played against; ``colours``: ``w`` and ``b`` of its games played, of a team those on the first board;
    ``bye_barred``: it may not have the pairing-allocated bye any more.
    """

    side: int
    number: int
    points: HalfPoints
    game_points: HalfPoints
    met: tuple[int, ...]
    colours: str
    bye_barred: bool

    @property
    def colour_difference(self) -> int:
        """Games with White (Red) less games with Black."""
        return self.colours.count("w") - self.colours.count("b")


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two sides that meet. ``walkover``: the one that goes on without play, for want of an opponent (``second`` 0) or
    of one that is still there; 0 where neither is; None: they play.

    ``first`` has White (Red) on the first board of odd ``leg``s, ``second`` of even ones: the colours are changed from
    game to game (002-X 13.5). ``match`` 0: a game that belongs to no match. ``places`` as in `events.Match`.
    """

    first: int
    second: int
    match: int = 0
    leg: int = 1
    places: tuple[int, ...] = ()
    walkover: int | None = None

    @property
    def pair(self) -> tuple[int, int]:
        """Both sides, the smaller number first."""
        return min(self.first, self.second), max(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Plan:
    """A format's plan of the next round: its meetings in the order of boards.

    ``byes`` have the pairing-allocated bye (轮空); ``rests`` no opponent, and no points for it. ``seed``: of the lots
    drawn for it, 0 where none were. ``fixed``: by hand, too, exactly these meet.
    """

    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()
    stage: str = ""
    groups: tuple[tuple[int, ...], ...] = ()
    seed: int = 0
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class RoundRequest:
    """The request of a command for a round of a ``stage``. ``seed`` draws its lots (0: none are), ``initial`` is the
    first colour of a Dutch Swiss, ``engine`` the engine at hand that pairs the format. ``entrants``: the sides that the
    stage begins with, by their seeds."""

    seed: int
    initial: Side
    engine: Engine
    stage: StageRule
    entrants: tuple[int, ...] = ()
