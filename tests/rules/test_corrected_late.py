"""A result corrected late, with the pairings that it outdates played again, equals the result reported so at first."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from services.pairing.rules.commands import DrawLots, WithdrawPairing
from shared.core import events as ev
from shared.core.readings.outdated_bases import find_outdated_bases
from shared.core.rounds.matches import extra_due, matches
from shared.core.terms import GAMES, PAIRING, Refusal
from tests.rules.formats_story import office
from tests.rules.pairing_story import CHIEF, WHY
from tests.rules.stage_story import BOTH_LOST, correct, ranks
from tests.tiers import examples

SAID = ("1-0", "1-0", "0-1", "0-1", "=", "0-0", "-/-", "+/-")
ELSE = {"1-0": "0-1", "0-1": "1-0", "+/-": "-/+", "-/+": "+/-"}


def said(seed, corrected, paired, board):
    """Return the result of a game: by chance from its match, leg and players, unless it is corrected."""
    match = next(m for m in paired.matches if board.board in m.boards)
    key = match.match, match.leg, min(board.white, board.black), max(board.white, board.black)
    result = corrected.get(key) or Random(f"{seed} {key}").choice(SAID)
    return key, result if board.white < board.black else ELSE.get(result, result)


def play_on(cup, seed, corrected):
    """Void outdated pairings, draw lots that are due, and play the next round. Return whether there was one."""
    while bases := find_outdated_bases(cup.t):
        for number in range(cup.t.rounds_paired(), bases[0].round - 1, -1):
            cup.do(WithdrawPairing(CHIEF, number, WHY, played=True))
    answer = cup.world.decide(PAIRING, cup.by_engine())
    if isinstance(answer, Refusal):
        if answer.code != "match-drawn":
            return False
        for match in matches(cup.t).values():
            if not match.over and not match.open and not extra_due(cup.t, match):
                cup.do(DrawLots(CHIEF, match.match, 5))
        return True
    paired = cup.pair()
    for board in paired.boards:
        cup.told(GAMES, ev.ResultReported(board.game, *BOTH_LOST[said(seed, corrected, paired, board)[1]]))
    return True


def outcome(cup):
    met = [match for match in matches(cup.t).values() if match.first and match.second]
    return {m.match: ({m.first, m.second}, m.over, m.winner) for m in met}, ranks(cup)


@settings(max_examples=examples(30), deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 10),
    st.sampled_from(("knockout", "double_knockout")),
    st.sampled_from(({}, {"extra": 1}, {"games": 2}, {"games": 3, "best": True})),
)
def test_a_late_correction_equals_the_result_reported_so_at_first(seed, players, format, conditions):
    late, rng, corrected = office(players, format, **conditions), Random(seed), {}
    while play_on(late, seed, corrected):
        for _ in range(rng.randrange(3)):
            paired = rng.choice([p.event for p in late.t.pairings if p.withdrawn is None and p.event.boards])
            board, result = rng.choice(paired.boards), rng.choice(SAID)
            key, _ = said(seed, corrected, paired, board)
            corrected[key] = result if board.white < board.black else ELSE.get(result, result)
            correct(late, board, result)
    while play_on(late, seed, corrected):
        pass
    first = office(players, format, **conditions)
    while play_on(first, seed, corrected):
        pass
    assert outcome(late) == outcome(first)
