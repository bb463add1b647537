"""Knock-out 淘汰制, single and double, and the match of two: what of the bracket is to be played next."""

from collections.abc import Callable
from functools import cache

from services.pairing.rules.formats.knockout_bracket import BracketMatch, Slot, double, single
from services.pairing.rules.formats.model import Meeting, Plan, RoundRequest
from services.pairing.rules.formats.participants import has_games_left, present_in
from services.pairing.rules.formats.seeded_draw import heads
from services.pairing.rules.formats.stages import last_match, stages
from shared.core.matches import MatchScore, matches
from shared.core.messages import say
from shared.core.stage_rules import StageRule
from shared.core.terms import Refusal
from shared.core.tournament import Tournament

NAMES = {2: "final", 4: "semi-final", 8: "quarter-final"}
_single, _double = cache(single), cache(double)

Sides = tuple[int, int]
Wave = list[tuple[BracketMatch, Sides]]


def knockout(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """The next matches of a single knock-out, and where they are played those for places.

    Matches of the first round of which somebody has a bye are the preliminary round 预选赛. Refusals: `_next_wave`'s.
    """
    places = request.stage.places
    return _next_wave(t, round, request, lambda sides: _single(sides, places), _stage_of_single)


def double_knockout(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """The next matches of a double knock-out. Refusals: `_next_wave`'s."""
    return _next_wave(t, round, request, _double, _stage_of_double)


def match(t: Tournament, round: int, request: RoundRequest) -> Plan | Refusal:
    """The match of two: a final alone. Refusals: ``two-sides``, `_next_wave`'s."""
    sides = _seeds(t, round, request)
    if len(sides) > 2:
        return Refusal("rule", "two-sides", say("a match has two sides, and {sides} are there", sides=len(sides)))
    return _next_wave(t, round, request, _single, lambda wave: "")


def _next_wave(
    t: Tournament,
    round: int,
    request: RoundRequest,
    bracket_of: Callable[[int], tuple[BracketMatch, ...]],
    stage: Callable[[Wave], str],
) -> Plan | Refusal:
    """The first part of the bracket that has matches to be played, first colours by lot 猜先 (002-X 13.4).

    Who has left gives the match to the other side. Refusals: ``too-few-players``, ``no-round-left``.
    """
    seeded, begun = _seeds(t, round, request), () if request.entrants else stages(t)
    if len(seeded) < 2:
        return Refusal(
            "rule", "too-few-players", say("{seeded} to be paired; a knock-out takes two", seeded=len(seeded))
        )
    before = last_match(t, begun[-1].first if begun else None)
    paired = {number - before: match for number, match in matches(t).items() if number > before}
    wave = Bracket(bracket_of(len(seeded)), seeded, paired).next_wave()
    if not wave:
        return Refusal("rule", "no-round-left", say("all matches of the bracket have been played"))
    meetings = tuple(_meeting(t, round, request.seed, match, sides, before) for match, sides in wave)
    return Plan(
        meetings,
        stage=part_of_bracket(t, wave[0][0].size, request.stage) if request.stage.name else stage(wave),
        groups=() if begun else (seeded,),
        seed=request.seed if any(m.walkover is None for m in meetings) else 0,
        fixed=True,
    )


def _seeds(t: Tournament, round: int, request: RoundRequest) -> tuple[int, ...]:
    """The sides of the bracket by their seeds: who went on to it, else the starting numbers at the first pairing."""
    begun = stages(t)
    return request.entrants or (begun[-1].groups[0] if begun else present_in(t, round))


def part_of_bracket(t: Tournament, size: int, stage: StageRule) -> str:
    """The stage that matches among so many sides belong to: one bracket may have several, each down to its ``qualifiers``
    (000-B 4: 初赛, 16强, 决赛)."""
    if stage.format != "knockout":
        return stage.name
    parts = [one for one in t.regulations.stages if one.format == "knockout"]
    return next((one.name for one in parts if size > one.qualifiers), stage.name)


class Bracket:
    """A bracket with its seeds and the matches of it that were paired; 0 stands for nobody."""

    def __init__(
        self, planned: tuple[BracketMatch, ...], seeded: tuple[int, ...], paired: dict[int, MatchScore]
    ) -> None:
        self._seeded, self._paired, self._planned = seeded, paired, planned
        self._onward = {slot: match.number for match in planned for slot in match.slots}

    def next_wave(self) -> Wave:
        """Matches of the first wave that has two sides to meet, with its byes."""
        for wave in range(1, 1 + max(m.wave for m in self._planned)):
            here = [(m, self.sides(m)) for m in self._planned if m.wave == wave and m.number not in self._paired]
            if any(all(sides) for _, sides in here):
                return [(match, sides) for match, sides in here if any(sides)]
        return []

    def sides(self, match: BracketMatch) -> Sides:
        """The two sides of a match of the bracket, as it was paired or as it would be now."""
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


def _meeting(t: Tournament, round: int, seed: int, match: BracketMatch, sides: Sides, before: int) -> Meeting:
    """The lots decide who has White first; a side that has left does not play. ``before``: matches of the stages before."""
    number = before + match.number
    first, second = sides if sides[0] else sides[::-1]
    there = [side for side in (first, second) if side and has_games_left(t, round, side)]
    if len(there) < 2:
        return Meeting(first, second, number, places=match.places, walkover=sum(there))
    if heads(seed, number):
        first, second = second, first
    return Meeting(first, second, number, places=match.places)


def _stage_of_single(wave: Wave) -> str:
    first, _ = wave[0]
    if first.wave == 1 and not all(all(sides) for _, sides in wave):
        return "preliminary"
    return NAMES.get(first.size, f"last {first.size}")


def _stage_of_double(wave: Wave) -> str:
    first, _ = wave[0]
    return "final" if first.places == (1, 2) else ""
