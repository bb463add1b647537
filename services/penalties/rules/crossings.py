"""Crossings that the chief arbiter has seen."""

from services.penalties.rules.commands import NoteCrossing
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def note_crossing(t: Tournament, c: NoteCrossing) -> Decision | Refusal:
    """Whether that line did cross another is the integrity list's to say; here it need only exist."""
    # Own lines not yet back have provisional numbers, never above their later ones:
    # what is taken here is taken again when it is decided again.
    if not 1 <= c.event.seq <= t.seq:
        return Refusal("unknown", "unknown-line", say("the log has no line {seq} yet", seq=c.event.seq), where="seq")
    if c.event.seq in t.crossings:
        return Refusal(
            "rule", "crossing-noted", say("the crossing at line {seq} was noted already", seq=c.event.seq), where="seq"
        )
    return Decision(events=(c.event,))
