"""The version from which upgrades are tried: its files, exported from the history of this repository."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.programs import SKIPPED
from tests.warm import ROOT

BEFORE = "b87b1eadd1d6bcb3a2022b851f83f0c41b487e2f"
"""The version before this one, from which a rolling restart is tried."""
RELEASE_1_0 = "d19eda9a56c56bae36d6d2d8208ba2d9c92e18c8"
"""The version 1.0.0 with the second edition."""
_OWN = ("-c", "safe.directory=*")
"""In CI, another user owns the checkout."""
_PATHS = ("deploy", "services", "shared", ":(glob)tests/*.py")
_WORDS = Path("shared/web/locale/zh_CN/LC_MESSAGES/arbiter.mo")
"""Compiled from a source in the history; the one of this version serves as well."""


def former_version(folder: Path, commit: str = BEFORE) -> Path:
    """Export a former version into a folder below ``folder``. Skips the test if the history is missing."""
    made = folder / "former"
    if not _known(commit) and (_git("fetch", "--quiet", "--depth", "1", "origin", commit) or not _known(commit)):
        pytest.skip(f"{SKIPPED}the history lacks the former version {commit[:8]} (run `git fetch --unshallow`)")
    made.mkdir(parents=True)
    with tempfile.TemporaryFile() as archive:
        subprocess.run(["git", *_OWN, "archive", commit, *_PATHS], cwd=ROOT, stdout=archive, check=True)
        archive.seek(0)
        subprocess.run(["tar", "-x", "-C", made], stdin=archive, check=True)
    if (ROOT / _WORDS).exists():
        shutil.copy(ROOT / _WORDS, made / _WORDS)
    return made


def _known(commit: str) -> bool:
    return _git("cat-file", "-e", f"{commit}^{{commit}}") == 0


def _git(*words: str) -> int:
    """Return the exit code of git; 1 if git is not installed."""
    if shutil.which("git") is None:
        return 1
    return subprocess.run(["git", *_OWN, *words], cwd=ROOT, check=False, capture_output=True).returncode
