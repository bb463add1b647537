"""The tiers of the tests: `make quick`, `make test` and `make test-all`. `python -m tests.tiers JUNIT.xml` measures again.

Without ``--tier``, pytest runs the files and folders that it is given completely, as `make test-all` does.
"""

import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

FOLDER = Path(__file__).parent
QUICK = ("rules", "http", "web")
FOLDERS = {"quick": QUICK, "test": (*QUICK, "stories", "contracts", "golden", "forms", "proofs", "prose")}
"""The folders of each tier. `make test-all` runs every folder, so that a new one is in it without a line here."""
SLOW = FOLDER / "slow_tests.txt"
"""The tests of the quick folders that `make quick` omits: seconds, file and name of each."""
SECONDS = 4.0
"""A test is slow if all its parameters together took longer, in a run of everything on three busy processes."""
FEWER = 5
"""The tiers before `make test-all` play one of so many Hypothesis examples."""
_CHOSEN = {"tier": "all"}


def choose(tier: str) -> None:
    """Set the tier of this process, before its test files are imported."""
    _CHOSEN["tier"] = tier


def examples(full: int) -> int:
    """Return the Hypothesis examples of a test: ``full`` in `make test-all`, fewer in the other tiers."""
    return full if _CHOSEN["tier"] == "all" else max(5, full // FEWER)


def omits_folder(path: Path) -> bool:
    """Return whether the tier omits a folder or file of the tests."""
    if _CHOSEN["tier"] == "all" or not path.is_relative_to(FOLDER) or path == FOLDER:
        return False
    return path.relative_to(FOLDER).parts[0] not in FOLDERS[_CHOSEN["tier"]]


def omits_test(item: pytest.Item) -> bool:
    """Return whether the tier omits a test of its folders: a slow one in `quick`, a story on the lagging log in `test`.

    A slow Hypothesis test is kept, with fewer examples.
    """
    if _CHOSEN["tier"] == "quick":
        return _name(item) in _slow() and item.get_closest_marker("hypothesis") is None
    call = getattr(item, "callspec", None)
    return _CHOSEN["tier"] == "test" and call is not None and call.params.get("hall") == "lagging"


def _name(item: pytest.Item) -> str:
    return f"{item.path.relative_to(FOLDER.parent)}::{getattr(item, 'originalname', item.name)}"


@cache
def _slow() -> set[str]:
    return {line.split()[1] for line in SLOW.read_text(encoding="utf-8").splitlines()}


def measure(junit: Path) -> None:
    """Write the list of slow tests from the JUnit file of a run of everything."""
    spent: defaultdict[str, float] = defaultdict(float)
    for case in ElementTree.parse(junit).iter("testcase"):
        file = case.get("classname", "").replace(".", "/") + ".py"
        spent[f"{file}::{case.get('name', '').partition('[')[0].partition('@')[0]}"] += float(case.get("time", 0))
    slow = sorted((name, s) for name, s in spent.items() if s > SECONDS and Path(name).parts[1] in QUICK)
    SLOW.write_text("".join(f"{seconds:4.0f} {name}\n" for name, seconds in slow), encoding="utf-8")


if __name__ == "__main__":
    measure(Path(sys.argv[1]))
