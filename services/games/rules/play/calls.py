"""Calls of an arbiter to a game by its players."""

from services.games.rules.commands import CallArbiter
from services.games.rules.hall.results import standing_game
from services.games.rules.play.preconditions import is_arbiter, refuse_stranger
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def call_arbiter(t: Tournament, c: CallArbiter) -> Decision | Refusal:
    """Record that an arbiter is called to a game, or has answered the call, which only an arbiter records.

    A call stays open until it is answered, so that a player cannot repeat it. Refusals: ``other-game``, ``role-may-not``,
    ``call-noted`` if the call already has this state, and those of `standing_game`.
    """
    game = standing_game(t, c.event.game)
    if isinstance(game, Refusal):
        return game
    stranger = refuse_stranger(c.actor, game)
    if stranger is not None:
        return stranger
    if not c.event.open and not is_arbiter(c.actor):
        return Refusal(
            "authority", "role-may-not", say("only an arbiter records that a call is answered"), where="open"
        )
    if (game.game in t.calls) == c.event.open:
        detail = (
            say("an arbiter is already called to {game}", game=game.game)
            if c.event.open
            else say("no call to {game} is open", game=game.game)
        )
        return Refusal("rule", "call-noted", detail, where="open")
    return Decision((c.event,))
