"""The rules of twenty-one, which is played in no tournament and stands in no regulations: ``rules.toml`` beside this."""

from functools import cache

from shared.core.game_rules import TwentyoneRules
from shared.regulations.typed_toml import read_toml


@cache
def default_rules() -> TwentyoneRules:
    """The rules of 000-F."""
    return read_toml(__package__, "rules.toml", TwentyoneRules)
