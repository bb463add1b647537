"""The bracket of a knock-out: the winner of each match, the sides that advance or are out, and the best place of each.

From decision edition 3 on, a pairing in force counts as played: the side seated in the next match has won, even if a result
was corrected since (`shared.core.readings.outdated_bases` finds the difference). Standard library only.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from shared.core.rounds.bracket_plan import BracketMatch, Slot, double, single
from shared.core.rounds.stages import MatchScore
from shared.core.rulebook.formats import Format

Sides = tuple[int, int]
"""Two sides of a match; 0 means nobody."""
_single, _double = cache(single), cache(double)


class Seats(NamedTuple):
    """The sides of a match as it was paired (``second`` 0: nobody), and the number of rounds that it was paired in."""

    first: int
    second: int
    legs: int


def plan_of(format: Format, sides: int, places: bool) -> tuple[BracketMatch, ...]:
    """Return the matches of a bracket. ``places``: losers play on for every place."""
    return _double(sides) if format == "double_knockout" else _single(sides, places)


_ONWARD: tuple[Literal["winner", "loser"], ...] = ("winner", "loser")


class Bracket:
    """A bracket: the planned matches, the sides by their seeds, and the matches that were paired.

    Matches have the numbers of the plan, from 1. ``seats``: the paired matches, each with its sides and the number of its
    games so far. ``results``: their scores by the present results, perhaps only up to some round.
    """

    def __init__(
        self,
        plan: tuple[BracketMatch, ...],
        seeded: tuple[int, ...],
        seats: Mapping[int, Seats],
        results: Mapping[int, MatchScore],
    ) -> None:
        self.plan = plan
        self._seeded, self._seats, self._results = seeded, seats, results
        self._onward = {slot: match.number for match in plan for slot in match.slots}

    def next_wave(self) -> list[tuple[BracketMatch, Sides]]:
        """Return the unpaired matches, with their sides, of the first wave in which two sides can meet, including byes."""
        for wave in range(1, 1 + max(m.wave for m in self.plan)):
            unpaired = [(m, self.sides(m.number)) for m in self.plan if m.wave == wave and m.number not in self._seats]
            if any(all(sides) for _, sides in unpaired):
                return [(match, sides) for match, sides in unpaired if any(sides)]
        return []

    def sides(self, number: int) -> Sides:
        """Return the sides of a match as it was paired, or as it would be paired now."""
        seats = self._seats.get(number)
        return seats[:2] if seats is not None else self._entering(number, frozenset())

    def due(self, number: int, upheld: frozenset[int] = frozenset()) -> Sides:
        """Return the sides that a match would be paired with now, by the present results of the matches before it.

        ``upheld``: matches whose outcome as played was upheld.
        """
        played = {n for n in self._results if n not in upheld}
        return self._entering(number, frozenset(played))

    def undecided_before(self, number: int, upheld: frozenset[int] = frozenset()) -> set[int]:
        """Return the sides that would still play now for a seat in a match: those of undecided matches before it.

        Such a match was reopened, or was not paired, because it had one side at most. ``upheld`` as in `due`.
        """
        played = frozenset(n for n in self._results if n not in upheld)
        undecided = set[int]()
        for slot in self.plan[number - 1].slots:
            if slot.kind == "seed":
                continue
            if slot.number not in self._seats:
                sides = self._entering(slot.number, played)
                undecided |= {*(sides if all(sides) else ()), *self.undecided_before(slot.number, upheld)}
            elif slot.number in played and not self._results[slot.number].over:
                undecided |= set(self.sides(slot.number))
        return undecided

    def outcome(self, number: int) -> Sides:
        """Return the winner and the loser of a match. 0 stands for no side, or for one that is not decided yet.

        If a later match in force has been paired, the side seated there is the winner. Otherwise the result decides.
        """
        match, (one, other) = self.plan[number - 1], self.sides(number)
        repeat = self._onward.get(Slot("winner", number), 0)
        if repeat in self._seats and self.plan[repeat - 1].again == number:
            winner = self._side(match.slots[1], frozenset())
            return (one, other) if winner == one else (other, one)
        for kind in _ONWARD:
            seats = self._following(kind, number)
            advanced = [side for side in (one, other) if side and seats is not None and side in seats[:2]]
            if len(advanced) == 1:
                left = other if advanced[0] == one else one
                return (advanced[0], left) if kind == "winner" else (left, advanced[0])
            if seats is not None and not advanced and (kind == "winner" or (one and other)):
                return 0, 0
        present, seats = self.present(number), self._following("winner", number)
        if seats is None or present[0]:
            return present
        # Both were seated against each other again (a double knock-out of two): neither is out.
        return seats[:2]

    def present(self, number: int) -> Sides:
        """Return the winner and the loser of a match by its present result. 0 stands for no side."""
        score = self._results.get(number)
        if score is not None:
            return score.winner, score.loser
        one, other = self.sides(number)
        return (one, 0) if not other else (other, 0) if not one else (0, 0)

    def is_settled(self, number: int) -> bool:
        """Return whether a following match was paired, so that this one counts as played. False if its last games are missing."""
        score, seats = self._results.get(number), self._seats.get(number)
        if score is None or seats is None or score.legs < seats.legs:
            return False
        return any(self._following(kind, number) is not None for kind in _ONWARD)

    def feeding(self, number: int) -> list[int]:
        """Return the paired matches that the sides of a match come from, also through matches that were not played."""
        feeders = [slot.number for slot in self.plan[number - 1].slots if slot.kind != "seed"]
        return [n for one in feeders for n in ([one] if one in self._seats else self.feeding(one))]

    def _following(self, kind: Literal["winner", "loser"], number: int) -> Seats | None:
        """Return the seats of the match that the winner or the loser of a match was paired into, or None.

        A match that only one side reached is not paired unless another of its wave is: the side advances from it.
        """
        onward = self._onward.get(Slot(kind, number), 0)
        while onward and onward not in self._seats:
            onward = self._onward.get(Slot("winner", onward), 0)
        return self._seats.get(onward)

    def places(self) -> dict[int, int]:
        """Return the best place that each side can still have, from the last match that it completed.

        If nobody has won, both are out: they have the loser's place, or `_last_place` if a loser would have played on.
        So nobody is first if both lost the final (双方均负, 双方弃权).
        """
        best: dict[int, int] = {}
        for number, score in sorted(self._results.items(), key=lambda one: (one[1].round, one[0])):
            for side in (score.first, score.second):
                best.setdefault(side, 1)
            settled = self.is_settled(number)
            if not settled and not score.over:
                continue
            winner, loser = self.outcome(number) if settled else (score.winner, score.loser)
            first, last = self.plan[number - 1].places
            if not winner:
                best |= dict.fromkeys((score.first, score.second), self._last_place(number))
                continue
            if self._is_repeated(number, winner):
                best |= {winner: first, loser: first}
                continue
            best |= {winner: first, loser: last}
        best.pop(0, None)
        return best

    def _is_repeated(self, number: int, winner: int) -> bool:
        """Return whether a match is repeated because only its winner lost before (the final of a double knock-out)."""
        repeat = self._onward.get(Slot("winner", number), 0)
        if not repeat or self.plan[repeat - 1].again != number:
            return False
        return winner == self._side(self.plan[number - 1].slots[1], frozenset())

    def _last_place(self, number: int) -> int:
        """Return the place of two sides who both lost a match: the last of its part of the bracket.

        In the first bracket of a double knock-out, it is the place of the sides who are out in the same wave, so that no side
        that is out earlier ranks above them.
        """
        match = self.plan[number - 1]
        first, last = match.places
        if first == last:
            out = (m.places[1] for m in self.plan if m.wave == match.wave and m.places[1] > first)
            return next(out, match.size)
        plays_on = Slot("loser", number) in self._onward
        return first + match.size - 1 if plays_on else last

    def _entering(self, number: int, present: frozenset[int]) -> Sides:
        match = self.plan[number - 1]
        if match.again:
            winner = self._result(match.again, present)[0]
            if not winner or winner != self._side(self.plan[match.again - 1].slots[1], frozenset()):
                return 0, 0
        first, second = (self._side(slot, present) for slot in match.slots)
        return first, second

    def _side(self, slot: Slot, present: frozenset[int]) -> int:
        """Return the side in a slot of a match, or 0 if it is not known.

        The matches in ``present`` count with their current results. Others count as later pairings in force decided them.
        """
        if slot.kind == "seed":
            return self._seeded[slot.number - 1] if slot.number <= len(self._seeded) else 0
        winner, loser = self._result(slot.number, present)
        return winner if slot.kind == "winner" else loser

    def _result(self, number: int, present: frozenset[int]) -> Sides:
        if number in self._seats:
            return self.present(number) if number in present else self.outcome(number)
        one, other = self._entering(number, present)
        return (one, 0) if not other else (other, 0) if not one else (0, 0)
