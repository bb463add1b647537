"""The forms of a board that penalties decides: who came late or not at all, and a game that cannot go on."""

from typing import Any

from flask import Blueprint, Response, request

from services.penalties.form_schemas import ArrivalForm, DecisionForm
from services.penalties.readers import SIDES
from services.penalties.rules import commands as co
from services.penalties.rules.rulebook import decisive_infractions
from shared.core.entities import Arrival
from shared.core.messages import say
from shared.core.outcomes import NOTATION
from shared.core.terms import PENALTIES, Actor, Place, Seconds
from shared.desk.desk import Desk
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.log.texts import Texts
from shared.web.board_seen import BOARD, BoardSeen, board_form, board_seen
from shared.web.form import FORMS, METHODS, Form


def boards(bp: Blueprint, desk: Desk) -> None:
    """Arrivals, and decisions on games that nobody is accused for."""

    @bp.route(f"{BOARD}/arrival", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def arrival_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        noted = {side: _noted(board, side, "seat") or _noted(board, side, "hall") for side in SIDES}

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.NoteArrival | co.CorrectArrival:
            side, place = fields["side"], fields["place"]
            late = None if fields["came"] == "absent" else Seconds(fields["minutes"] * 60 + fields["seconds"])
            former = _noted(board, side, place)
            if former is None:
                return co.NoteArrival(actor, board.game.player(side), late, game=board.game.game, place=place)
            reason = texts.ref(fields.get("reason"))
            if reason is None:
                raise Problem(
                    422,
                    "reason-missing",
                    say("An arrival stands already"),
                    say("say why {arrival} is corrected", arrival=former.arrival),
                )
            return co.CorrectArrival(actor, former.arrival, late, reason, place)

        return _form(desk, board, "arrival.html", noted=noted).respond(ArrivalForm, make)

    @bp.route(f"{BOARD}/decision", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def decision_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.DecideGame:
            marks = NOTATION[fields["result"]]
            return co.DecideGame(actor, board.game.game, fields["infraction"], *marks, texts.ref(fields["reason"]))

        rows = decisive_infractions(board.t)
        results = [result for result in NOTATION if any(result in row.results for row in rows)]
        return _form(desk, board, "decision.html", rows=rows, results=results).respond(DecisionForm, make)


def _noted(board: BoardSeen, side: Any, place: Place) -> Arrival | None:
    return board.t.arrival_of(board.game.game, board.game.player(side), place)


def _form(desk: Desk, board: BoardSeen, template: str, **context: Any) -> Form:
    return board_form(desk, PENALTIES, board, template, side=request.args.get("side", ""), **context)
