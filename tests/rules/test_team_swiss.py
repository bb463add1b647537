"""F3, the Swiss of teams by points (002-X 11.4, 13.3): random events with line-ups, absences and whole teams leaving."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from services.pairing.rules import commands as co
from services.pairing.rules.sides.team_participants import present_in
from shared.core.events import LineupHandedIn
from shared.core.readings.team_scoring import team_scores
from shared.core.terms import PAIRING, PlayerId, Refusal
from tests.rules.pairing_story import CHIEF, ORGANISER, WHY, Office
from tests.rules.test_teams import office, teams


def event(rng: Random) -> Office:
    """Three to seven teams of two and a substitute."""
    size = rng.randint(3, 7)
    told = office("substitutes", 2, 1, "swiss", players=3 * size)
    told.seed = rng.randint(1, 10**6)
    told.do(teams(*(tuple(range(3 * n + 1, 3 * n + 4)) for n in range(size))))
    return told


def something_happens(told: Office, rng: Random, round: int) -> None:
    """A line-up is handed in, a member or a whole team leaves, or nothing."""
    chance, team = rng.random(), rng.choice(sorted(told.t.teams))
    here = [p for p in told.t.teams[team].members if told.t.players[p].withdrawal is None]
    if chance < 0.4 and len(here) > 1:
        chosen = tuple(sorted(rng.sample(here, rng.randint(1, 2))))
        told.do(co.HandInLineup(CHIEF, LineupHandedIn(team, round, chosen)))
    elif chance < 0.5 and here:
        told.do(told.leave(rng.choice(here)))
    elif chance < 0.56 and here:
        told.do(co.WithdrawPlayers(ORGANISER, tuple(map(PlayerId, here)), WHY))


def a_legal_round_exists(told: Office, round: int) -> bool:
    """By trying every pairing of the teams present."""
    here = present_in(told.t, round)
    records = team_scores(told.t, round - 1)
    met = {(t, r.opponent) for t in here for r in records[t].rounds if r.kind == "played" and r.counted}
    barred = {
        t for t in here if any(r.kind == "bye" or (r.kind == "forfeit" and r.match_points) for r in records[t].rounds)
    }

    @cache
    def paired(left: tuple[int, ...]) -> bool:
        if len(left) < 2:
            return not set(left) & barred
        one, rest = left[0], left[1:]
        if any((one, other) not in met and paired(tuple(t for t in rest if t != other)) for other in rest):
            return True
        return len(left) % 2 == 1 and one not in barred and paired(rest)

    return len(here) > 1 and paired(here)


@pytest.mark.parametrize("seed", range(60))
def test_every_round_is_legal_and_none_is_refused_where_one_exists(seed: int):
    rng = Random(seed)
    told = event(rng)
    met: set[frozenset[int]] = set()
    free: Counter[int] = Counter()
    for round in range(1, 8):
        something_happens(told, rng, round)
        answer = told.world.decide(PAIRING, told.by_engine())
        if isinstance(answer, Refusal):
            assert not a_legal_round_exists(told, round), answer
            return
        paired = told.do(told.by_engine())[0]
        pairs = [frozenset((m.first, m.second)) for m in paired.matches if m.second and m.boards]
        sides = Counter(side for m in paired.matches for side in (m.first, m.second) if side)
        assert set(sides) == set(present_in(told.t, round)) and set(sides.values()) == {1}
        before = {
            frozenset((team, r.opponent))
            for team, record in team_scores(told.t, round - 1).items()
            for r in record.rounds
            if r.kind == "played"
        }
        assert not before & set(pairs), "nobody meets twice"
        met |= set(pairs)
        free.update(m.first for m in paired.matches if not m.second)
        assert max(free.values(), default=0) <= 1, "nobody has the bye twice"
        for m in paired.matches:
            _red_on_odd_boards(told, m.first, {b.board: b for b in paired.boards if b.board in m.boards}, m.boards)
        told.results(*(rng.choice(("1-0", "=", "0-1", "+/-", "-/-")) for _ in paired.boards))


def _red_on_odd_boards(told: Office, first: int, boards: dict, held: tuple[int, ...]) -> None:
    """The team named first has Red on the odd boards (002-X 13.3)."""
    for n, number in enumerate(held, 1):
        if number in boards:
            red = boards[number].white if n % 2 else boards[number].black
            assert red in told.t.teams[first].members
