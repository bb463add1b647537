"""What a prize list is asked for: in the address, so that it can be shared, printed and asked for again."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from services.standings.rules.prizes import SectionKind, Span
from shared.core.language.messages import Message, say

MOST_PLACES, MOST_SPANS = 500, 20
_SPLIT = re.compile(r"[\s,;，；、]+")
_SPAN = re.compile(r"([0-9]{1,4})?\s*[-–—~～至]\s*([0-9]{1,4})?|([0-9]{1,4})")
_WIDE = str.maketrans("０１２３４５６７８９－", "0123456789-")
_LONGEST = 200


class PrizeQuery(NamedTuple):
    """``places`` of the whole table, ``each`` of every section, the ``sections`` by kind, ``spans`` of birth years and of
    ratings, and of how many players a unit's total is, ``best`` 0: of none. ``errors`` by field, ``typed`` as it came."""

    places: int
    each: int
    sections: tuple[SectionKind, ...]
    born: tuple[Span, ...]
    rating: tuple[Span, ...]
    best: int
    errors: Mapping[str, Message]
    typed: Mapping[str, str]

    def spans(self, kind: SectionKind) -> tuple[Span, ...]:
        return {"born": self.born, "rating": self.rating}.get(kind, ())


_NUMBERS = {"places": (8, 1), "each": (3, 1), "best": (0, 0)}
"""Field -> what stands where nothing was typed, and the least."""


def prize_query(arguments: Mapping[str, str]) -> PrizeQuery:
    """The query of an address; what cannot be read is among the ``errors``, and counts as not typed."""
    typed = {
        name: arguments.get(name, "").strip()[:_LONGEST]
        for name in (*_NUMBERS, "unit", "sex", "title", "born", "rating")
    }
    errors: dict[str, Message] = {}
    numbers = {name: _number(name, typed[name], errors) for name in _NUMBERS}
    spans = {name: _spans(name, typed[name], errors) for name in ("born", "rating")}
    chosen: list[SectionKind] = [kind for kind in ("unit", "sex", "title") if typed[kind] == "yes"]
    chosen += [kind for kind in ("born", "rating") if spans[kind]]
    return PrizeQuery(
        numbers["places"],
        numbers["each"],
        tuple(chosen),
        spans["born"],
        spans["rating"],
        numbers["best"],
        errors,
        typed,
    )


def _number(name: str, text: str, errors: dict[str, Message]) -> int:
    usual, least = _NUMBERS[name]
    text = text.translate(_WIDE)
    if not text:
        return usual
    if text.isascii() and text.isdigit() and len(text) <= 4 and least <= int(text) <= MOST_PLACES:
        return int(text)
    errors[name] = say("not a whole number from {low} to {high}", low=least, high=MOST_PLACES)
    return usual


def _spans(name: str, text: str, errors: dict[str, Message]) -> tuple[Span, ...]:
    """Spans such as ``2010-2012 2013- -2009``, at most so many."""
    words = [word for word in _SPLIT.split(text.translate(_WIDE)) if word]
    found = []
    for word in words[: MOST_SPANS + 1]:
        match = _SPAN.fullmatch(word)
        low, high, one = match.groups() if match else (None, None, None)
        span = Span(_bound(low or one), _bound(high or one))
        if match is None or not span.is_valid():
            errors[name] = say("{word} is not a range; use for example 2010-2012, 2013- or -2009", word=word[:20])
            return ()
        found.append(span)
    if len(found) > MOST_SPANS:
        errors[name] = say("at most {most} spans", most=MOST_SPANS)
        return ()
    return tuple(found)


def _bound(text: str | None) -> int | None:
    return None if text is None else int(text)
