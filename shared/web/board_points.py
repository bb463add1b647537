"""Names and marks of the points of a board of lines, for pages and papers alike."""

from collections.abc import Iterator

_GO_LETTERS, _LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"


def point_letters(game: str) -> str:
    """Return the letters of a game's lines from the left: points of Go are A1 to T19 without I, of other games a1 to o15."""
    return _GO_LETTERS if game == "go" else _LETTERS


def star_points(size: int) -> Iterator[tuple[int, int]]:
    """Yield the marked points 星 of a board, counted from 0: nine on nineteen lines, else five; none on small or even boards."""
    edge, middle = (3 if size > 11 else 2), size // 2
    if size % 2 == 0 or size < 7:
        return
    for x in (edge, middle, size - 1 - edge):
        for y in (edge, middle, size - 1 - edge):
            if size == 19 or (x == middle) == (y == middle):
                yield x, y
