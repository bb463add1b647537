"""The form that creates a tournament, with the fields of the API's body."""

import secrets
from hashlib import sha256
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from services.pairing.announcement import announcement_requests
from services.pairing.announcement.announcement_body import LISTS, USUAL_SET, body_of
from services.pairing.announcement.announcement_copy import copy_of
from services.pairing.announcement.announcement_rows import (
    OWN_SET,
    PERIODS,
    POINTS,
    chosen_set,
    own_text,
    rows_shown,
)
from services.pairing.announcement.announcement_schemas import TEAM_KINDS, tournament_schema
from services.pairing.announcement.announcement_steps import (
    CHANGE,
    STEP,
    carried,
    sets_by_game,
    step_shown,
    with_set,
)
from services.pairing.announcement.regulation_fields import FILE, STAGE_FORMATS
from services.pairing.announcement.tiebreak_codes import TieBreakCodes
from services.pairing.layout import LAYOUT
from shared.core.language.messages import Message, say
from shared.core.readings.authority import ACTS, ANNOUNCE
from shared.core.readings.vocabulary import GAMES
from shared.core.readings.vocabulary import TEAM_KINDS as TEAM_WORDS
from shared.core.rulebook.formats import FORMATS
from shared.core.terms import OFFICES, PAIRING
from shared.core.trust.checkpoint_origin import origin
from shared.desk.desk import Desk, Request
from shared.http.commands.command_pipeline import submitted
from shared.http.language.language import zone_of_hall
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.http.requests.request_parts import key_name, load
from shared.log.texts import Texts
from shared.regulations.changeable import changeable_in, value_at
from shared.regulations.set_names import set_name
from shared.regulations.value_names import value_names
from shared.web.form import Typed, once_of, refused
from shared.web.page import leads_to, link
from shared.web.problem_words import sentences_of
from shared.web.value_words import value_name, value_words

MOST_TIEBREAKS = 8
OFFICIALS_ASKED = 4
SHOW = "no"
"""The value of buttons that show the form again, with another ruleset or more rows, and create nothing."""


def announcements(bp: Blueprint, desk: Desk, tiebreaks: TieBreakCodes, house: str) -> None:
    """Register the form that creates a tournament, with the fields of the API's body, under the operator's name."""
    schema = tournament_schema(tiebreaks)

    @LAYOUT.serves(bp, "/tournaments/new", form=True)
    def announcement_form() -> Response:
        if request.method != "POST" or request.form.get("send") == SHOW or STEP in request.form:
            return _shown(desk, tiebreaks)
        try:
            actor = auth.require(None, ACTS[ANNOUNCE].roles)
            once = once_of(request.form)
            body = body_of(request.form, own_text(), actor)
            t = str(body.setdefault("id", _id_for(actor.name, once)))
            sent = load(schema, body)
            texts = Texts(t)
            command = announcement_requests.announcement(actor, sent, texts, origin(t, house), desk.keys)
            digest = desk.keys.keyed_digest(PAIRING, msgspec.json.encode(body, order="sorted"))
            key = key_name(request, actor, once)
            receipt = submitted(desk, PAIRING, t, command, Request(key=key, body=digest, texts=tuple(texts.all)))
        except Problem as problem:
            return refused(problem, lambda why: _shown(desk, tiebreaks, why))
        address = link("entries_form", t=t, at=None, without=None)
        return leads_to(address if receipt.seq is None else f"{address}?after={receipt.seq}")


def _id_for(name: str, once: str) -> str:
    """Return the ID of a tournament if none was chosen. It is the same for a form that is sent twice."""
    return "t" + sha256(f"{name}\x00{once}".encode()).hexdigest()[:11]


def _shown(desk: Desk, tiebreaks: TieBreakCodes, problem: Problem | None = None) -> Response:
    source: MultiDict[str, str] = request.form if request.method == "POST" else request.args
    copied = source.get("copy", "") if request.method == "GET" else ""
    if copied:
        source = copy_of(desk, copied)
    typed = Typed(with_set(dict(source.items())))
    typed[FILE] = _own_text_shown()
    one = chosen_set(typed["regulations"], typed[FILE], USUAL_SET)
    game = typed["game"] if typed["game"] in one.game.rules else next(iter(one.game.rules))
    anew = problem is None or request.method != "POST"
    errors = _flat(problem)
    step = step_shown(source, errors)
    format: Any = typed["format"] if typed["format"] in FORMATS else "swiss"
    response = LAYOUT.page(
        "announcement.html",
        200 if problem is None else problem.status,
        t=None,
        problem=problem,
        errors=errors,
        step=step,
        carried=carried(source, step, one, typed[FILE]),
        copied=copied,
        sets_by_game=sets_by_game(),
        chosen_value=OWN_SET if typed["regulations"] == OWN_SET else f"{game}/{one.name}",
        set_title=set_name(one),
        format=format,
        traits=FORMATS[format],
        all_games=GAMES,
        later=(),
        typed=typed,
        own_set=OWN_SET,
        points=[(name, words, f"{getattr(one.points, name) / 2:g}") for name, words in POINTS.items()],
        stage_rows=rows_shown(typed),
        stage_formats=STAGE_FORMATS,
        lists={name: source.getlist(name) for name in LISTS},
        chosen_members={name: values for name, values in source.lists() if name.startswith(CHANGE)},
        once=secrets.token_urlsafe(16) if anew else typed["once"][:64],
        chosen=one,
        chosen_set=one,
        game=game,
        formats=list(FORMATS),
        schemes=[scheme for scheme in one.game.schemes if scheme.game == game],
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
