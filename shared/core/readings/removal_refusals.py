"""Refusals of acts for a removed player: the event that removed the player, its article, and how to settle it.

Standard library only.
"""

from shared.core.language.messages import Message, in_turn, say
from shared.core.state.entities import Game
from shared.core.state.removals import Removal
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal

PLAYER_REMOVED = "player-removed"


def refuse_barred(t: Tournament, player: PlayerId, round: int, where: str) -> Refusal | None:
    """Return the refusal of a command about a player barred from a round by a ruling in force, or None.

    Before decision edition 3 it is always None. ``where``: the field of the command that the refusal points to.
    """
    removal = t.removal_from_round(player, round) if t.removals_lapse() else None
    if removal is None or removal.ruling is None:
        return None
    return Refusal("rule", PLAYER_REMOVED, barred_words(t, removal), removal.article, where, _see(t, removal))


def refuse_ended(t: Tournament, game: Game, where: str | None, code: str) -> Refusal | None:
    """Return the refusal, with this ``code``, of a command to continue a game that a player's removal has ended, or None.

    ``where``: the field of the command that the refusal points to.
    """
    removal = t.ended_by_removal(game)
    return None if removal is None else refuse_removed(t, game, removal, where, code)


def refuse_removed(
    t: Tournament, game: Game, removal: Removal, where: str | None, code: str = PLAYER_REMOVED
) -> Refusal:
    """Return the refusal, with this ``code``, of a command in a game that a player lost by this ``removal``.

    ``where``: the field of the command that the refusal points to.
    """
    lost = say("{game} is lost for player {player}", game=game.game, player=removal.player)
    way = (
        say("after the player's return the forfeit remains; correct the result to change it")
        if removal.ruling is None
        else say("the game continues if ruling {ruling} is annulled or retracted", ruling=removal.ruling)
    )
    detail = in_turn((lost, _reason(t, removal), way))
    return Refusal("rule", code, detail, removal.article, where, _see(t, removal))


def barred_words(t: Tournament, removal: Removal) -> Message:
    """Return why a removed player cannot be seated, and what would allow it again."""
    way = (
        say("after a return the player can be seated again")
        if removal.ruling is None
        else say("the player may play again if ruling {ruling} is annulled or retracted", ruling=removal.ruling)
    )
    return in_turn((_reason(t, removal), way))


def _reason(t: Tournament, removal: Removal) -> Message:
    if removal.ruling is None:
        return say("player {player} left the event (event {seq})", player=removal.player, seq=removal.seq)
    effect = t.rulings[removal.ruling].event.effect
    if effect.kind == "expel":
        return say("ruling {ruling} expels player {player}", ruling=removal.ruling, player=removal.player)
    return say(
        "ruling {ruling} excludes player {player} from rounds {rounds}",
        ruling=removal.ruling,
        player=removal.player,
        rounds=effect.rounds,
    )


def _see(t: Tournament, removal: Removal) -> str:
    if removal.ruling is None:
        return f"/v1/tournaments/{t.id}/corrections"
    return f"/v1/tournaments/{t.id}/rulings/{removal.ruling}"
