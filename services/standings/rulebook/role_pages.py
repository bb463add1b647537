"""The pages of the office and of roles: the acts of each role, from the rows by which every service decides."""

from collections.abc import Mapping
from typing import NamedTuple

from flask import Blueprint, Response

from services.standings.page_context import LAYOUT, page_context
from services.standings.rulebook.regulation_pages import ACTS as WORDS
from shared.core.language.messages import Message, say, term
from shared.core.readings.authority import ACTS, ANNOUNCE, roles_of
from shared.core.rulebook.articles import own_article
from shared.core.state.tournament import TournamentState
from shared.core.terms import ROLES, Role, Seq
from shared.desk.desk import Desk
from shared.http.operations import TABLE

_ACTS = {
    ANNOUNCE: say("create the tournament"),
    "feed moves": say("record moves"),
    "note a crossing": say("note a concurrent decision"),
    "draw consequences": say("impose the consequences of a ruling"),
    "publish": say("publish the standings"),
}
"""The acts of the office whose names in refusals are too short for a heading."""


class ActRow(NamedTuple):
    """An act, in ``words`` too, the ``roles`` that may do it, and the ``article`` by which."""

    act: str
    words: Message
    roles: tuple[Role, ...]
    article: str


def acts_of(t: TournamentState) -> list[ActRow]:
    """Return every act: those of the office, and those that the rulebook in force grants. The latter need regulations.

    An act of the office has no article if its text is one of another game.
    """
    own = t.regulations
    rows = [
        ActRow(
            act,
            _ACTS.get(act, term(act)),
            roles_of(t, act),
            row.article if own is None else own_article(own, row.article) or "",
        )
        for act, row in ACTS.items()
    ]
    granted = () if own is None else own.rulebook.authority
    return rows + [ActRow(row.act, WORDS[row.act], row.roles, row.article) for row in granted]


class OfficeRow(NamedTuple):
    """A person in an office: login name, the name ``called`` if known, boards of a device, and the latest event about it."""

    role: Role
    handle: str
    called: str | None
    boards: tuple[int, ...]
    seq: Seq


def offices_of(t: TournamentState, names: Mapping[str, str]) -> list[OfficeRow]:
    """Return the officials in the log, role by role. ``names``: by hash."""
    rows = []
    for role in ROLES:
        for handle in t.holders(role):
            held = t.officials[handle]
            called = None if held.person is None else names.get(held.person.text)
            rows.append(OfficeRow(role, handle, called, held.boards if role == "board" else (), held.seq))
    return rows


def roles(bp: Blueprint, desk: Desk) -> None:
    """Add the page of the roles of one tournament."""

    @LAYOUT.serves(bp, "/t/<t>/roles", cost=TABLE)
    def roles_page(t: str) -> Response:
        page = page_context(desk, t)
        held = offices_of(page.state, page.names)
        return page.render("roles.html", rows=acts_of(page.state), roles=ROLES, offices=held)


def office(bp: Blueprint, desk: Desk) -> None:
    """Add the page of the office."""

    @LAYOUT.serves(bp, "/t/<t>/office")
    def office_page(t: str) -> Response:
        return page_context(desk, t).render("office.html")
