"""A round of the Dutch Swiss in CPU seconds: ours to bbpPairings', which ``ARBITER_BBP`` names. Less is better.

``python -m tests.bench.pairing [PLAYERS…]``: what rounds 2 and 7 of large fields take, alone; of 1,000 and 2,000 where none is
said. With ``ARBITER_BBP`` beside that program, which takes minutes; the figures are recorded.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from deploy.cli.demo.simulation import Shares, simulated
from services.pairing.rules.engine_adapters import gacrux_1_11_65 as gacrux
from services.pairing.rules.pairing_input import input_of
from shared.desk.computations.computations import COMPUTING
from tests.bench.measure import HEAD, Ratio, of_turns
from tests.figures.store import record_ratio
from tests.pairings.second_program import state_of

ROUNDS = ((7, 100, 1), (7, 300, 1), (7, 500, 0.5), (2, 300, 2), (2, 500, 1))
"""Round, players, and how many times the CPU seconds of bbpPairings it may take."""
TOLD = (1000, 2000)
"""Players of fields of which rounds 2 and 7 are told, and nothing is promised."""
_TURNS = 3
_DEAREST_OF = 6
"""Fields that are looked at for a round that costs much: most second rounds cost little."""


def benchmarks() -> Iterator[Ratio]:
    program = os.environ.get("ARBITER_BBP")
    if program is None:
        print("NOT MEASURED HERE: a round beside bbpPairings; ARBITER_BBP names no program", file=sys.stderr)
        return
    for round, players, most in ROUNDS:
        yield _ratio(Path(program), round, players, most)
    for players in TOLD:
        yield from large(players, Path(program))


def large(players: int, program: Path | None = None) -> Iterator[Ratio]:
    """Rounds 2 and 7 of one large field, each once: to the time that a computation has, or to a program, which takes minutes."""
    t, names = simulated(players, 7, Random(1), Shares(forfeits=0.03, fouls=0.02))
    for round in (2, 7):
        paired = t.current(round)
        assert paired is not None
        start = input_of(t, round, paired.event.initial_colour)
        theirs = COMPUTING.seconds if program is None else _theirs(program, state_of(1, t, names, round).file)
        turn = (1 / _seconds(lambda: gacrux.pair(start)), 1 / theirs)  # noqa: B023 - called at once
        beside = "to the time that it has" if program is None else "to bbpPairings"
        yield of_turns(f"round {round} of {players:,}, {beside}", "rounds/s", 0, [turn])


def _ratio(program: Path, round: int, players: int, most: float) -> Ratio:
    """How many times as fast: 1 / ``most`` is promised."""
    dearest = 0.0
    for seed in range(1, _DEAREST_OF + 1):
        t, names = simulated(players, round, Random(seed), Shares(forfeits=0.03, fouls=0.02, byes=0.02 * (seed % 2)))
        paired = t.current(round)
        assert paired is not None
        start = input_of(t, round, paired.event.initial_colour)
        seconds = _seconds(lambda: gacrux.pair(start))  # noqa: B023 - called at once
        if seconds > dearest:
            dearest, chosen, file = seconds, start, state_of(seed, t, names, round).file
    turns = [(1 / _seconds(lambda: gacrux.pair(chosen)), 1 / _theirs(program, file)) for _ in range(_TURNS)]
    return of_turns(f"round {round} of {players} players, to bbpPairings", "rounds/s", 1 / most, turns)


def _seconds(work: object) -> float:
    assert callable(work)
    began = time.process_time()
    work()
    return time.process_time() - began


def _theirs(program: Path, file: bytes) -> float:
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        state = Path(folder) / "state.trf"
        state.write_bytes(file)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "--dutch", state, "-p"], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    program = os.environ.get("ARBITER_BBP")
    print(HEAD)
    for players in map(int, sys.argv[1:] or TOLD):
        for ratio in large(players, Path(program) if program else None):
            print(ratio, flush=True)
            record_ratio(ratio)
            print(f"{'':<48} {1 / ratio.ours:.1f} s of CPU, {1 / ratio.floor:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
