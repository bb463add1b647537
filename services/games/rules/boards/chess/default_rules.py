"""The rules of chess where no tournament's regulations are before the desk: the Laws'."""

from dataclasses import replace

from services.games.rules.boards.port.default_rules import rules_of
from shared.core.rulebook.game_rules import ChessRules
from shared.core.terms import Moves


def default_rules() -> ChessRules:
    """Return the rules of the set ``fide-2024``, without the automatic draws of Laws 9.6.

    Logs without rules of games and questions without a ruleset were decided before the set had these draws.
    """
    rules = rules_of("fide-2024", "chess", ChessRules)
    return replace(rules, automatic_repetitions=0, automatic_quiet_moves=Moves(0), dead_position="material")
