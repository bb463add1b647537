"""Lots drawn from a seed in the log, so that anyone in doubt can repeat the draw.

The ticket of a number is the SHA-256 of ``seed:number`` (decimal digits, UTF-8); the smallest comes first.
"""

from collections.abc import Iterable
from hashlib import sha256


def drawn_order(seed: int, numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers in the order of the lots, or unchanged if nothing is drawn (seed 0)."""
    return tuple(sorted(numbers, key=lambda n: _ticket(seed, n))) if seed else tuple(numbers)


def heads(seed: int, number: int) -> bool:
    """Return the result of 猜先 for the match of that number: whether the last bit of its ticket is 1. False if seed is 0."""
    return bool(seed) and bool(_ticket(seed, number)[-1] & 1)


def _ticket(seed: int, number: int) -> bytes:
    return sha256(f"{seed}:{number}".encode()).digest()
