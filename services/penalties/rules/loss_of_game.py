"""The loss of a game by a ruling, and what it means for both sides."""

from dataclasses import dataclass

from shared.core.entities import Game, Ruling
from shared.core.events import Effect
from shared.core.terms import Mark, PlayerId, RulingId
from shared.core.tournament import Tournament


@dataclass(frozen=True, slots=True)
class Loss:
    """The marks of a lost game; ``opponents`` is the ruling by which the opponent lost too, if there is one."""

    effect: Effect
    opponents: RulingId | None


def loss(t: Tournament, game: Game, player: PlayerId, *, played: bool) -> Loss:
    """The player loses and the opponent wins, unless a ruling already made the opponent lose: then both lose.

    So of two players late over the limit both forfeit (000-A 8.3 双方弃权), and who has
    lost by fouls does not win by the other's third foul.
    """
    points = t.regulations.points
    opponent = game.black if player == game.white else game.white
    first = ruling_that_lost(t, game, opponent)
    if first is not None:
        played = played and _mark(first, game, opponent).played
    own = Mark(points.loss, played)
    other = own if first is not None else Mark(points.win, played)
    white, black = (own, other) if player == game.white else (other, own)
    return Loss(Effect("set_marks", white=white, black=black), first.event.ruling if first else None)


def draw_effect(t: Tournament) -> Effect:
    """A draw over the board."""
    half = Mark(t.regulations.points.draw, played=True)
    return Effect("set_marks", white=half, black=half)


def ruling_that_lost(t: Tournament, game: Game, player: PlayerId) -> Ruling | None:
    """The first effective ruling that loses the game for the player: one on him, or a decision that accuses nobody."""
    none = t.regulations.points.loss
    of_game = (t.rulings[id] for id in t.games[game.game].rulings)
    on_player = (ruling for ruling in of_game if ruling.event.player in (player, None))
    losses = (r for r in on_player if t.effective(r.event.ruling) and _mark(r, game, player).points <= none)
    return next(losses, None)


def _mark(ruling: Ruling, game: Game, player: PlayerId) -> Mark:
    effect = ruling.event.effect
    mark = effect.white if player == game.white else effect.black
    assert mark is not None, "a ruling listed with a game sets its marks"
    return mark
