"""The fold: ``evolve(tournament, event)``, one handler an event type. Standard library only.

It changes its tournament in place and never refuses for state: it places what crossed.
"""

from collections.abc import Callable, Iterable
from typing import Any

from shared.core import events as ev
from shared.core.entities import (
    Absence,
    Annulment,
    Appeal,
    Bye,
    Finding,
    Game,
    Lineup,
    Lot,
    Pairing,
    Player,
    Published,
    Ruling,
    Setting,
    Team,
)
from shared.core.gc_pause import no_collector
from shared.core.terms import GameId
from shared.core.tournament import Tournament, TournamentState

_NEW = tuple.__new__
_STARTED, _ENDED, _CORRECTED, _RULINGS, _REVERSED = range(7, 12)
_NOTHING_SAID = (None, None, None, (), None)


def _with(g: Game, field: int, value: Any) -> Game:
    """The game with one field changed. The fold spends its time here: half the cost of ``_replace``."""
    return _NEW(Game, (*g[:field], value, *g[field + 1 :]))


def _setting(e: ev.Event, d: ev.GameEnded | ev.ResultReported | ev.ResultCorrected) -> Setting:
    return _NEW(Setting, (e.seq, d.white, d.black))


def _announced(t: TournamentState, e: ev.Event, d: ev.TournamentAnnounced) -> None:
    if t.announced is None:
        t.announced = d
        _complete(t)


def _regulations(t: TournamentState, e: ev.Event, d: ev.RegulationsAdopted) -> None:
    if t.regulations is not None:
        t.regulations_before.append((e.seq, t.regulations))
    t.regulations = d.regulations
    t.regulations_seq = e.seq
    _complete(t)


def _complete(t: TournamentState) -> None:
    """From here on the state is a `Tournament`: the object stays, which folds, forks and tables hold, its class grows."""
    if t.announced is not None and t.regulations is not None:
        t.__class__ = Tournament


def _appointed(t: TournamentState, e: ev.Event, d: ev.OfficialAppointed) -> None:
    t.officials[d.official] = d.role
    t.dismissed.pop(d.official, None)


def _dismissed(t: TournamentState, e: ev.Event, d: ev.OfficialDismissed) -> None:
    t.officials.pop(d.official, None)
    t.dismissed[d.official] = e.seq


def _entered(t: TournamentState, e: ev.Event, d: ev.PlayerEntered) -> None:
    if d.player not in t.players:
        t.players[d.player] = Player(
            d.player, d.name, d.starting_number, d.first_round, d.rating, d.title, d.club, d.federation, e.seq
        )


def _numbered(t: TournamentState, e: ev.Event, d: ev.StartingNumbersAssigned) -> None:
    for n in d.numbers:
        if n.player in t.players:
            t.players[n.player] = t.players[n.player]._replace(starting_number=n.number)


def _withdrew(t: TournamentState, e: ev.Event, d: ev.PlayerWithdrew) -> None:
    player = t.players.get(d.player)
    if player is not None and player.left_after is None:
        t.players[d.player] = player._replace(left_after=d.after_round, left_seq=e.seq, left=d)


def _returned(t: TournamentState, e: ev.Event, d: ev.PlayerReturned) -> None:
    player = t.players.get(d.player)
    if player is not None and player.left is not None and player.left_after is not None and player.left_seq is not None:
        away = Absence(player.left_after + 1, d.first_round - 1, player.left, player.left_seq)
        t.players[d.player] = player._replace(left_after=None, left_seq=None, left=None, away=(*player.away, away))


def _forbidden(t: TournamentState, e: ev.Event, d: ev.PairsForbidden) -> None:
    t.forbidden = frozenset((min(p), max(p)) for p in d.pairs)


def _fixed(t: TournamentState, e: ev.Event, d: ev.BoardFixed) -> None:
    if d.board:
        t.fixed_boards[d.player] = d.board
    else:
        t.fixed_boards.pop(d.player, None)


def _team(t: TournamentState, e: ev.Event, d: ev.TeamEntered) -> None:
    t.teams.setdefault(d.team, Team(d.team, d.name, d.members, e.seq))


def _lineup(t: TournamentState, e: ev.Event, d: ev.LineupHandedIn) -> None:
    t.lineups[d.team, d.round] = Lineup(d.players, e.seq)


def _lot(t: TournamentState, e: ev.Event, d: ev.LotDrawn) -> None:
    t.lots.setdefault(d.match, Lot(d.winner, e.seq))


def _bye(t: TournamentState, e: ev.Event, d: ev.ByeGranted) -> None:
    t.byes[d.player, d.round] = Bye(d.kind, e.seq)


def _paired(t: TournamentState, e: ev.Event, d: ev.RoundPaired) -> None:
    t.pairings.append(Pairing(d, e.seq))
    round, pairing, seq, games = d.round, d.pairing, e.seq, t.games
    for b in d.boards:
        games[b.game] = _NEW(Game, (b.game, round, b.board, b.white, b.black, pairing, seq, *_NOTHING_SAID))


def _unpaired(t: TournamentState, e: ev.Event, d: ev.PairingWithdrawn) -> None:
    for i, pairing in enumerate(t.pairings):
        if pairing.paired.pairing == d.pairing and pairing.withdrawn is None:
            t.pairings[i] = pairing._replace(withdrawn=e.seq)
            t.unpaired.add(d.pairing)


def _erased(t: TournamentState, e: ev.Event, d: ev.TextErased) -> None:
    t.erased.add(d.hash)


def _game(t: TournamentState, e: ev.Event, game: GameId) -> Game | None:
    """The game a line speaks of; it is listed where it counts nothing (for now)."""
    found = t.games.get(game)
    if found is None or found.pairing in t.unpaired or (found.rulings and t.ruled(found) is not None):
        t.orphans.append((e.seq, game))
    return found


def _started(t: TournamentState, e: ev.Event, d: ev.GameStarted) -> None:
    g = _game(t, e, d.game)
    if g is not None and g.started is None:
        t.games[d.game] = _with(g, _STARTED, e.seq)


def _colours(t: TournamentState, e: ev.Event, d: ev.ColoursCorrected) -> None:
    g = _game(t, e, d.game)
    if g is not None:
        t.games[d.game] = _with(g, _REVERSED, e.seq if d.reversed else None)


def _ended(t: TournamentState, e: ev.Event, d: ev.GameEnded) -> None:
    g = _game(t, e, d.game)
    if g is not None:
        t.games[d.game] = _with(g, _ENDED, e.seq)
        t.reported[d.game] = _setting(e, d)


def _reported(t: TournamentState, e: ev.Event, d: ev.ResultReported) -> None:
    game = d.game
    g = t.games.get(game)
    if g is None or g.rulings or t.unpaired:
        g = _game(t, e, game)
    if g is not None:
        t.reported[game] = _NEW(Setting, (e.seq, d.white, d.black))


def _corrected(t: TournamentState, e: ev.Event, d: ev.ResultCorrected) -> None:
    g = t.games.get(d.game)
    if g is not None:
        t.games[d.game] = _with(g, _CORRECTED, _setting(e, d))


def _found(t: TournamentState, e: ev.Event, d: ev.FindingMade) -> None:
    _game(t, e, d.game)
    t.findings[d.finding] = Finding(d, e.seq)


def _answered(t: TournamentState, e: ev.Event, d: ev.FindingAnswered) -> None:
    if d.finding in t.findings:
        t.findings[d.finding] = t.findings[d.finding]._replace(answered=e.seq)


def _ruled(t: TournamentState, e: ev.Event, d: ev.RulingMade) -> None:
    t.rulings[d.ruling] = Ruling(d, e.seq, e.role)
    t.standing = {}
    if d.effect.kind == "set_marks" and d.game in t.games:
        g = t.games[d.game]
        t.games[d.game] = _with(g, _RULINGS, (*g.rulings, d.ruling))


def _annulled(t: TournamentState, e: ev.Event, d: ev.RulingAnnulled) -> None:
    t.annulments[d.ruling] = Annulment(d, e.seq)
    t.annulled_by[d.annuls] = (*t.annulled_by.get(d.annuls, ()), d.ruling)
    t.standing = {}


def _lodged(t: TournamentState, e: ev.Event, d: ev.AppealLodged) -> None:
    t.appeals[d.appeal] = Appeal(d, e.seq)


def _decided(t: TournamentState, e: ev.Event, d: ev.AppealDecided) -> None:
    if d.appeal in t.appeals:
        t.appeals[d.appeal] = t.appeals[d.appeal]._replace(decided=d)


def _arrived(t: TournamentState, e: ev.Event, d: ev.ArrivalNoted) -> None:
    t.arrivals[d.game, d.player] = (e.seq, d)


def _break(t: TournamentState, e: ev.Event, d: ev.BreakTaken) -> None:
    before = t.breaks.get((d.game, d.player), ())
    t.breaks[d.game, d.player] = (*before, (e.seq, d))


def _crossing(t: TournamentState, e: ev.Event, d: ev.CrossingNoted) -> None:
    t.crossings[d.seq] = e.seq


def _published(t: TournamentState, e: ev.Event, d: ev.StandingsPublished) -> None:
    t.published.append(Published(d, e.seq, e.basis))


HANDLERS: dict[type, Callable[[TournamentState, ev.Event, Any], None]] = {
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
    ev.PlayerReturned: _returned,
    ev.PairsForbidden: _forbidden,
    ev.BoardFixed: _fixed,
    ev.TeamEntered: _team,
    ev.LineupHandedIn: _lineup,
    ev.LotDrawn: _lot,
    ev.GameStarted: _started,
    ev.ColoursCorrected: _colours,
    ev.GameEnded: _ended,
    ev.FindingMade: _found,
    ev.ResultReported: _reported,
    ev.ResultCorrected: _corrected,
    ev.ArrivalNoted: _arrived,
    ev.BreakTaken: _break,
    ev.FindingAnswered: _answered,
    ev.RulingMade: _ruled,
    ev.RulingAnnulled: _annulled,
    ev.AppealLodged: _lodged,
    ev.AppealDecided: _decided,
    ev.CrossingNoted: _crossing,
    ev.StandingsPublished: _published,
}


def evolve(t: TournamentState, e: ev.Event) -> None:
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


@no_collector()
def fold(id: str, events: Iterable[ev.Event]) -> TournamentState:
    """The tournament after these events, from nothing."""
    t = TournamentState(id)
    for e in events:
        evolve(t, e)
    return t
