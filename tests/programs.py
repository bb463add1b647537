"""Programs that some tests need. If one is missing, the test is skipped with a reason; in CI (``CI`` set) it fails."""

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

BIN = Path(sys.executable).parent
SKIPPED = "NOT TESTED HERE: "
"""How the reason of such a skip begins; the summary of a run counts them."""
PACKAGES = {
    "chromedriver": "chromium-driver",
    "chromium": "chromium",
    "curl": "curl",
    "gnugo": "gnugo",
    "node": "nodejs",
    "npm": "npm",
    "pgn-extract": "pgn-extract",
    "promtool": "prometheus",
    "unzip": "unzip",
}
"""The Debian package of each program that tests start by its name."""


def needed(*lacks: str | None) -> None:
    """Skip the test that calls this if something is missing; fail it in CI."""
    missing = [lack for lack in lacks if lack is not None]
    if not missing:
        return
    if os.environ.get("CI"):
        pytest.fail(f"in CI nothing is skipped: {'; '.join(missing)}", pytrace=False)
    pytest.skip(f"{SKIPPED}{'; '.join(missing)}")


def program(name: str) -> str:
    """Return the path of a program, or skip the test that calls this."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:{BIN}:/usr/bin:/usr/games")
    if found is None:
        needed(f"{name} is not installed (Debian: {PACKAGES[name]})")
        raise AssertionError
    return found


def summary(reasons: Iterable[str]) -> list[str]:
    """Return the last lines of a run for its skip reasons: what is missing for how many tests, and how to install it."""
    counted = Counter(r.partition(SKIPPED)[2] for r in reasons if SKIPPED in r)
    if not counted:
        return []
    lines = [f"skipped {count} of the tests: {lack}" for lack, count in counted.most_common()]
    return [*lines, "`make test-tools` installs the missing programs (Debian, as root or with sudo)"]
