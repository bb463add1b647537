"""The forms of a board that is played: claims made and settled, a flag, a clock that is set."""

from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from services.games.layout import LAYOUT
from services.games.rules import RULES
from services.games.rules import commands as co
from services.games.rules.boards.port.position import SIDES
from services.games.rules.boards.registry import CLAIM_NAMES, variant_of
from services.games.rules.play.sheet.clocks import FAULT
from shared.core.language.messages import say, term
from shared.core.readings.authority import permit_any
from shared.core.readings.claims import ACCUSING_NOBODY, pending_claims
from shared.core.terms import Actor
from shared.core.values.bounds import DAY, MOVE, REASON
from shared.desk.desk import Desk
from shared.http.problems import Problem
from shared.log.texts import Texts
from shared.web.board_seen import BOARD, BoardSeen, board_form, board_seen

Claimed = co.DecideClaim | co.EndByAgreement | co.MakeClaim


class ClaimForm(Schema):
    """A ``pending`` claim that is upheld or not, or a new ``claim`` of a side; ``squares`` with spaces between."""

    pending = fields.String(validate=validate.Length(1, 40))
    upheld = fields.String(validate=validate.OneOf(("yes", "no")))
    note = fields.String(validate=validate.Length(1, REASON.longest))
    claim = fields.String(validate=validate.OneOf((*CLAIM_NAMES, "agreement")))
    side = fields.String(validate=validate.OneOf(SIDES))
    move = fields.String(validate=validate.Length(1, MOVE.longest))
    squares = fields.String(validate=validate.Length(1, 80))
    adjusting = fields.Boolean(load_default=False, truthy={"yes"}, falsy=set())

    @validates_schema(skip_on_field_errors=True)
    def _one_of_both(self, data: dict[str, Any], **kwargs: Any) -> None:
        wanted = "upheld" if "pending" in data else "claim"
        if wanted not in data:
            raise ValidationError([say("Missing data for required field.")], wanted)


class ClockForm(Schema):
    side = fields.String(required=True, validate=validate.OneOf(SIDES))
    minutes = fields.Integer(required=True, validate=validate.Range(0, DAY.high // 60))
    seconds = fields.Integer(load_default=0, validate=validate.Range(0, 59))
    fault = fields.Boolean(load_default=False, truthy={"yes"}, falsy=set())


def boards(bp: Blueprint, desk: Desk) -> None:
    """Claims and clocks."""

    @LAYOUT.serves(bp, f"{BOARD}/claim", form=True)
    def claim_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        variant = variant_of(board.t, board.game)
        context = {
            "pending": [one for one in pending_claims(board.t) if one.event.game == board.game.game],
            "claims": variant.claims() if variant is not None else (),
            "term": term,
        }

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> Claimed:
            return _claim(actor, texts, board, fields)

        return board_form(desk, LAYOUT, RULES.permit(co.MakeClaim), board, "claim.html", **context).respond(
            ClaimForm, make
        )

    @LAYOUT.serves(bp, f"{BOARD}/clock", form=True)
    def clock_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.TakeStep:
            values = (str(fields["minutes"] * 60 + fields["seconds"]), *([FAULT] if fields["fault"] else []))
            return co.TakeStep(actor, board.game.game, fields["side"], "set_clock", values)

        return board_form(desk, LAYOUT, permit_any("set a clock"), board, "clock.html").respond(ClockForm, make)


def _claim(actor: Actor, texts: Texts, board: BoardSeen, fields: dict[str, Any]) -> Claimed:
    """A pending claim settled, an agreement or a dead position stated, or a claim of a side."""
    game = board.game.game
    if "pending" in fields:
        return co.DecideClaim(actor, game, fields["pending"], fields["upheld"] == "yes", texts.ref(fields.get("note")))
    if fields["claim"] == "agreement":
        return co.EndByAgreement(actor, game)
    if "side" not in fields and fields["claim"] not in ACCUSING_NOBODY:
        why = say("Fields are missing or wrong")
        raise Problem(422, "bad-fields", why, errors={"side": ["Missing data for required field."]})
    squares = tuple(fields.get("squares", "").split())
    side, move = fields.get("side"), fields.get("move")
    return co.MakeClaim(actor, game, side, fields["claim"], move, squares, fields["adjusting"])
