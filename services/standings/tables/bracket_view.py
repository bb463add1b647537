"""The bracket of a knock-out as people read it: its parts, rounds and matches, the scores, and the sides that go on.

Winners and sides are those of `shared.core.rounds`: annulled and corrected results count there as they do for the pairing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from services.standings.descriptions.words import stage_name
from shared.core.language.messages import Message, say
from shared.core.rounds.bracket_plan import BracketMatch, Slot, round_name
from shared.core.rounds.brackets import Bracket
from shared.core.rounds.matches import Leg, find_bracket, legs_of_matches, match_results, matches, score_legs, team_of
from shared.core.rounds.matches import teams_meet as do_teams_meet
from shared.core.rounds.stages import MatchScore, stages_begun
from shared.core.state.tournament import Tournament
from shared.core.terms import HalfPoints, Mark, PlayerId

SHEET_MATCHES = 8
"""Matches of a round that one sheet has room for. A wider bracket is printed in parts, which its last sheet joins."""

SMALL_MATCHES = 4
"""First matches of a part that shares a sheet of paper with other parts."""


class GameResult(NamedTuple):
    """A game of a match for one side: its mark (None: no result yet), or in a team event its points."""

    mark: Mark | None
    points: HalfPoints | None


class BracketSeat(NamedTuple):
    """A side of a match, its ``seed`` in the first round, its points and games, and whether it won.

    A side 0 is not known yet and comes from the ``source``. Without a source, nobody has this seat.
    """

    side: int
    source: Message | None
    seed: int
    points: HalfPoints | None
    games: tuple[GameResult, ...]
    wins: bool


@dataclass(frozen=True, slots=True)
class BracketBox:
    """A match by its number in the bracket. ``state``: a bye has one side only. ``by_lot``: lots decided it.

    ``last``: its winner plays no further match, so the winner has won this place.
    """

    number: int
    seats: tuple[BracketSeat, ...]
    state: Literal["bye", "to_come", "open", "over"]
    by_lot: bool
    last: bool


@dataclass(frozen=True, slots=True)
class BracketRound:
    """The matches of a part of the bracket that are played at the same time."""

    name: Message
    boxes: tuple[BracketBox, ...]


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A tree of matches: the whole of a small knock-out, or the matches for a place, or a bracket of a double knock-out."""

    name: Message | None
    rounds: tuple[BracketRound, ...]

    @property
    def is_small(self) -> bool:
        """Return whether it shares a sheet with others."""
        return len(self.rounds[0].boxes) <= SMALL_MATCHES

    def sheets(self) -> Iterator[tuple[BracketRound, ...]]:
        """Yield the rounds of each sheet of paper: those of every 8 first matches, and at the end the rounds that join them."""
        first = len(self.rounds[0].boxes)
        if first <= SHEET_MATCHES:
            yield self.rounds
            return
        joined = [r for r in self.rounds if len(r.boxes) * SHEET_MATCHES >= first]
        for n in range(0, first, SHEET_MATCHES):
            yield tuple(
                BracketRound(r.name, r.boxes[len(r.boxes) * n // first : len(r.boxes) * (n + SHEET_MATCHES) // first])
                for r in joined
            )
        yield from BracketPart(self.name, tuple(r for r in self.rounds if r not in joined[:-1])).sheets()


def bracket_parts(t: Tournament) -> list[BracketPart]:
    """Return the parts of the bracket that was paired last, the one for first place first. Empty if none was paired."""
    results = match_results(t)
    paired = find_bracket(t, results)
    if paired is None:
        return []
    view = _View(t, paired.bracket, paired.before, stages_begun(t)[-1].groups[0])
    by_part: dict[str, list[BracketMatch]] = {}
    for match in paired.bracket.plan:
        if view.is_played(match):
            by_part.setdefault(_part(match, paired.bracket.plan), []).append(match)
    double = any(match.again for match in paired.bracket.plan)
    names = list(by_part) if double else sorted(by_part, key=int)
    parts = ((name, tuple(view.rounds(name, by_part[name], double))) for name in names)
    return [
        BracketPart(_part_name(name, double) if len(rounds) > 1 else None, rounds)
        for name, rounds in parts
        if any(box.state != "bye" for one in rounds for box in one.boxes)
    ]


def _part(match: BracketMatch, plan: tuple[BracketMatch, ...]) -> str:
    """Return the part of a match: ``first`` and ``second`` bracket, ``final``, or the best place that it is about."""
    if not any(one.again for one in plan):
        return str(match.places[0])
    if match.places == (1, 1):
        return "first"
    return "final" if match.places == (1, 2) else "second"


def _part_name(name: str, double: bool) -> Message | None:
    names = {"first": say("First bracket"), "second": say("Second bracket"), "final": say("Final")}
    if double:
        return names[name]
    return None if name == "1" else say("Matches for place {place}", place=int(name))


class _View:
    """A bracket and the scores of its matches, whose numbers follow ``before``; ``seeded``: its sides by their seeds."""

    def __init__(self, t: Tournament, bracket: Bracket, before: int, seeded: tuple[int, ...]) -> None:
        self._t, self._bracket, self._seeded, self._before = t, bracket, seeded, before
        self._scores: Mapping[int, MatchScore] = matches(t)
        self._legs: Mapping[int, list[Leg]] = legs_of_matches(t)
        self._members = team_of(t) if do_teams_meet(t) else {}

    def is_played(self, match: BracketMatch) -> bool:
        """Return whether a side can come into a match. A final is repeated only if it was paired, or can still be."""
        if match.again:
            return (
                match.number in self._paired or self._known(Slot("winner", match.again)) is None or self._repeats(match)
            )
        return any(map(self._is_filled, match.slots))

    def _repeats(self, match: BracketMatch) -> bool:
        """Return whether the side won the final that had lost before, so that both have lost once."""
        final = self._bracket.plan[match.again - 1]
        return self._known(Slot("winner", match.again)) == self._known(final.slots[1]) != 0

    @property
    def _paired(self) -> set[int]:
        return {number - self._before for number in self._scores}

    def _is_filled(self, slot: Slot) -> bool:
        """Return whether a side fills a slot, by the plan alone: byes have no loser."""
        if slot.kind == "seed":
            return slot.number <= len(self._seeded)
        filled = [self._is_filled(one) for one in self._bracket.plan[slot.number - 1].slots]
        return any(filled) if slot.kind == "winner" else all(filled)

    def rounds(self, part: str, own: list[BracketMatch], double: bool) -> Iterator[BracketRound]:
        """Yield the rounds of a part, in their order."""
        waves = sorted({match.wave for match in own})
        for n, wave in enumerate(waves, 1):
            these = [match for match in own if match.wave == wave]
            boxes = tuple(map(self._box, these))
            yield BracketRound(self._name(part, these[0], n, double, boxes), boxes)

    def _name(
        self, part: str, match: BracketMatch, number: int, double: bool, boxes: tuple[BracketBox, ...]
    ) -> Message:
        if part == "final":
            return say("Final again, if needed") if match.again else say("Final")
        if double or part != "1":
            last, first = match.places[1], match.places[0]
            if not double and last == first + 1:
                return say("Places {first} and {last}", first=first, last=last)
            return say("Round {n} of the bracket", n=number)
        byes = match.wave == 1 and any(box.state == "bye" for box in boxes)
        return stage_name(round_name(match.size, byes=byes))

    def _box(self, match: BracketMatch) -> BracketBox:
        score = self._scores.get(self._before + match.number)
        filled = [slot for slot in match.slots if match.again or self._is_filled(slot)]
        last = self._is_last(match)
        if len(filled) < 2:
            side, seed = self._known(filled[0]), filled[0].number if filled[0].kind == "seed" else 0
            source = _source(filled[0]) if side is None else None
            alone = BracketSeat(side or 0, source, seed, None, (), wins=bool(side))
            return BracketBox(match.number, (alone,), "bye", by_lot=False, last=last)
        seats = tuple(self._seat(match, n, score) for n in range(2))
        state: Literal["to_come", "open", "over"] = "to_come" if score is None else "over" if score.over else "open"
        lot = self._t.lots.get(self._before + match.number)
        drawn = score is not None and lot is not None and score.over and score.points[0] == score.points[1]
        return BracketBox(match.number, seats, state, by_lot=drawn, last=last)

    def _is_last(self, match: BracketMatch) -> bool:
        following = (one for one in self._bracket.plan if Slot("winner", match.number) in one.slots)
        return not any(map(self.is_played, following))

    def _seat(self, match: BracketMatch, n: int, score: MatchScore | None) -> BracketSeat:
        slot = match.slots[n]
        known = self._known(slot) if score is None else self._paired_sides(match)[n]
        side, seed = known or 0, slot.number if slot.kind == "seed" else 0
        if score is None or not side:
            return BracketSeat(side, _source(slot) if known is None else None, seed, None, (), wins=False)
        legs = self._legs[self._before + match.number]
        games = tuple(self._game(leg, side) for leg in legs if leg[1].boards)
        points = score.points[0 if side == score.first else 1] if games else None
        return BracketSeat(side, None, seed, points, games, wins=score.over and side == score.winner)

    def _paired_sides(self, match: BracketMatch) -> tuple[int, int]:
        """Return the sides of a paired match from top to bottom of the bracket, whatever colours were drawn."""
        one, other = self._bracket.sides(match.number)
        upper, lower = map(self._known, match.slots)
        return (other, one) if one == lower or other == upper else (one, other)

    def _known(self, slot: Slot) -> int | None:
        """Return the side that fills a slot (0: nobody ever will), or None while a match before it is undecided."""
        if slot.kind == "seed":
            return self._seeded[slot.number - 1] if slot.number <= len(self._seeded) else 0
        score, match = self._scores.get(self._before + slot.number), self._bracket.plan[slot.number - 1]
        if score is not None:
            return None if not score.over else score.winner if slot.kind == "winner" else score.loser
        sides = [self._known(one) for one in match.slots]
        if None in sides or all(sides):
            return None
        return max(side or 0 for side in sides) if slot.kind == "winner" else 0

    def _game(self, leg: Leg, side: int) -> GameResult:
        pairing, match = leg
        if self._members:
            score = score_legs(self._t, [leg], self._members)
            own = score.points[0 if side == score.first else 1]
            return GameResult(None, None if score.open else own)
        board = next(one for one in pairing.boards if one.board in match.boards)
        setting = self._t.setting(self._t.games[board.game])
        if setting is None:
            return GameResult(None, None)
        return GameResult(setting.white if board.white == PlayerId(side) else setting.black, None)


def _source(slot: Slot) -> Message:
    if slot.kind == "winner":
        return say("winner of match {match}", match=slot.number)
    return say("loser of match {match}", match=slot.number)
