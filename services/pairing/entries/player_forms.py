"""Forms about one player: withdrawal, return, a bye for a later round, and a fixed board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.pairing.layout import LAYOUT
from services.pairing.rules import RULES
from services.pairing.rules import commands as co
from services.pairing.rules.withdrawals import grants_half_points
from shared.core.events import BoardFixed, ByeGranted
from shared.core.language.messages import Message, say
from shared.core.readings.concern import concern
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, PlayerId
from shared.core.values.bounds import ENTRY
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_player
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.log.texts import Texts
from shared.web.form import Form, back_to
from shared.web.particulars import names_of

_REASON = fields.String(load_default=None, validate=validate.Length(1, 2000))
BYES_ASKED = ("H", "Z", "F")


class LeavingForm(Schema):
    reason = _REASON


class ByeForm(Schema):
    round = fields.Integer(required=True, validate=validate.Range(1, 100))
    kind = fields.String(required=True, validate=validate.OneOf(BYES_ASKED))


class BoardForm(Schema):
    """``board`` 0: the player moves again."""

    board = fields.Integer(required=True, validate=validate.Range(0, ENTRY.high))
    reason = _REASON


@dataclass(frozen=True, slots=True)
class Deed:
    """A form about a player: the last part of its address, its command, its heading, its fields, and what makes the command."""

    name: str
    command: type[Any]
    heading: Message
    schema: type[Schema]
    make: Callable[[Actor, Texts, PlayerId, dict[str, Any]], Any]


DEEDS: tuple[Deed, ...] = (
    Deed(
        "withdrawal", co.WithdrawPlayer, say("Withdraw from the tournament"), LeavingForm,
        lambda actor, texts, p, typed: co.WithdrawPlayer(actor, p, texts.ref(typed["reason"])),
    ),
    Deed(
        "return", co.ReturnPlayer, say("Return"), LeavingForm,
        lambda actor, texts, p, typed: co.ReturnPlayer(actor, p, texts.ref(typed["reason"])),
    ),
    Deed(
        "bye", co.GrantBye, say("Request a bye"), ByeForm,
        lambda actor, texts, p, typed: co.GrantBye(actor, ByeGranted(p, typed["round"], typed["kind"])),
    ),
    Deed(
        "board", co.FixBoard, say("A fixed board"), BoardForm,
        lambda actor, texts, p, typed: co.FixBoard(actor, BoardFixed(p, typed["board"], texts.ref(typed["reason"]))),
    ),
)  # fmt: skip
"""Each form there is about a player."""


def players(bp: Blueprint, desk: Desk) -> None:
    """A form for each of `DEEDS`."""
    for deed in DEEDS:
        _form_of(bp, desk, deed)


def _form_of(bp: Blueprint, desk: Desk, deed: Deed) -> None:
    @LAYOUT.serves(bp, f"/t/<t>/players/<int:p>/{deed.name}", endpoint=f"player_{deed.name}_form", form=True)
    def player_form(t: str, p: int) -> Response:
        view = tournament_query.latest(desk, t)
        state, player = view.tournament, PlayerId(p)
        entry = state.players.get(player)
        if entry is None:
            raise unknown_player(t, p)
        next_round = state.rounds_paired() + 1
        context = {
            "deed": deed,
            "player": entry,
            "name": names_of(desk, state, [player]).get(player),
            "kinds": _kinds(state),
            "rounds": [n for n in range(next_round, state.announced.rounds + 1) if (player, n) not in state.byes],
            "byes_there": FORMATS[stage_now(state).format].paired_freely,
            "board": state.fixed_boards.get(player, 0),
        }

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> Any:
            return deed.make(actor, texts, player, typed)

        permit, about = RULES.permit(deed.command), concern(players=[player])
        back = back_to("own_board_page", t=t) if auth.visits_as_player(t) else back_to("player_page", t=t, p=p)
        form = Form(desk, LAYOUT, permit, view, "player_deed.html", about, back, context)
        return form.respond(deed.schema, make)


def _kinds(t: Tournament) -> tuple[str, ...]:
    """Return the kinds of byes that the visitor may grant: a player takes half-point byes only."""
    if not grants_half_points(t):
        return ("Z",)
    return ("H",) if auth.visits_as_player(t.id) else BYES_ASKED
