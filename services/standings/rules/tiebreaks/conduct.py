"""Tie-breaks of conduct: fewer fouls 犯规 (002-X 15), and punished players last (002-X 18.4)."""

from collections.abc import Callable, Iterable

from services.standings.rules.records import Field
from services.standings.rules.tiebreaks import reasons
from services.standings.rules.tiebreaks.tiebreak import Compute, Edition
from services.standings.rules.tiebreaks.value import Part, Quarters, Value, count_value
from shared.core.events import RulingMade
from shared.core.rulebook.effects import EFFECTS
from shared.core.rulebook.regulations import FOUL_COUNTER
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId


def fouls(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Count the fouls called on the player: fewer are better."""
    return _count(field, player, lambda ruling: ruling.counter == FOUL_COUNTER)


def sum_over_players(compute: Compute[Field], field: Field, players: Iterable[PlayerId], edition: Edition) -> Value:
    """Return the sum of a tie-break of conduct, ``compute``, over several players such as a team 全队 (002-X 15.3-15.5, 18.4)."""
    return _count_uncut(tuple(p for player in players for p in compute(field, player, edition).parts))


def disqualifications(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Count the rulings for misconduct that cost the player a game, a bar or expulsion: fewer are better (002-X 18.2, 18.3)."""
    misconduct = _misconduct(field)
    return _count(field, player, lambda ruling: ruling.infraction in misconduct and EFFECTS[ruling.effect.kind].bars)


def warnings(field: Field, player: PlayerId, edition: Edition) -> Value:
    """Count the player's warnings for misconduct: fewer are better (002-X 18.1)."""
    misconduct = _misconduct(field)
    return _count(field, player, lambda ruling: ruling.infraction in misconduct and ruling.effect.kind == "warn")


def _misconduct(field: Field) -> tuple[str, ...]:
    discipline = field.tournament.regulations.ranking.discipline
    return () if discipline is None else discipline.infractions


def _count(field: Field, player: PlayerId, counts: Callable[[RulingMade], bool]) -> Value:
    """Return the number of the rulings on a player for which ``counts`` is true, with these rulings as parts.

    Rulings not in force do not count, nor those in annulled games unless the regulations count them. They are listed as
    parts with the reason in ``cut``.
    """
    ids = field.rulings.get(player)
    if ids is None:
        return _NOTHING
    t, parts = field.tournament, []
    for id in ids:
        ruling = t.rulings[id].event
        if counts(ruling) and field.covers(ruling):
            lines = tuple(sorted(field.ruling_events(id)))
            cut = reasons.ANNULLED if not t.is_in_force(id) else _annulled_game(t, ruling)
            parts.append(Part(ruling.round, PlayerId(0), Quarters(4), cut=cut, origin="ruling", lines=lines))
    return _count_uncut(tuple(parts))


_NOTHING = count_value(0, less=True)
"""The value of a player without rulings."""


def _annulled_game(t: Tournament, ruling: RulingMade) -> str | None:
    """Return why a ruling in an annulled game does not count, or None if it counts."""
    if t.regulations.ranking.annulled_fouls or ruling.game is None or t.annulling_event(t.games[ruling.game]) is None:
        return None
    return reasons.IN_ANNULLED


def _count_uncut(parts: tuple[Part, ...]) -> Value:
    """Return a value that counts the rulings in ``parts`` that are not excluded (``cut`` is None). Fewer are better."""
    return count_value(sum(p.cut is None for p in parts), parts, less=True)
