"""A program that decides or folds otherwise: the audit of a rich log notices each mutation."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from deploy.server.rules import RULES
from services.games.rules.boards.chess.position import ChessPosition
from services.pairing.rules import absolute_criteria
from services.penalties.rules import consequences
from services.penalties.rules.rulings import appeals
from shared.audit.audit import Evidence, Report, audit
from shared.core import events as ev
from shared.core.event_types.registry import EVOLVE
from shared.core.readings import scoring
from shared.core.readings.authority import ACTS, OfficeAct
from tests.attacks.logs import Log, log_of, of_the_office
from tests.stories.conftest import Story, T
from tests.stories.rich_event import tell_rich_event

HALL = Path(__file__).parents[1] / "golden" / "log-1.0.0"


def audited() -> list[Report]:
    """The audits of the logs that the first release left."""
    sheets: dict[str, list[bytes]] = {}
    for line in (HALL / "hall.sheets.ndjson").read_bytes().splitlines():
        sheets.setdefault(line.split(b'"subject":"games/')[1].split(b'"')[0].decode(), []).append(line)
    return [
        audit((HALL / f"{name}.ndjson").read_bytes().splitlines(), RULES, Evidence(sheets=beside))
        for name, beside in (("hall", sheets), ("spring-cup", {}))
    ]


@cache
def today() -> Log:
    """A log of today: the office's work, every record signed, each act by who holds his office in it."""
    return log_of(of_the_office)


def audited_today() -> Report:
    log = today()
    return audit(log.lines, RULES, Evidence(sheets=log.sheets, keys=(log.signer.verifier,)))


def test_without_a_mutation_the_log_of_today_agrees_in_the_newest_edition_of_both():
    report = audited_today()
    assert (report.verdict, report.offices, report.decisions) == ("agrees", 3, 3), report.findings


@pytest.mark.parametrize(
    "forgotten",
    [
        ev.OfficialAppointed,
        ev.PlayerEntered,
        ev.RoundPaired,
        ev.PairingWithdrawn,
        ev.ResultReported,
        ev.RegulationsAdopted,
        ev.TournamentAnnounced,
    ],
)
def test_a_fold_of_today_that_forgets_a_type_of_event_is_noticed(
    monkeypatch: pytest.MonkeyPatch, forgotten: type
) -> None:
    today()
    monkeypatch.setitem(EVOLVE, forgotten, lambda t, e, d: None)
    report = audited_today()
    assert report.verdict == "differs"
    assert {f.kind for f in report.findings} & {"decision", "order"}, report.findings


def test_without_a_mutation_both_agree():
    assert [report.verdict for report in audited()] == ["agrees", "agrees"]


@pytest.mark.parametrize(
    "forgotten",
    [
        ev.PlayerEntered,
        ev.RoundPaired,
        ev.PairingWithdrawn,
        ev.ResultReported,
        ev.ResultCorrected,
        ev.GameEnded,
        ev.RulingMade,
        ev.RulingAnnulled,
        ev.FindingMade,
        ev.FindingAnswered,
        ev.RegulationsAdopted,
    ],
)
def test_a_fold_that_forgets_a_type_of_event_is_noticed(monkeypatch: pytest.MonkeyPatch, forgotten: type) -> None:
    monkeypatch.setitem(EVOLVE, forgotten, lambda t, e, d: None)
    assert "differs" in {report.verdict for report in audited()}


def _nothing(*_: Any) -> None:
    return None


@pytest.mark.parametrize(
    ("module", "name", "mutation"),
    [(consequences, "next_consequence", _nothing), (consequences, "_ladder", _nothing)],
)
def test_a_rule_that_draws_no_consequence_is_noticed(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, mutation: Callable[..., Any]
) -> None:
    monkeypatch.setattr(module, name, mutation)
    assert "differs" in {report.verdict for report in audited()}


# ---------------------------------------------------------------- a rich event of today


def tell_ladder(story: Story) -> None:
    """In xiangqi: three fouls that lose a game, of which an appeal takes one away, a fourth, and a round by the engine."""
    story.announced(players=6)
    story.tell(f"{T}/starting-numbers", {"lot": True})
    story.paired()
    for _ in range(3):
        story.foul(3)
    appeal = story.appeal(3, "r2")
    story.tell(f"{T}/appeals/{appeal}/decision", {"upheld": True}, "appeals")
    story.foul(3)


@cache
def rich() -> tuple[Log, ...]:
    """Logs of today with every kind of decision: a mate on a sheet, a flag claimed, a ladder of fouls, an appeal upheld, a
    table published, a bye, a player who left, rounds by hand and by the engine."""
    with mock.patch("shared.http.commands.write_routes.secrets.randbits", random.Random(7).getrandbits):
        return log_of(tell_rich_event), log_of(tell_ladder)


def audited_rich() -> list[Report]:
    return [audit(log.lines, RULES, Evidence(sheets=log.sheets, keys=(log.signer.verifier,))) for log in rich()]


def forgets(data: type) -> Callable[[pytest.MonkeyPatch], None]:
    """A fold that passes over a type of event."""
    return lambda patch: patch.setitem(EVOLVE, data, _nothing)


def becomes(holder: Any, name: str, mutation: Any) -> Callable[[pytest.MonkeyPatch], None]:
    """A rule that is another one."""
    return lambda patch: patch.setattr(holder, name, mutation)


MUTATIONS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "the fold forgets rulings": forgets(ev.RulingMade),
    "the fold forgets annulments": forgets(ev.RulingAnnulled),
    "the fold forgets games that ended on their sheet": forgets(ev.GameEnded),
    "the fold forgets byes": forgets(ev.ByeGranted),
    "the fold forgets who left": forgets(ev.PlayerWithdrew),
    "the fold forgets appeals": forgets(ev.AppealLodged),
    "the fold forgets the numbers that were drawn": forgets(ev.StartingNumbersAssigned),
    "no rung of the ladder is reached": becomes(consequences, "_ladder", _nothing),
    "a mate ends no game": becomes(ChessPosition, "end", _nothing),
    "a bye is worth nothing": becomes(scoring, "bye_points", lambda points, kind: 0),
    "an arbiter publishes no tables": lambda patch: patch.setitem(ACTS, "publish", OfficeAct(("auditor",), "none")),
    "an appeal is decided by who made the ruling": becomes(appeals, "_has_decided", lambda t, actor, ruling: True),
    "nobody may be seated": becomes(absolute_criteria, "_may_be_seated", lambda *_: set()),
}


def test_without_a_mutation_the_rich_event_agrees():
    for report in audited_rich():
        assert (report.verdict, report.unchecked) == ("agrees", {}), report.findings


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_each_mutation_of_rules_and_fold_is_noticed_on_a_rich_log_of_today(
    monkeypatch: pytest.MonkeyPatch, mutation: str
) -> None:
    rich()
    MUTATIONS[mutation](monkeypatch)
    assert "differs" in {report.verdict for report in audited_rich()}
