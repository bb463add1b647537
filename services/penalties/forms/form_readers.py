"""How each form of penalties is a body for the API: read by the form itself and by its preview."""

from collections.abc import Mapping
from typing import Any

from services.penalties import routes
from services.penalties.forms.form_schemas import (
    AppealDecisionForm,
    AppealForm,
    ArrivalForm,
    BreakForm,
    DecisionForm,
    ReasonForm,
)
from services.penalties.forms.ruling_schemas import RulingForm, field_of
from services.penalties.hall import hall_routes
from services.penalties.rules import RULES
from services.penalties.rules import commands as co
from shared.core.language.messages import say
from shared.core.rulebook.effects import FACTS
from shared.core.state.entities import Game
from shared.core.state.outcomes import NOTATION, mark_of, stated_mark
from shared.core.state.tournament import Tournament
from shared.http.commands.previews import FormReader, Sent
from shared.http.problems import Problem, unknown_board
from shared.web.board_seen import BOARD

RULINGS = "/t/<t>/rulings/<r>"


def _ruling(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    game = _game(t, ids)
    body = {name: fields[name] for name in ("infraction", "player", "ply", "note") if name in fields}
    body |= {"round": ids["n"], "game": game.game}
    body["facts"] = {name: fields[field_of(name)] for name in FACTS if field_of(name) in fields}
    if "effect" in fields:
        body["effect"] = _effect(t, fields)
    return routes.RULING, {"t": ids["t"]}, body


def _effect(t: Tournament, fields: Mapping[str, Any]) -> dict[str, Any]:
    effect = {name: fields[name] for name in ("points", "clock", "rounds") if name in fields}
    if "result" in fields:
        marks = (mark_of(t.regulations.points, share) for share in NOTATION[fields["result"]])
        effect |= dict(zip(("white", "black"), map(stated_mark, marks), strict=True))
    return {"kind": fields["effect"], **effect}


def _arrival(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    """An arrival, or the correction of the one that stands of the same player at the same place."""
    game = _game(t, ids)
    player, place = game.player(fields["side"]), fields["place"]
    body: dict[str, Any] = {"place": place}
    body |= {"absent": True} if fields["came"] == "absent" else {"late": _seconds(fields)}
    body |= {} if fields["turn"] is None else {"turn": fields["turn"] * 60}
    former = t.arrival_of(game.game, player, place)
    if former is None:
        return hall_routes.ARRIVAL, {"t": ids["t"]}, body | {"player": player, "round": ids["n"]}
    if "reason" not in fields:
        why = say("the correction of {arrival} requires a reason", arrival=former.arrival)
        raise Problem(422, "reason-missing", say("Arrival already recorded"), why)
    of_reader = {"t": ids["t"], "a": former.arrival}
    return hall_routes.ARRIVAL_CORRECTION, of_reader, body | {"reason": fields["reason"]}


def _break(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    """A break, or the correction of one that is in force."""
    game = _game(t, ids).game
    if "corrects" not in fields:
        return hall_routes.BREAK, {"g": game}, {"side": fields["side"], "seconds": _seconds(fields)}
    length = {"void": True} if "none" in fields else {"seconds": _seconds(fields)}
    of_reader = {"g": game, "b": fields["corrects"]}
    return hall_routes.BREAK_CORRECTION, of_reader, length | {"reason": fields["reason"]}


def _game_decision(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return routes.GAME_DECISION, {"g": _game(t, ids).game}, dict(fields)


def _game(t: Tournament, ids: Mapping[str, Any]) -> Game:
    game = t.game_at(ids["n"], ids["b"])
    if game is None:
        raise unknown_board(t.id, ids["n"], ids["b"])
    return game


def _seconds(fields: Mapping[str, Any]) -> int:
    """A time that was typed in minutes and seconds."""
    return int((fields["minutes"] or 0) * 60 + (fields["seconds"] or 0))


def _annulment(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return routes.ANNULMENT, ids, dict(fields)


def _retraction(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return routes.RETRACTION, ids, dict(fields)


def _appeal(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return routes.APPEAL, {"t": ids["t"]}, {"ruling": ids["r"], **fields}


def _appeal_decision(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    return routes.APPEAL_DECISION, ids, {**fields, "upheld": fields["upheld"] == "yes"}


RULING = FormReader(f"{BOARD}/ruling", RULES.permit(co.MakeRuling), RulingForm, _ruling)
GAME_DECISION = FormReader(f"{BOARD}/decision", RULES.permit(co.DecideGame), DecisionForm, _game_decision)
ARRIVAL = FormReader(f"{BOARD}/arrival", RULES.permit(co.NoteArrival), ArrivalForm, _arrival)
BREAK = FormReader(f"{BOARD}/break", RULES.permit(co.NoteBreak), BreakForm, _break)
ANNULMENT = FormReader(f"{RULINGS}/annulment", RULES.permit(co.AnnulRuling), ReasonForm, _annulment)
RETRACTION = FormReader(f"{RULINGS}/retraction", RULES.permit(co.RetractRuling), ReasonForm, _retraction)
APPEAL = FormReader(f"{RULINGS}/appeal", RULES.permit(co.LodgeAppeal), AppealForm, _appeal)
APPEAL_DECISION = FormReader(
    "/t/<t>/appeals/<a>/decision", RULES.permit(co.DecideAppeal), AppealDecisionForm, _appeal_decision
)

FORM_READERS = (RULING, GAME_DECISION, ARRIVAL, BREAK, ANNULMENT, RETRACTION, APPEAL, APPEAL_DECISION)
