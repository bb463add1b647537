"""The pages of a tournament and of its rounds."""

from dataclasses import dataclass
from typing import NamedTuple

from flask import Blueprint, Response, request

from services.standings.descriptions.words import control, stage
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rounds.boards import RoundRows, round_rows
from services.standings.rounds.changed_boards import changed_boards, rows_alone
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rounds.round_desk import cases_of, desk_of, pairable_round
from services.standings.rules.teams.table import is_team_event, points_of, team_standings
from services.standings.rules.tiebreaks.value import points_number
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_round
from shared.http.operations import TABLE, Operation
from shared.http.reads.stream import changes
from shared.web.texts import text_of

_LONGEST = 80
"""Maximum number of characters of a search. The rest is ignored."""


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """The view of a round: the ``text`` to search for, and whether players are listed ``by_name``."""

    text: str
    by_name: bool

    @property
    def narrows(self) -> bool:
        """Return whether the page does not show all boards, each in its row."""
        return self.by_name or bool(self.text)


def round_query() -> RoundQuery:
    """Return the view of a round in this request: ``?q`` and ``?by=name``."""
    return RoundQuery(request.args.get("q", "").strip()[:_LONGEST], request.args.get("by") == "name")


def rounds(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """Add the page of each round."""

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>", shared=True, cost=TABLE)
    def round_page(t: str, n: int) -> Response:
        page = page_context(desk, t)
        known_round(page, n)
        search = round_query()
        rows = round_rows(page, n, search.text)
        entry = desk_of(page, rows, crossings)
        changed = None if search.narrows else changed_boards(page, rows)
        if changed is not None:
            return rows_alone(page, rows, changed, desk=entry, waits=entry)
        return page.render("round.html", rows=rows, search=search, desk=entry, waits=entry)


def known_round(page: PageContext, number: int) -> None:
    """Raise `Problem` 404 for a round that was never paired."""
    if not any(pairing.event.round == number for pairing in page.state.pairings):
        raise unknown_round(number)


_LEADERS, _MOST_LEADERS = 3, 10


class Leader(NamedTuple):
    """A player or a team of the first places, with points or, in an event of members' places, the sum of these."""

    rank: int
    side: int
    points: float | None


def tournament(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """Add the page of a tournament."""

    @LAYOUT.serves(bp, "/t/<t>", shared=True, cost=TABLE)
    def tournament_page(t: str) -> Response:
        page = page_context(desk, t)
        number = page.state.rounds_paired()
        search = round_query()
        rows = round_rows(page, number, search.text) if number else RoundRows(0, None, "")
        waits = desk_of(page, rows, crossings)
        changed = None if search.narrows or not number else changed_boards(page, rows)
        if changed is not None:
            return rows_alone(page, rows, changed, waits=waits)
        return page.render(
            "tournament.html",
            rows=rows,
            search=search,
            leaders=_leaders(page),
            of_teams=page.state.regulations is not None and is_team_event(page.tournament),
            control=control,
            stage=stage,
            pairable=pairable_round(page),
            waits=waits,
            cases=cases_of(page),
            notice=text_of(desk, page.state.venue_notice.text),
        )


def _leaders(page: PageContext) -> list[Leader]:
    """Return the sides of the first places after the final table. A shared place has all its sides, as far as they are few."""
    if not page.state.closed():
        return []
    if is_team_event(page.tournament):
        teams = team_standings(page.tournament)
        found = [Leader(row.rank, row.team, next(iter(points_of(teams, row).values()))) for row in teams.rows]
    else:
        table = page.table()
        found = [Leader(row.rank, row.player, points_number(row.points)) for row in (table.rows if table else ())]
    return [one for one in found if one.rank <= _LEADERS][:_MOST_LEADERS]


def live(bp: Blueprint, desk: Desk) -> None:
    """Add the stream of a tournament's changes."""

    @bp.get("/t/<t>/changes")
    @Operation()
    def changes_of(t: str) -> Response:
        return changes(desk, t)
