"""A game belongs to the ruleset, unless the announcement says that results alone are reported."""

import pytest

from services.pairing.rules import commands as co
from services.pairing.rules.announcement.played_game import check_game, nearest_game, rulesets_with
from shared import regulations
from shared.core.events import RegulationsAdopted
from shared.core.terms import PAIRING, Refusal
from tests.builders import World
from tests.rules.pairing_story import CHIEF, OFFICIALS, ORGANISER, WHY


def announced(game: str, ruleset: str, *, results_only: bool = False) -> World:
    world = World()
    command = co.AnnounceTournament(
        ORGANISER, "Cup", game, "swiss", 3, regulations.load(ruleset), officials=OFFICIALS, results_only=results_only
    )
    world.do(PAIRING, command)
    return world


def refusal(game: str, ruleset: str) -> Refusal:
    command = co.AnnounceTournament(ORGANISER, "Cup", game, "swiss", 3, regulations.load(ruleset))
    return World().refused(PAIRING, command)


@pytest.mark.parametrize("name", regulations.names())
def test_every_game_of_a_ruleset_is_accepted(name: str) -> None:
    for game in regulations.load(name).game.rules:
        assert check_game(game, regulations.load(name)) is None


def test_a_game_of_other_rulesets_names_them() -> None:
    refused = refusal("chess", "xiangqi-1999")
    assert (refused.kind, refused.code, refused.where) == ("invalid", "no-rules-for-the-game", "game")
    assert str(refused.detail) == (
        "the ruleset xiangqi-1999 has rules for xiangqi, not for chess: choose one of campus, campus-chess, fide-2024, "
        "fide-2026, or set results_only"
    )


def test_a_misspelt_game_is_refused_with_the_nearest_name() -> None:
    assert "the nearest name is xiangqi, a game of campus, " in str(refusal("xianqi", "campus").detail)


def test_an_unknown_game_needs_results_only() -> None:
    assert "nor has another ruleset: set results_only" in str(refusal("tiaoqi", "campus").detail)
    assert announced("tiaoqi", "campus", results_only=True).tournament.results_only


@pytest.mark.parametrize(
    ("typed", "near"), [("ches", "chess"), ("gomuko", "gomoku"), ("renjuu", "renju"), ("qi", None), ("ludo", None)]
)
def test_the_nearest_game_is_the_most_similar_name(typed: str, near: str | None) -> None:
    assert nearest_game(typed, regulations.load("campus")) == near


def test_rulesets_with_a_game_are_listed_by_name() -> None:
    assert rulesets_with("prediction") == ("campus", "prediction")


def test_a_ruleset_without_the_game_is_not_adopted() -> None:
    world = announced("chess", "campus")
    adoption = co.AdoptRegulations(CHIEF, RegulationsAdopted(regulations.load("xiangqi-1999"), WHY))
    refused = world.refused(PAIRING, adoption)
    assert (refused.code, refused.where) == ("no-rules-for-the-game", "regulations")
    assert "adopt one that has, such as campus, campus-chess" in str(refused.detail)


def test_any_ruleset_is_adopted_if_results_alone_are_reported() -> None:
    world = announced("chess", "campus", results_only=True)
    world.do(PAIRING, co.AdoptRegulations(CHIEF, RegulationsAdopted(regulations.load("xiangqi-1999"), WHY)))
    assert world.tournament.results_only
