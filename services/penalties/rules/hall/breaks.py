"""Breaks: players who left the board during a game, and for how long (中途上厕所)."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import CorrectBreak, NoteBreak
from services.penalties.rules.game_lookup import game_for, game_of, refuse_decided
from services.penalties.rules.hall.corrections import corrected_game
from services.penalties.rules.hall.forfeits import Infraction, forfeit, infraction_of_break
from shared.core.event_types.evolve import fork_after
from shared.core.events import BreakCorrected, BreakTaken, Decision
from shared.core.language.messages import say
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import PENALTIES, PlayerId, Refusal, Seconds


def note_break(t: Tournament, c: NoteBreak) -> Decision | Refusal:
    """Record a break.

    If the rulebook limits breaks, a break that is too long, or one more than permitted, is an infraction. It loses the
    game or adds to a counter, according to the rulebook. Refusals: those of `game_for`, ``bad-break``,
    ``game-decided``.
    """
    game = game_of(t, c.game) if c.player is None else game_for(t, c.player, None, c.game)
    assert game is not None, "the game is named"
    if isinstance(game, Refusal):
        return game
    refusal = _refuse_seconds(c.seconds)
    if refusal is not None:
        return refusal
    if t.setting(game) is not None:
        return refuse_decided(game, "game")
    player = _player(c, game)
    if t.regulations.decisions >= 2:
        return Decision(events=(BreakTaken(player, game.game, c.seconds, f"b{rulebook.next_number(t)}"),))
    taken, before = BreakTaken(player, game.game, c.seconds), len(t.breaks_of(game.game, player))
    infraction = infraction_of_break(t.regulations.rulebook.breaks, before, c.seconds)
    if infraction is None:
        return Decision(events=(taken,))
    lost_game = forfeit(fork_after(t, PENALTIES, (taken,)), Infraction(infraction, player, game))
    return Decision(events=(taken,), brought=(lost_game,))


def correct_break(t: Tournament, c: CorrectBreak) -> Decision | Refusal:
    """Correct the seconds of a break that was recorded wrongly, or state (``seconds`` None) that it did not take place.

    Its consequences, and those of later breaks, lapse or are recomputed. Refusals: those of `corrected_game`,
    ``bad-break``, ``break-unchanged``.
    """
    address = f"/v1/games/{c.game}/breaks"
    game = corrected_game(t, "break", c.corrects, {id: b for id, b in t.breaks.items() if b.game == c.game}, address)
    if isinstance(game, Refusal):
        return game
    refusal = None if c.seconds is None else _refuse_seconds(c.seconds)
    if refusal is not None:
        return refusal
    before = t.breaks[c.corrects]
    if c.seconds == before.seconds:
        detail = say("break {id} already has these values", id=c.corrects)
        return Refusal("rule", "break-unchanged", detail, where="seconds", see=f"{address}/{c.corrects}")
    id = f"b{rulebook.next_number(t)}"
    return Decision(events=(BreakCorrected(id, c.corrects, before.player, game.game, c.seconds, c.reason),))


def _refuse_seconds(seconds: Seconds) -> Refusal | None:
    if seconds >= 1:
        return None
    return Refusal(
        "invalid", "bad-break", say("seconds must be the time away from the board, at least 1"), where="seconds"
    )


def _player(c: NoteBreak, game: Game) -> PlayerId:
    if c.player is not None:
        return c.player
    assert c.side is not None, "a player is named, or a side"
    return game.player(c.side)
