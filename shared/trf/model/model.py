"""The model of a TRF file, as frozen data: FIDE's Tournament Report File, editions 16 and 26.

Column numbers in error messages count from 1, as FIDE's tables do.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Literal, NamedTuple

import msgspec

from shared.core.events import VirtualPoints
from shared.core.language.charset import UTF8, Encoding
from shared.core.rulebook.formats import Format
from shared.core.terms import ByeKind, Side
from shared.trf.model.columns import Measure, NewLine
from shared.trf.model.differences import Difference
from shared.trf.model.forbidden_groups import ForbiddenGroup


@dataclass(frozen=True, slots=True)
class Letter:
    """A result letter's meaning: the share, whether it was played, and whether FIDE rates it."""

    share: Literal["win", "draw", "loss"]
    played: bool
    rated: bool = True


GAME_LETTERS: dict[str, Letter] = {
    "1": Letter("win", True),
    "=": Letter("draw", True),
    "0": Letter("loss", True),
    "W": Letter("win", True, rated=False),
    "D": Letter("draw", True, rated=False),
    "L": Letter("loss", True, rated=False),
    "+": Letter("win", False, rated=False),
    "-": Letter("loss", False, rated=False),
}
"""Letters beside an opponent. W, D and L are games of less than one move: played, but not rated."""

BYE_LETTERS: dict[str, ByeKind] = {
    "U": "U",
    "F": "F",
    "H": "H",
    "Z": "Z",
    "+": "F",
    "=": "H",
    "-": "Z",
}
"""Letters without an opponent. ``+``, ``=`` and ``-`` are the older spelling of F, H and Z."""


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One player's round. ``opponent`` 0: a bye, ``bye`` tells which.

    ``side`` None: no colour given. ``letter`` is the file's own, empty: paired, without a
    result yet. ``line`` and ``column`` are where it stands.
    """

    opponent: int
    side: Side | None
    letter: str
    line: int = 0
    column: int = 0

    @property
    def bye(self) -> ByeKind | None:
        """The kind of bye; None for a game."""
        return None if self.opponent else BYE_LETTERS[self.letter]


class TrfPlayer(msgspec.Struct, frozen=True, gc=False):
    """A 001 record. ``id`` is the starting number; ``rounds`` holds None for a blank entry.

    ``points`` and ``rank`` are the file's own words, kept and never believed: `comparison` holds them against the results.
    """

    id: int
    name: str
    rating: int | None = None
    sex: str = ""
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    points: str = ""
    rank: str = ""
    rounds: tuple[Entry | None, ...] = ()
    line: int = 0

    def entry(self, round: int) -> Entry | None:
        """The player's entry of a round, from 1; None where the line has none."""
        return self.rounds[round - 1] if round <= len(self.rounds) else None


class Record(msgspec.Struct, frozen=True, gc=False):
    """A line as it stands; ``player`` names the one whose 001 record it is, 0 for every other record.

    ``read``: that player as he was read from it; as long as he is still so, the line is written as it stands.
    """

    line: int
    text: str
    player: int = 0
    read: TrfPlayer | None = None


@dataclass(frozen=True, slots=True)
class TrfTeam:
    """A 013 or 310 record. ``members``: starting numbers in the order of boards. 013 numbers teams by their order."""

    id: int
    name: str
    members: tuple[int, ...]
    line: int = 0


@dataclass(frozen=True, slots=True)
class Abnormal:
    """A 299 record: points by exception, in half-points, of a team or a player. ``sign`` `` `` is a penalty or a bonus;
    ``round`` 0: all of them; it stands from ``column`` on."""

    sign: str
    match_points: int
    game_points: int
    round: int
    of: tuple[int, ...]
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class AllocatedByes:
    """A 320 record: what the pairing-allocated bye of a team is worth in half-points, and the team that had it in each round
    (0: none)."""

    match_points: int
    game_points: int
    teams: tuple[int, ...]


class Unplayed(NamedTuple):
    """A place (240, 320, 330) that gives a team a round without a match that was played."""

    team: int
    round: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ForfeitedMatch:
    """A 330 record: ``sign`` is White's and Black's."""

    sign: str
    round: int
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class System:
    """The system by which the file says that it is paired: ``code`` of record 192, or the words of 092 where these say it.

    ``format`` None: by nothing that is paired here. ``line`` is where it stands.
    """

    code: str
    format: Format | None
    line: int

    @property
    def baku(self) -> bool:
        """Whether it is accelerated by the Baku method (C.04.7)."""
        return self.code.endswith("_BAKU")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings that pairing or ranking needs, from the other records.

    ``points``: half-points by JaVaFo's codes (WW BW WD BD WL BL FW FL PAB FPB HPB ZPB), empty
    where the file is silent. ``absent``: players that do not play the next round (XXZ).
    ``byes``: (player, round, letter) of record 240. ``accelerated``: virtual points of XXA and 250.
    ``tiebreaks`` of record 202 or 212, from ``tiebreaks_line``. ``boards`` of a match of teams (352, else 0), their
    ``colours`` as W and B,
    ``match_points`` in half-points by the symbols of 362 (TW TD TL); ``team_byes`` as ``byes``, of teams.
    ``city``, ``begins``, ``ends``, ``time``: 022, 042, 052, 222 as written. ``lineups``: by team and round its players from the
    first board on, as 300 or 801 tell; ``unplayed``: every bye and forfeited match of a team. ``by_position``: players have
    the numbers of their lines in the pairing (XXC rank). ``remarks``: words that are not used, and records that contradict
    each other.
    """

    name: str = ""
    rounds: int = 0
    initial_colour: Side | None = None
    points: tuple[tuple[str, int], ...] = ()
    forbidden: tuple[ForbiddenGroup, ...] = ()
    absent: frozenset[int] = frozenset()
    byes: tuple[tuple[int, int, ByeKind], ...] = ()
    accelerated: tuple[VirtualPoints, ...] = ()
    tiebreaks: tuple[str, ...] = ()
    tiebreaks_line: int = 0
    system: System | None = None
    teams: tuple[TrfTeam, ...] = ()
    boards: int = 0
    match_points: tuple[tuple[str, int], ...] = ()
    team_byes: tuple[tuple[int, int, ByeKind], ...] = ()
    abnormal: tuple[Abnormal, ...] = ()
    allocated: AllocatedByes | None = None
    forfeits: tuple[ForfeitedMatch, ...] = ()
    city: str = ""
    begins: str = ""
    ends: str = ""
    time: str = ""
    lineups: Mapping[tuple[int, int], tuple[int, ...]] = field(default_factory=dict)
    unplayed: tuple[Unplayed, ...] = ()
    colours: str = ""
    by_position: bool = False
    remarks: tuple[Difference, ...] = ()

    def forbidden_pairs(self, round: int) -> frozenset[tuple[int, int]]:
        """Pairs that may not meet in a round, the smaller number first."""
        groups = (g.players for g in self.forbidden if g.first <= round <= g.last)
        return frozenset((min(pair), max(pair)) for group in groups for pair in combinations(group, 2))


@dataclass(frozen=True)
class TrfFile:
    """A file that was read: every line of it, the players in the file's order, and the settings.

    ``measure`` is how its columns are counted: characters, bytes, or cells of a terminal.
    """

    file: str
    records: tuple[Record, ...]
    players: tuple[TrfPlayer, ...]
    settings: Settings
    encoding: Encoding = UTF8
    newline: NewLine = "\n"
    measure: Measure = "characters"

    @cached_property
    def members(self) -> Mapping[int, tuple[int, ...]]:
        """The members of each team by its number."""
        return {team.id: team.members for team in self.settings.teams}

    @cached_property
    def places(self) -> Mapping[int, tuple[int, int]]:
        """Of every member of a team the team, and his place in it from 0."""
        return {m: (team.id, n) for team in self.settings.teams for n, m in enumerate(team.members)}

    @cached_property
    def rounds_recorded(self) -> int:
        """The last round in which a game or a pairing-allocated bye stands."""
        return max((n for n in range(1, len(self._columns) + 1) if self.paired(n)), default=0)

    @cached_property
    def numbered(self) -> dict[int, TrfPlayer]:
        """The players by starting number, ascending."""
        return dict(sorted((p.id, p) for p in self.players))

    @cached_property
    def pairing_numbers(self) -> Mapping[int, int]:
        """The numbers by which players are paired: their starting numbers, or the order of their lines (XXC rank)."""
        if not self.settings.by_position:
            return {p.id: p.id for p in self.players}
        return {p.id: n for n, p in enumerate(self.players, 1)}

    @cached_property
    def _columns(self) -> tuple[dict[int, Entry], ...]:
        rounds = max((len(p.rounds) for p in self.players), default=0)
        columns: tuple[dict[int, Entry], ...] = tuple({} for _ in range(rounds))
        for id, player in self.numbered.items():
            for column, entry in zip(columns, player.rounds, strict=False):
                if entry is not None:
                    column[id] = entry
        return columns

    def column(self, round: int) -> Mapping[int, Entry]:
        """The entries of a round, from 1, by starting number, ascending; whose line has none is not among them."""
        return self._columns[round - 1] if round <= len(self._columns) else {}

    def paired(self, round: int) -> bool:
        """Whether the file holds a pairing of that round: a game, or a pairing-allocated bye."""
        return any(e.opponent or e.bye == "U" for e in self.column(round).values())

    @cached_property
    def next_round(self) -> int:
        """The first round that some player's line lacks and that is not paired yet."""
        number = 1
        while self.paired(number) or len(self.column(number)) == len(self.players):
            number += 1
        return number
