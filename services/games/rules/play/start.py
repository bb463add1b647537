"""The start of a game before any event on its sheet."""

from services.games.rules.commands import StartGame
from services.games.rules.hall.results import standing_game
from services.games.rules.play.preconditions import game_with_sheet, refuse_game_over, refuse_stranger
from services.games.rules.play.set_up import position_of
from shared.core.events import Decision, GameStarted
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def start(t: Tournament, c: StartGame) -> Decision | Refusal:
    """Start a game, optionally from a position that is set up. Its pairing can then no longer be withdrawn.

    Refusals: ``unknown-game``, ``pairing-withdrawn``, ``other-game``, ``already-started``, ``game-over``; with a
    position also ``no-score-sheet``, and those of `position_of`.
    """
    game = standing_game(t, c.game)
    if isinstance(game, Refusal):
        return game
    refusal = (refuse_stranger(c.actor, game) if t.regulations.decisions >= 2 else None) or refuse_game_over(t, game)
    if refusal is not None:
        return refusal
    if game.started is not None:
        return Refusal("rule", "already-started", say("{game} has been started", game=c.game))
    if c.position is None:
        return Decision((GameStarted(c.game),))
    running = game_with_sheet(t, c.game)
    if isinstance(running, Refusal):
        return running
    position = position_of(t, c.actor, running.variant, c.position)
    return position if isinstance(position, Refusal) else Decision((GameStarted(c.game, position),))
