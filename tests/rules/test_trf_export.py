"""A tournament as a file and back: what a file can say, it still says afterwards."""

import random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from deploy.cli.demo.simulation import Shares, simulated
from deploy.failure import Failure
from services.standings.files.trf.export import EDITIONS, trf_of
from services.standings.files.trf.to_events import Hand, names, tournament_of
from shared.core import events as ev
from shared.core.readings.scoring import scores
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, PAIRING, PENALTIES, ByeKind, HalfPoints, Mark, PlayerId, RulingId
from shared.trf.comparison import differences
from shared.trf.merged_file import merge
from shared.trf.model.model import TrfFile
from shared.trf.reader import read
from shared.trf.writer import write
from tests.rules.pairing_story import Office
from tests.rules.team_hall import TeamHall
from tests.rules.test_trf import THREE_ROUNDS, trf
from tests.tiers import examples

ROUGH = Shares(forfeits=0.15, byes=0.1, withdrawals=0.2, late=0.2)


def told(t: Tournament, edition="16", names=None) -> TrfFile:
    """The tournament as a file that was written and read again."""
    return read(write(trf_of(t, names, edition)), "exported")


def entries(file: TrfFile) -> dict[int, list[tuple[int, str | None, str | ByeKind | None]]]:
    """Each player's rounds: opponent, colour, letter; by its meaning where there is no opponent."""
    return {
        p.id: [
            (0, None, None) if e is None else (e.opponent, e.side, e.letter if e.opponent else e.bye) for e in p.rounds
        ]
        for p in file.players
    }


def record(t: Tournament) -> dict[int, tuple[object, ...]]:
    """What a table is made of: of each player the points, and every round's points, opponent, colour and kind."""
    return {
        p: (s.points, *((r.points, r.opponent, r.side, r.mark, r.bye) for r in s.rounds)) for p, s in scores(t).items()
    }


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 10**6), st.integers(8, 16), st.integers(1, 4), st.sampled_from(EDITIONS))
def test_a_tournament_written_and_read_is_the_same(seed, players, rounds, edition):
    try:
        t, names = simulated(players, rounds, random.Random(seed), ROUGH)
    except Failure:  # so few were left that nobody could be paired any more
        reject()
    file = told(t, edition, names)
    again = tournament_of(file)
    assert record(again) == record(t)
    assert {p.name for p in file.players} <= set(names.values())
    assert {p: e.first_round for p, e in again.players.items()} == {p: e.first_round for p, e in t.players.items()}
    assert entries(told(again, edition)) == entries(file)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_file_written_anew_says_what_it_said(edition):
    before = trf()
    after = told(tournament_of(before), edition)
    assert entries(after) == entries(before)
    same = ("name", "rounds", "initial_colour", "points", "tiebreaks")
    assert [getattr(after.settings, s) for s in same] == [getattr(before.settings, s) for s in same]
    assert after.settings.forbidden_pairs(4) == {(1, 4)}


@pytest.mark.parametrize("edition", EDITIONS)
def test_points_and_tie_breaks_of_its_own_survive(edition):
    before = trf(THREE_ROUNDS + "XXS W=3.0 D=1.0 PAB=1.5 FPB=3.0 HPB=1.0\n212 PTS,BH/C1,DE\n")
    after = told(tournament_of(before), edition)
    assert record(tournament_of(after)) == record(tournament_of(before))
    assert after.settings.tiebreaks == ("BH/C1", "DE")


def test_byes_to_come_are_in_the_players_lines():
    asked = trf(THREE_ROUNDS + "240 H   5    2    3\n")
    after = told(tournament_of(asked), "26")
    assert [(p.id, p.entry(5).bye) for p in after.players if p.entry(5)] == [(2, "H"), (3, "H")]
    assert after.next_round == 4


def test_who_has_left_is_absent_from_every_round_to_come():
    t = tournament_of(trf())
    left = ev.PlayerWithdrew(2, 3, results_stand=True, played=2, article="C.04.2")
    Hand(t).add(PAIRING, left)
    assert [told(t).players[1].entry(n).bye for n in (4, 5)] == ["Z", "Z"]


def test_who_was_away_and_came_back_was_absent_in_between():
    t = tournament_of(trf())
    hand = Hand(t)
    hand.add(PAIRING, ev.PlayerWithdrew(2, 3, results_stand=True, played=2, article="C.04.2"))
    seats = (ev.Board(1, "file.4.1", 1, 4),)
    hand.add(PAIRING, ev.RoundPaired(4, 4, seats, (ev.ByeSeat(3, "U"),), initial_colour="black"))
    hand.add(PAIRING, ev.PlayerReturned(2, 5))
    file = told(t)
    assert (file.players[1].entry(4).bye, file.players[1].entry(5)) == ("Z", None)
    assert record(tournament_of(file))[2][0] == record(t)[2][0]


def test_names_that_are_not_at_hand_are_numbers():
    assert [p.name for p in told(tournament_of(trf())).players] == ["No. 1", "No. 2", "No. 3", "No. 4"]


def test_a_file_keeps_what_no_log_holds_of_it():
    before = trf("022 Bergen\n" + THREE_ROUNDS.replace("XXR 5", "QQQ kept as it is\nXXR 5"))
    t = tournament_of(before)
    after = read(write(merge(told(t), before)), "exported")
    texts = [r.text for r in after.records]
    assert "022 Bergen" in texts and "QQQ kept as it is" in texts and texts.count("XXR 5") == 1
    assert [(p.fide_id, p.birth) for p in after.players] == [(p.fide_id, p.birth) for p in before.players]
    assert after.players[0].fide_id == "12345678"


MORE = """012 Cup
192 FIDE_DUTCH_2017
001    1 m GM Albrecht,Nora                     2400 GER    12345678 1990/01/02  2.0    2     2 w W     3 - +
001    2      Bruun,Ole                         2300 DEN                         0.0    3     1 b L
001    3 w    Castro,Ines                       2200                             0.0    4  0000 - z     1 - -
XXR 3
QQQ kept
"""


def test_what_the_log_has_no_word_for_is_kept_as_the_file_writes_it():
    before = trf(MORE)
    again = write(merge(trf_of(tournament_of(before), names(before)), before)).decode()
    assert [line for line in MORE.splitlines() if line not in again.splitlines()] == []
    assert "XXR 3" in again and again.count("XXR") == 1 and "192 FIDE_DUTCH_2026" not in again


def test_what_was_played_otherwise_since_is_not_kept():
    before, since = trf(MORE), trf(MORE.replace("2 w W", "2 w 0").replace("1 b L", "1 b 1"))
    after = read(write(merge(trf_of(tournament_of(since), names(since)), before)), "after")
    assert [p.rounds[0].letter for p in after.players[:2]] == ["0", "1"]
    assert [p.rounds[1].side for p in after.players if p.id != 2] == [None, None]
    assert [p.points for p in after.players] == ["1.0", "1.0", "0.0"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_points_by_rulings_and_by_results_between_two_letters_are_given_by_records_299(edition):
    office = Office(5, rounds=4)
    office.pair(initial_colour="white")
    drawn, lost = office.t.current(1).event.boards
    office.told(GAMES, ev.ResultReported(drawn.game, *(Mark(HalfPoints(p), True) for p in (1, 0))))
    office.told(GAMES, ev.ResultReported(lost.game, *(Mark(HalfPoints(p), True) for p in (0, 1))))
    office.rule(ev.Effect("adjust_points", points=HalfPoints(-1)), 2)
    office.rule(ev.Effect("adjust_points", points=HalfPoints(3)), 5)
    office.pair()
    office.results("=", "+/-")
    file = told(office.t, edition)
    assert [r.text for r in file.records if r.text.startswith("299")] == [
        "299     0.0  -0.5    1     2", "299     0.0   1.5    1     5",
    ]  # fmt: skip
    assert differences(file, office.t.regulations.points) == ()
    assert {p: s.points for p, s in scores(tournament_of(file)).items()} == {
        p: s.points for p, s in scores(office.t).items()
    }


@pytest.mark.parametrize("edition", EDITIONS)
def test_points_by_rulings_of_players_of_teams_are_told_in_words_as_records_299_name_teams(edition):
    hall = TeamHall(2, book="fide-2026").round("1-2 1=")
    effect = ev.Effect("adjust_points", points=HalfPoints(-1))
    hall.tell(PENALTIES, ev.RulingMade(RulingId("r1"), PlayerId(11), 1, "a penalty", "12.9", effect))
    file = told(hall.t, edition)
    number = hall.t.players[PlayerId(11)].starting_number
    texts = [r.text for r in file.records]
    assert f"### player {number}: -0.5 points by a ruling in round 1, beside his results" in texts
    assert not any(text.startswith("299") for text in texts)
