"""The rules of renju where no tournament's regulations are before the desk: the campus event's."""

from services.games.rules.boards.port.default_rules import rules_of
from shared.core.rulebook.game_rules import RenjuRules


def default_rules() -> RenjuRules:
    """The rules of the set ``campus``."""
    return rules_of("campus", "renju", RenjuRules)
