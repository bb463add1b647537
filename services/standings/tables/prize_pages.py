"""The prize list: places, sections and units' totals, as the address of the page asks for them."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.files.csv_tables import Cell
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.rules import prizes
from services.standings.rules.prizes import SectionKind, Span
from services.standings.rules.table.table import Table
from services.standings.rules.teams.table import is_team_event, team_table_answer
from services.standings.rules.tiebreaks.value import number, points_number
from services.standings.tables.csv_pages import kept_as
from services.standings.tables.table_routes import team_table
from shared.core.language.messages import Message, say
from shared.core.rulebook.articles import own_article
from shared.core.terms import PlayerId
from shared.desk.desk import Desk
from shared.http.language import language
from shared.http.operations import TABLE
from shared.web.name_order import name_key
from shared.web.names import titled
from shared.web.particulars import particulars_of

MOST_PLACES, MOST_SPANS = 500, 20
_SPLIT = re.compile(r"[\s,;，；、]+")
_SPAN = re.compile(r"([0-9]{1,4})?\s*[-–—~～至]\s*([0-9]{1,4})?|([0-9]{1,4})")
_WIDE = str.maketrans("０１２３４５６７８９－", "0123456789-")
_LONGEST = 200


class PrizeQuery(NamedTuple):
    """The query.

    ``places`` of the whole table, ``each`` of every section, the ``sections`` by kind, ``spans`` of birth years and of
    ratings, and of how many players a unit's total is, ``best`` 0: of none. ``errors`` by field, ``typed`` as it came.
    """

    places: int
    each: int
    sections: tuple[SectionKind, ...]
    born: tuple[Span, ...]
    rating: tuple[Span, ...]
    best: int
    errors: Mapping[str, Message]
    typed: Mapping[str, str]

    def spans(self, kind: SectionKind) -> tuple[Span, ...]:
        return {"born": self.born, "rating": self.rating}.get(kind, ())


_NUMBERS = {"places": (8, 1), "each": (3, 1), "best": (0, 0)}
"""Field -> what stands where nothing was typed, and the least."""
_FIELDS = (*_NUMBERS, "unit", "sex", "title", "born", "rating")


def prize_query(arguments: Mapping[str, str]) -> PrizeQuery:
    """Return the query of an address. Values that cannot be read are in ``errors`` and count as left out."""
    typed = {name: arguments.get(name, "").strip()[:_LONGEST] for name in _FIELDS}
    errors: dict[str, Message] = {}
    places, each, best = (_number(name, typed[name], errors) for name in _NUMBERS)
    spans = {name: _spans(name, typed[name], errors) for name in ("born", "rating")}
    chosen: list[SectionKind] = [kind for kind in ("unit", "sex", "title") if typed[kind] == "yes"]
    chosen += [kind for kind in ("born", "rating") if spans[kind]]
    return PrizeQuery(places, each, tuple(chosen), spans["born"], spans["rating"], best, errors, typed)


def _number(name: str, text: str, errors: dict[str, Message]) -> int:
    usual, least = _NUMBERS[name]
    text = text.translate(_WIDE)
    if not text:
        return usual
    if text.isascii() and text.isdigit() and len(text) <= 4 and least <= int(text) <= MOST_PLACES:
        return int(text)
    errors[name] = say("must be a whole number from {low} to {high}", low=least, high=MOST_PLACES)
    return usual


def _spans(name: str, text: str, errors: dict[str, Message]) -> tuple[Span, ...]:
    """Return spans such as ``2010-2012 2013- -2009``, at most `MOST_SPANS`."""
    words = [word for word in _SPLIT.split(text.translate(_WIDE)) if word]
    found = []
    for word in words[: MOST_SPANS + 1]:
        match = _SPAN.fullmatch(word)
        low, high, one = match.groups() if match else (None, None, None)
        span = Span(_bound(low or one), _bound(high or one))
        if match is None or not span.is_valid():
            errors[name] = say("{word} is not a range; use for example 2010-2012, 2013- or -2009", word=word[:20])
            return ()
        found.append(span)
    if len(found) > MOST_SPANS:
        errors[name] = say("at most {most} spans", most=MOST_SPANS)
        return ()
    return tuple(found)


def _bound(text: str | None) -> int | None:
    return None if text is None else int(text)


KINDS: dict[prizes.SectionKind, Message] = {
    "unit": say("By unit"),
    "sex": say("Women and men"),
    "born": say("By year of birth"),
    "rating": say("By rating"),
    "title": say("By title"),
}


def prize_lists(bp: Blueprint, desk: Desk) -> None:
    """Serve the page, and the same lists for spreadsheets."""

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
    """Return the query as other links contain it."""
    return {name: value for name, value in request.args.items() if name in _FIELDS}


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
            "units": own_article(ranking, prizes.UNITS_ARTICLE),
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
            titled(entry.title or None),
        )
        for id, entry in page.state.players.items()
    ]


def _unit(text: str | None) -> str | None:
    """Return a unit's name as it is compared, without differences of width and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text or "").split()) or None


def _lines(page: PageContext, **shown: Any) -> Iterator[Sequence[Cell]]:
    """Return the lists in order. Players in no section of a kind are at its end, without a place."""

    def line(list: str, place: int | None, player: PlayerId, rank: int | None, points: int | None) -> Sequence[Cell]:
        unit = shown["people"][player].unit
        score = None if points is None else points_number(points)
        return list, place, page.number(player), page.name(player), unit, rank, score

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
