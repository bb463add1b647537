"""The bracket before decision edition 3: the side that a later pairing advanced has won, else the result decides."""

from shared.core.rounds.bracket_plan import BracketMatch, Slot
from shared.core.rounds.brackets import Sides
from shared.core.rounds.stages import MatchScore

Wave = list[tuple[BracketMatch, Sides]]


class Bracket:
    """A knock-out bracket: the sides by their seeds, and its matches that were paired. Side 0: no opponent, or not known."""

    def __init__(
        self, planned: tuple[BracketMatch, ...], seeded: tuple[int, ...], paired: dict[int, MatchScore]
    ) -> None:
        self._seeded, self._paired, self._planned = seeded, paired, planned
        self._onward = {slot: match.number for match in planned for slot in match.slots}

    def next_wave(self) -> Wave:
        """Return the matches of the first wave in which two sides can meet, with its byes."""
        for wave in range(1, 1 + max(m.wave for m in self._planned)):
            here = [(m, self.sides(m)) for m in self._planned if m.wave == wave and m.number not in self._paired]
            if any(all(sides) for _, sides in here):
                return [(match, sides) for match, sides in here if any(sides)]
        return []

    def sides(self, match: BracketMatch) -> Sides:
        """Return the two sides of a match of the bracket, as it was paired or as it would be now."""
        paired = self._paired.get(match.number)
        if paired is not None:
            return paired.first, paired.second
        first, second = (self._side_in_slot(slot) for slot in match.slots)
        if match.again and self._outcome(match.again)[0] != self._side_in_slot(self._planned[match.again - 1].slots[1]):
            return 0, 0
        return first, second

    def _side_in_slot(self, slot: Slot) -> int:
        if slot.kind == "seed":
            return self._seeded[slot.number - 1] if slot.number <= len(self._seeded) else 0
        winner, loser = self._outcome(slot.number)
        return winner if slot.kind == "winner" else loser

    def _outcome(self, number: int) -> Sides:
        """Return winner and loser of match ``number``, (0, 0) while it is undecided.

        If a later pairing has advanced one side, this side counts as the winner, even if the result was corrected since.
        """
        match = self._planned[number - 1]
        one, other = self.sides(match)
        onward = self._paired.get(self._onward.get(Slot("winner", number), 0))
        went = set() if onward is None else {one, other} & {onward.first, onward.second}
        if len(went) == 1:
            return (one, other) if one in went else (other, one)
        paired = self._paired.get(number)
        if paired is not None:
            return paired.winner, paired.loser
        return (one, 0) if not other else (other, 0) if not one else (0, 0)
