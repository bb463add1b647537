"""How each form of penalties is a body for the API: read by the form itself, and by whoever previews it."""

from collections.abc import Mapping
from typing import Any

from services.penalties import readers
from services.penalties.form_schemas import AppealDecisionForm, AppealForm, ReasonForm
from services.penalties.ruling_schemas import RulingForm, field_of
from shared.core.facts import FACTS
from shared.core.outcomes import NOTATION, mark_of
from shared.core.terms import Mark
from shared.core.tournament import Tournament
from shared.http.problems import unknown_board
from shared.http.readers import FormReader
from shared.web.board_seen import BOARD

Sent = tuple[dict[str, Any], dict[str, Any]]
RULINGS = "/t/<t>/rulings/<r>"


def _ruling(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    game = t.game_at(ids["n"], ids["b"])
    if game is None:
        raise unknown_board(t.id, ids["n"], ids["b"])
    body = {name: fields[name] for name in ("infraction", "player", "ply", "note") if name in fields}
    body |= {"round": ids["n"], "game": game.game}
    body["facts"] = {name: fields[field_of(name)] for name in FACTS if field_of(name) in fields}
    if "effect" in fields:
        body["effect"] = _effect(t, fields)
    return {"t": ids["t"]}, body


def _effect(t: Tournament, fields: Mapping[str, Any]) -> dict[str, Any]:
    effect = {name: fields[name] for name in ("points", "clock", "rounds") if name in fields}
    if "result" in fields:
        marks = (mark_of(t.regulations.points, share) for share in NOTATION[fields["result"]])
        effect |= dict(zip(("white", "black"), map(_mark, marks), strict=True))
    return {"kind": fields["effect"], **effect}


def _mark(mark: Mark) -> dict[str, Any]:
    return {"points": mark.points / 2, "played": mark.played}


def _appeal(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return {"t": ids["t"]}, {"ruling": ids["r"], **fields}


def _decision(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return dict(ids), {**fields, "upheld": fields["upheld"] == "yes"}


def _same(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return dict(ids), dict(fields)


RULING = FormReader(readers.RULING, f"{BOARD}/ruling", RulingForm, _ruling)
ANNULMENT = FormReader(readers.ANNULMENT, f"{RULINGS}/annulment", ReasonForm, _same)
RETRACTION = FormReader(readers.RETRACTION, f"{RULINGS}/retraction", ReasonForm, _same)
APPEAL = FormReader(readers.APPEAL, f"{RULINGS}/appeal", AppealForm, _appeal)
APPEAL_DECISION = FormReader(readers.APPEAL_DECISION, "/t/<t>/appeals/<a>/decision", AppealDecisionForm, _decision)

FORM_READERS = (RULING, ANNULMENT, RETRACTION, APPEAL, APPEAL_DECISION)
