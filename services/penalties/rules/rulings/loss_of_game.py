"""The loss of a game by a ruling, and its effect on both sides."""

from dataclasses import replace
from typing import NamedTuple

from services.penalties.rules.game_lookup import game_in_force
from services.penalties.rules.rulebook import next_ruling
from services.penalties.rules.rulings.annulments import is_annulled
from shared.core.events import Effect, RulingMade, Rung
from shared.core.state.entities import Game, Ruling
from shared.core.state.removals import Removal
from shared.core.state.tournament import Tournament
from shared.core.terms import Mark, PlayerId, RulingId


class Loss(NamedTuple):
    """The loss that a ruling imposes. ``effect``: sets the result of both sides.

    ``because``: the ruling that made the opponent lose too, or removed the opponent; else empty.
    """

    effect: Effect
    because: tuple[RulingId, ...]


def loss(t: Tournament, game: Game, player: PlayerId, *, played: bool) -> Loss:
    """Return the player's loss. The opponent wins, unless a ruling already made the opponent lose: then both lose.

    ``played``: False for a forfeit. If both players are late beyond the limit, both forfeit (000-A 8.3 双方弃权). A
    player who has lost by fouls does not win by the other's third foul. A removed opponent does not win either.
    """
    points = t.regulations.points
    opponent = game.black if player == game.white else game.white
    first = ruling_that_lost(t, game, opponent)
    if first is not None:
        played = played and _mark(first, game, opponent).played
    removal = None if first is not None else _removal_of(t, game, opponent)
    if removal is not None:
        played = played and game.started is not None
    own = Mark(points.loss, played)
    other = Mark(points.win, played) if first is None and removal is None else own
    white, black = (own, other) if player == game.white else (other, own)
    opponents = first.event.ruling if first is not None else None if removal is None else removal.ruling
    return Loss(Effect("set_marks", white=white, black=black), () if opponents is None else (opponents,))


def _removal_of(t: Tournament, game: Game, player: PlayerId) -> Removal | None:
    """Return the removal of a player from a game that has no other result, or None."""
    if not t.removals_lapse() or t.own_setting(game) is not None:
        return None
    return next((one for one in t.removed_from(game) if one.player == player), None)


class GroundsOfLoss(NamedTuple):
    """The rulings on which a loss fixed by the rulebook depends, and the step that identifies the loss.

    ``because``: the ruling by which the opponent lost or was removed, so that both lose; else empty. ``rung``: the
    infraction, the player, the game and a number. If the loss must be made again, it keeps this step.
    """

    because: tuple[RulingId, ...] = ()
    rung: Rung | None = None


def grounds_of_loss(t: Tournament, game: Game, player: PlayerId, infraction: str) -> GroundsOfLoss:
    """Return the grounds of a loss for an infraction about to be ruled on, or empty ones before decision edition 2."""
    if t.regulations.decisions < 2:
        return GroundsOfLoss()
    rungs = (r.event.rung for r in t.rulings.values() if (r.event.game, r.event.player) == (game.game, player))
    before = {rung.count for rung in rungs if rung is not None and rung.rule == infraction}
    because = loss(t, game, player, played=True).because
    return GroundsOfLoss(because, Rung(infraction, player, game.game, len(before) + 1))


def loss_again(t: Tournament) -> RulingMade | None:
    """Return the first loss that lapsed only because the opponent's loss lapsed, made again; or None.

    The opponent now wins. A loss that was itself annulled is pardoned. One whose facts the score sheet contradicts is
    not made again.
    """
    for ruling in t.rulings.values():
        event = ruling.event
        if (
            event.rung is None
            or not event.because
            or event.notes
            or t.is_in_force(event.ruling)
            or event.player is None
        ):
            continue
        row = next((r for r in t.regulations.rulebook.infractions if r.name == event.rung.rule), None)
        game = game_in_force(t, event.game)
        if row is None or row.effect != "set_marks" or game is None:
            continue
        if not any(_settles(t, other.event) for other in t.rulings.values() if other.event.rung == event.rung):
            lost = loss(t, game, event.player, played=True)
            return replace(event, ruling=next_ruling(t), effect=lost.effect, because=lost.because, note=None)
    return None


def _settles(t: Tournament, ruling: RulingMade) -> bool:
    """Return whether a ruling shows that its loss must not be made again.

    It is in force, or was itself annulled, or the score sheet contradicts its facts.
    """
    return t.is_in_force(ruling.ruling) or is_annulled(t, ruling.ruling) or t.contradiction(ruling.ruling) is not None


def draw_effect(t: Tournament) -> Effect:
    """Return the effect that gives both players the points of a played draw, according to the tournament's regulations."""
    half = Mark(t.regulations.points.draw, played=True)
    return Effect("set_marks", white=half, black=half)


def ruling_that_lost(t: Tournament, game: Game, player: PlayerId) -> Ruling | None:
    """Return the first effective ruling that loses the game for the player, or None.

    It is on the player, or a decision that accuses no player.
    """
    none = t.regulations.points.loss
    of_game = (t.rulings[id] for id in t.games[game.game].rulings)
    on_player = (ruling for ruling in of_game if ruling.event.player in (player, None))
    losses = (r for r in on_player if t.has_effect(r.event.ruling) and _mark(r, game, player).points <= none)
    return next(losses, None)


def _mark(ruling: Ruling, game: Game, player: PlayerId) -> Mark:
    effect = ruling.event.effect
    mark = effect.white if player == game.white else effect.black
    assert mark is not None, "a ruling listed with a game sets its marks"
    return mark
