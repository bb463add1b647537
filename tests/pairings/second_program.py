"""bbpPairings beside our Dutch Swiss: who meets whom, with which colours, on which boards.

Simulated tournaments are cut before each round and given to the other program as the file that it reads. Its answers to a few
hundred of them are kept (``bbp_pairings.json``), so that they are compared where it is not at hand.
"""

import hashlib
import json
import random
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from deploy.cli.demo.simulation import Shares, simulated
from deploy.cli.trf.trf_pairing import as_lists, own_pairing
from deploy.failure import Failure
from services.pairing.rules.engine_adapters.record import PairingInput
from services.pairing.rules.pairing_input import input_of
from services.standings.files.trf.export import trf_of
from services.standings.files.trf.to_events import tournament_of
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.trf.reader import read
from shared.trf.writer import write

ANSWERS = Path(__file__).with_name("bbp_pairings.json")
ANSWERS_2017 = Path(__file__).with_name("bbp_pairings_2017.json")
"""Of the program when it paired by the Dutch rules of 2017, as it did before 6.0 (``src/swisssystems/dutch.cpp`` of 9a307f8)."""
SIZES = (4, 5, 6, 7, 8, 9, 13, 20, 31, 40, 60, 101)
SCORES = {"1": 2, "+": 2, "U": 2, "F": 2, "W": 2, "=": 1, "H": 1, "D": 1}
_FIRST_CELL, _CELL = 91, 10
_POINTS = slice(80, 84)
_ASKED, _AWAY = ("H", "Z", "F"), "0000 - Z"
BYE_TO_WHO_MAY_NOT = "it gives the bye to who may not have it (C2)"
"""The faults of 6.0 that are known."""

Pairs = list[tuple[int, int]]


@dataclass(frozen=True)
class State:
    """A tournament before one of its rounds: the file, and the pairing that we made of it, (white, black) by board."""

    seed: int
    round: int
    file: bytes
    ours: Pairs
    had_bye: frozenset[int]
    """Who may have no bye any more."""

    def digest(self, answer: "Pairs | str") -> str:
        """Of the file and what was answered."""
        return hashlib.sha256(self.file + json.dumps(answer).encode()).hexdigest()[:20]


def states(seed: int) -> Iterator[State]:
    """The rounds of a tournament of that seed; none where it comes to a round for which there is no pairing."""
    made = _tournament(seed)
    if made is not None:
        yield from (state_of(seed, *made, number) for number in range(1, made[0].rounds_paired() + 1))


def accelerated(seed: int) -> Iterator[State]:
    """These rounds as the upper half is given a point in the first two rounds, and half a point in the third."""
    yield from _paired_anew(replace(state, file=state.file + _given(state)) for state in states(seed))


def of_2017(seed: int) -> Iterator[State]:
    """These rounds as those of an event that began in 2025, without and with acceleration."""
    for state in states(seed):
        before = replace(state, file=b"042 2025/06/01\n" + state.file)
        yield from _paired_anew((before, replace(before, file=before.file + _given(state))))


def _given(state: State) -> bytes:
    """The virtual points of the upper half."""
    players = [int(line[4:8]) for line in state.file.splitlines() if line.startswith(b"001")]
    upper = sorted(players)[: (len(players) + 1) // 2]
    return "".join(f"XXA {n:4d}  1.0  1.0  0.5\n" for n in upper).encode()


def _paired_anew(changed: Iterable[State]) -> Iterator[State]:
    """States of which the file was changed, as we pair them then; none where there is no pairing."""
    for state in changed:
        file = read(state.file, f"seed {state.seed}")
        made = own_pairing(file, tournament_of(file), state.round)
        if not isinstance(made, Refusal):
            yield replace(state, ours=[(white, black) for white, black in as_lists(*made)])


def inputs(seed: int) -> Iterator[PairingInput]:
    """What an engine is given for each of these rounds."""
    made = _tournament(seed)
    for number in range(1, made[0].rounds_paired() + 1) if made else ():
        paired = made[0].current(number) if made else None
        assert made is not None and paired is not None
        yield input_of(made[0], number, paired.event.initial_colour)


@lru_cache(maxsize=1)
def _tournament(seed: int) -> tuple[Tournament, dict[str, str]] | None:
    chance = random.Random(seed)
    players = chance.choice(SIZES)
    rounds = chance.randint(3, min(9, max(3, players - 2)))
    shares = Shares(
        forfeits=chance.choice((0.0, 0.05, 0.2)),
        byes=chance.choice((0.0, 0.1, 0.3)),
        withdrawals=chance.choice((0.0, 0.05)),
        late=chance.choice((0.0, 0.1)),
    )
    try:
        return simulated(players, rounds, chance, shares)
    except Failure:
        return None


def state_of(seed: int, t: Tournament, names: dict[str, str], number: int) -> State:
    """A tournament, with what its players are called, before a round that it has."""
    paired = t.current(number)
    assert paired is not None and t.announced is not None
    ours = [(int(b.white), int(b.black)) for b in paired.event.boards]
    ours += [(int(seat.player), 0) for seat in paired.event.byes if seat.kind == "U"]
    lines = write(trf_of(t, names)).splitlines()
    cut = [_cut(line, number) for line in lines if line.startswith(b"001")]
    barred = frozenset(int(line[4:8]) for line in cut if _barred(line))
    head = [b"012 a tournament", b"XXR %d" % t.announced.rounds, b"XXC %b1" % paired.event.initial_colour.encode()]
    return State(seed, number, b"\n".join([*head, *cut]) + b"\n", ours, barred)


def _cells(line: bytes) -> list[str]:
    """A player's rounds, as ``12 w 1``; blank where he was not entered yet."""
    return [line[at : at + _CELL].decode().strip() for at in range(_FIRST_CELL, len(line), _CELL)]


def _cut(line: bytes, number: int) -> bytes:
    """A player's line as it was before the round: the rounds before it, and the bye that was asked for."""
    cells = [cell or _AWAY for cell in _cells(line)]
    kept = cells[: number - 1] + [_AWAY] * (number - 1 - len(cells))
    asked = cells[number - 1] if len(cells) >= number else _AWAY
    if asked[:4] == "0000" and asked[-1] in _ASKED:
        kept.append(asked)
    head = bytearray(line[:_FIRST_CELL].ljust(_FIRST_CELL))
    head[_POINTS] = f"{sum(SCORES.get(cell[-1], 0) for cell in kept) / 2:4.1f}".encode()
    return bytes(head) + "  ".join(cell.rjust(8) for cell in kept).encode()


def _barred(line: bytes) -> bool:
    return any(cell[-1:] in ("U", "+", "F") for cell in _cells(line))


def answer(program: Path, state: State) -> Pairs | str:
    """What the other program pairs, by board; its message where it does not."""
    with tempfile.TemporaryDirectory(prefix="arbiter-pairings-") as folder:
        file = Path(folder) / "state.trf"
        file.write_bytes(state.file)
        told = subprocess.run([program, "--dutch", file, "-p"], capture_output=True, text=True, check=False)
    if told.returncode:
        return (told.stdout + told.stderr).strip() or f"exit {told.returncode}"
    rows = [tuple(int(n) for n in row.split()) for row in told.stdout.split("\n")[1:] if row.strip()]
    return [(white, black) for white, black in rows]


def difference(state: State, theirs: Pairs | str) -> str | None:
    """What is not the same: a known fault of theirs, or a sentence; None where all is."""
    if theirs == state.ours:
        return None
    where = f"seed {state.seed}, round {state.round}"
    if isinstance(theirs, str):
        return f"{where}: {theirs}"
    if any(not black and white in state.had_bye for white, black in theirs):
        return BYE_TO_WHO_MAY_NOT
    if sorted(theirs) != sorted(state.ours):
        own, other = (sorted(set(one) - set(two)) for one, two in ((state.ours, theirs), (theirs, state.ours)))
        return f"{where}: other pairs: theirs {other}, ours {own}"
    first = next(n for n, (one, other) in enumerate(zip(state.ours, theirs, strict=True), 1) if one != other)
    return f"{where}: the same pairs, in another order from board {first} on"
