"""Moves as text: ICCS ``h2e2``, Chinese 炮二平五, short Chinese 炮25 (002-X 1.1, 7.5), WXF ``C2.5``, XBoard ``Che2``.

Files are counted from each side's own right, in Chinese numerals for Red and Arabic ones for Black. Both are read for
both sides, in traditional or simplified characters, full or half width. If several like pieces are on one file, the
text must say which: 前 中 后. For pawns on one or more such files it may also be 一 to 五, from the right and from the
front, or 前 中 后 with the file and without the piece (前五平六; WXF counts from the front: ``15=4``). Advisors and
elephants do not need this, because the direction is enough.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import (
    ADVISOR,
    BLACK,
    ELEPHANT,
    HORSE,
    KING,
    NAMES,
    PAWN,
    RED,
    move_name,
    move_of,
)
from services.games.rules.boards.xiangqi.xboard import moves_named
from shared.core.language.messages import Message, say

_KINDS: Final = {
    letter: kind
    for kind, letters in enumerate(("", "帅帥将將", "仕士", "相象", "马馬傌", "车車俥", "炮砲包", "兵卒"))
    for letter in letters
}
_LETTERS: Final = (".帅仕相马车炮兵", ".将士象马车炮卒")
_NUMERALS: Final = ".一二三四五六七八九"
_DIRECTIONS: Final = {"进": 1, "進": 1, "退": -1, "平": 0}
_PLACES: Final = {"前": "前", "中": "中", "后": "后", "後": "后"} | {numeral: numeral for numeral in "一二三四五"}
_ICCS: Final = re.compile(r"([a-i][0-9])-?([a-i][0-9])", re.IGNORECASE)
_WXF: Final = re.compile(r"([+-])?([KAGEBHNRCP])([1-9+-])?([+.=-])([1-9])", re.IGNORECASE)
_WXF_PAWN: Final = re.compile(r"([1-5])([1-9])([+.=-])([1-9])")
_WXF_KINDS: Final = {"K": 1, "A": 2, "G": 2, "E": 3, "B": 3, "H": 4, "N": 4, "R": 5, "C": 6, "P": 7}
_WXF_DIRECTIONS: Final = {"+": "进", "-": "退", ".": "平", "=": "平"}
_DIAGONAL: Final = (ADVISOR, ELEPHANT, HORSE)


@dataclass(frozen=True, slots=True)
class UnreadableMove:
    """A text that is not a move here, with the reason. ``candidates`` (ICCS): set if it is ambiguous."""

    reason: Message
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Text:
    """A parsed Chinese move. ``file`` and ``number`` count from one. ``direction`` is None if it is not given.

    With a ``place`` and a ``file``, the place is that of a pawn among those of its file.
    """

    kind: int
    place: str | None
    file: int | None
    direction: int | None
    number: int


def read(board: Board, text: str) -> int | UnreadableMove:
    """Return the move of the side to move that the text names. Its legality is not checked."""
    compact = unicodedata.normalize("NFKC", text).replace(" ", "")
    iccs = _ICCS.fullmatch(compact)
    move = move_of((iccs[1] + iccs[2]).lower()) if iccs else None
    if move is not None and not _is_mixed(compact):
        return move
    short = moves_named(board, compact)
    if short is not None:
        return _single_move(sorted({*short, move} & {*board.legal_moves()} if move is not None else short))
    if move is not None:
        return move
    parts = _pawn_of_file(compact) or _parse(_translate_wxf(compact) or compact)
    if parts is None:
        return UnreadableMove(say("this is neither ICCS nor Chinese notation"))
    return _interpret(board, parts)


def _is_mixed(text: str) -> bool:
    """Return whether an ICCS text could be XBoard's notation: ``C4e4`` is a cannon of the fourth rank there."""
    return text[0].isupper() and text[2:3].islower()


def _single_move(moves: list[int]) -> int | UnreadableMove:
    if len(moves) > 1:
        return UnreadableMove(say("the text could mean several moves"), _names(moves))
    return moves[0] if moves else UnreadableMove(say("none of the pieces can make this move"))


def _translate_wxf(text: str) -> str | None:
    """Return a move of the World Xiangqi Federation in Chinese, or None for another text.

    Such moves are ``C2.5``, ``H8+7``, ``C+=5`` or ``+C=5``.
    """
    match = _WXF.fullmatch(text)
    if match is None:
        return None
    before, letter, which, direction, number = match.groups()
    if (before is None) == (which is None):
        return None
    man = "帅仕相马车炮兵"[_WXF_KINDS[letter.upper()] - 1]
    place = {"+": "前", "-": "后"}.get(before or which)
    name = man + which if place is None else place + man
    return f"{name}{_WXF_DIRECTIONS[direction]}{number}"


def write(board: Board, move: int) -> str:
    """Return a move of the side to move in simplified Chinese, such as 炮二平五, 马8进7."""
    origin, end = move >> 7, move & 127
    kind, side = board.squares[origin] & 7, board.turn
    advance = _home_rank(end, side) - _home_rank(origin, side)
    number = abs(advance) if advance and kind not in _DIAGONAL else _file(end, side)
    return _piece_text(board, origin) + "平进退"[(advance > 0) - (advance < 0)] + _numeral(number, side)


# ---------------------------------------------------------------- reading


def _parse(text: str) -> _Text | None:
    """Parse 炮二平五, 前炮平五, and without direction 炮25 (平, or for a horse its direction), 马87- (进).

    Return None for any other text.
    """
    if len(text) == 4 and text[3] != "-":
        name, direction, number = text[:2], _DIRECTIONS.get(text[2]), _number(text[3])
        if direction is None:
            return None
    elif len(text) == 3 or (len(text) == 4 and text[3] == "-"):
        name, direction, number = text[:2], 1 if len(text) == 4 else None, _number(text[2])
    else:
        return None
    if number is None:
        return None
    kind, place, file = _KINDS.get(name[0]), None, _number(name[1])
    if kind is None:
        kind, place, file = _KINDS.get(name[1]), _PLACES.get(name[0]), None
    if kind is None or (place is None and file is None):
        return None
    return _Text(kind, place, file, direction, number)


def _pawn_of_file(text: str) -> _Text | None:
    """Parse a pawn named by its place on a file, such as 前五平六 or WXF's ``15=4``. Return None for any other text."""
    match = _WXF_PAWN.fullmatch(text)
    if match is not None:
        nth, file, direction, number = match.groups()
        return _Text(PAWN, _NUMERALS[int(nth)], int(file), _DIRECTIONS[_WXF_DIRECTIONS[direction]], int(number))
    if len(text) != 4 or text[0] not in "前中后後" or text[2] not in _DIRECTIONS:
        return None
    file_named, end = _number(text[1]), _number(text[3])
    if file_named is None or end is None:
        return None
    return _Text(PAWN, _PLACES[text[0]], file_named, _DIRECTIONS[text[2]], end)


def _number(character: str) -> int | None:
    for numerals in (_NUMERALS, ".123456789"):
        if character in numerals[1:]:
            return numerals.index(character)
    return None


def _interpret(board: Board, text: _Text) -> int | UnreadableMove:
    side = board.turn
    men = [point for point, man in board.men[side].items() if man & 7 == text.kind]
    men = _men_at_place(men, text, side) if text.place else [point for point in men if _file(point, side) == text.file]
    if not men:
        return UnreadableMove(say("none of the {letters} pieces can make this move", letters=_LETTERS[side][text.kind]))
    ends = sorted((point, end) for point in men for end in _ends(point, text, side))
    if not ends:
        return UnreadableMove(say("a {letters} cannot move like this", letters=_LETTERS[side][text.kind]))
    moves = [point << 7 | end for point, end in ends]
    possible = [move for move in moves if move in board.moves_of(move >> 7)]
    like = {move >> 7 for move in moves}
    if len(like) > 1 and not text.place and text.kind not in (ADVISOR, ELEPHANT):
        word = say("前, 中 or 后") if text.kind == PAWN else say("前 or 后")
        return UnreadableMove(
            say("two such pieces are on one file; the notation must state {word}", word=word), _names(possible or moves)
        )
    if len(possible) > 1:
        return UnreadableMove(say("the text could mean several moves"), _names(possible))
    return (possible or moves)[0]


def _names(moves: list[int]) -> tuple[str, ...]:
    return tuple(sorted(move_name(move) for move in moves))


def _men_at_place(men: list[int], text: _Text, side: int) -> list[int]:
    """Return the pieces that the first character selects from equal pieces on the same file.

    前 is the front piece of each file with several, 后 the rear one, 中 the middle one of three. A numeral such as 一 counts
    the pawns on all these files, from the player's right and each file from the front. If the text names a file, only the
    pieces on that file count.
    """
    columns = [column for column in _columns(men, side) if text.file in (None, _file(column[0], side))]
    match text.place:
        case "前":
            return [column[0] for column in columns]
        case "后":
            return [column[-1] for column in columns]
        case "中":
            return [column[1] for column in columns if len(column) == 3]
        case numeral:
            assert numeral is not None
            pawns = [point for column in columns for point in column] if text.kind == PAWN else []
            return pawns[_NUMERALS.index(numeral) - 1 :][:1]


def _columns(men: list[int], side: int) -> list[list[int]]:
    """Return the points of these like pieces on each file that has more than one of them.

    Files are ordered from the side's right to its left, points on a file from the front piece to the rear one.
    """
    columns = ([point for point in men if _file(point, side) == file] for file in range(1, 10))
    return [sorted(column, key=lambda point: -_home_rank(point, side)) for column in columns if len(column) > 1]


def _sort_by_column(men: list[int], side: int) -> list[int]:
    return [point for column in _columns(men, side) for point in column]


def _ends(point: int, text: _Text, side: int) -> list[int]:
    """Return the points that the piece on ``point`` can move to according to the parsed notation ``text``.

    For an advisor, an elephant or a horse, a notation without direction allows moves both forward and backward.
    """
    if text.kind in _DIAGONAL:
        across = abs(text.number - _file(point, side))
        steps = {ADVISOR: {1: 1}, ELEPHANT: {2: 2}, HORSE: {1: 2, 2: 1}}[text.kind]
        if across not in steps or text.direction == 0:
            return []
        ways = (1, -1) if text.direction is None else (text.direction,)
        ranks = [_home_rank(point, side) + way * steps[across] for way in ways]
        return [_point(text.number, rank, side) for rank in ranks if 0 <= rank <= 9]
    if not text.direction:
        end = _point(text.number, _home_rank(point, side), side)
        return [end] if end != point else []
    rank = _home_rank(point, side) + text.direction * text.number
    return [_point(_file(point, side), rank, side)] if 0 <= rank <= 9 else []


# ---------------------------------------------------------------- writing


def _piece_text(board: Board, origin: int) -> str:
    """Return the piece and its file, or which of the like pieces on one file it is."""
    side, man = board.turn, board.squares[origin]
    letter = _LETTERS[side][man & 7]
    men = [point for point, other in board.men[side].items() if other == man]
    column = next((column for column in _columns(men, side) if origin in column), None)
    if column is None or man & 7 in (KING, ADVISOR, ELEPHANT):
        return letter + _numeral(_file(origin, side), side)
    if len(column) > 3 or len(_columns(men, side)) > 1:
        return _NUMERALS[_sort_by_column(men, side).index(origin) + 1] + letter
    places = "前后" if len(column) == 2 else "前中后"
    return places[column.index(origin)] + letter


def piece(board: Board, point: int) -> str:
    """Return the piece on a point in readable form, such as 红车e4."""
    man = board.squares[point]
    return "红黑"[man >> 3] + _LETTERS[man >> 3][man & 7] + NAMES[point]


def _numeral(number: int, side: int) -> str:
    return _NUMERALS[number] if side == RED else str(number)


def _file(point: int, side: int) -> int:
    """Return the file from that side's right, from 1."""
    return point % 9 + 1 if side == BLACK else 9 - point % 9


def _home_rank(point: int, side: int) -> int:
    """Return the rank from that side's own, from 0."""
    return point // 9 if side == RED else 9 - point // 9


def _point(file: int, home_rank: int, side: int) -> int:
    return home_rank * 9 + 9 - file if side == RED else (9 - home_rank) * 9 + file - 1
