"""Competitions in stages over HTTP, each with its own format, length of matches and time (000-B 4; 002-X 6, 11)."""

from typing import Any

import pytest

from tests.rows.marks import plays, row
from tests.stories.conftest import Story, T, in_one_process
from tests.stories.test_formats import pairs, played

FIVE_MINUTES = {"periods": [{"seconds": 300}], "flag": "at_once"}


def announced(story: Story, players: int, *stages: dict[str, Any], **more: Any) -> None:
    cup = {"id": "T", "name": "Cup", "game": "gomoku", "regulations": "gomoku-campus", "stages": stages}
    story.tell("/v1/tournaments", cup | {"format": stages[0]["format"]} | more)
    entered = [{"id": n, "name": f"选手 {n}", "rating": 2000 - 10 * n} for n in range(1, players + 1)]
    story.tell(f"{T}/entries", {"players": entered})


def drawn(board: Any) -> str:
    return "1/2-1/2"


@row("M6", under="gomoku-campus")
@plays("stages.*.format", "knockout")
@plays("stages.*.best", True)
@plays("stages.*.places", False)
@in_one_process
def test_three_games_then_five_from_the_last_sixteen_on_and_seven_in_the_final(story: Story) -> None:
    """000-B 4: 初赛三盘两胜, 16强五盘三胜, 决赛七盘四胜; here from the last four on, for there are six."""
    announced(
        story,
        6,
        {"name": "preliminary", "format": "knockout", "games": 3, "best": True, "qualifiers": 4},
        {"name": "last_four", "games": 5, "best": True, "qualifiers": 2, "format": "knockout"},
        {"name": "final", "games": 7, "best": True, "extra": 1, "format": "knockout"},
    )
    page = story.get("/t/T")
    assert "<li>stage preliminary: knockout, best of 3, 4 go on</li>" in page
    assert "<li>stage final: knockout, best of 7, 1 extra game</li>" in page

    # when the better player always wins, and the final is drawn all through
    rounds = [played(story) for _ in range(2 + 3)]
    finals = [played(story, drawn) for _ in range(8)]

    # then matches end with the second, the third and, after an extra game, no win: the lots decide
    assert [r["stage"] for r in rounds] == ["preliminary"] * 2 + ["last_four"] * 3
    assert [m["leg"] for r in finals for m in r["matches"]] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert pairs(*finals) == [(1, 2)] * 8
    assert story.refused(f"{T}/rounds", {}) == (409, "match-drawn")
    winner = story.tell(f"{T}/lots", {"match": finals[0]["matches"][0]["match"]})["winner"]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert [p["id"] for p in story.get(f"{T}/standings")["players"]] == [winner, 3 - winner, 3, 4, 5, 6]
    assert '<h2 id="round">Round 13, final' in story.get("/t/T")


@plays("stages.*.format", "groups", "knockout")
@plays("stages.*.best", False, True)
@plays("stages.*.places", True)
def test_groups_then_a_knock_out_of_the_best_two_of_each(story: Story) -> None:
    announced(
        story,
        8,
        {"name": "groups", "format": "groups", "groups": 2, "qualifiers": 2},
        {"name": "knockout", "format": "knockout", "games": 3, "best": True, "places": True},
    )
    first = [played(story) for _ in range(3)]
    assert first[0]["groups"] == [[1, 4, 5, 8], [2, 3, 6, 7]]
    assert story.refused(f"{T}/rounds", {}) == (409, "standings-not-published")
    before = {p["id"]: p["points"] for p in story.get(f"{T}/standings")["players"]}
    story.tell(f"{T}/publications", {}, "organiser")

    # then the first of one group meets the second of the other, and the matches are the best of three
    semi = [played(story) for _ in range(2)]
    assert pairs(*semi) == [(1, 3), (1, 3), (2, 4), (2, 4)]
    assert {r["stage"] for r in semi} == {"knockout"}
    final = [played(story, lambda b: "1-0" if max(b["white"], b["black"]) == b["white"] else "0-1") for _ in range(2)]
    assert pairs(*final) == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")

    # then the bracket has parted the first four, and nobody's points are others than before it
    table = story.get(f"{T}/standings")["players"]
    assert [p["id"] for p in table[:4]] == [2, 1, 4, 3]
    assert [p["rank"] for p in table[:4]] == [1, 2, 3, 4]
    assert {p["id"]: p["points"] for p in table} == before
    assert [p["id"] for p in table[4:]] == [5, 6, 8, 7] or {p["id"] for p in table[4:]} == {5, 6, 7, 8}


@plays("stages.*.format", "swiss", "match")
@in_one_process
def test_a_swiss_then_a_match_of_the_best_two(story: Story) -> None:
    announced(
        story,
        5,
        {"format": "swiss", "rounds": 3, "qualifiers": 2},
        {"format": "match", "games": 3, "best": True},
    )
    assert story.get(T)["rounds"] == 3
    assert [s["name"] for s in story.get(T)["stages"]] == ["1", "2"]
    for _ in range(3):
        played(story)
    buchholz = {p["id"]: p["tb"] for p in story.get(f"{T}/standings")["players"]}
    best = [p["id"] for p in story.get(f"{T}/standings")["players"]][:2]
    story.tell(f"{T}/publications", {}, "organiser")
    match = [played(story) for _ in range(2)]
    assert pairs(*match) == [tuple(sorted(best))] * 2
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")

    # then the match has changed nobody's tie-breaks
    assert {p["id"]: p["tb"] for p in story.get(f"{T}/standings")["players"]} == buchholz
    story.tell(f"{T}/publications", {"final": True}, "organiser")


@plays("stages.*.time.flag", "at_once")
def test_each_stage_has_its_own_time(story: Story) -> None:
    """002-X 6: one stage by the name of a scheme, one by the conditions, one with a time of its own."""
    announced(
        story,
        4,
        {"name": "semi", "format": "knockout", "qualifiers": 2, "time": "002-X 6.3"},
        {"name": "final", "format": "knockout", "time": FIVE_MINUTES},
        game="xiangqi",
        regulations="xiangqi-1999",
    )
    assert [s["time"]["article"] for s in story.get(T)["stages"]] == ["002-X 6.3", "002-X 6"]
    story.tell(f"{T}/rounds", {})
    moves = {"ply": 1, "moves": [{"move": "h2e2", "clock": 600}]}
    semi = story.tell("/v1/games/T.1.1/moves", moves, "board")
    assert not [e for e in semi["events"] if e["type"].startswith("arbiter.finding")]
    story.tell(f"{T}/results", {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2)]}, "arbiter")

    # then 301 seconds are more than a clock of the final can show
    story.tell(f"{T}/rounds", {})
    moves["moves"][0]["clock"] = 301  # type: ignore[index]
    final = story.tell("/v1/games/T.2.1/moves", moves, "board")
    found = [e["data"] for e in final["events"] if e["type"].startswith("arbiter.finding")]
    shown = {"side": "white", "shown": 301, "over": 1, "most": 300}
    assert [(f["kind"], f["grounds"]) for f in found] == [("clock_gained", [{"code": "clock_gained", "facts": shown}])]


@plays("stages.*.format", "round_robin")
def test_teams_play_groups_and_then_a_knock_out(story: Story) -> None:
    announced(
        story,
        8,
        {"name": "all", "format": "round_robin", "qualifiers": 2},
        {"name": "final", "format": "knockout", "games": 2},
        game="xiangqi",
        regulations="xiangqi-1999",
        conditions={"team": {"kind": "fixed", "boards": 2}},
    )
    teams = [{"id": n, "name": f"队 {n}", "members": [2 * n - 1, 2 * n]} for n in range(1, 5)]
    story.tell(f"{T}/teams", {"teams": teams})
    for _ in range(3):
        played(story)
    story.tell(f"{T}/publications", {}, "organiser")
    final = [played(story) for _ in range(2)]
    assert [(m["first"], m["second"]) for r in final for m in r["matches"]] in ([(1, 2)] * 2, [(2, 1)] * 2)
    table = story.get(f"{T}/standings/teams")["teams"]
    assert [team["id"] for team in table] == [1, 2, 3, 4]


@plays("stages.*.format", "double_round_robin", "double_knockout")
@plays("stages.*.time.flag", "claimed")
def test_a_table_of_two_legs_seats_a_double_knock_out_whose_flags_are_claimed(story: Story) -> None:
    time = {"periods": [{"seconds": 300}], "flag": "claimed"}
    announced(
        story,
        4,
        {"name": "table", "format": "double_round_robin", "qualifiers": 4},
        {"name": "bracket", "format": "double_knockout", "time": time},
    )
    for _ in range(6):
        played(story)
    story.tell(f"{T}/publications", {}, "organiser")
    first = story.tell(f"{T}/rounds", {})
    assert first["stage"] == "bracket" and pairs(first) == [(1, 4), (2, 3)]
    game = f"/v1/games/T.{first['round']}.1"
    story.tell(f"{game}/start", {}, "board")
    assert story.get(game)["clocks"] == {"black": 300, "white": 300}
    story.report(*["1-0" if b["white"] < b["black"] else "0-1" for b in first["boards"]], round=first["round"])
    for _ in range(3):
        played(story)
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")
    assert [p["id"] for p in story.get(f"{T}/standings")["players"]][:2] == [1, 2]


KO = {"format": "knockout"}


@pytest.mark.parametrize(
    ("stages", "more", "code", "where"),
    [
        ([KO | {"length": 3}], {}, "bad-fields", "length"),
        ([KO | {"time": "002-X 6.9"}], {}, "bad-fields", "time"),
        ([KO | {"format": "manual"}], {}, "bad-fields", "format"),
        ([KO | {"name": "Final!"}], {}, "bad-fields", "name"),
        ([KO | {"games": 9, "best": True}], {}, "stages-do-not-fit", "stages[0].games"),
        ([KO | {"games": 2, "best": True}], {}, "stages-do-not-fit", "stages[0].games"),
        ([KO | {"qualifiers": 3}, KO], {}, "stages-do-not-fit", "stages[0].qualifiers"),
        ([KO | {"qualifiers": 4}, KO | {"qualifiers": 4}, KO], {}, "stages-do-not-fit", "stages[1].qualifiers"),
        ([KO | {"qualifiers": 2}], {}, "stages-do-not-fit", "stages[0].qualifiers"),
        ([KO], {"format": "swiss", "rounds": 3}, "stages-do-not-fit", "stages[0].format"),
        ([KO], {"rounds": 3}, "stages-do-not-fit", "rounds"),
        ([KO | {"rounds": 3}], {}, "stages-do-not-fit", "stages[0].rounds"),
        ([KO | {"groups": 2}], {}, "stages-do-not-fit", "stages[0].groups"),
        ([KO], {"conditions": {"games": 3}}, "stages-do-not-fit", "conditions.games"),
        ([KO | {"name": "a", "qualifiers": 2}, KO | {"name": "a"}], {}, "stages-do-not-fit", "stages[1].name"),
        ([KO | {"name": "play_off"}], {}, "stages-do-not-fit", "stages[0].name"),
        ([KO | {"qualifiers": 4}, {"format": "round_robin"}], {}, "stages-do-not-fit", "stages[1].format"),
        ([KO | {"qualifiers": 4}, {"format": "swiss", "rounds": 3}], {}, "stages-do-not-fit", "stages[1].format"),
        ([KO | {"qualifiers": 2, "places": True}, KO], {}, "stages-do-not-fit", "stages[1].places"),
        ([KO | {"extra": 1, "format": "round_robin"}], {}, "stages-do-not-fit", "stages[0].extra"),
        ([{"format": "swiss", "qualifiers": 2}, KO], {}, "stages-do-not-fit", "stages[0].rounds"),
        ([{"format": "round_robin", "qualifiers": 1}, KO], {}, "stages-do-not-fit", "stages[0].qualifiers"),
        ([{"format": "round_robin", "qualifiers": 4}, {"format": "match"}], {}, "stages-do-not-fit", "stages[1].format"),
        ([{"format": "match", "qualifiers": 2}, KO], {}, "stages-do-not-fit", "stages[0].format"),
        ([{"format": "groups", "groups": 1, "qualifiers": 2}, KO], {}, "stages-do-not-fit", "stages[0].groups"),
        ([{"format": "swiss", "rounds": 3, "qualifiers": 2}, {"format": "round_robin"}], {}, "stages-do-not-fit",
         "stages[1].format"),
        ([KO | {"time": {"periods": [{"seconds": 0}], "flag": "at_once"}}], {}, "stages-do-not-fit",
         "stages[0].time.periods[0].seconds"),
    ],
)  # fmt: skip
@in_one_process
def test_a_stage_that_contradicts_itself_or_another_is_named(
    story: Story, stages: Any, more: Any, code: str, where: str
) -> None:
    cup = {"id": "T", "name": "Cup", "game": "xiangqi", "regulations": "xiangqi-1999", "format": stages[0]["format"]}
    refused = story.ask("POST", "/v1/tournaments", cup | {"stages": stages} | more, "chief_arbiter")
    assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (422, code), refused.text
    assert where in (refused.json.get("where") or refused.text)
    announced(story, 2, KO)


def test_a_stage_that_has_not_begun_is_changed_between_rounds(story: Story) -> None:
    """The office changes the length of the final, with a reason; what has begun stays."""
    semi = {"name": "semi", "format": "knockout", "qualifiers": 2}
    announced(story, 4, semi, {"name": "final", "format": "knockout"})
    played(story)
    book = {"regulations": "gomoku-campus", "reason": "three hours are left"}
    longer = [semi, {"name": "final", "format": "knockout", "games": 3, "best": True, "time": FIVE_MINUTES}]

    # when the semi-finals would be made longer too, after they were played
    refused = story.ask("POST", f"{T}/regulations", book | {"stages": [semi | {"games": 3}, longer[1]]}, "organiser")
    assert (refused.status_code, refused.json["type"].rpartition(":")[2]) == (409, "stage-begun")
    assert refused.json["where"] == "stages[0]"
    assert story.refused(f"{T}/regulations", book | {"stages": [semi, KO | {"time": "none"}]}) == (422, "bad-fields")
    story.tell(f"{T}/regulations", book | {"stages": longer}, "organiser")

    # then the final is the best of three, and regulations that name no stages leave them as they are
    story.tell(f"{T}/regulations", {"regulations": "gomoku-campus", "reason": "as it was"}, "organiser")
    assert [s["games"] for s in story.get(T)["stages"]] == [1, 3]
    assert [m["leg"] for r in (played(story), played(story)) for m in r["matches"]] == [1, 2]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


@in_one_process
def test_a_competition_that_began_without_stages_has_none(story: Story) -> None:
    story.tell("/v1/tournaments", {"id": "T", "name": "Cup", "game": "xiangqi", "regulations": "campus"} | KO)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.tell(f"{T}/rounds", {})
    said = {"regulations": "campus", "reason": "more games", "stages": [KO | {"games": 3, "best": True}]}
    assert story.refused(f"{T}/regulations", said) == (409, "stage-begun")


@in_one_process
def test_lengths_and_times_of_stages_are_changed_by_their_paths(story: Story) -> None:
    """000-B 4, 002-X 6: at the announcement, and by the office before the final."""
    stages = ({"name": "semi", "format": "knockout", "qualifiers": 2}, {"name": "final", "format": "knockout"})
    book = {"game": "xiangqi", "regulations": "xiangqi-1999"}
    announced(story, 4, *stages, **book, changes={"stages.semi.games": 3, "stages.final.time": "002-X 6.2"})
    said = story.get(T)
    assert [(s["games"], s["best"]) for s in said["stages"]] == [(3, True), (1, False)]
    assert said["stages"][1]["time"]["article"] == "002-X 6.2"
    assert said["regulations"]["changes"] == {"stages.semi.games": 3, "stages.final.time": "002-X 6.2"}
    assert [m["leg"] for r in (played(story), played(story)) for m in r["matches"]] == [1, 1, 2, 2]

    # when the office makes the final longer, and the semi-final, which was played
    changes = {"regulations": "xiangqi-1999", "reason": "a day more", "changes": {"stages.final.games": 7}}
    begun = changes | {"changes": {"stages.semi.games": 5}}
    assert story.refused(f"{T}/regulations", begun, "organiser") == (409, "stage-begun")
    story.tell(f"{T}/regulations", changes, "organiser")
    assert [m["leg"] for r in [played(story) for _ in range(4)] for m in r["matches"]] == [1, 2, 3, 4]
    assert story.refused(f"{T}/rounds", {}) == (409, "no-round-left")


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("stages.final.games", 9, "must be 1 or 3 or 5 or 7 games (000-B 4"),
        ("stages.final.games", True, "must be 1 or 3 or 5 or 7 games (000-B 4"),
        ("stages.final.extra", 11, "must be 0 to 10 games (000-B 9"),
        ("stages.final.time", "002-X 6.9", "must be 002-X 6.1 or 002-X 6.2 or 002-X 6.3 or 002-X 6.4 (002-X 6)"),
        ("stages.semi.games", 3, "unknown stage; available: final"),
        ("stages.final.format", "swiss", "a stage may only have the values games, extra and time"),
    ],
)
@in_one_process
def test_a_change_of_a_stage_out_of_its_bounds_names_them_and_the_article(
    story: Story, path: str, value: Any, why: str
) -> None:
    cup = {"id": "T", "name": "Cup", "game": "xiangqi", "regulations": "xiangqi-1999", "format": "knockout"}
    said = cup | {"stages": [KO | {"name": "final"}], "changes": {path: value}}
    refused = story.ask("POST", "/v1/tournaments", said, "chief_arbiter")
    assert (refused.status_code, refused.json["errors"]["changes"][path][0][: len(why)]) == (422, why)
    announced(story, 2, KO)
