"""The proofs of rows and values: the tests that pytest collects with a mark of them."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
COLLECTING = pytest.mark.xdist_group("proofs")
"""Tests that ask for all proofs run on one process, which collects them once."""
FOLDERS = ("tests/http", "tests/stories", "tests/contracts")
"""Where tests speak HTTP."""
_OUTPUT = "ARBITER_PROOFS"


@dataclass(frozen=True, slots=True)
class Proof:
    """A test, its ``file`` in the repository, and what a mark on it claims: a row ``under`` a set, or the ``values`` at a
    path. ``runs``: nothing skips it or lets it fail."""

    test: str
    file: str
    claim: str
    under: str | None
    values: tuple[Any, ...]
    runs: bool


@cache
def collected() -> list[Proof]:
    """Every proof there is, each once, in the order of the files: what pytest would run, asked of a pytest of its own."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "proofs.json"
        command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", __name__, "-p", "no:cacheprovider"]
        run = subprocess.run(
            [*command, *FOLDERS],
            cwd=ROOT,
            env=os.environ | {_OUTPUT: str(output)},
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            raise RuntimeError(run.stdout + run.stderr)
        return msgspec.json.decode(output.read_bytes(), type=list[Proof])


def pytest_collection_finish(session: pytest.Session) -> None:
    """As a plugin of that pytest: writes the proofs."""
    proofs = [_proof(item, mark) for item in session.items for mark in item.iter_markers() if mark.name in _CLAIMS]
    once = {json.dumps(asdict(proof), ensure_ascii=False): None for proof in proofs}
    Path(os.environ[_OUTPUT]).write_text(f"[{','.join(once)}]", encoding="utf-8")


_CLAIMS = ("row", "plays")
_EXCUSES = ("skip", "skipif", "xfail")


def _proof(item: pytest.Item, mark: pytest.Mark) -> Proof:
    file = item.path.relative_to(ROOT).as_posix()
    runs = not any(item.get_closest_marker(name) for name in _EXCUSES)
    test = getattr(item, "originalname", item.name)
    return Proof(test, file, mark.args[0], mark.kwargs.get("under"), tuple(mark.args[1:]), runs)
