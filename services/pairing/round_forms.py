"""The form of a round's pairing: taken back while no game of it has begun."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.pairing.rules import commands as co
from services.pairing.rules.rounds import boards_begun
from shared.core.messages import Message, say
from shared.core.terms import PAIRING, Actor
from shared.core.tournament import Tournament
from shared.desk.desk import Desk
from shared.http import tournament_query
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.log.texts import Texts
from shared.web.form import FORMS, METHODS, Form
from shared.web.site import back_to_round

LONGEST_REASON = 2_000


class WithdrawalForm(Schema):
    reason = fields.String(required=True, validate=validate.Length(1, LONGEST_REASON))


def rounds(bp: Blueprint, desk: Desk) -> None:
    """A pairing and its withdrawal."""

    @bp.route("/t/<t>/rounds/<int:n>/pairing", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def pairing_form(t: str, n: int) -> Response:
        view = tournament_query.view_at(desk, t)
        state = view.tournament
        if not isinstance(state, Tournament) or state.current(n) is None:
            raise Problem(404, "unknown-round", say("No such round"), say("round {n} has not been paired", n=n))

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.WithdrawPairing:
            return co.WithdrawPairing(actor, n, texts.ref(fields["reason"]))

        context = {"n": n, "why_not": _why_not(state, n)}
        return Form(desk, PAIRING, view, "pairing.html", None, back_to_round(t, n), context).respond(
            WithdrawalForm, make
        )


def _why_not(t: Tournament, n: int) -> Message | None:
    """Why the pairing of a round stands whatever anybody wishes; None where it can be withdrawn."""
    if n != t.rounds_paired():
        return say("Round {round} was paired on it.", round=t.rounds_paired())
    pairing = t.current(n)
    begun = [] if pairing is None else boards_begun(t, pairing.event)
    return say("Play has begun, or was ruled on, on board {boards}.", boards=tuple(begun)) if begun else None
