"""The rules of chess where no tournament's regulations are before the desk: the Laws'."""

from services.games.rules.boards.port.default_rules import rules_of
from shared.core.game_rules import ChessRules


def default_rules() -> ChessRules:
    """The rules of the set ``fide-2024``."""
    return rules_of("fide-2024", "chess", ChessRules)
