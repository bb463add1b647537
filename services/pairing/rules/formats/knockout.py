"""Knock-out 淘汰制, single and double, and the match of two: what of the bracket is to be played next."""

from functools import cache

from services.pairing.rules.formats.knockout_bracket import Planned, Slot, double, single
from services.pairing.rules.formats.model import Asked, Meeting, Plan
from services.pairing.rules.formats.participants import playing, present
from services.pairing.rules.formats.seeded_draw import heads
from services.pairing.rules.formats.stages import stages
from shared.core.matches import MatchScore, matches
from shared.core.terms import Refusal
from shared.core.tournament import Tournament

NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}
_single, _double = cache(single), cache(double)


def knockout(t: Tournament, round: int, asked: Asked) -> Plan | Refusal:
    """The first part of the bracket that has matches to be played, first colours by lot 猜先 (002-X 13.4).

    Seeds are the starting numbers at the first pairing. Who has left gives the match to the other side. Matches of
    the first round of which somebody has a bye are the preliminary round 预选赛.
    Refusals: ``too-few-players``, ``two-sides`` for a match, ``no-round-left``.
    """
    begun = stages(t)
    seeded = begun[0].groups[0] if begun else present(t, round)
    if len(seeded) < 2:
        return Refusal("rule", "too-few-players", f"{len(seeded)} to be paired; a knock-out takes two")
    if t.announced.format == "match" and len(seeded) > 2:
        return Refusal("rule", "two-sides", f"a match has two sides, and {len(seeded)} are there")
    conditions = t.announced.conditions
    planned = (
        _double(len(seeded)) if t.announced.format == "double_knockout" else _single(len(seeded), conditions.places)
    )
    bracket = Bracket(planned, seeded, matches(t))
    wave = bracket.next_wave()
    if not wave:
        return Refusal("rule", "no-round-left", "all matches of the bracket have been played")
    meetings = tuple(_meeting(t, round, asked.seed, match, sides) for match, sides in wave)
    return Plan(
        meetings,
        stage=_stage(t, wave),
        groups=() if begun else (seeded,),
        seed=asked.seed if any(m.walkover is None for m in meetings) else 0,
        fixed=True,
    )


Sides = tuple[int, int]


class Bracket:
    """A bracket with its seeds and the matches of it that were paired; 0 stands for nobody."""

    def __init__(self, planned: tuple[Planned, ...], seeded: tuple[int, ...], paired: dict[int, MatchScore]) -> None:
        self._seeded, self._paired, self._planned = seeded, paired, planned
        self._onward = {slot: match.number for match in planned for slot in match.slots}

    def next_wave(self) -> list[tuple[Planned, Sides]]:
        """Matches of the first wave that has two sides to meet, with its byes."""
        for wave in range(1, 1 + max(m.wave for m in self._planned)):
            here = [(m, self.sides(m)) for m in self._planned if m.wave == wave and m.number not in self._paired]
            if any(all(sides) for _, sides in here):
                return [(match, sides) for match, sides in here if any(sides)]
        return []

    def sides(self, match: Planned) -> Sides:
        """Who meets in a match of the bracket, as it was paired or as it would be now."""
        paired = self._paired.get(match.number)
        if paired is not None:
            return paired.first, paired.second
        first, second = (self._who(slot) for slot in match.slots)
        if match.again and self._outcome(match.again)[0] != self._who(self._planned[match.again - 1].slots[1]):
            return 0, 0
        return first, second

    def _who(self, slot: Slot) -> int:
        if slot.kind == "seed":
            return self._seeded[slot.number - 1] if slot.number <= len(self._seeded) else 0
        winner, loser = self._outcome(slot.number)
        return winner if slot.kind == "winner" else loser

    def _outcome(self, number: int) -> Sides:
        """Winner and loser. A pairing that was published stands: who went on by it has won, whatever was corrected."""
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


def _meeting(t: Tournament, round: int, seed: int, match: Planned, sides: Sides) -> Meeting:
    """The lots decide who has White first; a side that has left does not play."""
    first, second = sides if sides[0] else sides[::-1]
    there = [side for side in (first, second) if side and playing(t, round, side)]
    if len(there) < 2:
        return Meeting(first, second, match.number, places=match.places, walkover=sum(there))
    if heads(seed, match.number):
        first, second = second, first
    return Meeting(first, second, match.number, places=match.places)


def _stage(t: Tournament, wave: list[tuple[Planned, Sides]]) -> str:
    matches = [match for match, _ in wave]
    if t.announced.format == "match":
        return ""
    if t.announced.format == "knockout" and matches[0].wave == 1 and not all(all(sides) for _, sides in wave):
        return "preliminary"
    if t.announced.format == "double_knockout":
        return "final" if matches[0].places == (1, 2) else ""
    return NAMES.get(matches[0].size, f"last {matches[0].size}")
