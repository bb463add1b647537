"""The pages of the table, of the cross table, and of players and teams with the reasons for their places."""

from flask import Blueprint, Response

from services.standings import queries
from services.standings.closing.closing_checklist import Parting, partings
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.people.people_routes import readable_people
from services.standings.rounds.tournament_pages import round_query
from services.standings.rules.answers import ExplanationAnswer
from services.standings.rules.crosstable import crosstable
from services.standings.rules.encounters import add_encounters, shown_tiebreaks
from services.standings.rules.explanation import explanation, meaning
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.explanation import crosstable as team_crosstable
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.tables.bracket_view import bracket_parts
from services.standings.tables.table_routes import explain_team, team_table
from shared.core.language.messages import Message
from shared.core.rounds.matches import team_of
from shared.core.state.tournament import Tournament, TournamentState
from shared.desk.desk import Desk
from shared.http.operations import TABLE
from shared.web.name_order import finds, name_key
from shared.web.particulars import particulars_of


def tables(bp: Blueprint, desk: Desk) -> None:
    """Add the pages of the table, of the cross table and of the bracket."""

    @LAYOUT.serves(bp, "/t/<t>/standings", shared=True, cost=TABLE)
    def standings_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        rows = table and add_encounters(table, page.names)
        return page.render(
            "standings.html",
            table=rows,
            shown=shown_tiebreaks(rows.tiebreaks, rows.players) if rows else (),
            players=page.state.players,
            publications=list(reversed(page.state.publications)),
            partings=_partings(page),
        )

    @LAYOUT.serves(bp, "/t/<t>/crosstable", shared=True, cost=TABLE)
    def crosstable_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render("crosstable.html", table=table and crosstable(table, page.names))

    @LAYOUT.serves(bp, "/t/<t>/bracket", shared=True, cost=TABLE)
    def bracket_page(t: str) -> Response:
        page = page_context(desk, t)
        adopted = page.state.regulations is not None
        return page.render("bracket.html", parts=bracket_parts(page.tournament) if adopted else [])


def _partings(page: PageContext) -> list[Parting]:
    """Return the shared places that can be decided now, if the reader may pair a round."""
    return partings(page.state) if isinstance(page.state, Tournament) and page.may("pair a round") else []


def teams(bp: Blueprint, desk: Desk) -> None:
    """Add the page of the table of teams, and a page for each team."""

    @LAYOUT.serves(bp, "/t/<t>/teams", cost=TABLE)
    def teams_page(t: str) -> Response:
        page = page_context(desk, t)
        table = team_table(page.view)
        rows = add_team_encounters(table, page.names)
        return page.render(
            "teams.html",
            table=rows,
            shown=shown_tiebreaks(rows.tiebreaks, rows.teams),
            crossed=team_crosstable(table, page.names),
            titles=tiebreaks_of(table.tournament).titles,
            partings=_partings(page),
        )

    @LAYOUT.serves(bp, "/t/<t>/teams/<int:team>", cost=TABLE)
    def team_page(t: str, team: int) -> Response:
        page = page_context(desk, t)
        table = team_table(page.view)
        row = explain_team(table, team, dict(page.names))
        known = tiebreaks_of(table.tournament)
        return page.render(
            "team.html", row=row, team=page.state.teams[team], titles=known.titles, meanings=known.meanings
        )


def players(bp: Blueprint, desk: Desk) -> None:
    """Add the list of players, and a page for each."""

    @LAYOUT.serves(bp, "/t/<t>/players", shared=True, cost=TABLE)
    def players_page(t: str) -> Response:
        page, search = page_context(desk, t), round_query()
        table = page.table()
        ranks = {} if table is None else {row.player: row.rank for row in table.rows}
        ranks = ranks if len(set(ranks.values())) > 1 else {}  # before the first result, every player is first
        said = particulars_of(desk, page.state)
        entries = [(entry, page.name(entry.player), said[entry.player].club) for entry in page.state.players.values()]
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
            person=readable_people(desk).person_of_entry(t, id),
            meanings=_meanings(page.state, row),
        )


def _meanings(t: TournamentState, row: ExplanationAnswer | None) -> dict[str, Message]:
    """Return what each tie-break of an explained row counts, by its code."""
    if row is None or t.regulations is None:
        return {}
    return {one.name: meaning(t.regulations, one.name) for one in row.tiebreaks}
