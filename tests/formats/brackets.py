"""Knock-outs and matches: outcome of a match, next matches, places, and pairings whose seats are no longer due.

Sources: 002-X 11.1 (淘汰制), 21.3 (双方弃权), 000-B 4 and 9 (best of three, five, seven; extra games, then lots);
`edition-3.md`, "Outdated bases".
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tests.formats import double
from tests.formats.facts import BRACKETS, WIN, Facts, Json, remembered
from tests.formats.records import Bout, Part

UNKNOWN = -1
"""A side that is not decided yet."""
NOBODY = 0
STILL_IN = -(10**6)


class Outcome(NamedTuple):
    """``over``: no more games are due. ``winner`` 0: nobody has won it."""

    over: bool
    winner: int
    loser: int


class Slot(NamedTuple):
    """A seat of the bracket: its side, and the bouts that it comes from."""

    side: int
    sources: tuple[int, ...] = ()


class Pair(NamedTuple):
    """Two seats that meet on a level of the bracket, and their bout once it was paired."""

    level: int
    slots: tuple[Slot, Slot]
    bout: Bout | None


class Due(NamedTuple):
    """A seat that differs: in match ``match`` of the pairing (0: the sides that begin a stage), who is seated and who is due."""

    pairing: int
    match: int
    seated: tuple[int, ...]
    due: tuple[int, ...]


class Brackets(Facts):
    """Facts with the matches of all brackets of a competition."""

    def __init__(self) -> None:
        super().__init__()
        self.bouts: dict[int, Bout] = {}

    # ------------------------------------------------------------ seats

    def seats(self, data: Json) -> None:
        """Note from which match each side of a new match of a bracket came."""
        round = self.rounds[-1]
        for match in data["matches"]:
            self.lots.pop(match["match"], None)
            if match["leg"] == 1:
                self._begin(match, round.part, round.number, round.pairing)
            self.bouts[match["match"]].legs.append(round.legs[match["match"]])

    def _begin(self, match: Json, part: int, number: int, pairing: int) -> None:
        bout = Bout(match["match"], match["first"], match["second"], part, number, pairing)
        if self.is_double(part):
            for seat in self.coming(part, bout.number, self.outcome):
                bout.empty |= set(seat.empty)
                if seat.source is not None:
                    bout.fed[seat.side] = seat.source
            self._begun(bout)
            return
        for side in filter(None, bout.sides):
            before = self.last_bout(side, part)
            if before is not None:
                bout.fed[side] = before.number, self.outcome(before).winner == side
        if not all(bout.sides) and self.is_bracket(part):
            bout.empty |= self._beside(bout)
        self._begun(bout)

    def _begun(self, bout: Bout) -> None:
        self.bouts[bout.number] = bout
        self.memo.clear()

    def _beside(self, bout: Bout) -> set[tuple[int, bool]]:
        """The bouts that both sides lost, so that nobody came from them to the seat beside the other, in a single knock-out."""
        part = self.parts()[bout.part]
        for pair in () if part.rule.places else self.walk(part):
            if pair.bout is None and {one.side for one in pair.slots} == set(bout.sides):
                return {(source, True) for one in pair.slots if one.side == NOBODY for source in one.sources}
        return set()

    def _on_pairing_withdrawn(self, data: Json) -> None:
        gone = self.rounds[-1]
        super()._on_pairing_withdrawn(data)
        for number in gone.legs:
            self.lots.pop(number, None)
            self.bouts[number].legs.pop()
            if not self.bouts[number].legs:
                del self.bouts[number]

    @remembered
    def bouts_of(self, part: int) -> list[Bout]:
        return [bout for bout in self.bouts.values() if bout.part == part]

    def last_bout(self, side: int, part: int) -> Bout | None:
        bouts = [bout for bout in self.bouts_of(part) if side in bout.sides]
        return bouts[-1] if bouts else None

    def is_double(self, part: int) -> bool:
        return self.is_bracket(part) and self.parts()[part].rule.format == "double_knockout"

    @remembered
    def plan(self, part: int) -> dict[int, double.Place]:
        """The matches of a double knock-out by number, from the first after those of earlier parts."""
        before = max((n for round in self.rounds[: self.parts()[part].first - 1] for n in round.bouts), default=0)
        return double.places(tuple(_order(len(self.parts()[part].groups[0]))), before)

    def coming(self, part: int, number: int, outcome: Callable[[Bout], Outcome]) -> tuple[double.Seat, double.Seat]:
        """The two that come to a match of a double knock-out."""
        bouts = self.bouts_of(part)
        ended, as_played = ({bout.number: by(bout) for bout in bouts} for by in (outcome, self.outcome))
        return double.coming(self.plan(part), number, self.parts()[part].groups[0], ended, as_played)

    def is_bracket(self, part: int) -> bool:
        parts = self.parts()
        return part < len(parts) and parts[part].rule.format in BRACKETS

    # ------------------------------------------------------------ one match

    @remembered
    def points(self, bout: Bout) -> tuple[int, int]:
        """Half-points of both sides over all legs."""
        first = second = 0
        for leg in bout.legs:
            for id in leg.games:
                marks = self.marks(id)
                if marks is None or not self.counts(id):
                    continue
                white_first = self._side_of(self.games[id].white) == bout.first
                mine, other = marks if white_first else marks[::-1]
                first, second = first + mine.points, second + other.points
            for player in leg.alone:
                if self._side_of(player) == bout.first:
                    first += WIN
                else:
                    second += WIN
        return first, second

    def _side_of(self, player: int) -> int:
        return self.team_of[player] if self.of_teams else player

    def games_due(self, bout: Bout) -> int:
        """Legs that a match takes unless it is decided before."""
        team = self.announced["conditions"]["team"]
        return team["boards"] if team and team["kind"] == "everybody" else self.rule_of(bout.legs[-1].round).games

    @remembered
    def result(self, bout: Bout) -> Outcome:
        """The outcome by the results in force now.

        A side without an opponent, or whose opponent has left, goes on. A match ends when the lead cannot be made good; if
        nobody came, or both lost, both are out unless one leads (21.3). A match that stays drawn is decided by the lot.
        """
        last = bout.legs[-1]
        if not last.games and not last.alone:
            free = [side for side in bout.sides if side and last.free & set(self.members(side))]
            return self._won(bout, free[0] if free else NOBODY)
        if any(self.marks(id) is None for leg in bout.legs for id in leg.games):
            return Outcome(False, NOBODY, NOBODY)
        one, other = self.points(bout)
        lead, left = one - other, max(0, self.games_due(bout) - len(bout.legs))
        ahead = bout.first if lead > 0 else bout.second if lead < 0 else NOBODY
        boards = len(last.games) + len(last.alone)
        if (not left and ahead) or (self.rule_of(last.round).best and abs(lead) > left * boards * WIN):
            return self._won(bout, ahead)
        if bout.number in self.lots and not self.nobody_won(bout) and not self.another_leg(bout):
            return self._won(bout, self.lots[bout.number])
        if self.nobody_won(bout):
            return self._won(bout, ahead)
        for round in self._rounds_after(bout):
            here = [side for side in bout.sides if not self._had_gone(side, round)]
            if len(here) < 2:
                return self._won(bout, here[0] if here else NOBODY)
        return Outcome(False, NOBODY, NOBODY)

    def _rounds_after(self, bout: Bout) -> list[int]:
        """The rounds in which a match could have gone on, to the first in which one of its sides has a seat."""
        last, later = bout.legs[-1].round, len(self.rounds) + 1
        near = [b for b in self.bouts.values() if set(b.sides) & set(bout.sides)]
        seats = [leg.round for b in near for leg in b.legs if leg.round > last]
        return list(range(last + 1, min([later, *seats]) + 1))

    def _had_gone(self, side: int, round: int) -> bool:
        """Whether nobody of a side was there any more when a round was paired, or is now if it has not been."""
        until = self.rounds[round - 1].seq if round <= len(self.rounds) else self.seq + 1
        return all(
            (leaving := self.removal(member, round)) is not None and leaving.seq < until
            for member in self.members(side)
        )

    def nobody_won(self, bout: Bout) -> bool:
        """Whether both sides lost every game of the last leg: 双方弃权, or 双方均负 in the last game due."""
        marks = [self.marks(id) for id in bout.legs[-1].games]
        unplayed = all(m is not None and not any(s.points or s.played for s in m) for m in marks)
        lost = all(m is not None and not any(s.points for s in m) for m in marks)
        last = len(bout.legs) >= self.games_due(bout)
        return bool(marks) and not bout.legs[-1].alone and (unplayed or (lost and last))

    def _won(self, bout: Bout, winner: int) -> Outcome:
        loser = 0 if not winner else bout.second if winner == bout.first else bout.first
        return Outcome(True, winner, loser)

    @remembered
    def outcome(self, bout: Bout) -> Outcome:
        """The outcome that the bracket uses: the side seated in the next round has won, whatever was corrected since.

        Where both sides were seated against each other again, the pairing does not tell who had won. The final of a double
        knock-out is repeated because the side that had lost before has won it; any other match has its present result.
        """
        for later in self.bouts_of(bout.part):
            if (bout.number, True) in later.empty or ((bout.number, False) in later.empty and all(bout.sides)):
                return Outcome(True, NOBODY, NOBODY)
            came = {
                side: won for side, (number, won) in later.fed.items() if number == bout.number and side in bout.sides
            }
            if len(came) == 2:
                once = [side for side in bout.sides if self._lost_before(side, bout)]
                present = self.result(bout)
                if once:
                    return self._won(bout, once[0])
                if present.winner:
                    return present
            for side, had_won in came.items():
                other = bout.second if side == bout.first else bout.first
                return self._won(bout, side if had_won else other)
        return self.result(bout)

    def _lost_before(self, side: int, bout: Bout) -> bool:
        """Whether a side has lost a match of the bracket before this one."""
        earlier = (one for one in self.bouts_of(bout.part) if side in one.sides and one.number < bout.number)
        return any(self._lost(one, side) for one in earlier)

    def drawn(self) -> list[int]:
        """Matches of the bracket in force that wait for a lot."""
        part = self.rounds[-1].part if self.rounds else 0
        open = [b for b in self.bouts_of(part) if self.is_bracket(part) and not self.outcome(b).over]
        return [b.number for b in open if self.complete(b) and not self.another_leg(b)]

    def complete(self, bout: Bout) -> bool:
        return all(self.marks(id) is not None for leg in bout.legs for id in leg.games)

    def another_leg(self, bout: Bout) -> bool:
        """Whether another game is due: one announced, or an extra one 加赛 (000-B 9); none for sides that did not come."""
        due = self.games_due(bout)
        if len(bout.legs) < due:
            return True
        return not self.nobody_won(bout) and len(bout.legs) < due + self.rule_of(bout.legs[-1].round).extra

    # ------------------------------------------------------------ the bracket

    def next_pairs(self, part: Part) -> set[frozenset[int]] | None:
        """The next matches that have two sides."""
        unfinished = {frozenset(b.sides) for b in self.bouts_of(part.number) if not self.outcome(b).over}
        if unfinished:
            return unfinished
        if self.is_double(part.number):
            found: dict[int, set[frozenset[int]]] = {}
            for number in self.plan(part.number).keys() - self.bouts.keys():
                sides = frozenset(seat.side for seat in self.coming(part.number, number, self.outcome)) - {NOBODY}
                if len(sides) == 2:
                    found.setdefault(self.plan(part.number)[number].level, set()).add(sides)
            return found[min(found)] if found else set()
        open = [pair for pair in self.walk(part) if pair.bout is None and all(one.side > 0 for one in pair.slots)]
        level = min((pair.level for pair in open), default=0)
        return {frozenset(one.side for one in pair.slots) for pair in open if pair.level == level}

    @remembered
    def walk(self, part: Part) -> list["Pair"]:
        """The matches of a single knock-out from its first round to its last, as far as they follow from those before."""
        (seeds,) = part.groups
        found: list[Pair] = []
        self._play([Slot(side) for side in _slots(seeds)], 1, part, dict.fromkeys(seeds, 0), found)
        return found

    def _play(
        self, entering: Sequence["Slot"], level: int, part: Part, used: dict[int, int], found: list["Pair"]
    ) -> None:
        if len(entering) < 2:
            return
        winners, losers = list[Slot](), list[Slot]()
        for slots in zip(entering[::2], entering[1::2], strict=True):
            one, other = slots
            bout = self._bout_of({one.side, other.side} - {NOBODY, UNKNOWN}, part.number, used)
            found.append(Pair(level, slots, bout))
            if bout is not None:
                over, winner, loser = self.outcome(bout)
                winners.append(Slot(winner if over else UNKNOWN, (bout.number,)))
                losers.append(Slot(loser if over else UNKNOWN, (bout.number,)))
            elif UNKNOWN in (one.side, other.side) or (one.side and other.side):
                winners.append(Slot(UNKNOWN))
                losers.append(Slot(UNKNOWN))
            else:
                winners.append(Slot(one.side or other.side, one.sources + other.sources))
                losers.append(Slot(NOBODY))
        self._play(winners, level + 1, part, used, found)
        if part.rule.places:
            self._play(losers, level + 1, part, used, found)

    def _bout_of(self, sides: set[int], part: int, used: dict[int, int]) -> Bout | None:
        """The next bout of these sides; a side alone has one only if its walkover was paired."""
        for side in sides:
            bouts = [bout for bout in self.bouts_of(part) if side in bout.sides][used[side] :]
            if bouts and set(bouts[0].sides) - {NOBODY} == sides:
                for one in sides:
                    used[one] += 1
                return bouts[0]
        return None

    @remembered
    def is_out(self, side: int, part: Part) -> bool:
        """Whether a side has lost as often as the format allows, or a match that nobody won."""
        allowed = 2 if part.rule.format == "double_knockout" else 1
        lost = 0
        for bout in self.bouts_of(part.number):
            over, winner, loser = self.outcome(bout)
            if over and side in bout.sides and not winner:
                return True
            lost += over and loser == side
        return lost >= allowed

    def blocks(self, part: Part) -> list[set[int]]:
        """The sides of a bracket by place, the best first; those that share a place together.

        Sides still in it share the first; those knocked out stand by the round of the match that did it, the later the better.
        """
        (seeds,) = part.groups
        if part.rule.places:
            return _by_key({side: self._place(side, part) for side in seeds})
        return _by_key({side: self._knocked_out(side, part) if self.is_out(side, part) else STILL_IN for side in seeds})

    def _knocked_out(self, side: int, part: Part) -> int:
        """A key for the match that knocked a side out: the later in the bracket, the better."""
        bout = [bout for bout in self.bouts_of(part.number) if side in bout.sides and self._lost(bout, side)][-1]
        return -self.plan(part.number)[bout.number].level if self.is_double(part.number) else -bout.paired

    def out_early(self, side: int, part: Part) -> bool:
        """Whether a side is out by a match that nobody won and whose loser would have played on: no text places it."""
        lost = [bout for bout in self.bouts_of(part.number) if side in bout.sides and self._lost(bout, side)]
        return part.rule.format == "double_knockout" and len(lost) == 1 and not self.outcome(lost[0]).winner

    def nobody_left(self, part: Part) -> int:
        """The best place that is taken if everybody is out, as after a final that both lost (21.3); 1: somebody is in."""
        (seeds,) = part.groups
        if not all(self.is_out(side, part) for side in seeds):
            return 1
        if part.rule.format == "double_knockout":
            return 2
        last = max(pair.level for pair in self.walk(part) if pair.bout is not None)
        return (len(_slots(seeds)) >> last) + 1

    def _lost(self, bout: Bout, side: int) -> bool:
        over, winner, _ = self.outcome(bout)
        return over and winner != side

    def _place(self, side: int, part: Part) -> int:
        """The best place that a side can still have if all play for places: each match halves what is left.

        Both sides of a match that nobody won do not play on: they take the last place of it.
        """
        (seeds,) = part.groups
        best, size = 1, len(_slots(seeds))
        for bout in self.bouts_of(part.number):
            if side in bout.sides and self.outcome(bout).over:
                if not self.outcome(bout).winner:
                    return best + (size - 1 if size > 2 else 1)
                size //= 2
                best += size * (self.outcome(bout).winner != side)
        return best

    # ------------------------------------------------------------ outdated bases

    def outdated_bouts(self) -> list[Due]:
        """Matches whose seats differ from the sides that would be seated now, until upheld or withdrawn.

        An upheld match settles the results that it came from: they are as it was seated for other matches too.
        """
        bouts = [bout for bout in self.bouts.values() if self.is_bracket(bout.part)]
        first = {bout.number: self._difference(bout, frozenset()) for bout in bouts}
        kept = {fed for bout in bouts for fed in self._feeding(bout) if self._is_upheld(first[bout.number])}
        found = [self._difference(bout, frozenset(kept)) for bout in bouts]
        found += [due for bout in bouts for due in self._needless(bout)]
        return [one for one in found if one.seated != one.due and not self._is_upheld(one)]

    def _feeding(self, bout: Bout) -> set[int]:
        return {number for number, _ in (*bout.fed.values(), *bout.empty)}

    def _difference(self, bout: Bout, kept: frozenset[int]) -> Due:
        """The sides seated and due; of a match without a game those that would have one."""
        seated = {side for side in bout.sides if side}
        if self.is_double(bout.part):
            seats = self.coming(bout.part, bout.number, lambda one: self._by_now(one, kept))
            due, sources = {seat.side for seat in seats}, {source for seat in seats for source in seat.empty}
        else:
            due = {self._due(bout, side, kept) for side in seated}
            due |= {self.result(self.bouts[number]).winner for number, _ in bout.empty if number not in kept}
            sources = bout.empty | set(bout.fed.values())
        due -= {NOBODY}
        leg = bout.legs[0]
        if not leg.games and not leg.alone:
            seated = {side for side in seated if leg.free & set(self.members(side))}
            gone = {side for side in due if self.away(side, leg.round) or self.away(side, len(self.rounds) + 1)}
            due -= gone - seated
        if seated == due:
            open = [(self.bouts[number], won) for number, won in sources if number not in kept]
            coming = {side for source, won in open for side in self._may_come(source, won)}
            gone = {side for side in coming if self.away(side, leg.round) or self.away(side, len(self.rounds) + 1)}
            due |= coming - gone
        return Due(bout.pairing, bout.number, tuple(sorted(seated)), tuple(sorted(due)))

    def _may_come(self, bout: Bout, won: bool) -> set[int]:
        """Return the sides that come from a match by the present results, or both while it is open."""
        over, winner, loser = self.result(bout)
        return ({winner if won else loser} if over else set(bout.sides)) - {NOBODY}

    def _needless(self, bout: Bout) -> Iterator[Due]:
        """Yield the further games that the results before them would not give now: they decide the match, or leave it to lots.

        A game that leaves the winner unchanged is omitted.
        """
        for played in range(1, len(bout.legs)):
            before = replace(bout, number=-100 * bout.number - played, legs=bout.legs[:played])
            then, now, round = self.result(before), self.result(bout), self.rounds[bout.legs[played].round - 1]
            due = not self.complete(before) or (not then.over and self.another_leg(before))
            if not due and not (then.over and now.over and then.winner == now.winner):
                yield Due(round.pairing, bout.number, (min(bout.sides), max(bout.sides)), ())

    def _due(self, bout: Bout, side: int, kept: frozenset[int]) -> int:
        if side not in bout.fed:
            return side
        number, had_won = bout.fed[side]
        outcome = self._by_now(self.bouts[number], kept)
        return outcome.winner if had_won else outcome.loser

    def _by_now(self, bout: Bout, kept: frozenset[int]) -> Outcome:
        """The outcome by the present results, or as it was played if that was upheld."""
        return self.outcome(bout) if bout.number in kept else self.result(bout)

    def _is_upheld(self, one: Due) -> bool:
        return any((u["pairing"], u["match"], tuple(u["seated"]), tuple(u["due"])) == one for u in self.upheld)


def _order(sides: int) -> list[int]:
    """Seeds from top to bottom: the best two can meet only in the final, the best four only in the semi-finals."""
    order = [1]
    while len(order) < max(2, sides):
        order = [n for one in order for n in (one, 2 * len(order) + 1 - one)]
    return order


def _slots(seeds: Sequence[int]) -> list[int]:
    return [seeds[n - 1] if n <= len(seeds) else NOBODY for n in _order(len(seeds))]


def _by_key(keys: dict[int, int]) -> list[set[int]]:
    return [{side for side in keys if keys[side] == key} for key in sorted(set(keys.values()))]
