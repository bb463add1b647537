"""Tie-breaks of teams held against gacrux's, on random team Swisses with byes and forfeits."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from services.standings.rules.teams.table import team_standings
from tests.gacrux_table import parsed, values
from tests.rules.team_hall import RESULTS, TeamHall

NAMES = (
    *("MPTS", "GPTS", "BH", "BH:GP", "BH/C1", "BH:GP/C1", "BH/C2", "BH/M1", "BH:GP/M2", "FB", "FB:GP"),
    *("SB", "SB:GP", "SB/C1", "PS", "PS:GP", "PS/C1", "WIN", "WON", "REP"),
    *("EMMSB", "EMGSB", "EGMSB", "EGGSB", "EMMSB/C1", "EMGSB/C1", "EGMSB/C1", "EGGSB/C1"),
)
"""Koya is left out: gacrux counts matches by forfeit as games, which only a round robin does (C.07 15.2)."""
LETTERS = {(True, 2): "1", (True, 1): "=", (True, 0): "0", (False, 2): "+", (False, 0): "-"}


class Told:
    """One tournament in two ways: as lines of a log, and as a TRF26."""

    def __init__(self, seed: int) -> None:
        rng = Random(seed)
        self.teams, self.boards, rounds = rng.randint(4, 7), rng.randint(2, 4), rng.randint(3, 5)
        self.hall = TeamHall(self.teams, boards=self.boards, book="fide-2026")
        self.cells: dict[int, list[str]] = {p: [] for p in self.hall.t.players}
        self.byes: list[int] = []
        self.met: set[frozenset[int]] = set()
        for _ in range(rounds):
            self._round(rng)

    def _round(self, rng: Random) -> None:
        bye, order = self._drawn(rng)
        if not order:
            return
        told = []
        for one, other in zip(order[::2], order[1::2], strict=True):
            marks = (
                "+" * self.boards
                if rng.random() < 0.1
                else "".join(rng.choices("1=0+-x", (8, 6, 8, 1, 1, 1), k=self.boards))
            )
            told.append(f"{one}-{other} {marks}")
            for n, mark in enumerate(marks, 1):
                (own, played), (against, _) = RESULTS[mark]
                self._cell(10 * one + n, 10 * other + n, "w" if n % 2 else "b", played, own)
                self._cell(10 * other + n, 10 * one + n, "b" if n % 2 else "w", played, against)
        for n in range(1, self.boards + 1) if bye else ():
            self.cells[10 * bye + n].append(" " * 10)
        self.byes.append(bye)
        self.hall.round(*told, bye=bye)

    def _drawn(self, rng: Random) -> tuple[int, list[int]]:
        """Who has the bye (0: nobody) and who meets whom, nobody twice; nothing where no such round was found."""
        order = list(range(1, self.teams + 1))
        for _ in range(200):
            rng.shuffle(order)
            bye, rest = (order[0], order[1:]) if self.teams % 2 else (0, order)
            pairs = {frozenset(pair) for pair in zip(rest[::2], rest[1::2], strict=True)}
            if not pairs & self.met and (not bye or bye not in self.byes):
                self.met |= pairs
                return bye, list(rest)
        return 0, []

    def _cell(self, player: int, opponent: int, colour: str, played: bool, points: int) -> None:
        self.cells[player].append(f"  {self._number(opponent):>4} {colour} {LETTERS[played, points]}")

    def _number(self, player: int) -> int:
        """Players are numbered without gaps in a TRF."""
        return (player // 10 - 1) * self.boards + player % 10

    def trf(self) -> str:
        lines = [
            "012 Teams",
            f"142 {len(self.byes)}",
            "192 FIDE_TEAM_MP_GP",
            "352 " + ("WB" * 3)[: self.boards],
            "362 TW 2.0   TD 1.0   TL 0.0",
        ]
        for p, cells in self.cells.items():
            number = self._number(p)
            name = f"P{p}, X"
            lines.append(
                f"001 {number:>4}      {name:<33} {2500 - p:>4} {'':26} {0:>4.1f} {number:>4}" + "".join(cells)
            )
        for team in range(1, self.teams + 1):
            members = "".join(f" {self._number(10 * team + n):>4}" for n in range(1, self.boards + 1))
            lines.append(f"310 {team:>3} {f'Team {team}':<32} {'':5} {'':6} {0:>6.1f} {0:>6.1f} {team:>3} " + members)
        if any(self.byes):
            lines.append(f"320 {1:>4.1f} {self.boards / 2:>4.1f} " + " ".join(f"{bye:03}" for bye in self.byes))
        return "\n".join(lines) + "\n"


def ours(told: Told) -> dict[int, dict[str, Fraction | None]]:
    table = team_standings(told.hall.t, NAMES, rules="2026")
    return {
        row.team: {n: None if v.quarters is None else Fraction(v.quarters) / 4 for n, v in row.values.items()}
        for row in table.rows
    }


def differences(seed: int) -> Iterator[tuple[int, str, Any, Any]]:
    told = Told(seed)
    theirs = values(parsed(told.trf()), NAMES, rules="2026")
    for team, mine in ours(told).items():
        for name in NAMES:
            if mine[name] != theirs[team][1][name]:
                yield team, name, mine[name], theirs[team][1][name]


@pytest.mark.parametrize("seed", range(100))
def test_every_value_agrees(seed: int):
    assert list(differences(seed)) == []


@pytest.mark.parametrize("names", [("DE",), ("EDE",), ("GPTS", "TBR"), ("GPTS", "BBE"), ("GPTS", "BC")])
def test_every_rank_agrees(names: tuple[str, ...]):
    """Board count parts only teams with the same game points (C.07 12.1)."""
    for seed in range(60):
        told = Told(seed)
        theirs = values(parsed(told.trf()), names, rules="2026")
        mine = {row.team: row.rank for row in team_standings(told.hall.t, names, rules="2026").rows}
        assert mine == {team: rank for team, (rank, _) in theirs.items()}, seed
