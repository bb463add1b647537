"""The rules of Go where no tournament's regulations are before the desk: the campus event's."""

from services.games.rules.boards.port.default_rules import rules_of
from shared.core.rulebook.game_rules import GoRules


def default_rules() -> GoRules:
    """The rules of the set ``campus``."""
    return rules_of("campus", "go", GoRules)
