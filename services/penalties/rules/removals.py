"""Games in progress of expelled and excluded players: each is lost, by a ruling that rests on the removal."""

from collections.abc import Iterator

from services.penalties.rules.rulebook import next_ruling
from services.penalties.rules.rulings.loss_of_game import loss
from shared.core.events import RulingMade, Rung
from shared.core.state.entities import Game
from shared.core.state.removals import REMOVAL, Removal
from shared.core.state.tournament import Tournament


def next_removal_loss(t: Tournament) -> RulingMade | None:
    """Return the first loss due to a removal that no ruling states yet, or None.

    By the article of the removal: 取消当场比赛资格 (002-X 18.2; 000-A 6.2), 除名 (002-X 18.3), 取消资格 (000-B 注意 8).
    Games that were not begun are forfeited without a ruling (`Tournament.setting`).
    """
    for game, removal in _lost_in_progress(t):
        assert removal.ruling is not None, "a player who left without a ruling loses without one"
        return RulingMade(
            next_ruling(t),
            removal.player,
            game.round,
            REMOVAL,
            removal.article,
            loss(t, game, removal.player, played=True).effect,
            game=game.game,
            because=(removal.ruling,),
            rung=Rung(REMOVAL, removal.player, game.game, 1),
        )
    return None


def _lost_in_progress(t: Tournament) -> Iterator[tuple[Game, Removal]]:
    if not t.removals_lapse() or not t.removals:
        return
    for game in t.standing_games():
        if game.started is None or t.removals.keys().isdisjoint((game.white, game.black)):
            continue
        if t.own_setting(game) is None and t.ruling_on(game) is None:
            yield from ((game, one) for one in t.removed_from(game)[:1] if one.ruling is not None)
