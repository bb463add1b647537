"""Pairing tables of the round robin (FIDE C.05, Annex 1: Berger tables; 002-X 11.2 循环赛对局秩序表)."""

Table = tuple[tuple[tuple[int, int], ...], ...]
"""Rounds of (white, black). Numbers start at 1."""


def berger(players: int) -> Table:
    """Return the rounds of a round robin of ``players``. If their number is odd, the opponent of ``players + 1`` rests.

    In each round one player meets the last number, with White in odd rounds. Going round the circle of all the others from
    there, a player behind the start has White against the player equally far ahead of it.
    """
    last = players + players % 2
    return tuple(_round(number, last) for number in range(last - 1))


def double_cycle(table: Table) -> Table:
    """Return a double round robin: the second cycle is the first one with colours changed (002-X 13.5).

    The last two rounds of the first cycle are exchanged, so that no player has the same colour three times in a row between
    the cycles (C.05, Annex 1).
    """
    first = (*table[:-2], *table[:-3:-1]) if len(table) > 2 else table
    return (*first, *(tuple((black, white) for white, black in round) for round in table))


def group_against_group(ones: tuple[int, ...], others: tuple[int, ...]) -> Table:
    """Return the rounds in which each of ``ones`` meets each of ``others``, going round.

    Colours are as on a chessboard, so they are balanced within one. If one side is shorter, its missing numbers are replaced by
    a number above all others, and the opponent rests.
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
    """Return round ``number`` (from 0) for ``last`` players, an even number."""
    circle, half = last - 1, last // 2
    centre = number // 2 if number % 2 == 0 else half + number // 2
    top = (centre + 1, last) if number % 2 == 0 else (last, centre + 1)
    return (top, *(((centre + k) % circle + 1, (centre - k) % circle + 1) for k in range(1, half)))
