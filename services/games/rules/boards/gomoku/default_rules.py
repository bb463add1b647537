"""The rules of free gomoku where no tournament's regulations are before the desk: the campus event's of 000-B."""

from services.games.rules.boards.port.default_rules import rules_of
from shared.core.rulebook.game_rules import GomokuRules


def default_rules() -> GomokuRules:
    """The rules of the set ``gomoku-campus``."""
    return rules_of("gomoku-campus", "gomoku", GomokuRules)
