"""The erasable texts of a tournament that the reader of an answer may see."""

from shared.core.readings.authority import READ_TEXTS, permit
from shared.core.state.tournament import TournamentState
from shared.desk.desk import Desk
from shared.http.reads import tournament_query
from shared.http.requests import auth


def may_read_texts(t: TournamentState) -> bool:
    """Return whether the reader of this page may read the texts that officials wrote in the tournament."""
    reader = auth.visitor_of(t.id)
    return reader is not None and permit(t, reader.actor, READ_TEXTS) is None


def may_read_texts_now(desk: Desk, t: str) -> bool:
    """Return whether the caller may read the erasable texts now, whatever past state is asked for."""
    return may_read_texts(tournament_query.view_at(desk, t).state)
