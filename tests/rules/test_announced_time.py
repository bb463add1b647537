"""A time control that the announcement chooses 计时方案 (002-X 6; Laws 6): what may be said, and what games make of it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.games.rules.boards.registry import variant_of
from services.games.rules.commands import Move, PlayMoves
from services.games.rules.play.sheet.clocks import initial_reading, most_shown
from services.pairing.rules.announcement.announcement_checks import check_announcement
from services.pairing.rules.commands import AnnounceTournament
from shared.core.event_types.evolve import evolve
from shared.core.events import FindingMade, MovePlayed, NewEvent, RegulationsAdopted, TournamentAnnounced
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PAIRING, Conditions, Period, Refusal, TimeControl
from shared.regulations import load
from tests.rules.games_hall import BOARD, G1, Hall
from tests.rules.pairing_story import CHIEF

FIVE_MINUTES = TimeControl("xiangqi", (Period(300, 0),), 0, 0, "at_once", "002-X 6")


def said(*periods: tuple[int, int], **more: Any) -> Refusal | None:
    """What is refused of an announcement of xiangqi with such a time."""
    time = replace(FIVE_MINUTES, periods=tuple(Period(*one) for one in periods), **more)
    rules, conditions = load("xiangqi-1999"), Conditions(time=time)
    return check_announcement(AnnounceTournament(CHIEF, "Cup", "xiangqi", "swiss", 5, rules, (), conditions))


@pytest.mark.parametrize(
    ("what", "periods", "more"),
    [
        ("sudden death 包干 (002-X 6.5)", [(300, 0)], {}),
        ("moves in a time, again and again (6.4)", [(300, 30)], {}),
        ("two periods (6.1)", [(5400, 40), (900, 10)], {}),
        ("forty moves, then all in half an hour", [(5400, 40), (1800, 0)], {"increment": 30}),
        ("seconds a move alone", [], {"byo_yomi": 15}),
        ("a time and byo-yomi after it", [(1800, 0)], {"byo_yomi": 30, "flag": "claimed"}),
        ("as many periods as there may be", [(60, 10)] * 10, {}),
    ],
)
def test_a_time_that_makes_sense_is_announced(what, periods, more):
    assert said(*periods, **more) is None, what


@pytest.mark.parametrize(
    ("periods", "more", "where"),
    [
        ([], {}, "conditions.time"),
        ([], {"increment": 5}, "conditions.time"),
        ([(0, 0)], {}, "conditions.time.periods[0].seconds"),
        ([(300, 40), (-5, 0)], {}, "conditions.time.periods[1].seconds"),
        ([(300, 0), (300, 0)], {}, "conditions.time.periods[0].moves"),
        ([(300, -1)], {}, "conditions.time.periods[0].moves"),
        ([(60, 10)] * 11, {}, "conditions.time.periods"),
        ([(300, 0)], {"increment": -1}, "conditions.time.increment"),
        ([(300, 0)], {"byo_yomi": -1}, "conditions.time.byo_yomi"),
        ([(300, 0)], {"game": "chess"}, "conditions.time.game"),
    ],
)
def test_a_time_that_makes_none_is_refused_by_its_part_and_article(periods, more, where):
    refusal = said(*periods, **more)
    assert refusal is not None
    assert (refusal.kind, refusal.code, refusal.where) == ("invalid", "conditions-do-not-fit", where)
    assert refusal.article == "002-X 6"


times = st.builds(
    replace,
    st.just(FIVE_MINUTES),
    periods=st.lists(st.builds(Period, st.integers(-2, 9000), st.integers(-2, 60)), max_size=12).map(tuple),
    increment=st.integers(-2, 60),
    byo_yomi=st.integers(-2, 60),
)


@given(times, st.integers(0, 200), st.integers(1, 200))
def test_whatever_is_announced_leaves_a_clock_that_never_goes_below_nothing(time, then, more):
    if said(*((p.seconds, p.moves) for p in time.periods), increment=time.increment, byo_yomi=time.byo_yomi) is None:
        assert initial_reading(time) > 0
        assert most_shown(time, initial_reading(time), then, then + more) >= initial_reading(time)


def announced(time: TimeControl | None, regulations: str = "xiangqi-1999") -> Tournament:
    t = TournamentState("T")
    for n, data in enumerate(
        (
            TournamentAnnounced("Cup", "xiangqi", "swiss", 5, (), Conditions(time=time)),
            RegulationsAdopted(load(regulations)),
        ),
        1,
    ):
        evolve(t, NewEvent(n, PAIRING, n, n - 1, "c", "chief", "chief_arbiter", "", data, ""))
    return t


def test_the_announced_time_stands_before_that_of_the_regulations():
    kind = variant_of(announced(FIVE_MINUTES))
    assert kind is not None and kind.time == FIVE_MINUTES


@pytest.mark.parametrize(("regulations", "first"), [("xiangqi-1999", 5400), ("campus", None)])
def test_where_none_is_announced_that_of_the_regulations_holds(regulations, first):
    kind = variant_of(announced(None, regulations))
    assert kind is not None
    assert (None if kind.time is None else initial_reading(kind.time)) == first


class Timed(Hall):
    """A hall of xiangqi by the campus event's regulations, which name no time of their own."""

    def __init__(self, time: TimeControl, decisions: int = 2) -> None:
        super().__init__("xiangqi")
        assert self.t.announced is not None and self.t.regulations is not None
        self.t.regulations = replace(self.t.regulations, decisions=decisions)
        self.t.announced = replace(self.t.announced, conditions=Conditions(time=time))


def read(*moves: tuple[str, int], ply: int = 1) -> PlayMoves:
    return PlayMoves(BOARD, G1, ply, tuple(Move(move, clock) for move, clock in moves))


def test_a_reading_above_the_announced_time_is_taken_and_found_by_its_article():
    line, _, found = Timed(FIVE_MINUTES).do(read(("h2e2", 301)))
    assert line == MovePlayed(1, "h2e2", 301)
    assert (found.kind, found.player, found.article) == ("clock_gained", 1, "002-X 6")


def test_by_the_first_edition_a_reading_above_the_announced_time_is_refused_by_its_article():
    refusal = Timed(FIVE_MINUTES, decisions=1).refused(read(("h2e2", 301)))
    assert (refusal.code, refusal.article) == ("clock-gains", "002-X 6")


def test_a_reading_of_nothing_is_a_fallen_flag_where_the_announcement_says_at_once():
    *lines, _, found = Timed(FIVE_MINUTES).do(read(("h2e2", 300), ("h9g7", 0)))
    assert lines == [MovePlayed(1, "h2e2", 300), MovePlayed(2, "h9g7", 0)]
    assert (type(found), found.kind, found.player, found.article) == (FindingMade, "flag", 2, "002-X 4.1.4, 22")


def test_a_reading_of_nothing_waits_where_the_announcement_says_claimed():
    assert len(Timed(replace(FIVE_MINUTES, flag="claimed")).do(read(("h2e2", 0)))) == 2


@pytest.mark.parametrize(
    ("scheme", "readings", "too_much"),
    [
        ("002-X 6.2", [3600], 3601),
        ("002-X 6.3", [600], 601),
        ("002-X 6.4", [300], 301),
    ],
)
def test_a_scheme_of_the_regulations_is_a_time_to_announce(scheme, readings, too_much):
    time = load("xiangqi-1999").game.scheme("xiangqi", scheme)
    assert time is not None
    *_, found = Timed(time).do(read(("h2e2", too_much)))
    assert (found.kind, found.article) == ("clock_gained", scheme)
    assert Timed(time, decisions=1).refused(read(("h2e2", too_much))).article == scheme
    assert not any(isinstance(one, FindingMade) for one in Timed(time).do(read(("h2e2", *readings))))
