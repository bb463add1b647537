"""The board's geometry 棋盘: points, pieces, and their moves on an empty board (002-X 1.1, 2.2).

A point is ``rank * 9 + file``: file 0 is ICCS ``a``, rank 0 is Red's first rank. A piece is an int: its kind, plus 8
for Black's; 0 is an empty point. A move is ``origin << 7 | destination``.
"""

from typing import Final

from shared.core.terms import Side

RED: Final = 0
BLACK: Final = 1
KING, ADVISOR, ELEPHANT, HORSE, CHARIOT, CANNON, PAWN = range(1, 8)
"""帅将 士 相象 马 车 炮 兵卒"""

LETTERS: Final = ".KABNRCP.kabnrcp"
"""FEN's letter of each piece."""

FILES: Final = "abcdefghi"
POINTS: Final = range(90)
NAMES: Final = tuple(f"{FILES[point % 9]}{point // 9}" for point in POINTS)
"""ICCS's name of each point."""

POINT_OF: Final = {name: point for point, name in enumerate(NAMES)}
COLOURS: Final[tuple[Side, Side]] = ("white", "black")
"""The sides as seats of the pairing: Red 红 has the first move, so it is White."""

Points = tuple[int, ...]


def move_name(move: int) -> str:
    """Return the move in ICCS, such as ``h2e2``."""
    return NAMES[move >> 7] + NAMES[move & 127]


def move_of(name: str) -> int:
    """Return the move of an ICCS text of four characters. Raises KeyError for another text."""
    return POINT_OF[name[:2]] << 7 | POINT_OF[name[2:]]


def is_in_palace(point: int, side: int) -> bool:
    """Return whether a point is one of the nine 九宫 of that side."""
    rank, file = divmod(point, 9)
    return 3 <= file <= 5 and (rank <= 2 if side == RED else rank >= 7)


def is_at_home(point: int, side: int) -> bool:
    """Return whether a point is on that side's half, before the river 河界."""
    return (point < 45) == (side == RED)


def _steps(point: int, steps: tuple[tuple[int, int], ...]) -> Points:
    rank, file = divmod(point, 9)
    return tuple((rank + up) * 9 + file + right for up, right in steps if 0 <= rank + up < 10 and 0 <= file + right < 9)


_ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_HORSE = (
    (1, 0, ((2, 1), (2, -1))),
    (-1, 0, ((-2, 1), (-2, -1))),
    (0, 1, ((1, 2), (-1, 2))),
    (0, -1, ((1, -2), (-1, -2))),
)


def _horse(point: int) -> tuple[tuple[int, Points], ...]:
    """Return each leg 马腿 of a horse on this point, with the points that the horse reaches if the leg is empty."""
    legs = ((_steps(point, ((up, right),)), _steps(point, ends)) for up, right, ends in _HORSE)
    return tuple((leg[0], ends) for leg, ends in legs if ends)


def _elephant(point: int) -> tuple[tuple[int, int], ...]:
    """Return each eye 象眼 of an elephant on this point, with the point beyond the eye on the same half."""
    far = _steps(point, tuple((2 * up, 2 * right) for up, right in _DIAGONAL))
    return tuple(((point + end) // 2, end) for end in far if (end < 45) == (point < 45))


def _pawn(point: int, side: int) -> Points:
    forward = ((1 if side == RED else -1), 0)
    return _steps(point, (forward,) if is_at_home(point, side) else (forward, (0, 1), (0, -1)))


def _palace_steps(steps: tuple[tuple[int, int], ...]) -> tuple[tuple[Points, ...], tuple[Points, ...]]:
    """Return, by side and point of its palace, the ends of these steps inside it."""
    red, black = (
        tuple(
            tuple(end for end in _steps(point, steps) if is_in_palace(end, side)) if is_in_palace(point, side) else ()
            for point in POINTS
        )
        for side in (RED, BLACK)
    )
    return red, black


KING_STEPS: Final = _palace_steps(_ORTHOGONAL)
ADVISOR_STEPS: Final = _palace_steps(_DIAGONAL)
ELEPHANT_STEPS: Final = tuple(_elephant(point) for point in POINTS)
HORSE_STEPS: Final = tuple(_horse(point) for point in POINTS)
PAWN_STEPS: Final = tuple(tuple(_pawn(point, side) for point in POINTS) for side in (RED, BLACK))

PAWNS_ON: Final = tuple(
    tuple(tuple(origin for origin in POINTS if point in PAWN_STEPS[side][origin]) for point in POINTS)
    for side in (RED, BLACK)
)
"""By side and point: the points from which a pawn of that side attacks it."""

HORSES_ON: Final = tuple(
    tuple((origin, leg) for origin in POINTS for leg, ends in HORSE_STEPS[origin] if point in ends) for point in POINTS
)
"""By point: the points from which a horse attacks it, with the leg that must be empty."""


class _Lines(dict[int, tuple[Points, Points, Points]]):
    """Targets along a rank or a file. The key is ``point << 10 | occupied bits``; a value is computed when first used.

    A value is a tuple of the moves to empty points, the first piece in each of the two directions (what a chariot
    captures), and the second piece in each (what a cannon captures).
    """

    def __init__(self, along_rank: bool) -> None:
        super().__init__()
        self._along_rank = along_rank

    def __missing__(self, key: int) -> tuple[Points, Points, Points]:
        quiet: list[int] = []
        met: tuple[list[int], list[int]] = ([], [])
        for step in (1, -1):
            walls = 0
            for end in way(key >> 10, step if self._along_rank else 9 * step):
                bit = end % 9 if self._along_rank else end // 9
                if key >> bit & 1:
                    met[walls].append(end)
                    walls += 1
                    if walls == 2:
                        break
                elif not walls:
                    quiet.append(key >> 10 << 7 | end)
        self[key] = entry = tuple(quiet), tuple(met[0]), tuple(met[1])
        return entry


def way(point: int, step: int) -> Points:
    """Return the points from ``point`` to the edge: ``step`` 1 or -1 along the rank, 9 or -9 along the file."""
    rank, file = divmod(point, 9)
    count = {1: 8 - file, -1: file, 9: 9 - rank, -9: rank}[step]
    return tuple(point + step * n for n in range(1, count + 1))


ALONG_RANK: Final = _Lines(along_rank=True)
ALONG_FILE: Final = _Lines(along_rank=False)
WAYS: Final = tuple(tuple(way(point, step) for step in (1, -1, 9, -9)) for point in POINTS)
"""By point: the points in the four directions to the edge."""

NEAR: Final = tuple(
    frozenset(
        [point for line in WAYS[king] for point in line]
        + [point for pair in HORSES_ON[king] for point in pair]
        + [point for by in PAWNS_ON for point in by[king]]
        + [king]
    )
    for king in POINTS
)
"""By point of a king: only a move from or to one of these points can give it check, or end one."""
