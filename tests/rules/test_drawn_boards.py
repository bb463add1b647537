"""Boards as SVG: every piece where it stands, the last move marked, and nothing that the pages' policy refuses."""

import re
from xml.etree import ElementTree

import chess
import pytest

from services.games.pages.drawing import drawing
from services.games.rules.boards.registry import GAMES
from services.games.rules.boards.xiangqi.fen import START
from shared.regulations import load

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = "/".join(["." * 15] * 15)


def fives(**stones: str) -> str:
    """The text of a board of fifteen lines, with stones by point: ``h8="X"``."""
    rows = [["."] * 15 for _ in range(15)]
    for point, mark in stones.items():
        rows[15 - int(point[1:])]["abcdefghijklmno".index(point[0])] = mark
    return "/".join("".join(row) for row in rows) + " b"


def tree(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def of_class(svg: str, name: str) -> list[tuple[float, float]]:
    """Where the circles of a class stand."""
    found = [e for e in tree(svg).iter(f"{SVG}circle") if e.get("class") == name]
    return [(float(e.get("cx", "")), float(e.get("cy", ""))) for e in found]


def words(svg: str) -> list[str]:
    return [e.text or "" for e in tree(svg).iter(f"{SVG}text")]


POSITIONS = {
    "chess": (chess.STARTING_FEN, "e2e4"),
    "xiangqi": (START, "h2e2"),
    "go": ("/".join(["." * 19] * 19) + " b", "Q16"),
    "renju": (f"{EMPTY} b~", "h8"),
    "gomoku": (f"{EMPTY} b", "a1"),
    "prediction": (f"{EMPTY} b 4", "o15"),
}


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.parametrize("moved", [False, True], ids=["begin", "moved"])
def test_a_drawing_is_well_formed_told_in_words_and_without_styles(game, moved):
    text, last = POSITIONS[game]
    svg = drawing(game, text, last if moved else None)
    root = tree(svg)
    assert root.get("role") == "img" and text in (root.findtext(f"{SVG}title") or "")
    assert not re.search(r"style|<script|xlink|href=\"(?!#)", svg), "the pages take no inline style and nothing foreign"


@pytest.mark.parametrize("game", GAMES)
def test_the_text_of_every_games_first_position_can_be_drawn(game):
    regulations = {"go": "go-campus", "gomoku": "gomoku-campus"}.get(game, "campus")
    rules = load(regulations).game.rules[game]
    assert drawing(game, GAMES[game].start(rules).text()).startswith("<svg")


def test_a_chess_board_has_its_pieces_the_last_move_and_the_check():
    board = chess.Board()
    for move in ("f2f3", "e7e5", "g2g4", "d8h4"):
        board.push_uci(move)
    svg = drawing("chess", board.fen(), "d8h4")
    uses = [e.get("href") for e in tree(svg).iter(f"{SVG}use")]
    assert len([u for u in uses if u and re.match(r"#(white|black)-", u)]) == 32
    marked = {frozenset((e.get("class") or "").split()) for e in tree(svg).iter(f"{SVG}rect")}
    assert {s for one in marked if "lastmove" in one for s in one & {"d8", "h4", "e1"}} == {"d8", "h4"}
    assert any(e.get("class") == "check" for e in tree(svg).iter())


def test_a_chess_text_that_tells_of_swapped_seats_is_drawn_too():
    assert drawing("chess", f"{chess.STARTING_FEN}~").count("<use") == 32


def test_xiangqi_pieces_bear_their_characters_and_each_edge_the_files_of_its_side():
    told = words(drawing("xiangqi", START))
    assert [told.count(c) for c in "帅将仕士相象兵卒"] == [1, 1, 2, 2, 2, 2, 5, 5]
    assert [told.count(c) for c in "马车炮"] == [4, 4, 4]
    files = [w for w in told if w in "一二三四五六七八九abcdefghi"]
    assert files == [w for pair in zip("九八七六五四三二一", "abcdefghi", strict=True) for w in pair]


def test_both_points_of_the_last_xiangqi_move_are_marked():
    assert of_class(drawing("xiangqi", START, "h2e2"), "last") == [(340, 340), (220, 340)]


@pytest.mark.parametrize(("last", "marked"), [("h8", [(340, 340)]), ("a1", [(60, 620)]), ("pass", []), (None, [])])
def test_stones_stand_on_their_points_and_the_last_is_marked(last, marked):
    svg = drawing("gomoku", fives(h8="X", a1="O"), last)
    assert of_class(svg, "stone") == [(340, 340), (60, 620)]
    assert of_class(svg, "last") == marked
    assert [w for w in words(svg) if w.isalpha()] == list("aabbccddeeffgghhiijjkkllmmnnoo")


def test_a_go_board_has_no_i_and_nine_marked_points():
    svg = drawing("go", POSITIONS["go"][0], "J1")
    assert [w for w in words(svg) if w.isalpha()] == [c for c in "ABCDEFGHJKLMNOPQRST" for _ in "ab"]
    assert of_class(svg, "last") == [(60 + 8 * 40, 60 + 18 * 40)]
    assert sum(e.get("r") == "4" for e in tree(svg).iter(f"{SVG}circle")) == 9


def test_what_stands_in_a_text_is_never_markup():
    assert "<b>" not in drawing("gomoku", f"{EMPTY} <b>")
