"""Xiangqi claims on a score sheet (002-X 4.1, 4.2, 9.1.4, 22-24; 000-A 2, 4)."""

import pytest

from shared.core.events import FindingMade
from shared.core.state.grounds import english_text
from tests.rules.games_court import Court, decided, end, findings
from tests.rules.games_hall import ARBITER, DRAW, G1, LOSS, PLAYER, WIN

IDLE = "a0a1 a9a8 a1a0 a8a9 "
CHECKS = "f2f9 i7g9 f9f2 g9i7 "
BEFORE_CHECKS = "b2f2 g9i7 i0i2 e6e5 h2h9 f9e8 "
"""The third of these takes a horse; then Red checks with every move of `CHECKS`."""
CHASES = "f1f4 h7b7 f4f1 b7h7 "
BEFORE_CHASES = "i0i1 b7b4 i1f1 g9i7 "
"""In `CHASES` every black move attacks; Red's are idle."""

BARE_RED = (
    "h2h3 h7h0 i3i4 b7b0 i4i5 i6i5 i0i4 i5i4 h3h4 i4h4 b2i2 i9i2 a0a2 i2a2 g3g4 a2a3 e3e4 a3c3 e4e5 h4g4 e0e1 e6e5"
)
"""Red has nothing left that crosses the river."""


def court(said: str, regulations: str = "xiangqi-1999", clock: int | None = None) -> Court:
    made = Court("xiangqi", regulations)
    made.play(said, clock)
    return made


# ---------------------------------------------------------------- 23.3: the natural limit


def test_the_natural_limit_draws_the_game():
    hall = court(IDLE * 30)
    written = hall.claims("natural_limit", "white")
    assert english_text(decided(written).grounds) == (
        "60 rounds without a capture; of 0 own checks at most 10 count; it takes 60"
    )
    assert end(written).termination == "natural_limit" and "002-X 4.2.4" in end(written).article
    assert hall.marks(G1) == (DRAW, DRAW)


def test_the_campus_event_counts_forty_rounds():
    """000-A 2, 和 4."""
    assert end(court(IDLE * 20, "campus").claims("natural_limit", "black")).termination == "natural_limit"
    assert end(court(IDLE * 20).claims("natural_limit", "black")) is None


def test_of_the_own_checks_at_most_ten_count():
    """23.3: 最多只计10着."""
    checking = court(BEFORE_CHECKS + CHECKS * 30)
    written = checking.claims("natural_limit", "white")
    assert (
        "10 rounds without a capture; of 60 own checks" in english_text(decided(written).grounds)
        and not decided(written).upheld
    )
    checked = court(BEFORE_CHECKS + CHECKS * 30)
    assert decided(checked.claims("natural_limit", "black")).upheld, "the other side's checks count in full"


@pytest.mark.parametrize("regulations", ["xiangqi-1999", "campus"])
def test_a_false_claim_is_a_foul_and_five_minutes(regulations: str):
    """9.1.4, 23.3."""
    hall = court(IDLE * 2, regulations)
    written = hall.claims("natural_limit", "black")
    assert not decided(written).upheld and findings(written) == [("false_natural_limit", 2)]
    assert hall.rulings() == [
        ("false_natural_limit", "foul", None, "002-X 9.1.4, 23.3"),
        ("false_natural_limit", "adjust_clock", -300, "002-X 23.3"),
    ]
    assert hall.counted(2, "foul") == 1, "the minutes count as no second foul"
    assert hall.play("a0a1")


def test_the_third_false_claim_loses_the_game():
    """9.1.4, 4.1.8."""
    hall = court(IDLE)
    for idle in IDLE.split()[:2]:
        hall.claims("natural_limit", "black")
        hall.play(idle)
    hall.claims("natural_limit", "black")
    assert ("third_foul", "set_marks", None, "002-X 4.1.8") in hall.rulings()
    assert hall.marks(G1) == (WIN, LOSS)


@pytest.mark.parametrize("left, flag", [(301, False), (300, True)])
def test_a_false_claim_that_overruns_the_clock_loses(left: int, flag: bool):
    """23.3: 若因此而超时,即判负."""
    hall = court(IDLE, clock=left)
    written = hall.claims("natural_limit", "white")
    assert findings(written) == [("false_natural_limit", 1)] + [("flag", 1)] * flag
    assert hall.marks(G1) == ((LOSS, WIN) if flag else None)


def test_the_arbiter_counts_unasked_and_nobody_is_punished():
    """23.3: 裁判经审核着数亦可判和."""
    hall = court(IDLE)
    written = hall.claims("natural_limit", None)
    assert decided(written).upheld is False and findings(written) == [] and hall.rulings() == []
    assert end(court(IDLE * 30).claims("natural_limit", None)).termination == "natural_limit"


def test_a_player_asks_for_nothing_that_no_side_claims():
    refusal = court(IDLE).no_claim("natural_limit", None, by=PLAYER)
    assert (refusal.kind, refusal.code) == ("authority", "role-may-not")


# ---------------------------------------------------------------- 24: repetitions


def test_a_repetition_that_nobody_varies_is_drawn_and_read_out():
    """24.2, 26.2: 不变作和."""
    hall = court(IDLE * 2)
    written = hall.claims("repetition", "black")
    assert end(written).termination == "repetition" and end(written).article == "002-X 24.2, 26.2"
    assert "Red: idle moves" in english_text(decided(written).grounds) and "nobody varies" in english_text(
        decided(written).grounds
    )


def test_a_position_that_came_twice_is_not_judged_yet():
    written = court(IDLE).claims("repetition", "white")
    assert not decided(written).upheld and findings(written) == [], "a false claim of it costs nothing"


def test_one_sided_perpetual_check_loses_at_once():
    """24.1: 一方长将立即判负."""
    hall = court(BEFORE_CHECKS + CHECKS * 2)
    written = hall.claims("repetition", "black")
    assert (end(written).termination, end(written).article) == ("perpetual_check", "002-X 24.1, 26.1")
    assert hall.marks(G1) == (LOSS, WIN) and "Red: always check" in english_text(decided(written).grounds)


def test_who_attacks_against_idle_moves_must_vary_and_loses_when_the_cycle_comes_once_more():
    """24.3: 必须立即变着,若再重复一次循环,即判负."""
    hall = court(BEFORE_CHASES + CHASES * 2)
    written = hall.claims("repetition", "white")
    assert decided(written).upheld and end(written) is None
    assert decided(written).article == "002-X 24.3, 26.4" and "must vary" in english_text(decided(written).grounds)
    hall.play("f1f4 h7b7")
    assert end(hall.claims("repetition", "white")) is None, "half a cycle more is not once more"
    hall.play("f4f1 b7h7")
    written = hall.claims("repetition", "white")
    assert (end(written).termination, end(written).article) == ("forbidden_repetition", "002-X 24.3, 4.1.7")
    assert hall.marks(G1) == (WIN, LOSS)


def test_without_a_warning_before_it_no_cycle_loses():
    """24.3."""
    hall = court(BEFORE_CHASES + CHASES * 4)
    assert end(hall.claims("repetition", "white")) is None


def test_who_varies_is_judged_anew():
    hall = court(BEFORE_CHASES + CHASES * 2)
    hall.claims("repetition", "white")
    hall.play("f1f4 e6e5 f4f1 e5e4")
    assert decided(hall.claims("repetition", "white")).upheld is False


def test_the_arbiter_judges_a_repetition_unasked():
    """23.2: 裁判有权判和."""
    assert end(court(IDLE * 2).claims("repetition", None)).termination == "repetition"


# ---------------------------------------------------------------- 4.2.1: nobody can win


def test_the_arbiter_finds_that_neither_side_can_win_and_a_player_alone_does_not():
    """4.2.1; 000-A 2, 和 1."""
    hall = court(IDLE)
    assert decided(hall.claims("drawn_material", "white")).upheld is False
    written = hall.claims("drawn_material", None)
    assert (end(written).termination, hall.marks(G1)) == ("drawn_material", (DRAW, DRAW))


# ---------------------------------------------------------------- 4.1.2, 4.1.6: illegal moves


@pytest.mark.parametrize(
    "regulations, infraction, article",
    [("xiangqi-1999", "illegal_move", "002-X 4.1.6"), ("campus", "illegal_move", "000-A 2.5")],
)
def test_an_illegal_move_loses(regulations: str, infraction: str, article: str):
    """000-A 2.5; 002-X 4.1.6."""
    hall = court(IDLE, regulations)
    written = hall.claims("illegal_move", "black", "b0b2", by=ARBITER)
    assert findings(written) == [("illegal_move", 1)]
    assert hall.rulings() == [(infraction, "set_marks", None, article)]
    assert hall.marks(G1) == (LOSS, WIN)


@pytest.mark.parametrize(
    "regulations, infraction, article",
    [("xiangqi-1999", "facing_generals", "002-X 4.1.2"), ("campus", "illegal_move", "000-A 2.2")],
)
def test_facing_generals_loses_by_its_own_article(regulations: str, infraction: str, article: str):
    """000-A 2.2; 002-X 4.1.2."""
    hall = court("h0i2 b7b3 e0e1 f9e8 e1f1", regulations)
    written = hall.claims("illegal_move", "white", "e9f9", by=ARBITER)
    assert english_text(decided(written).grounds) == "e9f9 is not legal; the kings would face each other"
    assert findings(written) == [("facing_generals", 2)]
    assert hall.rulings() == [(infraction, "set_marks", None, article)] and hall.marks(G1) == (WIN, LOSS)


def test_a_text_in_chinese_names_no_illegal_move():
    """7.5: what cannot be read is nobody's illegal move."""
    assert court(IDLE).no_claim("illegal_move", "black", "炮二平六", by=ARBITER).code == "unreadable-move"


# ---------------------------------------------------------------- 22: flags


def test_a_flag_loses_also_against_a_side_that_cannot_win():
    """4.1.4, 22: the text spares nobody, as it does in chess."""
    hall = court(BARE_RED)
    written = hall.claims("flag", "white", by=ARBITER)
    assert [(f.player, f.opponent_can_win) for f in written if isinstance(f, FindingMade)] == [(2, False)]
    assert hall.rulings() == [("flag", "set_marks", None, "002-X 4.1.4, 22")]
    assert hall.marks(G1) == (WIN, LOSS)
