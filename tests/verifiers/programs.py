"""The three verifiers, each started once for many cases."""

import io
import json
import subprocess
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, TypeAlias

from deploy.cli.main import run
from shared.core.terms import Verdict
from tests.programs import program

Case: TypeAlias = dict[str, bytes]
"""Files by name: the log or the archive first. The name says what a file is (`OPTIONS`)."""
CaseVerdict: TypeAlias = Verdict | str
VERDICTS: dict[int, CaseVerdict] = {0: "agrees", 1: "differs", 2: "unreadable", 3: "incomplete"}
"""Exit codes of the command and of the Go program, and the verdicts of the page."""
PAGE = Path(__file__).parents[2] / "deploy" / "docs" / "verify.html"
OPTIONS = {
    "sheets.ndjson": "--sheets",
    "checkpoint.txt": "--checkpoint",
    "arbiter.vkey": "--key",
    "line.tlog-proof": "--receipt",
    "cosigned.txt": "--checkpoint",
    "witness.vkey": "--witness",
}
BESIDE = "arbiter.former"
"""The file that the command finds next to ``arbiter.vkey``. The page and the Go program get it as the other files."""


def write(case: Case, folder: Path) -> list[Path]:
    """Write a case into a folder and return its files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in case.items():
        (folder / name).write_bytes(content)
    return [folder / name for name in case]


def command(cases: Sequence[Sequence[Path]]) -> list[CaseVerdict]:
    """Return the verdicts of ``arbiter verify``, called in this process."""
    verdicts = []
    for log, *others in cases:
        options = [part for file in others if file.name != BESIDE for part in (OPTIONS[file.name], str(file))]
        said = io.StringIO()
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")), redirect_stderr(said):
            verdicts.append(VERDICTS[run(["verify", str(log), *options])])
        assert "internal error" not in said.getvalue(), (log, said.getvalue())
    return verdicts


def page(cases: Sequence[Sequence[Path]]) -> list[CaseVerdict]:
    """Return the verdicts of the page's program in Node.js."""
    return [answer["verdict"] for answer in page_answers(cases)]


def page_answers(cases: Sequence[Sequence[Path]], *options: str) -> list[dict[str, Any]]:
    """Return all that the page's program says of each case. ``options``: "words" for the log in words."""
    lines = answers([program("node"), str(Path(__file__).parent / "page.mjs"), str(PAGE), *options], cases)
    return [json.loads(line) for line in lines]


def go_program(verifier: Path) -> Callable[[Sequence[Sequence[Path]]], list[CaseVerdict]]:
    """Return a function like `page` for the Go program."""
    return lambda cases: [VERDICTS[int(line)] for line in answers([str(verifier), "-cases"], cases)]


def answers(command: list[str], cases: Sequence[Sequence[Path]]) -> list[str]:
    """Return the line that a program prints for each case. It reads one JSON list of files per line."""
    lines = "".join(json.dumps([str(file) for file in case]) + "\n" for case in cases)
    ran = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    answers = ran.stdout.split("\n")[:-1]  # JSON may hold other characters that end a line
    assert (ran.returncode, len(answers)) == (0, len(cases)), ran.stderr[-2000:]
    return answers
