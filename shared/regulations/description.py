"""A set of regulations as plain data: every value with its path, unit, bounds, readings and article."""

from collections.abc import Iterator
from dataclasses import asdict, fields, is_dataclass
from typing import Any, get_args, get_origin

from shared.core.language.hints import field_types
from shared.core.rulebook.effects import FACTS
from shared.core.rulebook.game_rules import GameRules
from shared.core.rulebook.regulations import InfractionRule, Regulations, Value
from shared.core.terms import HalfPoints, Moves, Ply, Rounds, Seconds
from shared.regulations.changeable import Changeable, changeable, changeable_in, value_at
from shared.regulations.contradictions import contradictions, settlements

UNITS: dict[Any, str] = {HalfPoints: "points", Seconds: "seconds", Ply: "plies", Rounds: "rounds", Moves: "moves"}
"""Unit of a number by its type. Half-points are described in points."""
_LABELS = ("name", "edition", "decisions", "digest", "changes", "articles", "rulebook.name")
"""Paths that identify a ruleset."""
_ARTICLES = ("article", "flag_article", "flag_articles", "time_articles")


def described(one: Regulations) -> dict[str, Any]:
    """Return a ruleset: its values, its infractions, its ladder, and the other tables as ``rows`` by their path."""
    return {
        "name": one.name,
        "edition": one.edition,
        "digest": one.digest,
        "games": list(one.game.rules),
        "values": [_value(one, *found) for found in (*_values(one, ""), *_values_of_rows(one))],
        "infractions": [_infraction(row) for row in one.rulebook.infractions],
        "ladder": [asdict(row) for row in one.rulebook.ladder],
        "contradictions": [
            {"number": each.number, "subject": each.subject, "paths": [settled.path for settled in settlement]}
            for each in contradictions()
            if (settlement := settlements(each, one))
        ],
        "rows": {path: [asdict(row) for row in rows] for path, rows in _tables(one) if rows},
    }


def _value(regulations: Regulations, path: str, value: Value, unit: str | None, article: str | None) -> dict[str, Any]:
    row = changeable().get(path)
    return {
        "path": path,
        "value": value / 2 if unit == UNITS[HalfPoints] and isinstance(value, int) else value,
        "unit": unit,
        "bounds": None if row is None else _bounds(row),
        "article": regulations.articles.get(path, article),
        "readings": [] if row is None else [asdict(one) | {"taken": one.value == value} for one in row.readings],
    }


def _bounds(row: Changeable) -> dict[str, Any]:
    """Return the values that an organiser may set, with the article."""
    if row.members:
        return {"members": row.members, "article": row.article}
    if row.least is not None:
        return {"least": row.least, "most": row.most, "article": row.article}
    return {"choices": row.values, "article": row.article}


def _values(table: Any, path: str) -> Iterator[tuple[str, Value, str | None, str | None]]:
    """Each value in a table and the tables in it: its path, itself, its unit and the article that the table names."""
    hints = field_types(type(table))
    for field in fields(table):
        value, here = getattr(table, field.name), f"{path}{field.name}"
        if here in _LABELS or field.name in _ARTICLES or value is None:
            continue
        if isinstance(table, GameRules) and field.name == "rules":
            for name, rules in value.items():
                yield from _values(rules, f"{path}{name}.")
        elif is_dataclass(value):
            yield from _values(value, f"{here}.")
        elif not _has_rows(hints[field.name]):
            yield here, value, _unit(hints[field.name]), getattr(table, "article", None)


def _values_of_rows(regulations: Regulations) -> Iterator[tuple[str, Value, str | None, str | None]]:
    """Yield the values in rows that an organiser may set, with the article of the row, or else of the permission."""
    of_tables = {path for path, *_ in _values(regulations, "")}
    for row in changeable_in(regulations):
        if row.path not in of_tables:
            article = value_at(regulations, f"{row.path.rpartition('.')[0]}.article")
            yield row.path, value_at(regulations, row.path), row.unit, article or row.article


def _unit(hint: Any) -> str | None:
    """Return the unit of a value of this type, which may be optional."""
    return next((UNITS[kind] for kind in (hint, *get_args(hint)) if kind in UNITS), None)


def _has_rows(hint: Any) -> bool:
    return get_origin(hint) is tuple and is_dataclass(get_args(hint)[0])


ROWS: dict[str, type] = {
    f"{path}.{name}": get_args(hint)[0]
    for path in ("leaving", "ranking", "game", "rulebook")
    for name, hint in field_types(field_types(Regulations)[path]).items()
    if _has_rows(hint) and f"{path}.{name}" not in ("rulebook.infractions", "rulebook.ladder")
}
"""The class of the rows of each array of tables that are neither infractions nor ladder, by its path in the file."""


def _tables(regulations: Regulations) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for path in ROWS:
        table, name = path.split(".")
        yield path, getattr(getattr(regulations, table), name)


def _infraction(row: InfractionRule) -> dict[str, Any]:
    """Return an infraction with the facts that its article requires. Empty ``games`` means all games of the ruleset."""
    facts = [asdict(fact) | {"article": row.article_of(fact), "type": FACTS[fact.name]} for fact in row.facts]
    return asdict(row) | {"facts": facts}
