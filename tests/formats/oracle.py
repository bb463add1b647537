"""The second implementation: ranks, champion, next opponents and outdated bases of a competition, from its log alone.

    oracle = of_log(json.loads(line) for line in log)
    oracle.ranks()      # {side: rank}

What the texts leave open is taken as the project's pages state it: groups stand one after the other, a side whose results
were annulled stands behind all others, sides that lost in the same round of a bracket share their place or, behind
another stage, are parted by what they made there.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from tests.formats.brackets import NOBODY, Due
from tests.formats.facts import TABLES, Json, remembered
from tests.formats.records import Part
from tests.formats.tables import Tables

PUNISHED = ("BARRED", "WARNED")
"""What puts a punished side last among equals (002-X 18.4), the gravest first."""


Order = tuple[tuple[int, ...], ...]
"""Sides by rank as published; those that share a place together."""


class Oracle(Tables):
    """Everything that the rules say about a competition after the events told."""

    def __init__(self) -> None:
        super().__init__()
        self._basis: dict[int, tuple[object, ...]] = {}
        self._gone: dict[int, frozenset[tuple[int, int]]] = {}

    # ------------------------------------------------------------ ranks

    @remembered
    def tiebreaks(self) -> tuple[str, ...]:
        """The tie-breaks of the set for the format of the first stage, behind punishments if these rank (18.4)."""
        ranking, format, of = self.book["ranking"], self.stages[0].format, "teams" if self.of_teams else "players"
        orders = (o["tiebreaks"] for o in ranking["orders"] if format in o["formats"] and o["of"] == of)
        names = tuple(next(orders, ranking["tiebreaks"]))
        discipline = ranking["discipline"]
        ranked = discipline is not None and discipline["ranks"] and (not self.of_teams or discipline["of_members"])
        return (PUNISHED if ranked else ()) + names

    @remembered
    def blocks(self, part: Part | None = None) -> list[set[int]]:
        """All sides by place, the best first. A side that did not reach a later stage stands behind those that did; one
        whose results in a table were annulled stands last of it."""
        if part is not None:
            return super().blocks(part)
        seen, found = set[int](), list[set[int]]()
        for part in reversed(self.parts()):
            here = {side for group in self._groups(part) for side in group}
            void = {side for side in here if self.void(self.members(side)[0], part.number)}
            last = self.parted(void, part, self.tiebreaks()) if part.number else []
            for block in (*self._of_part(part, void | seen), *last):
                found += [block - seen] if block - seen else []
            seen |= here if part.number else here - void
        first, rest = self.parts()[0], [set(self.sides()) - seen - void]
        for group in self._groups(first):
            rest += self.parted((void - seen) & set(group), first, self.tiebreaks())
        return found + [block for block in rest if block]

    @remembered
    def undecided(self) -> set[int]:
        """Sides that no text places among those knocked out in the same round."""
        parts = [part for part in self.parts() if self.is_bracket(part.number)]
        early = {s for p in parts for s in p.groups[0] if self.is_out(s, p) and self.out_early(s, p)}
        return {side for block in self.blocks() if block & early for side in block}

    def _groups(self, part: Part) -> tuple[tuple[int, ...], ...]:
        """The groups of a part; a side that left before the start (20.2) stands with no points in a table of all."""
        if part.number == 0 and not self.is_bracket(0) and (not part.groups or len(self.stages) == 1):
            return (self.sides(),)
        return part.groups

    def _of_part(self, part: Part, elsewhere: set[int]) -> Iterator[set[int]]:
        """The sides of a part but for those that are placed elsewhere, by place; who went on is no longer tied with them."""
        if not self.is_bracket(part.number):
            for group in self._groups(part):
                yield from self.ordered(set(group) - elsewhere, part, self.tiebreaks())
            return
        punished = tuple(name for name in self.tiebreaks() if name in PUNISHED)
        for block in self.blocks(part):
            if any(self.out_early(side, part) for side in block if self.is_out(side, part)):
                yield block
            elif part.number:
                yield from self.ordered(block, self.parts()[0], self.tiebreaks())
            else:
                yield from self.parted(block, part, punished)

    def ranks(self) -> dict[int, int]:
        """The rank of every side; sides that share a place have the same (1, 1, 3). Nobody is first if nobody won the final."""
        ranks, before = dict[int, int](), 0
        parts = self.parts()
        for block in self.blocks():
            best = self.nobody_left(parts[-1]) if not before and self.is_bracket(len(parts) - 1) else 1
            ranks |= dict.fromkeys(block, max(before + 1, min(best, before + len(block))))
            before += len(block)
        return ranks

    def champion(self) -> int:
        """The winner of the last stage if it is a bracket that has ended; 0: there is none (yet)."""
        parts = self.parts()
        if not parts or not self.is_bracket(len(parts) - 1):
            return NOBODY
        left = [side for side in parts[-1].groups[0] if not self.is_out(side, parts[-1])]
        return left[0] if len(left) == 1 else NOBODY

    # ------------------------------------------------------------ next opponents

    def next_pairs(self, part: Part | None = None) -> set[frozenset[int]] | None:
        """The pairs of sides that meet next in the part in force; None: the texts leave it open."""
        if part is not None:
            return super().next_pairs(part)
        parts = self.parts()
        if not parts:
            return None
        part = parts[-1]
        if self.is_bracket(part.number):
            return super().next_pairs(part)
        return self.table_pairs(part) if part.rule.format in TABLES else None

    def table_pairs(self, part: Part) -> set[frozenset[int]] | None:
        """The next round of the tables, the same in all groups; empty once all have been played."""
        if not self._by_the_table(part):
            return None
        number = sum(r.part == part.number and r.began for r in self.rounds)
        return {pair for pair in self.round_of_table(part, number) if self._meet(pair, len(self.rounds) + 1)}

    def _by_the_table(self, part: Part) -> bool:
        """Whether a round is one of the tables: not with two games each, or results that are carried over."""
        games = self.rule_of(part.first).games if not self.of_teams else 1
        return games == 1 and not self.announced["conditions"]["carried"]

    def round_of_table(self, part: Part, done: int) -> set[frozenset[int]]:
        """The pairs of the round after ``done`` rounds (FIDE C.05, Annex 1), in all groups."""
        pairs: set[frozenset[int]] = set()
        for group in part.groups:
            size = len(group) + len(group) % 2
            cycle, cycles = size - 1, 2 if part.rule.format == "double_round_robin" else 1
            if done >= cycle * cycles:
                continue
            number = done % cycle + 1
            if cycles == 2 and cycle > 1 and done < cycle and number >= cycle - 1:
                number = 2 * cycle - 1 - number
            for n, side in enumerate(group, 1):
                other = _berger_opponent(n, number, size)
                if other <= len(group):
                    pairs.add(frozenset((side, group[other - 1])))
        return pairs

    def _meet(self, pair: frozenset[int], round: int) -> bool:
        """Whether both have games in a table: a side that left keeps them as forfeits, unless its results are annulled."""
        return all(any(self._plays(member, round) for member in self.members(side)) for side in pair)

    def _plays(self, player: int, round: int) -> bool:
        leaving = self.removal(player, round)
        return leaving is None or (leaving.first > 1 and not self.void(player, leaving.part))

    def _without_a_game(self, part: Part) -> Iterator[Due]:
        """Rounds of a table in which two sides rest that would meet now: what removed one of them lapsed since."""
        if part.rule.format not in TABLES or not part.groups or not self._by_the_table(part):
            return
        for done, round in enumerate(r for r in self.rounds if r.part == part.number and r.began):
            players = [p for id in round.games for p in (self.games[id].white, self.games[id].black)]
            seated = {self.team_of.get(p, p) for p in players}
            pairs = [pair for pair in self.round_of_table(part, done) if not pair <= seated]
            missing = {side for pair in pairs if self._meet(pair, round.number) for side in pair}
            one = Due(round.pairing, 0, tuple(sorted(seated)), tuple(sorted(seated | missing)))
            if missing and not self._is_upheld(one):
                yield one

    # ------------------------------------------------------------ qualifiers and outdated bases

    def qualified(self, order: Order, part: Part, gone: set[int], seed: int) -> tuple[int, ...]:
        """The sides that go on from a part by a published order, by their seeds.

        From each group its best; a place shared across the line is drawn by lot. The first of every group come before
        the second of any, to the finals of groups there and back (`services/pairing/README.md`).
        """
        chosen = []
        for group in self._groups(part):
            going: list[int] = []
            for place in order:
                sharing = [side for side in place if side in group and side not in gone]
                if len(going) < part.rule.qualifiers < len(going) + len(sharing):
                    sharing = _drawn(seed, sharing)
                going += sharing
            chosen.append(going[: part.rule.qualifiers])
        seeds: list[int] = []
        for place in range(part.rule.qualifiers):
            back = not self.book.get("stages") and place % 2
            for going in reversed(chosen) if back else chosen:
                seeds += going[place : place + 1]
        return tuple(seeds)

    def tell(self, event: Json) -> None:
        super().tell(event)
        if event["type"].startswith("arbiter.standings.published"):
            round = event["data"]["round"]
            self._basis[self.seq] = self._counted(round)

    def _counted(self, round: int) -> tuple[object, ...]:
        """What the rounds up to this one count: results, annulled results, byes."""
        said: list[object] = []
        for paired in self.rounds[:round]:
            said += [(id, self.marks(id), self.counts(id)) for id in paired.games]
            said.append(sorted(paired.byes.items()))
        if self.book["ranking"]["discipline"] is not None:
            on = [self.rulings[id] for side in self.sides() for id in self._rulings_on(side) if self._is_misconduct(id)]
            said.append(sorted((ruling.player, ruling.kind) for ruling in on if ruling.round <= round))
        return tuple(map(repr, said))

    def outdated(self) -> list[Due]:
        """Every pairing whose seats are no longer due: matches of a bracket, and the sides that begin a stage (match 0)."""
        parts = self.parts()
        begun = [due for part in parts[1:] for due in self._outdated_part(part)]
        last = [seq for seq, round, order in self.publications if round == len(self.rounds) and order]
        if last and self._basis[last[-1]] != self._counted(len(self.rounds)):
            begun.append(Due(0, 0, (), ()))
        return self.outdated_bouts() + begun + [due for part in parts for due in self._without_a_game(part)]

    def _outdated_part(self, part: Part) -> Iterator[Due]:
        published = [(seq, order) for seq, round, order in self.publications if round == part.first - 1 and order]
        if not published:
            return
        seq, order = published[-1]
        stale = self._basis[seq] != self._counted(part.first - 1)
        before, paired = self.parts()[part.number - 1], self.rounds[part.first - 1]
        (seated,) = part.groups
        gone = {s for s in self.sides() if self._had_left(s, part.first, paired.seq)}
        out = gone | {s for s in self.sides() if s not in seated and self.away(s, len(self.rounds) + 1)}
        due = [self.qualified(order, before, left, paired.seed) for left in (gone, out)]
        if stale or not any(self._is_settled(paired.pairing, seated, one) for one in due):
            yield Due(paired.pairing, 0, seated, due[-1])

    def undecided_stage(self) -> bool:
        """Whether no text says which sides would begin a stage now: two in the other order, or by lots that were not drawn."""
        for part in self.parts()[1:]:
            published = [order for _, round, order in self.publications if round == part.first - 1 and order]
            if not published:
                continue
            paired, before = self.rounds[part.first - 1], self.parts()[part.number - 1]
            gone = {s for s in self.sides() if self._had_left(s, part.first, paired.seq)}
            seeds = [paired.seed] if paired.seed else range(30)
            due = {self.qualified(published[-1], before, gone, seed) for seed in seeds}
            if len(due) > 1 or (len(part.groups[0]) == 2 and due == {part.groups[0][::-1]}):
                return True
        return False

    def _is_settled(self, pairing: int, seated: tuple[int, ...], due: tuple[int, ...]) -> bool:
        """Whether the seats are those due, or were upheld; two sides meet each other whatever their order."""
        same = set(seated) == set(due) if len(seated) == 2 else seated == due
        return same or self._is_upheld(Due(pairing, 0, seated, due))

    def _had_left(self, side: int, round: int, seq: int) -> bool:
        """Whether all of a side had left before that pairing, by a removal in force."""
        leavings = [self.removal(member, round) for member in self.members(side)]
        return all(leaving is not None and leaving.seq < seq for leaving in leavings)


def _drawn(seed: int, sides: list[int]) -> list[int]:
    """Sides as the lots of a seed put them: the ticket of a number is the SHA-256 of ``seed:number``, the smallest first."""
    return sorted(sides, key=lambda side: sha256(f"{seed}:{side}".encode()).digest())


def _berger_opponent(number: int, round: int, size: int) -> int:
    """The table number that a number meets: in round r of a table of n, i and j meet if i + j = r + 1 (mod n - 1)."""
    cycle = size - 1
    if number == size:
        return next(n for n in range(1, size) if (2 * n - round - 1) % cycle == 0)
    other = (round + 1 - number) % cycle or cycle
    return size if other == number else other


def of_log(events: Iterable[Json]) -> Oracle:
    """The oracle after these events."""
    oracle = Oracle()
    for event in events:
        oracle.tell(event)
    return oracle
