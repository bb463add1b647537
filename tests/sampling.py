"""How many positions of random games are held against another program."""

import os

POSITIONS = 10_000 if os.environ.get("CI") == "true" else 2_000
"""Fewer on one's own machine: all of them are most of the time that the tests of rules take."""


def at_least(many: int) -> int:
    """The share of what 20,000 positions show ``many`` times."""
    return many * POSITIONS // 20_000
