"""Positions set up at the start of a game: the permission for them, and their checks."""

from services.games.rules.boards.port.position import USUAL, BadPosition
from services.games.rules.boards.registry import Variant
from services.games.rules.commands import StartGame
from services.games.rules.hall.results import standing_game
from services.games.rules.play.preconditions import game_with_sheet, refuse_game_over, refuse_stranger
from shared.core.events import Decision, GameStarted
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import permit
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, GameId, Refusal
from shared.core.values.bounds import POSITION


def position_of(t: Tournament, actor: Actor, variant: Variant, text: str | None) -> str | Refusal | None:
    """Return the position that a game is to begin from, in the form of logs, or None for the usual one.

    Refusals: ``role-may-not``, and those of `read`.
    """
    position = read(variant, text)
    if position is None or isinstance(position, Refusal):
        return position
    return permit(t, actor, "set up a position") or position


def read(variant: Variant, text: str | None) -> str | Refusal | None:
    """Return the position of a text in the form of logs, or None for the usual position or without a text.

    Refusals: ``no-set-up`` in this game, ``bad-position``, ``position-over``.
    """
    if text is None or text.strip() == USUAL:
        return None
    if variant.game.set_up is None:
        detail = say("games of {name} must begin from the usual position", name=variant.name)
        return Refusal("rule", "no-set-up", detail, where="position")
    if len(text) > POSITION.longest:
        detail = say("a position must not have more than {most} characters", most=POSITION.longest)
        return Refusal("invalid", "bad-position", detail, where="position")
    try:
        set_up = variant.game.set_up(variant.rules, text)
    except BadPosition as problem:
        detail = say("position: {problem}", problem=message_of(problem))
        return Refusal("invalid", "bad-position", detail, where="position")
    end = None if set_up is None else set_up.position.end()
    if end is not None:
        detail = say("the game is over in this position: {termination}", termination=end.words)
        return Refusal("invalid", "position-over", detail, end.article, "position")
    return None if set_up is None else set_up.text


def refuse_other_position(id: GameId, begun: str | None, said: str | None) -> Refusal | None:
    """Return the refusal ``other-position`` if a game began from a position other than the one in the request, or None.

    ``begun``: the position in the log. ``said``: that of the request. None as a position means the usual one.
    """
    if begun == said:
        return None
    detail = say("{game} began from {begun}, not from {said}", game=id, begun=begun or USUAL, said=said or USUAL)
    return Refusal("rule", "other-position", detail, where="position", see=f"/v1/games/{id}")


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
