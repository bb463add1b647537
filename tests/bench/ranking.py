"""Tables: a whole one against gacrux's, one more result against the whole, and the campus Swiss against the Dutch."""

import gc
from collections.abc import Iterator
from functools import cache
from random import Random

from services.pairing.rules import RULES
from services.pairing.rules.commands import AnnounceTournament, EnterPlayers, Entry, PairRound
from services.standings.files.trf.to_events import tournament_of
from services.standings.rules.table.table import standings, update_table
from shared import regulations
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, PAIRING, Actor, GameId, HalfPoints, Mark, PlayerId, Refusal, Seq, TextRef
from shared.trf.reader import read
from tests.bench.measure import Ratio, compare_cpu
from tests.builders import World
from tests.gacrux_table import parsed, values
from tests.random_trf import random_trf

PLAYERS, ROUNDS, FIELD = 1000, 9, 300
NAMES = ("BH/C1", "BH", "BH/C2", "BH/M1", "SB", "SB/C1", "PS", "WIN", "WON", "BPG", "DE")
WIN, DRAW, LOSS = (Mark(HalfPoints(p), True) for p in (2, 1, 0))
RESULTS = ((WIN, LOSS), (LOSS, WIN), (DRAW, DRAW))
CHIEF = Actor("chief", "chief_arbiter", "t")


@cache
def text() -> str:
    return random_trf(1, PLAYERS, ROUNDS)


def whole() -> Ratio:
    """A file in, its table out: that is how gacrux is used, and most of its time goes into reading."""

    def ours() -> int:
        standings(tournament_of(read(text().encode(), "bench")), NAMES)
        return 1

    def floor() -> int:
        values(parsed(text()), NAMES)
        return 1

    # gacrux is imported here, which is none of its work; what is loaded by then the collector leaves alone in both.
    floor()
    gc.collect()
    gc.freeze()
    return compare_cpu(f"{len(NAMES)} tie-breaks of {PLAYERS:,} players, to gacrux", "tables/s", 15, ours, floor, 3)


def one_more() -> Ratio:
    """A result arrives: the table brought up to date, against the table made anew."""
    t = tournament_of(read(text().encode(), "bench"))
    rng, games = Random(1), list(t.games)
    state = [standings(t.fork(), NAMES)]

    def ours() -> int:
        for _ in range(60):
            _corrected(t, games[rng.randrange(len(games))])
            state[0] = update_table(state[0], t.fork())
        return 60

    def floor() -> int:
        for _ in range(3):
            standings(t, NAMES)
        return 3

    return compare_cpu("one more result, to a whole recomputation", "tables/s", 20, ours, floor)


def _corrected(t: Tournament, game: str) -> None:
    _told(t, ev.ResultCorrected(GameId(game), *RESULTS[t.seq % 2]))


def campus() -> Ratio:
    """Compare the fifth round of one field by both systems.

    The campus system weighs all pairs of the field, and rustworkx finds the best matching of them. The Dutch weighs only the
    pairs of a bracket that has no obvious candidate, so it is two to three times as fast.
    """
    t = _played(4)
    by = {name: _by(t, name) for name in ("campus", "fide-2026")}

    def paired(name: str) -> int:
        outcome = RULES.decide(by[name], PairRound(CHIEF, seed=7), None)
        assert not isinstance(outcome, Refusal), outcome
        return 1

    return compare_cpu(
        f"campus Swiss of {FIELD} players, to the Dutch", "rounds/s", 0.3, lambda: paired("campus"),
        lambda: paired("fide-2026"), 3,
    )  # fmt: skip


def _by(t: Tournament, name: str) -> Tournament:
    """The same tournament by other regulations."""
    fork = t.fork()
    fork.regulations = regulations.load(name)
    return fork


def _played(rounds: int) -> Tournament:
    """A field whose rounds so far were paired by the Dutch."""
    world, rng = World({PAIRING: RULES}), Random(1)
    rules = regulations.load("fide-2026")
    world.do(PAIRING, AnnounceTournament(CHIEF, "Bench", "chess", "swiss", ROUNDS, rules))
    world.do(PAIRING, EnterPlayers(CHIEF, tuple(Entry(PlayerId(i), TextRef("0" * 64)) for i in range(1, FIELD + 1))))
    for _ in range(rounds):
        world.do(PAIRING, PairRound(CHIEF, seed=7))
        for board in world.tournament.pairings[-1].event.boards:
            _told(world.tournament, ev.ResultReported(board.game, *rng.choice(RESULTS)))
    return world.tournament


def _told(t: Tournament, data: ev.ResultReported | ev.ResultCorrected) -> None:
    seq, count = Seq(t.seq + 1), t.counts.get(GAMES, 0) + 1
    evolve(t, ev.NewEvent(seq, GAMES, count, t.seq, f"c{seq}", "chief", "chief_arbiter", "", data, ""))


def benchmarks() -> Iterator[Ratio]:
    """Of services/standings and services/pairing."""
    yield whole()
    yield one_more()
    yield campus()
