"""What the rules call for by themselves fails: nobody waits for it, so the log of the service says so."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.pairing.app import blueprint as pairing
from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.app import blueprint as penalties
from services.penalties.rules import RULES as PENALTIES_RULES
from shared.core.events import RulingMade
from shared.core.state.tournament import TournamentState
from shared.core.terms import PAIRING, PENALTIES
from shared.desk.rules_port import Rules
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from tests.http.calls import Call, audited_desk, calls_on, pair_by_hand

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
FOUL = {"player": 1, "round": 1, "infraction": "foul"}


def _asked(*_: object) -> list[str]:
    raise KeyError("what is due cannot be told")


def _due_after_rulings(t: TournamentState) -> list[str]:
    return ["due"] if t.rulings else []


AFTER_RULINGS = replace(PENALTIES_RULES, due_after=frozenset({RulingMade}))
"""In the batch of the command that brought it; the others are looked for after it."""
FAILING = {
    "asking fails": replace(PENALTIES_RULES, due=_asked),
    "deciding fails": replace(PENALTIES_RULES, due=lambda t: ["due"]),
    "asking fails in the batch": replace(AFTER_RULINGS, due=_asked),
    "deciding fails in the batch": replace(AFTER_RULINGS, due=_due_after_rulings),
}


@pytest.fixture(params=FAILING)
def call(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Call]:
    failing: Rules = FAILING[request.param]
    tokens.ensure_keys(tmp_path)
    with audited_desk(tmp_path, {PAIRING: PAIRING_RULES, PENALTIES: failing}, "T") as desk:
        app = create_app(
            [pairing(desk, TIEBREAK_CODES, partial(tokens.issue, tmp_path)), penalties(desk)],
            desk,
            Settings(tmp_path / "token-keys"),
            "arbiter",
        )
        made = calls_on(app, tmp_path, "chief_arbiter")
        pair_by_hand(made, CUP)
        yield made
    capsys.readouterr()  # what the second ruling called for crashes too


def test_what_is_due_and_crashes_is_logged_and_keeps_nobody_from_going_on(
    call: Call, capsys: pytest.CaptureFixture[str]
) -> None:
    # when a ruling makes the writer look for what is due
    assert call("POST", f"{T}/rulings", FOUL).status_code == 201
    # then the writer takes the next command, and the log names what crashed
    assert call("POST", f"{T}/rulings", FOUL | {"player": 2}).status_code == 201
    entries = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert ("due", "KeyError") in [(entry.get("incident"), entry.get("exception")) for entry in entries]
