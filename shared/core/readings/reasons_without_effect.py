"""The reasons why a ruling has no effect: annulled, corrected, contradicted, or without what it depends on.

Standard library only.
"""

from shared.core.events import RulingMade
from shared.core.language.messages import Message, MessageFact, say
from shared.core.readings.vocabulary import fact_words
from shared.core.state.entities import Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId


def reason_without_effect(t: Tournament, ruling: Ruling) -> Message | None:
    """Return why a ruling has no effect, or None if it has one."""
    m = ruling.event
    if t.has_effect(m.ruling):
        return None
    if t.is_in_force(m.ruling):
        return say("another ruling for the same reason is in force and has its effect already")
    fallen = [r for r in m.because if not t.is_in_force(r)]
    return (
        annulled_by(t, m.ruling)
        or _lapse_reason(t, m)
        or _ground_lost(t, m)
        or (
            say("it depends on {rulings}, no longer in force", rulings=tuple(fallen))
            if fallen
            else say("left out for this view only")
        )
    )


def _lapse_reason(t: Tournament, ruling: RulingMade) -> Message | None:
    """Return that the arrival or break behind a ruling was corrected or pardoned, or None.

    It is pardoned if another ruling on it was annulled.
    """
    correction = t.correction_of(ruling)
    if correction is not None:
        return say("depends on a record that {correction} corrects", correction=correction)
    pardon = t.pardon(ruling.notes[-1]) if ruling.notes else None
    return (
        None
        if pardon is None
        else say("it has lapsed: {pardon} annulled a ruling on the same arrival or break", pardon=pardon)
    )


def _ground_lost(t: Tournament, ruling: RulingMade) -> Message | None:
    """Return why the finding or the facts of a ruling no longer hold, or None if they do."""
    finding, check = t.withdrawn_finding(ruling), t.contradiction(ruling.ruling)
    if finding is not None:
        facts: dict[str, MessageFact] = {"finding": finding.event.finding, "line": finding.withdrawn or 0}
        return say("finding {finding} was withdrawn (event {line})", **facts)
    if check is None:
        return None
    shown = fact_words(check.event.contradicted)
    return say(
        "the score sheet contradicts the ruling: it shows {shown} (article {article})",
        shown=shown,
        article=check.event.article or "",
    )


def annulled_by(t: Tournament, ruling: RulingId) -> Message | None:
    """Return a message that lists the annulments in force of a ruling or annulment, or None without one."""
    by = t.annulments_in_force(ruling)
    if not by:
        return None
    retracted = all(t.annulments[a].event.retracted for a in by)
    return say("retracted by {rulings}", rulings=by) if retracted else say("annulled by {rulings}", rulings=by)
