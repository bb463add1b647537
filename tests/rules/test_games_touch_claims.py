"""A touch 摸子 claimed at a board: who is believed, what then must be played, and the fouls of touching in vain."""

import pytest

from services.games.rules.boards.chess import claims as chess_touch
from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.port.touch_move import NAMED_AT_MOST
from services.games.rules.commands import MakeClaim, TakeBack
from shared.core.events import ClaimPending
from shared.core.state.grounds import english_text
from tests.rules.games_court import Court, decided, findings
from tests.rules.games_hall import ARBITER, G1, LOSS, PLAYER, WIN, play, step
from tests.rules.hall import Hall as PenaltyHall


def touched(hall: Court, *squares: str, side: str | None = None, arbiter: bool = True) -> list:
    return hall.do(MakeClaim(ARBITER if arbiter else PLAYER, G1, side, "touch", squares=squares))


def after(game: str, said: str, regulations: str = "campus") -> Court:
    hall = Court(game, regulations)
    hall.play(said)
    return hall


def test_after_a_touch_that_the_arbiter_states_another_move_is_refused() -> None:
    """002-X 5.1."""
    hall = after("xiangqi", "h2e2", "xiangqi-1999")
    written = touched(hall, "b9", side="white")
    assert decided(written).upheld and decided(written).due == ("b9a7", "b9c7")
    refusal = hall.refused(play("h9g7", 2))
    assert (refusal.code, refusal.article, refusal.where) == ("touched-piece", "002-X 5.1; 000-A 3.1", "moves[0]")
    assert "b9a7, b9c7 must be played, not h9g7" in str(refusal.detail)
    hall.play("马2进3")
    assert hall.state().pending.due == (), "it is for one move"
    hall.play("h0g2 h9g7")


def test_a_player_alone_is_written_down_and_binds_nobody() -> None:
    """002-X 5.6: what was an accident, the arbiter has seen."""
    hall = after("xiangqi", "h2e2")
    written = touched(hall, "b9", side="white", arbiter=False)
    assert written[0].squares == ("b9",) and isinstance(written[1], ClaimPending)
    assert findings(touched(hall, "a0", side="white", arbiter=False)) == []
    assert hall.state().pending.due == ()
    hall.play("h9g7")


def test_at_most_a_dozen_moves_are_named() -> None:
    hall = after("chess", "e2e4 e7e5 d1h5 b8c6")
    due = decided(touched(hall, "h5")).due
    refusal = hall.refused(play("g1f3", 5))
    assert len(due) > NAMED_AT_MOST and f"and {len(due) - NAMED_AT_MOST} more must be played" in str(refusal.detail)


def test_futile_touches_are_found_each_by_its_own_article() -> None:
    """000-A 4.4, 4.5, 2.7; 国际象棋, 犯规 4, 5; 002-X 9.1.5, 9.1.6, 4.1.8."""
    for game, book, said, articles in (
        ("xiangqi", "campus", "h2e2", ("000-A 4.4", "000-A 4.5")),
        ("xiangqi", "xiangqi-1999", "h2e2", ("002-X 9.1.5", "002-X 9.1.6")),
        ("chess", "campus", "e2e4", ("000-A 国际象棋, 犯规 4", "000-A 国际象棋, 犯规 5")),
    ):
        hall = after(game, said, book)
        if game == "xiangqi":
            hall.play("e9e8 a0a1")
            written = touched(hall, "d9", "a1")
        else:
            written = touched(hall, "a8", "a1")
        assert findings(written) == [("unmovable_touch", 2), ("uncapturable_touch", 2)], game
        assert [(r[1], r[3]) for r in hall.rulings()] == [("foul", article) for article in articles]
        assert hall.counted(2, "foul") == 2
        assert hall.t.setting(hall.t.games[G1]) is None and decided(written).due == (), "the game goes on"


def test_the_third_futile_touch_loses() -> None:
    """002-X 4.1.8; 000-A 2.7."""
    hall = after("xiangqi", "h2e2", "xiangqi-1999")
    touched(hall, "a0", "i0")
    hall.play("h9g7 h0g2")
    assert hall.marks(G1) is None
    touched(hall, "e0")
    assert ("third_foul", "set_marks", None, "002-X 4.1.8") in hall.rulings()
    assert hall.marks(G1) == (WIN, LOSS)


def test_nothing_follows_from_a_futile_touch_where_the_book_knows_no_such_foul() -> None:
    """Laws 4.5 leaves the player free and punishes nothing."""
    hall = after("chess", "e2e4", "fide-2026")
    assert findings(touched(hall, "a8")) == [("unmovable_touch", 2)] and hall.rulings() == []
    hall.play("g8f6")


def test_what_the_arbiter_states_anew_replaces_what_he_stated_and_finds_nothing_twice() -> None:
    hall = after("chess", "e2e4")
    assert findings(touched(hall, "a8", "e7")) == [("unmovable_touch", 2)]
    again = touched(hall, "a8", "d7")
    assert findings(again) == [] and decided(again).due == ("d7d5", "d7d6")
    assert hall.refused(play("e7e5", 2)).code == "touched-piece"


def test_an_arbiter_without_squares_states_that_nothing_was_touched() -> None:
    """000-A 3.6; 002-X 5.6: 明显误碰."""
    hall = after("xiangqi", "h2e2")
    touched(hall, "b9")
    released = touched(hall)
    assert decided(released).article == "002-X 5.6; 000-A 3.6" and decided(released).due == ()
    hall.play("h9g7")


def test_a_touch_lapses_when_moves_are_taken_back() -> None:
    hall = after("xiangqi", "h2e2")
    touched(hall, "b9")
    hall.play("b9c7 h0g2")
    hall.do(TakeBack(ARBITER, G1, 1, "wrong_order"))
    assert hall.state().pending.due == ()
    hall.play("h9g7")


def test_a_move_announced_with_a_wrong_claim_comes_before_a_touch() -> None:
    """000-A 国际象棋, 对局结束 13(2): the announced move must be played on the board."""
    hall = after("chess", "e2e4 e7e5")
    hall.claims("threefold_repetition", "white", "b1c3")
    written = touched(hall, "d2")
    assert decided(written).due == () and "b1c3 was announced and must be played" in english_text(
        decided(written).grounds
    )
    assert hall.refused(play("d2d4", 3)).code == "announced-move"
    hall.play("b1c3")


def test_a_piece_touched_comes_before_a_move_announced_later() -> None:
    hall = after("chess", "e2e4 e7e5")
    touched(hall, "d2")
    hall.claims("threefold_repetition", "white", "b1c3")
    assert hall.refused(play("b1c3", 3)).code == "touched-piece"
    hall.play("d2d4")


def test_a_move_is_not_sealed_while_a_touched_piece_is_due() -> None:
    """What is in the envelope could not be told from the move that is due, and would lose where it is another."""
    hall = after("chess", "e2e4 e7e5")
    touched(hall, "d2")
    refusal = hall.refused(step("white", "adjourn"))
    assert refusal.code == "illegal-step" and "d2d3, d2d4 must be played first" in str(refusal.detail)
    hall.play("d2d4")
    hall.do(step("black", "adjourn"))


def test_where_the_seats_hold_each_others_pieces_a_touch_is_of_the_side_to_move() -> None:
    """不合规则 5; Laws 7.3."""
    game = ChessPosition()
    game.step("white", "correct_colours", ())
    found = chess_touch.due(game, ("e2", "d7"))
    assert found.moves == ("e2e3", "e2e4") and [one.square for one in found.futile] == ["d7"]


@pytest.mark.parametrize(("book", "may"), [("fide-2024", False), ("fide-2026", False), ("campus", True)])
def test_by_the_laws_a_touch_ends_the_right_to_claim_a_draw_with_that_move(book: str, may: bool) -> None:
    """Laws 9.4; 000-A 国际象棋, 对局结束 11 has only the move end it."""
    hall = after("chess", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", book)
    touched(hall, "f6")
    claim = MakeClaim(PLAYER, G1, "black", "threefold_repetition", "f6g8")
    if may:
        assert decided(hall.do(claim)).upheld
        return
    refusal = hall.refused(claim)
    assert (refusal.code, refusal.article) == ("claim-right-lost", "Laws 9.4")
    hall.play("f6g8 g1f3")
    assert decided(hall.claims("threefold_repetition", "black")).upheld, "the right is back with the next move"


@pytest.mark.parametrize(
    "claim, code, where",
    [
        (MakeClaim(ARBITER, G1, "black", "touch", squares=("b9",)), "own-move", "side"),
        (MakeClaim(PLAYER, G1, "white", "touch"), "squares-missing", "squares"),
        (MakeClaim(ARBITER, G1, "white", "touch", squares=("b9", "e5")), "empty-square", "squares[1]"),
        (MakeClaim(ARBITER, G1, "white", "touch", squares=("b9x",)), "empty-square", "squares[0]"),
        (MakeClaim(ARBITER, G1, "white", "touch", squares=("b9",) * 33), "too-many-squares", "squares"),
        (MakeClaim(ARBITER, G1, "white", "touch", "b9c7", ("b9",)), "move-not-asked", "move"),
        (MakeClaim(ARBITER, G1, "white", "flag", squares=("b9",)), "squares-not-asked", "squares"),
        (MakeClaim(PLAYER, G1, None, "touch", squares=("b9",)), "role-may-not", None),
    ],
)
def test_a_touch_that_names_no_piece_of_the_board_is_refused(claim: MakeClaim, code: str, where: str | None) -> None:
    refusal = after("xiangqi", "h2e2").refused(claim)
    assert (refusal.code, refusal.where) == (code, where)


def test_adjusting_without_leave_is_a_violation_in_the_campus_event() -> None:
    """000-A 7.8 counts 违例; 3.6 and 002-X 5.6 make it a touch besides, which the arbiter states."""
    hall = PenaltyHall("campus")
    made = hall.ruling(1, "adjusting")[0]
    assert (made.counter, made.article) == ("violation", "000-A 7.8")
