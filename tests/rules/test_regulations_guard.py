"""What a TOML file may not hold: each error names the file, the table and the key."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from deploy.build.regulation_texts import article_texts, counter_texts
from deploy.cli.demo.demo_event import RunningEvent
from deploy.cli.demo.demo_story import Sample
from services.games.rules.boards.renju.openings import OpeningNames
from shared import regulations
from shared.core.rulebook.books import citation
from shared.core.rulebook.game_rules import TwentyoneRules
from shared.regulations import load, names, parse
from shared.regulations.changeable import ChangeableValues
from shared.regulations.former import FormerEditions
from shared.regulations.parts import part_texts
from shared.regulations.typed_toml import TomlError, parse_toml

ROOT = Path(__file__).parents[2]
DECIDES = "[[rulebook.authority]]\n" + part_texts()["go"].partition("[[rulebook.authority]]\n")[2].partition("\n\n")[0]
"""Who may decide a game."""


def text_of(name: str) -> str:
    """The file of a shipped set."""
    return files(regulations).joinpath(f"{name}.toml").read_text(encoding="utf-8")


def changed(text: str, old: str, new: str) -> str:
    """A text with one place written otherwise, the first one."""
    assert old in text
    return text.replace(old, new, 1)


def error_of(old: str, new: str, name: str = "campus") -> str:
    """The one line by which a set of regulations is refused, of whose file, or else of the first of its parts that has it, one
    place is written otherwise."""
    text, others = text_of(name), dict(part_texts())
    if old in text:
        text = changed(text, old, new)
    else:
        part = next(part for part in tomllib.loads(text)["parts"] if old in others[part])
        others[part] = changed(others[part], old, new)
    with pytest.raises(TomlError) as refused:
        parse(text, name, others)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"violations-000-a", ', '"violations", ', "parts: there are appeals, book-1999, brackets-1999, "),
        (
            'parts = ["competition", ',
            'parts = ["competition", "competition", ',
            "parts: 'competition' stands twice",
        ),
        ("parts = [", "parts = [1, ", "parts: a list of names"),
        ('"chinese", ', '"chinese", "fide", ', "parts: teams.bye is in 'fide' and in another part"),
        (
            '"conduct-000-a", ',
            '"conduct-000-a", "chapter-go-000-a", ',
            "parts: rulebook.infractions (misconduct): article is in 'chapter-go-000-a' and in another part",
        ),
        ("[game]\n", "[game]\n[game.go]\nsize = 19\n[game]\n", "Cannot declare ('game',) twice"),
        ('rule = "repeated_disturbance"', 'rule = "third_foul"', "rulebook.ladder (third_foul): "),
        (
            "[game.flag_articles]\nxiangqi",
            "[points]\nwin = 2\n\n[game.flag_articles]\nxiangqi",
            "points.win: a part says this already",
        ),
        (
            'name = "bad_sealed_move"\n',
            'name = "foul"\ncounter = "foul"\n',
            "rulebook.infractions (foul): counter: a part says",
        ),
        (
            "[rulebook]\n",
            '[rulebook]\nname = "campus"\n',
            "rulebook has an unknown key 'name'",
        ),
    ],
)
def test_what_a_set_and_its_parts_both_say_is_refused_by_its_path(old: str, new: str, line: str) -> None:
    assert error_of(old, new).startswith("campus.toml: ") and line in error_of(old, new)


def test_a_row_of_a_set_says_what_is_otherwise_in_its_parts_row() -> None:
    foul = next(row for row in load("renju").rulebook.infractions if row.name == "foul")
    assert (foul.article, foul.chinese, foul.counter) == ("004 3.1 (8) ⑥", "犯规", "foul")


@pytest.mark.parametrize("name", names())
def test_every_set_that_is_shipped_is_taken(name: str) -> None:
    assert parse(text_of(name), name).name == name


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('name = "campus"', 'colour = 1\nname = "campus"', "campus.toml: the top table has an unknown key 'colour'"),
        ("win = 2", "win = 2\nwim = 3", "campus.toml: points has an unknown key 'wim'; is 'win' meant?"),
        ("chariot = 4", "chariot = 4\nqueen = 9", "campus.toml: game.xiangqi.worth has an unknown key 'queen'"),
        (
            'chinese = "犯规"\ncounter = "foul"',
            'chinese = "犯规"\ncountr = "foul"',
            "campus.toml: rulebook.infractions[5] (foul) has an unknown key 'countr'; is 'counter' meant?",
        ),
        (
            "strictly = true",
            "strictly = true\nlimits = 5",
            "campus.toml: rulebook.lateness has an unknown key 'limits'; is 'limit' meant?",
        ),
        (
            "byo_yomi = 15",
            "byo_yomi = 15\nperiod = 1",
            "campus.toml: game.schemes[0] has an unknown key 'period'; is 'periods' meant?",
        ),
        ("[teams]", "[team]\n[teams]", "campus.toml: the top table has an unknown key 'team'; is 'teams' meant?"),
    ],
)
def test_an_unknown_key_is_refused_wherever_it_stands(old: str, new: str, line: str) -> None:
    assert error_of(old, new) == line


def test_a_key_of_an_inline_table_in_an_array_is_refused_by_its_place() -> None:
    assert error_of(
        "{ seconds = 5400, moves = 40 }", "{ seconds = 5400, moves = 40, move = 1 }", "xiangqi-1999"
    ).endswith("game.times[0].periods[0] has an unknown key 'move'; is 'moves' meant?")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("win = 2", 'win = "2"', "Expected `int`, got `str` - at `$.points.win`"),
        ("win = 2\n", "", "missing required field `win` - at `$.points`"),
        ('counter = "advice"\neffect = "warn"', 'counter = "advice"\neffect = "wran"', ".effect` (advice)"),
        ("win = 2", "win = 2\nwin = 3", "Cannot overwrite a value"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_its_place(old: str, new: str, said: str) -> None:
    line = error_of(old, new)
    assert line.startswith("campus.toml: ") and said in line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            'counter = "violation"',
            'counter = "violatoin"',
            "rulebook.infractions (violation): no rule of the ladder reads the counter 'violatoin'",
        ),
        (
            'rule = "third_foul"\ncounter = "foul"',
            'rule = "third_foul"\ncounter = "fuol"',
            "rulebook.ladder (third_foul): no infraction moves the counter 'fuol'",
        ),
        (
            'infraction = "breach_of_rules"',
            'infraction = "breach"',
            "rulebook.findings (illegal_move): infraction 'breach' is not in the rulebook",
        ),
        (
            'finding = "false_claim"',
            'finding = "fals_claim"',
            "rulebook.findings (fals_claim): games has no finding 'fals_claim'",
        ),
        (
            "clock = -300",
            "",
            "rulebook.findings (false_claim): clock is missing: the infraction 'false_claim' has no effect of its own",
        ),
        (
            'name = "stopping_the_clock"',
            'name = "disturbing"',
            "rulebook.infractions: two rows have the name 'disturbing'",
        ),
        (
            'rule = "third_violation"',
            'rule = "repeated_disturbance"',
            "rulebook.ladder: two rows have the rule 'repeated_disturbance'",
        ),
        (
            'counter = "advice"\neffect = "warn"',
            'counter = "advice"\neffect = "exclude"',
            "rulebook.infractions (advice): effect: 'exclude' is not fixed here, it needs rounds",
        ),
        (
            'scope = "game"\neffect = "set_marks"',
            'scope = "game"\neffect = "adjust_points"',
            "rulebook.ladder (third_violation): effect: 'adjust_points' is not fixed here, it needs points",
        ),
        (
            'act = "retract"',
            'act = "retrcat"',
            "rulebook.authority (retrcat): act: there are apply, warn, adjust_clock,",
        ),
        ('act = "warn"', 'act = "apply"', "rulebook.authority: two rows have the act 'apply'"),
        (
            'games = ["go"]',
            'games = ["goo"]',
            "rulebook.findings: games: the table game.goo is missing",
        ),
        (
            'article = "000-A 围棋, 行棋 4"\ngames = ["go"]',
            'article = "000-A 围棋, 行棋 4"\ngames = ["goo"]',
            "rulebook.findings: games: the table game.goo is missing",
        ),
        (
            'rule = "third_violation"',
            'rule = "third_violation"\ngames = ["shogi"]',
            "rulebook.ladder (third_violation): games: the table game.shogi is missing",
        ),
        (
            'article = "000-A 国际象棋, 违例 9; 不合规则 1"\ngames = ["chess"]',
            'article = "000-A 国际象棋, 违例 9; 不合规则 1"\ngames = ["go"]\n\n[[rulebook.findings]]\n'
            'name = "false_claim_go"\nfinding = "false_claim"\ninfraction = "false_natural_limit"\ngames = ["go"]',
            "rulebook.findings (false_claim): infraction 'false_natural_limit' does not exist in go",
        ),
        (
            'moves = "violation"',
            'moves = "violatoin"',
            "rulebook.ladder (repeated_disturbance): moves: no rule of the ladder reads the counter 'violatoin'",
        ),
        (
            'moves = "violation"',
            'moves = "advice"',
            "rulebook.ladder (repeated_disturbance): moves: 'advice' is the counter that it reads itself",
        ),
        (
            'name = "repeated"',
            'name = "grave"',
            "rulebook.infractions (advice): facts: two rows have the name 'grave'",
        ),
        (
            'name = "own_time"\nrequired = false\nholds = false\nother',
            'name = "seconds_left"\nrequired = false\nholds = false\nother',
            "rulebook.infractions (disturbing): facts: seconds_left: holds is for true or false facts, this is of type seconds",
        ),
        (
            'name = "opponent_passed"\nrequired = false\nholds = false',
            'name = "opponent_passed"\nrequired = false\nleast = 4',
            "rulebook.infractions (two_moves_in_a_row): facts: opponent_passed: least is for numbers, "
            "this is of type boolean",
        ),
        (
            'name = "repeated"',
            'name = "repeated"\neither = true',
            "rulebook.infractions (advice): facts: repeated: either is for a fact that holds or has a least",
        ),
        (
            'name = "repeated"',
            'name = "repeated"\notherwise = "no"',
            "rulebook.infractions (advice): facts: repeated: otherwise says what is allowed, and only where a condition is",
        ),
        (
            "[game.time_articles]\ngo =",
            "[game.time_articles]\ngoo =",
            "game.time_articles: goo: the table game.goo is missing",
        ),
        ('game = "go"', 'game = "shogi"', "game.offers: game: the table game.shogi is missing"),
        ("[game.go]", "[game.goo]", "Object contains unknown field `goo` - at `$.game`"),
        ('"points.win" =', '"points.won" =', "articles: 'points.won' is the path of no value"),
        ('"points.win" =', '"points" =', "articles: 'points' is the path of no value"),
        ('"game.go.size" =', '"game.gomoku.own_half" =', "articles: 'game.gomoku.own_half' is the path of no value"),
        ('name = "campus"', 'name = "camps"', "name: the file of 'camps' is camps.toml"),
    ],
)
def test_what_nothing_reads_or_what_is_not_there_is_refused_by_table_and_name(old: str, new: str, line: str) -> None:
    assert error_of(old, new).startswith(f"campus.toml: {line}")


def test_a_rulebook_has_the_infractions_that_follow_from_arrivals() -> None:
    assert error_of('name = "absence"', 'name = "absent"', "fide-2026").startswith(
        "fide-2026.toml: rulebook.lateness: the infraction 'absence', which follows from arriv"
    )


def test_discipline_names_infractions_that_there_are() -> None:
    assert error_of('["misconduct", "grave_misconduct"]', '["misconduct", "grave"]', "xiangqi-1999") == (
        "xiangqi-1999.toml: ranking.discipline: infractions: 'grave' is not in the rulebook"
    )


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            'results = ["1/2-1/2", "0-0"]',
            'results = ["1/2"]',
            "there are 1-0, 0-1, 1/2-1/2, 0-0, +/-, -/+, -/-, not '1/2'",
        ),
        (DECIDES, "", "rulebook.authority has no row 'decide a game'"),
    ],
)
def test_a_decision_without_an_accused_has_results_that_there_are_and_somebody_who_may(old: str, new: str, line: str):
    wrong = error_of(old, new, "go-campus")
    assert wrong == f"go-campus.toml: rulebook.infractions (scattering_the_board): results: {line}"


def test_a_rulebook_that_measures_breaks_has_their_infractions() -> None:
    assert error_of('name = "long_break"', 'name = "lang_break"', "gomoku-campus").startswith(
        "gomoku-campus.toml: rulebook.breaks: the infraction 'long_break'"
    )


@pytest.mark.parametrize(
    ("path", "type", "old", "new", "line"),
    [
        (
            "services/games/rules/boards/twentyone/rules.toml",
            TwentyoneRules,
            "packs = 1",
            "packs = 1\npack = 3",
            "rules.toml: the top table has an unknown key 'pack'; is 'packs' meant?",
        ),
        (
            "services/games/rules/boards/twentyone/readings.toml",
            ChangeableValues,
            'unit = "packs"',
            'unti = "packs"',
            "readings.toml: values[0] (packs) has an unknown key 'unti'; is 'unit' meant?",
        ),
        (
            "services/games/rules/boards/renju/openings.toml",
            OpeningNames,
            "barred =",
            "bared = []\nbarred =",
            "openings.toml: the top table has an unknown key 'bared'; is 'barred' meant?",
        ),
        (
            "shared/regulations/changes/xiangqi.toml",
            ChangeableValues,
            'unit = "rounds"',
            'unti = "rounds"\nunit = "rounds"',
            "xiangqi.toml: values[0] (game.xiangqi.natural_limit_rounds) has an unknown key 'unti'; is 'unit' meant?",
        ),
        (
            "shared/regulations/former/editions.toml",
            FormerEditions,
            'name = "fide-2024"',
            'nome = "x"\nname = "fide-2024"',
            "editions.toml: editions[1] (fide-2024) has an unknown key 'nome'; is 'name' meant?",
        ),
        (
            "deploy/cli/demo/sample/autumn-open.toml",
            RunningEvent,
            "illegal = ",
            "ilegal = ",
            "autumn-open.toml: boards[0] has an unknown key 'ilegal'; is 'illegal' meant?",
        ),
        (
            "deploy/cli/demo/sample/spring-cup.toml",
            Sample,
            "foul_board = 4",
            "fuol_board = 4",
            "spring-cup.toml: round[1] (2) has an unknown key 'fuol_board'; is 'foul_board' meant?",
        ),
        (
            "deploy/cli/demo/sample/spring-cup.toml",
            Sample,
            'name = "陈思远", rating',
            'name = "陈思远", ratings = 1, rating',
            "spring-cup.toml: players[2] (陈思远) has an unknown key 'ratings'; is 'rating' meant?",
        ),
    ],
)
def test_every_other_toml_file_is_as_strict(path: str, type: type, old: str, new: str, line: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    parse_toml(text, Path(path).name, type)
    with pytest.raises(TomlError) as refused:
        parse_toml(changed(text, old, new), Path(path).name, type)
    assert str(refused.value) == line


REMARKS = "shared/core/rulebook/remarks.toml"
"""Texts for people, read below the strict loader."""


def test_every_toml_file_of_the_packages_is_read_by_the_strict_loader() -> None:
    packages = ("shared", "services", "deploy")
    toml = {file.relative_to(ROOT).as_posix() for package in packages for file in (ROOT / package).rglob("*.toml")}
    tested = {f"shared/regulations/{name}.toml" for name in names()}
    tested |= {f"shared/regulations/parts/{name}.toml" for name in part_texts()}
    boards = ("twentyone/rules", "twentyone/readings", "renju/openings")
    tested |= {f"services/games/rules/boards/{file}.toml" for file in boards}
    tested |= {
        f"shared/regulations/{folder}/{file.name}"
        for folder in ("changes", "passages", "value_names")
        for file in (ROOT / "shared/regulations" / folder).glob("*.toml")
    }
    assert toml == tested | {
        "shared/regulations/contradictions/contradictions.toml",
        "shared/regulations/former/editions.toml",
        "deploy/cli/demo/sample/autumn-open.toml",
        "deploy/cli/demo/sample/spring-cup.toml",
        "shared/client/pyproject.toml",
        "shared/http/openapi/members.toml",
        "shared/http/problem_examples.toml",
        "shared/http/problem_texts.toml",
        REMARKS,
    }
    readers = {
        file.relative_to(ROOT).as_posix()
        for package in packages
        for file in (ROOT / package).rglob("*.py")
        if "tomllib" in file.read_text(encoding="utf-8")
    }
    assert readers == {"shared/regulations/typed_toml.py", "shared/core/rulebook/remarks.py"}


def test_every_printed_remark_is_in_a_ruleset():
    remarks = {citation(text).text for text in (*article_texts(), *counter_texts())}
    (printed,) = tomllib.loads((ROOT / REMARKS).read_text(encoding="utf-8")).values()
    assert all(type(text) is str and text for text in printed.values())
    assert set(printed) - remarks == set()


@dataclass(frozen=True)
class Row:
    number: int


@dataclass(frozen=True)
class Tables:
    row: dict[str, Row]
    other: tuple[Row, ...] = ()


def test_names_that_a_table_leaves_open_are_no_unknown_keys() -> None:
    assert parse_toml("[row.any]\nnumber = 1", "x.toml", Tables).row == {"any": Row(1)}
    with pytest.raises(TomlError, match=r"x\.toml: row\.any has an unknown key 'n'"):
        parse_toml("[row.any]\nnumber = 1\nn = 2", "x.toml", Tables)


def test_no_row_and_no_article_stands_in_two_files() -> None:
    seen: dict[tuple[str, str], str] = {}
    for name, text in {**{name: text_of(name) for name in names()}, **part_texts()}.items():
        for path, row in rows_of(tomllib.loads(text), ""):
            assert seen.setdefault((path, repr(row)), name) == name, (
                f"{path}: {row} stands in {seen[path, repr(row)]} too"
            )


def rows_of(table: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    """The rows of a file that say more than which row they are, and its articles."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from rows_of(value, f"{path}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from ((f"{path}{key}", row) for row in value)
        elif path == "articles.":
            yield path + key, value
