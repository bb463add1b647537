"""Tables for spreadsheets: standings, cross table, a round's boards, in the reader's language."""

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from flask import Blueprint, Response

from services.standings import queries
from services.standings.files.csv_tables import CSV, Cell, met, spreadsheet
from services.standings.page_context import LAYOUT, SIDES, PageContext, page_context
from services.standings.rounds.boards import RoundRows, Seat, round_rows
from services.standings.rounds.tournament_pages import known_round
from services.standings.rules.answers import CellAnswer, CrosstableAnswer, PlayerRowAnswer
from services.standings.rules.crosstable import crosstable
from services.standings.rules.encounters import add_encounters, tiebreak_columns
from services.standings.rules.teams.explanation import add_team_encounters
from services.standings.rules.teams.table import tiebreaks_of
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from services.standings.rules.tiebreaks.value import points_number
from services.standings.tables.table_routes import team_table
from shared.core.language.messages import Message, say
from shared.core.readings.vocabulary import column_heading
from shared.core.terms import PlayerId, Side
from shared.desk.desk import Desk
from shared.http.language import language
from shared.http.operations import TABLE
from shared.http.reads import tournament_query

_PERSON = (say("No."), say("Player"))


def tables_as_files(bp: Blueprint, desk: Desk) -> None:
    """Each table as a file to be kept."""

    @LAYOUT.serves(bp, "/t/<t>/standings.csv", cost=TABLE)
    def standings_file(t: str) -> Response:
        page = page_context(desk, t)
        table = add_encounters(queries.table(page.view), page.names)
        columns, players = tiebreak_columns(table.tiebreaks, table.players, TIEBREAKS)
        ranking = [name for name in columns if name != "PTS"]
        more = (*((say("Sex"),) if page.sexes else ()), *((say("Group"),) if page.groups else ()))
        person = (*_PERSON, say("Title"), say("Rating"), say("Federation"), say("Unit"), *more)
        head = (say("Rank"), *person, say("Points"))
        rows = ((p.rank, *_person(page, p), p.points, *(cells[name] for name in ranking)) for p, cells in players)
        return kept_as(page, "standings", head, rows, ranking)

    @LAYOUT.serves(bp, "/t/<t>/crosstable.csv", cost=TABLE)
    def crosstable_file(t: str) -> Response:
        page = page_context(desk, t)
        crossing = crosstable(queries.table(page.view), page.names)
        head = (say("Rank"), *_PERSON, say("Unit"), say("Points"))
        return kept_as(
            page, "crosstable", head, _crossed(page, crossing), [str(n) for n in range(1, crossing.rounds + 1)]
        )

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>.csv", cost=TABLE)
    def round_file(t: str, n: int) -> Response:
        page = page_context(desk, t)
        known_round(page, n)
        rows = round_rows(page, n)
        first, second = ((say("No."), column_heading(page.colours, side), say("Unit"), say("Points")) for side in SIDES)
        own = page.colours.black is None or any(board.differs for board in rows.boards)
        head = (say("Board"), *first, say("Result"), *second, *((say("Colour on the left"),) if own else ()))
        return kept_as(page, f"round-{n}", head, _boards(page, rows, own))

    @LAYOUT.serves(bp, "/t/<t>/teams.csv", cost=TABLE)
    def teams_file(t: str) -> Response:
        page = page_context(desk, t)
        table = team_table(page.view)
        teams = add_team_encounters(table, page.names).teams
        score = {"places": say("Sum of places")} if table.field is None else _MATCHES
        codes = [name for name in (teams[0].tb if teams else ()) if name != "PLACES"]
        ranking, told = tiebreak_columns(codes, teams, tiebreaks_of(table.tournament))
        head = (say("Rank"), say("No."), say("Team"), *score.values())
        rows = (
            (row.rank, row.id, row.name, *(getattr(row, s) for s in score), *(cells[name] for name in ranking))
            for row, cells in told
        )
        return kept_as(page, "teams", head, rows, ranking)


_MATCHES = {"points": say("Match points"), "game_points": say("Game points")}


def kept_as(
    page: PageContext,
    name: str,
    head: Sequence[Message],
    rows: Iterable[Sequence[Cell]],
    codes: Sequence[str] = (),
) -> Response:
    """A table as a file that bears the tournament, what it is, and the line that it was made at; ``codes`` end its head."""
    content = spreadsheet([*map(language.words, head), *codes], rows)
    response = tournament_query.tagged(page.view.seq, content, CSV)
    response.headers["Content-Disposition"] = f'attachment; filename="{page.state.id}.{name}.{page.view.seq}.csv"'
    language.mark(response)
    return response


def _person(page: PageContext, row: PlayerRowAnswer) -> tuple[Cell, ...]:
    entry = page.state.players[PlayerId(row.id)]
    known = page.number(entry.player), row.name, entry.title, entry.rating, entry.federation, page.unit(entry.player)
    return *known, *_sex_and_group(page, entry.player)


def _sex_and_group(page: PageContext, player: PlayerId) -> tuple[Cell, ...]:
    """Return the cells of the columns Sex and Group, as far as the event uses them."""
    sex = page.sexes.get(player)
    own = (None if sex is None else language.words(sex),) if page.sexes else ()
    return (*own, page.groups.get(player)) if page.groups else own


def _crossed(page: PageContext, table: CrosstableAnswer) -> Iterator[Sequence[Cell]]:
    """Yield the rows of a cross table. A cell has the number of the opponent, the initial of the colour, and the result."""

    def cell(player: int, r: CellAnswer) -> str:
        if r.opponent is None:
            return r.result
        return met(
            page.number(PlayerId(r.opponent)),
            page.side_initial(PlayerId(player), r.round, cast(Side, r.side)),
            r.result,
        )

    for p in table.players:
        unit = page.unit(PlayerId(p.id))
        yield p.rank, page.number(PlayerId(p.id)), p.name, unit, p.points, *(cell(p.id, r) for r in p.rounds)


def _boards(page: PageContext, rows: RoundRows, own: bool) -> Iterator[Sequence[Cell]]:
    for board in rows.boards:
        colour = (language.words(board.called("white")),) if own else ()
        yield (board.game.board, *_seat(page, board.white), board.result, *_seat(page, board.black), *colour)
    for bye in rows.byes:
        yield None, *_seat(page, bye.seat), language.words(bye.words)


def _seat(page: PageContext, seat: Seat) -> tuple[Cell, ...]:
    points = None if seat.points is None else points_number(seat.points)
    return page.number(seat.player), seat.name, page.unit(seat.player), points
