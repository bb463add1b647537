"""Removals: what each does to the game of the round, and what is left of it once it is not in force any more.

`expected_result` and `expected_there` are written from the articles: 002-X 18.2 取消当场比赛资格, 18.3 除名按退出处理, 20.3 and
20.4 未赛对局均作弃权, 21.4; 000-A 五子棋 F 中途退场判为负; 000-B 8, 注意 3, 8, 9.
"""

from dataclasses import replace
from itertools import product

import pytest

from services.games.rules.commands import Correct
from services.pairing.rules import commands as pairing
from services.pairing.rules.withdrawals import following_rulings
from services.penalties.rules import commands as penalties
from services.penalties.rules.rulings.parties import concerned_players
from services.standings.rules.table.table import standings
from shared import regulations
from shared.core import events as ev
from shared.core.events import ByeGranted
from shared.core.rounds.matches import matches
from shared.core.terms import GAMES, PAIRING, PENALTIES, PlayerId, RulingId
from tests.rules.pairing_story import LOSS, WIN, Office
from tests.rules.removal_story import APPEALS, ARBITER, CHIEF, FORMATS, KINDS, ORGANISER, TIMINGS, WHY, Case, Story

LAPSED = ("annulled", "appealed", "retracted", "lapsed")


def cases() -> list[Case]:
    """The whole matrix; only a third foul lapses, and only a player who left by himself returns."""
    all = [Case(*one) for one in product(FORMATS, KINDS, TIMINGS, ("in force", "returned", *LAPSED))]
    return [
        case
        for case in all
        if (case.fate in ("in force", "returned") if case.kind == "withdraw" else case.fate != "returned")
        and (case.fate != "lapsed" or case.kind == "expel")
    ]


def in_force(case: Case) -> bool:
    return case.fate in ("in force", "returned")


def expected_result(case: Case) -> str | None:
    """The result of the removed player's game, by the articles."""
    if case.timing == "after":
        return "1-0"
    if not in_force(case):
        return None
    return "0-1" if case.timing == "in progress" else "-/+"


def expected_annulled(case: Case) -> bool:
    """20.3: fewer than half of five opponents met, and all results are annulled; a game lost at the board was played."""
    return case.format == "round robin, early" and case.kind != "exclude" and case.fate == "in force"


def named(case: Case) -> str:
    return str(case)


@pytest.mark.parametrize("case", cases(), ids=named)
def test_removal_decides_the_game_while_in_force(case: Case) -> None:
    story = Story(case)
    assert story.result(story.game) == expected_result(case)
    assert (story.t.annulling_event(story.t.games[story.game]) is not None) is expected_annulled(case)
    assert story.plays_on() is (expected_result(case) is None)


@pytest.mark.parametrize("case", [case for case in cases() if not in_force(case)], ids=named)
def test_lapsed_removal_equals_none(case: Case) -> None:
    story, control = Story(case), Story(Case(case.format, None, case.timing), by_fouls=case.by_fouls)
    assert story.essence() == control.essence()
    for one in (story, control):
        one.do(GAMES, one.move()) if case.timing != "after" else None
        one.finish()
    assert story.next_round() == control.next_round()
    assert story.essence() == control.essence()


# ---------------------------------------------------------------- the next round


def is_out(case: Case) -> bool:
    """Whether the removed player has no seat in the next round: 18.3 and 20 from the event, 000-B 9 from a bracket."""
    lost_bracket = case.format in ("knockout", "teams") and case.timing != "after"
    gone = case.kind != "exclude" and case.fate == "in force"
    return lost_bracket or (gone and case.format != "round robin, late")


def opponent_is_out(case: Case) -> bool:
    return case.format in ("knockout", "teams") and case.timing == "after"


def expected_points(case: Case, story: Story) -> dict[int, float]:
    """The sum of the results, a win of the smaller number where nothing is special; nothing of annulled games (20.3)."""
    points = dict.fromkeys(map(int, story.t.players), 0.0)
    for game in story.t.games_in_force():
        white, black = int(game.white), int(game.black)
        result = expected_result(case) if game.game == story.game else story.result(game.game)
        if game.round < story.paired.round:
            result = "1-0" if white < black else "0-1"
        if expected_annulled(case) and story.player in (white, black):
            continue
        won = {"1": 1.0, "+": 1.0, "0": 0.0, "-": 0.0}
        assert result is not None
        points[white] += won[result[0]]
        points[black] += won[result[-1]]
    return points


@pytest.mark.parametrize("case", [case for case in cases() if in_force(case)], ids=named)
def test_removal_in_force_decides_points_and_next_round(case: Case) -> None:
    story = Story(case)
    story.finish()
    assert story.points() == expected_points(case, story)
    if case.format != "teams":
        rank = {row.player: row.rank for row in standings(story.t).rows}
        loser, winner = (story.opponent, story.player) if case.timing == "after" else (story.player, story.opponent)
        if case.format in ("swiss", "knockout"):
            assert rank[winner] < rank[loser]
        if expected_annulled(case):
            assert rank[story.player] == len(rank)
    boards, byes = story.next_round()
    seated = {player for board in boards for player in board} | set(byes)
    assert (story.player not in seated) is is_out(case)
    assert (story.opponent not in seated) is opponent_is_out(case)
    if case.format == "round robin, late":
        game = next(g for g in story.t.games_in_force() if g.round == 5 and story.player in (g.white, g.black))
        lost = "-/+" if game.white == story.player else "+/-"
        assert story.result(game.game) == (lost if case.kind != "exclude" and case.fate == "in force" else None)
    if case.format == "knockout" and case.timing != "after":
        assert matches(story.t)[1].winner == story.opponent


# ---------------------------------------------------------------- single cases


@pytest.mark.parametrize("kind", ["expel", "exclude"])
def test_loss_of_the_game_names_the_removal(kind: str) -> None:
    story = Story(Case("swiss", kind, "in progress"))
    removal, loss = (ruling.event for ruling in story.t.rulings.values())
    assert (loss.because, loss.game, loss.player) == ((removal.ruling,), story.game, story.player)
    assert loss.article == removal.article
    ended = story.refused(GAMES, story.move())
    assert (ended.code, ended.article, ended.see) == ("game-over", loss.article, "/v1/tournaments/T/rulings/r1")
    assert "annulled or retracted" in str(ended.detail)


@pytest.mark.parametrize("kind", ["expel", "exclude"])
@pytest.mark.parametrize("timing", ["before", "in progress"])
def test_result_for_a_barred_player_is_refused(kind: str, timing: str) -> None:
    story = Story(Case("swiss", kind, timing))
    report = story.reporting(story.game, "1-0")
    assert story.refused(GAMES, report).code == "result-exists"
    correction = Correct(CHIEF, report.results, WHY)
    refusal = story.refused(GAMES, correction)
    assert (refusal.code, refusal.see) == ("player-removed", "/v1/tournaments/T/rulings/r1")
    assert refusal.article == "002-X 8.8, 18.2, 18.3"
    story.do(GAMES, Correct(CHIEF, story.reporting(story.game, "0-1").results, WHY))
    assert story.refused(GAMES, correction).code == "player-removed"


def test_result_of_before_the_removal_can_be_corrected() -> None:
    story = Story(Case("swiss", "expel", "after"))
    story.do(GAMES, Correct(CHIEF, story.reporting(story.game, "1/2-1/2").results, WHY))
    assert story.result(story.game) == "1/2-1/2"


def test_annulled_loss_pardons_the_game_of_an_expelled_player() -> None:
    story = Story(Case("swiss", "expel", "in progress"))
    loss = story.t.ruling_on(story.t.games[story.game])
    assert loss is not None
    story.do(PENALTIES, penalties.AnnulRuling(APPEALS, loss.event.ruling))
    assert story.result(story.game) is None and story.plays_on()
    assert not story.t.may_play(story.player, 2)


def test_annulled_annulment_ends_the_game_again() -> None:
    story = Story(Case("swiss", "expel", "before", "annulled"))
    story.do(GAMES, story.move())
    annulment = next(iter(story.t.annulments))
    story.do(PENALTIES, penalties.AnnulRuling(APPEALS, annulment))
    assert story.result(story.game) == "0-1"
    assert story.refused(GAMES, replace(story.move(), first_ply=2)).code == "game-over"


def test_game_reopened_by_another_ruling_is_lost_by_the_removal() -> None:
    story = Story(Case("swiss", None, "in progress"))
    loss = penalties.MakeRuling(
        CHIEF, story.player, 1, "grave_misconduct", effect=ev.Effect("set_marks", white=WIN, black=LOSS)
    )
    decided = story.do(PENALTIES, loss)[0].ruling
    expulsion = penalties.MakeRuling(ORGANISER, story.player, 1, "grave_misconduct", effect=ev.Effect("expel"))
    story.do(PENALTIES, expulsion)
    assert story.result(story.game) == "1-0"
    story.do(PENALTIES, penalties.AnnulRuling(APPEALS, decided))
    assert story.result(story.game) == "0-1"


def test_forfeit_win_stays_after_the_winner_leaves() -> None:
    story = Story(Case("swiss", "withdraw", "before"))
    story.do(PAIRING, pairing.WithdrawPlayer(ORGANISER, story.opponent, WHY))
    assert story.result(story.game) == "-/+"


def test_leaver_loses_a_game_that_an_annulment_reopens() -> None:
    story = Story(Case("swiss", "expel", "before"))
    story.do(PAIRING, pairing.WithdrawPlayer(ORGANISER, story.opponent, WHY))
    story.do(PENALTIES, penalties.AnnulRuling(APPEALS, RulingId("r1")))
    assert story.result(story.game) == "+/-"


def test_absent_opponent_of_an_excluded_player_loses_too() -> None:
    story = Story(Case("swiss", "exclude", "before"))
    story.do(PENALTIES, penalties.NoteArrival(ARBITER, story.opponent, None, round=1))
    assert story.result(story.game) == "-/-"
    story.do(PENALTIES, penalties.AnnulRuling(APPEALS, RulingId("r1")))
    assert story.result(story.game) == "+/-"


def test_arrival_bye_and_check_in_of_a_barred_player_are_refused() -> None:
    story = Story(Case("swiss", "exclude", "before"))
    arrival = penalties.NoteArrival(ARBITER, story.player, 0, round=1)
    assert story.refused(PENALTIES, arrival).code == "player-removed"
    ahead = ev.Effect("exclude", rounds=(2,))
    story.do(PENALTIES, penalties.MakeRuling(CHIEF, story.opponent, 1, "grave_misconduct", effect=ahead))
    refusals = [
        story.refused(PAIRING, pairing.GrantBye(ORGANISER, ByeGranted(story.opponent, 2, "H"))),
        story.refused(PAIRING, pairing.CheckInPlayers(ARBITER, (story.opponent,), ())),
    ]
    assert [(r.code, r.where) for r in refusals] == [("player-removed", "player"), ("player-removed", "came")]
    story.finish()
    seats = ((story.opponent, story.player),)
    by_hand = pairing.PairRound(CHIEF, seats, reason=WHY)
    refusal = story.refused(PAIRING, by_hand)
    assert refusal.code == "absolute-rule" and "excludes player" in str(refusal.detail)


def test_third_technical_foul_lets_the_opponent_advance_at_once() -> None:
    story = Story(Case("knockout", "expel", "in progress", "in force"), by_fouls=True)
    assert story.result(story.game) == "0-1"
    assert matches(story.t)[1].winner == story.opponent


@pytest.mark.parametrize(("fate", "expected"), [("in force", "-/+"), ("annulled", None)])
def test_exclusion_from_a_later_round_forfeits_its_table_game(fate: str, expected: str | None) -> None:
    story = Story(Case("round robin, late", None, "before"))
    ahead = ev.Effect("exclude", rounds=(5,))
    ruling = penalties.MakeRuling(CHIEF, PlayerId(3), 4, "grave_misconduct", effect=ahead)
    made = story.do(PENALTIES, ruling)[0].ruling
    story.finish()
    story.pair()
    if fate == "annulled":
        story.do(PENALTIES, penalties.AnnulRuling(APPEALS, made))
    game = next(g for g in story.t.games_in_force() if g.round == 5 and 3 in (g.white, g.black))
    assert game.white == 3 and story.result(game.game) == expected


def test_fide_expulsion_forfeits_the_published_game() -> None:
    office = Office(4)
    office.pair((1, 2), (3, 4))
    office.rule(ev.Effect("expel"), 1)
    office.do(office.leave(3))
    settings = [office.t.setting(game) for game in office.t.games_in_force()]
    # The pairing of a round already published stays: 3 plays it and is not paired any more (C.04.2).
    assert [s and (s.white.points, s.black.points, s.white.played) for s in settings] == [(0, 2, False), None]


def test_second_edition_keeps_the_forfeit_of_an_annulled_expulsion() -> None:
    office = Office(4, rules=replace(regulations.load("xiangqi-1999"), decisions=2))
    office.pair((1, 2), (3, 4))
    office.rule(ev.Effect("expel"), 1)
    office.do(following_rulings(office.t)[0])
    office.told(PENALTIES, ev.RulingAnnulled(RulingId("r2"), RulingId("r1"), "8.5"))
    office.do(following_rulings(office.t)[0])
    setting = office.t.setting(office.t.games_in_force()[0])
    assert setting is not None and (setting.white.points, setting.black.points) == (0, 2)


def test_opponent_can_appeal_the_annulment_of_a_forfeit() -> None:
    story = Story(Case("swiss", "expel", "before", "annulled"))
    both = tuple(sorted((story.player, story.opponent)))
    assert concerned_players(story.t, next(iter(story.t.annulments))) == both
    after = Story(Case("swiss", "expel", "after"))
    assert concerned_players(after.t, RulingId("r1")) == (after.player,)
