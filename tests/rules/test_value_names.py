"""Every value of regulations has a name in words, and every word that may stand there."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, Literal, get_args, get_origin

import pytest

from services.standings.rulebook.regulation_pages import tables_of
from shared.core.language.hints import field_types
from shared.core.rulebook.game_rules import RULES, GameRules
from shared.core.rulebook.regulations import Regulations
from shared.regulations import load, names
from shared.regulations.changeable import changeable, changeable_in, value_at
from shared.regulations.description import described
from shared.regulations.value_names import value_names
from shared.web.value_words import value_words

SAID_OF_ITSELF = ("articles", "changes", "stages", "name", "edition", "decisions", "digest", "rulebook.name")
"""What says which set it is, and stages, which are shown as stages."""


def kinds(hint: Any) -> tuple[Any, ...]:
    """A type, or those of a union without None."""
    union = [one for one in get_args(hint) if one is not type(None)]
    return tuple(union) if type(None) in get_args(hint) else (hint,)


def leaves(table: type, path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each value that regulations of this type may have, by its path, with the words that may stand there; a table of rows has
    the path of its columns."""
    for field in fields(table):
        here = f"{path}{field.name}"
        if here in SAID_OF_ITSELF or "article" in field.name:
            continue
        for kind in kinds(field_types(table)[field.name]):
            row = get_args(kind)[0] if get_origin(kind) is tuple else None
            if table is GameRules and field.name == "rules":
                for game, rules in RULES.items():
                    yield from leaves(rules, f"{path}{game}.")
            elif is_dataclass(kind):
                yield from leaves(kind, f"{here}.")
            elif not is_dataclass(row):
                yield here, get_args(kind) if get_origin(kind) is Literal else ()


ALL = dict(leaves(Regulations))


def test_every_value_that_regulations_may_have_is_called_by_words():
    assert set(ALL) | set(changeable()) <= set(value_names())


def test_no_name_is_left_of_a_value_that_went():
    tables = [path for path, _ in table_paths()]
    columns = {f"{path}.{field.name}" for path, row in table_paths() for field in fields(row)}
    assert set(value_names()) <= set(ALL) | set(changeable()) | set(tables) | columns


def table_paths() -> list[tuple[str, type]]:
    found = {}
    for name in names():
        one = load(name)
        for path in described(one)["rows"]:
            found[path] = type(value_at(one, path)[0])
    return sorted(found.items())


def test_every_word_that_may_stand_at_a_value_has_words_or_is_a_name():
    bare = {
        (path, word)
        for path, words in ALL.items()
        for word in words
        if path != "pairing.engine"
        and isinstance(word, str)
        and word.isascii()
        and word not in value_names()[path].words
    }
    assert bare == set()


@pytest.mark.parametrize("name", names())
def test_whatever_an_organiser_may_set_is_offered_in_words(name: str):
    one = load(name)
    for row in changeable_in(one):
        for value in (*row.values, value_at(one, row.path)):
            assert "_" not in str(value_words(one, row.path, value)), (row.path, value)


@pytest.mark.parametrize("name", names())
def test_every_table_of_a_set_is_shown_in_words(name: str):
    one = load(name)
    tables = tables_of(one)
    # The page has a place of its own for the powers of each role.
    assert {table.path for table in tables} | {"rulebook.authority"} == set(described(one)["rows"])
    assert all("_" not in str(row.words) for table in tables for row in table.rows)
