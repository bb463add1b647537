"""Regulations as data: every value typed, every value with its article."""

import tomllib
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from shared.core.events.games import FindingKind
from shared.core.rulebook.regulations import Breaks, Regulations
from shared.regulations import load, names
from shared.regulations.parts import part_texts, with_parts

ROOT = Path(__file__).parents[2]
OWN_ARTICLE = {"name", "edition", "articles", "rulebook", "players", "leaving.formats", "ranking.orders"}
OWN_ARTICLE |= {"decisions", "digest", "changes", "stages"}
OWN_ARTICLE |= {"game.flag_article", "game.flag_articles", "game.times", "game.offers"}
OWN_ARTICLE |= {"game.schemes", "game.time_articles"}
"""What is no regulation, or says its article itself."""


def leaves(value: Any, path: str = "") -> list[str]:
    if path in OWN_ARTICLE or (value is None and path.startswith("game.")):
        return []
    if path == "game.rules":
        return [leaf for game, rules in value.items() for leaf in leaves(rules, f"game.{game}")]
    if is_dataclass(value):
        return [leaf for f in fields(value) for leaf in leaves(getattr(value, f.name), f"{path}.{f.name}".strip("."))]
    return [path]


@pytest.fixture(params=names())
def regulations(request: pytest.FixtureRequest) -> Regulations:
    return load(request.param)


SETS = (
    *("campus", "campus-chess", "campus-go", "campus-wuziqi", "campus-xiangqi"),
    *("fide-2024", "fide-2026", "friendly-go", "friendly-wuziqi", "friendly-xiangqi"),
    *("go-campus", "gomoku-campus", "gomoku-free", "gomoku-online", "prediction"),
    *("renju", "renju-agreed", "renju-room", "xiangqi-1999", "xiangqi-folk"),
)


def test_the_house_knows_these_sets() -> None:
    assert names() == SETS
    assert [load(n).name for n in names()] == list(names())


def test_an_unknown_name_is_no_file_name() -> None:
    with pytest.raises(KeyError):
        load("../campus")


def test_every_value_has_its_article_and_no_article_is_left_over(regulations: Regulations) -> None:
    told = {*leaves(regulations)} - (set() if regulations.ranking.discipline else {"ranking.discipline"})
    told |= {"rulebook.fouls_after_end"} if regulations.rulebook.fouls_after_end else set()
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


def test_every_value_of_a_game_stands_in_the_file(regulations: Regulations) -> None:
    file = ROOT / "shared" / "regulations" / f"{regulations.name}.toml"
    table = with_parts(tomllib.loads(file.read_text(encoding="utf-8")), part_texts())["game"]
    for game, rules in regulations.game.rules.items():
        values = {field.name for field in fields(rules) if getattr(rules, field.name) is not None}  # type: ignore[arg-type]
        assert values <= set(table[game]), f"{regulations.name}: a value of {game} is left to its default"


def test_a_rulebook_that_measures_breaks_knows_what_they_are(regulations: Regulations) -> None:
    book = regulations.rulebook
    acts = {row.name: row.effect for row in book.infractions}
    if book.breaks is not None:
        assert book.breaks.article and book.breaks.limit > 0 and book.breaks.times >= 0
        assert (acts["long_break"], acts["leaving_the_game"]) == ("set_marks", "set_marks")


def test_only_the_free_gomoku_event_measures_breaks() -> None:
    assert [name for name in names() if load(name).rulebook.breaks] == ["gomoku-campus", "gomoku-free"]
    assert load("gomoku-free").rulebook.breaks == load("gomoku-campus").rulebook.breaks
    assert load("gomoku-campus").rulebook.breaks == Breaks(300, 1, True, "000-B 注意 12: 只有一次,超过5分钟的将被判负")


def test_a_scheme_is_named_once_in_a_game_and_fits_an_announcement(regulations: Regulations) -> None:
    named = [(one.game, one.article) for one in regulations.game.schemes]
    assert len(set(named)) == len(named)
    assert all(one.periods or one.byo_yomi for one in regulations.game.schemes)
    assert all(regulations.game.time_articles.values())


@pytest.mark.parametrize(
    ("name", "scheme", "periods", "byo_yomi"),
    [
        ("xiangqi-1999", "002-X 6.1", [(5400, 40), (900, 10)], 0),
        ("xiangqi-1999", "002-X 6.2", [(3600, 30), (600, 10)], 0),
        ("xiangqi-1999", "002-X 6.3", [(600, 40), (300, 30)], 0),
        ("xiangqi-1999", "002-X 6.4", [(300, 30)], 0),
        ("campus", "000-E 2", [], 15),
    ],
)
def test_a_scheme_has_the_times_of_its_article(
    name: str, scheme: str, periods: list[tuple[int, int]], byo_yomi: int
) -> None:
    found = load(name).game.scheme("xiangqi", scheme)
    assert found is not None
    assert ([(p.seconds, p.moves) for p in found.periods], found.byo_yomi) == (periods, byo_yomi)


def test_every_rule_on_offers_has_its_article(regulations: Regulations) -> None:
    assert all(rule.article for rule in regulations.game.offers)


@pytest.mark.parametrize("name", ["foul", "violation", "lateness", "absence", "flag"])
def test_every_rulebook_knows(regulations: Regulations, name: str) -> None:
    assert [row.name for row in regulations.rulebook.infractions].count(name) == 1


def test_every_rung_counts_what_some_infraction_moves(regulations: Regulations) -> None:
    moved = {row.counter for row in regulations.rulebook.infractions} | {r.moves for r in regulations.rulebook.ladder}
    assert {rule.counter for rule in regulations.rulebook.ladder} <= moved
    assert {rule.effect for rule in regulations.rulebook.ladder} <= {"warn", "foul", "set_marks", "expel"}


def test_every_act_that_rulings_need_is_granted_once(regulations: Regulations) -> None:
    acts = [row.act for row in regulations.rulebook.authority]
    effects = ["adjust_clock", "adjust_points", "exclude", "expel", "set_marks", "warn"]
    decisions = ["decide a game"] if any(row.results for row in regulations.rulebook.infractions) else []
    appeals = ["annul", "retract", "lodge an appeal", "decide an appeal"]
    assert sorted(acts) == sorted(["apply", *appeals, *decisions, *effects])


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
