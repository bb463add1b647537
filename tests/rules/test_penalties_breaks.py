"""Breaks 中途上厕所: one a game of five minutes at most (000-B 注意 9, 12), and technical fouls (注意 8, 10)."""

import pytest

from services.penalties.rules import commands as co
from services.penalties.rules.hall.forfeits import infraction_of_break
from shared import regulations as books
from shared.core import events as ev
from shared.core.rulebook.regulations import Breaks
from shared.core.terms import PAIRING, STANDINGS
from tests.rules.hall import ARBITER, CHIEF, G1, G2, PLAYER, Hall, rulings

ONCE = Breaks(limit=300, times=1, strictly=True, article="12")
COUNTED = Breaks(limit=300, times=1, strictly=True, article="12", further="leaving_the_seat")
TWICE = Breaks(limit=300, times=2, strictly=False, article="12")


class Measured(Hall):
    """The free gomoku event, whose text measures breaks."""

    def __init__(self, regulations: str = "gomoku-campus") -> None:
        super().__init__(regulations)

    def away(self, player: int, seconds: int, game: str = G1) -> list[ev.RulingMade]:
        """What a break brings."""
        taken, *brought = self.told(co.NoteBreak(ARBITER, game, seconds, player))
        assert taken == ev.BreakTaken(player, game, seconds, taken.id)
        return rulings(brought)


@pytest.mark.parametrize(
    ("rule", "before", "seconds", "infraction"),
    [
        (ONCE, 0, 1, None),
        (ONCE, 0, 300, None),
        (ONCE, 0, 301, "long_break"),
        (ONCE, 1, 1, "leaving_the_game"),
        (ONCE, 1, 301, "leaving_the_game"),
        (ONCE, 5, 10, "leaving_the_game"),
        (COUNTED, 0, 300, None),
        (COUNTED, 1, 300, "leaving_the_seat"),
        (COUNTED, 1, 301, "long_break"),
        (TWICE, 1, 299, None),
        (TWICE, 1, 300, "long_break"),
        (TWICE, 2, 299, "leaving_the_game"),
        (None, 9, 86_400, None),
    ],
)
def test_a_break_too_long_or_one_too_many_is_an_infraction(rule, before, seconds, infraction):
    assert infraction_of_break(rule, before, seconds) == infraction


def test_five_minutes_are_allowed_once():
    hall = Measured()
    assert hall.away(1, 300) == []
    assert hall.result() is None


def test_more_than_five_minutes_lose_the_game_at_the_board():
    hall = Measured()
    (loss,) = hall.away(1, 301)
    assert (loss.infraction, loss.article, loss.player, loss.game) == ("long_break", "000-B 注意 12", 1, G1)
    assert hall.events[-1].role == "rulebook"
    assert hall.result() == "0-4"


def test_a_second_break_in_a_game_is_leaving_it_however_short():
    hall = Measured()
    hall.away(2, 60)
    (loss,) = hall.away(2, 5)
    assert (loss.infraction, loss.article, loss.player) == ("leaving_the_game", "000-B 7, 注意 9", 2)
    assert hall.result() == "4-0"


def test_breaks_are_counted_for_each_player_and_in_each_game():
    hall = Measured()
    assert hall.away(1, 200) == hall.away(2, 200) == hall.away(3, 200, G2) == []
    hall.reported(G1, 4, 0)
    hall.happened(PAIRING, ev.RoundPaired(2, 2, (ev.Board(1, "T.2.1", 1, 3), ev.Board(2, "T.2.2", 2, 4))))
    assert hall.away(1, 200, "T.2.1") == []


@pytest.mark.parametrize("name", ["campus", "fide-2026", "renju", "go-campus", "xiangqi-1999"])
def test_where_no_text_measures_breaks_they_are_noted_and_nothing_follows(name):
    hall = Measured(name)
    assert hall.away(1, 3000) == hall.away(1, 3000) == []
    assert [one.seconds for one in hall.tournament.breaks_of(G1, 1)] == [3000, 3000]


def test_a_loss_by_a_break_that_is_annulled_stays_so_and_the_break_still_counts_as_one():
    hall = Measured()
    (loss,) = hall.away(1, 400)
    assert len(hall.annul(loss.ruling)) == 1
    assert hall.ruling(2) and hall.result() is None
    (again,) = hall.away(1, 60)
    assert again.infraction == "leaving_the_game"


def test_an_annulled_annulment_makes_the_loss_stand_again():
    hall = Measured()
    (loss,) = hall.away(1, 400)
    (annulled,) = hall.annul(loss.ruling)
    assert len(hall.annul(annulled.ruling)) == 1
    assert hall.result() == "0-4"


def test_without_the_ruling_the_game_is_open():
    hall = Measured()
    (loss,) = hall.away(1, 400)
    t = hall.tournament.without_rulings([loss.ruling])
    assert t.setting(t.games[G1]) is None


def test_the_side_names_its_player():
    taken, loss = Measured().told(co.NoteBreak(ARBITER, G1, 301, side="black"))
    assert taken.player == loss.player == 2


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"player": 9}, "unknown-player"),
        ({"player": 3}, "not-a-player-of-the-game"),
        ({"player": 1, "game": "T.9.9"}, "unknown-game"),
        ({"side": "white", "game": "T.9.9"}, "unknown-game"),
        ({"player": 1, "seconds": 0}, "bad-break"),
        ({"player": 1, "actor": PLAYER}, "role-may-not"),
    ],
)
def test_breaks_refused(said, code):
    assert Measured().no(co.NoteBreak(**{"actor": ARBITER, "game": G1, "seconds": 60} | said)).code == code


def test_no_break_is_taken_in_a_game_that_is_decided_or_withdrawn_or_after_the_final_table():
    hall = Measured()
    hall.reported(G1, 4, 0)
    assert hall.no(co.NoteBreak(ARBITER, G1, 60, 1)).code == "game-decided"
    hall.happened(STANDINGS, ev.StandingsPublished(("BH",), "2026", 1, True))
    assert hall.no(co.NoteBreak(ARBITER, G2, 60, 3)).code == "tournament-closed"
    gone = Measured()
    gone.happened(PAIRING, ev.PairingWithdrawn(1, 1))
    assert gone.no(co.NoteBreak(ARBITER, G1, 60, side="white")).code == "pairing-withdrawn"


def test_a_long_break_is_noted_and_not_ruled_by_name_and_leaving_may_be_seen_without_a_clock():
    hall = Measured()
    refusal = hall.no(co.MakeRuling(ARBITER, 1, 1, "long_break"))
    assert (refusal.code, refusal.see) == ("noted-as-break", f"/v1/games/{G1}/breaks")
    assert [r.infraction for r in rulings(hall.ruling(1, "leaving_the_game"))] == ["leaving_the_game"]
    assert hall.result() == "0-4"


# ---------------------------------------------------------------- technical fouls 技术犯规 (000-B 注意 8, 10)

TECHNICAL = [
    ("repeated_draw_offer", "000-B 注意 8 ①"),
    ("false_natural_limit", "000-B 注意 8 ②"),
    ("touching_an_unmovable_piece", "000-B 注意 8 ③"),
    ("touching_an_uncapturable_piece", "000-B 注意 8 ④"),
    ("two_moves_in_a_row", "000-B 注意 8 ⑤"),
    ("illegal_move", "000-B 注意 8 ⑤"),
    ("violation", "000-B 注意 8 ⑥"),
    ("stray_stone", "000-B 2"),
    ("over_step_time", "000-B 注意 10"),
    ("noise", "000-B 注意 5"),
    ("leaving_the_seat", "000-B 注意 5"),
    ("telephone", "000-B 注意 6"),
    ("foul", "000-B 注意 8"),
]


@pytest.mark.parametrize(("infraction", "article"), TECHNICAL)
def test_an_act_of_the_notes_is_a_technical_foul(infraction, article):
    (made,) = Measured().ruling(1, infraction)
    assert (made.counter, made.effect.kind, made.article) == ("foul", "foul", article)


def test_no_other_infraction_of_the_event_counts_as_a_technical_foul():
    book = books.load("gomoku-campus").rulebook
    assert {row.name for row in book.infractions if row.counter == "foul"} == {name for name, _ in TECHNICAL}


@pytest.mark.parametrize("last", [name for name, _ in TECHNICAL])
def test_the_third_technical_foul_takes_the_right_to_play_on(last):
    hall = Measured()
    assert hall.ruling(1, "noise") and hall.ruling(1, "two_moves_in_a_row")
    assert hall.seated(1, 1)
    third, expelled = hall.ruling(1, last)
    assert (third.infraction, expelled.infraction, expelled.effect.kind) == (last, "third_technical_foul", "expel")
    assert (expelled.article, expelled.because) == ("000-B 注意 8", ("r1", "r2", "r3"))
    assert not hall.seated(1, 2)


def test_technical_fouls_are_counted_over_the_event():
    hall = Measured()
    hall.ruling(1)
    hall.ruling(1)
    hall.reported(G1, 4, 0)
    hall.happened(PAIRING, ev.RoundPaired(2, 2, (ev.Board(1, "T.2.1", 1, 3), ev.Board(2, "T.2.2", 2, 4))))
    third, expelled = hall.told(co.MakeRuling(CHIEF, 1, 2, "telephone"))
    assert (third.game, expelled.effect.kind) == ("T.2.1", "expel")


def test_a_technical_foul_that_falls_gives_the_right_back():
    hall = Measured()
    for _ in range(3):
        hall.ruling(1)
    assert not hall.seated(1, 2)
    hall.annul("r2")
    assert hall.seated(1, 2)
