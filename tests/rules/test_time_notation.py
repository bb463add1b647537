"""Time controls as PGN, TRF26 and SGF have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.core.rulebook.time_faults import time_faults
from shared.core.rulebook.time_notation import periods_of, pgn_of, same_time, sgf_of
from shared.core.terms import Period, Seconds, TimeControl


def time(*periods: tuple[int, ...], increment: int = 0, byo_yomi: int = 0, times: int = 1) -> TimeControl:
    made = tuple(Period(*map(Seconds, one)) for one in periods)
    return TimeControl("any", made, Seconds(increment), Seconds(byo_yomi), "claimed", "6", Seconds(0), times)


CLASSICAL = time((7200, 40, 0), (3600, 20, 0), (900, 0, 30))


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("40/7200:20/3600:900+30", CLASSICAL),
        ("40/7200:3600", time((7200, 40), (3600, 0))),
        ("300", time((300, 0))),
        ("4500+60", time((4500, 0, 60))),
        ("40/6000+30:20/3000+30:1500+30", time((6000, 40, 30), (3000, 20, 30), (1500, 0, 30))),
    ],
)
def test_pgn_says_periods_and_their_increments(text: str, control: TimeControl) -> None:
    assert pgn_of(control) == text and periods_of(text) == control.periods


def test_an_increment_for_every_move_stands_with_every_period() -> None:
    assert pgn_of(time((5400, 40), (1800, 0), increment=30)) == "40/5400+30:1800+30"


@pytest.mark.parametrize("text", ["?", "-", "", "*180", "40/", "90 min", "900+", "40/5400::900", "١٠"])
def test_what_is_no_time_control_is_none(text: str) -> None:
    assert periods_of(text) is None


@pytest.mark.parametrize("control", [time(byo_yomi=30), time((1800, 0), byo_yomi=30, times=5), time()])
def test_pgn_has_no_word_for_byo_yomi(control: TimeControl) -> None:
    assert pgn_of(control) is None


@pytest.mark.parametrize(
    ("control", "said"),
    [
        (time((1800, 0)), {"TM": "1800"}),
        (time((1800, 0), byo_yomi=30, times=5), {"TM": "1800", "OT": "5x30 byo-yomi"}),
        (time(byo_yomi=30), {"TM": "0", "OT": "1x30 byo-yomi"}),
        (time((600, 0), increment=10), {"TM": "600", "OT": "10 fischer"}),
        (time((600, 0, 10), byo_yomi=20), {"TM": "600", "OT": "10 fischer; 1x20 byo-yomi"}),
        (CLASSICAL, {"OT": "40/7200:20/3600:900+30"}),
    ],
)
def test_sgf_says_main_time_and_overtime(control: TimeControl, said: dict[str, str]) -> None:
    assert sgf_of(control) == said


@pytest.mark.parametrize(
    ("name", "one", "other", "same"),
    [
        ("TM", "1800", "1800.0", True),
        ("TM", "1800", "1801", False),
        ("TM", "half an hour", "half an hour", True),
        ("OT", "5x30 byo-yomi", "5*30 Japanese byoyomi", True),
        ("OT", "5x30 byo-yomi", "3x30 byo-yomi", False),
        ("OT", "5x30 byo-yomi", "25/300 Canadian", False),
        ("TimeControl", "900+0", "900", True),
        ("TimeControl", "900", "?", False),
    ],
)
def test_two_spellings_of_a_time(name: str, one: str, other: str, same: bool) -> None:
    assert same_time(name, one, other) is same


@given(
    st.lists(st.tuples(st.integers(1, 9000), st.integers(1, 60), st.integers(0, 60)), min_size=0, max_size=4),
    st.tuples(st.integers(1, 9000), st.integers(0, 60), st.integers(0, 60)),
)
def test_what_pgn_says_is_read_back(before: list[tuple[int, ...]], last: tuple[int, ...]) -> None:
    control = time(*before, last)
    assert periods_of(pgn_of(control) or "") == control.periods


@pytest.mark.parametrize(
    ("control", "where"),
    [
        (time((900, 0, 30), increment=30), "periods[0].increment"),
        (time((900, 0, -1)), "periods[0].increment"),
        (time((900, 0), byo_yomi=30, times=0), "byo_yomi_periods"),
        (time((900, 0), byo_yomi=30, times=101), "byo_yomi_periods"),
        (time((900, 0), times=2), "byo_yomi_periods"),
        (CLASSICAL, None),
        (time((900, 0), byo_yomi=30, times=5), None),
    ],
)
def test_what_cannot_be_is_named(control: TimeControl, where: str | None) -> None:
    assert [place for place, _ in time_faults(control)] == ([] if where is None else [where])
