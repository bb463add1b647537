"""Bodies of requests as what the rules take: entries, conditions, and the regulations of an announcement."""

from dataclasses import replace
from typing import Any

from marshmallow import ValidationError

from services.pairing.rules.commands import Entry
from services.pairing.time_schemas import check_scheme
from shared.core.formats import Format
from shared.core.game_rules import GameRules
from shared.core.regulations import Regulations
from shared.core.stage_rules import StageRule
from shared.core.terms import Conditions, Period, TeamConditions, TimeControl
from shared.http.problems import Problem
from shared.log.texts import Texts

ANNOUNCED = "the announcement"
"""The source of what no article of the regulations says."""


def entry(sent: dict[str, Any], texts: Texts) -> Entry:
    """One of ``players`` as sent, its name and club put beside the log."""
    name = texts.ref(sent["name"])
    assert name is not None, "the schema takes no empty name"
    return Entry(sent["id"], name, sent["rating"], sent["title"], texts.ref(sent["club"]), sent["federation"])


def conditions(sent: dict[str, Any] | None, game: str, rules: GameRules) -> Conditions:
    """The conditions that an announcement states of its format and of the game's time; the defaults where nothing was sent."""
    if sent is None:
        return Conditions()
    team, time = sent["team"], sent["time"]
    team = None if team is None else TeamConditions(**team)
    return Conditions(**sent | {"team": team, "time": None if time is None else _time(time, game, rules)})


def stages(sent: list[dict[str, Any]], format: Format, game: str, rules: GameRules) -> tuple[StageRule, ...]:
    """The stages that were sent: by default called by their number, of the announcement's format."""
    return tuple(
        StageRule(
            **one
            | {
                "name": one["name"] or str(n),
                "format": one["format"] or format,
                "time": None if one["time"] is None else _time(one["time"], game, rules),
            }
        )
        for n, one in enumerate(sent, 1)
    )


def check_schemes(sent: dict[str, Any], game: str) -> None:
    """Raises `Problem` 422 for a stage whose time is named after a scheme that the regulations sent do not have."""
    try:
        for n, stage in enumerate(sent["stages"]):
            check_scheme(sent["regulations"], game, stage["time"], f"stages[{n}]")
    except ValidationError as problem:
        title, detail = "Fields are missing or wrong", "see errors for each field"
        raise Problem(422, "bad-fields", title, detail, errors=problem.messages) from None


def _time(sent: str | dict[str, Any], game: str, rules: GameRules) -> TimeControl | None:
    """The scheme of that name, or what was said, by the article that lets it be said."""
    if isinstance(sent, str):
        return rules.scheme(game, sent)
    article = rules.time_articles.get(game, ANNOUNCED)
    periods = tuple(Period(**one) for one in sent["periods"])
    return TimeControl(game, **sent | {"periods": periods}, article=article)


def regulations(sent: dict[str, Any]) -> Regulations:
    """The regulations of an announcement, with its stages, and the points that it gives in place of theirs, whole."""
    named, points = sent["regulations"], sent["points"]
    if sent["stages"]:
        named = replace(named, stages=stages(sent["stages"], sent["format"], sent["game"], named.game))
    if not points:
        return named
    articles = named.articles | {f"points.{name}": ANNOUNCED for name in points}
    changes = {f"points.{name}": value for name, value in points.items() if value != getattr(named.points, name)}
    return replace(named, points=replace(named.points, **points), articles=articles, changes=named.changes | changes)
