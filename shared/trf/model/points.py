"""What a letter of a file is worth, in half-points, by regulations and by the file's own point system; points as text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from functools import cache

from shared.core.language.messages import Message, MessageFact, say
from shared.core.rulebook.regulations import Points
from shared.core.terms import Side
from shared.trf.model.model import BYE_LETTERS, GAME_LETTERS, Entry

USUAL: dict[str, int] = {
    **dict.fromkeys(("WW", "BW", "FW", "PAB", "FPB"), 2), **dict.fromkeys(("WD", "BD", "HPB"), 1),
    **dict.fromkeys(("WL", "BL", "FL", "ZPB"), 0),
}  # fmt: skip
"""What a file that is silent about points means, in half-points."""
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,20}(?:[.,][0-9]{0,20})?|[.,][0-9]{1,20})")
_BYES = {"U": "PAB", "F": "FPB", "H": "HPB", "Z": "ZPB"}
_OF_REGULATIONS = {"PAB": "pairing_bye", "FPB": "full_bye", "HPB": "half_bye", "ZPB": "zero_bye"}


def doubled(text: str) -> Fraction | None:
    """Twice the points that a text says, with a point or a comma; None for what is no decimal number."""
    text = text.strip()
    return 2 * Fraction(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None


def points_text(half_points: int) -> str:
    """Points as files write them: ``4.5``."""
    return f"{half_points / 2:.1f}"


@cache
def worth_of(letter: str, side: Side, points: Points, values: tuple[tuple[str, int], ...]) -> int:
    """A game's letter; ``values``: the file's own, by JaVaFo's codes."""
    known = GAME_LETTERS[letter]
    share = known.share[0].upper()
    code = side[0].upper() + share if known.played else "F" + share
    otherwise = {"W": points.win, "D": points.draw, "L": points.loss}[share]
    return dict(values).get(code, otherwise)


def worth_of_entry(entry: Entry, points: Points, values: tuple[tuple[str, int], ...]) -> int:
    """A round's entry; a game without a result is worth nothing yet."""
    if not entry.opponent:
        return worth_of_bye(BYE_LETTERS[entry.letter], points, values)
    return worth_of(entry.letter, entry.side or "white", points, values) if entry.letter else 0


@cache
def worth_of_bye(kind: str, points: Points, values: tuple[tuple[str, int], ...]) -> int:
    """A bye of that kind (U, F, H, Z)."""
    code = _BYES[kind]
    by_regulations: int = getattr(points, _OF_REGULATIONS[code])
    return dict(values).get(code, by_regulations)


def rank_detail(who: Message, rank: int | str, half: int, first: int, last: int) -> Message:
    facts: dict[str, MessageFact] = {"rank": rank, "points": points_text(half), "first": first, "last": last}
    return say("{who} has rank {rank}, but with {points} points it must be from {first} to {last}", who=who, **facts)


def possible_ranks(points: list[int]) -> Callable[[int], tuple[int, int]]:
    """Return a function: points to the first and the last rank that they allow."""
    ordered = sorted(points)

    def of(own: int) -> tuple[int, int]:
        return len(ordered) - bisect_right(ordered, own) + 1, len(ordered) - bisect_left(ordered, own)

    return of


def half_points_of(said: str) -> int | None:
    """Return the half-points of a field, or None for a blank or an invalid one."""
    twice = doubled(said)
    return int(twice) if twice is not None and twice.denominator == 1 else None
