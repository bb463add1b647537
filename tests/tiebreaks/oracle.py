"""Tie-breaks read from the text of FIDE C.07 alone, of players: slow, plain, and with nothing of the product's.

A round is a `Round`; points are fractions of a point. Readings where the text leaves a choice stand where they are made.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from gacrux.fidetables import DiffToPd, ScoreToDp

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Round:
    """``how``: played, forfeit (won or lost unplayed), U, F, H, Z (byes; Z also for who is not there)."""

    how: str
    points: Fraction = Fraction(0)
    opponent: int = 0
    black: bool = False


@dataclass(frozen=True)
class Event:
    """Everybody's rounds, ratings and pairing numbers; what a win and a draw give; the edition of C.07."""

    rounds: dict[int, tuple[Round, ...]]
    ratings: dict[int, int | None]
    win: Fraction = Fraction(1)
    draw: Fraction = HALF
    edition: str = "2026"
    round_robin: bool = False
    published: int | None = None
    """A rating for who has none."""

    def score(self, p: int) -> Fraction:
        return sum((r.points for r in self.rounds[p]), Fraction(0))

    def with_last_round_drawn(self) -> "Event":
        """8.3: all paired games of the last round as drawn."""
        drawn = {
            p: (*rs[:-1], Round("played", self.draw, rs[-1].opponent, rs[-1].black)) if rs and rs[-1].opponent else rs
            for p, rs in self.rounds.items()
        }
        return replace(self, rounds=drawn)


# ---------------------------------------------------------------- article 16


def requested(r: Round) -> bool:  # 16.1.1
    return r.how in ("H", "Z")


def vur(e: Event, r: Round) -> bool:  # 16.1.2
    return requested(r) or (r.how == "forfeit" and r.points < e.win)


def adjusted(e: Event, p: int) -> Fraction:
    """16.3: what a participant gives to opponents. Forfeits are what they are, whatever /P says of the own ones."""
    rs = e.rounds[p]
    if e.round_robin:
        return e.score(p)
    total = Fraction(0)
    for n, r in enumerate(rs):
        last = requested(r) and all(vur(e, later) for later in rs[n + 1 :])  # 16.2.5
        total += e.draw if last else r.points
    return total


@dataclass(frozen=True)
class Share:
    """An element of a sum: the opponent's score, what it gives, and whether it came of a voluntarily unplayed round."""

    score: Fraction
    worth: Fraction
    vur: bool


def shares(e: Event, p: int, *, times_points: bool, forfeits: bool, given: Event | None = None) -> list[Share]:
    """Of Buchholz (8.1) and Sonneborn-Berger (9.1); ``forfeits``: /P, as games with the opponent that was meant.

    ``given``: the event whose scores the opponents give, where they are others (13.2).
    """
    given = given or e
    own, out = given.score(p), []
    for r in e.rounds[p]:
        if r.how == "played" or (r.how == "forfeit" and (forfeits or e.round_robin)):
            score, unplayed = adjusted(given, r.opponent), False
        elif e.round_robin:
            continue
        else:
            score, unplayed = own, vur(e, r)
            if e.edition == "2026":
                cap = adjusted(given, r.opponent) if r.how == "forfeit" else given.draw * len(e.rounds[p])
                score = min(score, cap)
        out.append(Share(score, score * r.points if times_points else score, unplayed))
    return out


def cut(elements: list[Share], low: int, high: int) -> Fraction:
    """14.1-14.4 with the exception of 16.5; of equal contributions that of the lower score goes first."""
    left = list(elements)
    for _ in range(low):
        if left:
            least = min(left, key=lambda s: (s.score, s.worth))
            unplayed = min((s for s in left if s.vur), key=lambda s: (s.worth, s.score), default=None)
            left.remove(unplayed if unplayed is not None and unplayed.worth >= least.worth else least)
    for _ in range(high):
        if left:
            left.remove(max(left, key=lambda s: (s.score, s.worth)))
    return sum((s.worth for s in left), Fraction(0))


# ---------------------------------------------------------------- values


def met(e: Event, p: int) -> list[Round]:
    """Rounds over the board."""
    return [r for r in e.rounds[p] if r.how == "played"]


def as_games(e: Event, p: int) -> list[Round]:
    """9.2 with 15.2: in a round robin forfeits are games too."""
    return [r for r in e.rounds[p] if r.how == "played" or (e.round_robin and r.how == "forfeit")]


def ratings_of(e: Event, p: int) -> list[int] | None:
    """None where somebody is unrated and nothing was published (10)."""
    if e.published is None and None in e.ratings.values():
        return None
    return [e.ratings[r.opponent] or e.published or 0 for r in met(e, p)]


def half_up(value: Fraction) -> int:
    return int(value + HALF) if value >= 0 else -int(-value + HALF)


def mean(values: Sequence[Any]) -> Fraction | None:
    return sum((Fraction(v) for v in values), Fraction(0)) / len(values) if values else None


def made(e: Event, p: int) -> Fraction:
    """Points of a standard game."""
    return sum(
        (Fraction(1) if r.points == e.win else HALF if r.points == e.draw else Fraction(0) for r in met(e, p)),
        Fraction(0),
    )


def average(e: Event, p: int, low: int = 0, high: int = 0) -> int | None:
    ratings = sorted(ratings_of(e, p) or [])
    left = ratings[low : len(ratings) - high] if low + high < len(ratings) else []
    value = mean(left)
    return None if value is None else half_up(value)


def performance(e: Event, p: int) -> int | None:
    ratings = ratings_of(e, p)
    if not ratings:
        return None
    hundredths = half_up(100 * made(e, p) / len(ratings))
    return int(average(e, p) or 0) + int(ScoreToDp[hundredths])


def expected(difference: int) -> int:
    share = int(DiffToPd[min(abs(difference), 800)])
    return share if difference >= 0 else 100 - share


def perfect(e: Event, p: int) -> int | None:
    ratings = ratings_of(e, p)
    if not ratings:
        return None
    points = 100 * made(e, p)
    if points == 0:
        return min(ratings) - 800
    return next(
        r for r in range(min(ratings) - 801, max(ratings) + 802) if sum(expected(r - one) for one in ratings) >= points
    )


def buchholz(e: Event, p: int, low: int = 0, high: int = 0, *, forfeits: bool = False) -> Fraction:
    return cut(shares(e, p, times_points=False, forfeits=forfeits), low, high)


def standard(e: Event, p: int) -> Fraction:
    """7.7; a forfeit is a round without playing, whatever the opponent has of it."""
    total = Fraction(0)
    for n, r in enumerate(e.rounds[p]):
        against = e.rounds[r.opponent][n].points if r.how == "played" else e.draw
        total += 1 if r.points > against else HALF if r.points == against else 0
    return total


def koya(e: Event, p: int, limit: int) -> Fraction:
    """Possible is a win in every round; in a round robin in every game that the table has for the opponent."""
    total = Fraction(0)
    for r in as_games(e, p):
        games = len([x for x in e.rounds[r.opponent] if x.opponent]) if e.round_robin else len(e.rounds[p])
        if e.score(r.opponent) >= e.win * games / 2 + Fraction(limit, 2):
            total += r.points
    return total


def value(e: Event, p: int, code: str) -> Fraction | int | None:
    """The value of a code that does not depend on who is tied."""
    base, *modifiers = code.split("/")
    n = {m[0]: int(m[1:] or 1) for m in modifiers}
    low, high, forfeits = n.get("C", 0) or n.get("M", 0), n.get("M", 0), "P" in n
    rs = e.rounds[p]
    match base:
        case "PTS":
            return e.score(p)
        case "BH":
            return buchholz(e, p, low, high, forfeits=forfeits)
        case "FB":
            return buchholz(e.with_last_round_drawn(), p, low, high, forfeits=forfeits)
        case "AOB":
            of = e.with_last_round_drawn() if "F" in n else e
            return mean([buchholz(of, r.opponent) for r in met(e, p)])
        case "SB":
            return cut(shares(e, p, times_points=True, forfeits=forfeits), low, 0)
        case "PS":
            return sum((sum((x.points for x in rs[: k + 1]), Fraction(0)) for k in range(low, len(rs))), Fraction(0))
        case "WIN":
            return sum(r.points == e.win for r in rs)
        case "WON":
            return sum(r.points == e.win for r in met(e, p))
        case "BPG":
            return sum(r.black for r in met(e, p))
        case "BWG":
            return sum(r.black and r.points == e.win for r in met(e, p))
        case "REP" | "GE":
            return len(rs) - sum(vur(e, r) for r in rs)
        case "STD":
            return standard(e, p)
        case "TPN" | "SNO":
            return p
        case "KS":
            return koya(e, p, n.get("L", 0))
        case "ARO":
            return average(e, p, low, high)
        case "TPR":
            return performance(e, p)
        case "PTP":
            return perfect(e, p)
        case "APRO" | "APPO":
            of_one = performance if base == "APRO" else perfect
            values = [of_one(e, r.opponent) for r in met(e, p)]
            average_of = None if not values or None in values else mean(values)
            return None if average_of is None else half_up(average_of)
        case "RTNG":
            known = e.published is not None or None not in e.ratings.values()
            return (e.ratings[p] or e.published) if known else None
    raise AssertionError(code)


# ---------------------------------------------------------------- direct encounter


def mutual(e: Event, group: Sequence[int], *, forfeits: bool = False) -> dict[int, tuple[Fraction, int]]:
    """6.1: of each the points made in the group (of several games with one the mean, 6.1.2), and how many were not met."""
    table = {}
    for p in group:
        games: dict[int, list[Fraction]] = {}
        for r in e.rounds[p]:
            counts = r.how == "played" or (r.how == "forfeit" and (forfeits or e.round_robin))
            if counts and r.opponent in group:
                games.setdefault(r.opponent, []).append(r.points)
        points = sum((sum(made, Fraction(0)) / len(made) for made in games.values()), Fraction(0))
        table[p] = (points, len(group) - 1 - len(games))
    return table


def encounter(e: Event, group: Sequence[int], *, forfeits: bool = False) -> list[list[int]]:
    """Article 6: the group in order, who cannot be told apart together."""
    if len(group) == 1:
        return [list(group)]
    table = mutual(e, group, forfeits=forfeits)
    if all(missing == 0 for _, missing in table.values()):  # 6.2
        points = sorted({points for points, _ in table.values()}, reverse=True)
        parts = [[p for p in group if table[p][0] == x] for x in points]
        if len(parts) == 1:
            return [list(group)]
        return [one for part in parts for one in encounter(e, part, forfeits=forfeits)]
    first = [  # 6.3: whatever the missing games bring
        p for p in group if all(table[p][0] > table[q][0] + table[q][1] * e.win for q in group if q != p)
    ]
    if not first:
        return [list(group)]
    return [first, *encounter(e, [p for p in group if p not in first], forfeits=forfeits)]


def places(order: Sequence[Sequence[int]]) -> dict[int, int]:
    """The place of each, from 1."""
    out, place = {}, 1
    for part in order:
        out.update(dict.fromkeys(part, place))
        place += len(part)
    return out
