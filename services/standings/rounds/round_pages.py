"""The page of a round: its boards by number or by name, and the search among them."""

from dataclasses import dataclass

from flask import Blueprint, Response, request

from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rounds.boards import round_rows
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rounds.round_desk import desk_of
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_round
from shared.http.operations import TABLE

_LONGEST = 80
"""Characters of a search that are looked at."""


@dataclass(frozen=True, slots=True)
class RoundQuery:
    """How a round is asked for: ``text`` that is looked for, and whether its players stand ``by_name``."""

    text: str
    by_name: bool


def round_query() -> RoundQuery:
    """What this request asks of a round: ``?q`` and ``?by=name``."""
    return RoundQuery(request.args.get("q", "").strip()[:_LONGEST], request.args.get("by") == "name")


def rounds(bp: Blueprint, desk: Desk, crossings: OpenCrossings) -> None:
    """The page of each round."""

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>", shared=True, cost=TABLE)
    def round_page(t: str, n: int) -> Response:
        page = page_context(desk, t)
        known_round(page, n)
        search = round_query()
        rows = round_rows(page, n, search.text)
        entry = desk_of(page, rows, desk.now(), crossings)
        return page.render("round.html", rows=rows, search=search, desk=entry)


def known_round(page: PageContext, number: int) -> None:
    """Raises `Problem` 404 for a round that was never paired."""
    if not any(pairing.event.round == number for pairing in page.state.pairings):
        raise unknown_round(number)
