"""The planted faults: 100 wrong texts (``faults.toml``), and an omitted step per CONTRIBUTING section (``omissions.toml``)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_SUFFIXES = (".py", ".html", ".toml", ".js")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    The text ``before`` occurs once in the files ``under`` a folder; ``tests`` are patterns of test files below ``tests/``, or one
    test of a file, one of which should fail. An omitted step has the ``section`` of CONTRIBUTING.md whose step it is.
    """

    fault: str
    under: str
    before: str
    after: str
    tests: tuple[str, ...]
    section: str = ""


def _fault(row: dict[str, Any]) -> Fault:
    return Fault(**row | {"tests": tuple(row["tests"].split())})


def _read(file: str) -> tuple[Fault, ...]:
    rows = tomllib.loads((Path(__file__).parent / file).read_text(encoding="utf-8"))["fault"]
    return tuple(map(_fault, rows))


FAULTS = _read("faults.toml")
OMISSIONS = _read("omissions.toml")


def place(fault: Fault, root: Path = ROOT) -> Path:
    """Return the one file that holds the text of a fault. Raises ValueError if it occurs never, or more than once."""
    folder = root / fault.under
    files = [folder] if folder.is_file() else [p for p in sorted(folder.rglob("*")) if p.suffix in _SUFFIXES]
    holding = [(p, n) for p in files if (n := p.read_text(encoding="utf-8").count(fault.before))]
    if len(holding) != 1 or holding[0][1] != 1:
        raise ValueError(f"{fault.fault}: the text occurs {sum(n for _, n in holding)} times under {fault.under}")
    return holding[0][0]
