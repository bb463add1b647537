"""Facts of rulings against the score sheet: games looks, since it alone follows sheets, and says so in the log."""

import json
from typing import Any

import pytest

from tests.stories.conftest import Story, T
from tests.stories.test_facts import begun, tell
from tests.stories.test_games_kinds import G, played


def fed(story: Story, *moves: tuple[str, int]) -> None:
    """Moves with the reading of the clock after each."""
    story.tell(f"{G}/moves", {"ply": 1, "moves": [{"move": m, "clock": c} for m, c in moves]}, "board")


def check_of(story: Story, ruling: str) -> dict[str, Any]:
    """The check of a ruling's facts, which nobody asks for."""
    found: list[dict[str, Any]] = []

    def look() -> bool:
        events = map(json.loads, story.hall.lines("T"))
        found[:] = [e for e in events if "facts.checked" in e["type"] and e["data"]["ruling"] == ruling]
        return bool(found)

    story.until(look)
    story.hall.settled()
    story.seq = len(story.hall.lines("T"))
    (check,) = found
    assert (check["role"], check["data"]["game"]) == ("rulebook", "T.1.1")
    data: dict[str, Any] = check["data"]
    return data


XIANGQI = (("h2e2", 900), ("h9g7", 800), ("h0g2", 179), ("g6g5", 700))


def test_a_gap_in_the_record_is_no_foul_with_less_than_three_minutes_on_the_sheet(story: Story) -> None:
    """002-X 7.2."""
    begun(story, "xiangqi-1999", "xiangqi")
    fed(story, *XIANGQI)

    # given one on a move that was made with more, which stands
    first = tell(story, 1, "missing_records", facts={"missed_in_a_row": 4, "seconds_left": 200}, ply=1)["ruling"]
    assert check_of(story, first)["contradicted"] == {} and story.standing() == [first]

    # when the arbiter does not say what the clock showed, or says more than it did
    silent = tell(story, 1, "missing_records", facts={"missed_in_a_row": 4})["ruling"]
    assert check_of(story, silent)["contradicted"] == {"seconds_left": 179} and story.standing() == [first]
    made = tell(story, 1, "missing_records", facts={"missed_in_a_row": 4, "seconds_left": 200}, ply=3)["ruling"]
    check = check_of(story, made)
    assert (check["contradicted"], check["article"]) == ({"seconds_left": 179}, "002-X 7.2")
    assert check["sheet"]["lines"] == 4

    # then the ruling does not stand, and says why wherever it is shown
    ruling = story.get(f"{T}/rulings/{made}")
    assert (ruling["standing"], ruling["why"]) == (
        False,
        "the score sheet contradicts the ruling: it shows seconds left: 179 (article 002-X 7.2)",
    )
    listed = story.integrity()["contradicted"][-1]
    assert (listed["ruling"], listed["facts"]) == (made, {"seconds_left": 179})
    shown = "shows seconds left: 179"
    assert shown in story.get("/t/T/rulings") and shown in story.get("/games/T.1.1")
    assert "the score sheet contradicts ruling" in story.get(f"/t/T/log/{listed['seq']}")


@pytest.mark.parametrize(
    ("regulations", "game", "moves", "player", "infraction", "facts", "contradicted", "article"),
    [
        (
            "xiangqi-1999",
            "xiangqi",
            "h2e2 h9g7",
            1,
            "disturbing",
            {"own_time": False},
            {"own_time": True},
            "002-X 9.1.1, 8.5",
        ),
        ("xiangqi-1999", "xiangqi", "h2e2 h9g7", 2, "disturbing", {"own_time": False}, {}, None),
        (
            "go-campus",
            "go",
            "D4 PASS Q16",
            2,
            "two_moves_in_a_row",
            {},
            {"opponent_passed": True},
            "000-A 围棋, 违例 4",
        ),
        ("go-campus", "go", "D4 D16 Q16", 2, "two_moves_in_a_row", {"opponent_passed": False}, {}, None),
        (
            "go-campus",
            "go",
            "D4 D16",
            2,
            "taking_back",
            {"opponent_moved": False},
            {"opponent_moved": True},
            "000-A 围棋, 行棋 2",
        ),
        ("go-campus", "go", "D4 D16 Q4", 2, "taking_back", {"opponent_moved": False}, {}, None),
    ],
)
def test_what_the_sheet_shows_decides_whether_a_ruling_stands(
    story: Story,
    regulations: str,
    game: str,
    moves: str,
    player: int,
    infraction: str,
    facts: dict[str, Any],
    contradicted: dict[str, Any],
    article: str | None,
) -> None:
    begun(story, regulations, game)
    played(story, 1, moves)
    made = tell(story, player, infraction, facts=facts)["ruling"]
    check = check_of(story, made)
    assert check["contradicted"] == contradicted and (article is None or check["article"] == article)
    assert story.standing() == ([] if contradicted else [made])


def test_the_loss_by_a_third_foul_falls_with_a_foul_that_the_sheet_contradicts(story: Story) -> None:
    """002-X 4.1.8, 7.2: nobody annuls it, and the game goes on."""
    begun(story, "xiangqi-1999", "xiangqi")
    fed(story, *XIANGQI)
    for _ in range(2):
        tell(story, 1, "foul")
    made = tell(story, 1, "missing_records", facts={"missed_in_a_row": 4, "seconds_left": 200})
    assert check_of(story, made["ruling"])["contradicted"] == {"seconds_left": 179}
    assert len(story.standing()) == 2 and story.get(G)["status"] == "playing"
    played(story, 5, "g3g4")

    # a third one brings the loss after all
    tell(story, 1, "foul")
    assert story.get(G)["result"]["notation"] == "0-1"
