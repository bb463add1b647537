"""The office of a tournament: everything that who organises it has to hand, on one page."""

from flask import Blueprint, Response

from services.standings.page_context import LAYOUT, page_context
from shared.desk.desk import Desk


def office(bp: Blueprint, desk: Desk) -> None:
    """The page of the office."""

    @LAYOUT.serves(bp, "/t/<t>/office")
    def office_page(t: str) -> Response:
        return page_context(desk, t).render("office.html")
