"""What a log says of games, rulings, removals, matches and pairings, as plain records."""

from dataclasses import dataclass, field
from typing import NamedTuple


class Mark(NamedTuple):
    """The result of one side of a game: half-points, and whether the game was played."""

    points: int
    played: bool


@dataclass
class Game:
    """A game as it was paired, and every statement about its result."""

    id: str
    round: int
    white: int
    black: int
    seq: int
    results: list[tuple[Mark, Mark]] = field(default_factory=list)
    rulings: list[str] = field(default_factory=list)
    started: bool = False

    def other(self, player: int) -> int:
        return self.black if player == self.white else self.white


@dataclass
class Ruling:
    """A ruling, or an annulment (then ``annuls`` names the ruling)."""

    id: str
    seq: int
    player: int
    round: int
    kind: str
    because: tuple[str, ...]
    marks: tuple[Mark, Mark] | None
    game: str | None
    counter: str | None
    infraction: str
    annuls: str | None = None
    rounds: tuple[int, ...] = ()


@dataclass
class Leaving:
    """A removal from round ``first`` on: 退出, or 除名, which is the same while its ``ruling`` is in force (002-X 18.3).

    ``back``: the round from which a player who left voluntarily plays again. ``void``: fewer than half of the opponents
    of the table of part ``part`` had been met, so its results are annulled 注销 (002-X 20.3).
    """

    player: int
    seq: int
    first: int
    ruling: str | None
    void: bool
    part: int
    back: int | None = None


@dataclass
class Bout:
    """A match between two sides: ``legs`` are (round, boards, byes). ``fed``: the bout that each side came from, and whether
    it had won it, as far as known when this bout was paired."""

    number: int
    first: int
    second: int
    part: int
    paired: int
    pairing: int
    legs: list["Leg"] = field(default_factory=list)
    fed: dict[int, tuple[int, bool]] = field(default_factory=dict)
    empty: set[tuple[int, bool]] = field(default_factory=set)
    """The bouts of which no winner (true) or no loser (false) came to a seat that stayed empty."""

    @property
    def sides(self) -> tuple[int, int]:
        return self.first, self.second


class Leg(NamedTuple):
    """One round of a match."""

    round: int
    games: tuple[str, ...]
    alone: tuple[int, ...]
    """Players who had nobody opposite: the board is won by forfeit."""
    free: frozenset[int]
    """Players with a pairing-allocated bye: the side goes on without a game."""


@dataclass
class Round:
    """A published pairing in force."""

    number: int
    pairing: int
    seq: int
    part: int
    games: tuple[str, ...]
    byes: dict[int, str]
    bouts: tuple[int, ...]
    stage: str
    seeds: tuple[tuple[int, ...], ...]
    legs: dict[int, Leg]
    began: bool
    seed: int


class StageRule(NamedTuple):
    """A stage as announced."""

    name: str
    format: str
    rounds: int
    groups: int
    qualifiers: int
    games: int
    best: bool
    extra: int
    places: bool


class Part(NamedTuple):
    """A part of the competition that was paired: from its ``first`` round on, in these ``groups``."""

    number: int
    rule: StageRule
    first: int
    groups: tuple[tuple[int, ...], ...]
