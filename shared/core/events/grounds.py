"""Grounds: why something was decided, as a code and its facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

GroundFact: TypeAlias = int | str | tuple[str, ...]
"""A number, or one or several names that no language changes: squares, moves, codes of closed sets."""


@dataclass(frozen=True, slots=True)
class Ground:
    """One of the grounds of a decision. ``code`` names its words; ``facts`` has
    a value for each of their places."""

    code: str
    facts: Mapping[str, GroundFact] = field(default_factory=dict)
