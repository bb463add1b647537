"""Results that players state of their own games: two equal statements report the result."""

from services.games.rules.commands import ReportResults, Result, StateResult
from services.games.rules.hall.results import report, standing_game
from services.games.rules.play.preconditions import refuse_stranger
from shared.core.events import Decision, StatementMade
from shared.core.language.messages import say
from shared.core.readings.removal_refusals import refuse_removed
from shared.core.readings.statements import statements_in_force
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal, other

MOST_STATEMENTS = 5
"""Statements that a player may make of one game, so that a session cannot fill the log. An arbiter reports after that."""


def state_result(t: Tournament, c: StateResult) -> Decision | Refusal:
    """Record the result that a player states of their own game, and report it if the opponent has stated the same.

    A new statement replaces the player's former one. While both differ, the game is open, and arbiters have a task. If a ruling
    or its annulment opens the game again, the statements count again. The result is reported by the role ``rulebook``, as
    `report` decides it. Refusals: ``other-game``, ``player-removed``, ``stated-already``, those of `standing_game` and `report`.
    """
    game = standing_game(t, c.game)
    if isinstance(game, Refusal):
        return game
    stranger = refuse_stranger(c.actor, game)
    if stranger is not None:
        return stranger
    player = PlayerId(int(c.actor.name))
    removal = t.removal_from(game, player)
    if removal is not None:
        return refuse_removed(t, game, removal, "game")
    reported = report(t, ReportResults(c.actor, (Result(game.game, c.white, c.black),)))
    if isinstance(reported, Refusal):
        return reported
    (result,) = reported.events
    stated = StatementMade(game.game, player, result.white, result.black)  # type: ignore[attr-defined]
    made = t.statements.get(game.game, ())
    in_force = statements_in_force(t, game)
    if in_force.get(player) == stated or sum(one.player == player for one in made) >= MOST_STATEMENTS:
        detail = say(
            "player {player} has stated a result of {game} already; after {most} statements only an arbiter can report it",
            player=player,
            game=game.game,
            most=MOST_STATEMENTS,
        )
        return Refusal("rule", "stated-already", detail, where="result")
    opponent = game.player(other("white" if game.white == player else "black"))
    theirs = in_force.get(opponent)
    agreed = theirs is not None and (theirs.white, theirs.black) == (stated.white, stated.black)
    return Decision((stated,), reported.events if agreed else ())
