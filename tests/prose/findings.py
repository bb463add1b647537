"""A finding: one fault of a text, and its remedy."""

from typing import NamedTuple


class Finding(NamedTuple):
    """A fault of one text."""

    file: str
    line: int
    fault: str
    remedy: str
