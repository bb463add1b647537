"""The erasable texts of a tournament that the reader of an answer may see."""

from shared.core.readings.authority import DECIDE_APPEAL, DECIDE_CLAIM, READ_TEXTS, permit, permit_any
from shared.core.state.tournament import TournamentState
from shared.core.terms import TextRef
from shared.desk.desk import Desk
from shared.http.reads import tournament_query
from shared.http.requests import auth

_permit_case_texts = permit_any(READ_TEXTS, DECIDE_CLAIM, DECIDE_APPEAL)


def may_read_texts(t: TournamentState) -> bool:
    """Return whether the reader of this page may read the texts that officials wrote in the tournament."""
    reader = auth.visitor_of(t.id)
    return reader is not None and permit(t, reader.actor, READ_TEXTS) is None


def may_read_case_texts(t: TournamentState) -> bool:
    """Return whether the reader may read notes and reasons of rulings, and the grounds of appeals and of their decisions.

    Readers of all texts may, arbiters in office, and the officials who decide appeals by the rulebook. A session that is
    limited to some boards may not, because players can look at a tablet in the playing venue.
    """
    reader = auth.visitor_of(t.id)
    return reader is not None and reader.boards is None and _permit_case_texts(t, reader.actor) is None


def may_read_case_texts_now(desk: Desk, t: str) -> bool:
    """Return whether the caller may read the texts of cases now, whatever past state is asked for."""
    return may_read_case_texts(tournament_query.view_at(desk, t).state)


def text_of(desk: Desk, ref: TextRef | None) -> str | None:
    """Return the text of a reference, or None without one and after it was erased."""
    return None if ref is None else desk.called([ref.text]).get(ref.text)
