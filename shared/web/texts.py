"""The erasable texts of a tournament that the reader of an answer may see: grounds, reasons and the names of officials."""

from functools import partial

from flask import after_this_request, has_request_context

from shared.core.readings.authority import READ_TEXTS, permit
from shared.core.state.tournament import TournamentState
from shared.desk.desk import Desk
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.web.particulars import limit_caches


def may_read_texts(t: TournamentState) -> bool:
    """Return whether the reader of this page may read the texts that officials wrote in the tournament."""
    reader = auth.visitor_of(t.id)
    return reader is not None and permit(t, reader.actor, READ_TEXTS) is None


def may_read_texts_now(desk: Desk, t: str) -> bool:
    """Return whether the caller may read the erasable texts now, whatever past state is asked for."""
    return may_read_texts(tournament_query.view_at(desk, t).state)


def official_names(desk: Desk, t: TournamentState) -> dict[str, str]:
    """Return the names of officials by hash, without those that were erased. It is empty if the reader may not see them.

    Caches do not give the answer to other readers. Outside a request nothing is hidden.
    """
    if has_request_context():
        may = may_read_texts_now(desk, t.id)
        after_this_request(partial(limit_caches, personal=may))
        if not may:
            return {}
    return desk.called({one.person.text for one in t.officials.values() if one.person is not None})
