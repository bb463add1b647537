"""F3, the Swiss of teams by points (002-X 11.4, 13.3): random events with line-ups, absences and whole teams leaving."""

from collections import Counter
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from services.pairing.rules import commands as co
from services.pairing.rules.absolute_criteria import violations
from services.pairing.rules.pairing_input import input_of
from services.pairing.rules.sides.team_participants import contenders, present_in
from shared import regulations
from shared.core import events as ev
from shared.core.events import LineupHandedIn
from shared.core.readings.team_scoring import team_scores
from shared.core.terms import PAIRING, HalfPoints, Mark, PlayerId, Refusal
from tests.rules.pairing_story import CHIEF, MARKS, ORGANISER, WHY, Office
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
    met = {(t, r.opponent) for t in here for r in records[t].rounds if r.kind == "played"}
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


NOTHING, OUT = Mark(HalfPoints(0), True), Mark(HalfPoints(0), True, False)
MEETINGS = [
    (MARKS["1-0"], True, "C.04.1, 2: two players do not play each other twice"),
    (MARKS["="], True, "C.04.1, 2"),
    ((NOTHING, NOTHING), True, "000-A 围棋, 行棋 3: 双方均负 is the result of a game that was played"),
    ((OUT, OUT), True, "C.04.1, 2: it was played, whatever it is worth in the table"),
    (MARKS["+/-"], False, "C.04.3, C1: a game won by forfeit was not played"),
    (MARKS["-/-"], False, "000-A 8.3 双方弃权: nobody played"),
]


def ruled(told: Office, marks: tuple[Mark, Mark], boards: tuple[ev.Board, ...], first: tuple[int, ...] = ()) -> None:
    """Every game of the round is drawn; then these boards get other marks by a ruling. ``first``: has the first mark."""
    told.results("=")
    for board in boards:
        white, black = marks[::-1] if board.black in first else marks
        told.rule(ev.Effect("set_marks", white=white, black=black), board.white, board.game)


@pytest.mark.parametrize(("marks", "met", "article"), MEETINGS)
def test_players_have_met_if_they_played(marks, met, article):
    told = Office(8, rules=regulations.load("campus"))
    first = told.pair().boards[0]
    ruled(told, marks, (first,))
    records = {seat.player: seat.met for seat in input_of(told.t, 2, "white").players}
    assert (first.black in records[first.white], first.white in records[first.black]) == (met, met), article
    assert ("rematch" in {one.rule for one in violations(told.t, 2, (first,), ())}) == met, article


@pytest.mark.parametrize(("marks", "met", "article"), MEETINGS)
def test_teams_have_met_if_a_board_was_played(marks, met, article):
    told = six_teams()
    paired = told.pair()
    match = paired.matches[0]
    held = tuple(b for b in paired.boards if b.board in match.boards)
    ruled(told, marks, held, told.t.teams[match.first].members)
    records = {one.side: one.met for one in contenders(told.t, 2)}
    assert (match.second in records[match.first], match.first in records[match.second]) == (met, met), article
    assert ("rematch" in {one.rule for one in violations(told.t, 2, held, ())}) == met, article
    again = {frozenset((m.first, m.second)) for m in told.pair().matches} & {frozenset((match.first, match.second))}
    assert not (again and met), article


def test_teams_of_a_match_taken_out_block_the_round_in_edition_2():
    told = six_teams(decisions=2)
    paired = told.pair()
    ruled(told, (OUT, OUT), tuple(b for b in paired.boards if b.board in paired.matches[0].boards))
    assert told.refused(told.by_engine()).code == "engine-broke-rule"


def six_teams(decisions: int = 3) -> Office:
    """Six teams of two in a Swiss."""
    told = office("fixed", 2, 0, "swiss")
    told.do(teams(*((n, n + 1) for n in range(1, 12, 2))))
    if decisions != told.t.regulations.decisions:
        told.told(PAIRING, ev.RegulationsAdopted(replace(told.t.regulations, decisions=decisions)))
    return told
