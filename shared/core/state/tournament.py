"""The state of a tournament after an event of its log, and the questions that rules ask of it.

Only `shared.core.event_types.evolve` changes a state. All other code reads it, or changes a copy made by ``fork``.
Standard library only.
"""

from collections.abc import Iterable
from typing import Self

from shared.core import events as ev
from shared.core.rulebook.regulations import Regulations
from shared.core.state import former_forfeits as former
from shared.core.state.appeals import Appeal
from shared.core.state.entities import (
    Annulment,
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
from shared.core.state.venue_notice import NO_NOTICE
from shared.core.state.visibility import PUBLIC_BY_DEFAULT
from shared.core.terms import BOUNDED_OFFICES, GameId, HalfPoints, Mark, Place, PlayerId, Role, RulingId, Seq, Source
from shared.core.trust.checkpoint_origin import origin


class TournamentState(Removals):
    """The state after event ``seq``, whether or not the tournament is created. Rules take a `Tournament`, which is created."""

    __slots__ = (
        "announced",
        "announcer",
        "annulled_by",
        "annulments",
        "appeals",
        "arrivals",
        "breaks",
        "byes",
        "calls",
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
        "in_force_cache",
        "keys",
        "lineups",
        "listed",
        "looks",
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
        "statements",
        "suppressed",
        "teams",
        "times",
        "upheld",
        "venue_notice",
        "virtual",
        "visibility",
        "withdrawn_pairings",
    )

    def __init__(self, id: str) -> None:  # noqa: PLR0915  # a line for each field
        self.id = id
        self.seq: Seq = Seq(0)
        self.announced: ev.TournamentAnnounced | None = None
        self.regulations: Regulations | None = None
        self.regulations_seq: Seq = Seq(0)
        self.regulations_before: list[tuple[Seq, Regulations]] = []
        """The earlier regulations, each with the sequence number of the event that replaced it."""
        self.counts: dict[Source, int] = {}
        self.times: dict[Source, str] = {}
        """The last ``sourceseq`` of each source, and its time. The next event of that source may not be earlier."""
        self.keys: dict[Source, tuple[KeyInForce, ...]] = {}
        """The signing keys of each source, the key in force last. Empty if the tournament was created without keys."""
        self.announcer: str = ""  # the login name of the user who created the tournament
        self.officials: dict[str, Official] = {}
        """By login name. If the tournament was created before roles were checked, each official has one role."""
        self.dismissed: dict[str, Seq] = {}
        self.looks: dict[str, tuple[str, ...]] = {}
        """From the third edition of offices on: the login names of officials, dismissed or not, by how they look."""
        self.players: dict[PlayerId, Player] = {}
        self.visibility, self.venue_notice, self.listed = PUBLIC_BY_DEFAULT, NO_NOTICE, True
        self.numbers_drawn: bool = False  # starting numbers were drawn by lot when all were last assigned
        self.checked_in: dict[PlayerId, Seq] = {}  # players who checked in, each with that event
        self.byes: dict[tuple[PlayerId, int], Bye] = {}
        self.forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset()
        """Pairs that must not be paired, the smaller number first."""
        self.virtual: dict[tuple[PlayerId, int], HalfPoints] = {}
        """Half-points of an acceleration by player and round. The pairing of a round adds them to the score (C.04.7)."""
        self.fixed_boards: dict[PlayerId, int] = {}
        self.teams: dict[int, Team] = {}
        self.lineups: dict[tuple[int, int], Lineup] = {}
        self.lots: dict[int, Lot] = {}
        self.place_lots: list[PlaceLot] = []
        self.pairings: list[Pairing] = []  # the n-th pairing ever published has index n - 1
        self.withdrawn_pairings: set[int] = set()
        self.games: dict[GameId, Game] = {}
        self.reported: dict[GameId, Setting] = {}
        """The last report or end of each game. Stored apart from the game because most events are reports."""
        self.calls: dict[GameId, Seq] = {}  # open calls of an arbiter
        self.statements: dict[GameId, tuple[ev.StatementMade, ...]] = {}
        self.orphans: list[tuple[Seq, GameId]] = []  # of a withdrawn or unknown pairing, or after an end that was ruled
        self.findings: dict[str, Finding] = {}
        self.claims: dict[tuple[GameId, str], Claim] = {}  # those that waited for an arbiter, by game and ID
        self.rulings: dict[RulingId, Ruling] = {}
        self.facts_checks: dict[RulingId, FactsCheck] = {}  # by the ruling whose facts were compared with the sheet
        self.annulments: dict[RulingId, Annulment] = {}
        self.annulled_by: dict[RulingId, tuple[RulingId, ...]] = {}
        self.in_force_cache: dict[RulingId, bool] = {}  # of `is_in_force`; events that may change it empty it
        self.suppressed: frozenset[RulingId] = frozenset()
        self.removals: dict[PlayerId, tuple[RulingId, ...]] = {}
        self.appeals: dict[str, Appeal] = {}
        self.arrivals: dict[str, Arrival] = {}  # as the breaks: by ID, in the log's order, including corrected ones
        self.breaks: dict[str, Break] = {}
        self.notes_at: dict[GameId, tuple[str, ...]] = {}  # those in force, in the order of their first notes
        self.corrections: dict[str, str] = {}
        """By the ID of an arrival or a break that is not in force: the ID of its correction."""
        self.consequences: dict[str, tuple[RulingId, ...]] = {}
        """By the ID of an arrival or a break: the rulings that resulted from it."""
        self.publications: list[Publication] = []
        self.report_files: list[ev.ReportFileKept] = []
        self.restarts: list[CheckpointRestart] = []
        self.crossings: dict[Seq, Seq] = {}
        self.erased: set[str] = set()
        self.upheld: dict[tuple[int, int, tuple[int, ...], tuple[int, ...]], Seq] = {}
        """Outdated bases that the chief arbiter upheld, by pairing, match, sides seated and sides due, each with its event."""

    @property
    def origin(self) -> str:
        """Return the origin that the checkpoints of this log carry."""
        return (self.announced and self.announced.origin) or origin(self.id)

    @property
    def unlisted(self) -> bool:
        """Return whether only readers with a token see the tournament, or its creation is not read completely."""
        return not self.listed or (self.regulations is None and self.offices >= BOUNDED_OFFICES)

    def fork(self) -> Self:
        """Return an independent copy. The values inside are frozen and shared."""
        other = object.__new__(type(self))
        for name in TournamentState.__slots__:
            value = getattr(self, name)
            if isinstance(value, (dict, list, set)):
                value = value.copy()
            setattr(other, name, value)
        return other

    def without_rulings(self, rulings: Iterable[RulingId]) -> Self:
        """Return a copy in which these rulings are not in force, without any decision in their place."""
        other = self.fork()
        other.suppressed = self.suppressed | frozenset(rulings)
        other.in_force_cache = {}
        return other

    def current(self, round: int) -> Pairing | None:
        """Return the pairing of a round that is not withdrawn, or None."""
        return next((p for p in reversed(self.pairings) if p.event.round == round and p.withdrawn is None), None)

    def rounds_paired(self) -> int:
        """Return the highest round with a pairing that is not withdrawn, or 0 before the first."""
        return max((p.event.round for p in self.pairings if p.withdrawn is None), default=0)

    def games_in_force(self) -> list[Game]:
        """Return the games of pairings that were not withdrawn, by round and board."""
        games, gone = self.games.values(), self.withdrawn_pairings
        return [g for g in games if g.pairing not in gone] if gone else list(games)

    def game_at(self, round: int, board: int) -> Game | None:
        """Return the game on a board of a round's pairing in force, or None."""
        pairing = self.current(round)
        seats = () if pairing is None else pairing.event.boards
        return next((self.games[seat.game] for seat in seats if seat.board == board), None)

    def arrival_of(self, game: GameId, player: PlayerId, place: Place = "seat") -> Arrival | None:
        """Return the player's arrival in force at a ``place``, or None. Only one at the seat is in time (21.2)."""
        arrivals = (self.arrivals.get(id) for id in self.notes_at.get(game, ()))
        return next((a for a in arrivals if a is not None and (a.player, a.place) == (player, place)), None)

    def breaks_of(self, game: GameId, player: PlayerId) -> list[Break]:
        """Return the player's breaks in force during a game, in the order in which they were first recorded."""
        breaks = (self.breaks.get(id) for id in self.notes_at.get(game, ()))
        return [b for b in breaks if b is not None and b.player == player and b.seconds is not None]

    def key_of(self, source: Source) -> str:
        """Return the key in force that signs the records of a source, or "" if they are not signed."""
        return self.keys[source][-1].key if source in self.keys else ""

    @property
    def offices(self) -> int:
        """Return the edition of roles (`OfficesEdition`) that the tournament was created with, or 1 before its creation."""
        return 1 if self.announced is None else self.announced.offices

    def holders(self, role: Role) -> list[str]:
        """Return the login names of the officials with this role, sorted."""
        return sorted(name for name, official in self.officials.items() if role in official.roles)

    def closed(self) -> bool:
        """Return whether the final table is published. After it, only rulings, appeals and publications are possible."""
        return any(p.event.final for p in self.publications)


class Tournament(TournamentState):
    """A tournament that is created and has regulations, which rules decide on.

    `shared.core.event_types.evolve` turns the state into one as soon as the log holds both.
    """

    __slots__ = ()

    announced: ev.TournamentAnnounced
    regulations: Regulations

    def regulations_at(self, seq: Seq) -> Regulations:
        """Return the regulations that were in force at this event."""
        return next((former for ended, former in self.regulations_before if seq < ended), self.regulations)

    @property
    def results_only(self) -> bool:
        """Return whether games have no moves and no clocks: so announced, or the regulations have no rules for the game."""
        game, rules = self.announced.game, self.regulations.game
        return self.announced.excludes_sheets or (game not in rules.rules and game != rules.sheet)

    def setting(self, game: Game) -> Setting | None:
        """Return the marks of a game and the event that set them, or None while the game is open.

        The kind of event decides, not its place in the log: the last ruling in force, else the last correction,
        else the report or the end, else the withdrawal of a player who forfeits unplayed games.
        """
        if game.rulings:
            ruling = self.ruling_on(game)
            if ruling is not None:
                effect = ruling.event.effect
                assert effect.white is not None and effect.black is not None
                return Setting(ruling.seq, effect.white, effect.black)
        return self.own_setting(game) or self._forfeited(game)

    def has_begun(self, game: Game) -> bool:
        """Return whether a game has begun or has a result, also by a ruling (from decision edition 3 on, one in force)."""
        lines = (game.started, game.ended, self.reported.get(game.game), game.corrected)
        rulings = filter(self.is_in_force, game.rulings) if self.regulations.decisions >= 3 else game.rulings
        return any(line is not None for line in lines) or any(rulings)

    def _forfeited(self, game: Game) -> Setting | None:
        """Return the results of a game without a result of its own if players are removed from it, or None.

        The opponent has won it: at the board if it was begun, else unplayed. If both players are removed, both lose.
        """
        if not self.removals_lapse():
            white, black = (self.absence(player, game.round) for player in (game.white, game.black))
            return former.forfeited_marks(white, black, self.regulations.points)
        removed = self.removed_from(game)
        if not removed:
            return None
        played, points = game.started is not None, self.regulations.points
        won, lost = Mark(points.win, played), Mark(points.loss, played)
        out = {one.player for one in removed}
        seq = max(one.seq for one in removed)
        return Setting(seq, lost if game.white in out else won, lost if game.black in out else won)
