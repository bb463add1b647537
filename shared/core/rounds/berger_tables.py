"""Pairing tables of the round robin (FIDE C.05, Annex 1: Berger tables; 002-X 11.2 循环赛对局秩序表)."""

Table = tuple[tuple[tuple[int, int], ...], ...]
"""Rounds of (white, black); numbers from 1."""


def berger(players: int) -> Table:
    """The rounds of a round robin of so many; where the number is odd, who meets number ``players + 1`` rests.

    In each round one player meets the last number, with White in odd rounds; going round the circle of all the
    others from there, those as far behind as another is ahead have White against each other.
    """
    last = players + players % 2
    return tuple(_round(number, last) for number in range(last - 1))


def twice(table: Table) -> Table:
    """A double round robin: the second cycle is the first one with colours changed (002-X 13.5).

    The last two rounds of the first cycle change places, so that nobody has the same colour three times in a
    row where the cycles meet (C.05, Annex 1).
    """
    first = (*table[:-2], *table[:-3:-1]) if len(table) > 2 else table
    return (*first, *(tuple((black, white) for white, black in round) for round in table))


def across(ones: tuple[int, ...], others: tuple[int, ...]) -> Table:
    """Each of some against each of the others, going round; colours as on a chessboard, so balanced within one.

    Where one side is shorter, who would meet its missing numbers meets one above all numbers, and rests.
    """
    size, nobody = max(len(ones), len(others)), len(ones) + len(others) + 1
    one, other = ((*numbers, *[nobody] * (size - len(numbers))) for numbers in (ones, others))
    return tuple(
        tuple(
            (one[n], other[(n + round) % size])
            if (n + (n + round) % size) % 2 == 0
            else (other[(n + round) % size], one[n])
            for n in range(size)
        )
        for round in range(size)
    )


def _round(number: int, last: int) -> tuple[tuple[int, int], ...]:
    """Round ``number`` counted from 0, for an even number of players."""
    circle, half = last - 1, last // 2
    centre = number // 2 if number % 2 == 0 else half + number // 2
    top = (centre + 1, last) if number % 2 == 0 else (last, centre + 1)
    return (top, *(((centre + k) % circle + 1, (centre - k) % circle + 1) for k in range(1, half)))
