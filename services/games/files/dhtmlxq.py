"""DhtmlXQ 东萍, the game records of dpxq.com in UBB: ``[DhtmlXQ_movelist]7747…[/DhtmlXQ_movelist]``.

A point is two digits, the file from Red's left and the line from Black's side; ``binit`` has the points of all 32 pieces, 99 off
the board, ``movelist`` two points a move.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from services.games.files.game_file import Places
from services.games.files.game_record import GameRecord, RecordMove, UnreadableRecord, spot_of, squares_of
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import NAMES
from shared.core.messages import say

MEDIA = "text/x-dhtmlxq"
_USUAL = "0919293949596979891777062646668600102030405060708012720323436383"
_OUTER = re.compile(r"\[/?DhtmlXQ\]", re.IGNORECASE)
_TAG = re.compile(r"\[DhtmlXQ_(\w+)\](.*?)\[/DhtmlXQ_(\w+)\]", re.IGNORECASE | re.DOTALL)
_COMMENT, _VARIATION = re.compile(r"comment(?:0_)?(\d{1,4})"), re.compile(r"move_\d+_\d+_\d+")
_OTHERS_COMMENT = re.compile(r"comment\d+_\d+")


class _Value(NamedTuple):
    text: str
    at: int


def read(text: str) -> GameRecord:
    """The one game of a text. Raises `UnreadableRecord`."""
    places = Places(text)
    values: dict[str, _Value] = {}
    for name, value in _values(text, places):
        if name in values:
            raise UnreadableRecord(say("{name} stands twice", name=name), spot_of(places, value.at))
        values[name] = value
    if "movelist" not in values:
        raise UnreadableRecord(say("there is no {name}", name="DhtmlXQ_movelist"), spot_of(places, 0))
    movelist, binit = values.pop("movelist"), values.pop("binit", None)
    moves = tuple(_moves(places, movelist))
    squares = _squares(places, binit if binit is not None and binit.text else _Value(_USUAL, 0))
    first = squares[NAMES.index(moves[0].move[:2])] if moves else 0
    comments = {name: one for name, one in values.items() if _COMMENT.fullmatch(name)}
    remarks = tuple((int(match[1]), comments[match[0]].text) for match in map(_COMMENT.fullmatch, comments) if match)
    variations = sum(_VARIATION.fullmatch(name) is not None for name in values)
    facts = {name: one.text for name, one in values.items() if one.text and name not in comments}
    facts = {name: value for name, value in facts.items() if not _VARIATION.fullmatch(name)}
    return GameRecord(moves, fen.write(Board(squares, first >> 3), 1), facts, remarks, variations)


def _values(text: str, places: Places) -> Iterator[tuple[str, _Value]]:
    at = 0
    for match in re.finditer(f"{_TAG.pattern}|{_OUTER.pattern}", text, re.IGNORECASE | re.DOTALL):
        _only_space(text, places, at, match.start())
        at = match.end()
        if match[1] is None:
            continue
        if match[1].lower() != match[3].lower() and match[2].strip():
            wrong = say("{name} ends as {other}", name=match[1], other=match[3])
            raise UnreadableRecord(wrong, spot_of(places, match.start(3)))
        yield match[1].lower(), _Value(match[2].strip(), match.start(2))
    _only_space(text, places, at, len(text))


def _only_space(text: str, places: Places, at: int, end: int) -> None:
    rest = text[at:end].strip("\ufeff \t\r\n")
    if rest:
        raise UnreadableRecord(
            say("{rest} stands in no DhtmlXQ tag", rest=rest[:20]), spot_of(places, text.index(rest, at))
        )


def _moves(places: Places, movelist: _Value) -> Iterator[RecordMove]:
    digits = movelist.text
    if len(digits) % 4 or not (digits == "" or (digits.isascii() and digits.isdigit())):
        wrong = next((n for n, one in enumerate(digits) if not (one.isascii() and one.isdigit())), len(digits))
        raise UnreadableRecord(say("a move is four digits"), spot_of(places, movelist.at + wrong))
    for n in range(0, len(digits), 4):
        place = spot_of(places, movelist.at + n)
        points = digits[n : n + 2], digits[n + 2 : n + 4]
        if any(one[0] == "9" for one in points):
            raise UnreadableRecord(say("{point} is no point of the board", point=" ".join(points)), place)
        yield RecordMove("".join(NAMES[_point(one)] for one in points), place)


def _point(digits: str) -> int:
    return (9 - int(digits[1])) * 9 + int(digits[0])


def _squares(places: Places, binit: _Value) -> list[int]:
    digits = binit.text
    if len(digits) != 64 or not (digits.isascii() and digits.isdigit()):
        raise UnreadableRecord(say("binit has 64 digits, the points of 32 pieces"), spot_of(places, binit.at))
    points = (digits[n : n + 2] for n in range(0, 64, 2))
    return squares_of((None if one[0] == "9" else _point(one) for one in points), spot_of(places, binit.at))
