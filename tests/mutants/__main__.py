"""Plant each fault of ``faults.toml`` and ``omissions.toml`` in a copy of the project, and run the tests that should find it.

``python -m tests.mutants [N | WORD]``: all, one by its number, or those whose folder or tests hold a word; ``contributing``
for the omitted steps. Exits 1 if a fault is not found.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.faults import FAULTS, OMISSIONS, ROOT, Fault, place

PROCESSES = 2
LONGEST = 300
"""Seconds of the tests of one fault. A fault by which they never end is not found: a busy machine looks the same."""
FOUND = "found"
FAILED = 1
"""pytest's exit code for a test that failed; any other but 0 is an error of the tests or their collection."""
BROKEN = 2
"""pytest's exit code for a file that could not be collected, because the planted text does not even import."""


def copy(folder: Path) -> Path:
    """Return a copy of the project, without what Git ignores and without its history."""
    for part in ("services", "shared", "deploy", "tests"):
        shutil.copytree(ROOT / part, folder / part)
    for file in (file for file in ROOT.iterdir() if file.is_file()):
        shutil.copy2(file, folder / file.name)
    return folder


def run(folder: Path, tests: Sequence[str], tier: str = "test") -> int | None:
    """Return the exit code of pytest in a copy, 0 if all tests passed, or None if they took too long."""
    files: list[str] = []
    for pattern in tests:
        found = [str(path.relative_to(folder)) for path in sorted((folder / "tests").glob(pattern))]
        files += found or [f"tests/{pattern}"]  # one test of a file
    command = [sys.executable, "-m", "pytest", "-x", "--tier", tier, "-p", "no:cacheprovider", *dict.fromkeys(files)]
    # A compiled file of the original text must never stand for the planted one, nor this run's report for that of all tests.
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""}
    try:
        ran = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST
        )
    except subprocess.TimeoutExpired:
        return None
    if ran.returncode not in (0, FAILED, BROKEN):
        raise RuntimeError(ran.stdout[-2000:] + ran.stderr[-2000:])
    return ran.returncode


def plant(folder: Path, fault: Fault) -> int | None:
    """Plant a fault in a copy, run its tests, take it out again, and return what `run` does."""
    file = place(fault, folder)
    former, times = file.read_text(encoding="utf-8"), file.stat()
    try:
        file.write_text(former.replace(fault.before, fault.after), encoding="utf-8")
        return run(folder, fault.tests, "all" if fault.section else "test")
    finally:
        file.write_text(former, encoding="utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def chosen(words: Sequence[str]) -> list[tuple[int, Fault]]:
    numbered = list(enumerate((*FAULTS, *OMISSIONS), 1))
    return [
        (n, one)
        for n, one in numbered
        if not words or any(word == str(n) or (not word.isdigit() and word in _area(one)) for word in words)
    ]


def _area(one: Fault) -> str:
    return f"{one.under} {one.tests} {'contributing' if one.section else ''}"


def main(words: Sequence[str]) -> int:
    missed: list[str] = []
    faults = chosen(words)
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(PROCESSES):
            copies.put(copy(Path(scratch) / str(number)))

        def tried(numbered: tuple[int, Fault]) -> tuple[int, Fault, str, float]:
            folder, began = copies.get(), time.monotonic()
            try:
                found = {0: "NOT FOUND", None: "TIMED OUT"}.get(plant(folder, numbered[1]), FOUND)
                return *numbered, found, time.monotonic() - began
            finally:
                copies.put(folder)

        with ThreadPoolExecutor(PROCESSES) as pool:
            for number, fault, found, seconds in pool.map(tried, faults):
                line = f"{number:3} {found:9} {seconds:4.0f} s  {fault.fault}"
                print(line, flush=True)
                if found != FOUND:
                    missed.append(line)
    print(f"{len(faults) - len(missed)} of {len(faults)} planted faults found")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main([word for word in sys.argv[1:] if word]))
