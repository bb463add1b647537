"""Values of regulations that pairings and tables are made by: the same event under each of them."""

from typing import Any

import pytest

from shared.regulations import load
from tests.federation import set_with
from tests.rows.marks import plays
from tests.stories.conftest import Story, T

HALLS = ("embedded",)


def announced(
    story: Story,
    of: str,
    values: dict[str, Any] | None = None,
    players: int = 4,
    game: str = "xiangqi",
    format: str = "swiss",
    **more: Any,
) -> None:
    """An event under a shipped set, or a federation's own with these values."""
    book = {"regulations_file": set_with(of, values)} if values else {"regulations": of}
    cup = {"id": "T", "name": "Cup", "game": game, "format": format} | ({"rounds": 3} if format == "swiss" else {})
    story.tell("/v1/tournaments", cup | book | more)
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, players + 1)]
    story.tell(f"{T}/entries", {"players": entered})


POINTS = ("win", "draw", "loss", "pairing_bye", "full_bye", "half_bye", "zero_bye")


def points_of(name: str) -> list[pytest.MarkDecorator]:
    return [plays(f"points.{one}", getattr(load(name).points, one)) for one in POINTS]


@pytest.mark.parametrize(
    ("regulations", "game", "points"),
    [
        pytest.param("campus", "xiangqi", [1, 0, 0.5, 0.5, 1, 0.5, 0, 1], marks=points_of("campus")),
        pytest.param("gomoku-campus", "gomoku", [2, 0, 1, 1, 2, 1, 0, 2], marks=points_of("gomoku-campus")),
    ],
)
def test_results_and_byes_have_the_points_of_the_set(
    story: Story, regulations: str, game: str, points: list[float]
) -> None:
    announced(story, regulations, players=8, game=game)
    for player, kind in ((5, "F"), (6, "H"), (7, "Z")):
        story.tell(f"{T}/byes", {"player": player, "round": 1, "kind": kind})
    story.paired([1, 2], [3, 4], bye=8)
    story.report("1-0", "1/2-1/2")
    assert [story.points()[n] for n in range(1, 9)] == points


@pytest.mark.parametrize(
    ("regulations", "game", "engine"),
    [
        pytest.param(
            "campus", "xiangqi", "rustworkx",
            marks=[plays("pairing.system", "campus"), plays("pairing.engine", "rustworkx"), plays("pairing.edition", "2026")],
        ),
        pytest.param(
            "fide-2026", "chess", "gacrux",
            marks=[plays("pairing.system", "dutch"), plays("pairing.engine", "gacrux"), plays("pairing.edition", "2026")],
        ),
    ],
)  # fmt: skip
def test_a_swiss_is_paired_by_the_engine_of_the_set(story: Story, regulations: str, game: str, engine: str) -> None:
    announced(story, regulations, players=6, game=game)
    paired = story.tell(f"{T}/rounds", {"initial_colour": "white"} if engine == "gacrux" else {})
    assert paired["events"][0]["data"]["engine"]["name"] == engine
    seats = {frozenset((b["white"], b["black"])) for b in paired["boards"]}
    assert (seats == {frozenset(pair) for pair in ((1, 4), (2, 5), (3, 6))}) or engine == "rustworkx"


@pytest.mark.parametrize(
    ("regulations", "second"),
    [
        pytest.param(
            "fide-2024", {(3, 2), (4, 1)},
            marks=[plays("pairing.engine", "py4swiss"), plays("pairing.edition", "2017")],
        ),
        pytest.param("fide-2026", {(3, 1), (4, 5)}),
    ],
)  # fmt: skip
def test_each_fide_set_pairs_by_the_dutch_rules_of_its_time(
    story: Story, regulations: str, second: set[tuple[int, int]]
) -> None:
    """1 and 4 lead and 2 is last: in 2026 the lowest score for who has the bye (C5) comes before the pairs at the top."""
    announced(story, regulations, players=5, game="chess")
    story.tell(f"{T}/byes", {"player": 1, "round": 1, "kind": "F"})
    story.tell(f"{T}/rounds", {"initial_colour": "white"})
    story.report("0-1", "1/2-1/2")
    paired = story.tell(f"{T}/rounds", {})
    assert {(b["white"], b["black"]) for b in paired["boards"]} == second
    assert story.get(f"{T}/audit")["verdict"] == "agrees"


@plays("pairing.starting_numbers_until", 4)
def test_starting_numbers_are_corrected_until_the_round_of_the_set(story: Story) -> None:
    announced(story, "campus", players=10, rounds=6)
    for number in range(1, 5):
        story.tell(f"{T}/starting-numbers", {})
        paired = story.paired()
        story.report(*["1-0"] * len(paired["boards"]), round=number)
    assert story.refused(f"{T}/starting-numbers", {})[0] == 409


@plays("pairing.max_same_colour", 2)
@plays("pairing.max_colour_difference", 2)
def test_nobody_has_a_colour_three_times_in_a_row_or_three_times_more_often(story: Story) -> None:
    announced(story, "fide-2026", players=8, game="chess", rounds=5)
    colours: dict[int, str] = dict.fromkeys(range(1, 9), "")
    for number in range(1, 5):
        paired = story.tell(f"{T}/rounds", {"initial_colour": "white"} if number == 1 else {})
        for seat in paired["boards"]:
            colours[seat["white"]] += "w"
            colours[seat["black"]] += "b"
        story.report(*["1-0"] * 4, round=number)
    for had in colours.values():
        assert "www" not in had and "bbb" not in had and abs(had.count("w") - had.count("b")) <= 2


@pytest.mark.parametrize(
    ("by_hand", "status"),
    [
        pytest.param("format", 409, marks=plays("pairing.by_hand", "format")),
        pytest.param("seats", 201, marks=plays("pairing.by_hand", "seats")),
    ],
)
def test_a_pairing_by_hand_is_bound_by_the_format_or_by_its_seats_alone(
    story: Story, by_hand: str, status: int
) -> None:
    announced(story, "xiangqi-1999", {"pairing.by_hand": by_hand}, format="knockout")
    story.paired([1, 4], [2, 3])
    story.report("1-0", "1-0")
    body = {"boards": [[1, 3]], "reason": "the winner of the other match is ill"}
    story.near("POST", f"{T}/rounds")
    answer = story.ask("POST", f"{T}/rounds", body, "chief_arbiter", If_Match=f'"{story.seq}"')
    assert answer.status_code == status, answer.text
    story.seq = max(story.seq, int(answer.headers.get("ETag", '"0"').strip('"')))


LEAVING = [
    # results, unplayed, points of who was met and of who was to be met
    ("stand", "forfeit", 1.0, 1.0),
    ("stand", "not_paired", 1.0, 0.0),
    ("annul_below_half", "forfeit", 0.0, 0.0),
]
PATHS = {"formats": "leaving.formats.*", "else": "leaving"}


@pytest.mark.parametrize(
    ("where", "results", "unplayed", "met", "unmet"),
    [
        pytest.param(where, *case, marks=[plays(f"{at}.results", case[0]), plays(f"{at}.unplayed", case[1])])
        for where, at in PATHS.items()
        for case in LEAVING
    ],
)
def test_who_leaves_a_round_robin_leaves_his_results_or_not(
    story: Story, where: str, results: str, unplayed: str, met: float, unmet: float
) -> None:
    """002-X 20.3; C.05."""
    rule = {"results": results, "unplayed": unplayed}
    if where == "formats":
        row = {"formats": ["round_robin"], "article": "the federation's own", **rule}
        values: dict[str, Any] = {"leaving.formats": [row], "leaving.results": "stand", "leaving.unplayed": "forfeit"}
    else:
        values = {"leaving.formats": []} | {f"leaving.{name}": value for name, value in rule.items()}
    announced(story, "xiangqi-1999", values, format="round_robin")
    story.tell(f"{T}/rounds", {"boards": [[1, 4], [2, 3]], "reason": "by the table"})
    story.report("1-0", "1-0")
    story.tell(f"{T}/entries/4/withdrawal", {"reason": "ill"}, "organiser")
    assert story.points()[1] == met
    paired = story.tell(f"{T}/rounds", {"boards": [[4, 3], [1, 2]] if unmet else [[1, 2]], "reason": "x"})
    assert paired["round"] == 2
    story.until(lambda: story.points()[3] == unmet)


@plays("leaving.walkover_meets", False, True)
@pytest.mark.parametrize("hall", ["embedded"], indirect=True)
def test_a_walkover_counts_as_a_game_met_or_not(story: Story) -> None:
    """002-X 20.3: of three opponents one and a walkover are more than half, or fewer."""
    points = {}
    for name, meets in (("A", False), ("B", True)):
        at = f"/v1/tournaments/{name}"
        cup = {"id": name, "name": "Cup", "game": "xiangqi", "format": "round_robin", "regulations": "xiangqi-1999"}
        tell = lambda path, body, role="chief_arbiter", at=at: followed(story, at, path, body, role)  # noqa: E731
        answer = story.ask("POST", "/v1/tournaments", cup | {"changes": {"leaving.walkover_meets": meets}}, "organiser")
        assert answer.status_code == 201, answer.text
        tell("entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
        tell("rounds", {"boards": [[1, 4], [2, 3]], "reason": "by the table"})
        tell("results", {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2)]}, "arbiter")
        tell("rounds", {"boards": [[4, 3], [1, 2]], "reason": "by the table"})
        tell(
            "results",
            {"round": 2, "results": [{"board": 1, "result": "-/+"}, {"board": 2, "result": "1-0"}]},
            "arbiter",
        )
        tell("entries/4/withdrawal", {"reason": "ill"}, "organiser")
        rows = story.ask("GET", f"{at}/standings").json["players"]
        points[meets] = {row["id"]: row["points"] for row in rows}[1]
    assert points == {False: 1.0, True: 2.0}
    announced(story, "xiangqi-1999")


def followed(story: Story, at: str, path: str, body: Any, role: Any) -> None:
    tag = story.ask("GET", at).headers["ETag"]
    answer = story.ask("POST", f"{at}/{path}", body, role, If_Match=tag)
    assert answer.status_code == 201, answer.text


@plays("ranking.unshared", 0)
def test_where_a_first_place_may_be_shared_nothing_is_said_of_it(story: Story) -> None:
    """002-X 15.6 is another set's."""
    announced(story, "campus", rounds=1)
    story.paired([1, 2], [3, 4])
    story.report("1/2-1/2", "1/2-1/2")
    story.tell(f"{T}/publications", {"final": True})
    assert {row["rank"] for row in story.get(f"{T}/standings")["players"]} == {1} and story.integrity() == {}


@plays("ranking.discipline.infractions", "misconduct", "grave_misconduct")
@pytest.mark.parametrize(
    ("infraction", "more", "role"),
    [
        ("misconduct", {}, "arbiter"),
        ("grave_misconduct", {"effect": {"kind": "exclude", "rounds": [3]}}, "chief_arbiter"),
    ],
)
@plays("ranking.orders.*.of", "players")
def test_who_was_punished_stands_last_among_equals(story: Story, infraction: str, more: Any, role: Any) -> None:
    """002-X 18.4."""
    announced(story, "xiangqi-1999")
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1-0")
    story.tell(f"{T}/rulings", {"player": 1, "round": 1, "infraction": infraction} | more, role)
    order = [row["id"] for row in story.get(f"{T}/standings")["players"]]
    assert order.index(3) < order.index(1) < order.index(4)


@pytest.mark.parametrize(
    "edition", [pytest.param(year, marks=plays("ranking.rules", year)) for year in ("2024", "2026")]
)
def test_a_table_names_the_edition_of_its_tie_breaks(story: Story, edition: str) -> None:
    announced(story, f"fide-{edition}", game="chess")
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1-0")
    assert story.tell(f"{T}/publications", {"final": False})["events"][0]["data"]["rules"] == edition
