"""Clocks that follow: lateness, rulings and findings are seen in them, a reading shows each once, an arbiter sets them."""

import json
import re
from html import unescape
from typing import Any

import pytest

from shared.core.rulebook.books import citation
from tests.rows.marks import row
from tests.stories.conftest import Story, T, in_one_process
from tests.stories.test_games_claims import claimed

G = "/v1/games/T.1.1"
HOUR = {"periods": [{"seconds": 3600}], "flag": "at_once"}
SHUFFLE = {
    "xiangqi": ("a0a1", "a9a8", "a1a0", "a8a9"),
    "chess": ("b1c3", "b8c6", "c3b1", "c6b8"),
    "go": ("Q16", "D4", "C3", "R17"),
}


def opened(story: Story, game: str, regulations: str = "campus", **more: int) -> None:
    """A tournament with an hour for each side, and ``more`` of its control; player 1 sits on White's seat."""
    time = {"conditions": {"time": HOUR | more | ({"byo_yomi": 30} if game == "go" else {})}}
    cup = {"id": "T", "name": "Cup", "game": game, "format": "swiss", "rounds": 5, "regulations": regulations}
    story.tell("/v1/tournaments", cup | time)
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in range(1, 5)]})
    story.paired([1, 2], [3, 4])


def read(story: Story, *clocks: int) -> Any:
    """The next moves, with these readings."""
    told = story.get(G)
    names = SHUFFLE[told["kind"]]
    moves = [{"move": names[(told["ply"] + n) % 4], "clock": clock} for n, clock in enumerate(clocks)]
    return story.tell(f"{G}/moves", {"ply": told["ply"] + 1, "moves": moves}, "board")["events"]


def arrived(story: Story, player: int, late: int) -> None:
    story.tell(f"{T}/arrivals", {"player": player, "round": 1, "late": late}, "arbiter")


def parts(story: Story, side: str) -> tuple[int | None, dict[str, int]]:
    """The clock as it is to be shown, and of its parts those that are something."""
    told = story.get(G)
    return told["clocks"][side], {name: value for name, value in told["clock_parts"][side].items() if value}


def all_answered(story: Story) -> None:
    """Wait until every finding has its answer, and what it brings."""

    def answered() -> bool:
        story.hall.settled()
        types = [json.loads(line)["type"] for line in story.hall.lines("T")]
        made, answers = (sum(t.startswith(f"arbiter.finding.{what}") for t in types) for what in ("made", "answered"))
        return made == answers

    story.until(answered)
    story.seq = len(story.hall.lines("T"))


def set_clock(story: Story, side: str, *values: str, role: Any = "arbiter") -> Any:
    return story.tell(f"{G}/steps", {"side": side, "step": "set_clock", "values": list(values)}, role)


@pytest.mark.parametrize(
    ("game", "regulations", "late", "clocks"),
    [
        ("xiangqi", "campus", {1: 600}, {"white": 3000, "black": 3600}),
        ("xiangqi", "xiangqi-1999", {1: 600, 2: 700}, {"white": 3000, "black": 2900}),
        ("chess", "campus", {1: 600}, {"white": 3000, "black": 3600}),
        ("go", "campus", {2: 600}, {"white": 3600, "black": 3000}),
        ("go", "go-campus", {1: 120, 2: 600}, {"white": 3480, "black": 3000}),
    ],
    ids=["象棋 8.1", "002-X 21.3", "国际象棋 7", "围棋 迟到问题", "围棋 迟到问题: 双方"],
)
def test_lateness_is_seen_in_the_clocks(
    story: Story, game: str, regulations: str, late: dict[int, int], clocks: dict[str, int]
) -> None:
    opened(story, game, regulations)
    for player, seconds in late.items():
        arrived(story, player, seconds)
    assert story.get(G)["clocks"] == clocks
    assert "lateness " in story.get("/games/T.1.1")


@row("X12", under="xiangqi-1999")
def test_five_minutes_are_taken_once_and_come_back_by_the_arbiter_alone(story: Story) -> None:
    # given a wrong claim of the natural limit (002-X 23.3)
    opened(story, "xiangqi", "xiangqi-1999")
    read(story, 3500, 3500)
    claimed(story, "white", "natural_limit")
    all_answered(story)
    assert parts(story, "white") == (3200, {"reading": 3500, "rulings": -300})
    assert "set the clock to 53:20: read 58:20, rulings −5:00" in story.get("/games/T.1.1")

    # when the clock is read before it was set, they are still to be taken; once it shows them, no more
    read(story, 3490, 3500)
    assert parts(story, "white") == (3190, {"reading": 3490, "rulings": -300})
    events = read(story, 3180, 3500)
    assert [e["data"]["values"] for e in events if e["type"].startswith("arbiter.step.taken")] == [["f2=-300"]]
    assert parts(story, "white") == (3180, {"reading": 3180})

    # then an annulment changes no clock by itself: the page says what is to be set
    minutes = next(r["ruling"] for r in story.get(f"{T}/rulings")["rulings"] if r["effect"]["kind"] == "adjust_clock")
    story.annul(minutes)
    assert parts(story, "white") == (3180, {"reading": 3180, "given_back": 300})
    assert "set the clock to 58:00" in story.get("/games/T.1.1")
    set_clock(story, "white", "3480")
    assert parts(story, "white") == (3480, {"reading": 3480})
    page = story.get("/games/T.1.1")
    assert "the clock is set to 58:00" in page and "set the clock to" not in page


@pytest.mark.parametrize(("game", "regulations", "most"), [("chess", "fide-2026", 3660), ("xiangqi", "campus", 3630)])
@in_one_process
def test_in_chess_an_increment_is_added_before_its_move(story: Story, game: str, regulations: str, most: int) -> None:
    """An hour and thirty seconds a move: a board's clock begins at 1:00:30, and shows 1:01:00 after a move made at once."""
    opened(story, game, regulations, increment=30)
    assert not [e for e in read(story, most, most) if e["type"].startswith("arbiter.finding")]
    (gained,) = [e["data"] for e in read(story, most + 31) if e["type"].startswith("arbiter.finding")]
    assert gained["grounds"] == [
        {"code": "clock_gained", "facts": {"side": "white", "shown": most + 31, "over": 1, "most": most + 30}}
    ]


def test_seconds_given_by_the_laws_are_seen_and_a_clock_that_gained_is_found(story: Story) -> None:
    """Laws 7.5.5: two minutes for the opponent of who made an illegal move."""
    opened(story, "chess", "fide-2026")
    read(story, 3500, 3400)
    story.tell(f"{G}/claims", {"claim": "illegal_move", "side": "black", "move": "a1a5"}, "arbiter")
    all_answered(story)
    assert parts(story, "black") == (3520, {"reading": 3400, "rulings": 120})
    assert not [e for e in read(story, 3490, 3510) if e["type"].startswith("arbiter.finding")]
    assert parts(story, "black") == (3510, {"reading": 3510})
    read(story, 3480)
    (gained,) = [e["data"] for e in read(story, 3600) if e["type"].startswith("arbiter.finding")]
    assert (gained["kind"], gained["player"]) == ("clock_gained", 2)
    assert gained["grounds"] == [
        {"code": "clock_gained", "facts": {"side": "black", "shown": 3600, "over": 80, "most": 3520}}
    ]
    all_answered(story)


@pytest.mark.parametrize(
    ("game", "article"), [("xiangqi", "002-X 22.4"), ("go", "000-E 围棋 5(5)"), ("chess", "Laws 6.10.1")]
)
@in_one_process
def test_a_faulty_clock_is_set_by_an_arbiter_and_nobody_is_accused(story: Story, game: str, article: str) -> None:
    opened(story, game)
    first = story.get(G)["to_move"]
    read(story, 3500, 40)
    other = "black" if first == "white" else "white"
    refused = story.ask("POST", f"{G}/steps", {"side": other, "step": "set_clock", "values": ["an hour"]}, "arbiter")
    assert (refused.status_code, article in refused.json["article"]) == (422, True)
    told = {"side": other, "step": "set_clock", "values": ["3450", "fault"]}
    assert story.refused(f"{G}/steps", told, "player") == (403, "role-may-not")
    set_clock(story, other, "3450", "fault")
    assert story.get(G)["clocks"] == {first: 3500, other: 3450}
    assert story.get(f"{T}/rulings")["rulings"] == []
    page = story.get("/games/T.1.1")
    assert "the clock is set to 57:30 (the clock was faulty)" in page and str(citation(article).message) in unescape(
        re.sub("<[^>]+>", "", page)
    )


@pytest.mark.parametrize(("left", "flag"), [(601, False), (600, True)])
@in_one_process
def test_a_second_wrong_claim_overruns_what_the_first_has_left(story: Story, left: int, flag: bool) -> None:
    """000-A 国际象棋, 对局结束 13(2)."""
    opened(story, "chess")
    read(story, left, 3500)
    claimed(story, "white", "fifty_moves")
    all_answered(story)
    story.tell(f"{G}/moves", {"ply": 3, "moves": ["c3b1", "c6b8"]}, "board")
    claimed(story, "white", "fifty_moves")
    all_answered(story)
    story.until(lambda: (story.ask("GET", G).json["status"] == "decided") is flag)
    assert story.get(G)["clocks"]["white"] == (0 if flag else 1)


def test_the_answer_of_a_false_claim_tells_what_the_clocks_are_to_be_set_to(story: Story) -> None:
    # 13(2): five minutes are taken from the claimant
    opened(story, "chess")
    read(story, 3500, 3400)
    told = story.tell(f"{G}/claims", {"claim": "fifty_moves", "side": "white"}, "board")
    assert (told["state"], told["clocks"]) == ("denied", {"white": 3200, "black": 3400})
    assert parts(story, "white")[0] == 3200


def test_a_claim_that_costs_nothing_leaves_the_clocks_as_they_are(story: Story) -> None:
    opened(story, "xiangqi")
    read(story, 3500, 3400)
    told = story.tell(f"{G}/claims", {"claim": "illegal_move", "move": "a0b1"}, "arbiter")
    assert told["clocks"] == {"white": 3500, "black": 3400}
