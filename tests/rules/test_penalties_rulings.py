"""Rulings, annulments and appeals: what is taken, and what is refused with which code."""

from typing import Any

import pytest

from services.penalties.rules import RULES
from services.penalties.rules import commands as co
from shared.core import events as ev
from shared.core.events import CrossingNoted, Effect, FindingAnswered
from shared.core.terms import PAIRING, PENALTIES, STANDINGS, Actor, Mark, Refusal
from tests.builders import World
from tests.rules.hall import APPEALS, ARBITER, CHIEF, DEPUTY, G1, G2, ORGANISER, PLAYER, Hall

MARKS = Effect("set_marks", white=Mark(1, True), black=Mark(0, True))


def test_the_game_and_the_article_are_filled_in() -> None:
    (made,) = Hall().ruling(4)
    assert (made.ruling, made.game, made.article, made.counter) == ("r1", G2, "000-A 4", "foul")


def test_the_article_named_by_the_arbiter_stands() -> None:
    (made,) = Hall().ruling(1, article="4")
    assert made.article == "4"


def test_an_illegal_move_in_xiangqi_loses_at_once() -> None:
    hall = Hall(game="xiangqi")
    hall.ruling(2, "illegal_move")
    assert hall.result() == "2-0"


def test_who_has_a_bye_can_be_warned_but_not_called_for_a_foul() -> None:
    hall = Hall()
    (made,) = hall.ruling(5, "misconduct")
    assert made.game is None
    assert hall.no(co.MakeRuling(ARBITER, 5, 1, "foul")).code == "no-game"


def test_an_expelled_player_is_barred_from_every_round() -> None:
    hall = Hall()
    hall.ruling(1, "grave_misconduct", by=ORGANISER, effect=Effect("expel"))
    assert not any(hall.seated(1, n) for n in (1, 2, 3))


def test_an_exclusion_names_its_rounds() -> None:
    hall = Hall()
    hall.ruling(1, "grave_misconduct", by=CHIEF, effect=Effect("exclude", rounds=(2,)))
    assert [hall.seated(1, n) for n in (1, 2, 3)] == [True, False, True]


def ruling(actor: Actor = ARBITER, player: int = 1, round: int = 1, name: str = "foul", **more: Any) -> co.MakeRuling:
    return co.MakeRuling(actor, player, round, name, **more)


GRAVE = "grave_misconduct"


@pytest.mark.parametrize(
    ("command", "kind", "code"),
    [
        (ruling(player=9), "unknown", "unknown-player"),
        (ruling(game="T.9.1"), "unknown", "unknown-game"),
        (ruling(game=G2), "invalid", "not-a-player-of-the-game"),
        (ruling(round=2, game=G1), "invalid", "game-of-another-round"),
        (ruling(round=2), "unknown", "no-game"),
        (ruling(round=4), "invalid", "unknown-round"),
        (ruling(round=0), "invalid", "unknown-round"),
        (ruling(name="dancing"), "invalid", "unknown-infraction"),
        (ruling(name="lateness"), "invalid", "noted-as-arrival"),
        (ruling(effect=Effect("warn")), "invalid", "effect-fixed"),
        (ruling(name="refusal_to_obey", effect=MARKS), "invalid", "effect-fixed"),
        (ruling(CHIEF, name=GRAVE), "invalid", "effect-missing"),
        (ruling(CHIEF, name=GRAVE, effect=Effect("foul")), "authority", "role-may-not"),
        (ruling(CHIEF, name=GRAVE, effect=Effect("exclude")), "invalid", "bad-effect"),
        (ruling(CHIEF, name=GRAVE, effect=Effect("exclude", rounds=(2, 2))), "invalid", "bad-effect"),
        (ruling(CHIEF, name=GRAVE, effect=Effect("exclude", rounds=(4,))), "invalid", "bad-effect"),
        (ruling(CHIEF, name=GRAVE, effect=Effect("set_marks", white=Mark(2, True))), "invalid", "bad-effect"),
        (
            ruling(CHIEF, name=GRAVE, effect=Effect("set_marks", white=Mark(3, True), black=Mark(0, True))),
            "invalid",
            "bad-effect",
        ),
        (ruling(CHIEF, name=GRAVE, effect=Effect("warn", clock=60)), "invalid", "bad-effect"),
        (ruling(ORGANISER, name=GRAVE, effect=Effect("adjust_points", points=0)), "invalid", "bad-effect"),
        (co.AnnulRuling(APPEALS, "r7"), "unknown", "unknown-ruling"),
        (co.LodgeAppeal(CHIEF, "r7", 1), "unknown", "unknown-ruling"),
        (co.DecideAppeal(APPEALS, "a7", True), "unknown", "unknown-appeal"),
        (co.NoteCrossing(CHIEF, CrossingNoted(999)), "unknown", "unknown-line"),
    ],
)
def test_refused(command: Any, kind: str, code: str) -> None:
    refusal = Hall().no(command)
    assert (refusal.kind, refusal.code) == (kind, code)


def test_a_game_half_played_is_refused_from_edition_3_on() -> None:
    half = ruling(CHIEF, name=GRAVE, effect=Effect("set_marks", white=Mark(2, True), black=Mark(0, False)))
    refusal = Hall(decisions=3).no(half)
    assert (refusal.code, refusal.where) == ("bad-effect", "effect")
    assert Hall(decisions=2).told(half)


@pytest.mark.parametrize(
    ("command", "article"),
    [
        (ruling(PLAYER), "000-A 4"),
        (ruling(APPEALS), "000-A 4"),
        (
            ruling(ARBITER, name=GRAVE, effect=Effect("exclude", rounds=(2,))),
            "000-A 6.2, 7.10; house: the deputy 副裁判长 too, in his place (002-X 16.2)",
        ),
        (
            ruling(ARBITER, name=GRAVE, effect=MARKS),
            "000-A 6.2; house: the deputy 副裁判长 too, in his place (002-X 16.2)",
        ),
        (ruling(CHIEF, name=GRAVE, effect=Effect("expel")), "002-X 18.3"),
        (co.AnnulRuling(ARBITER, "r1"), "002-X 8.5"),
        (co.AnnulRuling(CHIEF, "r1"), "002-X 8.5"),
        (co.DecideAppeal(CHIEF, "a1", True), "002-X 8.5"),
        (co.NoteArrival(PLAYER, 1, 60, round=1), "002-X 21"),
        (co.NoteCrossing(ARBITER, CrossingNoted(1)), "default: only the chief arbiter, not a deputy"),
        (co.AnswerFinding(CHIEF, FindingAnswered("f1")), "default: the rulebook decides, not a person"),
    ],
)
def test_beyond_ones_authority(command: Any, article: str) -> None:
    refusal = Hall().no(command)
    assert (refusal.kind, refusal.code, refusal.article) == ("authority", "role-may-not", article)


def test_a_dismissed_arbiter_makes_no_more_rulings() -> None:
    hall = Hall()
    hall.happened(PAIRING, ev.OfficialDismissed("arbiter"))
    assert hall.no(ruling()).code == "official-dismissed"


def test_an_unknown_tournament_has_no_rulings() -> None:
    refusal = World({PENALTIES: RULES}).refused(PENALTIES, ruling())
    assert (refusal.kind, refusal.code) == ("unknown", "unknown-tournament")


def test_a_game_of_a_withdrawn_pairing_takes_no_ruling() -> None:
    hall = Hall()
    hall.happened(PAIRING, ev.PairingWithdrawn(1, 1))
    assert hall.no(ruling(game=G1)).code == "pairing-withdrawn"


def test_after_the_final_table_rulings_and_annulments_are_taken_and_arrivals_are_not() -> None:
    hall = Hall()
    hall.happened(STANDINGS, ev.StandingsPublished(("BH",), "2026", 1, final=True))
    hall.ruling(1)
    hall.annul("r1")
    assert hall.no(co.NoteArrival(ARBITER, 1, 60, round=1)).code == "tournament-closed"


def test_what_does_not_stand_cannot_be_annulled_again() -> None:
    hall = Hall()
    hall.ruling(1)
    hall.annul("r1")
    assert hall.no(co.AnnulRuling(APPEALS, "r1")).code == "not-standing"


def test_an_annulment_without_an_article_cites_the_rulebooks() -> None:
    hall = Hall()
    hall.ruling(1)
    (annulled,) = hall.annul("r1")
    assert (annulled.ruling, annulled.article) == ("r2", "002-X 8.5")


def test_a_crossing_is_noted_once() -> None:
    hall = Hall()
    hall.told(co.NoteCrossing(CHIEF, CrossingNoted(3)))
    assert hall.no(co.NoteCrossing(CHIEF, CrossingNoted(3))).code == "crossing-noted"


@pytest.mark.parametrize(
    ("command", "may"),
    [
        (ruling(DEPUTY), True),
        (ruling(DEPUTY, name="misconduct"), True),
        (ruling(DEPUTY, name=GRAVE, effect=MARKS), True),
        (ruling(DEPUTY, name=GRAVE, effect=Effect("exclude", rounds=(2,))), True),
        (co.NoteArrival(DEPUTY, 1, 60, round=1), True),
        (ruling(DEPUTY, name=GRAVE, effect=Effect("expel")), False),
        (ruling(DEPUTY, name=GRAVE, effect=Effect("adjust_points", points=-1)), False),
        (co.AnnulRuling(DEPUTY, "r1"), False),
        (co.NoteCrossing(DEPUTY, CrossingNoted(1)), False),
    ],
)
def test_a_deputy_chief_arbiter_may_what_the_chief_may_in_the_hall(command: Any, may: bool) -> None:
    """002-X 16.2, 18.2: 副裁判长, in the chief arbiter's place, but not for what the chief alone or others decide."""
    answer = Hall().decide(PENALTIES, command)
    assert isinstance(answer, Refusal) is not may
    assert may or answer.kind == "authority"
