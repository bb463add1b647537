"""The draft of a manual pairing: its seats as typed, and the effects of the buttons."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from shared.core.language.messages import Message, say
from shared.web.name_order import finds

MOST_ROWS = 5_000
"""Limit of rows in a draft. Each is a board, or a match of two teams."""
BYE = "bye"
_SEAT = re.compile(r"([wb])([1-9][0-9]{0,3})")
_OUTSIDE = re.compile(r"out([1-9][0-9]{0,8})")
_NUMBER = re.compile(r"([0-9]{1,9})(?![^\W_])")
_BETWEEN = re.compile(r"\t+|\s*[-–—:：]\s*|(?<=[0-9])\s+(?=[0-9])")
"""The separator of two sides in a typed line: a tab, a dash, a colon, or the gap between two numbers."""
_PAIR = re.compile(r"[0-9]{1,6}:([0-9]{1,9})-([0-9]{1,9})")

Row = tuple[str, str]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides that can be seated, by typed number (a player's starting number, or a team's), and their names."""

    numbers: Mapping[int, int]
    names: Mapping[int, str]

    def found(self, typed: str) -> int | Message | None:
        """Return the side for a typed number or unambiguous name, None for an empty text, or why it is not a side."""
        text = unicodedata.normalize("NFKC", typed).strip()
        if not text:
            return None
        number = _NUMBER.match(text)
        if number is not None:
            return self.numbers.get(int(number[1])) or say(
                "number {number} does not belong to a player or team of this tournament", number=int(number[1])
            )
        found = [side for side, name in self.names.items() if finds(text, name)]
        exact = [side for side in found if self.names[side] == text] or found
        if len(exact) == 1:
            return exact[0]
        if not found:
            return say("{text} is not the name of a player or team of this tournament", text=text[:80])
        return say("{count} are called {text}", count=len(found), text=text[:80])

    def typed(self, side: int) -> str:
        """Return the number that is typed for a side."""
        return next((str(number) for number, one in self.numbers.items() if one == side), "")


@dataclass(frozen=True, slots=True)
class Draft:
    """Rows of (White, Black), or of two teams, and the bye, as typed. An empty text is an empty seat."""

    rows: tuple[Row, ...] = ()
    bye: str = ""

    def at(self, seat: str) -> str:
        """Return the text of a seat (``w3``, ``b3``, ``bye``), or the number of a side without a seat (``out17``)."""
        if seat == BYE:
            return self.bye
        outside, own = _OUTSIDE.fullmatch(seat), _SEAT.fullmatch(seat)
        if outside is not None:
            return outside[1]
        if own is None or int(own[2]) > len(self.rows):
            return ""
        return self.rows[int(own[2]) - 1]["wb".index(own[1])]

    def put(self, seat: str, typed: str) -> "Draft":
        """Return the draft with a new text at a seat. It is unchanged if the seat does not exist (``out17``)."""
        own = _SEAT.fullmatch(seat)
        if seat == BYE:
            return replace(self, bye=typed)
        if own is None or int(own[2]) > len(self.rows):
            return self
        rows = [list(row) for row in self.rows]
        rows[int(own[2]) - 1]["wb".index(own[1])] = typed
        return replace(self, rows=tuple((white, black) for white, black in rows))


@dataclass(frozen=True, slots=True)
class Read:
    """A parsed draft: the ``pairs`` of sides with their ``rows`` (from 1), the bye, and the sides ``found`` by seat.

    ``faults`` are the errors of incomplete rows, each with its row (0: the bye).
    """

    pairs: tuple[Pair, ...]
    rows: tuple[int, ...]
    bye: int | None
    found: Mapping[str, int]
    faults: tuple[tuple[int, Message], ...]

    @property
    def text(self) -> str:
        """The seats by row, and the side with the bye. This text identifies the draft that was checked."""
        seats = [f"{row}:{one}-{other}" for row, (one, other) in zip(self.rows, self.pairs, strict=True)]
        return " ".join([*seats, *([f"bye:{self.bye}"] if self.bye else [])])


class Change(NamedTuple):
    """A row, or a board, of two pairings that differs: the sides before and now (None: it does not exist)."""

    board: int
    before: Pair | None
    now: Pair | None


def changes(before: Mapping[int, Pair], now: Mapping[int, Pair]) -> list[Change]:
    """Return what differs between two pairings, by the number of the row or board."""
    rows = sorted(before.keys() | now.keys())
    return [Change(row, before.get(row), now.get(row)) for row in rows if before.get(row) != now.get(row)]


def draft_of(form: Mapping[str, str]) -> Draft:
    """Return the draft in a form, with rows up to the last one that the form has."""
    seats = {name: text.strip()[:200] for name, text in form.items() if _SEAT.fullmatch(name)}
    last = min(max((int(name[1:]) for name in seats), default=0), MOST_ROWS)
    rows = tuple((seats.get(f"w{n}", ""), seats.get(f"b{n}", "")) for n in range(1, last + 1))
    return Draft(rows, form.get(BYE, "").strip()[:200])


def lines_of(text: str) -> Draft:
    """Return the draft of typed or pasted boards, one per line: ``3 7``, ``3-7``, two cells. A single cell is a bye."""
    rows, bye = list[Row](), ""
    for line in text.splitlines()[:MOST_ROWS]:
        cells = [cell.strip()[:200] for cell in _BETWEEN.split(line.strip(), maxsplit=1)]
        if len(cells) > 1:
            rows.append((cells[0], cells[1]))
        elif cells[0]:
            bye = cells[0]
    return Draft(tuple(rows), bye)


def drafted(pairs: Sequence[Pair], bye: int | None, sides: Sides) -> Draft:
    """Return the draft of an existing pairing."""
    rows = tuple((sides.typed(one), sides.typed(other)) for one, other in pairs)
    return Draft(rows, "" if bye is None else sides.typed(bye))


def pairs_of(text: str) -> tuple[Pair, ...]:
    """Return the pairs in a text such as `ShownPairing.boards` or `Read.text`, in its order."""
    return tuple((int(one), int(other)) for one, other in _PAIR.findall(text))


def read(draft: Draft, sides: Sides) -> Read:
    """Return the draft with the side at each seat, and the errors."""
    found, faults = dict[str, int](), list[tuple[int, Message]]()

    def seat(name: str, row: int) -> int | None:
        side = sides.found(draft.at(name))
        if isinstance(side, Message):
            faults.append((row, side))
            return None
        if side is not None:
            found[name] = side
        return side

    whole = dict[int, Pair]()
    for n, (white, black) in enumerate(draft.rows, 1):
        one, other = seat(f"w{n}", n), seat(f"b{n}", n)
        if one is not None and other is not None:
            whole[n] = (one, other)
        elif bool(white) != bool(black):
            faults.append((n, say("one seat is empty")))
    bye = seat(BYE, 0)
    return Read(tuple(whole.values()), tuple(whole), bye, found, tuple(faults))


def acted(draft: Draft, act: str, chosen: Sequence[str]) -> Draft | Message:
    """Return the draft after a button: ``swap`` of the two seats ``chosen``, ``colours 3``, ``remove 3`` or ``add``.

    Any other button leaves the draft unchanged. Return a message if the seats cannot be swapped.
    """
    verb, _, row = act.partition(" ")
    n = int(row) if row.isascii() and row.isdigit() and len(row) <= 4 else 0
    if verb == "swap":
        if len(set(chosen)) != 2 or not any(draft.at(seat) for seat in chosen):
            return say("tick exactly two seats to swap them")
        one, other = chosen
        return draft.put(one, draft.at(other)).put(other, draft.at(one))
    if verb == "add" and len(draft.rows) < MOST_ROWS:
        return replace(draft, rows=(*draft.rows, ("", "")))
    if verb == "colours" and 0 < n <= len(draft.rows):
        white, black = draft.rows[n - 1]
        return draft.put(f"w{n}", black).put(f"b{n}", white)
    if verb == "remove" and 0 < n <= len(draft.rows):
        return replace(draft, rows=draft.rows[: n - 1] + draft.rows[n:])
    return draft
