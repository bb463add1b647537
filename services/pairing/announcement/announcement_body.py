"""The API's body of a new tournament, from the fields of the form that creates it."""

from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from services.pairing.announcement.announcement_rows import (
    OWN_SET,
    TIME_FIELDS,
    chosen_set,
    is_row,
    points_of,
    stages_of,
    time_of,
)
from services.pairing.announcement.announcement_steps import AT, CHANGE, SET, with_set
from services.pairing.announcement.regulation_fields import FILE
from services.pairing.rules.announcement.played_game import check_game
from shared import regulations
from shared.core.language.messages import say
from shared.core.rulebook.regulations import Regulations, Value
from shared.core.terms import OFFICES, Actor
from shared.http.common_problems import bad_fields
from shared.regulations.changeable import Changeable, changeable_in, value_at

USUAL_SET = "campus"
_PLAIN = ("name", "game", "format", "regulations", "place", "begins", "ends", "time_zone", "id")
_NUMBERS = ("groups", "qualifiers", "games", "extra")
_SWITCHES = ("carried", "best", "places")
RESULTS_ONLY = "results_only"
OTHER_GAME = "other_game"
"""The field for the typed name of a game that the chosen ruleset does not have."""
LISTS = ("tiebreak", "official", "role", "person")
_OTHERS = (
    "rounds",
    RESULTS_ONLY,
    OTHER_GAME,
    "time",
    *TIME_FIELDS,
    "team",
    "boards",
    "substitutes",
    "once",
    "seq",
    "send",
    FILE,
    SET,
    AT,
    "own_name",
    "unlisted",
)


def body_of(form: MultiDict[str, str], own: str = "", actor: Actor | None = None) -> dict[str, Any]:
    """Return the API's body for a form of an ``actor``, with the text of an ``own`` ruleset. Empty fields are omitted.

    Raises `Problem` 422 for an unknown field.
    """
    known = {*_PLAIN, *_NUMBERS, *_SWITCHES, *LISTS, *_OTHERS}
    strange = [name for name in form if name not in known and not name.startswith(CHANGE) and not is_row(name)]
    if strange:
        raise bad_fields({strange[0][:80]: [say("Unknown field.")]})
    said = with_set({name: text.strip() for name, text in form.items() if text.strip()})
    body: dict[str, Any] = {name: said[name] for name in _PLAIN if name in said}
    if OTHER_GAME in said:
        body["game"] = said[OTHER_GAME]
    if RESULTS_ONLY in said:
        body[RESULTS_ONLY] = True
    if "unlisted" in said:
        body["unlisted"] = True
    if "rounds" in said:
        body["rounds"] = _number(said, "rounds")
    body["tiebreaks"] = [code.strip() for code in form.getlist("tiebreak") if code.strip()]
    body["officials"] = _officials(form)
    if actor is not None and "own_name" in said and actor.role in OFFICES:
        body["officials"].insert(0, {"name": actor.name, "role": actor.role, "person": said["own_name"]})
    conditions = _conditions(said)
    if conditions:
        body["conditions"] = conditions
    stages, points = stages_of(said), points_of(said)
    body |= ({"stages": stages} if stages else {}) | ({"points": points} if points else {})
    if own.strip():
        body[FILE] = own
    if body.get("regulations") == OWN_SET:
        del body["regulations"]
    if said.get("regulations") in (*regulations.names(), OWN_SET):
        chosen = chosen_set(said["regulations"], own, USUAL_SET)
        if SET in form:
            body.setdefault("game", next(iter(chosen.game.rules)))
        _belongs(chosen, body)
        body["changes"] = _changes(said, chosen) | _chosen_members(form, chosen)
    return body


def _officials(form: MultiDict[str, str]) -> list[dict[str, Any]]:
    names, roles, persons = (form.getlist(name) for name in ("official", "role", "person"))
    rows = zip(names, roles, [*persons, *[""] * len(names)], strict=False)
    return [
        {"name": name.strip(), "role": role} | ({"person": person.strip()} if person.strip() else {})
        for name, role, person in rows
        if name.strip() or person.strip()
    ]


def _conditions(said: Mapping[str, str]) -> dict[str, Any]:
    conditions: dict[str, Any] = {name: _number(said, name) for name in _NUMBERS if name in said}
    conditions |= {name: True for name in _SWITCHES if name in said}
    if "team" in said:
        team = {name: _number(said, name) for name in ("boards", "substitutes") if name in said}
        conditions["team"] = {"kind": said["team"], **team}
    if said.get("time") == "own":
        conditions["time"] = time_of(said, _number)
    elif "time" in said:
        conditions["time"] = said["time"]
    return conditions


def _number(said: Mapping[str, str], name: str) -> int:
    text = said.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise bad_fields({name: [say("a whole number is expected")]})
    return int(text)


def _belongs(chosen: Regulations, body: Mapping[str, Any]) -> None:
    """Raise `Problem` 422 if the chosen ruleset does not have the game, as after a change of the ruleset."""
    game = body.get("game")
    refusal = None if game is None or body.get(RESULTS_ONLY) else check_game(game, chosen)
    if refusal is not None:
        raise bad_fields({"game": [refusal.detail]})


def _changes(said: Mapping[str, str], named: Regulations) -> dict[str, Value | list[str]]:
    """Return the chosen values that replace those of the ruleset, as the API accepts them."""
    rows = {row.path: row for row in changeable_in(named)}
    changes: dict[str, Value | list[str]] = {}
    for name, text in said.items():
        path = name.removeprefix(CHANGE)
        if path == name:
            continue
        if path not in rows:
            raise bad_fields(
                {path[:80]: [say("the ruleset {set} has no changeable value at this path", set=named.name)]}
            )
        if rows[path].members:
            continue
        value = _number(said, name) if rows[path].least is not None else _chosen(rows[path], name, text)
        if value != value_at(named, path):
            changes[path] = list(value) if isinstance(value, tuple) else value
    return changes


def _chosen_members(form: MultiDict[str, str], named: Regulations) -> dict[str, Value | list[str]]:
    """Return the lists of ticked words that replace those of the ruleset. A form sends an empty word with its boxes."""
    changes: dict[str, Value | list[str]] = {}
    for row in changeable_in(named):
        sent = form.getlist(f"{CHANGE}{row.path}")
        ticked = tuple(one for one in row.members if one in sent)
        if row.members and sent and ticked != value_at(named, row.path):
            changes[row.path] = list(ticked)
    return changes


def _chosen(row: Changeable, name: str, text: str) -> Value:
    if not (text.isascii() and text.isdigit() and int(text) < len(row.values)):
        raise bad_fields({name: [say("must be one of the offered choices")]})
    return row.values[int(text)]
