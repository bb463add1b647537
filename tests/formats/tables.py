"""Points, tie-breaks and ranks of a part in which points decide: a Swiss, a table, groups.

Sources: 000-A 瑞士制规则 (破同分 1-4), 002-X 14, 15.1-15.4, 18.4, 20.3, 21.4. What an opponent gives to 小分 is what that
opponent has (所遇每个对手的积分): the events of the matrix set ``ranking.unmet`` to ``nothing``.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import NamedTuple

from tests.formats.brackets import Brackets
from tests.formats.facts import DRAW, TABLES, WIN, remembered
from tests.formats.records import Part

MATCH_WIN, MATCH_DRAW = 4, 2
"""Half-points of a match (002-X 14.2: 2, 1, 0; a walkover is worth 2 by 21.4)."""


class Entry(NamedTuple):
    """One round of a side: the points made, and against whom.

    ``met``: the opponent counts as met; ``won``: a game won; ``void``: no result yet, or an annulled one, which gives nothing.
    """

    round: int
    points: int
    opponent: int = 0
    met: bool = False
    won: bool = False
    game_points: int = 0
    games_won: int = 0
    void: bool = False


class Tables(Brackets):
    """Facts with the tables of all parts in which points decide."""

    @remembered
    def entries(self, side: int, part: Part) -> list[Entry]:
        """The rounds of a side in a part, in order."""
        if self.of_teams:
            return self._team_entries(side, part)
        return [
            self._entry(side, r.number, part) for r in self.rounds if r.part == part.number and r.stage != "play_off"
        ]

    def _entry(self, player: int, number: int, part: Part) -> Entry:
        round = self.rounds[number - 1]
        game = self.game_in(player, number)
        if game is None:
            kind = round.byes.get(player) or self.granted.get((player, number), "Z")
            return Entry(number, {"U": WIN, "F": WIN, "H": DRAW, "Z": 0}[kind])
        mark = self.mark(game.id, player)
        if mark is None or not self.counts(game.id):
            return Entry(number, 0, void=True)
        met = mark.played or self._is_table(part)
        return Entry(number, mark.points, game.other(player), met, mark.points == WIN)

    def _is_table(self, part: Part) -> bool:
        return part.rule.format in TABLES

    def _team_entries(self, team: int, part: Part) -> list[Entry]:
        """A team's matches: game points 局分 decide the match points 场分 (14.2)."""
        entries = []
        for bout in self.bouts_of(part.number):
            if team not in bout.sides or not bout.second:
                continue
            ended = self.complete(bout) and len(bout.legs) >= self.games_due(bout)
            own, other = self.points(bout) if team == bout.first else self.points(bout)[::-1]
            opponent = bout.second if team == bout.first else bout.first
            marks = [self.marks(id) for leg in bout.legs for id in leg.games]
            won = [self._own_mark(id, team) for leg in bout.legs for id in leg.games]
            alone = [p for leg in bout.legs for p in leg.alone if self.team_of[p] == team]
            games_won = sum(mark is not None and mark.points == WIN for mark in won) + len(alone)
            played = bool(own and other) or any(m is not None and (m[0].played or m[1].played) for m in marks)
            worth = 0
            if ended:
                worth = MATCH_WIN if own > other else MATCH_DRAW if own == other and (own or played) else 0
            met = ended and (played or self._is_table(part))
            void = any(self.void(self.members(side)[0], part.number) for side in bout.sides)
            one = Entry(bout.paired, worth, opponent, met, worth == MATCH_WIN, own, games_won)
            entries.append(Entry(bout.paired, 0, void=True) if void else one)
        boards = self.announced["conditions"]["team"]["boards"]
        for round in self.rounds:
            if round.part == part.number and any(round.byes.get(p) == "U" for p in self.members(team)):
                entries.append(Entry(round.number, MATCH_WIN if round.began else 0, game_points=WIN * boards))
        return sorted(entries)

    def _own_mark(self, id: str, team: int):  # type: ignore[no-untyped-def]
        game = self.games[id]
        marks = self.marks(id)
        return None if marks is None else marks[self.team_of[game.black] == team]

    @remembered
    def total(self, side: int, part: Part) -> int:
        return sum(entry.points for entry in self.entries(side, part))

    # ------------------------------------------------------------ order

    def ordered(self, sides: Iterable[int], part: Part, names: tuple[str, ...]) -> list[set[int]]:
        """Sides by points, then by the tie-breaks in turn; those that nothing parts share their place."""
        blocks = _split([set(sides)], lambda side, _: -self.total(side, part))
        return [piece for block in blocks for piece in self.parted(block, part, names)]

    def parted(self, equals: set[int], part: Part, names: tuple[str, ...]) -> list[set[int]]:
        """Equals by the tie-breaks in turn."""
        blocks = [equals]
        for name in names:
            if name == "DE/A":
                blocks = [piece for block in blocks for piece in self._encounter(block, part)]
            elif name in _VALUES:
                value = _VALUES[name]
                blocks = _split(blocks, lambda side, _, value=value: value(self, side, part))  # type: ignore[misc]
        return blocks

    def _encounter(self, tied: set[int], part: Part) -> list[set[int]]:
        """直胜: by the games among those tied, if all of them have met (000-A 破同分 3); those still tied again so."""
        if len(tied) < 2:
            return [tied]
        against: dict[int, dict[int, list[int]]] = {side: {} for side in tied}
        for side in tied:
            for entry in self.entries(side, part):
                if entry.met and entry.opponent in tied:
                    against[side].setdefault(entry.opponent, []).append(entry.points)
        if any(len(met) < len(tied) - 1 for met in against.values()):
            return [tied]
        made = {side: sum(Fraction(sum(m), len(m)) for m in met.values()) for side, met in against.items()}
        pieces = _split([tied], lambda side, _: -made[side])
        return pieces if len(pieces) == 1 else [p for piece in pieces for p in self._encounter_again(piece, part)]

    def _encounter_again(self, tied: set[int], part: Part) -> list[set[int]]:
        return self._encounter(tied, part)

    @remembered
    def opponents_points(self, side: int, part: Part) -> int:
        """对手分, 布什霍尔兹: the sum of the points of each opponent met."""
        return -sum(self.total(entry.opponent, part) for entry in self.entries(side, part) if entry.met)

    @remembered
    def small_points(self, side: int, part: Part) -> int:
        """小分 of a table: the points of opponents beaten, and half of those drawn with."""
        return -sum(self.total(e.opponent, part) * e.points for e in self.entries(side, part) if e.met)

    def progressive(self, side: int, part: Part) -> int:
        """累进分: the points after each round, added up."""
        total = added = 0
        for entry in self.entries(side, part):
            if not entry.void:
                total += entry.points
                added += total
        return -added

    def wins(self, side: int, part: Part) -> int:
        return -sum(entry.won for entry in self.entries(side, part))

    def game_points(self, side: int, part: Part) -> int:
        return -sum(entry.game_points for entry in self.entries(side, part))

    def games_won(self, side: int, part: Part) -> int:
        return -sum(entry.games_won for entry in self.entries(side, part))

    def _rulings_on(self, side: int) -> list[str]:
        own = self.members(side)
        return [id for id, ruling in self.rulings.items() if ruling.player in own and self.in_force(id)]

    def fouls(self, side: int, part: Part) -> int:
        return sum(self.rulings[id].counter == "foul" for id in self._rulings_on(side))

    def barred_times(self, side: int, part: Part) -> int:
        """取消资格, 除名 (18.2, 18.3): the gravest stand last among equals in points (18.4)."""
        kinds = ("set_marks", "exclude", "expel")
        return sum(self._is_misconduct(id) and self.rulings[id].kind in kinds for id in self._rulings_on(side))

    def warnings(self, side: int, part: Part) -> int:
        return sum(self._is_misconduct(id) and self.rulings[id].kind == "warn" for id in self._rulings_on(side))

    def _is_misconduct(self, id: str) -> bool:
        discipline = self.book["ranking"]["discipline"]
        return discipline is not None and self.rulings[id].infraction in discipline["infractions"]


Value = Callable[[Tables, int, Part], int]
_VALUES: dict[str, Value] = {
    "BH": Tables.opponents_points,
    "SB": Tables.small_points,
    "PS": Tables.progressive,
    "WIN": Tables.wins,
    "GPTS": Tables.game_points,
    "WIN:GP": Tables.games_won,
    "FOULS": Tables.fouls,
    "BARRED": Tables.barred_times,
    "WARNED": Tables.warnings,
}


def _split(blocks: Iterable[set[int]], key: Callable[[int, int], object]) -> list[set[int]]:
    """Each block by key, the smaller first."""
    pieces = []
    for block in blocks:
        if len(block) == 1:
            pieces.append(block)
            continue
        keys = {side: key(side, 0) for side in block}
        pieces += [{side for side in block if keys[side] == k} for k in sorted(set(keys.values()))]  # type: ignore[type-var]
    return pieces
