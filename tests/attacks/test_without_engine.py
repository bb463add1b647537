"""A pairing by an engine version that the auditor lacks: the newest version of that engine, or what needs no engine, is asked.

From ``offices: 3`` on, a version that no release shipped differs; older logs may contain any.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from shared.audit.report import Report
from tests.attacks.forger import Forgery
from tests.attacks.logs import Log, log_of
from tests.stories.conftest import Story

LACKING = {"name": "gacrux", "version": "0.0.1+c04.2"}


def _two_rounds(story: Story) -> None:
    """Five players in a Dutch Swiss; 1 and 2 won, 5 had the bye."""
    story.announced(5, "chess", 3, "fide-2026")
    story.paired()
    story.report("1-0", "0-1")
    story.paired()


@cache
def _log() -> Log:
    return log_of(_two_rounds)


Alter = Callable[[dict[str, Any], dict[str, Any]], None]


def report(alter: Alter, offices: int = 2, engine: dict[str, str] = LACKING) -> Report:
    """The audit of a log whose second pairing names an engine that nobody has, altered besides."""
    forgery = Forgery(_log())
    forgery.lines[0]["data"]["offices"] = offices
    first, second = (line for line in forgery.lines if line["type"].startswith("arbiter.round.paired."))
    second["data"]["engine"] = dict(engine)
    alter(first["data"], second["data"])
    return forgery.report()


def _swap(first: dict[str, Any], second: dict[str, Any]) -> None:
    """Exchange the two players with White: legal, but not the pairing of the engine."""
    one, other = second["boards"]
    one["white"], other["white"] = other["white"], one["white"]


def _nothing(first: dict[str, Any], second: dict[str, Any]) -> None:
    pass


def test_same_pairing_by_the_installed_version_agrees_with_a_remark():
    found = report(_nothing)
    assert (found.verdict, found.findings, found.unchecked) == ("agrees", [], {})
    remark = "gacrux 0.0.1+c04.2 is not installed; the available engine gacrux 1.11.65+c04.2 makes the same pairing"
    assert remark in map(str, found.remarks)
    assert found.exit_code(strict=True) == 1


def test_other_legal_pairing_is_not_reevaluated():
    found = report(_swap)
    assert (found.verdict, found.findings) == ("incomplete", [])
    why = "engine unavailable: gacrux 0.0.1+c04.2 is not installed"
    assert {str(why): lines for why, lines in found.unchecked.items()} == {why: 1}


@pytest.mark.parametrize("alter", [_nothing, _swap])
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(LACKING, id="an invented version"),
        pytest.param({"name": "gacrux", "version": "1.11.65"}, id="a version of 1.0.0"),
        pytest.param({"name": "tables", "version": "1"}, id="an engine of another format"),
        pytest.param({"name": "py4swiss", "version": "0.3.1+c2"}, id="an engine of another edition"),
    ],
)
def test_version_without_a_release_differs_since_offices_3(alter: Alter, engine: dict[str, str]):
    found = report(alter, 3, engine)
    assert [str(f.why).partition(";")[0] for f in found.findings] == [
        "the rules refuse it: engine-not-released: {name} {version}: no release of Arbiter pairs this round by it".format(
            **engine
        )
    ]


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
        pytest.param(_board, "do not match this tournament", id="another board"),
        pytest.param(_game, "do not match this tournament", id="a game of the first round"),
        pytest.param(_full_bye, "pairing-allocated", id="a bye of full points"),
        pytest.param(_other_colour, "the first colour is already", id="the first colour"),
        pytest.param(_put("round", 3), "the next pairing must be pairing 2, of round 2", id="a round left out"),
        pytest.param(
            _put("stage", "final"), "the next pairing must be pairing 2, of round 2", id="a stage that there is not"
        ),
        pytest.param(_put("overrides", ["rematch"]), "only a manual pairing", id="a rule set aside"),
    ],
)
def test_what_no_engine_can_have_made_differs(alter: Callable[[dict[str, Any], dict[str, Any]], None], why: str):
    found = report(alter)
    assert found.verdict == "differs"
    assert any(why in str(finding.why) for finding in found.findings), found.findings
