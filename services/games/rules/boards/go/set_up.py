"""Positions of Go that are set up: handicap stones 让子, on their usual points or elsewhere, and any other stones."""

from dataclasses import replace
from typing import NamedTuple

from services.games.rules.boards.go.board import Board, handicap_points, point_of, vertex
from services.games.rules.boards.go.sheet_position import GoGame
from services.games.rules.boards.port.position import BadPosition, SetUp
from services.games.rules.boards.port.stone_list import StoneList, parse, places
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GoRules
from shared.core.terms import Side


def set_up(rules: GoRules, text: str) -> SetUp | None:
    """Return the position that a list of stones states, or None if it is the one from which the rules begin a game.

    After a handicap White is to move, unless the text says otherwise. ``KM`` is the komi of this game instead of the
    regulations'. Raises `BadPosition`.
    """
    listed = listed_stones(text, rules.size)
    komi = listed.stones.komi_quarters()
    of_game = rules if komi is None else replace(rules, komi_quarter_zi=komi)
    position = GoGame(of_game, (listed.board, listed.to_move))
    if of_game == rules and position.text() == GoGame(rules).text():
        return None
    return SetUp(position, listed.stones.text())


class Listed(NamedTuple):
    """A board, the side to move, and the list it was read from, with every stone by its name, in order."""

    board: Board
    to_move: Side
    stones: StoneList


def listed_stones(text: str, size: int) -> Listed:
    """Return the board of ``size`` lines that a list of stones such as ``AB D4 AW Q16 PL B`` states.

    Raises `BadPosition`.
    """
    stones = _with_handicap(parse(text), size)
    black, white = places(stones, lambda name: point_of(name, size))
    to_move = _to_move(stones)
    board = Board.of(size, black, white)
    for point, group in board.groups().items():
        if not group.liberties:
            detail = say("the stones around {point} have no liberty", point=vertex(point, size))
            raise BadPosition(detail, impossible=True)
    blacks, whites = (tuple(vertex(point, size) for point in sorted(points)) for points in (black, white))
    return Listed(board, to_move, StoneList(blacks, whites, to_move, stones.handicap, stones.komi))


def _with_handicap(listed: StoneList, size: int) -> StoneList:
    """Return the list with the usual handicap stones if only their number is given. Raises `BadPosition`.

    A list with black stones stays as it is. A handicap of 0 or 1 is removed.
    """
    stones = listed.handicap or 0
    if listed.black and stones and stones != len(listed.black):
        detail = say(
            "HA states {stones} handicap stones, but AB lists {listed}", stones=stones, listed=len(listed.black)
        )
        raise BadPosition(detail, impossible=True)
    if listed.black or stones < 2:
        return listed if stones >= 2 else listed._replace(handicap=None)
    points = handicap_points(stones, size)
    if not points or size < 7 or (size % 2 == 0 and stones > 4):
        detail = say(
            "a board of {size} lines has no fixed points for {stones} handicap stones: list their points with AB",
            stones=stones,
            size=size,
        )
        raise BadPosition(detail)
    return listed._replace(black=tuple(vertex(point, size) for point in points))


def _to_move(listed: StoneList) -> Side:
    if listed.to_move is not None:
        return listed.to_move
    if listed.handicap:
        return "white"
    if listed.black or listed.white:
        raise BadPosition(say("PL must state the side to move, B or W"))
    return "black"
