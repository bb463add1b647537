"""Bodies of announcements as what the rules take: conditions, stages and regulations."""

from dataclasses import replace
from typing import Any

from marshmallow import ValidationError

from services.pairing.announcement.stage_changes import with_stages_changed
from services.pairing.announcement.time_schemas import check_scheme
from services.pairing.requests import appointment
from services.pairing.rules.commands import AnnounceTournament
from shared.core.events import TournamentAnnounced
from shared.core.rulebook.editions import written_edition
from shared.core.rulebook.formats import Format
from shared.core.rulebook.game_rules import GameRules
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.rulebook.regulations import ANNOUNCED, Regulations
from shared.core.terms import BOUNDED_OFFICES, Actor, Conditions, Period, TeamConditions, TimeControl
from shared.http.common_problems import bad_fields
from shared.log.texts import Texts
from shared.regulations.changes import BadChange
from shared.signing.service_keys import ServiceKeys


def announcement(
    actor: Actor, sent: dict[str, Any], texts: Texts, origin: str, keys: ServiceKeys
) -> AnnounceTournament:
    """A tournament as sent, what persons are called put beside the log. Raises `Problem` 422 for a stage that is not taken."""
    adopted = regulations(sent)
    first = adopted.stages[0].rounds if adopted.stages else 0
    return AnnounceTournament(
        actor,
        name=sent["name"],
        game=sent["game"],
        format=sent["format"],
        rounds=sent["rounds"] or first,
        regulations=adopted,
        tiebreaks=tuple(sent["tiebreaks"]),
        conditions=conditions(sent["conditions"], sent["game"], sent["regulations"].game),
        origin=origin,
        keys=keys.announced,
        offices=written_edition().offices,
        recovery=keys.recovery if written_edition().offices >= BOUNDED_OFFICES else "",
        officials=tuple(appointment(one, texts) for one in sent["officials"]),
        place=sent["place"],
        begins=sent["begins"],
        ends=sent["ends"],
        time_zone=sent["time_zone"],
        unlisted=sent["unlisted"],
        # Before the third edition, each tournament could be one, so the value has no effect there.
        results_only=sent["results_only"] or written_edition().offices < BOUNDED_OFFICES,
    )


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


def regulations_for(sent: dict[str, Any], announced: TournamentAnnounced, now: Regulations) -> Regulations:
    """The regulations that a tournament adopts after others: with the stages sent, else those it has ``now``, changed."""
    adopted: Regulations = sent["regulations"]
    stood = now.stages
    if sent["stages"]:
        check_schemes(sent, announced.game)
        stood = stages(sent["stages"], announced.format, announced.game, adopted.game)
    return _with_stages_changed(replace(adopted, stages=stood), announced.game, sent["stage_changes"])


def _with_stages_changed(named: Regulations, game: str, changes: dict[str, Any]) -> Regulations:
    """Raises `Problem` 422 for a change of a stage that is not taken."""
    try:
        return with_stages_changed(named, game, changes)
    except BadChange as problem:
        raise bad_fields({"changes": {problem.path: [problem.why]}}) from None


def check_schemes(sent: dict[str, Any], game: str) -> None:
    """Raises `Problem` 422 for a stage whose time is named after a scheme that the regulations sent do not have."""
    try:
        for n, stage in enumerate(sent["stages"]):
            check_scheme(sent["regulations"], game, stage["time"], f"stages[{n}]")
    except ValidationError as problem:
        raise bad_fields(problem.messages) from None


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
    named = _with_stages_changed(named, sent["game"], sent["stage_changes"])
    if not points:
        return named
    articles = named.articles | {f"points.{name}": ANNOUNCED for name in points}
    changes = {f"points.{name}": value for name, value in points.items() if value != getattr(named.points, name)}
    return replace(named, points=replace(named.points, **points), articles=articles, changes=named.changes | changes)
