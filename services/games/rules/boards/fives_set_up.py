"""Positions of renju and gomoku that are set up, regardless of the opening that led to them."""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from services.games.rules.boards.fifteen import Stones, name, point_of
from services.games.rules.boards.port.position import Position
from services.games.rules.boards.port.set_up import BadPosition, SetUp
from services.games.rules.boards.port.stone_list import StoneList, parse, places
from shared.core.language.messages import say
from shared.core.terms import Side

Rules = TypeVar("Rules")
Start = tuple[Stones, Side]
"""The stones already on the board, and the side to move."""


def make_set_up(game: Callable[[Rules, Start], Position]) -> Callable[[Rules, str], SetUp | None]:
    """Return a function that reads the positions of a game on fifteen lines. It raises `BadPosition`."""

    def set_up(rules: Rules, text: str) -> SetUp | None:
        listed = listed_stones(text)
        return None if listed.start is None else SetUp(game(rules, listed.start), listed.text)

    return set_up


class Listed(NamedTuple):
    """The listed stones, or None for the empty board with Black to move, and a canonical ``text`` of them."""

    start: Start | None
    text: str


def listed_stones(text: str) -> Listed:
    """Return the stones of a list. Raises `BadPosition`."""
    listed = parse(text)
    for value, word in ((listed.handicap, "HA"), (listed.komi, "KM")):
        if value is not None:
            raise BadPosition(say("{word} is of Go, not of this game", word=word))
    black, white = places(listed, point_of)
    if not black and not white and listed.to_move in (None, "black"):
        return Listed(None, listed.text())
    if listed.to_move is None:
        raise BadPosition(say("PL is to say who is to move, B or W"))
    stones = Stones()
    for point in black:
        stones.put("black", point)
    for point in white:
        stones.put("white", point)
    blacks, whites = (tuple(name(point) for point in sorted(points)) for points in (black, white))
    return Listed((stones, listed.to_move), StoneList(blacks, whites, listed.to_move).text())
