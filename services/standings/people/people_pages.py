"""The pages of people: the ranking by places, a person, and two people against each other."""

from flask import Blueprint, Response

from services.standings.page_context import LAYOUT
from services.standings.people.people_routes import People, page_of, places_of, ranked_page, readable_identifiers
from shared.http.operations import TABLE
from shared.http.reads import paging

_ON_A_PAGE = 50
"""Rows of a page for people."""


def pages(bp: Blueprint, stored: People) -> None:
    """Add the pages."""

    @LAYOUT.serves(bp, "/people", cost=TABLE)
    def people_page() -> Response:
        stored.catch_up()
        people, next = ranked_page(stored.log, paging.window(_ON_A_PAGE))
        return LAYOUT.page("people.html", people=people, places=places_of(stored.log, people), next=next)

    @LAYOUT.serves(bp, "/people/<person>", cost=TABLE)
    def person_page(person: str) -> Response:
        stored.catch_up()
        one, page = stored.known(person), paging.window(_ON_A_PAGE)
        # One cursor for both lists: the longer one decides whether there is a next page.
        entries, more = page_of(page, stored.log.entries(person, page.after, page.limit + 1))
        results, next = page_of(page, stored.log.results(person, None, page.after, page.limit + 1))
        return LAYOUT.page(
            "person.html",
            person=one,
            ids=readable_identifiers(stored.log, [one])[person],
            entries=entries,
            results=results,
            totals=stored.log.totals(person),
            next=next or more,
        )

    @LAYOUT.serves(bp, "/people/<person>/opponents/<opponent>", cost=TABLE)
    def opponents_page(person: str, opponent: str) -> Response:
        stored.catch_up()
        one, other, page = stored.known(person), stored.known(opponent), paging.window(_ON_A_PAGE)
        results, next = page_of(page, stored.log.results(person, opponent, page.after, page.limit + 1))
        totals = stored.log.totals(person, opponent)
        return LAYOUT.page("opponents.html", person=one, other=other, results=results, totals=totals, next=next)
