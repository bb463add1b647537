"""Regulations as types: points, pairing, leaving, ranking, rulebook, players' own acts. Values are in `shared.regulations`.

Standard library only.
"""

from dataclasses import dataclass, field
from typing import Literal

from shared.core.rulebook.editions import NEWEST
from shared.core.rulebook.effects import EffectKind, FactRule
from shared.core.rulebook.formats import FORMATS, Format
from shared.core.rulebook.game_rules import GameRules
from shared.core.rulebook.player_rules import PlayerRules
from shared.core.rulebook.ranking_rules import PairingRules, Ranked, Ranking, StageRule
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

    A match won unplayed is a ``win``. ``bye``: match points of a team's bye. ``bye_board``: its game points per board.
    ``walkover_games``: the game points of a match won unplayed, by ``+`` (002-X 21.4) or by a bye that is worth a win. They
    are the points of all ``boards``, the ``least`` by which a match is won, or ``none``.
    """

    win: HalfPoints
    draw: HalfPoints
    loss: HalfPoints
    bye: HalfPoints
    bye_board: HalfPoints
    walkover_games: Literal["boards", "least", "none"] = "boards"


@dataclass(frozen=True, slots=True)
class LeavingRule:
    """The rules for a withdrawal in competitions of some ``formats``, with the values of `Leaving`."""

    formats: tuple[Format, ...]
    results: Literal["stand", "annul_below_half"]
    unplayed: Literal["not_paired", "forfeit"]
    article: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """The fate of the games of a withdrawn player.

    ``results``: ``stand`` keeps the played ones, ``annul_below_half`` only if half of the opponents were met.
    ``unplayed``: the other games are no longer paired, or the opponents win them by ``forfeit``.
    ``formats``: the formats with different rules. ``walkover_meets``: whether a game decided by forfeit counts as an
    opponent met. ``half_of``: whether half is counted in ``opponents`` or in the ``games`` that were due.
    ``annulled_place``: a player with annulled results is placed ``last``, or by their remaining ``points``.
    """

    results: Literal["stand", "annul_below_half"]
    unplayed: Literal["not_paired", "forfeit"]
    formats: tuple[LeavingRule, ...] = ()
    walkover_meets: bool = False
    half_of: Literal["opponents", "games"] = "opponents"
    annulled_place: Literal["last", "points"] = "last"

    @property
    def met_by(self) -> tuple[str, ...]:
        """Return the kinds of rounds that count as an opponent met when a withdrawn player's meetings are counted."""
        return ("played", "forfeit") if self.walkover_meets else ("played",)

    def rule_for(self, format: Format) -> "Leaving | LeavingRule":
        """Return the rule for competitions of a format: its own, or else this general one."""
        return next((rule for rule in self.formats if format in rule.formats), self)


FOUL_COUNTER = "foul"
"""The counter of fouls 犯规 in every rulebook. The tie-break FOULS reads it."""
ADJUSTING = "adjusting"
"""The infraction of adjusting 摆正. Regulations may treat it as a touch instead."""
ARRIVAL_INFRACTIONS = ("lateness", "absence")
"""Infractions that result from noted arrivals. The game is then lost unplayed."""
BREAK_INFRACTIONS = ("long_break", "leaving_the_game")
"""Infractions that result from breaks if the rulebook measures them. The game is then lost at the board."""


@dataclass(frozen=True, slots=True)
class InfractionRule:
    """One named infraction: its effect, the counter that it increases, and its article.

    ``effect`` None leaves the effect to the authority. ``games``: the games that have this infraction; empty: all.
    ``facts``: the facts that its article requires in a report. ``results``: the results that the chief arbiter may give a
    game which cannot continue because of it, if nobody is accused. ``counts_as``: the infraction that a report of it is
    ruled on, if that is a different one.
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
        """Return the article that requires ``fact`` in a report: the fact's own article, or else that of the infraction."""
        return fact.article or self.article


@dataclass(frozen=True, slots=True)
class LadderRule:
    """A step of the penalty ladder: its effect is due when a player's ``counter`` reaches ``count`` in ``scope``.

    ``scope`` is a game, the games of a match (a game, if no matches are played), or the event. ``draws``: a loss becomes a
    draw if the last infraction is a finding of a game in which the opponent cannot win. ``games``: the games that have the step
    (empty: all). ``moves``: the counter that the penalty itself increases, with each further one too (000-A 7.1: 劝告 repeated).
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
    """An act that the rulebook grants, such as an effect or an annulment, and the roles that may do it."""

    act: str
    roles: tuple[Role, ...]
    article: str


@dataclass(frozen=True, slots=True)
class Lateness:
    """The lateness at which a game is lost: ``limit`` in seconds.

    ``strictly``: True if only *more* than the limit loses. ``both_deducted``: if both sides are late, the full lateness of
    each is deducted from its time 扣除双方迟到时间; else a clock runs only during its side's turns.
    ``counted_from``: the ``start`` of the round, or the player's first ``turn``, when their clock is started 轮他走棋时开动.
    ``before``: players must be present this many seconds before the start 比赛开始前必须到场; lateness counts from then.
    """

    limit: Seconds
    strictly: bool
    article: str
    both_deducted: bool = False
    counted_from: Literal["start", "turn"] = "start"
    before: Seconds = Seconds(0)

    def counted(self, late: Seconds, turn: Seconds | None) -> int:
        """Return the seconds that are compared with the limit, below 0 if the player was in time.

        ``late``: seconds between the start of the round and the arrival. ``turn``: seconds between the start and their turn.
        """
        return late - (turn or 0) if self.counted_from == "turn" else late + self.before


@dataclass(frozen=True, slots=True)
class Breaks:
    """Leaving the board during a game: a player may do so ``times`` times in a game.

    One more is the infraction ``further``. A break of more than ``limit`` seconds is a ``long_break``. Unless ``strictly``,
    a break of exactly ``limit`` seconds is one too.
    """

    limit: Seconds
    times: int
    strictly: bool
    article: str
    further: Literal["leaving_the_game", "leaving_the_seat"] = "leaving_the_game"


@dataclass(frozen=True, slots=True)
class AppealRule:
    """The deadline 期限 of appeals, in seconds after the ruling (None if no article sets one)."""

    within: Seconds | None
    article: str


@dataclass(frozen=True, slots=True)
class FindingRule:
    """The consequences of a ``finding`` of the games service, in these ``games`` (empty: all). Each row is a ruling.

    ``name``: the row's own, if the finding has several. Its effect is that of the ``infraction``. With a ``clock``, it is these
    seconds instead: added to the opponent (positive) or taken from the player (negative). ``draws``: a loss becomes a draw if
    the opponent cannot win. ``article``: None for the infraction's; for a flag, None for the article by which games found it.
    ``applies`` False: the finding has no consequences.
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
    """The tables of a ruleset by which the penalties service decides.

    ``breaks``: None if breaks have no consequences. ``appeals``: None if no article sets a deadline. ``fouls_after_end``:
    whether a foul 犯规 is accepted if it is reported after its game has a result. None accepts it.
    """

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
        """Return the infractions of the rulebook that apply to a game, for example `xiangqi`."""
        return tuple(row for row in self.infractions if not row.games or game in row.games)

    def decisive(self, game: str) -> tuple[InfractionRule, ...]:
        """Return the infractions by which a game may be decided although nobody is accused."""
        return tuple(row for row in self.infraction_rules(game) if row.results)

    def finding_rules(self, finding: str, game: str) -> tuple[FindingRule, ...]:
        """Return the rules for a kind of finding that apply in a game."""
        rows = (row for row in self.findings if row.finding == finding and row.applies)
        return tuple(row for row in rows if not row.games or game in row.games)


DECISIONS = NEWEST.decisions
"""The newest decision edition. A rule that an earlier edition decided differently checks it."""
ANNOUNCED = "the announcement"
"""The article of a value that the announcement of the tournament sets itself."""
Value = bool | int | str | tuple[str, ...]
"""A value of regulations that an organiser may set."""


@dataclass(frozen=True, slots=True)
class Regulations:
    """A ruleset with all of its values, as pinned into a log.

    ``articles``: the source of each value by its dotted path. ``teams``: None if no team plays by it. ``decisions``: the
    decision edition (1: as Arbiter 1.0.0 decided), never lower than before in a log. ``digest``: SHA-256 (hex) of the shipped
    edition, in RFC 8785 form. ``changes``: the values that differ from it, by path. ``stages``: the announced stages, in order.
    If empty, the competition has one stage, as its announcement states. ``players``: the players' own acts.
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
    players: PlayerRules = field(default_factory=PlayerRules)

    @property
    def title(self) -> str:
        """Return the name of the ruleset, with the number of values that an organiser changed in it."""
        changes = len(self.changes)
        return self.name + (f", {changes} change{'' if changes == 1 else 's'}" if changes else "")

    def tiebreaks_in_force(self, names: tuple[str, ...], format: Format, of: Ranked = "players") -> tuple[str, ...]:
        """Return the tie-breaks that rank if an announcement, an order or a question lists these ``names``.

        Punishments go before them (002-X 18.4) and, from decision edition 2 on, a play-off or lots after them (15.6), if the
        regulations say so.
        """
        names = self.ranking.with_punishments(names, of)
        if self.decisions < 2 or of == "members" or FORMATS[format].winner_needed:
            return names
        return self.ranking.with_play_off_or_lots(names)
