"""The fields of the form that creates a tournament, filled from an existing one."""

from werkzeug.datastructures import MultiDict

from services.pairing.announcement.announcement_rows import POINTS
from services.pairing.announcement.announcement_steps import CHANGE, SET
from shared import regulations
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import Tournament
from shared.core.terms import OFFICES, TimeControl
from shared.desk.desk import Desk
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.regulations.changeable import changeable_in, value_at


def copy_of(desk: Desk, t: str) -> MultiDict[str, str]:
    """Return the fields for a new tournament like ``t``, without its days, ID, entries and own rulesets.

    Raises `Problem` 404 if the tournament does not exist for the reader.
    """
    auth.refuse_unlisted({"t": t})
    state = tournament_query.latest(desk, t).tournament
    announced, adopted = state.announced, state.regulations
    fields: MultiDict[str, str] = MultiDict(
        {
            "name": announced.name,
            "format": announced.format,
            "place": announced.place,
            "time_zone": announced.time_zone,
            **({"rounds": str(announced.rounds)} if announced.rounds and not adopted.stages else {}),
            **({"results_only": "yes"} if announced.excludes_sheets else {}),
        }
    )
    shipped = adopted.name in regulations.names()
    if shipped and announced.game in regulations.load(adopted.name).game.rules:
        fields[SET] = f"{announced.game}/{adopted.name}"
        _copy_values(fields, adopted)
    elif shipped:
        fields["other_game"] = announced.game
    _copy_conditions(fields, state)
    for n, stage in enumerate(adopted.stages, 1):
        _copy_stage(fields, f"stage:{n}:", stage)
    for code in announced.tiebreaks:
        fields.add("tiebreak", code)
    _copy_officials(fields, desk, state)
    return fields


def _copy_values(fields: MultiDict[str, str], adopted: Regulations) -> None:
    """Copy the changed points and values of a shipped ruleset."""
    usual = regulations.load(adopted.name)
    for name in POINTS:
        if getattr(adopted.points, name) != getattr(usual.points, name):
            fields[f"points:{name}"] = f"{getattr(adopted.points, name) / 2:g}"
    for row in changeable_in(usual):
        value = value_at(adopted, row.path)
        if value == value_at(usual, row.path):
            continue
        if row.members:
            fields.setlist(f"{CHANGE}{row.path}", ["", *value])
        elif row.least is not None:
            fields[f"{CHANGE}{row.path}"] = str(value)
        elif value in row.values:
            fields[f"{CHANGE}{row.path}"] = str(row.values.index(value))


def _copy_conditions(fields: MultiDict[str, str], state: Tournament) -> None:
    conditions = state.announced.conditions
    for name in ("groups", "qualifiers", "extra"):
        if getattr(conditions, name):
            fields[name] = str(getattr(conditions, name))
    if conditions.games > 1:
        fields["games"] = str(conditions.games)
    for name in ("carried", "best", "places"):
        if getattr(conditions, name):
            fields[name] = "yes"
    if conditions.team is not None:
        fields["team"], fields["boards"] = conditions.team.kind, str(conditions.team.boards)
        fields["substitutes"] = str(conditions.team.substitutes)
    if conditions.time is not None:
        _copy_time(fields, conditions.time, state.regulations)


def _copy_time(fields: MultiDict[str, str], time: TimeControl, adopted: Regulations) -> None:
    """Copy a time as the scheme of the ruleset, or else its periods."""
    if time in adopted.game.schemes:
        fields["time"] = time.article
        return
    fields["time"], fields["flag"] = "own", time.flag
    for n, period in enumerate(time.periods, 1):
        fields[f"period:{n}:minutes"] = str(period.seconds // 60)
        fields[f"period:{n}:moves"] = str(period.moves or "")
        fields[f"period:{n}:increment"] = str(period.increment or time.increment or "")
    if time.byo_yomi:
        fields["byo_yomi"], fields["byo_yomi_periods"] = str(time.byo_yomi), str(time.byo_yomi_periods)
    if time.clocks_after:
        fields["clocks_after"] = str(time.clocks_after // 60)


def _copy_stage(fields: MultiDict[str, str], row: str, stage: StageRule) -> None:
    fields[f"{row}format"] = stage.format
    fields[f"{row}name"] = stage.name
    for name in ("rounds", "groups", "qualifiers", "extra"):
        if getattr(stage, name):
            fields[f"{row}{name}"] = str(getattr(stage, name))
    if stage.games > 1:
        fields[f"{row}games"] = str(stage.games)
    for name in ("best", "places"):
        if getattr(stage, name):
            fields[f"{row}{name}"] = "yes"
    if stage.time is not None:
        fields[f"{row}time"] = stage.time.article


def _copy_officials(fields: MultiDict[str, str], desk: Desk, state: Tournament) -> None:
    """Copy the officials with their roles and real names. The one who creates the copy has a role in it anyway."""
    for name, one in state.officials.items():
        person = "" if one.person is None else desk.called([one.person.text]).get(one.person.text, "")
        for role in sorted(one.roles & set(OFFICES)):
            for field, value in (("official", name), ("role", role), ("person", person)):
                fields.add(field, value)
