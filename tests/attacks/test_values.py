"""Values that no command writes: an operator with all keys writes them and signs everything again, and the audit differs."""

from typing import Any

import pytest

from shared.core.values.bounds import HIGHEST
from tests.attacks import alterations
from tests.attacks.forger import Forgery
from tests.attacks.logs import Log, log_of
from tests.stories.conftest import Story, T

pytestmark = pytest.mark.xdist_group("forgeries")
ANNOUNCED, ENTERED, APPOINTED = "arbiter.tournament.announced", "arbiter.player.entered", "arbiter.official.appointed"
RULED, DECIDED, ANNULLED = "arbiter.ruling.made", "arbiter.appeal.decided", "arbiter.ruling.annulled"
ADOPTED, RESULT, MOVE = "arbiter.regulations.adopted", "arbiter.result.reported", "arbiter.move.played"
FORGED: list[tuple[str, tuple[str | int, ...], Any]] = [
    (ANNOUNCED, ("tiebreaks",), ["<b>"]),
    (ANNOUNCED, ("tiebreaks",), ["BH"] * 5_000),
    (ANNOUNCED, ("tiebreaks",), ["BH", "BH"]),
    (ANNOUNCED, ("rounds",), 2**63),
    (ANNOUNCED, ("rounds",), HIGHEST + 1),
    (ANNOUNCED, ("name",), "x" * 100_000),
    (ANNOUNCED, ("name",), "Cup\u001b[2J"),
    (ANNOUNCED, ("name",), "Cup\u202e"),
    (ANNOUNCED, ("name",), "Cup\u2028agrees"),
    (ANNOUNCED, ("name",), "   "),
    (ANNOUNCED, ("place",), "Hall\u009b31m"),
    (ANNOUNCED, ("game",), "Chess <b>"),
    (ANNOUNCED, ("begins",), "tomorrow"),
    (ANNOUNCED, ("time_zone",), "Hans Müller, born 1970"),
    (ENTERED, ("rating",), 10**400),
    (ENTERED, ("rating",), -1),
    (ENTERED, ("federation",), "Hans Müller, born 1970"),
    (ENTERED, ("title",), "<script>"),
    (ENTERED, ("name", "text"), "Li Wei <b>"),
    (ENTERED, ("name", "text"), "0" * 63),
    (ENTERED, ("name", "text"), "G" * 64),
    (ENTERED, ("player",), 10_000),
    (APPOINTED, ("official",), "arbiter\u034f"),
    (APPOINTED, ("official",), "Arbiter"),
    (APPOINTED, ("official",), "\u0430rbiter"),
    (RULED, ("article",), "Divine right 7.1"),
    (RULED, ("note",), {"text": "Li Wei was drunk"}),
    (RULED, ("round",), 10**9),
    (DECIDED, ("article",), "Divine right 7.1"),
    (DECIDED, ("grounds",), {"text": "because"}),
    (ANNULLED, ("article",), "Divine right 7.1"),
    (RESULT, ("white", "points"), 10**9),
    (RESULT, ("white", "points"), -2),
    (ADOPTED, ("regulations", "points", "win"), 10**30),
    (ADOPTED, ("regulations", "ranking", "tiebreaks"), ["<b>"]),
    (ADOPTED, ("regulations", "rulebook", "name"), "book\u001b[2J"),
    (MOVE, ("move",), "h2e2\u001b[2J"),
    (MOVE, ("clock",), HIGHEST + 1),
]


def tell(story: Story) -> None:
    story.announced()
    story.paired([1, 2], [3, 4])
    story.tell("/v1/games/T.1.1/moves", {"ply": 1, "moves": ["h2e2"]}, "board")
    story.report("*", "1-0")
    story.foul(1)
    appeal = story.appeal(1, "r1")
    story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals")


@pytest.fixture(scope="module")
def log() -> Log:
    return log_of(tell)


def _first(forgery: Forgery, stem: str) -> dict[str, Any]:
    everywhere = [*forgery.lines, *(one for sheet in forgery.sheets.values() for one in sheet)]
    return next(one for one in everywhere if one["type"].rpartition(".v")[0] == stem)


def test_the_log_agrees_unaltered(log: Log):
    report = Forgery(log).report()
    assert (report.verdict, report.offices) == ("agrees", 3), report.findings


@pytest.mark.parametrize(("stem", "place", "value"), FORGED, ids=lambda one: ascii(one)[:40])
def test_a_value_that_no_command_writes_is_found(log: Log, stem: str, place: tuple[str | int, ...], value: Any):
    forgery = Forgery(log)
    line = _first(forgery, stem)
    alterations.put(line["data"], place, value)
    forgery.leave(line, str(place[0]))
    report = forgery.report()
    assert report.verdict == "differs"
    assert {finding.kind for finding in report.findings} & {"line", "decision", "sheet"}, report.findings
    assert report.exit_code(strict=False) == 1


def test_an_actor_without_a_login_name_is_found(log: Log):
    forgery = Forgery(log)
    for line in forgery.lines:
        line["actor"] = {"arbiter": "arbiter\u3164"}.get(line["actor"], line["actor"])
        if line["type"].startswith(APPOINTED) and line["data"]["official"] == "arbiter":
            line["data"]["official"] = "arbiter\u3164"
    report = forgery.report()
    assert report.verdict == "differs"
    assert any("not a valid login name" in str(finding.why) for finding in report.findings), report.findings


def test_two_officials_who_look_alike_are_found(log: Log):
    """The second is appointed under a name of one script, of visible characters, that reads as the first."""
    forgery = Forgery(log)
    others = [line for line in forgery.lines if line["type"].startswith(APPOINTED)]
    first, second = others[0]["data"]["official"], others[-1]
    second["data"]["official"] = f"{first}rn" if first.endswith("m") else first.replace("o", "\u1d0f", 1)
    report = forgery.report()
    assert report.verdict == "differs"


def test_an_older_log_gets_a_remark_and_no_finding(log: Log):
    forgery = Forgery(log)
    forgery.lines = forgery.lines[:2]
    forgery.sheets = {}
    forgery.lines[0]["data"]["offices"] = 2
    forgery.lines[0]["data"]["name"] = "Cup\u202e"
    report = forgery.report()
    assert not [finding for finding in report.findings if "outside the bounds that commands" in str(finding.why)], (
        report.findings
    )
    assert any("values are outside the bounds" in str(remark) for remark in report.remarks), report.remarks
