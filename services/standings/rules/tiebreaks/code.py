"""The grammar of tie-break codes, as used in tournament files (FIDE C.07 14; TRF-2026, records 202 and 212).

``BASE[:MP|:GP][/modifier]…``: ``BH/C3``, ``SB/C2/P``, ``BH:GP/M1/P``, ``KS/L+1``, ``SSSC/F/K4``. Modifiers follow the
order of `MODIFIERS`.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from shared.core.language.messages import Message, say

MOST = 99
"""The largest number in a modifier."""
SCORES = ("MP", "GP")
"""The scores of teams that a code may select: match points 场分, game points 局分."""


class Code(NamedTuple):
    """A parsed tie-break code.

    ``score``: for teams, the score that it counts ("": the first). ``cut``: how many of the least values are left out.
    ``median``: how many are left out at either end. ``limit``: half-points by which Koya's limit is moved. ``fore``:
    count the last round's games as draws. ``forfeits``: count forfeits as games with the scheduled opponent.
    ``factor``: divisor for the strength of schedule (0: the one of C.07 13.4.2). ``reverse``: reverse the order.
    """

    base: str
    score: str = ""
    cut: int = 0
    median: int = 0
    limit: int = 0
    fore: bool = False
    forfeits: bool = False
    factor: int = 0
    reverse: bool = False


class Modifier(NamedTuple):
    """A modifier of tie-break codes, such as ``/C1``. ``pattern``: regular expression. ``field``: of `Code`, which it sets.

    ``article``: of C.07. ``words``: the description for its number.
    """

    letter: str
    pattern: str
    field: str
    article: str
    words: Callable[[int], Message]
    example: str


def _cut(n: int) -> Message:
    return say("lowest cut") if n == 1 else say("{n} lowest cut", n=n)


def _median(n: int) -> Message:
    return say("lowest and highest cut") if n == 1 else say("{n} lowest and {n} highest cut", n=n)


def _limit(n: int) -> Message:
    if n > 0:
        return say("limit {n} half points higher", n=n)
    return say("limit {n} half points lower", n=-n)


MODIFIERS = (
    Modifier("C", r"C(\d+)", "cut", "14.1, 14.2", _cut, "/C1"),
    Modifier("M", r"M(\d+)", "median", "14.3, 14.4", _median, "/M1"),
    Modifier("L", r"L([+-]\d+)", "limit", "14.5", _limit, "/L+1"),
    Modifier("F", "F", "fore", "8.3", lambda _: say("last round’s games as drawn"), "/F"),
    Modifier("P", "P", "forfeits", "6.1.1", lambda _: say("forfeits as games"), "/P"),
    Modifier("K", r"K(\d+)", "factor", "13.4.2", lambda n: say("divided by {n}", n=n), "/K4"),
    Modifier("R", "R", "reverse", "7.8, 10.6", lambda _: say("in reverse order"), "/R"),
)
"""Every modifier, in the order in which a code has them."""


def shapes(letters: str) -> tuple[str, ...]:
    """Return examples of the modifiers with these letters."""
    return tuple(m.example for m in MODIFIERS if m.letter in letters)


def modifiers_of(code: Code) -> list[tuple[Modifier, int]]:
    """Return the modifiers that a code has, each with its number (1 for a modifier without a number)."""
    return [(m, int(getattr(code, m.field))) for m in MODIFIERS if getattr(code, m.field)]


def spell(code: Code) -> str:
    """Return the canonical spelling of a tie-break code, such as ``BH/C1``."""
    text = code.base + (f":{code.score}" if code.score else "")
    for modifier, number in modifiers_of(code):
        text += f"/{modifier.letter}"
        if modifier.letter == "L":
            text += f"{number:+d}"
        elif modifier.pattern != modifier.letter:
            text += str(number)
    return text


def parse(base: str, rest: str) -> Code | Message:
    """Return the code with this ``base`` and ``rest`` (``:GP/C1/P``, modifiers in any order), or what is wrong with it."""
    score, parts = "", rest.split("/")
    if parts[0]:
        score = parts[0].removeprefix(":")
        if score not in SCORES or parts[0] != f":{score}":
            return say("invalid score {part}: use :MP or :GP", part=repr(parts[0][:20]))
    fields: dict[str, int | bool] = {}
    for part in parts[1:]:
        filled = _modifier(part)
        if isinstance(filled, Message):
            return filled
        modifier, number = filled
        if modifier.field in fields:
            return say("/{letter} is listed twice", letter=modifier.letter)
        fields[modifier.field] = number if modifier.pattern != modifier.letter else True
    if "cut" in fields and "median" in fields:
        return say("/C and /M cannot be combined")
    return Code(base, score, **fields)  # type: ignore[arg-type]


def _modifier(part: str) -> tuple[Modifier, int] | Message:
    for modifier in MODIFIERS:
        match = re.fullmatch(modifier.pattern, part, re.ASCII)
        if match is None:
            continue
        number = int(match[1][:4]) if match.groups() else 1
        if not 1 <= abs(number) <= MOST:
            return say("the number in {part} must be 1 to {most}", part=f"/{part[:20]}", most=MOST)
        return modifier, number
    return say("unknown modifier {part}", part=f"/{part[:20]}")
