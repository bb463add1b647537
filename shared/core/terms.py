"""The words of the field as types: units, marks, identities, refusals, what an announcement says.

Standard library only, like everything the fold is made of.
"""

from dataclasses import dataclass
from typing import Literal, NewType

from shared.core.language.messages import Message

HalfPoints = NewType("HalfPoints", int)
"""Points doubled: a win of one point is 2. Never a float."""
Seconds = NewType("Seconds", int)
Rounds = NewType("Rounds", int)
"""Of a game 回合: a move of each side; of a tournament: rounds paired."""
Moves = NewType("Moves", int)
"""Moves of one side."""
Ply = NewType("Ply", int)
"""Half-moves from the start of the game; the first move is ply 1."""
Seq = NewType("Seq", int)
"""Number of a line in a tournament's log, dense from 1; 0 is the empty log."""
PlayerId = NewType("PlayerId", int)
"""Number of the entry. Never changes; 0 stands for nobody."""
GameId = NewType("GameId", str)
"""``T.<pairing>.<board>``."""
RulingId = NewType("RulingId", str)
"""``r`` and the ``sourceseq`` of the event that made it."""

Source = Literal["/services/pairing", "/services/games", "/services/penalties", "/services/standings"]
PAIRING: Source = "/services/pairing"
GAMES: Source = "/services/games"
PENALTIES: Source = "/services/penalties"
STANDINGS: Source = "/services/standings"
SOURCES: tuple[Source, ...] = (PAIRING, GAMES, PENALTIES, STANDINGS)


def service_of(source: str) -> str:
    """The service that writes as a source, as folders, settings and people call it: ``games``."""
    return source.rpartition("/")[2]


HIGHEST = 2**53
"""Numbers up to here are exact in every reader of JSON."""

Role = Literal[
    "organiser",
    "chief_arbiter",
    "deputy_chief_arbiter",
    "arbiter",
    "appeals",
    "player",
    "auditor",
    "board",
    "rulebook",
]
ROLES: tuple[Role, ...] = (
    "organiser",
    "chief_arbiter",
    "deputy_chief_arbiter",
    "arbiter",
    "appeals",
    "player",
    "auditor",
    "board",
)
"""The roles a token may carry: 竞赛组织机构, 裁判长, 副裁判长, 裁判员, 仲裁委员会, 棋手, who audits, a device that feeds moves;
``rulebook`` is no person's."""
OFFICES: tuple[Role, ...] = ("organiser", "chief_arbiter", "deputy_chief_arbiter", "arbiter", "appeals")
"""The roles that are offices: who has one was appointed in the log. A player is entered; an auditor's or a board's token is
enough."""
OfficesEdition = Literal[1, 2, 3]
"""How a tournament knows its officials: 1, by the token alone; 2, by the log; 3, as 2, and values are bounded by one table."""

Side = Literal["white", "black"]
Place = Literal["seat", "hall"]
"""Where a player has come: to the seat of the game, or only into the hall."""
ByeKind = Literal["U", "F", "H", "Z"]
"""TRF letters: pairing-allocated, full-point, half-point and zero-point bye."""
PLAY_OFF = "play_off"
"""The stage of rounds that only part those who are equal in everything else (002-X 15.6): they give no points."""
TeamKind = Literal["fixed", "substitutes", "lineup", "everybody", "members"]
"""002-X 12.1-12.5: 分台定人, 分台换人, 临时定台, 全队轮赛, 队员总分."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One side's share of a result.

    ``points`` in half-points; ``played`` is false for a forfeit; ``counted`` is
    false where the regulations take the game out of the table.
    """

    points: HalfPoints
    played: bool
    counted: bool = True


@dataclass(frozen=True, slots=True)
class TextRef:
    """Salted SHA-256 (hex) of a text kept beside the log."""

    text: str


@dataclass(frozen=True, slots=True)
class Actor:
    """Who commands: the token's name and role, and the token's id."""

    name: str
    role: Role
    tokenid: str = ""


RULEBOOK = Actor("rulebook", "rulebook")
"""The actor of what no person commands."""

RefusalKind = Literal["rule", "authority", "unknown", "invalid"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was not followed: a value, not an exception.

    ``kind`` decides the HTTP status (rule 409, authority 403, unknown 404,
    invalid 422); ``code`` is a stable kebab-case slug; ``article`` the rule's
    source; ``where`` the part of the command that was wrong; ``see`` the path of
    the resource that helps.
    """

    kind: RefusalKind
    code: str
    detail: Message
    article: str | None = None
    where: str | None = None
    see: str | None = None


# ---------------------------------------------------------------- the announcement


@dataclass(frozen=True, slots=True)
class Period:
    """So many ``moves`` are made in so much time 时限; 0: all that are left. Each of them adds ``increment``."""

    seconds: Seconds
    moves: int
    increment: Seconds = Seconds(0)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A side's time for a ``game``.

    The ``periods`` follow one another, the last again and again where it asks for moves; each move adds ``increment``, or
    that of its period; a move never has less than ``byo_yomi`` 读秒 (0: none), which can be used up ``byo_yomi_periods``
    times: a clock shows what is left of the one that runs. A reading of nothing left, of the last one, is a fallen flag
    ``at_once``, or when it is ``claimed``. The clocks are set up ``clocks_after`` so many seconds of the game 不设棋钟, when
    an arbiter says that they are over, and begin then; 0: they run from the start.
    """

    game: str
    periods: tuple[Period, ...]
    increment: Seconds
    byo_yomi: Seconds
    flag: Literal["claimed", "at_once"]
    article: str
    clocks_after: Seconds = Seconds(0)
    byo_yomi_periods: int = 1


@dataclass(frozen=True, slots=True)
class TeamConditions:
    """A team event. ``boards`` of a match, and how many ``substitutes`` a team may have beside them."""

    kind: TeamKind
    boards: int
    substitutes: int = 0


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the announcement says of a format beyond its name; what a format does not use keeps its default.

    ``groups`` and ``qualifiers`` from each (002-X 11.3), whose results among each other are ``carried`` over;
    ``games`` of a match or of a round with the same opponent, which is over as soon as it is decided where it is
    ``best`` of them; ``extra`` games where it is drawn, before lots are drawn; ``places`` played for by those who
    lost a knock-out match; ``team`` where teams play; ``time`` in place of that of the regulations.
    """

    groups: int = 0
    qualifiers: int = 0
    carried: bool = False
    games: int = 1
    best: bool = False
    extra: int = 0
    places: bool = False
    team: TeamConditions | None = None
    time: TimeControl | None = None

    @property
    def teams_meet(self) -> bool:
        """Whether the sides are teams: in 队员总分 (002-X 12.5) players meet one by one."""
        return self.team is not None and self.team.kind != "members"
