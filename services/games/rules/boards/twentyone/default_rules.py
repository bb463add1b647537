"""The rules of twenty-one, which is played in no tournament and stands in no regulations: ``rules.toml`` beside this, and
what may be chosen otherwise, ``readings.toml``."""

from collections.abc import Mapping
from functools import cache

from shared.core.rulebook.game_rules import TwentyoneRules
from shared.regulations.changeable import Changeable, ChangeableValues
from shared.regulations.typed_toml import read_toml


@cache
def default_rules() -> TwentyoneRules:
    """The rules of 000-F."""
    return read_toml(__package__, "rules.toml", TwentyoneRules)


@cache
def readings() -> Mapping[str, Changeable]:
    """The values that may be chosen otherwise, by their names: those of which the texts of 000-F have several readings."""
    return {row.path: row for row in read_toml(__package__, "readings.toml", ChangeableValues).values}
