"""Prize lists over HTTP, compared with lists that other code makes of the table and of what was entered."""

import csv
import random
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from io import StringIO
from typing import Any

import pytest

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call
from tests.http.forms import hall, pair

T = "/v1/tournaments/<t>"
UNITS = ("北京", "上海 ", "上海", "ＡＢ 棋院", "AB 棋院", None)
ONE_UNIT = {"上海 ": "上海", "ＡＢ 棋院": "AB 棋院"}
ERASED = 12
People = dict[int, dict[str, Any]]


@pytest.fixture(scope="module")
def people() -> People:
    """What is entered of each player, by number; some fields are left out here and there, one is erased again."""
    chance = random.Random(7)
    found = {}
    for n in range(7, 31):
        row: dict[str, Any] = {
            "name": f"P{n}",
            "club": UNITS[n % 6],
            "sex": chance.choice("mf"),
            "birth_year": 2005 + n % 12,
        }
        row |= {"rating": 1400 + 37 * n, "title": chance.choice(("GM", "FM", "CM"))}
        kept = {k: v for k, v in row.items() if v is not None and (k == "name" or chance.random() > 0.1)}
        found[n] = kept | ({"club": "将删除"} if n == ERASED else {})
    return found


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory, people: People) -> Iterator[Call]:
    """24 such players and six of whom nothing is known, after two rounds with many draws, a foul and an erased unit."""
    data = tmp_path_factory.mktemp("prizes")
    app = embedded.make_app(data, Limits(rate=0, reads=0))
    call = hall(app, data, "cup", 3)
    players = [{"id": n, **row} for n, row in people.items()]
    answer = call("POST", f"{T}/entries", {"players": players})
    assert answer.status_code == 201, answer.json
    report(call, 1, 3)
    order = list(range(1, 31))
    random.Random(3).shuffle(order)
    pair(call, [order[n : n + 2] for n in range(0, 30, 2)])
    report(call, 2, 15)
    assert call("POST", f"{T}/rulings", {"player": 9, "round": 2, "infraction": "foul"}).status_code == 201
    texts = call("GET", f"{T}/texts").json["texts"]
    hash = next(text["hash"] for text in texts if text["text"] == "将删除")
    assert call("DELETE", f"{T}/texts/{hash}", role="organiser").status_code == 200
    yield call
    close(app)


def report(call: Call, round: int, boards: int) -> None:
    results = [{"board": n, "result": ("1-0", "1/2-1/2", "0-1")[n % 3]} for n in range(1, boards + 1)]
    assert call("POST", f"{T}/results", {"round": round, "results": results}).status_code == 201


def lists(call: Call, query: str) -> dict[str, list[list[str]]]:
    """The lists of the file, by what they are called."""
    answer = call("GET", f"/t/<t>/prizes.csv?{query}")
    assert answer.status_code == 200, answer.text
    _, *rows = csv.reader(StringIO(answer.data.decode("utf-8-sig"), newline=""))
    found: dict[str, list[list[str]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row[1:])
    return found


def expected(call: Call, members: set[int] | None, most: int) -> list[tuple[int, int]]:
    """(place, player) of the first places among these, reckoned from the table as the API has it."""
    table = [(p["rank"], p["id"]) for p in call("GET", f"{T}/standings").json["players"]]
    among = [(rank, id) for rank, id in table if members is None or id in members]
    placed = [(1 + sum(other < rank for other, _ in among), id) for rank, id in among]
    return [(place, id) for place, id in placed if place <= most]


def placed(rows: list[list[str]]) -> list[tuple[int, int]]:
    return [(int(row[0]), int(row[1])) for row in rows]


def unit(people: People, n: int) -> str | None:
    club = people.get(n, {}).get("club")
    return None if n == ERASED or club is None else ONE_UNIT.get(club, club)


def test_places_are_those_of_the_table_and_all_who_share_the_last_one_have_it(call: Call):
    found = lists(call, "places=5")["By place"]
    assert placed(found) == expected(call, None, 5)
    counted = Counter(place for place, _ in placed(found))
    assert max(counted.values()) > 1, "the table has shared places, or this shows nothing"
    assert sum(counted.values()) >= 5


@pytest.mark.parametrize("kind", ["unit", "sex", "title"])
def test_each_section_has_its_best_and_whoever_is_in_none_is_named(call: Call, people: People, kind: str):
    field = {"unit": "club"}.get(kind, kind)
    value = {n: unit(people, n) if kind == "unit" else people.get(n, {}).get(field) for n in range(1, 31)}
    called = {"unit": "By unit", "sex": "Women and men", "title": "By title"}[kind]
    shown = {"f": "Women", "m": "Men"} if kind == "sex" else {}
    found = lists(call, f"{kind}=yes&each=2")
    names = {v for v in value.values() if v is not None}
    for name in names:
        members = {n for n, v in value.items() if v == name}
        assert placed(found[f"{called}: {shown.get(name, name)}"]) == expected(call, members, 2), name
    assert {int(row[1]) for row in found[f"{called}: not known"]} == {n for n, v in value.items() if v is None}
    assert len(found) == len(names) + 2


@pytest.mark.parametrize(("kind", "field"), [("born", "birth_year"), ("rating", "rating")])
@pytest.mark.parametrize(
    ("typed", "spans"),
    [
        ("2010-2012, 2013-", [(2010, 2012), (2013, 9999)]),
        ("－2009、２０１０", [(0, 2009), (2010, 2010)]),
        ("1500–1800 -1499", [(1500, 1800), (0, 1499)]),
    ],
)
def test_spans_of_years_and_ratings_hold_both_their_ends(call: Call, people: People, kind, field, typed, spans):
    found = lists(call, f"{kind}={typed}&each=3")
    sections = [
        rows
        for name, rows in found.items()
        if name.startswith(("By year", "By rating")) and not name.endswith("not known")
    ]
    value = {n: people.get(n, {}).get(field) for n in range(1, 31)}
    wanted = [expected(call, {n for n, v in value.items() if v and low <= v <= high}, 3) for low, high in spans]
    assert [placed(rows) for rows in sections] == [one for one in wanted if one]
    (unknown,) = [rows for name, rows in found.items() if name.endswith("not known")]
    assert {int(row[1]) for row in unknown} == {n for n, v in value.items() if v is None}


def test_units_are_ranked_by_the_places_of_their_best(call: Call, people: People):
    ranks = {p["id"]: p["rank"] for p in call("GET", f"{T}/standings").json["players"]}
    members: dict[str, list[tuple[int, int]]] = {}
    for n, rank in ranks.items():
        if (name := unit(people, n)) is not None:
            members.setdefault(name, []).append((rank, n))
    keys = {
        name: (sum(rank for rank, _ in best), best[0][0], best[1][0], sum(n == 9 for _, n in best))
        for name, all in members.items()
        if len(best := sorted(all)[:3]) == 3
    }
    wanted = {(1 + sum(other < key for other in keys.values()), name, key[0]) for name, key in keys.items()}
    found = lists(call, "best=3")["Units’ totals"]
    assert {(int(row[0]), row[3], int(row[5])) for row in found} == wanted
    text = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", call("GET", "/t/<t>/prizes?best=9").text)))
    assert "Units without a total, because they have fewer than 9 players" in text
    assert "P12" in text.partition("because the data are missing:")[2]


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("places", "0"),
        ("places", "x"),
        ("each", "-1"),
        ("best", "501"),
        ("born", "2012-2010"),
        ("rating", "-"),
        ("born", "x"),
        ("born", " ".join(f"{n}-" for n in range(1900, 1930))),
    ],
)
def test_what_cannot_be_read_is_told_beside_what_was_typed_and_the_places_are_shown(call: Call, field: str, typed: str):
    answer = call("GET", f"/t/<t>/prizes?{field}={typed}")
    assert answer.status_code == 200
    assert f'id="error-{field}" role="alert"' in answer.text and f'value="{typed[:200]}"' in answer.text
    assert "<h3>By place</h3>" in answer.text


def test_the_address_of_a_list_is_that_of_its_file_and_nothing_typed_is_markup(call: Call):
    text = call("GET", "/t/<t>/prizes?unit=yes&born=%3Cb%3E&evil=%3Cb%3E&at=8").text
    assert "<b>" not in text.partition('<form method="get" class="choose">')[2]
    (link,) = re.findall(r'href="(/t/cup/prizes\.csv[^"]*)"', text)
    assert "unit=yes" in link and "at=8" in link and "evil" not in link


def test_a_shared_first_place_is_told_with_its_article(call: Call):
    page = call("GET", "/t/<t>/prizes?places=9").text
    assert "“=” means that the place is shared." in unescape(page)
