"""Regulations as data: every value typed, every value with its article."""

from dataclasses import fields, is_dataclass
from typing import Any, get_args

import pytest

from shared.events.games import FindingKind
from shared.regulations import load, names
from shared.rulesets import Regulations

OWN_ARTICLE = {"name", "edition", "articles", "rulebook", "leaving.formats", "ranking.orders"}
OWN_ARTICLE |= {"game.flag_article", "game.flag_articles", "game.times", "game.offers"}
"""What is no regulation, or says its article itself."""


def leaves(value: Any, path: str = "") -> list[str]:
    if path in OWN_ARTICLE or (value is None and path.startswith("game.")):
        return []
    if is_dataclass(value):
        return [leaf for f in fields(value) for leaf in leaves(getattr(value, f.name), f"{path}.{f.name}".strip("."))]
    return [path]


@pytest.fixture(params=names())
def regulations(request: pytest.FixtureRequest) -> Regulations:
    return load(request.param)


def test_the_house_knows_these_sets() -> None:
    assert names() == ("campus", "fide-2024", "fide-2026", "go-campus", "gomoku-campus", "renju", "xiangqi-1999")
    assert [load(n).name for n in names()] == list(names())


def test_an_unknown_name_is_no_file_name() -> None:
    with pytest.raises(KeyError):
        load("../campus")


def test_every_value_has_its_article_and_no_article_is_left_over(regulations: Regulations) -> None:
    told = leaves(regulations) if regulations.ranking.discipline else {*leaves(regulations)} - {"ranking.discipline"}
    assert sorted(regulations.articles) == sorted(told)
    assert all(regulations.articles.values())


def test_every_row_of_the_rulebook_has_its_article(regulations: Regulations) -> None:
    book = regulations.rulebook
    assert all(row.article for row in (*book.infractions, *book.ladder, *book.authority, book.lateness))
    assert regulations.game.flag_article


def test_every_infraction_is_named_once_and_in_chinese(regulations: Regulations) -> None:
    infractions = [row.name for row in regulations.rulebook.infractions]
    assert len(set(infractions)) == len(infractions)
    assert all("一" <= row.chinese[0] <= "鿿" for row in regulations.rulebook.infractions)


def test_what_follows_from_a_finding_is_an_infraction_with_an_effect_or_seconds(regulations: Regulations) -> None:
    acts = {row.name: row for row in regulations.rulebook.infractions}
    rows = regulations.rulebook.findings
    assert "flag" in {row.finding for row in rows}
    assert {row.finding for row in rows} <= set(get_args(FindingKind))
    assert all(row.clock or acts[row.infraction].effect for row in rows)
    assert all(row.article or row.finding == "flag" for row in rows), "a flag has the article of its game"


def test_every_rule_on_offers_has_its_article(regulations: Regulations) -> None:
    assert all(rule.article for rule in regulations.game.offers)


@pytest.mark.parametrize("name", ["foul", "violation", "lateness", "absence", "flag"])
def test_every_rulebook_knows(regulations: Regulations, name: str) -> None:
    assert [row.name for row in regulations.rulebook.infractions].count(name) == 1


def test_every_rung_counts_what_some_infraction_moves(regulations: Regulations) -> None:
    moved = {row.counter for row in regulations.rulebook.infractions}
    assert {rule.counter for rule in regulations.rulebook.ladder} <= moved
    assert {rule.effect for rule in regulations.rulebook.ladder} <= {"warn", "set_marks", "expel"}


def test_every_act_that_rulings_need_is_granted_once(regulations: Regulations) -> None:
    acts = [row.act for row in regulations.rulebook.authority]
    effects = ["adjust_clock", "adjust_points", "exclude", "expel", "set_marks", "warn"]
    assert sorted(acts) == sorted(["apply", "annul", "lodge an appeal", "decide an appeal", *effects])


@pytest.mark.parametrize(
    ("path", "value", "article"),
    [
        ("points.win", 2, "胜得1分"),
        ("points.draw", 1, "和得0.5分"),
        ("points.loss", 0, "负不得分"),
        ("ranking.tiebreaks", ("BH", "PS", "DE/A", "WIN"), "破同分 1-4"),
    ],
)
def test_the_campus_event_has_the_values_of_its_text(path: str, value: Any, article: str) -> None:
    part, name = path.split(".")
    campus = load("campus")
    assert getattr(getattr(campus, part), name) == value
    assert article in campus.articles[path]


@pytest.mark.parametrize(
    ("regulations_name", "rule", "counter", "count", "article"),
    [
        ("campus", "third_foul", "foul", 3, "000-A 2.7"),
        ("campus", "third_violation", "violation", 3, "000-A 7.10"),
        ("fide-2026", "second_illegal_move", "violation", 2, "Laws 7.5.5"),
    ],
)
def test_the_ladder(regulations_name: str, rule: str, counter: str, count: int, article: str) -> None:
    rungs = {r.rule: r for r in load(regulations_name).rulebook.ladder}
    assert (rungs[rule].counter, rungs[rule].count, rungs[rule].scope) == (counter, count, "game")
    assert rungs[rule].article == article
