"""The pages of players: all of them by name, and each with the sums that the table has of him."""

from flask import Blueprint, Response

from services.standings import queries
from services.standings.page_context import LAYOUT, page_context
from services.standings.rounds.round_pages import round_query
from services.standings.rules.answers import ExplanationAnswer
from services.standings.rules.explanation import explanation, meaning
from shared.core.language.messages import Message
from shared.core.rounds.matches import team_of
from shared.core.state.tournament import TournamentState
from shared.desk.desk import Desk
from shared.http.operations import TABLE
from shared.web.name_order import finds, name_key
from shared.web.particulars import particulars_of


def players(bp: Blueprint, desk: Desk) -> None:
    """The list of players, and a page for each."""

    @LAYOUT.serves(bp, "/t/<t>/players", shared=True, cost=TABLE)
    def players_page(t: str) -> Response:
        page, search = page_context(desk, t), round_query()
        table = page.table()
        ranks = {} if table is None else {row.player: row.rank for row in table.rows}
        clubs = desk.texts({p.club.text for p in page.state.players.values() if p.club is not None})
        entries = [
            (
                entry,
                page.name(entry.player),
                clubs[entry.club.text].text if entry.club and entry.club.text in clubs else None,
            )
            for entry in page.state.players.values()
        ]
        wanted = [row for row in entries if any(finds(search.text, text or "") for text in row[1:])]
        return page.render(
            "players.html",
            entries=sorted(wanted, key=lambda row: name_key(row[1] or "")),
            ranks=ranks,
            teams=team_of(page.state),
            search=search,
        )

    @LAYOUT.serves(bp, "/t/<t>/players/<int:p>", cost=TABLE)
    def player_page(t: str, p: int) -> Response:
        page = page_context(desk, t)
        id = queries.player(page.view, p)
        table = page.table()
        row = None if table is None else explanation(table, id, page.names)
        player = page.state.players[id]
        said = particulars_of(desk, page.state, [id])[id]
        rulings = [r for r in page.state.rulings.values() if r.event.player == id]
        return page.render(
            "player.html",
            row=row,
            player=player,
            said=said,
            team=team_of(page.state).get(id),
            rulings=rulings,
            meanings=_meanings(page.state, row),
        )


def _meanings(t: TournamentState, row: ExplanationAnswer | None) -> dict[str, Message]:
    """What each tie-break of an explained row counts, by its code."""
    if row is None or t.regulations is None:
        return {}
    return {one.name: meaning(t.regulations, one.name) for one in row.tiebreaks}
