"""Breaks: who left the board during a game, and for how long (中途上厕所)."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import NoteBreak
from services.penalties.rules.consequences import forfeit, state_after
from services.penalties.rules.game_lookup import game_for, game_of
from shared.core.entities import Game
from shared.core.events import BreakTaken, Decision
from shared.core.regulations import Breaks
from shared.core.terms import PlayerId, Refusal, Seconds
from shared.core.tournament import Tournament


def note_break(t: Tournament, c: NoteBreak) -> Decision | Refusal:
    """The break; where the rulebook measures breaks, one too long or one too many brings the loss of the game.

    Refusals: those of `game_for`, ``bad-break``, ``game-decided``.
    """
    game = _game(t, c)
    if isinstance(game, Refusal):
        return game
    if c.seconds < 1:
        return Refusal("invalid", "bad-break", "seconds are those away from the board, from 1", where="seconds")
    if t.setting(game) is not None:
        return Refusal("rule", "game-decided", f"{game.game} has a result", where="game", see=f"/v1/games/{game.game}")
    player = _player(c, game)
    taken, before = BreakTaken(player, game.game, c.seconds), len(t.breaks.get((game.game, player), ()))
    infraction = infraction_of_break(t.regulations.rulebook.breaks, before, c.seconds)
    if infraction is None:
        return Decision(events=(taken,))
    return Decision(events=(taken,), brought=(forfeit(state_after(t, (taken,)), game, player, infraction),))


def infraction_of_break(rule: Breaks | None, before: int, seconds: Seconds) -> str | None:
    """The infraction that a break is, after so many ``before`` it in the game; None where it is allowed.

    One too many is leaving the game, however short.
    """
    if rule is None:
        return None
    if before >= rule.times:
        return rulebook.LEAVING_THE_GAME
    return rulebook.LONG_BREAK if rulebook.exceeds(rule, seconds) else None


def _game(t: Tournament, c: NoteBreak) -> Game | Refusal:
    """The game, in which a player who is named has a seat."""
    game = game_of(t, c.game) if c.player is None else game_for(t, c.player, None, c.game)
    assert game is not None, "the game is named"
    return game


def _player(c: NoteBreak, game: Game) -> PlayerId:
    if c.player is not None:
        return c.player
    assert c.side is not None, "a player is named, or a side"
    return game.player(c.side)
