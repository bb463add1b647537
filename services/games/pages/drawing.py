"""Boards as SVG, drawn from a position's own text: for a page, a phone and paper alike, with colours of their own.

Colours stand in attributes and never in ``style``: the pages' Content-Security-Policy takes no inline style.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

import chess
import chess.svg
from markupsafe import escape

from shared.web.board_points import point_letters, star_points

_WOOD, _LINE, _INK, _PAPER = "#f0d9ae", "#6b4a1f", "#1c2126", "#fbf4e4"
_RED, _LAST = "#a8201a", "#1f6fb2"
_STEP = 40
"""From one line to the next; around the board there is as much again and half of it."""
_EDGE = 60
_LEGS = tuple((right, down) for right in (-1, 1) for down in (-1, 1))
_XIANGQI = dict(zip("KABNRCPkabnrcp", "帅仕相马车炮兵将士象马车炮卒", strict=True))
_FILES = "abcdefghi"
_RED_FILES, _BLACK_FILES = "九八七六五四三二一", "123456789"
"""From the left, as the board is looked at: each side counts from its own right (002-X 1.1)."""
_MARKED = ((1, 2), (7, 2), (1, 7), (7, 7), *((file, rank) for rank in (3, 6) for file in range(0, 9, 2)))
"""Where cannons and pawns begin."""
_POINT = re.compile(r"([A-Za-z])(\d{1,2})")


def drawing(game: str, text: str, last: str | None = None) -> str | None:
    """The position of a game with a score sheet as an ``<svg>``. ``text``: as its `Position.text` writes it; ``last``: the
    move that is marked, as the sheets keep it, None for none. None for a game whose board is not drawn."""
    draw = BOARDS.get(game)
    return None if draw is None else draw(text, last)


def chess_board(text: str, last: str | None) -> str:
    """python-chess's own drawing, its styles as attributes; White 白 is below."""
    board = chess.Board(text.partition("~")[0].strip())
    check = board.king(board.turn) if board.is_check() else None
    svg = str(chess.svg.board(board, lastmove=None if last is None else chess.Move.from_uci(last), check=check))
    svg = re.sub(r'style="([^"]*)"', lambda match: _attributes(match[1]), svg)
    svg = re.sub(r' xlink:href="[^"]*"', "", svg)
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    assert size is not None, "every drawing has its size"
    inner = re.sub(r"^<svg[^>]*>(<desc>.*?</desc>)?|</svg>\s*$", "", svg, flags=re.DOTALL)
    return _svg(int(size[1]), int(size[2]), f"Chess board: {text}", inner)


def _attributes(style: str) -> str:
    parts = (one.partition(":") for one in style.split(";") if one.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, _, value in parts)


def xiangqi_board(text: str, last: str | None) -> str:
    """Red 红 is below; each side's files stand on its own edge, and the names of the points beside them."""
    parts = [*_xiangqi_lines(), *_xiangqi_labels()]
    if last is not None:
        parts += [_ring(_FILES.index(last[n]), 9 - int(last[n + 1])) for n in (0, 2)]
    for down, row in enumerate(text.split(maxsplit=1)[0].split("/")):
        right = 0
        for letter in row:
            if letter.isdigit():
                right += int(letter)
                continue
            parts += _piece(right, down, letter)
            right += 1
    return _svg(8 * _STEP + 2 * _EDGE, 9 * _STEP + 2 * _EDGE, f"Xiangqi board: {text}", "".join(parts))


def _xiangqi_lines() -> Iterator[str]:
    yield f'<g stroke="{_LINE}" fill="none">'
    yield from (_line(0, n, 8, n) for n in range(10))
    for n in range(9):
        yield from [_line(n, 0, n, 9)] if n in (0, 8) else [_line(n, 0, n, 4), _line(n, 5, n, 9)]
    for top in (0, 7):
        yield _line(3, top, 5, top + 2) + _line(5, top, 3, top + 2)
    for right, down in _MARKED:
        for x, y in _LEGS:
            if 0 <= right + x <= 8:
                at_x, at_y = _at(right) + 4 * x, _at(down) + 4 * y
                yield f'<path d="M{at_x + 7 * x},{at_y} H{at_x} V{at_y + 7 * y}" />'
    yield "</g>"
    yield _word(1.5, 4.5, "楚河", 20, _LINE) + _word(6.5, 4.5, "汉界", 20, _LINE)


def _xiangqi_labels() -> Iterator[str]:
    for n in range(9):
        yield _word(n, -0.85, _BLACK_FILES[n], 18) + _word(n, 9.8, _RED_FILES[n], 18) + _word(n, 10.25, _FILES[n], 15)
    yield from (_word(-0.95, 9 - rank, str(rank), 15) for rank in range(10))


def _piece(right: int, down: int, letter: str) -> list[str]:
    colour = _RED if letter.isupper() else _INK
    disc = f'<circle cx="{_at(right)}" cy="{_at(down)}" r="17" fill="{_PAPER}" stroke="{colour}" stroke-width="2" />'
    return [disc, _word(right, down, _XIANGQI[letter], 22, colour)]


def _ring(right: int, down: int) -> str:
    """What marks both points of the last move."""
    return f'<circle class="last" cx="{_at(right)}" cy="{_at(down)}" r="19.5" fill="none" stroke="{_LAST}" stroke-width="3" />'


def _stones(letters: str, name: str, text: str, last: str | None) -> str:
    rows = text.split(maxsplit=1)[0].split("/")
    size = len(rows)
    parts = [f'<g stroke="{_LINE}">']
    parts += [_line(0, n, size - 1, n) + _line(n, 0, n, size - 1) for n in range(size)]
    parts.append("</g>")
    parts += [f'<circle cx="{_at(x)}" cy="{_at(y)}" r="4" fill="{_LINE}" />' for x, y in star_points(size)]
    for n in range(size):
        parts += [_word(n, down, letters[n], 22) for down in (-0.9, size - 0.1)]
        parts += [_word(right, n, str(size - n), 22) for right in (-0.9, size - 0.1)]
    for down, row in enumerate(rows):
        parts += [_stone(right, down, mark) for right, mark in enumerate(row) if mark in "XO"]
    point = _POINT.fullmatch(last or "")
    if point is not None:
        right = letters.lower().index(point[1].lower())
        parts.append(_dot(right, size - int(point[2])))
    extent = (size - 1) * _STEP + 2 * _EDGE
    return _svg(extent, extent, f"{name}: {text}", "".join(parts))


def _stone(right: int, down: int, mark: str) -> str:
    fill = _INK if mark == "X" else "#ffffff"
    return f'<circle class="stone" cx="{_at(right)}" cy="{_at(down)}" r="18" fill="{fill}" stroke="{_INK}" />'


def _dot(right: int, down: int) -> str:
    """What marks the last stone, on either colour."""
    place = f'cx="{_at(right)}" cy="{_at(down)}"'
    return f'<circle class="last" {place} r="8" fill="{_LAST}" stroke="#ffffff" stroke-width="2" />'


def _at(n: float) -> float:
    """From a line's number to where it is drawn."""
    return round(_EDGE + n * _STEP, 1)


def _line(x1: int, y1: int, x2: int, y2: int) -> str:
    return f'<line x1="{_at(x1)}" y1="{_at(y1)}" x2="{_at(x2)}" y2="{_at(y2)}" />'


def _word(right: float, down: float, text: str, size: int, colour: str = _INK) -> str:
    """A text around a point of the board."""
    place = f'x="{_at(right)}" y="{_at(down)}" font-size="{size}" fill="{colour}"'
    return f'<text {place} text-anchor="middle" dominant-baseline="central">{text}</text>'


def _svg(width: int, height: int, title: str, inner: str) -> str:
    wood = f'<rect width="{width}" height="{height}" fill="{_WOOD}" />'
    head = f'xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}" role="img" lang="zh"'
    return f"<svg {head}><title>{escape(title)}</title>{wood}{inner}</svg>"


_fives = partial(_stones, point_letters("renju"), "Board of fifteen lines")
BOARDS: dict[str, Callable[[str, str | None], str]] = {
    "chess": chess_board,
    "xiangqi": xiangqi_board,
    "go": partial(_stones, point_letters("go"), "Go board"),
    "renju": _fives,
    "gomoku": _fives,
    "prediction": _fives,
}
"""By the game's name: what draws its board."""
