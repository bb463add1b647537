"""The pages of the rulesets: the shipped ones, and the one that a tournament adopted, article by article."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any

from flask import Blueprint, Response

from services.standings.descriptions.words import commas, control
from services.standings.page_context import LAYOUT, page_context
from shared import regulations
from shared.core.language.messages import Message, say
from shared.core.readings.authority import APPLY
from shared.core.readings.vocabulary import FACTS, GAMES, ROLES, UNITS, display_name
from shared.core.rulebook.books import BOOKS, Article, citation
from shared.core.rulebook.effects import EFFECTS
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import TimeControl
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_regulations
from shared.http.operations import TABLE
from shared.http.problems import Problem
from shared.regulations.contradictions import Contradiction, Settlement, contradictions, settlements
from shared.regulations.description import described
from shared.regulations.passages import passages
from shared.regulations.set_descriptions import SET_DESCRIPTIONS
from shared.regulations.set_names import SET_NAMES
from shared.regulations.value_names import value_names
from shared.web.value_words import counter_name, effect_words, infraction_name, value_name, value_words


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a ruleset in words, and its article, or None if it has none."""

    words: Message
    article: str | None


@dataclass(frozen=True, slots=True)
class Table:
    """The rows at a ``path`` of a ruleset."""

    path: str
    title: Message
    rows: tuple[Row, ...]


def tables_of(one: Regulations) -> tuple[Table, ...]:
    """Return every table of the ruleset that has rows, except the powers."""
    found = (
        ("leaving.formats", one.leaving.formats),
        ("ranking.orders", one.ranking.orders),
        ("game.times", one.game.times),
        ("game.offers", one.game.offers),
        ("game.schemes", one.game.schemes),
        ("rulebook.findings", one.rulebook.findings),
    )
    return tuple(
        Table(path, value_name(path), tuple(Row(_words(one, path, row), row.article) for row in rows))
        for path, rows in found
        if rows
    )


def _words(one: Regulations, path: str, row: Any) -> Message:
    if isinstance(row, TimeControl):
        return say("{game}: {time}", game=display_name(GAMES, row.game), time=control(row))
    return commas(list(_columns(one, path, row)))


def _columns(one: Regulations, path: str, row: Any) -> Iterator[Message]:
    """Yield the name of each column of the row, with its value unless that is true. Empty columns are left out."""
    for column in (field.name for field in fields(row)):
        value, at = getattr(row, column), f"{path}.{column}"
        if at not in value_names() or value in ((), 0, None):
            continue
        name = value_name(at)
        yield name if value is True else say("{name}: {value}", name=name, value=value_words(one, at, value))


ACTS: dict[str, Message] = {
    APPLY: say("impose penalties that the rulebook fixes"),
    **{kind: say("impose {effect}", effect=row.words) for kind, row in EFFECTS.items()},
    "annul": say("annul a ruling"),
    "retract": say("retract another’s slip"),
    "lodge an appeal": say("lodge an appeal"),
    "decide an appeal": say("decide an appeal"),
    "decide a game": say("decide a game"),
}
"""The acts that a ruleset grants, in words."""


@dataclass(frozen=True, slots=True)
class Use:
    """A row that cites an article: its name in the ruleset, and its anchor on the page."""

    name: Message
    anchor: str


@dataclass(frozen=True, slots=True)
class Settled:
    """A question that the rule texts answer in two ways, and the answer of the ruleset."""

    contradiction: Contradiction
    values: tuple[Settlement, ...]


@dataclass(frozen=True, slots=True)
class RulebookView:
    """A ruleset as its page shows it.

    ``whole``: the ruleset as `described`. ``tables``: its rows in words. ``books``: the cited articles of each rule text, with
    the rows that cite them.
    """

    regulations: Regulations
    whole: dict[str, Any]
    tables: tuple[Table, ...]
    books: tuple[tuple[Message, tuple[tuple[Article, list[Use]], ...]], ...]
    contradictions: tuple[Settled, ...]


def view_of(one: Regulations) -> RulebookView:
    """Return the ruleset as its page shows it."""
    whole = described(one)
    cited: dict[Article, list[Use]] = {}
    for text, use in _uses(one, whole):
        for article in dict.fromkeys(citation(text).articles):
            uses = cited.setdefault(article, [])
            uses += [] if use in uses else [use]
    ordered = groupby(sorted(cited.items(), key=lambda one: _place(one[0])), key=lambda one: one[0].source)
    books = tuple((source, tuple(articles)) for source, articles in ordered)
    settled = tuple(Settled(each, found) for each in contradictions() if (found := settlements(each, one)))
    return RulebookView(one, whole, tables_of(one), books, settled)


def _uses(one: Regulations, whole: dict[str, Any]) -> Iterator[tuple[str, Use]]:
    """Yield each article text of a ruleset, and the row that cites it."""
    for row in whole["infractions"]:
        use = Use(infraction_name(row["name"], row["chinese"]), f"infraction-{row['name']}")
        yield row["article"], use
        for fact in row["facts"]:
            yield fact["article"], use
    for row in whole["ladder"]:
        yield row["article"], Use(rung(one, row), f"ladder-{row['rule']}")
    for path, rows in whole["rows"].items():
        for row in rows:
            if row.get("article"):
                yield row["article"], Use(value_name(path), f"rows-{path}")
    for row in whole["values"]:
        use = Use(value_name(row["path"]), f"value-{row['path']}")
        bounds = () if row["bounds"] is None else (row["bounds"]["article"],)
        for article in filter(None, (row["article"], *bounds, *(each["source"] for each in row["readings"]))):
            yield article, use


def _place(article: Article) -> tuple[Any, ...]:
    """Return the sort key of an article: book by book, numbers by their value."""
    numbers = tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in article.number.split("."))
    return (article.code, article.chapter, article.section, numbers)


def rung(one: Regulations, rule: dict[str, Any]) -> Message:
    """Return a rule of the ladder in words: violation, number 3 of a game."""
    return Message(_SCOPES[rule["scope"]].text, {"counter": counter_name(one, rule["counter"]), "count": rule["count"]})


_SCOPES = {
    "game": say("{counter} number {count} in a game"),
    "match": say("{counter} number {count} in a match"),
    "tournament": say("{counter} number {count} in the tournament"),
}


WORDS = {
    "acts": ACTS,
    "effect_words": effect_words,
    "rung": rung,
    "infraction_name": infraction_name,
    "games": GAMES,
    "facts_called": FACTS,
    "roles_called": ROLES,
    "units": UNITS,
    "called": display_name,
    "value_name": value_name,
    "value_words": value_words,
    "Message": Message,
    "BOOKS": BOOKS,
    "passages": passages,
}
"""The functions and names with which the templates of rulesets show words."""


def rulebooks(bp: Blueprint, desk: Desk) -> None:
    """Add the list of rulesets, the page of a ruleset, and the regulations of a tournament."""

    @LAYOUT.serves(bp, "/regulations")
    def sets_page() -> Response:
        sets = [regulations.load(name) for name in regulations.names()]
        return LAYOUT.page(
            "regulation_sets.html", 200, sets=sets, set_names=SET_NAMES, set_descriptions=SET_DESCRIPTIONS, **WORDS
        )

    @LAYOUT.serves(bp, "/regulations/<name>", cost=TABLE)
    def set_page(name: str) -> Response:
        if name not in regulations.names():
            raise unknown_regulations(regulations.names())
        return LAYOUT.page("regulation_set.html", 200, book=view_of(regulations.load(name)), **WORDS)

    @LAYOUT.serves(bp, "/t/<t>/regulations", cost=TABLE)
    def regulations_page(t: str) -> Response:
        page = page_context(desk, t)
        adopted = page.state.regulations
        if adopted is None:
            raise Problem(404, "no-regulations", say("No regulations"), say("{t} has not adopted a ruleset yet", t=t))
        return page.render("regulations.html", book=view_of(adopted), **WORDS)
