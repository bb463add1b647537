"""Why the table does not change in a what-if view, for each ruling that it ignores."""

from services.standings.descriptions.words import effect
from shared.core.language.messages import Message, say
from shared.core.readings.reasons_without_effect import annulled_by, reason_without_effect
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId


def reason_unchanged(was: Tournament, now: Tournament, ruling: RulingId) -> Message:
    """Return why ignoring a ruling or an annulment changes no result. ``was``: as ruled, ``now``: without it."""
    if ruling in was.rulings:
        why = reason_without_effect(was, was.rulings[ruling])
        if why is not None:
            return say("{ruling} has no effect in any case: {why}.", ruling=ruling, why=why)
        return _same_result(was, now, ruling)
    annulled = was.annulments[ruling].event.annuls
    why = annulled_by(was, ruling)
    if why is not None:
        return say("{ruling} has no effect in any case: {why}.", ruling=ruling, why=why)
    if annulled in now.rulings:
        why = reason_without_effect(now, now.rulings[annulled])
        if why is None:
            return _same_result(was, now, annulled)
        return say(
            "{annulled} has no effect without {ruling} either: {why}.", annulled=annulled, ruling=ruling, why=why
        )
    return say("{annulled} is in force again, and no result depends on it.", annulled=annulled)


def _same_result(was: Tournament, now: Tournament, ruling: RulingId) -> Message:
    """Return why a ruling that has an effect, as ruled or now, leaves the table as it is."""
    made = was.rulings[ruling].event
    game = None if made.game is None else was.games.get(made.game)
    if made.effect.kind != "set_marks" or game is None:
        return say("{ruling} changes no result: its effect is “{effect}”.", ruling=ruling, effect=effect(was, made))
    other = _other_ruling(was, now, game, ruling)
    if other is not None:
        return say("The result of the game of {ruling} is set by another ruling, {other}.", ruling=ruling, other=other)
    return say("The game of {ruling} has the same result with and without it.", ruling=ruling)


def _other_ruling(was: Tournament, now: Tournament, game: Game, ruling: RulingId) -> RulingId | None:
    for t in (was, now):
        found = t.ruling_on(game)
        if found is not None and found.event.ruling != ruling:
            return found.event.ruling
    return None
