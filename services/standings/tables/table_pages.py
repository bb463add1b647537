"""The pages of the table: who stands where, and who met whom."""

from flask import Blueprint, Response

from services.standings.closing.shared_places import Parting, partings
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rules.crosstable import crosstable
from services.standings.rules.encounters import add_encounters
from shared.core.state.entities import Publication
from shared.core.state.tournament import Tournament
from shared.desk.desk import Desk
from shared.http.operations import TABLE


def tables(bp: Blueprint, desk: Desk) -> None:
    """The table and the cross table."""

    @LAYOUT.serves(bp, "/t/<t>/standings", shared=True, cost=TABLE)
    def standings_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render(
            "standings.html",
            table=table and add_encounters(table, page.names),
            players=page.state.players,
            publications=_newest_first(page),
            partings=_partings(page),
        )

    @LAYOUT.serves(bp, "/t/<t>/crosstable", shared=True, cost=TABLE)
    def crosstable_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render("crosstable.html", table=table and crosstable(table, page.names))


def _partings(page: PageContext) -> list[Parting]:
    """Where who share a place are parted, for who may."""
    return partings(page.state) if isinstance(page.state, Tournament) and page.may("pair a round") else []


def _newest_first(page: PageContext) -> list[Publication]:
    return list(reversed(page.state.publications))
