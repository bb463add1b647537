"""The parties of a ruling: the players it concerns, and the officials who decided it."""

from services.penalties.rules.rulings.annulments import base_ruling
from shared.core.events import Effect
from shared.core.rulebook.effects import REMOVALS
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, RulingId


def concerned_players(t: Tournament, ruling: RulingId) -> tuple[PlayerId, ...]:
    """Return the players concerned by a ruling or an annulment, in order. They may appeal against it (002-X 8.5).

    A ruling concerns its player, and both players of a game that it decides. An annulment concerns all players of the
    rulings that it puts in or out of force. A removal decides the games without another result that it forfeits.
    """
    base = base_ruling(t, ruling).event.ruling
    rulings = {base} if ruling == base else _dependent_rulings(t, base)
    return tuple(sorted({player for one in rulings for player in _players(t, one)}))


def _dependent_rulings(t: Tournament, base: RulingId) -> set[RulingId]:
    """Return the ruling and all that depend on it, directly or indirectly."""
    resting = {base}
    for id, ruling in t.rulings.items():
        if not resting.isdisjoint(ruling.event.because):
            resting.add(id)
    return resting


def _players(t: Tournament, ruling: RulingId) -> set[PlayerId]:
    event = t.rulings[ruling].event
    players = set() if event.player is None else {event.player}
    game = None if event.game is None else t.games.get(event.game)
    if game is not None and (event.player is None or event.effect.kind == "set_marks"):
        players |= {game.white, game.black}
    if event.player is not None and event.effect.kind in REMOVALS and t.removals_lapse():
        players |= _players_of_forfeits(t, event.player, event.effect)
    return players


def _players_of_forfeits(t: Tournament, player: PlayerId, effect: Effect) -> set[PlayerId]:
    """Return the players of the games that a removal forfeits, or forfeited before it was annulled."""
    games = (g for g in t.games_in_force() if player in (g.white, g.black) and t.own_setting(g) is None)
    unset = (g for g in games if t.ruling_on(g) is None and (effect.kind == "expel" or g.round in effect.rounds))
    return {one for game in unset for one in (game.white, game.black)}


def deciders(t: Tournament, ruling: RulingId) -> frozenset[str]:
    """Return the names of the officials who made a ruling or an annulment.

    Those who made the ruling that an annulment annuls, and the rulings on which it depends, are included.
    """
    annulment = t.annulments.get(ruling)
    if annulment is not None:
        return deciders(t, annulment.event.annuls) | {annulment.actor}
    entry = t.rulings[ruling]
    made = frozenset() if entry.role == "rulebook" else frozenset((entry.actor,))
    return made.union(*(deciders(t, ground) for ground in entry.event.because))
