"""The boards of a round that changed since an event: an open page replaces their rows, and keeps all others."""

from flask import Response

from services.standings.page_context import PageContext
from services.standings.rounds.boards import BoardRow, RoundRows
from services.standings.rounds.round_desk import RoundDesk
from shared.core import events as ev
from shared.desk.views import stream_of
from shared.http.reads import tournament_query
from shared.web.page import kept_query
from shared.wire import envelope

OF_A_BOARD = (
    ev.GameStarted,
    ev.GameEnded,
    ev.ColoursCorrected,
    ev.ColoursSettled,
    ev.ResultReported,
    ev.ResultCorrected,
    ev.StatementMade,
    ev.CallMade,
    ev.ClaimPending,
    ev.ClaimSettled,
    ev.FindingMade,
    ev.ArrivalNoted,
    ev.ArrivalCorrected,
    ev.BreakTaken,
    ev.BreakCorrected,
)
"""Events of one game: its two players' rows change, the title of the round and the tasks. Others may change more."""
MOST_EVENTS = 500
"""Events after which a page is asked for as a whole."""


def changed_boards(page: PageContext, rows: RoundRows) -> list[BoardRow] | None:
    """Return the boards that the events after ``?since`` changed, or None if the whole page must be shown.

    A result of an earlier round changes the points with which its players came to this one. Raises `Problem` 422.
    """
    since = tournament_query.number("since", 0)
    if since is None or kept_query() or not 0 <= page.view.seq - since <= MOST_EVENTS:
        return None
    games, players = page.state.games, set()
    for row in page.desk.lines(stream_of(page.state.id), since, page.view.seq):
        data = envelope.read(row.line, row.seq).data
        if not isinstance(data, OF_A_BOARD) or data.game not in games:
            return None
        players |= {games[data.game].white, games[data.game].black}
    return [board for board in rows.boards if {board.white.player, board.black.player} & players]


def rows_alone(page: PageContext, rows: RoundRows, changed: list[BoardRow], **context: RoundDesk | None) -> Response:
    """Return the changed rows, which replace those of the same boards on an open page."""
    response = page.render("round_rows.html", rows=rows, changed=changed, **context)
    response.headers["HX-Reswap"] = "none"
    return response
