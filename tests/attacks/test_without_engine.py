"""A pairing said to be made by an engine that the auditor lacks: what needs no engine is judged all the same."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from shared.audit.report import Report
from tests.attacks.forger import Forgery
from tests.attacks.logs import Log, log_of
from tests.stories.conftest import Story

LACKING = {"name": "gacrux", "version": "0.0.1"}


def _two_rounds(story: Story) -> None:
    """Five players in a Dutch Swiss; 1 and 2 won, 5 had the bye."""
    story.announced(5, "chess", 3, "fide-2026")
    story.paired()
    story.report("1-0", "0-1")
    story.paired()


@cache
def _log() -> Log:
    return log_of(_two_rounds)


def report(alter: Callable[[dict[str, Any], dict[str, Any]], None]) -> Report:
    """The audit of a log whose second pairing names an engine that nobody has, altered besides."""
    forgery = Forgery(_log())
    first, second = (line for line in forgery.lines if line["type"].startswith("arbiter.round.paired."))
    second["data"]["engine"] = dict(LACKING)
    alter(first["data"], second["data"])
    return forgery.report()


def test_what_only_the_engine_could_tell_is_incomplete():
    found = report(lambda first, second: None)
    assert (found.verdict, found.findings) == ("incomplete", [])
    assert {str(why): lines for why, lines in found.unchecked.items()} == {"engine unavailable: gacrux 0.0.1": 1}


def _again(first: dict[str, Any], second: dict[str, Any]) -> None:
    for seat, before in zip(second["boards"], first["boards"], strict=True):
        seat.update(white=before["black"], black=before["white"])
    second["byes"] = first["byes"]


def _put(place: str, value: Any) -> Callable[[dict[str, Any], dict[str, Any]], None]:
    return lambda first, second: second.update({place: value})


def _twice(first: dict[str, Any], second: dict[str, Any]) -> None:
    second["boards"][0]["white"] = second["boards"][1]["white"]


def _board(first: dict[str, Any], second: dict[str, Any]) -> None:
    second["boards"][1].update(board=7)


def _game(first: dict[str, Any], second: dict[str, Any]) -> None:
    second["boards"][1].update(game="T.1.2")


def _other_colour(first: dict[str, Any], second: dict[str, Any]) -> None:
    second["initial_colour"] = {"white": "black", "black": "white"}[first["initial_colour"]]


def _full_bye(first: dict[str, Any], second: dict[str, Any]) -> None:
    second["byes"][0]["kind"] = "F"


@pytest.mark.parametrize(
    ("alter", "why"),
    [
        pytest.param(_again, "rematch", id="the same pairs again"),
        pytest.param(_again, "bye-eligibility", id="the same bye again"),
        pytest.param(_twice, "seated-once", id="one player on two boards"),
        pytest.param(_board, "not numbered", id="another board"),
        pytest.param(_game, "not numbered", id="a game of the first round"),
        pytest.param(_full_bye, "pairing-allocated", id="a bye of full points"),
        pytest.param(_other_colour, "the first colour is", id="the first colour"),
        pytest.param(_put("round", 3), "round 2, pairing 2 is next", id="a round left out"),
        pytest.param(_put("stage", "final"), "round 2, pairing 2 is next", id="a stage that there is not"),
        pytest.param(_put("overrides", ["rematch"]), "only a manual pairing", id="a rule set aside"),
    ],
)
def test_what_no_engine_can_have_made_differs(alter: Callable[[dict[str, Any], dict[str, Any]], None], why: str):
    found = report(alter)
    assert found.verdict == "differs"
    assert any(why in str(finding.why) for finding in found.findings), found.findings
