"""DhtmlXQ 东萍, the game records of dpxq.com in UBB: ``[DhtmlXQ_movelist]7747…[/DhtmlXQ_movelist]``.

A point has two digits: the file from Red's left, and the line from Black's side. ``binit`` lists the points of all 32
pieces, with 99 for a piece off the board. ``movelist`` has two points per move. ``move_P_N_B`` is the variation B, an
alternative to the move at ply N of P (0: the main line). ``commentB_N`` belongs to ply N of B, and ``commentN`` to ply
N of the main line. ``||`` ends a line of a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from services.games.files.game_file import GameFile, Places, StatedFact, Unreadable, check_length
from services.games.files.record_file import Branch, file_of, result_of, squares_of
from services.games.rules.boards.port.position import BadPosition
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import NAMES
from shared.core.language.messages import message_of, say
from shared.core.terms import Side

MEDIA = "text/x-dhtmlxq"
_USUAL = "0919293949596979891777062646668600102030405060708012720323436383"
_OUTER = re.compile(r"\[/?DhtmlXQ\]", re.IGNORECASE)
_TAG = re.compile(r"\[DhtmlXQ_(\w+)\](.*?)\[/DhtmlXQ_(\w+)\]", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"comment(?:(\d{1,4})_)?(\d{1,4})", re.ASCII)
_VARIATION = re.compile(r"move_(\d{1,4})_(\d{1,4})_(\d{1,4})", re.ASCII)
_RESULTS: dict[str, Side | None] = {
    "红胜": "white", "先胜": "white", "1-0": "white", "黑胜": "black", "先负": "black", "0-1": "black",
    "和棋": None, "和局": None, "先和": None, "和": None, "1/2-1/2": None,
}  # fmt: skip
_UNDECIDED = ("", "未知", "不详", "未完", "*")
_NAMES = {
    "title": "Title", "event": "Event", "date": "Date", "place": "Site", "round": "Round", "red": "Red", "black": "Black",
    "redteam": "RedTeam", "blackteam": "BlackTeam", "open": "Opening", "remark": "Annotator",
}  # fmt: skip
"""The names in PGN of the tags that PGN has too."""


class _Value(NamedTuple):
    text: str
    at: int


@dataclass(slots=True)
class _Tags:
    """The tags of a file that are still to be read."""

    values: dict[str, _Value]
    places: Places

    def take(self, name: str) -> _Value | None:
        """Remove a tag and return its value, or None if it is absent or empty."""
        value = self.values.pop(name, None)
        return value if value is not None and value.text else None

    def matching(self, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], _Value]]:
        """Remove the tags whose names match a pattern, and yield them."""
        for name in list(self.values):
            match = pattern.fullmatch(name)
            if match:
                yield match, self.values.pop(name)


def read(text: str) -> GameFile:
    """Return the single game of a text. Raises `Unreadable`."""
    places = Places(text)
    values: dict[str, _Value] = {}
    for name, value in _values(text, places):
        if name in values:
            raise Unreadable(say("{name} appears twice", name=name), places.of(value.at))
        values[name] = value
    tags = _Tags(values, places)
    movelist = values.pop("movelist", None) or values.pop("move_0_1_0", None)
    if movelist is None:
        raise Unreadable(say("{name} is missing", name="DhtmlXQ_movelist"), places.of(0))
    main = Branch(1, places.of(movelist.at))
    main.moves = ["".join(ends) for ends in _pairs(places, movelist)]
    at = [places.of(movelist.at + 4 * n) for n in range(len(main.moves))]
    for n, place in enumerate(at, 1):
        check_length(n, place)
    position = _position(tags, main)
    _add_variations(tags, main)
    told = tags.take("result")
    result = None if told is None else result_of(told.text, places.of(told.at), _RESULTS, _UNDECIDED)
    facts = [
        StatedFact(_NAMES.get(name, f"DhtmlXQ_{name}"), one.text, places.of(one.at)) for name, one in values.items()
    ]
    return file_of(main, at, position, facts, result)


def _values(text: str, places: Places) -> Iterator[tuple[str, _Value]]:
    at = 0
    for match in re.finditer(f"{_TAG.pattern}|{_OUTER.pattern}", text, re.IGNORECASE | re.DOTALL):
        _only_space(text, places, at, match.start())
        at = match.end()
        if match[1] is None:
            continue
        if match[1].lower() != match[3].lower():
            wrong = say("{name} ends as {other}", name=match[1], other=match[3])
            raise Unreadable(wrong, places.of(match.start(3)))
        value = match[2].strip()
        yield match[1].lower(), _Value(value, match.start(2) + match[2].find(value))
    _only_space(text, places, at, len(text))


def _only_space(text: str, places: Places, at: int, end: int) -> None:
    rest = text[at:end].strip("\ufeff \t\r\n")
    if rest:
        why = say("{rest} is outside every DhtmlXQ tag", rest=rest[:20])
        raise Unreadable(why, places.of(text.index(rest, at)))


def _pairs(places: Places, moves: _Value) -> Iterator[tuple[str, str]]:
    """Yield the two ends of each move. Raises `Unreadable`."""
    digits = moves.text
    if len(digits) % 4 or not (digits == "" or (digits.isascii() and digits.isdigit())):
        wrong = next((n for n, one in enumerate(digits) if not (one.isascii() and one.isdigit())), len(digits))
        raise Unreadable(say("a move must have four digits"), places.of(moves.at + wrong))
    for n in range(0, len(digits), 4):
        points = digits[n : n + 2], digits[n + 2 : n + 4]
        if any(one[0] == "9" for one in points):
            why = say("{point} is not a point of the board", point=" ".join(points))
            raise Unreadable(why, places.of(moves.at + n))
        yield NAMES[_point(points[0])], NAMES[_point(points[1])]


def _point(digits: str) -> int:
    return (9 - int(digits[1])) * 9 + int(digits[0])


def _position(tags: _Tags, main: Branch) -> StatedFact:
    """Return the first position from ``binit`` or ``fen``. Raises `Unreadable` if both are present and differ."""
    places, usual = tags.places, _Value(_USUAL, 0)
    binit, told = tags.take("binit"), tags.take("fen")
    squares = _squares(places, binit or usual)
    place = places.of((binit or told or usual).at)
    if told is not None:
        try:
            board, _ = fen.parse(told.text)
        except BadPosition as problem:
            raise Unreadable(message_of(problem), places.of(told.at)) from None
        if binit is not None and board.squares != squares:
            raise Unreadable(
                say("the file sets up two positions, by fen and by binit: remove one of them"), places.of(told.at)
            )
        return StatedFact("FEN", told.text, places.of(told.at))
    first = squares[NAMES.index(main.moves[0][:2])] if main.moves else 0
    return StatedFact("FEN", fen.write(Board(squares, first >> 3), 1), place)


def _squares(places: Places, binit: _Value) -> list[int]:
    digits = binit.text
    if len(digits) != 64 or not (digits.isascii() and digits.isdigit()):
        raise Unreadable(say("binit must have 64 digits, the points of 32 pieces"), places.of(binit.at))
    points = (digits[n : n + 2] for n in range(0, 64, 2))
    return squares_of((None if one[0] == "9" else _point(one) for one in points), places.of(binit.at))


def _add_variations(tags: _Tags, main: Branch) -> None:
    """Add the variations and the comments to their moves. Raises `Unreadable` if such a move does not exist."""
    branches, beside, places = {0: main}, {0: main}, tags.places
    for match, value in sorted(tags.matching(_VARIATION), key=lambda one: int(one[0][3])):
        parent, ply, number = (int(digits) for digits in match.groups())
        place, of = places.of(value.at), branches.get(parent)
        if number in branches:
            raise Unreadable(say("{name} appears twice", name=say("variation {number}", number=number)), place)
        if of is None or not of.first <= ply <= of.last or not value.text:
            why = say("variation {number} has no move at ply {ply}", ply=ply, number=parent)
            raise Unreadable(why if value.text else say("a variation has no move"), place)
        branch = Branch(ply, place, ["-".join(ends).upper() for ends in _pairs(places, value)])
        # An alternative to a variation's first move is a further variation of the move that the variation replaces.
        beside[number] = beside[parent] if ply == of.first and parent else of
        beside[number].variations.setdefault(ply, []).append(branch)
        branches[number] = branch
    for match, value in tags.matching(_COMMENT):
        number, ply = int(match[1] or 0), int(match[2])
        commented = branches.get(number)
        lowest = 0 if commented is main else 1 if commented is None else commented.first
        if commented is None or not lowest <= ply <= commented.last:
            why = say("variation {number} has no move at ply {ply}", ply=ply, number=number)
            raise Unreadable(why, places.of(value.at))
        if value.text:
            commented.remarks[ply] = value.text.replace("||", "\n")
