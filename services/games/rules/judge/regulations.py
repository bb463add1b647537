"""The rules that a question is judged by: those of its ruleset with changes, or default rules."""

from collections.abc import Mapping
from typing import Any

from services.games.rules.boards.registry import GAMES, default_rules
from services.games.rules.judge.question import Unclear
from shared.core.language.messages import message_of, say
from shared.core.rulebook.game_rules import BoardRules
from shared.core.rulebook.regulations import Regulations
from shared.regulations import load, names
from shared.regulations.changes import BadChange, changed

MOST_CHANGES = 50


def rules_of(fields: Mapping[str, Any], game: str) -> BoardRules | None:
    """Return the rules of a game, or None for a game without rules in any ruleset.

    Raises `Unclear` for an unknown ruleset or one without the game, and for changes that it does not accept or that the
    judge of this game would not read.
    """
    name, changes = fields.get("regulations"), fields.get("changes", {})
    if not isinstance(changes, dict) or len(changes) > MOST_CHANGES:
        raise Unclear(
            say("Wrong field"),
            say("changes is an object of at most {most_changes} values by their paths", most_changes=MOST_CHANGES),
            "changes",
        )
    if name is None:
        if changes:
            raise Unclear(
                say("Missing field"), say("changes apply to the ruleset that regulations names"), "regulations"
            )
        return default_rules(game) if game in GAMES else None
    regulations = _apply_changes(_regulations(name), game, changes)
    return regulations.game.rules[game]


def _regulations(name: Any) -> Regulations:
    if not isinstance(name, str) or name not in names():
        raise Unclear(
            say("Unknown regulations"), say("regulations is one of {names}", names=tuple(names())), "regulations"
        )
    return load(name)


def _apply_changes(regulations: Regulations, game: str, changes: Mapping[str, Any]) -> Regulations:
    if game not in regulations.game.rules:
        has = tuple(one for one in names() if game in load(one).game.rules)
        raise Unclear(
            say("Game not in regulations"),
            say(
                "{name} has no rules for {game}; rulesets with such rules: {sets}",
                name=regulations.name,
                game=game,
                sets=has,
            )
            if has
            else say("{name} has no rules for {game}, nor has another ruleset", name=regulations.name, game=game),
            "regulations",
        )
    for path in changes:
        if not path.startswith(f"game.{game}."):
            raise Unclear(
                say("Bad change"),
                say("{path}: of {game} the judge reads game.{game} alone", path=path, game=game),
                f"changes.{path}",
            )
    try:
        return changed(regulations, changes)
    except BadChange as problem:
        raise Unclear(say("Bad change"), message_of(problem), f"changes.{problem.path}") from None
