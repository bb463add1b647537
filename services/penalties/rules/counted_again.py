"""Infractions that one report counts more than once, such as a foul for each four moves not recorded (002-X 7.1)."""

from services.penalties.rules import rulebook
from services.penalties.rules.rulings.annulments import is_annulled
from shared.core.events import Effect, RulingMade, Rung
from shared.core.rulebook.effects import FactRule
from shared.core.rulebook.regulations import InfractionRule
from shared.core.state.entities import Ruling
from shared.core.state.tournament import Tournament


def next_counted_again(t: Tournament) -> RulingMade | None:
    """Return the next ruling that is due because one report counts as several infractions, or None.

    The further rulings depend on the reported ruling, and lapse with it. One that was itself annulled is not made
    again.
    """
    for ruling in t.rulings.values():
        event = ruling.event
        if event.facts and event.player is not None and t.is_in_force(event.ruling):
            for row, fact in _counting_facts(t, ruling):
                for number in range(2, fact.times(event.facts) + 1):
                    rung = Rung(event.infraction, event.player, event.ruling, number)
                    if not _was_made(t, rung):
                        return _further_ruling(t, event, row.article_of(fact), rung)
    return None


def _counting_facts(t: Tournament, ruling: Ruling) -> list[tuple[InfractionRule, FactRule]]:
    """Return the infraction rule of a ruling with each fact by which the infraction counts more than once.

    The rules are those in force when the ruling was made. Before decision edition 3, every infraction counts once.
    """
    then = t.regulations_at(ruling.seq)
    rows = then.rulebook.infraction_rules(t.announced.game) if then.decisions >= 3 else ()
    return [(row, fact) for row in rows if row.name == ruling.event.infraction for fact in row.facts if fact.each]


def _was_made(t: Tournament, rung: Rung) -> bool:
    """Return whether the ruling of step ``rung`` must not be made again: it is in force, or was itself annulled."""
    made = (r.event.ruling for r in t.rulings.values() if r.event.rung == rung)
    return any(t.is_in_force(id) or is_annulled(t, id) for id in made)


def _further_ruling(t: Tournament, reported: RulingMade, article: str, rung: Rung) -> RulingMade:
    return RulingMade(
        rulebook.next_ruling(t),
        reported.player,
        reported.round,
        reported.infraction,
        article,
        Effect(reported.effect.kind),
        game=reported.game,
        counter=reported.counter,
        because=(reported.ruling,),
        rung=rung,
    )
