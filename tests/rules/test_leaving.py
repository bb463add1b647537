"""Who leaves, who comes back, and what becomes of the games (002-X 18.3, 20, 21.4)."""

from dataclasses import replace

import pytest
from msgspec import to_builtins

from services.pairing.rules import commands as co
from services.pairing.rules.withdrawals import following_rulings
from services.standings.rules.crosstable import crosstable
from services.standings.rules.table.table import standings
from shared import regulations
from shared.core import events as ev
from shared.core.readings.scoring import scores
from shared.core.terms import GAMES, PENALTIES, RULEBOOK, PlayerId, RulingId
from tests.rules.pairing_story import CHIEF, OFFICIALS, ORGANISER, WHY, Office

CIRCLE_OF_SIX = (
    ((1, 6), (2, 5), (3, 4)),
    ((6, 4), (5, 3), (1, 2)),
    ((2, 6), (3, 1), (4, 5)),
    ((6, 5), (1, 4), (2, 3)),
    ((3, 6), (4, 2), (5, 1)),
)


def xiangqi(players: int = 6, format: str = "round_robin", **leaving: object) -> Office:
    """An event by the rules of 1999 (or with other words on leaving)."""
    office = Office(0, 0)
    rules = regulations.load("xiangqi-1999")
    rules = replace(rules, leaving=replace(rules.leaving, **leaving))
    office.do(co.AnnounceTournament(ORGANISER, "Cup", "xiangqi", format, 5, rules, officials=OFFICIALS))  # type: ignore[arg-type]
    office.enter(*range(1, players + 1))
    return office


def after(rounds: int, **leaving: object) -> Office:
    """A round robin of six with so many rounds played, all of them won by White."""
    office = xiangqi(**leaving)
    for boards in CIRCLE_OF_SIX[:rounds]:
        office.play(*boards, said="1-0")
    return office


def back(player: int) -> co.ReturnPlayer:
    return co.ReturnPlayer(ORGANISER, PlayerId(player), WHY)


def points(office: Office) -> dict[int, int]:
    return {p: s.points for p, s in scores(office.t).items()}


def expel(office: Office, player: int) -> RulingId:
    office.rule(ev.Effect("expel"), player)
    return RulingId(f"r{office.t.counts[PENALTIES]}")


def annul(office: Office, ruling: RulingId) -> None:
    number = office.t.counts[PENALTIES] + 1
    office.told(PENALTIES, ev.RulingAnnulled(RulingId(f"r{number}"), ruling, "8.5"))


# ---------------------------------------------------------------- half of the opponents (20.3)


@pytest.mark.parametrize(("rounds", "stand"), [(1, False), (2, False), (3, True), (4, True)])
def test_results_stand_from_half_of_the_opponents_on(rounds: int, stand: bool):
    # 20.3: of five opponents two are fewer than half, three are not.
    (left,) = after(rounds).do(co.WithdrawPlayer(ORGANISER, PlayerId(6), WHY))
    assert (left.played, left.results_stand, left.unplayed, left.article) == (rounds, stand, "forfeit", "002-X 20.3")


def test_exactly_half_is_not_fewer_than_half():
    office = xiangqi(players=5)
    office.play((1, 4), (2, 3), bye=5)
    office.play((1, 2), (5, 3), bye=4)
    assert office.do(office.leave(1))[0].results_stand


@pytest.mark.parametrize(("counts", "stand"), [(False, False), (True, True)])
def test_whether_a_walkover_is_an_opponent_met_stands_in_the_regulations(counts: bool, stand: bool):
    office = after(2, walkover_meets=counts)
    office.pair(*CIRCLE_OF_SIX[2])
    office.results("+/-")
    assert office.do(office.leave(6))[0].results_stand is stand


def test_annulled_results_give_nothing_to_either_side_and_stay_in_the_cross_table():
    office = after(2)  # 6 lost to 1, then beat 4
    assert (points(office)[1], points(office)[6]) == (4, 2)
    office.do(office.leave(6))
    assert (points(office)[1], points(office)[4], points(office)[6]) == (2, 0, 0)
    cells = {p["id"]: p["rounds"] for p in to_builtins(crosstable(standings(office.t, ())))["players"]}
    assert (cells[1][0]["result"], cells[1][0]["points"], cells[1][0]["annulled"]) == (
        "1",
        0,
        "6 left too early (002-X 20.3)",
    )
    assert (cells[4][1]["result"], cells[4][1]["points"]) == ("0", 0)
    assert cells[1][1]["annulled"] is None
    assert office.t.players[PlayerId(6)].withdrawal_seq in cells[1][0]["events"]


def test_whose_results_were_annulled_stands_behind_everybody():
    office = after(2)
    office.do(office.leave(6))
    table = standings(office.t, ())
    assert (table.rows[-1].player, table.rows[-1].rank) == (6, 6)


def test_those_whose_results_were_annulled_are_no_opponents_any_more():
    # 20.3: 6 left after two of five; then four opponents are left to 4, of whom two are half.
    office = after(1)
    office.do(office.leave(6))
    office.play((5, 3), (1, 2))
    office.play((3, 1), (4, 5))
    (left,) = office.do(office.leave(4))
    assert (left.played, left.results_stand) == (2, True)


def test_who_left_in_time_keeps_the_results_and_the_rest_is_won_by_forfeit():
    office = after(3)
    office.do(office.leave(6))
    before = points(office)
    office.pair(*CIRCLE_OF_SIX[3], overrides=())
    assert points(office)[5] == before[5] + 2
    game = office.t.game_at(4, 1)
    assert game is not None and game.black == 5
    setting = office.t.setting(game)
    assert setting is not None
    assert (setting.white.points, setting.white.played, setting.black.points, setting.black.played) == (
        0, False, 2, False,
    )  # fmt: skip
    assert setting.seq == office.t.players[PlayerId(6)].withdrawal_seq


def test_of_two_who_left_neither_wins_the_game_between_them():
    office = after(3)
    office.do(office.leave(6))
    office.do(office.leave(5))
    office.pair(*CIRCLE_OF_SIX[3])
    game = office.t.game_at(4, 1)
    setting = None if game is None else office.t.setting(game)
    assert setting is not None and (setting.white.points, setting.black.points) == (0, 0)


def test_a_published_game_that_has_not_begun_is_won_by_the_opponent():
    # 20.4, in a Swiss: what is played stands, the rest is forfeited.
    office = xiangqi(4, "swiss")
    office.play((1, 2), (3, 4), said="1-0")
    office.pair((1, 3), (2, 4))
    (left,) = office.do(office.leave(3))
    assert (left.after_round, left.results_stand, left.unplayed) == (1, True, "forfeit")
    assert points(office)[1] == 4


def test_a_begun_game_is_not_forfeited_by_leaving():
    office = xiangqi(4, "swiss")
    office.play((1, 2), (3, 4), said="1-0")
    office.pair((1, 3), (2, 4))
    game = office.t.game_at(2, 1)
    assert game is not None
    office.told(GAMES, ev.GameStarted(game.game))
    (left,) = office.do(office.leave(3))
    assert left.after_round == 2


def test_a_result_that_is_reported_all_the_same_counts_instead():
    office = xiangqi(4, "swiss")
    office.pair((1, 2), (3, 4))
    office.do(office.leave(1))
    assert points(office)[2] == 2
    office.results("1-0")
    assert points(office)[2] == 0


def test_who_leaves_before_the_first_pairing_forfeits_nothing():
    # 20.2
    office = xiangqi()
    (left,) = office.do(office.leave(6))
    assert (left.after_round, left.results_stand, left.unplayed) == (0, True, "not_paired")


def test_by_fide_who_leaves_a_swiss_is_not_paired_any_more():
    office = Office(4)
    office.play((1, 2), (3, 4))
    assert office.do(office.leave(4))[0].unplayed == "not_paired"


# ---------------------------------------------------------------- coming back


def test_who_returns_is_seated_from_the_next_round_on_and_what_was_forfeited_stays_so():
    office = after(3)
    office.do(office.leave(6))
    office.pair(*CIRCLE_OF_SIX[3])
    office.results("0-1", "1-0", "1-0")
    office.do(back(6))
    assert points(office)[5] == 2 * sum(5 in (w, b) and w == 5 for r in CIRCLE_OF_SIX[:3] for w, b in r) + 2
    assert office.t.players[PlayerId(6)].withdrawal is None
    office.pair(*CIRCLE_OF_SIX[4])
    game = office.t.game_at(5, 1)
    assert game is not None and office.t.setting(game) is None


def test_a_game_of_the_absence_stays_forfeited_after_the_return():
    office = after(3)
    office.do(office.leave(6))
    office.pair(*CIRCLE_OF_SIX[3])
    office.do(back(6))
    game = office.t.game_at(4, 1)
    setting = None if game is None else office.t.setting(game)
    assert setting is not None and (setting.white.points, setting.black.points) == (0, 2)


def test_annulled_results_count_again_when_the_player_returns():
    office = after(2)
    before = points(office)
    office.do(office.leave(6))
    office.do(back(6))
    assert points(office) == before


def test_refusals_of_leaving_and_returning():
    office = after(1)
    assert office.refused(office.leave(9)).code == "unknown-player"
    assert office.refused(back(9)).code == "unknown-player"
    assert office.refused(back(1)).code == "player-here"
    office.do(office.leave(1))
    assert office.refused(office.leave(1)).code == "player-left"


# ---------------------------------------------------------------- expulsion is a withdrawal (18.3)


def test_an_expulsion_calls_for_a_withdrawal_and_its_fall_for_a_return():
    office = after(3)
    ruling = expel(office, 6)
    (due,) = following_rulings(office.t)
    (left,) = office.do(due)
    assert (left.player, left.ruling, left.unplayed) == (6, ruling, "forfeit")
    assert following_rulings(office.t) == []
    annul(office, ruling)
    (due,) = following_rulings(office.t)
    (returned,) = office.do(due)
    assert (returned.player, returned.ruling, returned.first_round) == (6, ruling, 4)
    assert following_rulings(office.t) == []


def test_while_a_second_expulsion_stands_nobody_returns():
    office = after(3)
    first = expel(office, 6)
    office.do(following_rulings(office.t)[0])
    second = expel(office, 6)
    office.pair((1, 5), (2, 4))
    annul(office, first)
    office.do(following_rulings(office.t)[0])
    assert following_rulings(office.t) == []
    withdrawal = office.t.withdrawal_of(6)
    assert withdrawal is not None and (withdrawal.ruling, withdrawal.after_round) == (second, 3)
    assert office.refused(back(6)).code == "player-expelled"


def test_who_had_left_by_himself_does_not_return_when_an_expulsion_falls():
    office = after(3)
    office.do(office.leave(6))
    annul(office, expel(office, 6))
    assert following_rulings(office.t) == []


def test_nothing_follows_once_the_event_is_closed():
    office = after(3)
    office.close()
    expel(office, 6)
    assert not following_rulings(office.t)


def test_the_rulebook_withdraws_nobody_without_an_expulsion():
    office = after(1)
    assert office.refused(co.WithdrawPlayer(RULEBOOK, PlayerId(1))).code == "no-expulsion"
    assert office.refused(co.WithdrawPlayer(CHIEF, PlayerId(1), None, RulingId("r1"))).code == "no-expulsion"
    office.do(office.leave(1))
    assert office.refused(co.ReturnPlayer(RULEBOOK, PlayerId(1))).code == "no-expulsion"
