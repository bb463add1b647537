"""The acts that players do themselves, as far as the regulations allow them. Standard library only."""

from shared.core.language.messages import say, term
from shared.core.rulebook.player_rules import PlayerAct, PlayerRules
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, PlayerId, Refusal


def player_rules(t: TournamentState) -> PlayerRules:
    """Return the acts that players may do themselves in a tournament."""
    return t.regulations.players if isinstance(t, Tournament) else PlayerRules()


def has_entered(t: TournamentState, name: str) -> bool:
    """Return whether the name of a player's token is the number of an entry."""
    return name.isascii() and name.isdigit() and str(int(name)) == name and int(name) in t.players


def own_entry(t: TournamentState, actor: Actor) -> PlayerId | None:
    """Return the number of the player that a token of role ``player`` is for, or None for others and without an entry."""
    return PlayerId(int(actor.name)) if actor.role == "player" and has_entered(t, actor.name) else None


def refuse_unallowed(t: TournamentState, needed: PlayerAct, act: str) -> Refusal | None:
    """Return the refusal ``role-may-not`` for a player's own act that the regulations do not allow, or None."""
    rules = player_rules(t)
    if needed in rules.allowed_acts:
        return None
    detail = say(
        "the regulations of {id} do not allow players to {act}; the value players.allowed_acts is {allowed}",
        id=t.id,
        act=term(act),
        allowed=f"[{', '.join(rules.allowed_acts)}]",
    )
    return Refusal("authority", "role-may-not", detail, rules.article, see=f"/v1/tournaments/{t.id}/rulebook")
