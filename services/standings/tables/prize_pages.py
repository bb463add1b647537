"""The prize list: places, sections and units' totals, as the address of the page asks for them."""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.files.spreadsheet import Cell
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rules import prizes
from services.standings.rules.table.table import Table
from services.standings.rules.teams.table import is_team_event, team_table_answer
from services.standings.rules.tiebreaks.value import number, points_number
from services.standings.tables.csv_pages import kept_as
from services.standings.tables.prize_query import PrizeQuery, prize_query
from services.standings.tables.team_routes import team_table
from shared.core.language.messages import Message, say
from shared.core.terms import PlayerId
from shared.desk.desk import Desk
from shared.http.language import language
from shared.http.operations import TABLE
from shared.web.name_order import name_key
from shared.web.particulars import particulars_of

KINDS: dict[prizes.SectionKind, Message] = {
    "unit": say("By unit"),
    "sex": say("Women and men"),
    "born": say("By year of birth"),
    "rating": say("By rating"),
    "title": say("By title"),
}


def prize_lists(bp: Blueprint, desk: Desk) -> None:
    """The page, and the same lists for spreadsheets."""

    @LAYOUT.serves(bp, "/t/<t>/prizes", cost=TABLE)
    def prizes_page(t: str) -> Response:
        page, query = page_context(desk, t), prize_query(request.args)
        table = page.table()
        shown = {} if table is None else _shown(desk, page, table, query)
        return page.render("prizes.html", query=query, kinds_of=KINDS, chosen=_chosen(), table=table, **shown)

    @LAYOUT.serves(bp, "/t/<t>/prizes.csv", cost=TABLE)
    def prizes_file(t: str) -> Response:
        page, query = page_context(desk, t), prize_query(request.args)
        table = queries.table(page.view)
        head = (
            say("List"),
            say("Prize place"),
            say("No."),
            say("Player"),
            say("Unit"),
            say("Overall rank"),
            say("Points"),
        )
        return kept_as(page, "prizes", head, _lines(page, **_shown(desk, page, table, query)))


def _chosen() -> dict[str, str]:
    """What was asked for, as a query that other links take with them."""
    return {name: value for name, value in request.args.items() if name in _FIELDS}


_FIELDS = ("places", "each", "best", "unit", "sex", "title", "born", "rating")


def _shown(desk: Desk, page: PageContext, table: Table, query: PrizeQuery) -> dict[str, Any]:
    people = _people(desk, page)
    kinds = [prizes.make_kind(kind, table, people, query.each, query.spans(kind), name_key) for kind in query.sections]
    ranking = page.tournament.regulations
    return {
        "first": prizes.places(table, None, query.places),
        "kinds": kinds,
        "units": prizes.unit_totals(table, people, query.best) if query.best else None,
        "teams": team_table_answer(team_table(page.view), page.names).teams[: query.places]
        if is_team_event(page.tournament)
        else (),
        "people": {p.player: p for p in people},
        "unshared": ranking.ranking.unshared,
        "articles": {
            "unshared": ranking.articles.get("ranking.unshared", ""),
            "house": prizes.BEST_RULE,
            "shared_place": ranking.articles.get("ranking.shared_place", ""),
            "units": prizes.UNITS_ARTICLE,
        },
        "house": prizes.BEST_RULE,
        "shared_place": ranking.ranking.shared_place,
        "number": number,
    }


def _people(desk: Desk, page: PageContext) -> list[prizes.Person]:
    """Everybody, by rank or not; units that are written alike are one."""
    said = particulars_of(desk, page.state)
    return [
        prizes.Person(
            id,
            _unit(said[id].club),
            said[id].sex if said[id].sex in prizes.SEXES else None,
            said[id].birth_year,
            entry.rating,
            entry.title or None,
        )
        for id, entry in page.state.players.items()
    ]


def _unit(text: str | None) -> str | None:
    """A unit's name as it is compared: width and spaces do not part it."""
    return " ".join(unicodedata.normalize("NFKC", text or "").split()) or None


def _lines(page: PageContext, **shown: Any) -> Iterator[Sequence[Cell]]:
    """The lists one after the other; who is in no section of a kind ends it, without a place."""

    def line(list: str, place: int | None, player: PlayerId, rank: int | None, points: int | None) -> Sequence[Cell]:
        entry, unit = page.state.players[player], shown["people"][player].unit
        score = None if points is None else points_number(points)
        return list, place, entry.starting_number, page.name(player), unit, rank, score

    for prize in shown["first"]:
        yield line(language.words(say("By place")), prize.place, prize.player, prize.rank, prize.points)
    for kind in shown["kinds"]:
        called = language.words(KINDS[kind.kind])
        for section in kind.sections:
            for prize in section.prizes:
                name = f"{called}: {language.words(section.name)}"
                yield line(name, prize.place, prize.player, prize.rank, prize.points)
        for player in kind.unknown:
            yield line(f"{called}: {language.words(say('not known'))}", None, player, None, None)
    for total in shown["units"].totals if shown["units"] is not None else ():
        list = language.words(say("Units’ totals"))
        yield list, total.place, None, None, total.unit, None, number(total.sum)
