"""The form of requested byes: those that are granted, and a bye for one or several players."""

import re
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.pairing.entries.player_forms import BYES_ASKED
from services.pairing.layout import LAYOUT
from services.pairing.rounds.hand_forms import player_sides
from services.pairing.rounds.pairing_draft import Sides
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.withdrawals import grants_half_points
from shared.core.language.messages import Message
from shared.core.readings.concern import concern
from shared.core.readings.vocabulary import BYES
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.terms import Actor, PlayerId
from shared.desk.desk import Desk
from shared.http.common_problems import bad_fields
from shared.http.operations import TABLE
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.particulars import names_of, units_of

_LONGEST = 20_000
_BETWEEN = re.compile(r"[\n,;，；、]+|(?<=[0-9])\s+(?=[0-9])")
"""The separator of two players: a line, a comma, or the gap between two numbers."""


class ByesForm(Schema):
    """``players``: numbers or names of players, one per line or separated by commas."""

    players = fields.String(required=True, validate=validate.Length(1, _LONGEST))
    round = fields.Integer(required=True, validate=validate.Range(1, 100))
    kind = fields.String(required=True, validate=validate.OneOf(BYES_ASKED))


def players_in(text: str, sides: Sides) -> tuple[tuple[PlayerId, ...], list[Message]]:
    """Return the players of a typed list, each once, and an error for each name or number that is not a player."""
    found = [sides.found(one) for one in _BETWEEN.split(text) if one.strip()]
    players = dict.fromkeys(PlayerId(one) for one in found if isinstance(one, int))
    return tuple(players), [one for one in found if isinstance(one, Message)]


def byes(bp: Blueprint, desk: Desk) -> None:
    """Register the form that grants requested byes."""

    @LAYOUT.serves(bp, "/t/<t>/byes", form=True, cost=TABLE)
    def byes_form(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state = view.tournament
        players, faults = players_in(request.form.get("players", "")[:_LONGEST], player_sides(desk, state))

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.GrantByes:
            if faults:
                raise bad_fields({"players": faults})
            return co.GrantByes(actor, players, typed["round"], typed["kind"])

        def context() -> dict[str, Any]:
            granted = sorted((round, player) for player, round in state.byes)
            return {
                "granted": [(round, player, BYES[state.byes[player, round].kind]) for round, player in granted],
                "kinds": BYES_ASKED if grants_half_points(state) else ("Z",),
                "words": BYES,
                "rounds": range(state.rounds_paired() + 1, state.announced.rounds + 1),
                "byes_there": FORMATS[stage_now(state).format].paired_freely,
                "names": names_of(desk, state, state.players),
                "units": units_of(desk, state, state.players),
            }

        permit, back = RULES.permit(co.GrantByes), back_to("byes_form", "office_page", t=t)
        about = concern(players=players)
        return Form(desk, LAYOUT, permit, view, "byes.html", about, back, context).respond(ByesForm, make)
