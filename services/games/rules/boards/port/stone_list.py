"""Positions of games with stones, in the words of SGF: ``AB D4 Q16 AW K10 PL W``, with our own names of points.

``AB[D4][Q16]`` means the same. ``HA``: the number of handicap stones 让子 among the black stones; without ``AB``, they
are on their usual points. ``KM``: the komi 贴子 in points, for this game.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from services.games.rules.boards.port.position import BadPosition
from shared.core.language.messages import say
from shared.core.terms import Side

Point = TypeVar("Point")
LISTS, VALUES = ("AB", "AW"), ("PL", "HA", "KM")
_SIDES: dict[str, Side] = {"B": "black", "W": "white", "BLACK": "black", "WHITE": "white"}
_KOMI = re.compile(r"-?\d{1,3}(?:\.(?:0|00|5|50))?")


class StoneList(NamedTuple):
    """The stones by name, the side to move, the handicap and the komi in points. A value that is not given is None."""

    black: tuple[str, ...]
    white: tuple[str, ...]
    to_move: Side | None = None
    handicap: int | None = None
    komi: str | None = None

    def komi_quarters(self) -> int | None:
        """Return the komi in quarters of a 子 (one 子 is two points of area), or None if it is not given."""
        return None if self.komi is None else round(float(self.komi) * 2)

    def text(self) -> str:
        """Return a text that `parse` reads."""
        handicap = None if self.handicap is None else str(self.handicap)
        to_move = None if self.to_move is None else self.to_move[0].upper()
        values = {"HA": (handicap,), "AB": self.black, "AW": self.white, "PL": (to_move,), "KM": (self.komi,)}
        properties = {name: [word for word in words if word is not None] for name, words in values.items()}
        return " ".join(" ".join((name, *words)) for name, words in properties.items() if words)


def parse(text: str) -> StoneList:
    """Parse a list of stones such as ``AB D4 Q16 AW K10 PL W``. Each property (AB, AW, PL, HA, KM) may occur once.

    Raises `BadPosition`.
    """
    values: dict[str, list[str]] = {}
    name = None
    for word in text.replace("[", " ").replace("]", " ").split():
        if word.upper() in (*LISTS, *VALUES):
            name = word.upper()
            if name in values:
                raise BadPosition(say("{name} appears twice", name=name))
            values[name] = []
        elif name is None:
            raise BadPosition(
                say("{word} is before AB, AW, PL, HA and KM; one of them must come first", word=word[:20])
            )
        else:
            values[name].append(word)
    if not values:
        raise BadPosition(say("the position is empty: list stones with AB and AW, or state the side to move with PL"))
    for name in VALUES:
        if name in values and len(values[name]) != 1:
            raise BadPosition(say("{name} must have one value, not {number}", name=name, number=len(values[name])))
    return StoneList(
        tuple(values.get("AB", ())),
        tuple(values.get("AW", ())),
        _side(*values["PL"]) if "PL" in values else None,
        _handicap(*values["HA"]) if "HA" in values else None,
        _komi(*values["KM"]) if "KM" in values else None,
    )


def places(listed: StoneList, point_of: Callable[[str], Point | None]) -> tuple[list[Point], list[Point]]:
    """Return the points of the black stones and of the white stones. ``point_of``: finds a point by its name.

    Raises `BadPosition` for a name that is not a point of the board, and for a point with two stones.
    """
    seen: set[Point] = set()

    def placed(names: Sequence[str]) -> list[Point]:
        points = []
        for name in names:
            point = point_of(name)
            if point is None:
                raise BadPosition(say("{name} is not a point of this board", name=name[:20]))
            if point in seen:
                raise BadPosition(say("two stones are on {name}", name=name), impossible=True)
            seen.add(point)
            points.append(point)
        return points

    return placed(listed.black), placed(listed.white)


def _side(value: str) -> Side:
    side = _SIDES.get(value.upper())
    if side is None:
        raise BadPosition(say("PL must be B or W, not {value}", value=value[:20]))
    return side


def _handicap(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= 3):
        raise BadPosition(say("HA must be a number of stones, not {value}", value=value[:20]))
    return int(value)


def _komi(value: str) -> str:
    if not _KOMI.fullmatch(value):
        raise BadPosition(say("KM must be a number of whole or half points, not {value}", value=value[:20]))
    return value
