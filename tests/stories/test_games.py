"""Games from their first move to their end, and what the score sheet says of them."""

import json
from hashlib import sha256
from io import StringIO

import chess.pgn

from shared.core.events import GameEnded
from shared.wire.envelope import read
from tests.stories.conftest import Story, T

G = "/v1/games/T.1.1"
SHEET = "application/x-ndjson"


def played(story: Story, ply: int, *moves: str, clock: int = 5400) -> None:
    said = [{"move": move, "clock": clock - 10 * n} for n, move in enumerate(moves, ply)]
    story.tell(f"{G}/moves", {"ply": ply, "moves": said}, "board")


def test_a_chess_game_from_the_first_move_to_mate_commits_to_its_sheet(story: Story) -> None:
    # given a game that began, with a draw offered and declined
    story.announced(game="chess")
    story.paired([1, 2], [3, 4])
    played(story, 1, "e4")
    played(story, 2, "e5", "Bc4")
    story.tell(f"{G}/offers", {"offer": "draw", "side": "white"}, "player")
    story.tell(f"{G}/offers", {"offer": "decline", "side": "black"}, "player")
    assert story.ask("POST", f"{G}/moves", {"ply": 4, "moves": ["Ke3"]}, "board").status_code == 409

    # when white mates
    played(story, 4, "Nc6", "Qh5", "Nf6", "Qxf7#")

    # then the game is over, and the log commits to the bytes of its sheet
    game = story.get(G)
    assert (game["status"], game["result"]["notation"]) == ("decided", "1-0")
    assert story.points() == {1: 1.0, 2: 0.0, 3: 0.0, 4: 0.0}
    (ended,) = [
        e.data for n, line in enumerate(story.hall.lines("T"), 1) if isinstance((e := read(line, n)).data, GameEnded)
    ]
    sheet = story.get(f"{G}/sheet", Accept=SHEET).encode()
    assert ended.sheet is not None
    assert (ended.sheet.lines, ended.sheet.sha256) == (9, sha256(sheet).hexdigest())
    assert [json.loads(line)["sourceseq"] for line in sheet.splitlines()] == list(range(1, 10))
    assert "4. Qxf7#" in story.get(f"{G}/sheet", Accept="application/x-chess-pgn")


def test_a_rounds_games_are_one_file_for_broadcast_while_they_are_played(story: Story) -> None:
    # given a game that goes on and one that has not begun
    story.announced(game="chess")
    story.paired([1, 2], [3, 4])
    played(story, 1, "e4", "e5")

    # then python-chess reads both, by board, each with what is known now
    first = story.ask("GET", f"{T}/rounds/1.pgn")
    assert (first.status_code, first.mimetype) == (200, "application/x-chess-pgn")
    one, two = broadcast(first.text)
    assert [str(move) for move in one.mainline_moves()] == ["e2e4", "e7e5"] and one.end().clock() == 5380
    assert (one.headers["Round"], one.headers["Result"]) == ("1.1", "*")
    assert (two.headers["Round"], two.end().ply()) == ("1.2", 0)

    # when it is asked for again, it comes only if a game went on
    tag = first.headers["ETag"]
    assert story.ask("GET", f"{T}/rounds/1.pgn", If_None_Match=tag).status_code == 304
    played(story, 3, "Bc4")
    again = story.ask("GET", f"{T}/rounds/1.pgn", If_None_Match=tag)
    assert again.status_code == 200 and broadcast(again.text)[0].end().ply() == 3

    # and the page of the round leads to it, which a round that is not paired has not
    story.until(lambda: f"{T}/rounds/1.pgn" in story.ask("GET", "/t/T/rounds/1").text)
    assert story.ask("GET", f"{T}/rounds/2.pgn").status_code == 404


def test_a_game_without_pgn_has_no_file_for_broadcast(story: Story) -> None:
    story.announced(game="go")
    story.paired([1, 2], [3, 4])
    after = len(story.hall.lines("T"))
    answer = story.ask("GET", f"{T}/rounds/1.pgn?after={after}")
    assert (answer.status_code, answer.json["type"]) == (404, "urn:arbiter:problem:no-such-form")
    assert "games of go cannot be exported as .pgn" in answer.json["detail"]


def broadcast(text: str) -> list[chess.pgn.Game]:
    """The games of a file, as python-chess reads them."""
    file, games = StringIO(text), []
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors
        games.append(game)
    return games


def test_a_fallen_flag_is_found_by_games_and_answered_by_penalties_without_a_person(story: Story) -> None:
    # given a game in which the opponent can still win
    story.announced(game="chess")
    story.paired([1, 2], [3, 4])
    played(story, 1, "e4", "e5", clock=30)

    # when the flag of the side to move is claimed to have fallen
    made = story.tell(f"{G}/claims", {"claim": "flag", "side": "black"}, "arbiter")
    finding = made["events"][-1]["data"]["finding"]

    # then penalties answer it by themselves, once, with the loss of the game
    story.until(lambda: story.ask("GET", f"{T}/rulings").json["rulings"] != [])
    (loss,) = story.get(f"{T}/rulings")["rulings"]
    assert (loss["infraction"], loss["finding"], loss["role"]) == ("flag", finding, "rulebook")
    story.hall.settled()
    types = [read(line, n).data for n, line in enumerate(story.hall.lines("T"), 1)]
    assert [type(data).__name__ for data in types].count("FindingAnswered") == 1
    story.seq = len(types)
    assert story.points() == {1: 0.0, 2: 1.0, 3: 0.0, 4: 0.0}
    assert story.integrity() == {}


def test_two_boards_agree_and_resign_while_moves_are_taken_back(story: Story) -> None:
    story.announced(game="chess")
    story.paired([1, 2], [3, 4])
    played(story, 1, "e4", "e5")
    story.tell(f"{G}/take-back", {"to_ply": 1, "reason": "misrecorded"}, "arbiter")
    played(story, 2, "c5")
    story.tell(f"{G}/end", {"termination": "agreement"}, "arbiter")
    story.tell("/v1/games/T.1.2/start", role="arbiter")
    story.tell("/v1/games/T.1.2/end", {"termination": "resignation", "side": "white"}, "arbiter")
    assert story.points() == {1: 0.5, 2: 0.5, 3: 0.0, 4: 1.0}
    assert story.get(G)["moves"] == ["e2e4", "c7c5"]
