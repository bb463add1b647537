"""Draw offers with their order and lapse, and what an irregular one costs (002-X 9.1.3, 23.1; 000-A 2, 4.3, 7.6, 7.7)."""

import pytest

from shared.core.events import OfferMade
from tests.rules.games_court import Court, end, findings
from tests.rules.games_hall import DRAW, G1, LOSS, WIN

XIANGQI = "a0a1 a9a8"


def court(game: str, regulations: str, said: str) -> Court:
    made = Court(game, regulations)
    made.play(said)
    return made


def test_an_offer_after_the_own_move_is_regular():
    """002-X 23.1; 000-A 2, 和 2."""
    for regulations in ("xiangqi-1999", "campus"):
        assert court("xiangqi", regulations, XIANGQI).offers("black") == [OfferMade(2, "black", "draw")]


def test_in_xiangqi_an_offer_before_the_own_move_is_irregular():
    """000-A 7.6; the book of 1999 names no foul for it."""
    campus = court("xiangqi", "campus", XIANGQI)
    assert findings(campus.offers("white")) == [("irregular_offer", 1)]
    assert campus.rulings() == [("irregular_draw_offer", "foul", None, "000-A 7.6")]
    assert campus.counted(1, "violation") == 1
    book = court("xiangqi", "xiangqi-1999", XIANGQI)
    assert findings(book.offers("white")) == [("irregular_offer", 1)] and book.rulings() == []


@pytest.mark.parametrize(
    "game, regulations, said, infraction, counter, article",
    [
        ("xiangqi", "xiangqi-1999", XIANGQI, "repeated_draw_offer", "foul", "002-X 23.1, 9.1.3"),
        ("xiangqi", "campus", XIANGQI, "consecutive_draw_offers", "violation", "000-A 7.7"),
        ("chess", "campus", "e2e4 e7e5", "consecutive_draw_offers", "violation", "000-A 7.7"),
        ("go", "go-campus", "Q16 D4", "consecutive_draw_offers", "violation", "000-A 围棋, 违例 7"),
        ("renju", "renju", "h8 h9", "consecutive_draw_offers", "violation", "000-A 7.7"),
        ("gomoku", "gomoku-campus", "h8 h9", "repeated_draw_offer", "foul", "000-B 注意 8 ①"),
    ],
)
def test_the_second_offer_in_a_row_is_counted_by_the_book_in_force(
    game: str, regulations: str, said: str, infraction: str, counter: str, article: str
):
    hall = court(game, regulations, said)
    side, other = ("black", "white") if game in ("chess", "xiangqi") else ("white", "black")
    assert findings(hall.offers(side)) == []
    hall.offers(other, "decline")
    player = 1 if side == "white" else 2
    assert findings(hall.offers(side)) == [("consecutive_offer", player)]
    assert hall.rulings() == [(infraction, "foul", None, article)] and hall.counted(player, counter) == 1


def test_a_second_offer_while_the_first_stands_is_in_a_row_too():
    """000-A 7.7: 连续两次."""
    hall = court("xiangqi", "campus", XIANGQI)
    hall.offers("black")
    assert findings(hall.offers("black")) == [("consecutive_offer", 2)]


def test_offers_alternate():
    """002-X 23.1: 提和必须轮流进行."""
    hall = court("xiangqi", "xiangqi-1999", XIANGQI)
    hall.offers("black")
    hall.play("a1a0")
    assert findings(hall.offers("white")) == []
    hall.play("a8a9")
    assert findings(hall.offers("black")) == [], "White's offer came in between"


def test_an_offer_declined_by_moving_counts_as_made():
    """002-X 23.1; 9.1.3: 经对方拒绝后连续提出."""
    hall = court("xiangqi", "xiangqi-1999", XIANGQI)
    hall.offers("black")
    hall.play("a1a0 a8a9")
    assert findings(hall.offers("black")) == [("consecutive_offer", 2)]


def test_the_third_violation_by_offers_loses():
    """000-A 7.10: each after it was refused."""
    hall = court("xiangqi", "campus", XIANGQI)
    hall.offers("black")
    for _ in range(3):
        hall.offers("white", "decline")
        hall.offers("black")
    assert ("third_violation", "set_marks", None, "000-A 7.10") in hall.rulings() and hall.marks(G1) == (WIN, LOSS)


def test_an_offer_made_again_while_it_stands_is_found_once():
    """000-A 7.7: 连续两次或两次以上提和者,判违例."""
    hall = court("xiangqi", "campus", XIANGQI)
    assert [findings(hall.offers("black")) for _ in range(4)] == [[], [("consecutive_offer", 2)], [], []]
    assert hall.marks(G1) is None and hall.counted(2, "violation") == 1


def test_an_irregular_offer_may_be_accepted():
    """000-A 国际象棋, 对局结束 8: 对方可以接受提和."""
    hall = court("xiangqi", "campus", XIANGQI)
    hall.offers("white")
    assert end(hall.offers("black", "accept")).termination == "agreement" and hall.marks(G1) == (DRAW, DRAW)


def test_by_the_laws_no_offer_is_found():
    """Laws 9.1.2 leaves what disturbs to the arbiter (11.5)."""
    hall = court("chess", "fide-2026", "e2e4 e7e5")
    hall.offers("white")
    hall.offers("black", "decline")
    assert findings(hall.offers("white")) == []
