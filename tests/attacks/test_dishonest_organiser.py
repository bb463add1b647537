"""The dishonest organiser: he holds the database and every key, alters one value, and makes everything else again."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared.core.event_types.registry import BY_NAME
from tests.attacks import alterations
from tests.attacks.forger import Forgery
from tests.attacks.holes import CHINESE_PAGE, PAGE, chinese_page, holes, page
from tests.attacks.logs import Log, played

pytestmark = pytest.mark.xdist_group("forgeries")
"""The logs are played once for each process."""
GOLDEN = Path(__file__).parents[1] / "golden"
STEMS = sorted(name.rpartition(".v")[0] for name in BY_NAME)


@cache
def _seen() -> dict[tuple[str, str], list[Any]]:
    """Type and place -> the values that stand there, in all logs and in the newest golden line."""
    seen: dict[tuple[str, str], list[Any]] = {}
    golden = [(GOLDEN / f"{name}.json").read_bytes() for name in BY_NAME]
    everywhere = [line for log in played() for line in (*log.lines, *(one for s in log.sheets.values() for one in s))]
    for line in map(msgspec.json.decode, (*everywhere, *golden)):
        for place in alterations.places(line["data"]):
            values = seen.setdefault((line["type"].rpartition(".v")[0], alterations.named(place)), [])
            value = alterations.found(line["data"], place)
            if value not in values:
                values.append(value)
    return seen


@cache
def _sample(stem: str) -> tuple[Log, str, int]:
    """The shortest log with a line of a type, its sheet's game ("": the log itself), and the line's place."""
    name = f'"type":"{stem}.v'.encode()
    chosen = [
        (len(log.lines), n, log, game)
        for log in played()
        for game, lines in (("", log.lines), *log.sheets.items())
        for n, line in enumerate(lines)
        if name in line
    ]
    _, n, log, game = min(chosen, key=lambda one: one[:2])
    if stem == "arbiter.regulations.adopted":  # it has a thousand values, and stands beside the announcement
        log = replace(log, lines=log.lines[: n + 1], sheets={})
    return log, game, n


def _opened(stem: str) -> tuple[Forgery, dict[str, Any]]:
    log, game, n = _sample(stem)
    forgery = Forgery(log)
    return forgery, (forgery.sheets[game] if game else forgery.lines)[n]


def tried(stem: str) -> Iterator[tuple[str, str, Any, bool]]:
    """Each alteration of a line of a type: envelope or data, which field, what was written, and whether it went unnoticed."""
    _, line = _opened(stem)
    for place in alterations.places(line["data"]):
        name = alterations.named(place)
        for other in alterations.others(alterations.found(line["data"], place), _seen()[stem, name]):
            forgery, mine = _opened(stem)
            alterations.put(mine["data"], place, other)
            forgery.leave(mine, str(place[0]))
            yield "data", name, other, forgery.report().verdict == "agrees"
    forgery, _ = _opened(stem)
    for name, candidates in alterations.envelope(line, forgery.lines).items():
        for other in candidates:
            if name not in line or other == line[name]:
                continue
            for whole in (False, True):
                forgery, mine = _opened(stem)
                before = mine[name]
                for one in forgery.command(mine) if whole else (mine,):
                    if one.get(name) == before:
                        one[name] = other
                        forgery.leave(one, name)
                yield "envelope", name, other, forgery.report().verdict == "agrees"


def _listed(stem: str, *, by_chance: bool) -> set[str]:
    return {name for hole in holes() if by_chance or not hole.by_chance for name in hole.data.get(stem, ())}


@pytest.mark.parametrize("stem", STEMS)
def test_what_a_house_alters_and_makes_everything_else_again_is_found_or_listed(stem: str) -> None:
    passed: dict[str, set[str]] = {"data": set(), "envelope": set()}
    for where, name, _, unnoticed in tried(stem):
        if unnoticed:
            passed[where].add(name)
    assert passed["data"] - _listed(stem, by_chance=True) == set(), (
        "a hole that no row of holes.toml gives a reason for"
    )
    assert _listed(stem, by_chance=False) - passed["data"] == set(), "it is found by now: its row goes"
    assert passed["envelope"] <= {name for hole in holes() for name in hole.envelope}


def test_the_page_says_what_is_listed() -> None:
    assert PAGE.read_text("utf-8") == page(), "make docs"
    assert CHINESE_PAGE.read_text("utf-8") == chinese_page(), "make docs"
    assert {of for hole in holes() for of in hole.data} <= set(STEMS)


def test_a_house_that_alters_nothing_agrees() -> None:
    for log in played():
        assert Forgery(log).report().verdict == "agrees"
