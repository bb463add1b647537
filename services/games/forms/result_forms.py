"""The forms of results: one board by buttons, any board by a typed line, and the correction of a result."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, request
from marshmallow import Schema, fields, validate

from services.games.layout import LAYOUT
from services.games.reported_results import CORRECTIONS
from services.games.rules import RULES
from services.games.rules import commands as co
from services.games.rules.hall.results import EntryLine, read_entry
from shared.core.language.messages import say
from shared.core.readings.authority import Permit
from shared.core.readings.colours import colours_of
from shared.core.readings.concern import Concern
from shared.core.readings.vocabulary import key_words
from shared.core.state.outcomes import NOTATION
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, Refusal
from shared.core.values.bounds import BOARD as BOARDS
from shared.core.values.bounds import REASON
from shared.desk.desk import Desk
from shared.http.commands.previews import FormReader, Sent
from shared.http.problems import refused
from shared.http.reads import tournament_query
from shared.log.texts import Texts
from shared.web import previewed_form
from shared.web.board_seen import BOARD, SIDES, BoardSeen, board_form, board_seen
from shared.web.form import Form, back_to_round, board_address
from shared.web.result_words import results_of

REPORT = RULES.permit(co.ReportResults)
LONGEST_ENTRY = 40


class ResultForm(Schema):
    result = fields.String(required=True, validate=validate.OneOf(list(NOTATION)))


class EntryForm(Schema):
    """The typed ``entry``, and the ``board`` that was next. An entry without a board is the result of that board."""

    entry = fields.String(required=True, validate=validate.Length(1, LONGEST_ENTRY))
    board = fields.Integer(validate=validate.Range(1, BOARDS.high))


class CorrectionForm(ResultForm):
    reason = fields.String(required=True, validate=validate.Length(1, REASON.longest))


def _correction(t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Sent:
    results = [{"board": ids["b"], "result": fields["result"]}]
    return CORRECTIONS, {"t": ids["t"]}, {"round": ids["n"], "results": results, "reason": fields["reason"]}


CORRECTION = FormReader(f"{BOARD}/correction", RULES.permit(co.Correct), CorrectionForm, _correction)
"""How the form of a correction is a body for the API: read by the form itself and by its preview."""


def results(bp: Blueprint, desk: Desk) -> None:
    """Register the forms for results and for their corrections."""

    @LAYOUT.serves(bp, f"{BOARD}/result", form=True)
    def result_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.ReportResults:
            return _report(actor, n, b, fields["result"])

        return _entering(desk, board, "result.html").respond(ResultForm, make)

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>/results", form=True)
    def entry_form(t: str, n: int) -> Response:
        view = tournament_query.view_at(desk, t)
        entry = _entered()
        game = None if not isinstance(entry, EntryLine) else view.state.game_at(n, entry.board or 0)
        # In a round's table, the keys of a win mean that the left column wins, or the right one.
        colours = colours_of(view.state)
        keys = {side: key_words(colours, side) for side in SIDES}
        if game is not None and isinstance(entry, EntryLine):
            board = board_seen(desk, t, n, game.board)
            form = _entering(desk, board, "entry.html", meant=entry.notation, entry_keys=keys)
        else:
            context = {"n": n, "board": None, "entry_keys": keys}
            form = Form(desk, LAYOUT, REPORT, view, "entry.html", Concern(), back_to_round(t, n), context)

        def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> co.ReportResults:
            if isinstance(entry, Refusal):
                raise refused(entry)
            return _report(actor, n, entry.board or 0, entry.notation)

        return form.respond(EntryForm, make)

    @LAYOUT.serves(bp, CORRECTION.address, form=True)
    def correction_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        later = board.t.rounds_paired()
        ruling = board.t.ruling_on(board.game)
        context = {
            "action": request.path,
            "next_round": later if later > n else None,
            "withdrawable": later > n
            and not any(board.t.has_begun(g) for g in board.t.games_in_force() if g.round == later),
            "beneath": None if ruling is None else ruling.event.ruling,
        }
        form = _form(desk, CORRECTION.permit, board, "correction.html", **context)
        return previewed_form.respond(form, CORRECTION, {"t": t, "n": n, "b": b})


def _entering(desk: Desk, board: BoardSeen, template: str, **context: Any) -> Form:
    """Return a form that enters a result: the board after it is next."""
    back = back_to_round(board.t.id, board.game.round, board.game.board)
    return replace(_form(desk, REPORT, board, template, **context), back=back)


def _form(desk: Desk, permit: Permit, board: BoardSeen, template: str, **context: Any) -> Form:
    n, correction = board.game.round, board_address(board.t.id, board.game.round, board.game.board, "correction")
    return board_form(
        desk, LAYOUT, permit, board, template, n=n, results=results_of(board.colours), correction=correction, **context
    )


def _entered() -> EntryLine | Refusal:
    """Return the typed line, for the board that it names or for the next one, or why it is refused."""
    entry = read_entry(request.form.get("entry", ""))
    following = request.form.get("board", "")
    if isinstance(entry, Refusal) or entry.board is not None:
        return entry
    if not (following.isascii() and following.isdigit()):
        return Refusal(
            "invalid", "board-missing", say("the board is missing: type board and result, such as 12 1"), where="entry"
        )
    return entry._replace(board=int(following))


def _report(actor: Actor, round: int, board: int, notation: str) -> co.ReportResults:
    return co.ReportResults(actor, (co.Result(co.Place(round, board), *NOTATION[notation]),))
