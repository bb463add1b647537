"""Who begins in a match of several games: guessed for in the first, and changed from there (000-E 五子棋, 1: 第二局换先)."""

import pytest

from tests.stories.conftest import Story, T
from tests.stories.test_games_kinds import step

HALLS = ("embedded",)
"""Pairing alone seats; matches are played over the log that lags in `test_formats`."""

FIVE = {"moves": ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"], "ply": 1}


@pytest.mark.parametrize(("number", "seats"), [("4", (1, 2)), ("5", (2, 1))])
def test_the_second_game_is_begun_by_who_did_not_begin_the_first(
    story: Story, number: str, seats: tuple[int, int]
) -> None:
    # given a knock-out in matches of three, whose first game is guessed for: White's seat has Black where 4 are not odd
    cup = {"id": "T", "name": "Cup", "game": "gomoku", "format": "knockout", "regulations": "gomoku-campus"}
    changes = {"game.gomoku.first_hand": "either_grabs"}
    story.tell("/v1/tournaments", cup | {"changes": changes, "conditions": {"games": 3, "best": True}})
    story.tell(f"{T}/entries", {"players": [{"id": n, "name": f"选手 {n}"} for n in (1, 2)]})
    story.paired([1, 2])
    step(story, "black", "guess", "odd", number)
    began = story.get("/v1/games/T.1.1")["to_move"]
    story.tell("/v1/games/T.1.1/moves", FIVE, "board")
    colours = {1: "white", 2: "black"} if began == "black" else {1: "black", 2: "white"}

    # when the second game is paired
    (board,) = story.paired()["boards"]

    # then its seats have the other colours than the first game was played with, and the table tells those
    assert (board["white"], board["black"]) == seats
    assert colours[board["white"]] == "black"
    told = {row: story.get(f"{T}/standings/{row}")["rounds"][0]["side"] for row in (1, 2)}
    assert told == colours
    story.tell("/v1/games/T.2.1/moves", FIVE, "board")
    assert story.get("/v1/games/T.2.1")["result"]["notation"] == "0-1"
