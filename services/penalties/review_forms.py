"""The forms by which rulings are looked at again: retracted, appealed against, annulled; appeals decided, crossings noted."""

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema

from services.penalties.form_schemas import AppealDecisionForm, AppealForm, NoteForm, ReasonForm
from services.penalties.rules import commands as co
from services.penalties.rules.annulments import base_ruling
from services.penalties.rules.parties import concerned_players
from shared.core.concern import Concern, concern
from shared.core.entities import Ruling
from shared.core.messages import say
from shared.core.terms import PENALTIES, Actor, PlayerId, RulingId, Seq
from shared.core.tournament import Tournament
from shared.desk.desk import Desk, View
from shared.http import tournament_query
from shared.http.operations import Operation
from shared.http.problems import Problem, unknown_tournament
from shared.log.texts import Texts
from shared.web.board_seen import names_of
from shared.web.form import FORMS, METHODS, Form
from shared.web.page import link
from shared.web.site import back_to_round


def reviews(bp: Blueprint, desk: Desk) -> None:
    """What becomes of rulings."""

    def of_ruling(t: str, r: str, template: str, schema: type[Schema], take: Callable[..., Any]) -> Response:
        view, state = _seen(desk, t)
        if r not in state.rulings and r not in state.annulments:
            raise Problem(
                404, "unknown-ruling", say("No such ruling"), say("{t} has no ruling {ruling}", t=t, ruling=r)
            )
        id = RulingId(r)
        ruling = base_ruling(state, id)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> Any:
            return take(actor, id, texts, fields)

        players = concerned_players(state, id)
        context = {"id": id, "ruling": ruling, "players": names_of(desk, state, players), "concerned": players}
        about = _of(ruling) | concern(players=players)
        return Form(desk, PENALTIES, view, template, about, _back(state, ruling), context).respond(schema, make)

    @bp.route("/t/<t>/rulings/<r>/retraction", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def retraction_form(t: str, r: str) -> Response:
        return of_ruling(t, r, "retraction.html", ReasonForm, _retract)

    @bp.route("/t/<t>/rulings/<r>/annulment", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def annulment_form(t: str, r: str) -> Response:
        return of_ruling(t, r, "annulment.html", ReasonForm, _annul)

    @bp.route("/t/<t>/rulings/<r>/appeal", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def appeal_form(t: str, r: str) -> Response:
        def lodge(actor: Actor, id: RulingId, texts: Texts, fields: dict[str, Any]) -> co.LodgeAppeal:
            return co.LodgeAppeal(actor, id, PlayerId(fields["by"]), texts.ref(fields["grounds"]), desk.now())

        return of_ruling(t, r, "appeal.html", AppealForm, lodge)

    @bp.route("/t/<t>/appeals/<a>/decision", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def appeal_decision_form(t: str, a: str) -> Response:
        view, state = _seen(desk, t)
        appeal = state.appeals.get(a)
        if appeal is None:
            raise Problem(
                404, "unknown-appeal", say("No such appeal"), say("{t} has no appeal {appeal}", t=t, appeal=a)
            )
        ruling = base_ruling(state, appeal.event.ruling)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.DecideAppeal:
            return co.DecideAppeal(actor, a, fields["upheld"] == "yes", None, texts.ref(fields["grounds"]))

        about = _of(ruling) | concern(players=[appeal.event.by])
        context = {"id": a, "ruling": ruling, "players": names_of(desk, state, [appeal.event.by]), "appeal": appeal}
        form = Form(desk, PENALTIES, view, "appeal_decision.html", about, _back(state, ruling), context)
        return form.respond(AppealDecisionForm, make)

    @bp.route("/t/<t>/crossings/<int:seq>", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def crossing_form(t: str, seq: int) -> Response:
        view, _ = _seen(desk, t)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.NoteCrossing:
            return co.NoteCrossing(actor, Seq(seq), texts.ref(fields["note"]))

        def back(after: int | None) -> str:
            return link("tournament_page", t=t, at=None, without=None, after=after)

        form = Form(desk, PENALTIES, view, "crossing.html", Concern(), back, {"crossing": seq})
        return form.respond(NoteForm, make)


def _retract(actor: Actor, id: RulingId, texts: Texts, fields: dict[str, Any]) -> co.RetractRuling:
    return co.RetractRuling(actor, id, texts.ref(fields["reason"]))


def _annul(actor: Actor, id: RulingId, texts: Texts, fields: dict[str, Any]) -> co.AnnulRuling:
    return co.AnnulRuling(actor, id, texts.ref(fields["reason"]), None)


def _seen(desk: Desk, t: str) -> tuple[View, Tournament]:
    view = tournament_query.view_at(desk, t)
    if not isinstance(view.tournament, Tournament):
        raise unknown_tournament(t)
    return view, view.tournament


def _of(ruling: Ruling) -> Concern:
    event = ruling.event
    return concern([] if event.game is None else [event.game], [] if event.player is None else [event.player])


def _back(t: Tournament, ruling: Ruling) -> Callable[[int | None], str]:
    game = None if ruling.event.game is None else t.games.get(ruling.event.game)
    return back_to_round(t.id, ruling.event.round, None if game is None else game.board)
