"""Whatever is claimed in whatever game: decided or refused, the same again, and the sheet is left as it was."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.games.rules import RULES
from services.games.rules.boards.registry import GAMES, variant_of
from services.games.rules.commands import MakeClaim
from shared.core.events import ClaimDecided, ClaimPending, Decision
from shared.core.events.sheets import Claim
from shared.core.terms import Refusal
from tests.rules.games_court import Court
from tests.rules.games_hall import ARBITER, G1, PLAYER
from tests.tiers import examples

BOOKS = {
    "chess": "fide-2026",
    "xiangqi": "xiangqi-1999",
    "go": "go-campus",
    "renju": "campus",
    "gomoku": "gomoku-campus",
    "prediction": "campus",
}
MOVES = {
    "chess": "e2e4 e7e5 g1f3 b8c6 f3g1 c6b8",
    "xiangqi": "h2e2 h9g7 h0g2 i9h9 i0h0 h9i9",
    "go": "Q16 D4 C3 R4",
    "renju": "h8 h9 i9 i8",
    "gomoku": "h8 h9 i8 i9",
    "prediction": "h8 h9 i8 i9",
}
TEXTS = st.one_of(
    st.none(),
    st.sampled_from(["e2e4", "h2e2", "h8", "D4", "pass", "PASS", "炮二平五", "O-O", ""]),
    st.text(max_size=16),
)


def court(game: str, moves: int) -> Court:
    made = Court(game, BOOKS[game])
    for move in MOVES[game].split()[: moves + 1]:
        made.play(move)
    return made


@settings(max_examples=examples(60), deadline=None)
@given(
    game=st.sampled_from(sorted(BOOKS)),
    moves=st.integers(0, 5),
    claim=st.sampled_from(get_args(Claim)),
    side=st.sampled_from(["white", "black", None]),
    move=TEXTS,
    squares=st.lists(st.sampled_from(["e1", "a8", "d2", "i9", "e9", "h8", ""]), max_size=3).map(tuple),
    arbiter=st.booleans(),
)
def test_a_claim_is_decided_or_refused_and_changes_nothing_by_itself(game, moves, claim, side, move, squares, arbiter):
    hall = court(game, moves)
    command = MakeClaim(ARBITER if arbiter else PLAYER, G1, side, claim, move, squares)
    before = hall.sheet().position(variant_of(hall.t)).text()
    answer = RULES.decide(hall.t, command, hall.sheet())
    assert RULES.decide(hall.t, command, hall.sheet()) == answer
    assert hall.sheet().position(variant_of(hall.t)).text() == before
    if isinstance(answer, Refusal):
        assert answer.where or answer.kind == "authority"
        return
    assert isinstance(answer, Decision)
    decided = [line for line in answer.lines if isinstance(line, ClaimDecided)]
    assert all(line.article for line in decided)
    waits = [one for one in answer.events if isinstance(one, ClaimPending)]
    assert all(one.article for one in waits) and not (waits and (arbiter or side is None or decided))
    assert (answer.events or answer.brought) == () or decided or waits, "nothing ends or is found without a decision"


@pytest.mark.parametrize("game", sorted(BOOKS))
def test_every_game_names_the_claims_that_it_has(game: str) -> None:
    hall = court(game, 2)
    for claim in set(get_args(Claim)) - {"resignation", "flag"} - set(GAMES[game].claims_by_name):
        refusal = hall.refused(MakeClaim(PLAYER, G1, "white", claim))
        assert refusal.code == "no-such-claim" and str(refusal.detail).startswith(
            f"unknown claim; games of {game} have the claims resignation"
        )
