"""Announcement, officials, entries, starting numbers, leaving, byes, erasure."""

from dataclasses import replace

import pytest

from services.pairing.rules import commands as co
from shared import regulations
from shared.core import events as ev
from shared.core.events import (
    ByeGranted,
    OfficialAppointed,
    OfficialDismissed,
    RegulationsAdopted,
    StartingNumber,
    TextErased,
)
from shared.core.terms import PAIRING, Actor, HalfPoints, PlayerId
from tests.rules.pairing_story import ARBITER, CHIEF, ORGANISER, WHY, Office, entry

CAMPUS = regulations.load("campus")


def test_an_announcement_pins_its_regulations_whole():
    office = Office(rounds=5)
    assert office.t.announced == ev.TournamentAnnounced("Cup", "chess", "swiss", 5, offices=3, results_only=False)
    assert office.t.regulations == regulations.load("fide-2026")


def test_a_tournament_is_announced_once():
    office = Office()
    again = co.AnnounceTournament(CHIEF, "Cup", "chess", "swiss", 5, CAMPUS)
    assert office.refused(again).code == "tournament-exists"


def test_a_tournament_has_a_round():
    office = Office(rounds=0)
    refusal = office.refused(co.AnnounceTournament(CHIEF, "Cup", "chess", "swiss", 0, CAMPUS))
    assert (refusal.kind, refusal.code) == ("invalid", "no-rounds")


def test_other_regulations_take_a_reason():
    office = Office()
    assert office.refused(co.AdoptRegulations(CHIEF, RegulationsAdopted(CAMPUS, None))).code == "reason-missing"
    office.do(co.AdoptRegulations(CHIEF, RegulationsAdopted(CAMPUS, WHY)))
    assert office.t.regulations == CAMPUS


def test_no_tournament_goes_back_to_an_older_edition_of_decisions():
    office = Office()
    refusal = office.refused(co.AdoptRegulations(CHIEF, RegulationsAdopted(replace(CAMPUS, decisions=1), WHY)))
    assert (refusal.kind, refusal.code, refusal.where) == ("rule", "older-decisions", "regulations")
    assert str(refusal.detail) == "this log already uses decision edition 3, so it cannot return to edition 1"


COMMANDS = [
    co.AdoptRegulations(CHIEF, RegulationsAdopted(CAMPUS, WHY)),
    co.AppointOfficial(CHIEF, OfficialAppointed("li", "arbiter")),
    co.DismissOfficial(CHIEF, OfficialDismissed("li")),
    co.EnterPlayers(CHIEF, (entry(9),)),
    co.AssignNumbers(CHIEF),
    co.WithdrawPlayer(CHIEF, PlayerId(1)),
    co.GrantBye(CHIEF, ByeGranted(PlayerId(1), 1, "H")),
    co.PairRound(CHIEF),
    co.WithdrawPairing(CHIEF, 1),
    co.EraseText(ORGANISER, TextErased("a" * 64)),
]
NAMES = [type(c).__name__ for c in COMMANDS]


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_nothing_is_done_in_an_unknown_tournament(command):
    refusal = Office(rounds=0).refused(command)
    assert (refusal.kind, refusal.code) == ("unknown", "unknown-tournament")


@pytest.mark.parametrize("command", COMMANDS, ids=NAMES)
def test_an_auditor_changes_nothing(command):
    refusal = Office(2).refused(replace(command, actor=Actor("eye", "auditor")))
    assert (refusal.kind, refusal.code) == ("authority", "role-may-not")


@pytest.mark.parametrize("command", COMMANDS[:-1], ids=NAMES[:-1])
def test_after_the_final_table_pairing_is_done(command):
    office = Office(2)
    office.close()
    assert office.refused(command).code == "tournament-closed"


def test_after_the_final_table_a_text_can_still_be_erased():
    office = Office(2)
    office.close()
    office.do(COMMANDS[-1])
    assert office.t.erased == {"a" * 64}
    assert office.refused(COMMANDS[-1]).code == "text-erased"


def test_a_hash_is_a_hash():
    assert Office().refused(co.EraseText(ORGANISER, TextErased("A" * 64))).code == "invalid-hash"


def test_a_dismissed_official_is_refused_until_appointed_again():
    office = Office()
    office.do(co.AppointOfficial(ORGANISER, OfficialAppointed("chief", "arbiter")))
    assert office.world.do(PAIRING, co.AppointOfficial(ORGANISER, OfficialAppointed("chief", "arbiter"))) == []
    office.do(co.AppointOfficial(ORGANISER, OfficialAppointed("another", "chief_arbiter")))
    office.do(co.DismissOfficial(ORGANISER, OfficialDismissed("chief", WHY)))
    assert office.refused(co.DismissOfficial(ORGANISER, OfficialDismissed("chief"))).code == "already-dismissed"
    assert office.refused(co.AssignNumbers(CHIEF)).code == "official-dismissed"
    office.do(co.AppointOfficial(ORGANISER, OfficialAppointed("chief", "arbiter")))
    assert office.refused(co.AssignNumbers(CHIEF)).code == "office-not-held", "he had two, and has one again"
    office.do(co.AppointOfficial(ORGANISER, OfficialAppointed("chief", "chief_arbiter")))
    assert office.refused(co.AssignNumbers(CHIEF)).code == "nobody-entered"


# ---------------------------------------------------------------- entries


def test_ids_not_given_are_the_next_free():
    office = Office()
    entered = office.enter(None, 7, None)
    assert [(d.player, d.starting_number) for d in entered] == [(8, 8), (7, 7), (9, 9)]


def test_an_entry_known_already_refuses_all_and_is_named():
    office = Office(3)
    refusal = office.refused(co.EnterPlayers(ORGANISER, tuple(entry(i) for i in (2, 4, 3, 5, 5))))
    assert refusal.code == "player-exists"
    assert "2, 3, 5" in str(refusal.detail)
    assert office.refused(co.EnterPlayers(ORGANISER, ())).code == "nobody-entered"
    assert office.refused(co.EnterPlayers(ORGANISER, (entry(0),))).code == "invalid-id"


def test_a_starting_number_that_is_taken_is_not_given_again():
    office = Office(2)
    office.do(co.AssignNumbers(CHIEF, (StartingNumber(PlayerId(1), 5),)))
    assert [(d.player, d.starting_number) for d in office.enter(5, 1 + 2)] == [(5, 6), (3, 3)]


def test_a_late_entry_is_paired_from_the_next_round_on():
    """C.04.2: paired when present, with nothing for the rounds missed."""
    office = Office(2)
    office.play((1, 2))
    assert office.enter(3)[0].first_round == 2
    office.enter(4)
    assert {p for seat in office.pair((1, 3), (2, 4)).boards for p in (seat.white, seat.black)} == {1, 2, 3, 4}


def test_strength_is_rating_then_title_then_entry():
    """C.04.2: GM IM WGM FM WIM CM WFM WCM none."""
    office = Office()
    for id, rating, title in ((1, 2000, None), (2, 2000, "WCM"), (3, 2000, "GM"), (4, 2400, None), (5, None, "IM")):
        office.do(co.EnterPlayers(ORGANISER, (entry(id, rating=rating, title=title),)))
    office.enter(6, rating=2000)
    office.do(co.AssignNumbers(CHIEF))
    order = sorted(office.t.players.values(), key=lambda p: p.starting_number)
    assert [p.player for p in order] == [4, 3, 2, 1, 6, 5]


def test_starting_numbers_are_corrected_until_round_4_is_paired():
    """C.04.2"""
    office = Office(6)
    swap = co.AssignNumbers(CHIEF, (StartingNumber(PlayerId(1), 2), StartingNumber(PlayerId(2), 1)))
    for boards in (((1, 2), (3, 4), (5, 6)), ((1, 3), (2, 5), (4, 6)), ((4, 1), (6, 2), (5, 3))):
        office.play(*boards)
    office.do(swap)
    office.pair((1, 5), (2, 4), (3, 6), overrides=("colours",))
    assert office.refused(swap).code == "numbers-fixed"


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        (((1, 2),), "number-taken"),
        (((1, 9), (1, 8)), "number-taken"),
        (((9, 1),), "unknown-player"),
        (((1, 0),), "invalid-number"),
    ],
)
def test_starting_numbers_are_one_each(numbers, code):
    given = tuple(StartingNumber(PlayerId(p), n) for p, n in numbers)
    assert Office(3).refused(co.AssignNumbers(CHIEF, given)).code == code


# ---------------------------------------------------------------- leaving, byes


def test_who_leaves_keeps_the_results_and_is_not_paired():
    office = Office(4)
    office.play((1, 2), (3, 4))
    (withdrew,) = office.do(office.leave(4))
    assert (withdrew.after_round, withdrew.results_stand, withdrew.played) == (1, True, 1)
    assert withdrew.article == office.t.regulations.articles["leaving.results"]
    paired = office.pair()
    assert 4 not in {p for b in paired.boards for p in (b.white, b.black)} | {s.player for s in paired.byes}
    assert office.refused(office.leave(4)).code == "player-left"
    assert office.refused(office.leave(9)).code == "unknown-player"


def test_a_bye_asked_for_leaves_the_seat_empty():
    office = Office(5)
    office.do(office.bye(3, 1))
    paired = office.pair()
    assert sorted(p for b in paired.boards for p in (b.white, b.black)) == [1, 2, 4, 5]
    assert paired.byes == ()


@pytest.mark.parametrize(
    ("player", "round", "kind", "code"),
    [
        (1, 1, "H", "round-paired"),
        (1, 2, "U", "bye-kind"),
        (1, 10, "H", "no-such-round"),
        (2, 2, "Z", "bye-granted"),
        (9, 2, "H", "unknown-player"),
        (4, 2, "H", "player-left"),
    ],
)
def test_a_bye_is_asked_for_before_its_round_is_paired_by_one_who_plays(player, round, kind, code):
    office = Office(4)
    office.play((1, 2), (3, 4))
    office.do(office.bye(2, 2))
    office.do(office.leave(4))
    assert office.refused(office.bye(player, round, kind)).code == code


def test_a_bye_before_the_first_round_of_a_late_entry_is_none():
    office = Office(4)
    office.play((1, 2), (3, 4))
    office.enter(5)
    office.pair((1, 3), (2, 4), bye=5)
    office.do(co.WithdrawPairing(CHIEF, 2))
    office.t.players[PlayerId(5)] = office.t.players[PlayerId(5)]._replace(first_round=3)
    assert office.refused(office.bye(5, 2)).code == "not-yet-entered"


def test_an_excluded_player_is_not_seated():
    office = Office(5)
    office.rule(ev.Effect("exclude", rounds=(1,)), player=2)
    assert 2 not in {p for b in office.pair().boards for p in (b.white, b.black)}


def test_a_penal_half_point_counts_for_the_pairing():
    office = Office(4)
    office.play((1, 2), (3, 4), said="1-0")
    office.rule(ev.Effect("adjust_points", points=HalfPoints(-2)), player=1)
    # 3 alone has a point; 1, 2 and 4 have none, and 3 has met 4.
    met = {frozenset(s) for s in ((b.white, b.black) for b in office.pair().boards)}
    assert met == {frozenset((1, 3)), frozenset((2, 4))} or met == {frozenset((2, 3)), frozenset((1, 4))}


def test_an_arbiter_of_the_hall_enters_nobody():
    assert Office().refused(co.EnterPlayers(ARBITER, (entry(1),))).kind == "authority"
