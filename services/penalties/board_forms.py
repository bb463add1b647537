"""The forms of a board that penalties decides: who came late or not at all, who left it, and a game that cannot go on."""

from typing import Any

from flask import Blueprint, Response, request

from services.penalties.form_schemas import ArrivalForm, BreakForm, DecisionForm
from services.penalties.readers import SIDES
from services.penalties.rulebook_words import article_words, infraction_words
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
from shared.web.result_words import result_words


def boards(bp: Blueprint, desk: Desk) -> None:
    """Arrivals, breaks, and decisions on games that nobody is accused for."""

    @bp.route(f"{BOARD}/arrival", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def arrival_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        noted = {side: _noted(board, side, "seat") or _noted(board, side, "hall") for side in SIDES}

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.NoteArrival | co.CorrectArrival:
            side, place = fields["side"], fields["place"]
            late = None if fields["came"] == "absent" else _seconds(fields)
            turn = None if fields["turn"] is None else Seconds(fields["turn"] * 60)
            former = _noted(board, side, place)
            if former is None:
                return co.NoteArrival(
                    actor, board.game.player(side), late, game=board.game.game, place=place, turn=turn
                )
            reason = texts.ref(fields.get("reason"))
            if reason is None:
                raise Problem(
                    422,
                    "reason-missing",
                    say("An arrival stands already"),
                    say("say why {arrival} is corrected", arrival=former.arrival),
                )
            return co.CorrectArrival(actor, former.arrival, late, reason, place, turn)

        by_turn = board.t.regulations.rulebook.lateness.counted_from == "turn"
        return _form(desk, board, "arrival.html", noted=noted, by_turn=by_turn).respond(ArrivalForm, make)

    @bp.route(f"{BOARD}/break", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def break_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        game = board.game.game

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.NoteBreak | co.CorrectBreak:
            corrects, seconds = fields.get("corrects"), _seconds(fields)
            if corrects is None:
                return co.NoteBreak(actor, game, seconds, side=fields["side"])
            reason = texts.ref(fields["reason"])
            assert reason is not None, "the schema asks for one"
            return co.CorrectBreak(actor, game, corrects, None if "none" in fields else seconds, reason)

        taken = [one for side in SIDES for one in board.t.breaks_of(game, board.game.player(side))]
        return _form(desk, board, "break.html", taken=taken).respond(BreakForm, make)

    @bp.route(f"{BOARD}/decision", methods=METHODS)
    @Operation(form=True)
    @FORMS.with_problem_page
    def decision_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.DecideGame:
            marks = NOTATION[fields["result"]]
            return co.DecideGame(actor, board.game.game, fields["infraction"], *marks, texts.ref(fields["reason"]))

        rows = decisive_infractions(board.t)
        results = [result_words(one) for one in NOTATION if any(one in row.results for row in rows)]
        shown = [
            {"name": row.name, "words": infraction_words(row), "article": article_words(row.article)} for row in rows
        ]
        return _form(desk, board, "decision.html", rows=shown, results=results).respond(DecisionForm, make)


def _seconds(fields: dict[str, Any]) -> Seconds:
    """A time that was typed in minutes and seconds."""
    return Seconds((fields["minutes"] or 0) * 60 + (fields["seconds"] or 0))


def _noted(board: BoardSeen, side: Any, place: Place) -> Arrival | None:
    return board.t.arrival_of(board.game.game, board.game.player(side), place)


def _form(desk: Desk, board: BoardSeen, template: str, **context: Any) -> Form:
    return board_form(desk, PENALTIES, board, template, side=request.args.get("side", ""), **context)
