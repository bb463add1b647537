"""The tournament: what a log says, up to a line, and the questions that rules ask of it.

`shared.core.event_types.evolve` alone changes it; ``fork`` copies. To everyone else it is read-only.
Standard library only.
"""

from collections.abc import Iterable
from typing import Self

from shared.core import events as ev
from shared.core.rulebook.regulations import Regulations
from shared.core.state import former_forfeits as former
from shared.core.state.entities import (
    Annulment,
    Appeal,
    Arrival,
    Break,
    Bye,
    CheckpointRestart,
    Claim,
    FactsCheck,
    Finding,
    Game,
    KeyInForce,
    Lineup,
    Lot,
    Official,
    Pairing,
    PlaceLot,
    Player,
    Publication,
    Ruling,
    Setting,
    Team,
)
from shared.core.state.removals import Removals
from shared.core.terms import GameId, HalfPoints, Mark, Place, PlayerId, Role, RulingId, Seq, Source
from shared.core.trust.checkpoint_origin import origin


class TournamentState(Removals):
    """What a log says up to ``seq``, announced or not. Rules take a `Tournament`, which is."""

    __slots__ = (
        "announced",
        "announcer",
        "annulled_by",
        "annulments",
        "appeals",
        "arrivals",
        "breaks",
        "byes",
        "checked_in",
        "claims",
        "consequences",
        "corrections",
        "counts",
        "crossings",
        "dismissed",
        "erased",
        "facts_checks",
        "findings",
        "fixed_boards",
        "forbidden",
        "games",
        "id",
        "keys",
        "lineups",
        "lots",
        "notes_at",
        "numbers_drawn",
        "officials",
        "orphans",
        "pairings",
        "place_lots",
        "players",
        "publications",
        "regulations",
        "regulations_before",
        "regulations_seq",
        "removals",
        "report_files",
        "reported",
        "restarts",
        "rulings",
        "seq",
        "standing",
        "suppressed",
        "teams",
        "times",
        "upheld",
        "virtual",
        "withdrawn_pairings",
    )

    def __init__(self, id: str) -> None:  # noqa: PLR0915  # a line for each field
        self.id = id
        self.seq: Seq = Seq(0)
        self.announced: ev.TournamentAnnounced | None = None
        self.regulations: Regulations | None = None
        self.regulations_seq: Seq = Seq(0)
        self.regulations_before: list[tuple[Seq, Regulations]] = []
        """Those that others followed, each with the line that ended it."""
        self.counts: dict[Source, int] = {}
        """Last ``sourceseq`` of each source."""
        self.times: dict[Source, str] = {}
        """The time of that line, which its next one does not go behind."""
        self.keys: dict[Source, tuple[KeyInForce, ...]] = {}
        """By source the keys that it signs with, the one in force last; empty where the tournament was announced without."""
        self.announcer: str = ""
        """Who announced it, by the handle."""
        self.officials: dict[str, Official] = {}
        """By handle; where the tournament was announced before offices counted, with one role each."""
        self.dismissed: dict[str, Seq] = {}
        self.players: dict[PlayerId, Player] = {}
        self.numbers_drawn: bool = False
        """Whether starting numbers came by lot, the last time that all were assigned."""
        self.checked_in: dict[PlayerId, Seq] = {}
        """Who has come, by the line that says so."""
        self.byes: dict[tuple[PlayerId, int], Bye] = {}
        self.forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset()
        """Pairs that may not be paired, the smaller number first."""
        self.virtual: dict[tuple[PlayerId, int], HalfPoints] = {}
        """Half-points of an acceleration by player and round; a round's pairing counts them beside the score (C.04.7)."""
        self.fixed_boards: dict[PlayerId, int] = {}
        self.teams: dict[int, Team] = {}
        self.lineups: dict[tuple[int, int], Lineup] = {}
        self.lots: dict[int, Lot] = {}
        self.place_lots: list[PlaceLot] = []
        self.pairings: list[Pairing] = []
        """The n-th pairing ever published stands at n - 1."""
        self.withdrawn_pairings: set[int] = set()
        self.games: dict[GameId, Game] = {}
        self.reported: dict[GameId, Setting] = {}
        """The last report or end of each game: apart from the game, since most of a log is reports."""
        self.orphans: list[tuple[Seq, GameId]] = []
        """Lines that speak of a game of a withdrawn or unknown pairing, or come after a ruled end."""
        self.findings: dict[str, Finding] = {}
        self.claims: dict[tuple[GameId, str], Claim] = {}
        """Those that waited for an arbiter, by game and id."""
        self.rulings: dict[RulingId, Ruling] = {}
        self.facts_checks: dict[RulingId, FactsCheck] = {}
        """By the ruling whose facts were compared with the sheet."""
        self.annulments: dict[RulingId, Annulment] = {}
        self.annulled_by: dict[RulingId, tuple[RulingId, ...]] = {}
        self.standing: dict[RulingId, bool] = {}
        """Memory of `stands`, emptied by every line that may change it."""
        self.suppressed: frozenset[RulingId] = frozenset()
        self.removals: dict[PlayerId, tuple[RulingId, ...]] = {}
        self.appeals: dict[str, Appeal] = {}
        self.arrivals: dict[str, Arrival] = {}
        """By id, in the log's order; corrected ones too."""
        self.breaks: dict[str, Break] = {}
        """As ``arrivals``."""
        self.notes_at: dict[GameId, tuple[str, ...]] = {}
        """The ids of a game's arrivals and breaks in force, in the order in which they were first noted."""
        self.corrections: dict[str, str] = {}
        """By the id of an arrival or a break that is not in force: what stands in its place."""
        self.consequences: dict[str, tuple[RulingId, ...]] = {}
        """By the id of an arrival or a break: the rulings that followed from it."""
        self.publications: list[Publication] = []
        self.report_files: list[ev.ReportFileKept] = []
        self.restarts: list[CheckpointRestart] = []
        self.crossings: dict[Seq, Seq] = {}
        self.erased: set[str] = set()
        self.upheld: dict[tuple[int, int, tuple[int, ...], tuple[int, ...]], Seq] = {}
        """Outdated bases that the chief arbiter upheld: pairing, match, sides seated and sides due, by the line that says so."""

    @property
    def origin(self) -> str:
        """What checkpoints of this log say that they are of."""
        return (self.announced and self.announced.origin) or origin(self.id)

    def fork(self) -> Self:
        """An independent copy; what it holds is frozen and shared."""
        other = object.__new__(type(self))
        for name in TournamentState.__slots__:
            value = getattr(self, name)
            if isinstance(value, (dict, list, set)):
                value = value.copy()
            setattr(other, name, value)
        return other

    def without(self, rulings: Iterable[RulingId]) -> Self:
        """A fork in which these rulings do not stand and nothing was decided in their place."""
        other = self.fork()
        other.suppressed = self.suppressed | frozenset(rulings)
        other.standing = {}
        return other

    def current(self, round: int) -> Pairing | None:
        """The standing pairing of a round."""
        for pairing in reversed(self.pairings):
            if pairing.event.round == round and pairing.withdrawn is None:
                return pairing
        return None

    def rounds_paired(self) -> int:
        """The highest round with a standing pairing; 0 before the first."""
        return max((p.event.round for p in self.pairings if p.withdrawn is None), default=0)

    def standing_games(self) -> list[Game]:
        """Games of pairings that were not withdrawn, by round and board."""
        games = self.games.values()
        return (
            [g for g in games if g.pairing not in self.withdrawn_pairings] if self.withdrawn_pairings else list(games)
        )

    def game_at(self, round: int, board: int) -> Game | None:
        """The game on a board of a round's standing pairing."""
        pairing = self.current(round)
        seats = () if pairing is None else pairing.event.boards
        return next((self.games[seat.game] for seat in seats if seat.board == board), None)

    def arrival_of(self, game: GameId, player: PlayerId, place: Place = "seat") -> Arrival | None:
        """The player's arrival in force: at the seat, which alone counts (002-X 21.2), or the one noted in the hall."""
        arrivals = (self.arrivals.get(id) for id in self.notes_at.get(game, ()))
        return next((a for a in arrivals if a is not None and (a.player, a.place) == (player, place)), None)

    def breaks_of(self, game: GameId, player: PlayerId) -> list[Break]:
        """The player's breaks in a game, as they are in force, in the order in which they were first noted."""
        breaks = (self.breaks.get(id) for id in self.notes_at.get(game, ()))
        return [b for b in breaks if b is not None and b.player == player and b.seconds is not None]

    def key_of(self, source: Source) -> str:
        """The key in force that the records of a source are signed by; empty where they are not."""
        return self.keys[source][-1].key if source in self.keys else ""

    @property
    def offices(self) -> int:
        """The edition of offices (`OfficesEdition`) that the tournament was announced with; 1 before that."""
        return 1 if self.announced is None else self.announced.offices

    def holders(self, role: Role) -> list[str]:
        """Who has this office, by the handle."""
        return sorted(name for name, held in self.officials.items() if role in held.roles)

    def closed(self) -> bool:
        """Whether a final table was published: after it only rulings, appeals and publications."""
        return any(p.event.final for p in self.publications)


class Tournament(TournamentState):
    """A tournament that was announced and has regulations: what rules decide on.

    The fold makes its state one as soon as the log holds both (`shared.core.event_types.evolve`).
    """

    __slots__ = ()

    announced: ev.TournamentAnnounced
    regulations: Regulations

    def regulations_at(self, seq: Seq) -> Regulations:
        """The regulations that were in force at a line."""
        return next((former for ended, former in self.regulations_before if seq < ended), self.regulations)

    @property
    def results_only(self) -> bool:
        """True if games have no moves and no clocks: so announced, or the regulations have no rules for the game."""
        game, rules = self.announced.game, self.regulations.game
        return self.announced.excludes_sheets or (game not in rules.rules and game != rules.sheet)

    def setting(self, game: Game) -> Setting | None:
        """The game's marks and the line that set them; kind decides before position.

        Those of the last standing ruling that sets them; else of the last
        correction; else of the report or the end; else of the leaving of a player who
        forfeits what is not played; None while it is open.
        """
        if game.rulings:
            ruling = self.ruling_on(game)
            if ruling is not None:
                effect = ruling.event.effect
                assert effect.white is not None and effect.black is not None
                return Setting(ruling.seq, effect.white, effect.black)
        return self.own_setting(game) or self._forfeited(game)

    def begun(self, game: Game) -> bool:
        """Whether play of a game has begun, it has a result, or a ruling (in force, from decisions 3 on) sets its marks."""
        lines = (game.started, game.ended, self.reported.get(game.game), game.corrected)
        rulings = filter(self.stands, game.rulings) if self.regulations.decisions >= 3 else game.rulings
        return any(line is not None for line in lines) or any(rulings)

    def _forfeited(self, game: Game) -> Setting | None:
        """Return the marks of an unset game whose players, one or both, are removed from it, or None.

        The opponent has won it: at the board if it was begun, else unplayed. Of two removed players both lose.
        """
        if not self.removals_lapse():
            white, black = (self.absence(player, game.round) for player in (game.white, game.black))
            return former.forfeited(white, black, self.regulations.points)
        removed = self.removed_from(game)
        if not removed:
            return None
        played, points = game.started is not None, self.regulations.points
        won, lost = Mark(points.win, played), Mark(points.loss, played)
        out = {one.player for one in removed}
        seq = max(one.seq for one in removed)
        return Setting(seq, lost if game.white in out else won, lost if game.black in out else won)
