"""Accelerated rounds, held against what gacrux makes of the same file by itself."""

import random
from dataclasses import replace

import pytest
from msgspec import structs

from deploy.cli.demo.simulation import Shares, simulated
from deploy.cli.trf.trf_pairing import as_lists, own_pairing
from services.standings.files.trf.export import trf_of
from services.standings.files.trf.to_events import tournament_of
from shared.core.readings.scoring import scores
from shared.core.terms import Refusal
from shared.trf.model.model import TrfFile
from shared.trf.reader import read
from shared.trf.writer import write
from tests.gacrux_table import parsed

ROUNDS = 5


def accelerated(seed: int, before: int, *, records: str) -> TrfFile:
    """A tournament as it was before a round, with these records."""
    chance = random.Random(seed)
    t, _ = simulated(chance.randint(8, 20), ROUNDS, chance, Shares(forfeits=0.05, byes=0.05))
    lines = [x for x in write(trf_of(t, None, "26")).decode().splitlines() if not x.startswith("240")]
    cut = [x[: 89 + 10 * (before - 1)].rstrip() if x.startswith("001") else x for x in lines]
    file = read("\n".join([*cut, records]).encode(), f"seed {seed}")
    won = scores(tournament_of(file, rounds=ROUNDS))
    return replace(
        file, players=tuple(structs.replace(p, points=f"{won[p.id].points / 2:.1f}", rank="") for p in file.players)
    )


def ours(file: TrfFile, round: int) -> list[list[int]]:
    made = own_pairing(file, tournament_of(file, rounds=ROUNDS), round)
    assert not isinstance(made, Refusal), made
    return as_lists(*made)


def gacrux(file: TrfFile, round: int) -> list[list[int]]:
    from gacrux.pairingdutch import pairing_dutch

    reckoning = pairing_dutch(
        parsed(write(file).decode()), round, {"experimental": [], "verbose": 0, "top_color": None}
    )
    pairs = [p for bracket in reckoning.compute_pairing(False, 0) for p in bracket["pairs"]]
    return [[p["w"], p["b"]] for p in sorted(pairs, key=lambda p: int(p["board"]))]


@pytest.mark.parametrize("round", [1, 2, 3, 4])
def test_virtual_points_pair_as_gacrux_pairs_with_them(round: int) -> None:
    records = "250       1.0   1   2    1    4\n250       0.5   3   4    1    4\n"
    others = 0
    for seed in range(8):
        file = accelerated(seed, round, records=records)
        if file.next_round == round:
            assert sorted(ours(file, round)) == sorted(gacrux(file, round)), f"seed {seed}"
            others += ours(file, round) != ours(accelerated(seed, round, records=""), round)
    assert others > 0, "virtual points changed no pairing at all"
