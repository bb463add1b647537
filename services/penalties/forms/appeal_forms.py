"""A ruling's page for officials, and the forms for its annulment, retraction, appeal and decision."""

from datetime import datetime
from typing import Any

from flask import Blueprint, Response, request

from services.penalties.forms import form_readers
from services.penalties.layout import LAYOUT
from services.penalties.rules.rulings.annulments import base_ruling
from services.penalties.rules.rulings.parties import concerned_players
from shared.core.readings.claims import deadline
from shared.core.readings.concern import concern, concern_of
from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId
from shared.desk.desk import Desk
from shared.http.commands.previews import FormReader
from shared.http.common_problems import unknown_appeal, unknown_ruling
from shared.http.language.language import words
from shared.http.reads import tournament_query
from shared.web import previewed_form
from shared.web.attention import may_decide_appeals
from shared.web.form import Form, back_to, back_to_round
from shared.web.page import circumstances, link
from shared.web.particulars import names_of
from shared.web.ruling_record import case_history, ruling_record
from shared.web.texts import may_read_case_texts
from shared.web.value_words import effect, infraction

RULING = form_readers.RULINGS


def appeals(bp: Blueprint, desk: Desk) -> None:
    """Register the forms for annulments, retractions and appeals."""

    @LAYOUT.serves(bp, RULING)
    def ruling_page(t: str, r: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        back = _back(state, r)(None)
        return LAYOUT.page("ruling_page.html", **_context(desk, state, r), t=state, seq=view.seq, back=back)

    @LAYOUT.serves(bp, form_readers.ANNULMENT.address, form=True)
    def annulment_form(t: str, r: str) -> Response:
        return _respond(desk, t, r, "annulment.html", form_readers.ANNULMENT, {"t": t, "r": r})

    @LAYOUT.serves(bp, form_readers.RETRACTION.address, form=True)
    def retraction_form(t: str, r: str) -> Response:
        return _respond(desk, t, r, "retraction.html", form_readers.RETRACTION, {"t": t, "r": r})

    @LAYOUT.serves(bp, form_readers.APPEAL.address, form=True)
    def appeal_form(t: str, r: str) -> Response:
        return _respond(desk, t, r, "appeal.html", form_readers.APPEAL, {"t": t, "r": r})

    @LAYOUT.serves(bp, form_readers.APPEAL_DECISION.address, form=True)
    def appeal_decision_form(t: str, a: str) -> Response:
        state = tournament_query.latest(desk, t).tournament
        appeal = state.appeals.get(a)
        if appeal is None:
            raise unknown_appeal(t, a)
        return _respond(
            desk,
            t,
            appeal.event.ruling,
            "appeal_decision.html",
            form_readers.APPEAL_DECISION,
            {"t": t, "a": a},
            appeal=appeal,
        )


def _respond(
    desk: Desk, t: str, r: str, template: str, reader: FormReader, ids: dict[str, Any], **context: Any
) -> Response:
    view = tournament_query.latest(desk, t)
    state = view.tournament
    shown = _context(desk, state, r) | context | {"action": request.path}
    about = concern_of(state, base_ruling(state, RulingId(r)).event) | concern(
        players=concerned_players(state, RulingId(r))
    )
    form = Form(desk, LAYOUT, reader.permit, view, template, about, _back(state, r), shown)
    return previewed_form.respond(form, reader, ids)


def _context(desk: Desk, t: Tournament, r: str) -> dict[str, Any]:
    """Return the ruling or annulment in words, with the player concerned. Raises `Problem` 404."""
    id = RulingId(r)
    if id not in t.rulings and id not in t.annulments:
        raise unknown_ruling(t.id, r)
    base = base_ruling(t, id)
    players = concerned_players(t, id)
    until, reads = deadline(t, id), may_read_case_texts(t)
    return {
        "ruling": id,
        "made": base,
        "record": ruling_record(desk, t, id, base.event, reads_texts=reads),
        "history": case_history(desk, t, base.event.ruling, reads_texts=reads),
        "reads_texts": reads,
        "annulment": t.annulments.get(id),
        "stands": t.is_in_force(id),
        "annulled_by": t.annulments_in_force(id),
        "infraction": words(infraction(t.regulations, base.event.infraction)),
        "effect": effect(t, base.event),
        "circumstances": circumstances(base.event.ply, base.event.facts),
        "players": players,
        "names": names_of(desk, t, {*players, *((base.event.player,) if base.event.player else ())}),
        "until": None if until is None else until.isoformat(),
        "over": until is not None and datetime.fromisoformat(desk.now()) > until,
        "open_appeals": [a for a in t.appeals.values() if a.event.ruling == id and a.decision is None],
        "decides": may_decide_appeals(t),
        "page": link("ruling_page", t=t.id, r=r, at=None, without=None),
    }


def _back(t: Tournament, r: str) -> Any:
    """Back to the board that a ruling is on, or to its own page."""
    event = base_ruling(t, RulingId(r)).event if r in t.rulings or r in t.annulments else None
    game = None if event is None or event.game is None else t.games.get(event.game)
    if game is not None:
        return back_to_round(t.id, game.round)
    return back_to("tournament_page", t=t.id)
