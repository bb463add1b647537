"""The model of formats: the sides of a competition, which are entries or (in a team event) teams.

Formats use only sides; `seating` turns their meetings into boards.
"""

from dataclasses import dataclass, field

from services.pairing.rules.engine_adapters.record import PairingInput
from shared.core.events import Engine
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import HalfPoints, Side


@dataclass(frozen=True, slots=True)
class Contender:
    """A side to be paired in the next round.

    ``side``: the number of the entry or of the team. ``number``: its place in the starting order. ``points`` in
    half-points; for a team, its match points doubled. ``game_points``: a team's game points, 0 for a player. ``met``:
    sides it has played against. ``colours``: ``w`` and ``b`` of its games played; for a team, those on the first board.
    ``bye_barred``: not eligible for the pairing-allocated bye.
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
        """Games with White (Red) minus games with Black."""
        return self.colours.count("w") - self.colours.count("b")


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two sides that meet.

    ``walkover``: None if they play; else the side that advances without play, because the opponent is missing
    (``second`` 0) or has left; 0 if both are missing. ``match`` 0: a single game, not a match. ``leg``: the round of the
    match, from 1. ``first`` has White (Red) on the first board of odd legs, ``second`` on that of even legs (002-X 13.5).
    ``places``: the best ranks that winner and loser can still reach, if the match decides ranks.
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

    ``byes``: sides with the pairing-allocated bye (轮空). ``rests``: sides that have neither an opponent nor points in this
    round. ``seed``: the seed of the lots, or 0 if no lots were drawn. ``fixed``: True if a manual pairing must have exactly
    these meetings. ``start``: the records of the players that an engine paired.
    """

    meetings: tuple[Meeting, ...]
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()
    stage: str = ""
    groups: tuple[tuple[int, ...], ...] = ()
    seed: int = 0
    fixed: bool = False
    start: PairingInput | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class RoundRequest:
    """The values that a command gives for the plan of a round of a ``stage``.

    ``seed``: draws its lots (0: none). ``initial``: the initial colour of a Dutch Swiss. ``engine``: the engine to use.
    ``entrants``: the sides that begin the stage with this round, by their seeds; empty if it has begun, or begins with
    all sides.
    """

    seed: int
    initial: Side
    engine: Engine
    stage: StageRule
    entrants: tuple[int, ...] = ()
