"""The tournament: the fold of a log.

``evolve`` changes its tournament in place and never refuses for state: it places
what crossed. ``fork`` copies. To everyone but the one who folds, a tournament is
read-only. Standard library only.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from shared import events as ev
from shared.terms import (
    ByeKind,
    GameId,
    Mark,
    PlayerId,
    Regulations,
    Role,
    RulingId,
    Seq,
    Source,
    TextRef,
)


class Player(NamedTuple):
    """An entry. ``left_after`` is the last round before a withdrawal (None: still in)."""

    player: PlayerId
    name: TextRef
    starting_number: int
    first_round: int
    rating: int | None
    title: str | None
    club: TextRef | None
    federation: str | None
    seq: Seq
    left_after: int | None = None
    left_seq: Seq | None = None


class Pairing(NamedTuple):
    """A published pairing; ``paired`` holds the event, ``withdrawn`` the line that took it back."""

    paired: ev.RoundPaired
    seq: Seq
    withdrawn: Seq | None = None


class Setting(NamedTuple):
    """Marks set for a game by one line of the log."""

    seq: Seq
    white: Mark
    black: Mark


class Game(NamedTuple):
    """A game of a published pairing and all that was said of it, by kind.

    ``reported`` is the last report or end; ``corrected`` the last correction;
    ``rulings`` those that set its marks, standing or not, in the log's order.
    """

    game: GameId
    round: int
    board: int
    white: PlayerId
    black: PlayerId
    pairing: int
    seq: Seq
    started: Seq | None = None
    ended: Seq | None = None
    reported: Setting | None = None
    corrected: Setting | None = None
    rulings: tuple[RulingId, ...] = ()


class Ruling(NamedTuple):
    made: ev.RulingMade
    seq: Seq
    role: Role


class Annulment(NamedTuple):
    made: ev.RulingAnnulled
    seq: Seq


class Finding(NamedTuple):
    made: ev.FindingMade
    seq: Seq
    answered: Seq | None = None


class Appeal(NamedTuple):
    lodged: ev.AppealLodged
    seq: Seq
    decided: ev.AppealDecided | None = None


class Published(NamedTuple):
    made: ev.StandingsPublished
    seq: Seq
    basis: Seq


class Bye(NamedTuple):
    kind: ByeKind
    seq: Seq


class Tournament:
    """What the log says, up to ``seq``."""

    __slots__ = (
        "announced",
        "annulled_by",
        "annulments",
        "appeals",
        "arrivals",
        "byes",
        "counts",
        "crossings",
        "dismissed",
        "erased",
        "findings",
        "games",
        "id",
        "officials",
        "orphans",
        "pairings",
        "players",
        "published",
        "regulations",
        "regulations_seq",
        "rulings",
        "seq",
        "standing",
        "suppressed",
        "unpaired",
    )

    def __init__(self, id: str) -> None:
        self.id = id
        self.seq: Seq = Seq(0)
        self.announced: ev.TournamentAnnounced | None = None
        self.regulations: Regulations | None = None
        self.regulations_seq: Seq = Seq(0)
        self.counts: dict[Source, int] = {}
        """Last ``sourceseq`` of each source."""
        self.officials: dict[str, Role] = {}
        self.dismissed: dict[str, Seq] = {}
        self.players: dict[PlayerId, Player] = {}
        self.byes: dict[tuple[PlayerId, int], Bye] = {}
        self.pairings: list[Pairing] = []
        """The n-th pairing ever published stands at n - 1."""
        self.unpaired: set[int] = set()
        """Numbers of the pairings that were withdrawn."""
        self.games: dict[GameId, Game] = {}
        self.orphans: list[tuple[Seq, GameId]] = []
        """Lines that speak of a game of a withdrawn or unknown pairing, or come after a ruled end."""
        self.findings: dict[str, Finding] = {}
        self.rulings: dict[RulingId, Ruling] = {}
        self.annulments: dict[RulingId, Annulment] = {}
        self.annulled_by: dict[RulingId, tuple[RulingId, ...]] = {}
        self.standing: dict[RulingId, bool] = {}
        """Memory of `stands`, emptied by every ruling."""
        self.suppressed: frozenset[RulingId] = frozenset()
        self.appeals: dict[str, Appeal] = {}
        self.arrivals: dict[tuple[GameId, PlayerId], tuple[Seq, ev.ArrivalNoted]] = {}
        self.published: list[Published] = []
        self.crossings: dict[Seq, Seq] = {}
        self.erased: set[str] = set()

    # ------------------------------------------------------------ copies

    def fork(self) -> "Tournament":
        """An independent copy; what it holds is frozen and shared."""
        other = Tournament.__new__(Tournament)
        for name in Tournament.__slots__:
            value = getattr(self, name)
            if isinstance(value, (dict, list, set)):
                value = value.copy()
            setattr(other, name, value)
        return other

    def without(self, rulings: Iterable[RulingId]) -> "Tournament":
        """A fork in which these rulings do not stand and nothing was decided in their place."""
        other = self.fork()
        other.suppressed = self.suppressed | frozenset(rulings)
        other.standing = {}
        return other

    # ------------------------------------------------------------ questions

    def stands(self, ruling: RulingId) -> bool:
        """Whether a ruling (or an annulment) stands.

        It stands while no annulment of it stands and everything in its ``because``
        stands. Both point only to earlier events, so this ends.
        """
        known = self.standing.get(ruling)
        if known is None:
            made = self.rulings.get(ruling)
            known = (
                (made is not None or ruling in self.annulments)
                and ruling not in self.suppressed
                and not any(map(self.stands, self.annulled_by.get(ruling, ())))
                and (made is None or all(map(self.stands, made.made.because)))
            )
            self.standing[ruling] = known
        return known

    def effective(self, ruling: RulingId) -> bool:
        """Whether a ruling stands and is the first standing one of its rung."""
        made = self.rulings[ruling].made
        if not self.stands(ruling):
            return False
        if made.rung is None:
            return True
        for other in self.rulings.values():
            if other.made.rung == made.rung and self.stands(other.made.ruling):
                return other.made.ruling == ruling
        return False

    def standing_rulings(self) -> list[Ruling]:
        """The rulings that have effect, in the log's order."""
        return [r for i, r in self.rulings.items() if self.effective(i)]

    def ruled(self, game: Game) -> Ruling | None:
        """The last effective ruling that sets the game's marks."""
        for ruling in reversed(game.rulings):
            if self.effective(ruling):
                return self.rulings[ruling]
        return None

    def setting(self, game: Game) -> Setting | None:
        """The game's marks and the line that set them; kind decides before position.

        Those of the last standing ruling that sets them; else of the last
        correction; else of the report or the end; None while it is open.
        """
        if game.rulings:
            ruling = self.ruled(game)
            if ruling is not None:
                effect = ruling.made.effect
                assert effect.white is not None and effect.black is not None
                return Setting(ruling.seq, effect.white, effect.black)
        return game.corrected or game.reported

    def current(self, round: int) -> Pairing | None:
        """The standing pairing of a round."""
        for pairing in reversed(self.pairings):
            if pairing.paired.round == round and pairing.withdrawn is None:
                return pairing
        return None

    def rounds_paired(self) -> int:
        """The highest round with a standing pairing; 0 before the first."""
        return max((p.paired.round for p in self.pairings if p.withdrawn is None), default=0)

    def standing_games(self) -> list[Game]:
        """Games of pairings that were not withdrawn, by round and board."""
        games = self.games.values()
        return [g for g in games if g.pairing not in self.unpaired] if self.unpaired else list(games)

    def game_at(self, round: int, board: int) -> Game | None:
        """The game on a board of a round's standing pairing."""
        pairing = self.current(round)
        if pairing is not None:
            for seat in pairing.paired.boards:
                if seat.board == board:
                    return self.games[seat.game]
        return None

    def excluded(self, player: PlayerId, round: int) -> bool:
        """Whether an effective ruling bars the player from a round (exclusion or expulsion)."""
        return any(
            r.made.player == player and (r.made.effect.kind == "expel" or round in r.made.effect.rounds)
            for r in self.standing_rulings()
            if r.made.effect.kind in ("expel", "exclude")
        )

    def closed(self) -> bool:
        """Whether a final table was published: after it only rulings, appeals and publications."""
        return any(p.made.final for p in self.published)


# ---------------------------------------------------------------- evolve

_NEW = tuple.__new__
_STARTED, _ENDED, _REPORTED, _CORRECTED, _RULINGS = range(7, 12)
_NOTHING_SAID = (None, None, None, None, ())


def _with(g: Game, field: int, value: Any) -> Game:
    """The game with one field changed. The fold spends its time here: half the cost of ``_replace``."""
    return _NEW(Game, (*g[:field], value, *g[field + 1 :]))


def _setting(e: ev.Event, d: ev.GameEnded | ev.ResultReported | ev.ResultCorrected) -> Setting:
    return _NEW(Setting, (e.seq, d.white, d.black))


def _announced(t: Tournament, e: ev.Event, d: ev.TournamentAnnounced) -> None:
    if t.announced is None:
        t.announced = d


def _regulations(t: Tournament, e: ev.Event, d: ev.RegulationsAdopted) -> None:
    t.regulations = d.regulations
    t.regulations_seq = e.seq


def _appointed(t: Tournament, e: ev.Event, d: ev.OfficialAppointed) -> None:
    t.officials[d.official] = d.role
    t.dismissed.pop(d.official, None)


def _dismissed(t: Tournament, e: ev.Event, d: ev.OfficialDismissed) -> None:
    t.officials.pop(d.official, None)
    t.dismissed[d.official] = e.seq


def _entered(t: Tournament, e: ev.Event, d: ev.PlayerEntered) -> None:
    if d.player not in t.players:
        t.players[d.player] = Player(
            d.player, d.name, d.starting_number, d.first_round, d.rating, d.title, d.club, d.federation, e.seq
        )


def _numbered(t: Tournament, e: ev.Event, d: ev.StartingNumbersAssigned) -> None:
    for n in d.numbers:
        if n.player in t.players:
            t.players[n.player] = t.players[n.player]._replace(starting_number=n.number)


def _withdrew(t: Tournament, e: ev.Event, d: ev.PlayerWithdrew) -> None:
    player = t.players.get(d.player)
    if player is not None and player.left_after is None:
        t.players[d.player] = player._replace(left_after=d.after_round, left_seq=e.seq)


def _bye(t: Tournament, e: ev.Event, d: ev.ByeGranted) -> None:
    t.byes[d.player, d.round] = Bye(d.kind, e.seq)


def _paired(t: Tournament, e: ev.Event, d: ev.RoundPaired) -> None:
    t.pairings.append(Pairing(d, e.seq))
    round, pairing, seq, games = d.round, d.pairing, e.seq, t.games
    for b in d.boards:
        games[b.game] = _NEW(Game, (b.game, round, b.board, b.white, b.black, pairing, seq, *_NOTHING_SAID))


def _unpaired(t: Tournament, e: ev.Event, d: ev.PairingWithdrawn) -> None:
    for i, pairing in enumerate(t.pairings):
        if pairing.paired.pairing == d.pairing and pairing.withdrawn is None:
            t.pairings[i] = pairing._replace(withdrawn=e.seq)
            t.unpaired.add(d.pairing)


def _erased(t: Tournament, e: ev.Event, d: ev.TextErased) -> None:
    t.erased.add(d.hash)


def _game(t: Tournament, e: ev.Event, game: GameId) -> Game | None:
    """The game a line speaks of; it is listed where it counts nothing (for now)."""
    found = t.games.get(game)
    if found is None or found.pairing in t.unpaired or (found.rulings and t.ruled(found) is not None):
        t.orphans.append((e.seq, game))
    return found


def _started(t: Tournament, e: ev.Event, d: ev.GameStarted) -> None:
    g = _game(t, e, d.game)
    if g is not None and g.started is None:
        t.games[d.game] = _with(g, _STARTED, e.seq)


def _ended(t: Tournament, e: ev.Event, d: ev.GameEnded) -> None:
    g = _game(t, e, d.game)
    if g is not None:
        t.games[d.game] = _with(_with(g, _ENDED, e.seq), _REPORTED, _setting(e, d))


def _reported(t: Tournament, e: ev.Event, d: ev.ResultReported) -> None:
    game = d.game
    g = t.games.get(game)
    if g is None or g.rulings or t.unpaired:
        g = _game(t, e, game)
        if g is None:
            return
    said = _NEW(Setting, (e.seq, d.white, d.black))
    t.games[game] = _NEW(Game, (*g[:_REPORTED], said, g[10], g[11]))


def _corrected(t: Tournament, e: ev.Event, d: ev.ResultCorrected) -> None:
    g = t.games.get(d.game)
    if g is not None:
        t.games[d.game] = _with(g, _CORRECTED, _setting(e, d))


def _found(t: Tournament, e: ev.Event, d: ev.FindingMade) -> None:
    _game(t, e, d.game)
    t.findings[d.finding] = Finding(d, e.seq)


def _answered(t: Tournament, e: ev.Event, d: ev.FindingAnswered) -> None:
    if d.finding in t.findings:
        t.findings[d.finding] = t.findings[d.finding]._replace(answered=e.seq)


def _ruled(t: Tournament, e: ev.Event, d: ev.RulingMade) -> None:
    t.rulings[d.ruling] = Ruling(d, e.seq, e.role)
    t.standing = {}
    if d.effect.kind == "set_marks" and d.game in t.games:
        g = t.games[d.game]
        t.games[d.game] = _with(g, _RULINGS, (*g.rulings, d.ruling))


def _annulled(t: Tournament, e: ev.Event, d: ev.RulingAnnulled) -> None:
    t.annulments[d.ruling] = Annulment(d, e.seq)
    t.annulled_by[d.annuls] = (*t.annulled_by.get(d.annuls, ()), d.ruling)
    t.standing = {}


def _lodged(t: Tournament, e: ev.Event, d: ev.AppealLodged) -> None:
    t.appeals[d.appeal] = Appeal(d, e.seq)


def _decided(t: Tournament, e: ev.Event, d: ev.AppealDecided) -> None:
    if d.appeal in t.appeals:
        t.appeals[d.appeal] = t.appeals[d.appeal]._replace(decided=d)


def _arrived(t: Tournament, e: ev.Event, d: ev.ArrivalNoted) -> None:
    t.arrivals[d.game, d.player] = (e.seq, d)


def _crossing(t: Tournament, e: ev.Event, d: ev.CrossingNoted) -> None:
    t.crossings[d.seq] = e.seq


def _published(t: Tournament, e: ev.Event, d: ev.StandingsPublished) -> None:
    t.published.append(Published(d, e.seq, e.basis))


HANDLERS: dict[type, Callable[[Tournament, ev.Event, Any], None]] = {
    ev.TournamentAnnounced: _announced,
    ev.RegulationsAdopted: _regulations,
    ev.OfficialAppointed: _appointed,
    ev.OfficialDismissed: _dismissed,
    ev.PlayerEntered: _entered,
    ev.StartingNumbersAssigned: _numbered,
    ev.PlayerWithdrew: _withdrew,
    ev.ByeGranted: _bye,
    ev.RoundPaired: _paired,
    ev.PairingWithdrawn: _unpaired,
    ev.TextErased: _erased,
    ev.GameStarted: _started,
    ev.GameEnded: _ended,
    ev.FindingMade: _found,
    ev.ResultReported: _reported,
    ev.ResultCorrected: _corrected,
    ev.ArrivalNoted: _arrived,
    ev.FindingAnswered: _answered,
    ev.RulingMade: _ruled,
    ev.RulingAnnulled: _annulled,
    ev.AppealLodged: _lodged,
    ev.AppealDecided: _decided,
    ev.CrossingNoted: _crossing,
    ev.StandingsPublished: _published,
}


def evolve(t: Tournament, e: ev.Event) -> None:
    """Fold one event of the official log into ``t``, in place.

    A repeat (a ``sourceseq`` already folded) changes nothing but ``seq``.
    """
    source, sourceseq = e.source, e.sourceseq
    t.seq = e.seq
    if sourceseq <= t.counts.get(source, 0):
        return
    t.counts[source] = sourceseq
    data = e.data
    HANDLERS[type(data)](t, e, data)


def fold(id: str, events: Iterable[ev.Event]) -> Tournament:
    """The tournament after these events, from nothing."""
    t = Tournament(id)
    for e in events:
        evolve(t, e)
    return t
