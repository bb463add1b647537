"""Lots drawn from a seed that stands in the log, so that whoever doubts them draws them again.

The ticket of a number is the SHA-256 of ``seed:number`` (decimal digits, UTF-8); the smallest comes first.
"""

from collections.abc import Iterable
from hashlib import sha256


def drawn_order(seed: int, numbers: Iterable[int]) -> tuple[int, ...]:
    """Numbers in the order that the lots gave; as they come where nothing is drawn (seed 0)."""
    return tuple(sorted(numbers, key=lambda n: _ticket(seed, n))) if seed else tuple(numbers)


def heads(seed: int, number: int) -> bool:
    """猜先 for the match of that number: whether the last bit of its ticket is 1; never where nothing is drawn."""
    return bool(seed) and bool(_ticket(seed, number)[-1] & 1)


def _ticket(seed: int, number: int) -> bytes:
    return sha256(f"{seed}:{number}".encode()).digest()
