"""The rules of xiangqi where no tournament's regulations are before the desk: those of 1999."""

from services.games.rules.boards.port.default_rules import rules_of
from shared.core.rulebook.game_rules import XiangqiRules


def default_rules() -> XiangqiRules:
    """The rules of the set ``xiangqi-1999``."""
    return rules_of("xiangqi-1999", "xiangqi", XiangqiRules)
