"""The record book that a test keeps of an event by hand: results as they were typed, and ranks from the printed rules alone.

Ranks are those of xiangqi (002-X 15.2): points, 对手分, games won, fewer fouls. Players still equal share a place. 对手分 is read
from FIDE C.07 by `tests.tiebreaks.oracle`, which shares no code with the product.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from tests.tiebreaks.oracle import HALF, Event, Round, buchholz

Pair = tuple[int, int]
POINTS = {"1": Fraction(1), "=": HALF, "0": Fraction(0), "+": Fraction(1), "-": Fraction(0)}
OPPOSITE = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}


@dataclass
class RecordBook:
    """The rounds of an event: the pairs at their boards, the byes (U and Z), and the results of the boards."""

    players: int
    pairs: list[dict[int, Pair]] = field(default_factory=list)
    byes: list[dict[int, str]] = field(default_factory=list)
    results: list[dict[int, str]] = field(default_factory=list)
    fouls: Counter[int] = field(default_factory=Counter)

    def pair(self, pairs: dict[int, Pair], byes: dict[int, str]) -> None:
        """Write the next round. Every player has one seat or one bye."""
        seated = sorted([player for pair in pairs.values() for player in pair] + [*byes])
        assert seated == [*range(1, self.players + 1)], "each player once"
        assert not {frozenset(pair) for pair in pairs.values()} & {
            frozenset(pair) for earlier in self.pairs for pair in earlier.values()
        }, "no two meet twice"
        self.pairs.append(pairs)
        self.byes.append(byes)
        self.results.append({})

    def result(self, board: int, result: str, round: int | None = None) -> None:
        """Write the result of a board as the side on the left has it: 1, =, 0, + or -. ``round``: by default the last."""
        self.results[round - 1 if round else -1][board] = result

    def ranks(self) -> dict[int, int]:
        """Return the rank of each player after the rounds that are paired."""
        event = self._event()
        order = {player: self._order(event, player) for player in event.rounds}
        return {player: 1 + sum(other < own for other in order.values()) for player, own in order.items()}

    def points(self, player: int) -> Fraction:
        return self._event().score(player)

    def _order(self, event: Event, player: int) -> tuple[Fraction, Fraction, int, int]:
        won = sum(r.points == 1 for r in event.rounds[player] if r.how in ("played", "forfeit"))
        return -event.score(player), -buchholz(event, player), -won, self.fouls[player]

    def _event(self) -> Event:
        rounds: dict[int, list[Round]] = {player: [] for player in range(1, self.players + 1)}
        for pairs, byes, results in zip(self.pairs, self.byes, self.results, strict=True):
            for board, (red, black) in pairs.items():
                for player, opponent, own in ((red, black, results[board]), (black, red, OPPOSITE[results[board]])):
                    how = "forfeit" if own in "+-" else "played"
                    rounds[player].append(Round(how, POINTS[own], opponent, player == black))
            for player, bye in byes.items():
                rounds[player].append(Round(bye, Fraction(bye == "U")))
        return Event({player: tuple(played) for player, played in rounds.items()}, dict.fromkeys(rounds))
