"""The project's own texts: no file has more faults than its baseline allows, and new commits have short subjects."""

import subprocess
from collections import Counter
from functools import cache

import pytest

from tests.prose.findings import Finding
from tests.prose.guard import KINDS, ROOT, find_excess, format_findings, list_names, lower_counts, read_baseline
from tests.prose.lengths import SUBJECT

OLDER = "c5bd51f6"
"""The last commit before subjects had a limit."""


@cache
def findings(kind: str) -> tuple[Finding, ...]:
    return tuple(KINDS[kind](ROOT))


@pytest.mark.parametrize("kind", KINDS)
def test_no_file_exceeds_its_baseline(kind):
    assert list(format_findings(find_excess(findings(kind), read_baseline()[kind]))) == []


@pytest.mark.parametrize("kind", KINDS)
def test_baseline_is_as_low_as_possible(kind):
    count = Counter(one.file for one in findings(kind))
    assert lower_counts(count, read_baseline()[kind], list_names()) == read_baseline()[kind], "run make prose"


def subjects() -> list[str]:
    """Return the subjects of the commits since the limit, without merges. Skip without git or without its history."""
    git = ["git", "log", "--no-merges", "--format=%h %s", f"{OLDER}..HEAD"]
    try:
        ran = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no git history")
    return [line.partition(" ")[2] for line in ran.stdout.splitlines()]


def test_commit_subject_has_at_most_72_characters():
    assert [subject for subject in subjects() if len(subject) > SUBJECT or subject.endswith(".")] == []
