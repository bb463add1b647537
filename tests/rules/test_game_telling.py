"""What a game's page tells of a sheet: moves as people read them, and everything else in its order."""

import pytest

from services.games.notations import MoveStyle
from services.games.pages import page_history
from services.games.rules.boards.registry import Variant, default_rules
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, MovePlayed, MovesTakenBack, OfferMade, StepTaken
from shared.core.state.grounds import lines_of, written_grounds
from shared.regulations import load

CHESS = Variant("chess", default_rules("chess"))
RENJU = Variant("renju", load("campus").game.rules["renju"])


def sheet(*lines) -> Sheet:
    made = Sheet("T.1.1")
    for line in lines:
        made.evolve(line)
    return made


@pytest.mark.parametrize(
    ("seconds", "shown"), [(None, None), (0, "0:00"), (59, "0:59"), (3599, "59:59"), (3900, "1:05:00")]
)
def test_a_clock_shows_hours_only_where_there_are_any(seconds, shown):
    assert page_history.clock(seconds) == shown


def test_moves_are_told_in_the_notation_asked_for_with_their_clocks():
    told = page_history.moves(CHESS, sheet(MovePlayed(1, "e2e4", 61), MovePlayed(2, "e7e5")), MoveStyle("san"))
    assert [(m.ply, m.text, m.clock) for m in told] == [(1, "e4", "1:01"), (2, "e5", None)]


def test_a_step_that_is_a_ply_stands_among_the_moves_and_no_other_does():
    lines = [MovePlayed(n, m) for n, m in enumerate(("h8", "h9", "h10"), 1)]
    lines += [StepTaken(3, "black", "opening", ("D8",)), StepTaken(4, "white", "swap"), MovePlayed(5, "o1")]
    assert [str(m.text) for m in page_history.moves(RENJU, sheet(*lines), MoveStyle())] == [
        *("h8", "h9", "h10", "swaps the colours", "o1")
    ]
    assert [str(s.what) for s in page_history.history(RENJU, lines, MoveStyle())] == ["names the opening D8"]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (OfferMade(2, "white", "draw"), "offers a draw"),
        (OfferMade(2, "black", "decline"), "declines the draw"),
        (ClaimMade(2, "white", "threefold_repetition", "g1f3"), "claims threefold repetition with g1f3"),
        (ClaimMade(2, None, "repetition"), "the arbiter asks for repetition"),
        (ClaimDecided(2, "fifty_moves", True, "Laws 9.3", written_grounds("fifty of each")), "fifty moves is upheld"),
        (ClaimMade(2, None, "touch", squares=("e2", "e7")), "the arbiter asks for touch e2 e7"),
        (
            ClaimDecided(2, "touch", True, "Laws 4.3", due=("e2e3", "e2e4")),
            "touch is upheld; one of these moves must be played: e2e3 e2e4",
        ),
        (ClaimMade(2, "white", "illegal_move", "e8e6", id="c1"), "claims illegal move e8e6 (c1)"),
        (ClaimDecided(2, "illegal_move", False, "Laws 7.5", id="c1"), "illegal move is not upheld (c1)"),
        (ClaimDecided(2, "flag", False, "Laws 6.8"), "flag is not upheld"),
        (StepTaken(2, "white", "confirm_end"), "confirms the end"),
    ],
)
def test_what_is_no_move_is_told_in_words(line, what):
    (told,) = page_history.history(CHESS, [line], MoveStyle())
    assert (told.ply, str(told.what), told.side) == (2, what, getattr(line, "side", None))
    assert (told.article, told.grounds) == (getattr(line, "article", ""), lines_of(getattr(line, "grounds", ())))


def test_moves_taken_back_are_told_as_they_were_read_then_with_reason_and_article():
    lines = [MovePlayed(1, "e2e4"), MovePlayed(2, "e7e5"), MovePlayed(3, "g1f3"), OfferMade(3, "white", "draw")]
    lines += [MovesTakenBack(1, "illegal_move"), MovePlayed(2, "d7d5"), MovesTakenBack(0, "ruling", "r4")]
    told = page_history.history(CHESS, lines, MoveStyle("san"))
    assert [(s.ply, str(s.what), s.ruling) for s in told[1:]] == [
        (3, "taken back: e5 Nf3 (illegal move)", None),
        (2, "taken back: e4 d5 (ruling)", "r4"),
    ]
    assert "不合规则 1" in told[1].article


def test_what_was_said_before_colours_were_put_right_is_told_of_the_other_seat():
    lines = [OfferMade(9, "white", "draw"), StepTaken(9, "white", "correct_colours"), OfferMade(9, "white", "draw")]
    told = page_history.history(CHESS, lines, MoveStyle())
    assert [s.side for s in told] == ["black", "white", "white"]


def test_the_last_move_is_the_last_that_counts_or_the_fifth_stone_kept():
    assert page_history.last_move(sheet()) is None
    one = [MovePlayed(1, "e2e4"), MovePlayed(2, "e7e5")]
    assert page_history.last_move(sheet(*one, OfferMade(2, "white", "draw"))) == "e7e5"
    assert page_history.last_move(sheet(*one, MovesTakenBack(1, "agreement"))) == "e2e4"
    assert page_history.last_move(sheet(MovePlayed(5, "o1"), StepTaken(6, "white", "choose_fifth", ("g7",)))) == "g7"
