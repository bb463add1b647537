"""XQF 象棋演播室, the binary game records of XQStudio: all existing versions, including 11 and later with their keys.

Source: XQF.TXT by the format's author, as ElephantEye publishes it with xqf2pgn. A file has a head of 1,024 bytes and a
tree of moves. Each move precedes its continuation, which precedes its variations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from services.games.files.game_file import BytePlace, GameFile, StatedFact, Unreadable, check_length
from services.games.files.record_file import Branch, file_of, result_of, squares_of
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import BLACK, NAMES, RED
from shared.core.language.charset import ENCODINGS, Encoding
from shared.core.language.messages import say
from shared.core.terms import Side

MEDIA = "application/x-xqf"
_HEAD, _NEWEST = 1024, 18
_MASK = b"[(C) Copyright Mr. Dong Shiwei.]"
_RESULT_AT = 51
_RESULTS: dict[str, Side | None] = {"1": "white", "2": "black", "3": None}
_TEXTS = {
    "Title": (80, 64), "Event": (208, 64), "Date": (272, 16), "Site": (288, 16), "Red": (304, 16), "Black": (320, 16),
    "XQF_timerule": (336, 64), "XQF_redtime": (400, 16), "XQF_blacktime": (416, 16), "Annotator": (464, 16),
    "XQF_author": (480, 16),
}  # fmt: skip
"""The offset in the head and the size in bytes of each text, by the name of its tag. The first byte is the length."""
_FOLLOWED, _VARIED, _REMARKED = 0x80, 0x40, 0x20


class _Keys(NamedTuple):
    """The values to subtract from places of pieces, ends of moves, lengths of remarks, and each byte by position."""

    place: int = 0
    origin: int = 0
    end: int = 0
    remark: int = 0
    stream: bytes = bytes(32)


@dataclass(slots=True)
class _Bytes:
    """The bytes after the head, read in order."""

    content: bytes
    keys: _Keys
    at: int = _HEAD

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.content):
            why = say("the file ends here, in the middle of a move or remark")
            raise Unreadable(why, BytePlace(len(self.content)))
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

    @property
    def points(self) -> tuple[str, str]:
        """The two ends of the move. Raises `Unreadable`."""
        return _name(self.origin, self.at), _name(self.end, self.at + 1)


def read(content: bytes, told: Encoding | None = None) -> GameFile:
    """Return the game of a file. The default encoding of its texts is GB 18030.

    Raises `Unreadable` with the byte, counted from 0.
    """
    if len(content) < _HEAD or content[:2] != b"XQ":
        raise Unreadable(say("not an XQF file: it must begin with XQ and a head of 1,024 bytes"), BytePlace(0))
    version = content[2]
    if version > _NEWEST:
        raise Unreadable(say("version {version} of XQF is not known", version=version), BytePlace(2))
    keys, encoding = _keys(content) if version > 10 else _Keys(), told or ENCODINGS["gb18030"]
    main, places, origin = _tree(_Bytes(content, keys), version, encoding)
    facts = [StatedFact(n, _text(content, at, size, encoding), BytePlace(at)) for n, (at, size) in _TEXTS.items()]
    result = result_of(str(content[_RESULT_AT]), BytePlace(_RESULT_AT), _RESULTS, ("0",))
    position = StatedFact("FEN", _position(content, version, keys, origin), BytePlace(16))
    return file_of(main, places, position, facts, result)


def _keys(content: bytes) -> _Keys:
    """Return the keys of version 11 and later, computed from the head."""
    mask, total, place, origin, end = content[3], *content[12:16]
    of_place = _key(place, place)
    of_origin = _key(origin, of_place)
    of_end = _key(end, of_origin)
    parts = [content[8 + n] | (content[12 + n] & mask) for n in range(4)]
    stream = bytes(one & parts[n % 4] for n, one in enumerate(_MASK))
    return _Keys(of_place, of_origin, of_end, (total * 256 + place) % 32000 + 767, stream)


def _key(one: int, by: int) -> int:
    return ((one * one * 54 + 221) * by) & 0xFF


def _position(content: bytes, version: int, keys: _Keys, origin: str | None) -> str:
    """Return the FEN of the pieces in the head. The side of the piece on ``origin``, which moves first, is to move."""
    places = list(content[16:48])
    if version >= 12:
        for n, one in enumerate(content[16:48]):
            places[(n + keys.place + 1) % 32] = one
    points = ((raw - keys.place) & 0xFF for raw in places)
    squares = squares_of((point % 10 * 9 + point // 10 if point < 90 else None for point in points), BytePlace(16))
    first = squares[NAMES.index(origin)] if origin else 0
    turn = first >> 3 if first else (BLACK if content[50] == 1 and not origin else RED)
    return fen.write(Board(squares, turn), 1)


def _tree(data: _Bytes, version: int, encoding: Encoding) -> tuple[Branch, list[BytePlace], str | None]:
    """Return the moves with their variations, the places of the main line's moves, and the origin of its first move.

    The first node is not a move: it represents the first position.
    """
    main = Branch(1, BytePlace(data.at))
    places: list[BytePlace] = []
    origin: str | None = None
    for ply, branch, node in _nodes(data, version, encoding, main):
        if ply:
            points = node.points
            branch.moves.append("".join(points) if branch is main else "-".join(points).upper())
        if ply and branch is main:
            places.append(BytePlace(node.at))
            check_length(ply, places[-1])
            origin = origin or points[0]
        if node.remark:
            branch.remarks[ply] = node.remark
    return main, places, origin


def _nodes(data: _Bytes, version: int, encoding: Encoding, main: Branch) -> Iterator[tuple[int, Branch, _Node]]:
    """Yield every node with its ply and the line of moves that it belongs to, in the file's order."""
    awaited: list[tuple[int, Branch, Branch | None]] = [(0, main, None)]
    while awaited:
        ply, branch, beside = awaited.pop()
        node = _node(data, version, encoding)
        if beside is not None:
            branch = Branch(ply, BytePlace(node.at))
            beside.variations.setdefault(ply, []).append(branch)
        yield ply, branch, node
        if node.varied:
            if not ply:
                raise Unreadable(say("a variation is before the first move"), BytePlace(node.at))
            # An alternative to a variation's first move is a further variation of the move that the variation replaces.
            awaited.append((ply, branch, beside if beside is not None and ply == branch.first else branch))
        if node.followed:
            awaited.append((ply + 1, branch, None))
    if data.at != len(data.content):
        raise Unreadable(say("the file continues after the last move"), BytePlace(data.at))


def _node(data: _Bytes, version: int, encoding: Encoding) -> _Node:
    at, keys = data.at, data.keys
    origin, end, tag, _ = data.take(4)
    if version <= 10:
        followed, varied, length = bool(tag & 0xF0), bool(tag & 0x0F), int.from_bytes(data.take(4), "little")
    else:
        followed, varied = bool(tag & _FOLLOWED), bool(tag & _VARIED)
        length = int.from_bytes(data.take(4), "little") - keys.remark if tag & _REMARKED else 0
    begins = data.at
    remark = _decoded(data.take(length), begins, encoding).replace("\r\n", "\n").replace("\r", "\n").strip()
    return _Node(at, (origin - 24 - keys.origin) & 0xFF, (end - 32 - keys.end) & 0xFF, followed, varied, remark)


def _name(point: int, at: int) -> str:
    if point >= 90:
        raise Unreadable(say("{point} is not a point of the board", point=point), BytePlace(at))
    return NAMES[point % 10 * 9 + point // 10]


def _text(content: bytes, at: int, size: int, encoding: Encoding) -> str:
    """Return a text of the head. If its field ends in the middle of a character, that character is omitted."""
    length = min(content[at], size - 1)
    raw = content[at + 1 : at + 1 + length]
    if length == size - 1:
        try:
            raw.decode(encoding.codec)
        except UnicodeDecodeError as problem:
            raw = raw[: problem.start] if problem.end == len(raw) else raw
    return _decoded(raw, at + 1, encoding).strip("\0 ")


def _decoded(raw: bytes, at: int, encoding: Encoding) -> str:
    try:
        return raw.decode(encoding.codec)
    except UnicodeDecodeError as problem:
        byte = f"0x{raw[problem.start]:02x}"
        why = say("byte {byte} is not {encoding}", byte=byte, encoding=encoding.name)
        raise Unreadable(why, BytePlace(at + problem.start)) from None
