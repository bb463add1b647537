"""The words of the field as types: units, marks, identities, regulations, refusals.

Standard library only, like everything the fold is made of.
"""

from dataclasses import dataclass, field
from typing import Literal, NewType

from shared.gamerules import GameRules
from shared.units import HalfPoints as HalfPoints  # noqa: PLC0414  (told to others as a term)
from shared.units import Ply as Ply  # noqa: PLC0414  (told to others as a term)
from shared.units import Seconds as Seconds  # noqa: PLC0414  (told to others as a term)

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

Role = Literal["organiser", "chief_arbiter", "arbiter", "appeals", "player", "auditor", "board", "rulebook"]
ROLES: tuple[Role, ...] = ("organiser", "chief_arbiter", "arbiter", "appeals", "player", "auditor", "board")
"""The roles a token may carry; ``rulebook`` is no person's."""

Side = Literal["white", "black"]
ByeKind = Literal["U", "F", "H", "Z"]
"""TRF letters: pairing-allocated, full-point, half-point and zero-point bye."""
Format = Literal[
    "swiss", "round_robin", "double_round_robin", "groups", "knockout", "double_knockout", "match", "teams", "manual"
]
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
    detail: str
    article: str | None = None
    where: str | None = None
    see: str | None = None


# ---------------------------------------------------------------- the announcement


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
    lost a knock-out match; ``team`` where teams play.
    """

    groups: int = 0
    qualifiers: int = 0
    carried: bool = False
    games: int = 1
    best: bool = False
    extra: int = 0
    places: bool = False
    team: TeamConditions | None = None


# ---------------------------------------------------------------- regulations


@dataclass(frozen=True, slots=True)
class Points:
    """Half-points awarded for a result or a bye."""

    win: HalfPoints
    draw: HalfPoints
    loss: HalfPoints
    pairing_bye: HalfPoints
    full_bye: HalfPoints
    half_bye: HalfPoints
    zero_bye: HalfPoints


@dataclass(frozen=True, slots=True)
class TeamPoints:
    """Half-points of a match 场分, which its game points 局分 decide (002-X 14.2).

    A match won unplayed is a ``win``; ``bye`` is a team's bye, ``bye_board`` its game points for each board.
    """

    win: HalfPoints
    draw: HalfPoints
    loss: HalfPoints
    bye: HalfPoints
    bye_board: HalfPoints


@dataclass(frozen=True, slots=True)
class PairingRules:
    """How rounds are made.

    ``engine`` and ``edition`` choose the code that pairs; ``starting_numbers_until``
    is the last round before whose pairing starting numbers may be corrected. ``by_hand``: whether a pairing by hand
    outside the Swiss is judged on its ``seats`` alone, or bound by the stages, brackets and tables of its ``format``.
    """

    system: Literal["dutch", "campus"]
    engine: Literal["gacrux", "rustworkx"]
    edition: str
    starting_numbers_until: int
    max_colour_difference: int
    max_same_colour: int
    by_hand: Literal["seats", "format"] = "seats"


@dataclass(frozen=True, slots=True)
class LeavingRule:
    """What `Leaving` says, for competitions of some formats."""

    formats: tuple[Format, ...]
    results: Literal["stand", "annul_below_half"]
    unplayed: Literal["not_paired", "forfeit"]
    article: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """What becomes of the games of a player who leaves.

    ``stand`` keeps the played ones, ``annul_below_half`` only where half of the opponents were met; those not
    played are not paired any more, or won by the opponents by ``forfeit``. ``formats``: those where it is otherwise.
    ``walkover_meets``: whether a game decided by forfeit counts as an opponent met.
    """

    results: Literal["stand", "annul_below_half"]
    unplayed: Literal["not_paired", "forfeit"]
    formats: tuple[LeavingRule, ...] = ()
    walkover_meets: bool = False

    def of(self, format: Format) -> "Leaving | LeavingRule":
        """What is said for a format."""
        return next((rule for rule in self.formats if format in rule.formats), self)


@dataclass(frozen=True, slots=True)
class RankingOrder:
    """Tie-breaks after points in competitions of some formats: of single players, of ``teams``, or of teams that are
    ranked by their members' places (``members``, 002-X 12.5)."""

    formats: tuple[Format, ...]
    of: Literal["players", "teams", "members"]
    tiebreaks: tuple[str, ...]
    article: str


@dataclass(frozen=True, slots=True)
class Discipline:
    """Infractions whose punishment puts a player last among equals in points, by its gravity and number."""

    infractions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Default tie-breaks after points, and the C.07 edition they are computed by.

    ``orders``: those of some formats. ``discipline`` None: punishments do not rank.
    ``unshared``: so many first places may not be shared; a play-off is to decide them.
    """

    tiebreaks: tuple[str, ...]
    rules: Literal["2024", "2026"]
    orders: tuple[RankingOrder, ...] = ()
    discipline: Discipline | None = None
    unshared: int = 0

    def order(self, format: Format, of: Literal["players", "teams", "members"] = "players") -> tuple[str, ...]:
        """The tie-breaks of a format."""
        chosen = (o.tiebreaks for o in self.orders if format in o.formats and o.of == of)
        return next(chosen, self.tiebreaks)


EffectKind = Literal["warn", "foul", "adjust_clock", "set_marks", "adjust_points", "exclude", "expel"]


@dataclass(frozen=True, slots=True)
class InfractionRule:
    """One named infraction: the effect it has, the counter it moves, and its article.

    ``effect`` None leaves the effect to the authority.
    """

    name: str
    chinese: str
    article: str
    counter: str | None = None
    effect: EffectKind | None = None


@dataclass(frozen=True, slots=True)
class LadderRule:
    """What falls due when ``counter`` of a player reaches ``count`` in ``scope``.

    What would lose ``draws`` where games found the last one counted, and that the opponent cannot win.
    """

    rule: str
    counter: str
    count: int
    scope: Literal["game", "tournament"]
    effect: EffectKind
    article: str
    draws: bool = False


@dataclass(frozen=True, slots=True)
class AuthorityRule:
    """Which roles may impose an effect, annul a ruling, decide an appeal."""

    act: str
    roles: tuple[Role, ...]
    article: str


@dataclass(frozen=True, slots=True)
class Lateness:
    """Default time in seconds; ``strictly`` true when only *more* than the limit loses."""

    limit: Seconds
    strictly: bool
    article: str


@dataclass(frozen=True, slots=True)
class FindingRule:
    """What follows from a ``finding`` of games, in these ``games`` or, where none is named, in all; each row is a ruling.

    Its effect is that of the ``infraction``; or, where there is a ``clock``, those seconds: added to the opponent
    (positive) or taken from the player (negative). Where the opponent cannot win, what would lose ``draws``.
    ``article`` None: the one that games found it by.
    """

    finding: str
    infraction: str
    article: str | None = None
    games: tuple[str, ...] = ()
    clock: Seconds = Seconds(0)
    draws: bool = False


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Everything the penalties service decides by."""

    name: str
    infractions: tuple[InfractionRule, ...]
    ladder: tuple[LadderRule, ...]
    authority: tuple[AuthorityRule, ...]
    lateness: Lateness
    findings: tuple[FindingRule, ...] = ()

    def follows(self, finding: str, game: str) -> tuple[FindingRule, ...]:
        """What follows from a kind of finding in a game."""
        rows = (row for row in self.findings if row.finding == finding)
        return tuple(row for row in rows if not row.games or game in row.games)


@dataclass(frozen=True, slots=True)
class Regulations:
    """A set of competition regulations, every value of it, as pinned into a log.

    ``articles`` names the source of each value by its dotted path; ``teams`` None: no team plays by them.
    """

    name: str
    edition: str
    points: Points
    pairing: PairingRules
    leaving: Leaving
    ranking: Ranking
    rulebook: Rulebook
    game: GameRules
    articles: dict[str, str] = field(default_factory=dict)
    teams: TeamPoints | None = None
