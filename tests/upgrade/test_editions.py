"""Events written under each value of ``ARBITER_EDITION``. Version 1.0.0 reads those of edition 2."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from deploy.cli.client import clients
from deploy.server.settings import BadSetting, settings
from services.standings.files.archive import contents as c
from shared.core.event_types.registry import NEWEST as NEWEST_VERSION
from shared.core.event_types.registry import written_names
from shared.core.events import IdentityStated, PairingWithdrawn
from shared.core.rulebook.editions import EDITIONS, NEWEST, write_edition
from shared.core.terms import Seq, TextRef
from shared.wire.envelope import Header, write
from shared.wire.event_data import InvalidEvent, encode_data, lifted
from tests.golden.recorded import load_tournaments
from tests.golden.stories import FORMATS
from tests.golden.stories_of_games import GAMES
from tests.golden.teller import CALLERS, Teller
from tests.upgrade.former import RELEASE_1_0, former_version

TALES = {name: {**FORMATS, **GAMES}[name] for name in ("dutch", "knockout-corrected-in-time", "chess")}
"""Stories of the golden set of 1.0.0 in which each service writes events, and each type with a newer version occurs."""
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Return a function that plays a story under an edition, and returns its log and its score sheets as lines."""

    def played(edition: str, name: str) -> tuple[list[bytes], list[bytes]]:
        monkeypatch.setenv("ARBITER_EDITION", edition)
        with clients(tmp_path / "data", tuple((role, role) for role in CALLERS)) as callers:
            Teller(callers, name).play_story(*TALES[name])
            log = callers["organiser"].get(f"/v1/tournaments/{name}/events", accept="application/x-ndjson").content
            sheets = callers["organiser"].get(f"/v1/tournaments/{name}/sheets", accept="application/x-ndjson").content
        return log.splitlines(), sheets.splitlines()

    yield played
    write_edition(NEWEST.number)


def types(lines: list[bytes]) -> list[str]:
    return [json.loads(line)["type"] for line in lines]


def editions(lines: list[bytes]) -> list[tuple[str, int]]:
    """Return the editions that the announcement and the adopted rulesets of a log state."""
    found = []
    for line in lines:
        data = json.loads(line)["data"]
        found += [("offices", data["offices"])] if "offices" in data else []
        found += [("decisions", data["regulations"]["decisions"])] if "decisions" in data.get("regulations", "") else []
    return found


@pytest.mark.parametrize("name", TALES)
def test_edition_2_writes_the_events_that_1_0_wrote(play, name):
    lines, sheets = play("2", name)
    files = load_tournaments()[name]
    assert types(lines) == types(files[c.LOG].splitlines())
    assert types(sheets) == types(files.get(c.SHEETS, b"").splitlines())
    assert editions(lines) == [("offices", 2), ("decisions", 2)]
    for one, other in zip(lines, files[c.LOG].splitlines(), strict=True):
        if "regulations" in json.loads(one)["data"]:
            assert json.loads(one)["data"] == json.loads(other)["data"]


@pytest.mark.parametrize("name", TALES)
def test_edition_3_writes_the_newest_version_of_each_event(play, name):
    lines, sheets = play("3", name)
    assert all(NEWEST_VERSION[type] == type for type in types(lines + sheets))
    assert editions(lines) == [("offices", 3), ("decisions", 3)]


def test_release_1_0_verifies_what_edition_2_writes(play, tmp_path):
    former = former_version(tmp_path, RELEASE_1_0)
    for name in TALES:
        lines, sheets = play("2", name)
        (tmp_path / "log.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
        (tmp_path / "sheets.ndjson").write_bytes(b"".join(line + b"\n" for line in sheets))
        command = [sys.executable, "-m", "deploy.cli.main", "verify", tmp_path / "log.ndjson"]
        environment = os.environ | {"PYTHONPATH": str(former)}
        ran = subprocess.run(
            [*command, "--sheets", tmp_path / "sheets.ndjson", "--json"],
            cwd=former,
            check=False,
            env=environment,
            capture_output=True,
        )
        report = json.loads(ran.stdout)
        assert (report["verdict"], report["checked"], report["unchecked"]) == ("agrees", len(lines), 0), report


@pytest.mark.parametrize("name", EDITIONS[2].older)
def test_older_version_of_an_event_is_written_as_it_was(name):
    former = bytes(msgspec.json.decode((GOLDEN / f"{name}.json").read_bytes(), type=dict[str, msgspec.Raw])["data"])
    assert encode_data(lifted(name, msgspec.Raw(former)), name) == former


def test_event_that_an_older_version_cannot_express_is_refused():
    event = PairingWithdrawn(2, 2, TextRef("0" * 64), played=True)
    with pytest.raises(
        InvalidEvent, match=r"pairing\.withdrawn\.v1 cannot express it; a newer version is written once"
    ):
        encode_data(event, "arbiter.pairing.withdrawn.v1")


@pytest.mark.parametrize("offices", [2, 3])
def test_event_type_that_former_readers_do_not_know_is_refused_in_tournaments_of_any_edition(offices):
    write_edition(2)
    try:
        names = written_names(offices)
    finally:
        write_edition(NEWEST.number)
    header = Header("tournaments/t", "pairing", Seq(0), b"", "c", "k", "test", names)
    event = IdentityStated(1, None, public_history=True)
    with pytest.raises(InvalidEvent, match=r"identity\.stated\.v1 is written once ARBITER_EDITION allows it"):
        write(header, "e", "2026-01-01T00:00:00Z", 1, "organiser", "organiser", event)


@pytest.mark.parametrize("text", ["1", "4", "newest", "3.0"])
def test_unknown_edition_is_refused_with_the_known_ones(text):
    with pytest.raises(BadSetting, match=f"ARBITER_EDITION='{text}' must be one of 2, 3"):
        settings({"ARBITER_EDITION": text})


def test_new_installation_writes_the_newest_edition():
    assert settings({}).edition == settings({"ARBITER_EDITION": ""}).edition == max(EDITIONS)
