"""The rules that a game is decided by where no tournament's regulations are before the desk: those that a set of the house
has for it, with their articles."""

from typing import TypeVar

from shared.core.rulebook.game_rules import BoardRules
from shared.regulations import load

T = TypeVar("T", bound=BoardRules)


def rules_of(regulations: str, game: str, of: type[T]) -> T:
    """The rules of a game in the set of this name."""
    rules = load(regulations).game.rules[game]
    assert isinstance(rules, of), "the table of rules has one class a game"
    return rules
