"""What a sheet makes of a game, whatever moves and steps are tried on it: every kind keeps the same promises."""

from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.games.rules.boards.port.position import SIDES, LegalMove, LegalStep
from services.games.rules.boards.registry import COMMANDED_STEPS, GAMES, PERMANENT_STEPS, Variant
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet, state_after
from shared.core.events import MovePlayed, MovesTakenBack, StepTaken
from tests.tiers import examples

SALT = "a salt of sixteen letters"
SAID = ["白子42手", "黑子43手", "和"]
RULES = {name: game.default_rules() for name, game in GAMES.items()}
RULES |= {"go": replace(RULES["go"], size=3), "renju": replace(RULES["renju"], opening="agreed")}
POINTS = ["h8", "h9", "i9", "g7", "g6", "j10", "a1"]
MOVES = st.sampled_from(
    [*POINTS, "A1", "B2", "C3", "PASS", "pass", "e4", "e5", "Nf3", "h2e2", "馬８進７", "swap", "dead", ""]
)
VALUES = st.one_of(
    st.lists(st.sampled_from([*POINTS, "A1", "B2", "花月", "odd", "even", "7", "8"]), max_size=3).map(tuple),
    st.sampled_from(SAID).map(lambda said: (sha256((SALT + said).encode()).hexdigest(),)),
    st.sampled_from(SAID).map(lambda said: (SALT, said)),
)
STEPS = st.sampled_from(sorted(COMMANDED_STEPS))
TRIED = st.lists(st.one_of(MOVES, st.tuples(st.sampled_from(SIDES), STEPS, VALUES)), max_size=30)


def done(reached: GameState, tried: object) -> MovePlayed | StepTaken | None:
    """The line that this leaves, where it may be done."""
    ply = len(reached.movers)
    if isinstance(tried, str):
        played = reached.position.fork().play(tried)
        return MovePlayed(ply + 1, played.move) if isinstance(played, LegalMove) else None
    side, step, values = tried
    taken = reached.position.fork().step(side, step, values)
    return (
        StepTaken(ply + (step in ("swap", "offer_fifth")), side, step, taken.values)
        if isinstance(taken, LegalStep)
        else None
    )


def said(reached: GameState) -> object:
    position = reached.position
    return position.text(), position.to_move(), position.end(), tuple(reached.movers)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=examples(60), deadline=None)
@given(TRIED)
@example(["h8", "h9", "i9", ("white", "swap", ()), "h7", ("white", "offer_fifth", ("g6", "j10"))])
@example(["A1", "PASS", "PASS", ("white", "dead", ("A1",)), ("black", "dispute", ("A1",))])
@example(["h8", "i9", "h9", "g7", *((side, "seal", (sha256((SALT + "和").encode()).hexdigest(),)) for side in SIDES)])
def test_what_is_kept_says_all_again_and_what_is_refused_changes_nothing(name, tried):
    kind = Variant(name, RULES[name])
    sheet = Sheet("T.1.1")
    for one in tried:
        before = said(sheet.state(kind))
        line = done(sheet.state(kind), one)
        assert said(sheet.state(kind)) == before, "a copy was tried on"
        if line is None:
            reached = sheet.state(kind)
            reached.position.play(one) if isinstance(one, str) else reached.position.step(*one)
            assert said(reached) == before, "what is refused changes nothing"
            continue
        sheet.evolve(line)
        assert len(sheet.plies) == len(sheet.state(kind).movers)
        assert sheet.state(kind).position.to_move() in SIDES
        assert said(state_after(kind, sheet.entries)) == said(sheet.state(kind)), "written as it was decided"


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=examples(30), deadline=None)
@given(TRIED, st.integers(0, 10))
@example(["B2", "A1", ("white", "correct_colours", ())], 1)
@example(["h8", "A1", ("white", "correct_colours", ())], 0)
def test_moves_taken_back_leave_what_stood_after_that_ply(name, tried, to_ply):
    """With the colours that were corrected since, which stay so."""
    kind, sheet, stood = Variant(name, RULES[name]), Sheet("T.1.1"), {}
    for one in tried:
        line = done(sheet.state(kind), one)
        if line is not None:
            sheet.evolve(line)
        stood[len(sheet.plies)] = said(sheet.state(kind)), [*sheet.entries]
    if to_ply < len(sheet.plies) and to_ply in stood:
        expected, before = stood[to_ply]
        since = [one for one in sheet.entries[len(before) :] if isinstance(one, StepTaken)]
        corrected = [replace(one, ply=to_ply) for one in since if one.step in PERMANENT_STEPS]
        if corrected:
            expected = said(state_after(kind, [*before, *corrected]))
        sheet.evolve(MovesTakenBack(to_ply, "agreement"))
        assert said(sheet.state(kind)) == expected
