"""A chess game that was begun wrongly twice, a Go game whose contest is given up, and a swap that is taken back; each ends
with the audit."""

from typing import Any

from tests.rows.marks import row
from tests.stories.conftest import Story

G = "/v1/games/T.1.1"
PGN, SGF = "application/x-chess-pgn", "application/x-go-sgf"
TO_AND_FRO = "g1f3 g8f6 b1c3 b8c6 f3g1 f6g8 c3b1 c6b8 " * 2 + "g1f3 g8f6 f3g1 f6g8"
"""Ten moves of each side that leave the pieces where they were; no position comes five times."""


def played(story: Story, ply: int, said: str) -> Any:
    return story.tell(f"{G}/moves", {"ply": ply, "moves": said.split()}, "board")


def reversed_colours() -> dict[str, Any]:
    return {"side": "white", "step": "correct_colours"}


@row("H14", under="fide-2026")
@row("H15", under="fide-2026")
def test_a_game_begun_with_reversed_colours_is_played_on_and_won_by_who_has_whites_pieces(story: Story) -> None:
    story.announced(game="chess", regulations="fide-2026")
    story.paired([1, 2], [3, 4])
    played(story, 1, "e2e4 e7e5 g1f3")
    back = {"to_ply": 1, "reason": "initial_position"}
    assert story.refused(f"{G}/take-back", back, "arbiter") == (409, "back-to-the-start")
    story.tell(f"{G}/take-back", back | {"to_ply": 0}, "arbiter")

    played(story, 1, " ".join(TO_AND_FRO.split()[:19]))
    assert story.refused(f"{G}/steps", reversed_colours(), "arbiter") == (409, "illegal-step")
    played(story, 20, "f6g8")
    late = {"to_ply": 0, "reason": "wrong_colours"}
    assert story.refused(f"{G}/take-back", late, "arbiter") == (409, "colours-stand")
    assert story.refused(f"{G}/steps", reversed_colours(), "board") == (403, "role-may-not")
    story.tell(f"{G}/steps", reversed_colours(), "arbiter")
    game = story.get(G)
    assert (game["to_move"], game["facts"], game["white"]) == ("black", {"black": "white"}, 1)

    ended = played(story, 21, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7")
    assert ended["events"][-1]["data"]["termination"] == "checkmate"
    assert story.get(G)["result"]["notation"] == "0-1", "Black's seat has given mate with White's pieces"
    assert [story.points()[player] for player in (1, 2)] == [0, 1]
    assert [cell["side"] for cell in story.get("/v1/tournaments/T/standings/1")["rounds"]] == ["black"]
    file = story.get(f"{G}/sheet", Accept=PGN)
    assert '[White "选手 2"]' in file and '[Black "选手 1"]' in file and '[Result "1-0"]' in file
    story.near("GET", "/games/T.1.1")
    assert story.ask("GET", "/games/T.1.1").status_code == 200


@row("G10", under="go-campus")
def test_who_gives_up_the_contest_leaves_the_open_points_to_the_other_side(story: Story) -> None:
    """Black has nine files of the board, White nine, and the one between them is open: shared, White would win."""
    story.announced(game="go", regulations="go-campus")
    story.paired([1, 2], [3, 4])
    played(story, 1, " ".join(f"J{row} L{row}" for row in range(1, 20)) + " A1")
    gives_up = {"side": "white", "step": "give_up"}
    assert story.refused(f"{G}/steps", gives_up | {"side": "black"}, "board") == (409, "illegal-step")
    story.tell(f"{G}/steps", gives_up, "board")
    assert story.get(G)["facts"] == {"black": "black", "given_up": "white"}
    assert story.refused(f"{G}/moves", {"ply": 40, "moves": ["K1"]}, "board") == (409, "illegal-move")

    settled = {"side": "white", "step": "settle", "values": []}
    assert story.refused(f"{G}/steps", settled, "arbiter") == (403, "role-may-not")
    ended = story.tell(f"{G}/steps", settled, "chief_arbiter")
    data = ended["events"][-1]["data"]
    assert (data["termination"], data["article"]) == ("counted", "000-E 围棋, 5(4); 000-A 围棋, 贴子")
    assert [story.points()[player] for player in (1, 2)] == [0, 1]
    assert "white: give_up" in story.get(f"{G}/sheet", Accept=SGF)


def test_every_page_follows_a_swap_and_its_taking_back(story: Story) -> None:
    story.announced(game="renju", regulations="campus")
    story.paired([1, 2], [3, 4])
    played(story, 1, "h8 h9 h10")
    swap = {"side": "white", "step": "swap", "values": []}
    assert [e["data"] for e in story.tell(f"{G}/steps", swap, "board")["events"][1:]] == [
        {"game": "T.1.1", "black": "white"}
    ]
    wall = "/t/T/rounds/1/papers/names"
    story.near("GET", wall)
    assert story.ask("GET", wall).text.count("Black") == 1
    back = story.tell(f"{G}/take-back", {"to_ply": 3, "reason": "misrecorded"}, "arbiter")
    assert back["events"][-1]["data"] == {"game": "T.1.1", "black": None}
    story.near("GET", wall)
    assert "Black" not in story.ask("GET", wall).text
    keep = {"side": "white", "step": "keep", "values": []}
    story.tell(f"{G}/steps", keep, "board")
    story.tell("/v1/tournaments/T/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]}, "arbiter")
    assert story.get(G)["colours"] == {"white": "white", "black": "black", "first": "black", "settled_by": "swap"}
    story.near("GET", "/games/T.1.1")
    assert "White wins" in story.ask("GET", "/games/T.1.1").text
    assert [cell["side"] for cell in story.get("/v1/tournaments/T/standings/1")["rounds"]] == ["white"]
