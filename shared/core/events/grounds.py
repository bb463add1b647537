"""Grounds: the reasons of a decision, as a code and its facts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

GroundFact: TypeAlias = int | str | tuple[str, ...]
"""A number, or one or several names that are the same in every language: squares, moves, codes of closed sets."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A ground of a decision. ``code`` selects its words, ``facts`` has a value for each of their placeholders."""

    code: str
    facts: Mapping[str, GroundFact] = field(default_factory=dict)
