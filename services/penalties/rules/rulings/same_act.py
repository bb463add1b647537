"""Rulings on one act: the same infraction of the same player at the same half-move of a game counts once."""

from shared.core.state.tournament import Tournament
from shared.core.terms import GameId, PlayerId, Ply, RulingId


def ruling_on_act(t: Tournament, game: GameId, ply: Ply, player: PlayerId, infraction: str) -> RulingId | None:
    """Return the first ruling in force on an act, or None; always None before decision edition 2."""
    if t.regulations.decisions < 2:
        return None
    act = (game, ply, player, infraction)
    rulings = (r.event for r in t.rulings.values() if t.is_in_force(r.event.ruling))
    return next((r.ruling for r in rulings if (r.game, r.ply, r.player, r.infraction) == act), None)
