"""Marks ``prose: ok: REASON``, by which a line keeps a phrase that the check would reject."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST = 60
"""Marks in the whole project."""
SHORTEST_REASON = 10
"""Characters."""
_MARK = re.compile(r"(?P<opener>#|<!--|\{#) prose: ok\b:? *(?P<reason>.*?) *(?:-->|#\}|$)")


class Mark(NamedTuple):
    """A mark. ``lines``: its own line, and the next one if nothing else is on its own."""

    line: int
    lines: tuple[int, ...]
    reason: str

    @property
    def has_reason(self) -> bool:
        return len(self.reason) >= SHORTEST_REASON

    def covers(self, first: int, last: int) -> bool:
        """Return whether the mark is on one of the lines, or alone on the line before."""
        return any(first <= line <= last for line in self.lines)


def find_marks(source: str, markdown: bool) -> Iterator[Mark]:
    """Yield the marks of a file. In Markdown, a mark in backticks is an example."""
    if "prose: ok" not in source:
        return
    for number, line in enumerate(source.split("\n"), 1):
        if match := _MARK.search(re.sub(r"`[^`]*`", "", line) if markdown else line):
            alone = line.lstrip().startswith(match["opener"])
            yield Mark(number, (number, number + 1) if alone else (number,), match["reason"])
