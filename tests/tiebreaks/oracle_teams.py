"""Tie-breaks of teams read from the text of FIDE C.07 11-13: a team is a participant of one event in match points and of
another in game points."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.tiebreaks import oracle
from tests.tiebreaks.oracle import Event, Round

Order = list[list[int]]


@dataclass(frozen=True)
class TeamEvent:
    """``boards``: of each team, round by round, the points made on each board (12: of a bye, those of a win)."""

    matches: Event
    games: Event
    singles: dict[int, list[Round]]
    boards: dict[int, list[list[Fraction]]]

    def of(self, score: str) -> Event:
        return self.games if score == "GP" else self.matches


def value(e: TeamEvent, team: int, code: str) -> Fraction | int | None:
    """The value of a code that does not depend on who is tied."""
    head, *modifiers = code.split("/")
    base, _, score = head.partition(":")
    ends = "".join(f"/{m}" for m in modifiers)
    n = {m[0]: int(m[1:] or 1) for m in modifiers}
    if base in ("PTS", "MPTS"):
        return e.matches.score(team)
    if base in ("GPTS", "MPvGP"):
        return e.games.score(team)
    if base in ("WIN", "WON", "BPG", "BWG") and score == "GP":
        return _of_games(e, team, base)
    if base == "BC":  # 12.1
        rounds = e.boards[team]
        return sum((k * points for made in rounds for k, points in enumerate(made, 1)), Fraction(0))
    if len(base) == 5 and base.endswith("SB"):  # 13.2
        totals, rounds_of = (e.matches if letter == "M" else e.games for letter in base[1:3])
        sums = oracle.shares(rounds_of, team, times_points=True, forfeits="P" in n, given=totals)
        return oracle.cut(sums, n.get("C", 0), 0)
    if base == "SSSC":  # 13.4
        rounds = len(e.matches.rounds[team])
        factor = n.get("K") or max(int(e.matches.win * rounds / e.games.win), 1)
        field = e.matches.with_last_round_drawn() if "F" in n else e.matches
        return e.games.score(team) + oracle.buchholz(field, team, forfeits="P" in n) / factor
    return oracle.value(e.of(score), team, base + ends)


def _of_games(e: TeamEvent, team: int, base: str) -> int:
    games = e.singles[team]
    if base == "WIN":
        return sum(r.points == 1 for r in games)
    played = [r for r in games if r.how == "played"]
    won = {"WON": lambda r: r.points == 1, "BPG": lambda r: r.black, "BWG": lambda r: r.black and r.points == 1}[base]
    return sum(bool(won(r)) for r in played)


def order(e: TeamEvent, tied: Sequence[int], code: str) -> Order:
    """Those who are tied in the order of a code that depends on who is tied."""
    head, *modifiers = code.split("/")
    base, _, score = head.partition(":")
    forfeits = "P" in modifiers
    if base == "DE":
        return oracle.encounter(e.of(score), tied, forfeits=forfeits)
    if base in ("TBR", "BBE"):
        totals = {t: [sum(column, Fraction(0)) for column in zip(*e.boards[t], strict=True)] for t in tied}
        return _sorted(tied, {t: _down(base[0], totals[t]) for t in tied})
    assert base.startswith("EDE"), code
    return _extended(
        e, list(tied), {"EDE": "", "EDEBT": "CT", "EDEBB": "CB", "EDET": "T", "EDEB": "B"}[base], forfeits=forfeits
    )


def _down(which: str, made: Sequence[Fraction]) -> list[Fraction]:
    """What is the less the better: 12.2 from the top board down, 12.3 without the bottom one, the bottom two, …"""
    if which == "T":
        return [-points for points in made]
    return [-sum(made[:kept], Fraction(0)) for kept in range(len(made) - 1, 0, -1)]


def _sorted(group: Sequence[int], keys: dict[int, list[Fraction]]) -> Order:
    distinct = sorted({tuple(k) for k in keys.values()})
    return [[t for t in group if tuple(keys[t]) == key] for key in distinct]


def _extended(e: TeamEvent, group: list[int], boards: str, *, forfeits: bool) -> Order:
    """13.3: by the primary score, else by the secondary; two who are equal in both by the boards of their match (13.3.2);
    anew in every subset (13.3.3)."""
    if len(group) == 1:
        return [group]
    for event in (e.matches, e.games):
        parts = oracle.encounter(event, group, forfeits=forfeits)
        if len(parts) > 1:
            return [one for part in parts for one in _extended(e, part, boards, forfeits=forfeits)]
    if len(group) == 2 and boards:
        parts = _sorted(
            group, {t: _by_boards(e, t, group[1 - n], boards, forfeits=forfeits) for n, t in enumerate(group)}
        )
        if len(parts) > 1:
            return parts
    return [group]


def _by_boards(e: TeamEvent, team: int, other: int, boards: str, *, forfeits: bool) -> list[Fraction]:
    met = [
        made
        for r, made in zip(e.matches.rounds[team], e.boards[team], strict=True)
        if r.opponent == other and (r.how == "played" or forfeits)
    ]
    means = [sum(column, Fraction(0)) / len(met) for column in zip(*met, strict=True)]
    keys: list[Fraction] = []
    for which in boards:
        keys += [sum((k * x for k, x in enumerate(means, 1)), Fraction(0))] if which == "C" else _down(which, means)
    return keys
