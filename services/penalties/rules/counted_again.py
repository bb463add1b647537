"""Infractions that one report counts more than once, such as a foul for each four moves not recorded (002-X 7.1)."""

from services.penalties.rules import rulebook
from services.penalties.rules.annulments import annulled
from shared.core.entities import Ruling
from shared.core.events import Effect, RulingMade
from shared.core.facts import FactRule
from shared.core.regulations import InfractionRule
from shared.core.tournament import Tournament


def next_counted_again(t: Tournament) -> RulingMade | None:
    """Return the next ruling that is due because a ruling in force counts once more, or None.

    It depends on the ruling that was reported, and lapses with it. One that was annulled itself is not made again.
    """
    for ruling in t.rulings.values():
        if ruling.event.facts and t.stands(ruling.event.ruling):
            due = _rule(t, ruling)
            if due is not None and _made(t, ruling) < due[1].times(ruling.event.facts) - 1:
                return _again(t, ruling, *due)
    return None


def _rule(t: Tournament, ruling: Ruling) -> tuple[InfractionRule, FactRule] | None:
    """Return the row and the fact by which the ruling counts more than once, as in force when it was made, or None."""
    rows = t.regulations_at(ruling.seq).rulebook.infraction_rules(t.announced.game)
    return next(
        ((row, fact) for row in rows if row.name == ruling.event.infraction for fact in row.facts if fact.each), None
    )


def _made(t: Tournament, ruling: Ruling) -> int:
    """Return how many such rulings were made on a ruling, and are in force or annulled themselves."""
    id, infraction = ruling.event.ruling, ruling.event.infraction
    made = (e for r in t.rulings.values() for e in [r.event] if (e.because, e.infraction) == ((id,), infraction))
    return sum(t.stands(event.ruling) or annulled(t, event.ruling) for event in made)


def _again(t: Tournament, ruling: Ruling, row: InfractionRule, fact: FactRule) -> RulingMade:
    event = ruling.event
    return RulingMade(
        rulebook.next_ruling(t),
        event.player,
        event.round,
        event.infraction,
        row.article_of(fact),
        Effect(event.effect.kind),
        game=event.game,
        counter=event.counter,
        because=(event.ruling,),
    )
