"""The check of words: no file has more faults than its baseline allows, and a baseline only falls.

A kind of fault is phrases (`phrases.py`), docstrings (ruff D205 and D401) or lengths (`lengths.py`).
"""

import gc
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, repeat
from pathlib import Path

from tests.prose import lengths
from tests.prose.findings import Finding
from tests.prose.marks import MOST, Mark, find_marks
from tests.prose.phrases import PHRASES
from tests.prose.reader import Text, find_files, read_texts, unwrap

ROOT = Path(__file__).parents[2]
BASELINE = Path(__file__).parent / "baseline.json"
"""Per kind: the number of faults that each file may have. A file that is not listed may have none."""
OWN = "tests/prose/"
"""Tests of the check itself have marks that are examples."""
MENDS = {
    "D205": "summary on one line, then a blank line",
    "D401": "begin with the verb: Return, Yield, Check, Write",
}
PROCESSES = 2
AROUND = 40
"""Characters shown before and after a phrase."""

Allowed = Mapping[str, Mapping[str, int]]


def find_phrase_faults(root: Path = ROOT) -> Iterator[Finding]:
    """Yield banned phrases, and marks that have no reason, mark nothing, or are too many."""
    number = 0
    with ProcessPoolExecutor(PROCESSES, initializer=gc.disable) as pool:
        for own, found in pool.map(_read, find_files(root), repeat(root), chunksize=50):
            number += own
            yield from found
    if number > MOST:
        yield Finding("", 0, f"{number} marks `prose: ok`, of at most {MOST}", "rewrite marked lines")


def _read(name: Path, root: Path) -> tuple[int, list[Finding]]:
    """Return the number of marks and the findings of one file."""
    source = (root / name).read_text(encoding="utf-8")
    own = [] if name.as_posix().startswith(OWN) else list(find_marks(source, name.suffix == ".md"))
    return len(own), sorted(find_faults(name, source, own), key=lambda one: one.line)


def find_faults(name: Path, source: str, own: list[Mark]) -> Iterator[Finding]:
    """Yield the findings of one file with these marks."""
    used: set[Mark] = set()
    for text in read_texts(name, source):
        covering = [mark for mark in own if mark.has_reason and mark.covers(text.line, text.last)]
        for finding in _find_phrases(name, text):
            used.update(covering)
            if not covering:
                yield finding
    for mark in own:
        if not mark.has_reason:
            yield Finding(name.as_posix(), mark.line, "mark without a reason", "write `prose: ok: REASON`")
        elif mark not in used:
            yield Finding(name.as_posix(), mark.line, "mark on a text without a banned phrase", "remove the mark")


def _find_phrases(name: Path, text: Text) -> Iterator[Finding]:
    flat = unwrap(text.words)
    for phrase in PHRASES:
        # Some phrases are at the start of a line, others are broken at its end. Both texts have the same length.
        starts = {match.start(): match for words in {flat, text.words} for match in phrase.pattern.finditer(words)}
        for start, match in starts.items():
            line = text.line + text.words.count("\n", 0, start)
            words, around = match[0].strip()[:AROUND], flat[max(0, start - AROUND) : start + 2 * AROUND]
            yield Finding(name.as_posix(), line, f'{phrase.name} "{words}": {" ".join(around.split())}', phrase.remedy)


def find_docstring_faults(root: Path = ROOT) -> Iterator[Finding]:
    """Yield the docstrings that ruff D205 or D401 rejects."""
    ruff = [str(Path(sys.executable).with_name("ruff")), "check", "--select", ",".join(MENDS), "--exit-zero", "--quiet"]
    ran = subprocess.run([*ruff, "--output-format", "json", root], cwd=root, capture_output=True, text=True, check=True)
    for one in json.loads(ran.stdout):
        name = Path(one["filename"]).relative_to(root).as_posix()
        yield Finding(name, one["location"]["row"], f"{one['code']} {one['message']}", MENDS[one["code"]])


def find_length_faults(root: Path = ROOT) -> Iterator[Finding]:
    """Yield everything that is too long."""
    return chain(
        lengths.find_long_changes(root),
        lengths.find_long_summaries(root),
        lengths.find_long_lines(root),
        lengths.find_long_helps(root),
    )


KINDS = {"phrases": find_phrase_faults, "docstrings": find_docstring_faults, "lengths": find_length_faults}


def read_baseline() -> Allowed:
    """Return the baseline: per kind, the faults that each file may have."""
    return json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}


def find_excess(found: Iterable[Finding], allowance: Mapping[str, int]) -> list[Finding]:
    """Return all findings of the files that have more of them than allowed."""
    each = list(found)
    count = Counter(one.file for one in each)
    return [one for one in each if count[one.file] > allowance.get(one.file, 0)]


def lower_counts(count: Mapping[str, int], allowance: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    """Return the allowance without what is not needed any more.

    A file that is new takes from the allowance of files that are gone, so that a moved file keeps its own. The sum never rises.
    """
    present = set(names)
    kept = {file: min(count.get(file, 0), number) for file, number in allowance.items()}
    gone = sum(number for file, number in allowance.items() if file not in present)
    for file in sorted(set(count) - set(allowance)):
        kept[file] = min(count[file], gone)
        gone -= kept[file]
    return {file: number for file, number in sorted(kept.items()) if number}


def list_names(root: Path = ROOT) -> list[str]:
    """Return the names of the files that a baseline may list."""
    return [*(file.as_posix() for file in find_files(root)), lengths.OPENAPI]


def write_baseline(root: Path = ROOT) -> None:
    """Write the baseline again: lower where files have fewer faults, and never higher. Without a file, write what there is."""
    before, after = read_baseline(), {}
    for kind, findings in KINDS.items():
        count = Counter(one.file for one in findings(root))
        after[kind] = (
            lower_counts(count, before[kind], list_names(root)) if kind in before else dict(sorted(count.items()))
        )
        sums = (sum(before.get(kind, {}).values()), sum(after[kind].values()))
        print(f"{kind}: {sums[0]:,} before, {sums[1]:,} now, in {len(after[kind])} files")
    BASELINE.write_text(json.dumps(after, indent=1) + "\n", encoding="utf-8")


def format_findings(found: Iterable[Finding]) -> Iterator[str]:
    """Yield one line for each finding: file, line, fault and remedy."""
    for one in found:
        yield f"{one.file}:{one.line}: {one.fault}\n    {one.remedy}"
