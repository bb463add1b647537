"""The auditor's Go program: what it checks without our code, and what it notices."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from shared.core.terms import SOURCES, Source
from tests.foreign.build import GO, ROOT, VERIFIER, go
from tests.foreign.event import forger, joined
from tests.foreign.event import rotated as event_of_new_keys
from tests.foreign.tampering import (
    CHECKPOINT,
    KEY,
    LOG,
    QUORUMS,
    SHEETS,
    TAMPERINGS,
    UNCHECKED,
    Files,
    archive,
    by_a_stranger,
    house_files,
    known_witnesses,
    place,
    rotated,
    signed,
    without_last_signature,
    written,
)
from tests.stories.conftest import Story, T

pytestmark = GO
MOST_LINES = 300
WITHOUT_SHEETS = "NOT CHECKED: decisions on score sheets: the score sheets were not given\n"


@pytest.fixture
def given(event: Story) -> Files:
    """Return what the house gives out."""
    return house_files(event)


def told(verifier: Path, folder: Path, given: Files, *options: str) -> tuple[int, str]:
    """Exit code and output of the program."""
    ran = subprocess.run([verifier, *options, *written(given, folder)], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


def test_the_program_is_short_enough_to_be_read(verifier: Path) -> None:
    for file in VERIFIER.glob("*.go"):
        assert len(file.read_text().splitlines()) <= MOST_LINES


def test_a_genuine_log_checkpoint_and_receipt_are_good(verifier: Path, tmp_path: Path, given: Files) -> None:
    code, out = told(verifier, tmp_path, given)
    assert code == 0 and "FAULT" not in out and "NOT CHECKED" not in out, out


@pytest.mark.parametrize("what", TAMPERINGS)
def test_what_is_falsified_is_noticed(verifier: Path, tmp_path: Path, given: Files, what: str) -> None:
    tamper, offsets = TAMPERINGS[what]
    here = place(given[LOG].splitlines())
    code, out = told(verifier, tmp_path, tamper(given))
    assert code == 1 and out.startswith(tuple(f"FAULT: line {here + n}:" for n in offsets) or "FAULT: "), out


def test_empty_file_is_unreadable_and_doubled_key_is_accepted(verifier: Path, tmp_path: Path, given: Files) -> None:
    code, out = told(verifier, tmp_path, given | {CHECKPOINT: b""})
    assert code == 2 and CHECKPOINT in out, out
    code, out = told(verifier, tmp_path, given | {KEY: given[KEY] * 2})
    assert code == 0, out


@pytest.mark.parametrize("what", UNCHECKED)
def test_a_signature_that_cannot_be_checked_is_told(verifier: Path, tmp_path: Path, given: Files, what: str) -> None:
    held = UNCHECKED[what](given)
    code, out = told(verifier, tmp_path, held)
    assert (code, "FAULT" in out) == ((1, True) if KEY in held else (3, False)), out


@pytest.mark.parametrize("what", QUORUMS)
def test_as_many_witnesses_as_are_asked_for_cosigned_the_newest_checkpoint(
    verifier: Path, tmp_path: Path, event: Story, given: Files, what: str
) -> None:
    change, quorum, why = QUORUMS[what]
    code, out = told(verifier, tmp_path, change(known_witnesses(event, given)), f"-quorum={quorum}")
    assert (code, why in out, "FAULT" in out) == (bool(why), True, bool(why)), out


def test_keys_of_witnesses_without_a_checkpoint_are_told(
    verifier: Path, tmp_path: Path, event: Story, given: Files
) -> None:
    held = known_witnesses(event, given)
    code, out = told(verifier, tmp_path, {name: held[name] for name in (LOG, "witnesses.vkey")})
    assert (code, "NOT CHECKED: " in out and "0 of 3 witnesses" in out) == (3, True), out


def test_what_lies_in_an_archive_is_good_as_the_page_says_and_noticed_where_it_was_altered(
    verifier: Path, tmp_path: Path, event: Story
) -> None:
    (commands,) = re.findall(
        r"```sh\n(./verify-go archive.zip .*?)```", (ROOT / "deploy/docs/second-opinion.md").read_text(), re.DOTALL
    )
    (tmp_path / "archive.zip").write_bytes(event.ask("GET", f"{T}/archive").data)
    (tmp_path / "arbiter.vkey").write_bytes((event.hall.data / "arbiter.vkey").read_bytes())
    (tmp_path / "verify-go").symlink_to(verifier)
    ran = subprocess.run(["bash", "-ec", commands], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "exit code 0; names and notes are not included" in ran.stdout, ran
    held = archive(event)
    for what in ("a line is altered", "a line is cut out", "the last line is cut off"):
        code, out = told(verifier, tmp_path / what, TAMPERINGS[what][0](held))
        assert code == 1, out


def test_records_that_the_named_services_signed_are_good(verifier: Path, tmp_path: Path, event: Story) -> None:
    code, out = told(verifier, tmp_path, signed(event.hall.lines("T"), forger(event)))
    assert code == 3 and out.startswith(WITHOUT_SHEETS) and out.count("NOT CHECKED") == 1, out


@pytest.mark.parametrize("source", SOURCES)
def test_a_record_signed_by_another_key_is_noticed(
    verifier: Path, tmp_path: Path, event: Story, source: Source
) -> None:
    """The forger has the house's key of checkpoints, and of this service none: all but its signatures is as it must be."""
    lines = event.hall.lines("T")
    first = next(n for n, line in enumerate(lines, 1) if json.loads(line)["source"] == source)
    code, out = told(verifier, tmp_path, signed(lines, forger(event), source))
    number, _, why = out.removeprefix("FAULT: line ").partition(":")
    assert (code, "signature of " + source in why, int(number) >= first) == (1, True, True), out


def test_a_record_without_signature_is_told(verifier: Path, tmp_path: Path, event: Story) -> None:
    bare = without_last_signature(signed(event.hall.lines("T"), forger(event)), forger(event))
    code, out = told(verifier, tmp_path, bare)
    assert code == 3 and f"NOT CHECKED: line {len(bare[LOG].splitlines())}:" in out, out


def test_a_key_is_good_until_the_service_has_announced_the_next(verifier: Path, tmp_path: Path, event: Story) -> None:
    lines, house = event.hall.lines("T"), forger(event)
    assert told(verifier, tmp_path, rotated(lines, house))[1].startswith(WITHOUT_SHEETS)
    code, out = told(verifier, tmp_path, rotated(lines, house, stolen=True))
    assert (code, out.startswith(f"FAULT: line {len(lines) + 2}:")) == (1, True), out


def test_a_service_that_the_log_does_not_name_is_noticed(verifier: Path, tmp_path: Path, event: Story) -> None:
    code, out = told(verifier, tmp_path, by_a_stranger(event.hall.lines("T"), forger(event)))
    assert (code, "has no valid signature of /services/other" in out) == (1, True), out


def test_a_log_is_good_whose_house_changed_keys_of_its_services(verifier: Path, tmp_path: Path) -> None:
    lines = event_of_new_keys(tmp_path / "data")
    assert sum(b'"arbiter.key.announced.' in line for line in lines) == 2
    code, out = told(verifier, tmp_path / "files", {LOG: joined(lines)})
    assert code == 0, out


def test_a_signature_in_a_log_without_keys_is_noticed(verifier: Path, tmp_path: Path, given: Files) -> None:
    lines = [re.sub(rb'"keys":\[.*?\]', b'"keys":[]', line) for line in given[LOG].splitlines()]
    code, out = told(verifier, tmp_path, {LOG: joined(lines)})
    assert (code, "has no valid signature" in out) == (1, True), out


def test_the_pages_commands_build_it_and_check_a_log(verifier: Path, tmp_path: Path, given: Files) -> None:
    (commands,) = re.findall(r"```sh\n(go .*?)```", (ROOT / "deploy/docs/second-opinion.md").read_text(), re.DOTALL)
    names = {LOG: "open.ndjson", SHEETS: "open.sheets", CHECKPOINT: "open.checkpoint", KEY: "data/arbiter.vkey"}
    (tmp_path / "session" / "data").mkdir(parents=True)
    written({f"session/{names[name]}": content for name, content in given.items() if name in names}, tmp_path)
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    path = f"{Path(go()).parent}:{os.environ['PATH']}"
    script = ["bash", "-ec", commands]
    ran = subprocess.run(
        script, cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (
        0,
        "Table derived from the log alone: 5 rows; 1 of 1 published tables are equal\n"
        f"{len(given[LOG].splitlines())} events of arbiter/T were checked: exit code 0\n"
        "Not checked here: decisions, roles, texts\n",
    ), ran


@pytest.mark.parametrize("content", [None, b""])
def test_without_a_log_it_says_what_it_takes(verifier: Path, tmp_path: Path, content: bytes | None) -> None:
    code, out = told(verifier, tmp_path, {} if content is None else {"log.ndjson": content})
    assert (code, "verify-go [-table] [-quorum N] LOG" in out) == (2, True)
