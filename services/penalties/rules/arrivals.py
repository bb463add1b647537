"""Arrivals: who came late, and who did not come (迟到, 缺席)."""

from services.penalties.rules import rulebook
from services.penalties.rules.commands import NoteArrival
from services.penalties.rules.consequences import forfeit, state_after
from services.penalties.rules.game_lookup import game_for, no_game
from shared.core.entities import Game
from shared.core.events import ArrivalNoted, Decision
from shared.core.regulations import Lateness
from shared.core.terms import Refusal, Seconds
from shared.core.tournament import Tournament


def note_arrival(t: Tournament, c: NoteArrival) -> Decision | Refusal:
    """The arrival; over the default time, or absent, it brings the loss of the game unplayed."""
    game = game_for(t, c.player, c.round, c.game)
    if isinstance(game, Refusal):
        return game
    if game is None:
        return no_game(c.player, c.round)
    if c.late is not None and c.late < 0:
        return Refusal("invalid", "bad-lateness", "late is in seconds after the start, from 0", where="late")
    if t.arrival_of(game.game, c.player) is not None:
        return Refusal("rule", "arrival-noted", f"the arrival of player {c.player} was noted before", where="player")
    if _decided_at_the_board(t, game):
        return Refusal("rule", "game-decided", f"{game.game} has a result", where="round")
    arrival = ArrivalNoted(c.player, game.game, c.late)
    if not too_late(t.regulations.rulebook.lateness, c.late):
        return Decision(events=(arrival,))
    infraction = "absence" if c.late is None else "lateness"
    return Decision(events=(arrival,), brought=(forfeit(state_after(t, (arrival,)), game, c.player, infraction),))


def too_late(rule: Lateness, late: Seconds | None) -> bool:
    """Whether an arrival loses the game: an absence always, else beyond (or at) the limit as the article says."""
    return late is None or rulebook.exceeds(rule, late)


def _decided_at_the_board(t: Tournament, game: Game) -> bool:
    """Whether the game has a result that was played; a forfeit leaves the other's arrival to be noted."""
    setting = t.setting(game)
    return setting is not None and (setting.white.played or setting.black.played)
