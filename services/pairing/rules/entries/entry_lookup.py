"""The entry, the players or the round that a command names, or the refusal for one that does not exist."""

from collections.abc import Iterable

from shared.core.language.messages import say
from shared.core.state.entities import Player
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal


def entry_of(t: Tournament, player: PlayerId, where: str = "player") -> Player | Refusal:
    """Return the entry of a player. Refusal: ``unknown-player``, for the field ``where`` of the command."""
    return t.players.get(player) or Refusal(
        "unknown", "unknown-player", say("{player} is not entered", player=player), where=where
    )


def entry_present(t: Tournament, player: PlayerId) -> Player | Refusal:
    """Return the entry of a player who is still in the tournament.

    Refusals: ``unknown-player``, ``player-left``.
    """
    entry = entry_of(t, player)
    if isinstance(entry, Refusal) or entry.left_after is None:
        return entry
    if entry.left_after:
        detail = say("{player} left after round {left_after}", player=player, left_after=entry.left_after)
    else:
        detail = say("{player} withdrew before round 1", player=player)
    return Refusal("rule", "player-left", detail, where="player")


def refuse_unentered(t: Tournament, players: Iterable[PlayerId], where: str) -> Refusal | None:
    """Return the refusal ``unknown-player`` with all of these players who are not entered, or None."""
    named = tuple(sorted({player for player in players if player not in t.players}))
    return (
        Refusal("unknown", "unknown-player", say("not entered: {named}", named=named), where=where) if named else None
    )


def refuse_round(t: Tournament) -> Refusal:
    """Return the refusal ``no-such-round``, which states how many rounds the tournament has."""
    detail = say("the tournament has only {rounds} rounds", rounds=t.announced.rounds)
    return Refusal("invalid", "no-such-round", detail, where="round")
