"""The rules of twenty-one, which is not played in tournaments and is in no regulations.

They are in ``rules.toml``; values with several interpretations are in ``readings.toml``.
"""

from collections.abc import Mapping
from functools import cache

from shared.core.rulebook.game_rules import TwentyoneRules
from shared.regulations.changeable import Changeable, ChangeableValues
from shared.regulations.typed_toml import read_toml


@cache
def default_rules() -> TwentyoneRules:
    """Return the rules of 000-F."""
    return read_toml(__package__, "rules.toml", TwentyoneRules)


@cache
def readings() -> Mapping[str, Changeable]:
    """Return the values that may be chosen differently, by name: the texts of 000-F have several interpretations of them."""
    return {row.path: row for row in read_toml(__package__, "readings.toml", ChangeableValues).values}
