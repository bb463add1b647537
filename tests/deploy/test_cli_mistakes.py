"""Mistakes on the command line that a newcomer made: each is one line on standard error, and the right exit code."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.cli.client import local
from tests.deploy.test_cli_files import FOUR_PLAYERS

Arbiter = Callable[..., tuple[int, str, str]]
SWISS = {"format": "swiss", "rounds": 3, "regulations": "fide-2026"}
NOT_A_LOG = "not a log: no line is a CloudEvent of a tournament"
MISTAKES = [
    ("standing four.trf", "unknown command 'standing'; did you mean 'standings'?"),
    ("help nothing", "unknown command 'nothing'; available: "),
    ("verify four.trf", f"four.trf: {NOT_A_LOG}"),
    ("verify random.bin", f"random.bin: {NOT_A_LOG}"),
    ("verify api.json", f"api.json: {NOT_A_LOG}"),
    ("serve --port abc", "Invalid value for '--port' (env var: 'ARBITER_PORT'): 'abc' is not a valid integer."),
    ("diff log --at x --to 3", "Invalid value for '--at': 'x' is not a valid integer."),
    ("simulate --rounds 99", "Invalid value for '--rounds': 99 is not in the range 1<=x<=30."),
    (
        "token --role arbiter --name li --data typo",
        "typo/token.key does not exist: start the server in this folder first, name its folder with --data, or create keys"
        " with --new",
    ),
    (
        "token --role arbiter --name li --data cup --tournament nosuch",
        "tournament 'nosuch' does not exist in cup: create it first, or correct --tournament",
    ),
    (
        "standings row.trf",
        "row.trf:1:15: 'A 2000 5.0 1 2 w 1' is read as the name, and the columns after it are empty: put each value into "
        "the columns of its field",
    ),
    ("standings letter.trf", "letter.trf:2:49: rating '20O0' is not a number"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with files that are not logs, and a data folder without tournaments."""
    monkeypatch.chdir(tmp_path)
    Path("four.trf").write_text(FOUR_PLAYERS)
    Path("letter.trf").write_text(FOUR_PLAYERS.replace("2400", "20O0"))
    Path("row.trf").write_text("001    1      A    2000 5.0 1 2 w 1\n")
    Path("random.bin").write_bytes(bytes(range(1, 256)) * 9)
    Path("api.json").write_text('{"openapi": "3.1.0"}\n')
    with local(Path("cup"), "test"):
        pass
    return tmp_path


@pytest.mark.parametrize(("line", "message"), MISTAKES, ids=[line for line, _ in MISTAKES])
def test_mistake_is_one_line_and_exit_code_2(arbiter: Arbiter, folder: Path, line: str, message: str):
    code, out, err = arbiter(*line.split())
    assert (code, out) == (2, "")
    assert err.startswith(f"arbiter: {message}") and err.count("\n") == 1, err
    assert not Path("typo").exists()


def test_log_that_is_cut_within_a_command_is_explained_in_words(arbiter: Arbiter, folder: Path):
    with local(Path("cup"), "test") as client:
        client.post("/v1/tournaments", {"id": "open", "name": "Open", "game": "chess", **SWISS})
    _, log, _ = arbiter("log", "open", "--data", "cup")
    Path("cut.ndjson").write_text(log.splitlines(keepends=True)[0])
    code, out, _ = arbiter("verify", "cut.ndjson")
    assert code == 1
    assert "the decision cannot be re-evaluated: its events are incomplete, or do not form a command" in out
    assert "Error" not in out
