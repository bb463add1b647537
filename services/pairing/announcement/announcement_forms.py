"""The form that creates a tournament, with the fields of the API's body."""

import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from services.pairing.announcement import announcement_requests
from services.pairing.announcement.announcement_rows import (
    OWN_SET,
    PERIODS,
    POINTS,
    TIME_FIELDS,
    chosen_set,
    is_row,
    own_text,
    points_of,
    rows_shown,
    stages_of,
    time_of,
)
from services.pairing.announcement.announcement_schemas import TEAM_KINDS, tournament_schema
from services.pairing.announcement.regulation_fields import FILE, STAGE_FORMATS
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.layout import LAYOUT
from services.pairing.rules.announcement.played_game import check_game
from shared import regulations
from shared.core.language.messages import Message, say
from shared.core.readings.authority import ACTS, ANNOUNCE
from shared.core.readings.vocabulary import GAMES
from shared.core.readings.vocabulary import TEAM_KINDS as TEAM_WORDS
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.regulations import Regulations, Value
from shared.core.terms import OFFICES, PAIRING
from shared.core.trust.checkpoint_origin import origin
from shared.desk.desk import Desk, Request
from shared.http.commands.command_pipeline import submitted
from shared.http.common_problems import bad_fields
from shared.http.language.language import zone_of_hall
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.http.requests.request_parts import key_name, load
from shared.log.texts import Texts
from shared.regulations.changeable import Changeable, changeable_in, value_at
from shared.regulations.set_names import set_name
from shared.regulations.value_names import value_names
from shared.web.form import once_of, refused, typed_now
from shared.web.page import leads_to, link
from shared.web.problem_words import sentences_of
from shared.web.value_words import value_name, value_words

USUAL_SET = "campus"
MOST_TIEBREAKS = 8
OFFICIALS_ASKED = 4
CHANGE = "change:"
SHOW = "no"
"""The value of buttons that show the form again, with another ruleset or more rows, and create nothing."""
_PLAIN = ("name", "game", "format", "regulations", "place", "begins", "ends", "time_zone", "id")
_NUMBERS = ("groups", "qualifiers", "games", "extra")
_SWITCHES = ("carried", "best", "places")
RESULTS_ONLY = "results_only"
OTHER_GAME = "other_game"
"""The field for the typed name of a game that the chosen ruleset does not have."""
_LISTS = ("tiebreak", "official", "role", "person")
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
)


def announcements(bp: Blueprint, desk: Desk, tiebreaks: TieBreakCodes, house: str) -> None:
    """Register the form that creates a tournament, with the fields of the API's body, under the operator's name."""
    schema = tournament_schema(tiebreaks)

    @LAYOUT.serves(bp, "/tournaments/new", form=True)
    def announcement_form() -> Response:
        if request.method != "POST" or request.form.get("send") == SHOW:
            return _shown(tiebreaks)
        try:
            actor = auth.require(None, ACTS[ANNOUNCE].roles)
            once = once_of(request.form)
            body = body_of(request.form, own_text())
            t = str(body.setdefault("id", _id_for(actor.name, once)))
            sent = load(schema, body)
            texts = Texts(t)
            command = announcement_requests.announcement(actor, sent, texts, origin(t, house), desk.keys)
            digest = desk.keys.keyed_digest(PAIRING, msgspec.json.encode(body, order="sorted"))
            key = key_name(request, actor, once)
            receipt = submitted(desk, PAIRING, t, command, Request(key=key, body=digest, texts=tuple(texts.all)))
        except Problem as problem:
            return refused(problem, lambda why: _shown(tiebreaks, why))
        address = link("entries_form", t=t, at=None, without=None)
        return leads_to(address if receipt.seq is None else f"{address}?after={receipt.seq}")


def _id_for(name: str, once: str) -> str:
    """Return the ID of a tournament if none was chosen. It is the same for a form that is sent twice."""
    return "t" + sha256(f"{name}\x00{once}".encode()).hexdigest()[:11]


def body_of(form: MultiDict[str, str], own: str = "") -> dict[str, Any]:
    """Return the API's body for a form, with the text of an ``own`` ruleset. Empty fields are omitted.

    Raises `Problem` 422 for an unknown field.
    """
    known = {*_PLAIN, *_NUMBERS, *_SWITCHES, *_LISTS, *_OTHERS}
    strange = [name for name in form if name not in known and not name.startswith(CHANGE) and not is_row(name)]
    if strange:
        raise bad_fields({strange[0][:80]: [say("Unknown field.")]})
    said = {name: text.strip() for name, text in form.items() if text.strip()}
    body: dict[str, Any] = {name: said[name] for name in _PLAIN if name in said}
    if OTHER_GAME in said:
        body["game"] = said[OTHER_GAME]
    if RESULTS_ONLY in said:
        body[RESULTS_ONLY] = True
    if "rounds" in said:
        body["rounds"] = _number(said, "rounds")
    body["tiebreaks"] = [code.strip() for code in form.getlist("tiebreak") if code.strip()]
    body["officials"] = _officials(form)
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
        _belongs(chosen, body)
        body["changes"] = _changes(said, chosen)
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
        value = _number(said, name) if rows[path].least is not None else _chosen(rows[path], name, text)
        if value != value_at(named, path):
            changes[path] = list(value) if isinstance(value, tuple) else value
    return changes


def _chosen(row: Changeable, name: str, text: str) -> Value:
    if not (text.isascii() and text.isdigit() and int(text) < len(row.values)):
        raise bad_fields({name: [say("must be one of the offered choices")]})
    return row.values[int(text)]


def _shown(tiebreaks: TieBreakCodes, problem: Problem | None = None) -> Response:
    source = request.form if request.method == "POST" else request.args
    typed = typed_now()
    typed[FILE] = _own_text_shown()
    one = chosen_set(typed["regulations"], typed[FILE], USUAL_SET)
    game = typed["game"] if typed["game"] in one.game.rules else next(iter(one.game.rules))
    anew = problem is None or request.method != "POST"
    response = LAYOUT.page(
        "announcement.html",
        200 if problem is None else problem.status,
        t=None,
        problem=problem,
        errors=_flat(problem),
        later=(),
        typed=typed,
        own_set=OWN_SET,
        points=[(name, words, f"{getattr(one.points, name) / 2:g}") for name, words in POINTS.items()],
        stage_rows=rows_shown(typed),
        stage_formats=STAGE_FORMATS,
        lists={name: source.getlist(name) for name in _LISTS},
        once=secrets.token_urlsafe(16) if anew else typed["once"][:64],
        sets=[(name, set_name(regulations.load(name))) for name in regulations.names()],
        chosen=one,
        chosen_set=one,
        game=game,
        games={name: GAMES.get(name, name) for name in one.game.rules},
        formats=list(FORMATS),
        schemes=[scheme for scheme in one.game.schemes if scheme.game in one.game.rules],
        time_rows=PERIODS,
        usual_time=one.game.time(game),
        offered_tiebreaks=tiebreaks.offered(),
        usual_tiebreaks=[tiebreaks.title(code) for code in one.ranking.tiebreaks],
        most_tiebreaks=MOST_TIEBREAKS,
        offices=OFFICES,
        officials_asked=max(OFFICIALS_ASKED, len(source.getlist("official"))),
        team_kinds=[(kind, TEAM_WORDS[kind]) for kind in TEAM_KINDS],
        changeable=[(row, value_at(one, row.path)) for row in changeable_in(one)],
        value_name=value_name,
        value_words=value_words,
        changed_value=_changed_value,
        zone=str(zone_of_hall()),
        may=auth.may_announce(),
    )
    if problem is not None:
        response.headers["Cache-Control"] = "no-store"
    return response


def _changed_value(field: str) -> Message:
    """Return the label of a field with an error, or the path as sent if it is unknown."""
    path = field.removeprefix(CHANGE).removeprefix("changes.").removesuffix(".value")
    return value_name(path) if path in value_names() else say("{name}", name=field)


def _own_text_shown() -> str:
    """Return the text of an own ruleset to be shown again. It is empty for a file that is not text."""
    try:
        return own_text()
    except Problem:
        return ""


def _flat(problem: Problem | None) -> dict[str, list[str]]:
    """Return the errors by the path of the field."""
    flat: dict[str, list[str]] = {}

    def walk(errors: Any, path: str) -> None:
        if isinstance(errors, dict):
            for name, told in errors.items():
                walk(told, f"{path}.{name}" if path else str(name))
        else:
            flat[path] = list(sentences_of(errors))

    walk(problem.extra.get("errors") or {} if problem is not None else {}, "")
    return flat
