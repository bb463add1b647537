"""A federation's own set of regulations: brought as a file to the announcement or between rounds, kept whole in the log,
played and audited by without the file."""

from typing import Any

import pytest

from shared.regulations import names
from tests.federation import OWN, own_set
from tests.stories.conftest import Story, T

HALLS = ("embedded",)

CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 5}
LATE, LIMIT = "rulebook.lateness.limit", "game.xiangqi.natural_limit_rounds"
TEN_MINUTES = ("limit = 900", "limit = 600")
ROUNDS_50 = ("natural_limit_rounds = 60", "natural_limit_rounds = 50")


def announced(story: Story, text: str, **more: Any) -> None:
    story.tell("/v1/tournaments", {**CUP, "regulations_file": text, **more})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in (1, 2, 3, 4)]})


def adopted(story: Story) -> list[dict[str, Any]]:
    events = story.get(f"{T}/events?type=arbiter.regulations.adopted.v5")["events"]
    return [e["event"]["data"]["regulations"] for e in events]


def errors(story: Story, body: dict[str, Any], path: str = "/v1/tournaments") -> dict[str, Any]:
    answer = story.ask("POST", path, body, "organiser")
    assert (answer.status_code, answer.json["type"]) == (422, "urn:arbiter:problem:bad-fields")
    told: dict[str, Any] = answer.json["errors"]
    return told


def test_an_event_is_played_by_the_values_of_the_file_and_every_one_of_them_is_kept(story: Story) -> None:
    announced(story, own_set("xiangqi-1999", TEN_MINUTES, ROUNDS_50))
    (kept,) = adopted(story)
    assert (kept["name"], kept["changes"], len(kept["digest"])) == (OWN, {}, 64)
    assert (kept["rulebook"]["lateness"]["limit"], kept["game"]["rules"]["xiangqi"]["natural_limit_rounds"]) == (
        600,
        50,
    )
    told = story.get(T)["regulations"]
    assert (told["name"], told["digest"], told["changes"]) == (OWN, kept["digest"], {})
    assert OWN not in [row["name"] for row in story.get("/v1/regulations")["regulations"]]
    story.paired([1, 2], [3, 4])
    story.tell(f"{T}/arrivals", {"player": 1, "round": 1, "late": 601}, "arbiter")
    for _ in range(3):
        story.foul(4)
    assert story.points() == {1: 0.0, 2: 1.0, 3: 1.0, 4: 0.0}


def test_an_organiser_changes_its_values_as_those_of_a_shipped_set(story: Story) -> None:
    announced(story, own_set("xiangqi-1999", ROUNDS_50), changes={LATE: 300})
    (kept,) = adopted(story)
    assert (kept["changes"], kept["rulebook"]["lateness"]["limit"]) == ({LATE: 300}, 300)
    assert f">{OWN}</a>, 1 value changed by the organiser<" in story.get("/t/T")
    body = {**CUP, "regulations_file": own_set(), "changes": {LIMIT: 61}}
    assert errors(story, body) == {
        "changes": {LIMIT: ["must be 1 to 60 rounds (002-X 4.2.4: 60回合, 也可根据比赛等级酌减)"]}
    }


def test_a_file_is_adopted_between_rounds_with_a_reason(story: Story) -> None:
    story.announced(regulations="xiangqi-1999")
    story.paired([1, 2], [3, 4])
    story.report("1-0", "1-0")
    body = {"regulations_file": own_set("xiangqi-1999", TEN_MINUTES), "reason": "the federation's own from here on"}
    story.tell(f"{T}/regulations", body, "organiser")
    assert [kept["name"] for kept in adopted(story)] == ["xiangqi-1999", OWN]
    story.paired([1, 3], [2, 4])
    story.tell(f"{T}/arrivals", {"player": 3, "round": 2, "late": 601}, "arbiter")
    assert story.points() == {1: 2.0, 2: 0.0, 3: 1.0, 4: 0.0}


def test_a_file_without_the_rules_of_the_game_or_of_its_teams_is_not_adopted(story: Story) -> None:
    story.tell("/v1/tournaments", {**CUP, "format": "teams", "regulations": "xiangqi-1999"})
    body = {"regulations_file": own_set("fide-2026"), "reason": "a mistake"}
    assert story.refused(f"{T}/regulations", body, "organiser") == (422, "no-rules-for-the-game")
    text = own_set()
    start, end = text.index("[teams]"), text.index("[pairing]")
    body["regulations_file"] = "\n".join(
        line for line in (text[:start] + text[end:]).splitlines() if not line.startswith('"teams.')
    )
    assert story.refused(f"{T}/regulations", body, "organiser") == (422, "no-rules-for-teams")


def test_a_file_without_the_game_that_is_announced_is_refused(story: Story) -> None:
    body = {**CUP, "regulations_file": own_set("fide-2026")}
    assert story.refused("/v1/tournaments", body) == (422, "no-rules-for-the-game")
    story.tell("/v1/tournaments", {**body, "results_only": True})


def test_the_name_in_a_file_is_shown_as_it_is_and_never_as_markup(story: Story) -> None:
    announced(story, own_set(name="<b>Harbour</b> & Co"))
    for page in ("/t/T", "/t/T/log"):
        assert "<b>Harbour" not in story.get(page) and "&lt;b&gt;Harbour&lt;/b&gt; &amp; Co" in story.get(page)
    assert story.get(T)["regulations"]["name"] == "<b>Harbour</b> & Co"


@pytest.mark.parametrize("name", names())
def test_a_copy_of_every_shipped_set_under_a_name_of_its_own_is_taken(story: Story, name: str) -> None:
    game = story.get(f"/v1/regulations/{name}")["games"][0]
    story.tell("/v1/tournaments", {**CUP, "game": game, "regulations_file": own_set(name)})
    shown = story.get(f"/v1/regulations/{name}")
    (kept,) = adopted(story)
    assert [row["name"] for row in kept["rulebook"]["infractions"]] == [row["name"] for row in shown["infractions"]]


BAD = [
    ("not a set", "Expected '=' after a key in a key/value pair (at line 1, column 5)"),
    (own_set("xiangqi-1999", ("win = 2", "wim = 2\nwin = 2")), "points has an unknown key 'wim'; is 'win' meant?"),
    (
        own_set("xiangqi-1999", ('counter = "foul"', 'counter = "fuol"')),
        "rulebook.infractions (foul): no rule of the ladder reads the counter 'fuol'",
    ),
    (
        own_set("xiangqi-1999", TEN_MINUTES, name="xiangqi-1999"),
        "name: 'xiangqi-1999' is shipped with other values; a set of your own has a name of its own",
    ),
    ("# 棋\n" * 11_000, "66000 bytes; a set has 65536 at most"),
    (
        own_set("xiangqi-1999", ("natural_limit_rounds = 60", "natural_limit_rounds = 61")),
        "game.xiangqi.natural_limit_rounds: must be 1 to 60 rounds (002-X 4.2.4: 60回合, 也可根据比赛等级酌减)",
    ),
    (own_set("xiangqi-1999", ("count = 3", "count = 0")), "rulebook.ladder.third_foul.count: must be 1 to 1000"),
    (
        own_set("xiangqi-1999", ("moves = 40 }", "moves = 0 }")),
        "game.times.xiangqi.periods[0].moves: a period for all moves must be the last",
    ),
    (
        own_set("xiangqi-1999", ('"PO"', '"BOO"')),
        "ranking: tiebreaks of players: unknown tie-break 'BOO'; available: PTS, ",
    ),
]


@pytest.mark.parametrize(("text", "problem"), BAD, ids=[problem for _, problem in BAD])
def test_a_file_that_is_not_taken_is_told_by_its_table_and_key(story: Story, text: str, problem: str) -> None:
    told = errors(story, {**CUP, "id": "U", "regulations_file": text})
    ((line,),) = told.values()
    assert list(told) == ["regulations_file"] and line.startswith(f"regulations_file: {problem}")
    story.announced()
    assert errors(story, {"regulations_file": text, "reason": "a try"}, f"{T}/regulations") == told


def test_regulations_are_named_or_brought_and_not_both(story: Story) -> None:
    for path, body in (("/v1/tournaments", CUP), (f"{T}/regulations", {"reason": "a try"})):
        both = {**body, "regulations": "campus", "regulations_file": own_set()}
        assert errors(story, both, path) == {"regulations_file": ["give either this or regulations, not both"]}
        assert errors(story, body, path) == {"regulations": ["Missing data for required field."]}
    story.announced()
