"""A program that decides or folds otherwise: the audit of a rich log notices each mutation."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from deploy.server.rules import RULES
from services.penalties.rules import consequences
from shared.audit.audit import Evidence, Report, audit
from shared.audit.checkpoint import KeyFile
from shared.core import events as ev
from shared.core.event_types.registry import EVOLVE
from tests.attacks.logs import Log, log_of, of_the_office

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
    return audit(log.lines, RULES, Evidence(sheets=log.sheets, keys=KeyFile((log.signer.verifier,))))


def test_without_a_mutation_the_log_of_today_agrees_in_the_second_edition_of_both():
    report = audited_today()
    assert (report.verdict, report.offices, report.decisions) == ("agrees", 2, 2), report.findings


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
