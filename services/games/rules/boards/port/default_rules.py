"""The rules of a game without a tournament's regulations: those of a shipped ruleset, with their articles."""

from typing import TypeVar

from shared.core.rulebook.game_rules import BoardRules
from shared.regulations import load

T = TypeVar("T", bound=BoardRules)


def rules_of(regulations: str, game: str, of: type[T]) -> T:
    """Return the rules of a game in the ruleset of this name."""
    rules = load(regulations).game.rules[game]
    assert isinstance(rules, of), "the table of rules has one class a game"
    return rules
