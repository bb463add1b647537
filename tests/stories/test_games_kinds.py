"""One game of each kind from its first move to result and table; every fixture ends with the audit of all lines."""

from hashlib import sha256
from typing import Any

from tests.rows.marks import row
from tests.stories.conftest import Story, T

G = "/v1/games/T.1.1"
SGF, PGN = "application/x-go-sgf", "application/x-chess-pgn"


def opened(story: Story, game: str, regulations: str = "campus") -> None:
    story.announced(game=game, regulations=regulations)
    story.paired([1, 2], [3, 4])


def played(story: Story, ply: int, said: str) -> Any:
    return story.tell(f"{G}/moves", {"ply": ply, "moves": said.split()}, "board")


def step(story: Story, side: str, step: str, *values: str) -> Any:
    return story.tell(f"{G}/steps", {"side": side, "step": step, "values": list(values)}, "board")


def won(story: Story, notation: str) -> None:
    """The game is decided, and the table shows it."""
    game = story.get(G)
    assert (game["status"], game["result"]["notation"]) == ("decided", notation)
    white, black = {"1-0": (1, 0), "0-1": (0, 1), "1/2-1/2": (0.5, 0.5)}[notation]
    assert [story.points()[player] for player in (1, 2)] == [white, black]


@row("X2", under="campus")
@row("X23", under="campus")
def test_a_xiangqi_game_in_chinese_notation_to_mate(story: Story) -> None:
    opened(story, "xiangqi")
    played(story, 1, "炮二进三 炮２平５")
    assert story.refused(f"{G}/moves", {"ply": 3, "moves": ["帅五进五"]}, "board") == (409, "illegal-move")
    ended = played(story, 3, "砲二平三 包５退１ 炮三進四")
    assert ended["events"][-1]["data"]["article"] == "002-X 3.1, 4.1.1; 000-A 2.1"
    won(story, "1-0")
    assert "1. 炮二进三 炮2平5 2. 炮二平三" in story.get(f"{G}/sheet?notation=chinese", Accept=PGN)


@row("G8", under="go-campus")
def test_a_go_game_is_ended_by_both_and_counted_with_the_dead_stone_taken_off(story: Story) -> None:
    """Black holds ten lines and White's dead stone among them, White nine; nothing resumes the game (终局 2)."""
    opened(story, "go", "go-campus")
    walls = [(f"K{row}", f"L{row}") for row in range(1, 20)]
    played(story, 1, " ".join(point for pair in walls for point in pair))
    played(story, 39, "PASS C3 PASS")
    step(story, "white", "confirm_end")
    step(story, "black", "confirm_end")
    assert story.refused(f"{G}/moves", {"ply": 42, "moves": ["D4"]}, "board") == (409, "illegal-move")
    due = story.get(G)["to_move"]
    step(story, due, "dead", "C3")
    step(story, "white" if due == "black" else "black", "dead", "C3")
    won(story, "0-1")
    assert "RE[B+]" in story.get(f"{G}/sheet", Accept=SGF)


@row("R8", under="campus")
@row("R9", under="campus")
def test_a_renju_game_with_swap_and_two_fifth_stones_to_five(story: Story) -> None:
    """After the swap White's seat holds the black stones, and wins with them."""
    opened(story, "renju")
    played(story, 1, "h8 h9 h10")
    step(story, "white", "swap")
    played(story, 5, "o1")
    step(story, "white", "offer_fifth", "g7", "j10")
    step(story, "black", "choose_fifth", "g7")
    played(story, 7, "o3 f6 o5 e5 o7")
    assert story.get(G)["status"] == "playing"
    ended = played(story, 12, "d4")
    assert ended["events"][-1]["data"]["termination"] == "five"
    won(story, "1-0")


@row("M2", under="gomoku-campus")
@row("M9", under="gomoku-campus")
def test_a_gomoku_game_whose_first_hand_is_guessed_for(story: Story) -> None:
    """Black's seat guessed wrong: the other seat has the black stones and the first move (000-B 3)."""
    opened(story, "gomoku", "gomoku-campus")
    step(story, "black", "guess", "odd", "4")
    assert story.refused(f"{G}/moves", {"ply": 1, "moves": ["a1"]}, "board") == (409, "illegal-move")
    played(story, 1, "h8 h9 i8 i9 j8 j9 k8 k9 l8")
    game = story.get(G)
    assert (game["status"], game["result"]["notation"]) == ("decided", "1-0")
    assert [story.points()[player] for player in (1, 2)] == [2, 0], "000-E: two points a win"


@row("V3", under="campus")
def test_a_prediction_game_with_both_predictions_sealed_and_shown(story: Story) -> None:
    opened(story, "prediction")
    played(story, 1, "h8 a1 c1 e1")
    said = {"black": ("0123456789abcdef", "黑子13手"), "white": ("fedcba9876543210", "黑子15手")}
    for side, values in said.items():
        step(story, side, "seal", sha256("".join(values).encode()).hexdigest())
    other = {"side": "black", "step": "reveal", "values": ["0123456789abcdef", "黑子12手"]}
    assert story.refused(f"{G}/steps", other, "board") == (409, "illegal-step")
    for side, values in said.items():
        step(story, side, "reveal", *values)
    due = story.get(G)["to_move"]
    played(story, 5, "i8 g1 j8 a3 k8 c3 l8")
    won(story, "0-1" if due == "black" else "1-0")


def test_a_game_without_moves_has_its_result_from_the_hall(story: Story) -> None:
    opened(story, "checkers")
    assert story.refused(f"{G}/moves", {"ply": 1, "moves": ["a1"]}, "board") == (409, "no-score-sheet")
    story.report("0-1", "1/2-1/2")
    won(story, "0-1")
    game = story.get(G)
    assert (game["kind"], game["moves"], game["to_move"]) == (None, [], None)


def test_moves_taken_back_by_agreement_stay_on_the_sheet_and_the_game_goes_on(story: Story) -> None:
    opened(story, "xiangqi")
    played(story, 1, "炮二平五 马8进7 马二进三")
    back = {"to_ply": 1, "reason": "wrong_order"}
    story.tell(f"{G}/take-back", back, "arbiter")
    played(story, 2, "马2进3")
    game, sheet = story.get(G), story.get(f"{G}/sheet")
    assert (game["moves"], game["to_move"], sheet["lines"]) == (["h2e2", "b9c7"], "white", 5)
    story.tell(f"{G}/end", {"termination": "agreement"}, "arbiter")
    won(story, "1/2-1/2")


def test_a_file_from_an_electronic_board_is_a_batch_like_any_other(story: Story) -> None:
    opened(story, "chess")
    played(story, 1, "f3 e5")
    story.near("POST", f"{G}/moves")
    client, path = story.hall.client("POST", f"{G}/moves")
    headers = {"Authorization": f"Bearer {story.token('board')}", "Content-Type": PGN}
    answer = client.post(path, data="1. f3 e5 2. g4 Qh4# {the fastest} 0-1", headers=headers)
    assert [e["data"].get("move") for e in answer.json["events"]][:2] == ["g2g4", "d8h4"], answer.text
    story.seq = max(story.seq, int(answer.headers["ETag"].strip('"')))
    won(story, "0-1")
    assert story.ask("GET", f"{T}/integrity?after={story.seq}").status_code == 200
