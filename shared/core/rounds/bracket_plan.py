"""Knock-out brackets 淘汰制: which match follows which, for any number of sides (002-X 11.1)."""

from dataclasses import dataclass
from typing import Literal, NamedTuple


class Slot(NamedTuple):
    """A place in a match, filled by a seed number, or by the winner or loser of another match."""

    kind: Literal["seed", "winner", "loser"]
    number: int


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of the bracket. All matches of a ``wave`` can be played at the same time; waves count from 1.

    ``size``: the number of sides left in its part of the bracket. ``places`` as in `events.Match`. ``again``: the match that it
    repeats if the second slot of that match has won, so that both sides have lost once.
    """

    number: int
    wave: int
    slots: tuple[Slot, Slot]
    places: tuple[int, int]
    size: int
    again: int = 0


class _Bracket:
    """A bracket that is being planned. Matches are numbered from 1 in the order in which they are added.

    The wave of a match is one more than the highest wave of the matches that its sides come from.
    """

    def __init__(self) -> None:
        self.matches: list[BracketMatch] = []

    def add(self, slots: tuple[Slot, Slot], places: tuple[int, int], size: int, again: int = 0) -> int:
        feeding_waves = [self.matches[s.number - 1].wave for s in slots if s.kind != "seed"]
        number = len(self.matches) + 1
        self.matches.append(BracketMatch(number, 1 + max(feeding_waves, default=0), slots, places, size, again))
        return number

    def halves(self, entering: list[Slot], places: tuple[int, int]) -> tuple[list[Slot], list[Slot]]:
        """Add a match of each two neighbours among ``entering``, and return the slots of the winners and of the losers."""
        pairs = zip(entering[::2], entering[1::2], strict=True)
        numbers = [self.add((one, other), places, len(entering)) for one, other in pairs]
        return [Slot("winner", n) for n in numbers], [Slot("loser", n) for n in numbers]


_NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}


def round_name(size: int, *, byes: bool) -> str:
    """Return the stage of a round of a single knock-out among ``size`` sides: ``preliminary`` 预选赛 if some have byes."""
    return "preliminary" if byes else _NAMES.get(size, f"last {size}")


def seeds(size: int) -> list[Slot]:
    """Return the ``size`` (a power of 2) seeds of a bracket, top to bottom: the best two meet in the final, and so on."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return [Slot("seed", seed) for seed in order]


def single(sides: int, places: bool = False) -> tuple[BracketMatch, ...]:
    """Return the matches of a single knock-out. Places without a side stay empty, so that the best seeds have byes (轮空).

    ``places``: losers play on, for every place.
    """
    bracket = _Bracket()
    parts = [(seeds(_size(sides)), 1)]
    while parts:
        following: list[tuple[list[Slot], int]] = []
        for entering, best in parts:
            if len(entering) < 2:
                continue
            half = len(entering) // 2
            winners, losers = bracket.halves(entering, (best, best + half))
            following += [(winners, best), (losers, best + half)] if places else [(winners, best)]
        parts = following
    return tuple(bracket.matches)


def double(sides: int) -> tuple[BracketMatch, ...]:
    """Return the matches of a double knock-out, in which a side is out after its second loss.

    Losers go to a second bracket. Its rounds alternate between its own winners and the losers of the first bracket, who come in
    from the opposite end each time, so that no side meets the same opponent again at once. The winners of both brackets
    meet. If the winner of the first loses, both have lost once, and they meet again.
    """
    bracket, size = _Bracket(), _size(sides)
    winners, down = bracket.halves(seeds(size), (1, 1))
    left = size
    below: list[Slot] = []
    while True:
        if below:
            arriving = down[::-1]
            left -= len(below)
            mixed = [slot for pair in zip(below, arriving, strict=True) for slot in pair]
            below, _ = bracket.halves(mixed, (1, left + 1))
        else:
            below = down
        if len(below) > 1:
            left -= len(below) // 2
            below, _ = bracket.halves(below, (1, left + 1))
        if len(winners) < 2:
            break
        winners, down = bracket.halves(winners, (1, 1))
    final = bracket.add((winners[0], below[0]), (1, 2), 2)
    bracket.add((Slot("winner", final), Slot("loser", final)), (1, 2), 2, again=final)
    return tuple(bracket.matches)


def _size(sides: int) -> int:
    """Return the smallest power of two, from 2 on, that is at least ``sides``."""
    return 1 << max(1, (sides - 1).bit_length())
