"""The words of the field as types: units, marks, identities, refusals, the contents of an announcement.

Standard library only, like all code that replays a log.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, NewType

from shared.core.language.messages import Message
from shared.core.values.bounds import BOARD, MOVES, ROUNDS, Hash

HalfPoints = NewType("HalfPoints", int)
"""Points doubled: a win of one point is 2. Never a float."""
Seconds = NewType("Seconds", int)
Rounds = NewType("Rounds", int)
"""Rounds of a game 回合 (a move of each side), or rounds paired of a tournament."""
Moves = NewType("Moves", int)
"""Moves of one side."""
Ply = NewType("Ply", int)
"""Half-moves from the start of the game; the first move is ply 1."""
Seq = NewType("Seq", int)
"""Sequence number of an event in a tournament's log, dense from 1. 0 is the empty log."""
PlayerId = NewType("PlayerId", int)
"""Number of the entry. Never changes; 0 means nobody."""
GameId = NewType("GameId", str)
"""``T.<pairing>.<board>``."""
RulingId = NewType("RulingId", str)
"""``r`` and the ``sourceseq`` of the event of the ruling."""

Source = Literal["/services/pairing", "/services/games", "/services/penalties", "/services/standings"]
PAIRING: Source = "/services/pairing"
GAMES: Source = "/services/games"
PENALTIES: Source = "/services/penalties"
STANDINGS: Source = "/services/standings"
SOURCES: tuple[Source, ...] = (PAIRING, GAMES, PENALTIES, STANDINGS)


def service_of(source: str) -> str:
    """Return the name of the service that writes as a source: ``games``. Folders and settings use it."""
    return source.rpartition("/")[2]


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
"""The roles a token may carry: 竞赛组织机构, 裁判长, 副裁判长, 裁判员, 仲裁委员会, 棋手, auditor, device that feeds moves.
``rulebook`` belongs to no person."""
BOUNDED_OFFICES = 3
"""The edition of offices since which values are bounded, engines are released ones, and a lost key needs the recovery key."""
OFFICES: tuple[Role, ...] = ("organiser", "chief_arbiter", "deputy_chief_arbiter", "arbiter", "appeals")
"""The roles that require an appointment in the log. A player has an entry; for an auditor or a board the token is enough."""
OfficesEdition = Literal[1, 2, 3]
"""How a tournament knows its officials: 1: by the token alone; 2: by the log; 3: like 2, and one table limits values."""

Side = Literal["white", "black"]


def other(side: Side) -> Side:
    return "black" if side == "white" else "white"


Place = Literal["seat", "hall"]
"""The place of an arrival: the seat of the game, or only the venue."""
ByeKind = Literal["U", "F", "H", "Z"]
"""TRF letters: pairing-allocated, full-point, half-point and zero-point bye."""
PLAY_OFF = "play_off"
"""The stage of rounds that only separate players who are equal in everything else (002-X 15.6). They give no points."""
TeamKind = Literal["fixed", "substitutes", "lineup", "everybody", "members"]
"""002-X 12.1-12.5: 分台定人, 分台换人, 临时定台, 全队轮赛, 队员总分."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One side's result in a game.

    ``points`` in half-points. ``played`` is false for a forfeit. ``counted`` is false if the regulations take the game out
    of the table.
    """

    points: HalfPoints
    played: bool
    counted: bool = True


@dataclass(frozen=True, slots=True)
class TextRef:
    """Salted SHA-256 (hex) of an erasable text, which is stored apart from the log."""

    text: Hash


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a command: the token's name, role and ID."""

    name: str
    role: Role
    tokenid: str = ""


RULEBOOK = Actor("rulebook", "rulebook")
"""The actor of automatic events."""

RefusalKind = Literal["rule", "authority", "unknown", "invalid"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a command was refused: a value, not an exception.

    ``kind`` decides the HTTP status (rule 409, authority 403, unknown 404, invalid 422). ``code`` is a stable kebab-case
    slug. ``article`` is the rule's source. ``where``: the part of the command that was wrong. ``see``: the path of a
    resource that helps.
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
    """A period 时限 of ``seconds`` for a number of ``moves`` (0: all that remain). Each move adds ``increment`` seconds."""

    seconds: Seconds
    moves: Annotated[int, MOVES]
    increment: Seconds = Seconds(0)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A side's time for a ``game``.

    The ``periods`` follow one another. The last one repeats if it requires moves. Each move adds ``increment`` seconds, or the
    increment of its period. A move never has less than ``byo_yomi`` seconds 读秒 (0: none). These can be used up
    ``byo_yomi_periods`` times. A clock shows the rest of the current one, and at 0 in the last one is a fallen flag
    ``at_once``, or when ``claimed``. ``clocks_after``: seconds of the game after which clocks are set up 不设棋钟, when an
    arbiter states that they are over, and they start then (0: they run from the start).
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
    """A team event of a ``kind``: the ``boards`` of a match, and the ``substitutes`` that a team may have in addition."""

    kind: TeamKind
    boards: Annotated[int, BOARD]
    substitutes: Annotated[int, ROUNDS] = 0


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of a format in the announcement. Fields that a format does not use keep their defaults.

    ``groups``, and ``qualifiers`` from each (002-X 11.3), whose results among each other are ``carried`` over.
    ``games`` of a match or of a round with the same opponent; with ``best`` of them it is over as soon as it is decided.
    ``extra`` games if it is drawn, before lots are drawn. ``places``: the losers of knock-out matches play on for places.
    ``team``: only for teams. ``time``: replaces the time of the regulations.
    """

    groups: Annotated[int, ROUNDS] = 0
    qualifiers: Annotated[int, ROUNDS] = 0
    carried: bool = False
    games: Annotated[int, ROUNDS] = 1
    best: bool = False
    extra: Annotated[int, ROUNDS] = 0
    places: bool = False
    team: TeamConditions | None = None
    time: TimeControl | None = None

    @property
    def teams_meet(self) -> bool:
        """Return whether the sides are teams. In 队员总分 (002-X 12.5) players meet one by one."""
        return self.team is not None and self.team.kind != "members"


Phase = Literal["announced", "running", "finished"]
"""A competition before its first round is paired, from then on, and after its final table is published."""
Verdict = Literal["agrees", "differs", "incomplete"]
"""The result of an audit."""
AuditKind = Literal["line", "order", "root", "decision", "digest", "checkpoint", "sheet", "text", "signature", "file"]
"""The subject of a finding of the audit."""
