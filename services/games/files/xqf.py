"""XQF 象棋演播室, the binary game records of XQStudio: all versions that there are, those of 11 and later with their keys.

Source: XQF.TXT of the format's author, as ElephantEye publishes it with xqf2pgn. A file has a head of 1,024 bytes and a tree of
moves, each before what follows it and then its variations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from services.games.files.game_record import GameRecord, RecordMove, UnreadableRecord, squares_of
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import BLACK, NAMES, RED
from shared.core.messages import Message, say

MEDIA = "application/x-xqf"
_HEAD, _NEWEST = 1024, 18
_MASK = b"[(C) Copyright Mr. Dong Shiwei.]"
_RESULTS = {0: "", 1: "1-0", 2: "0-1", 3: "1/2-1/2"}
_TEXTS = {
    "title": (80, 64), "event": (208, 64), "date": (272, 16), "place": (288, 16), "red": (304, 16), "black": (320, 16),
    "timerule": (336, 64), "redtime": (400, 16), "blacktime": (416, 16), "remark_by": (464, 16), "author": (480, 16),
}  # fmt: skip
"""By name, where each text begins in the head, and its bytes: the first is its length."""
_FOLLOWED, _VARIED, _REMARKED = 0x80, 0x40, 0x20


class _Keys(NamedTuple):
    """What is taken off the bytes: of pieces' places, of moves' two ends, of remarks' lengths, and of every byte by its place."""

    place: int = 0
    origin: int = 0
    end: int = 0
    remark: int = 0
    stream: bytes = bytes(32)


@dataclass(slots=True)
class _Bytes:
    """The bytes behind the head, read in turn."""

    content: bytes
    keys: _Keys
    at: int = _HEAD

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.content):
            raise UnreadableRecord(
                say("the file ends here, in the middle of a move or remark"), _byte(len(self.content))
            )
        raw = self.content[self.at : self.at + count]
        plain = bytes((one - self.keys.stream[(self.at + n) % 32]) & 0xFF for n, one in enumerate(raw))
        self.at += count
        return plain


class _Node(NamedTuple):
    at: int
    origin: int
    end: int
    followed: bool
    varied: bool
    remark: str


def read(content: bytes) -> GameRecord:
    """The main line of a file, from its position on. Raises `UnreadableRecord` with the byte, counted from 0."""
    if len(content) < _HEAD or content[:2] != b"XQ":
        raise UnreadableRecord(say("XQF begins with XQ and a head of 1,024 bytes"), _byte(0))
    version = content[2]
    if version > _NEWEST:
        raise UnreadableRecord(say("version {version} of XQF is not known", version=version), _byte(2))
    keys = _keys(content) if version > 10 else _Keys()
    moves, remarks, variations = _line(_Bytes(content, keys), version)
    facts = {name: _text(content, at, size) for name, (at, size) in _TEXTS.items()}
    facts["result"] = _RESULTS.get(content[51], str(content[51]))
    position = _position(content, version, keys, moves)
    return GameRecord(moves, position, {n: v for n, v in facts.items() if v}, remarks, variations)


def _keys(content: bytes) -> _Keys:
    """The keys of version 11 and later, made of the head's."""
    mask, total, place, origin, end = content[3], *content[12:16]
    of_place = _key(place, place)
    of_origin = _key(origin, of_place)
    of_end = _key(end, of_origin)
    parts = [content[8 + n] | (content[12 + n] & mask) for n in range(4)]
    stream = bytes(one & parts[n % 4] for n, one in enumerate(_MASK))
    return _Keys(of_place, of_origin, of_end, (total * 256 + place) % 32000 + 767, stream)


def _key(one: int, by: int) -> int:
    return ((one * one * 54 + 221) * by) & 0xFF


def _position(content: bytes, version: int, keys: _Keys, moves: tuple[RecordMove, ...]) -> str:
    """The FEN of the pieces of the head; who is to move is the side of the piece that moves first."""
    places = list(content[16:48])
    if version >= 12:
        for n, one in enumerate(content[16:48]):
            places[(n + keys.place + 1) % 32] = one
    points = ((raw - keys.place) & 0xFF for raw in places)
    squares = squares_of((point % 10 * 9 + point // 10 if point < 90 else None for point in points), _byte(16))
    first = squares[NAMES.index(moves[0].move[:2])] if moves else 0
    turn = first >> 3 if first else (BLACK if content[50] == 1 and not moves else RED)
    return fen.write(Board(squares, turn), 1)


def _line(data: _Bytes, version: int) -> tuple[tuple[RecordMove, ...], tuple[tuple[int, str], ...], int]:
    """The main line, the remarks on it, and how many variations there are. The first node is no move: it stands for the
    position that the game begins from."""
    moves: list[RecordMove] = []
    remarks: list[tuple[int, str]] = []
    variations = 0
    main = True
    for ply, node in _nodes(data, version):
        if main:
            if ply:
                moves.append(RecordMove(_name(node.origin, node.at) + _name(node.end, node.at + 1), _byte(node.at)))
            if node.remark:
                remarks.append((ply, node.remark))
            main = node.followed
        variations += node.varied
    return tuple(moves), tuple(remarks), variations


def _nodes(data: _Bytes, version: int) -> Iterator[tuple[int, _Node]]:
    """Every node with its depth, in the file's order."""
    open_at = [0]
    while open_at:
        depth = open_at.pop()
        node = _node(data, version)
        yield depth, node
        if node.varied:
            open_at.append(depth)
        if node.followed:
            open_at.append(depth + 1)
    if data.at != len(data.content):
        raise UnreadableRecord(say("something stands behind the last move"), _byte(data.at))


def _node(data: _Bytes, version: int) -> _Node:
    at, keys = data.at, data.keys
    origin, end, tag, _ = data.take(4)
    if version <= 10:
        followed, varied, length = bool(tag & 0xF0), bool(tag & 0x0F), int.from_bytes(data.take(4), "little")
    else:
        followed, varied = bool(tag & _FOLLOWED), bool(tag & _VARIED)
        length = int.from_bytes(data.take(4), "little") - keys.remark if tag & _REMARKED else 0
    remark = data.take(length).decode("gb18030", "replace").strip()
    return _Node(at, (origin - 24 - keys.origin) & 0xFF, (end - 32 - keys.end) & 0xFF, followed, varied, remark)


def _name(point: int, at: int) -> str:
    if point >= 90:
        raise UnreadableRecord(say("{point} is no point of the board", point=point), _byte(at))
    return NAMES[point % 10 * 9 + point // 10]


def _text(content: bytes, at: int, size: int) -> str:
    """A text of the head; what is cut in the middle of a character ends before it."""
    length = min(content[at], size - 1)
    return content[at + 1 : at + 1 + length].decode("gb18030", "ignore").strip("\0 ")


def _byte(at: int) -> Message:
    return say("byte {at}", at=at)
