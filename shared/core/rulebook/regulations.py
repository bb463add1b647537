"""Regulations as types: points, pairing, leaving, ranking, the rulebook. Their values stand in `shared.regulations`.

Standard library only.
"""

from dataclasses import dataclass, field
from typing import Literal

from shared.core.rulebook.editions import written_edition
from shared.core.rulebook.effects import EffectKind
from shared.core.rulebook.facts import FactRule
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.rulebook.game_rules import GameRules
from shared.core.rulebook.pairing_rules import PairingRules
from shared.core.rulebook.ranking_rules import Ranked, Ranking
from shared.core.rulebook.stage_rules import StageRule
from shared.core.terms import HalfPoints, Role, Seconds


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
    ``walkover_games``: the game points of a match won unplayed, by ``+`` (002-X 21.4) or by a bye that is worth a win: of
    all ``boards`` as they stand, the ``least`` by which a match is won, or ``none``.
    """

    win: HalfPoints
    draw: HalfPoints
    loss: HalfPoints
    bye: HalfPoints
    bye_board: HalfPoints
    walkover_games: Literal["boards", "least", "none"] = "boards"


@dataclass(frozen=True, slots=True)
class LeavingRule:
    """The rules about leaving in competitions of some formats."""

    formats: tuple[Format, ...]
    results: Literal["stand", "annul_below_half"]
    unplayed: Literal["not_paired", "forfeit"]
    article: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """The fate of the games of a player who leaves.

    ``stand`` keeps the played ones, ``annul_below_half`` only where half of the opponents were met; those not
    played are not paired any more, or won by the opponents by ``forfeit``. ``formats``: those where it is otherwise.
    ``walkover_meets``: whether a game decided by forfeit counts as an opponent met. ``half_of``: whether half is of the
    ``opponents`` or of the ``games`` that were due. ``annulled_place``: whose results were annulled stands ``last``, or
    where no ``points`` put him.
    """

    results: Literal["stand", "annul_below_half"]
    unplayed: Literal["not_paired", "forfeit"]
    formats: tuple[LeavingRule, ...] = ()
    walkover_meets: bool = False
    half_of: Literal["opponents", "games"] = "opponents"
    annulled_place: Literal["last", "points"] = "last"

    @property
    def met_by(self) -> tuple[str, ...]:
        """The kinds of rounds by which an opponent was met."""
        return ("played", "forfeit") if self.walkover_meets else ("played",)

    def rule_for(self, format: Format) -> "Leaving | LeavingRule":
        """The rule of a format."""
        return next((rule for rule in self.formats if format in rule.formats), self)


FOUL_COUNTER = "foul"
"""The counter that every rulebook keeps of fouls 犯规; the tie-break FOULS reads it."""
ADJUSTING = "adjusting"
"""The infraction of adjusting 摆正, which regulations may call a touch instead."""
ARRIVAL_INFRACTIONS = ("lateness", "absence")
"""Infractions that follow from arrivals that are noted; the game is then lost unplayed."""
BREAK_INFRACTIONS = ("long_break", "leaving_the_game")
"""Infractions that follow from breaks where the rulebook measures them; the game is then lost at the board."""


@dataclass(frozen=True, slots=True)
class InfractionRule:
    """One named infraction: the effect it has, the counter it moves, and its article.

    ``effect`` None leaves the effect to the authority. ``games``: those that it is one in; none named: all. ``facts``: what
    its article asks a report for. ``results``: those that the chief arbiter may give a game which cannot go on by it, where
    nobody is accused. ``counts_as``: the infraction as which a report of it is ruled on, where that is another one.
    """

    name: str
    chinese: str
    article: str
    counter: str | None = None
    effect: EffectKind | None = None
    games: tuple[str, ...] = ()
    facts: tuple[FactRule, ...] = ()
    results: tuple[str, ...] = ()
    counts_as: str | None = None

    def article_of(self, fact: FactRule) -> str:
        """The article that asks for a fact: its own, or that of the infraction."""
        return fact.article or self.article


@dataclass(frozen=True, slots=True)
class LadderRule:
    """A rung of the ladder: what falls due when ``counter`` of a player reaches ``count`` in ``scope``: a game, the games of
    a match (a game, where no matches are played), or the event.

    What would lose ``draws`` where games found the last one counted, and that the opponent cannot win. ``games``: those that
    the rung is in; none named: all. ``moves``: the counter that what falls due moves itself, with each further one too
    (000-A 7.1: who repeats after advice 劝告).
    """

    rule: str
    counter: str
    count: int
    scope: Literal["game", "match", "tournament"]
    effect: EffectKind
    article: str
    draws: bool = False
    games: tuple[str, ...] = ()
    moves: str | None = None


@dataclass(frozen=True, slots=True)
class AuthorityRule:
    """An act that the rulebook grants, such as an effect or an annulment, and the roles that it is granted to."""

    act: str
    roles: tuple[Role, ...]
    article: str


@dataclass(frozen=True, slots=True)
class Lateness:
    """Default time in seconds; ``strictly`` true when only *more* than the limit loses. ``both_deducted``: where both sides
    are late, the whole lateness of each is taken from its time 扣除双方迟到时间; else a clock counts by turns alone.
    ``counted_from`` the ``start`` of the round, or the player's first ``turn``, when his clock is started 轮他走棋时开动;
    ``before``: so many seconds before the start he must be there 比赛开始前必须到场, and lateness counts from then."""

    limit: Seconds
    strictly: bool
    article: str
    both_deducted: bool = False
    counted_from: Literal["start", "turn"] = "start"
    before: Seconds = Seconds(0)

    def counted(self, late: Seconds, turn: Seconds | None) -> int:
        """The seconds that are held against the limit, of who came ``late`` seconds after the start, and whose ``turn`` came so
        many after it; below 0 where he was there in time."""
        return late - (turn or 0) if self.counted_from == "turn" else late + self.before


@dataclass(frozen=True, slots=True)
class Breaks:
    """Leaving the board during a game: a player may ``times`` a game; one more is the infraction ``further``. One of more
    than ``limit`` seconds (of as many too, unless ``strictly``) is a ``long_break``."""

    limit: Seconds
    times: int
    strictly: bool
    article: str
    further: Literal["leaving_the_game", "leaving_the_seat"] = "leaving_the_game"


@dataclass(frozen=True, slots=True)
class AppealRule:
    """The deadline 期限 of appeals: so many seconds after the ruling; None: no article sets one."""

    within: Seconds | None
    article: str


@dataclass(frozen=True, slots=True)
class FindingRule:
    """What follows from a ``finding`` of games, in these ``games`` or, where none is named, in all; each row is a ruling.

    ``name``: the row's own, where the finding has several. Its effect is that of the ``infraction``; or, where there is a
    ``clock``, those seconds: added to the opponent (positive) or taken from the player (negative). Where the opponent cannot
    win, what would lose ``draws``. ``article`` None: the infraction's, of a flag the one that games found it by. Not
    ``applies``: nothing follows.
    """

    finding: str
    infraction: str
    article: str | None = None
    games: tuple[str, ...] = ()
    clock: Seconds = Seconds(0)
    draws: bool = False
    name: str = ""
    applies: bool = True


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rows that penalties decides by. ``breaks`` None: nothing follows from them; ``appeals`` None: no deadline.
    ``fouls_after_end``: whether a foul 犯规 is taken that is reported when its game has a result; None: it is."""

    name: str
    infractions: tuple[InfractionRule, ...]
    ladder: tuple[LadderRule, ...]
    authority: tuple[AuthorityRule, ...]
    lateness: Lateness
    findings: tuple[FindingRule, ...] = ()
    breaks: Breaks | None = None
    appeals: AppealRule | None = None
    fouls_after_end: Literal["taken", "refused"] | None = None

    def infraction_rules(self, game: str) -> tuple[InfractionRule, ...]:
        """The rows that are infractions in a game."""
        return tuple(row for row in self.infractions if not row.games or game in row.games)

    def decisive(self, game: str) -> tuple[InfractionRule, ...]:
        """The rows by which a game may be decided without an accused."""
        return tuple(row for row in self.infraction_rules(game) if row.results)

    def finding_rules(self, finding: str, game: str) -> tuple[FindingRule, ...]:
        """The rows for a kind of finding in a game."""
        rows = (row for row in self.findings if row.finding == finding and row.applies)
        return tuple(row for row in rows if not row.games or game in row.games)


DECISIONS = written_edition().decisions
"""The edition of decisions that servers announce. A rule that an earlier edition decided differently asks for it."""
ANNOUNCED = "the announcement"
"""The article of a value that the announcement itself gives."""
Value = bool | int | str | tuple[str, ...]
"""A value of regulations that an organiser may set."""


@dataclass(frozen=True, slots=True)
class Regulations:
    """A set of competition regulations, every value of it, as pinned into a log.

    ``articles`` names the source of each value by its dotted path; ``teams`` None: no team plays by them. ``decisions``: the
    edition by which all is decided (1: as Arbiter 1.0.0 did), never lower than before in a log. ``digest``: SHA-256 (hex)
    of the shipped edition, in RFC 8785 form; ``changes``: the values that differ from it, by path. ``stages``: those that
    were announced, in order; none: the competition has one, as its announcement says.
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
    decisions: int = 1
    digest: str = ""
    changes: dict[str, Value] = field(default_factory=dict)
    stages: tuple[StageRule, ...] = ()

    @property
    def title(self) -> str:
        """The name of the set, with how much an organiser changed in it."""
        changes = len(self.changes)
        return self.name + (f", {changes} change{'' if changes == 1 else 's'}" if changes else "")

    def tiebreaks_in_force(self, names: tuple[str, ...], format: Format, of: Ranked = "players") -> tuple[str, ...]:
        """The tie-breaks that rank where an announcement, an order or a question names these: behind punishments (002-X 18.4)
        and, since the second edition of decisions, before a play-off or lots (15.6), where the regulations say so."""
        names = self.ranking.behind_punishments(names, of)
        if self.decisions < 2 or of == "members" or FORMATS[format].winner_needed:
            return names
        return self.ranking.with_parting(names)
