"""Changes of announced stages by path, ``stages.<name>.games``: within the bounds of the articles that leave them open."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.pairing.rules.announcement.stage_checks import LENGTHS as BEST_OF
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GameRules
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.rulebook.regulations import Regulations, Value
from shared.regulations.changes import BadChange

STAGES = "stages."
LENGTHS = (1, *BEST_OF)
LENGTH_ARTICLE = "000-B 4: 三盘两胜, 五盘三胜, 七盘四胜; 000-E 6: 三局两胜"
MOST_EXTRA = 10
EXTRA_ARTICLE = "000-B 9: 加赛; Arbiter sets the bounds"


def of_stages(changes: Mapping[str, Value]) -> dict[str, Value]:
    """Those of the changes that are of a stage."""
    return {path: value for path, value in changes.items() if path.startswith(STAGES)}


def with_stages_changed(regulations: Regulations, game: str, changes: Mapping[str, Value]) -> Regulations:
    """Return the ruleset with these changes of its stages.

    Raises `BadChange` for an unknown stage or key, or for a value out of bounds.
    """
    stages, made = regulations.stages, dict[str, Value]()
    for path, value in changes.items():
        name, _, key = path.removeprefix(STAGES).partition(".")
        if name not in (stage.name for stage in stages):
            there = tuple(stage.name for stage in stages) or say("none")
            raise BadChange(path, say("unknown stage; available: {there}", there=there))
        now = tuple(_changed(s, path, key, value, regulations.game, game) if s.name == name else s for s in stages)
        made |= {path: value} if now != stages else {}
        stages = now
    return replace(regulations, stages=stages, changes={**regulations.changes, **made})


def _changed(stage: StageRule, path: str, key: str, value: Value, rules: GameRules, game: str) -> StageRule:
    fields: dict[str, Any]
    if key == "games":
        fields, taken = {"games": value, "best": value != 1}, type(value) is int and value in LENGTHS
        lengths = " or ".join(map(str, LENGTHS))
        takes = say("must be {lengths} games ({length_article})", lengths=lengths, length_article=LENGTH_ARTICLE)
    elif key == "extra":
        fields, taken = {"extra": value}, type(value) is int and 0 <= value <= MOST_EXTRA
        takes = say(
            "must be 0 to {most_extra} games ({extra_article})", most_extra=MOST_EXTRA, extra_article=EXTRA_ARTICLE
        )
    elif key == "time":
        there = [one.article for one in rules.schemes if one.game == game]
        fields, taken = {"time": rules.scheme(game, str(value))}, value in there
        article = rules.time_articles.get(game, "default")
        takes = say("must be {there} ({get})", there=" or ".join(there) or "no scheme", get=article)
    else:
        raise BadChange(path, say("a stage may only have the values games, extra and time"))
    if not taken:
        raise BadChange(path, takes)
    return replace(stage, **fields)
