"""The rules that a question is judged by: those of the set of regulations that it names, with its changes, or the house's."""

from collections.abc import Mapping
from typing import Any

from services.games.rules.boards.registry import GAMES, default_rules
from services.games.rules.judge.question import Unclear
from shared.core.game_rules import BoardRules
from shared.core.regulations import Regulations
from shared.regulations import load, names
from shared.regulations.changes import BadChange, changed

MOST_CHANGES = 50


def rules_of(fields: Mapping[str, Any], game: str) -> BoardRules | None:
    """The rules of a game; None for one that no set has.

    Raises `Unclear` for a set that there is not or that has no such game, and for changes that it does not take, or that
    the judge of this game would not read.
    """
    name, changes = fields.get("regulations"), fields.get("changes", {})
    if not isinstance(changes, dict) or len(changes) > MOST_CHANGES:
        raise Unclear("Wrong field", f"changes is an object of at most {MOST_CHANGES} values by their paths", "changes")
    if name is None:
        if changes:
            raise Unclear(
                "Missing field", "changes are of a set of regulations, which regulations names", "regulations"
            )
        return default_rules(game) if game in GAMES else None
    regulations = _changed(_regulations(name), game, changes)
    return regulations.game.rules[game]


def _regulations(name: Any) -> Regulations:
    if not isinstance(name, str) or name not in names():
        raise Unclear("Unknown regulations", f"regulations is one of {', '.join(names())}", "regulations")
    return load(name)


def _changed(regulations: Regulations, game: str, changes: Mapping[str, Any]) -> Regulations:
    if game not in regulations.game.rules:
        has = ", ".join(one for one in names() if game in load(one).game.rules)
        raise Unclear(
            "Game not in regulations",
            f"{regulations.name} has no {game}; " + (f"those that have are {has}" if has else "no set has it"),
            "regulations",
        )
    for path in changes:
        if not path.startswith(f"game.{game}."):
            raise Unclear("Bad change", f"{path}: of {game} the judge reads game.{game} alone", f"changes.{path}")
    try:
        return changed(regulations, changes)
    except BadChange as problem:
        raise Unclear("Bad change", str(problem), f"changes.{problem.path}") from None
