"""Imports over HTTP: a report file is sent, checked, and played into a tournament by a job."""

from collections.abc import Sequence
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, request
from marshmallow import Schema, fields, validate

from services.pairing.imports.import_jobs import Caller, ImportJobs, ImportReport, ImportState, SentReport
from shared.core.language.charset import ENCODINGS
from shared.core.language.messages import say
from shared.core.language.single_line import single_line
from shared.core.readings.authority import MAY_IMPORT
from shared.http.answers import Answer, said
from shared.http.language.language import language, words
from shared.http.operations import Operation
from shared.http.problems import Problem, no_token
from shared.http.reads.tournament_query import query
from shared.http.requests import auth
from shared.http.requests.bodies import content
from shared.http.requests.preconditions import idempotency_key

BYTES = "application/octet-stream"
CHECK = 500
"""Cost of the check of a file, about that of half a megabyte."""
LONGEST_NAME = 200


class ImportQuery(Schema):
    """How the file is taken; the tournament's ``id`` follows from ``name`` if it is omitted."""

    name = fields.String(
        load_default="report.trf",
        validate=validate.Length(1, LONGEST_NAME),
        metadata={"description": "name of the file, as messages call it"},
    )
    id = fields.String(
        load_default=None,
        validate=validate.Regexp(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z"),
        metadata={"description": "ID of the new tournament (default: made from the name)"},
    )
    encoding = fields.String(
        load_default=None,
        validate=validate.OneOf(tuple(ENCODINGS)),
        metadata={"description": "encoding of a file whose bytes do not show it"},
    )
    tiebreaks = fields.String(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={"description": "tie-breaks after points, in this order (default: the file's): `BH/C1,BH`"},
    )


class ImportAnswer(Answer):
    """An import: its state, what is done of it, the remarks on the file, and why it ended early."""

    id: str
    tournament: str
    file: str
    state: ImportState
    players: Annotated[int, said(minimum=0, description="players of the file")]
    rounds: Annotated[int, said(minimum=0, description="rounds of the file")]
    rounds_done: Annotated[int, said(minimum=0, description="rounds that are written completely")]
    step: Annotated[str, said(description="the last call: `announce`, `entries 1 0`, `round 3`, `results 3`")]
    remarks: Annotated[Sequence[str], said(description="in the language of the request; later answers add to the end")]
    problem: Annotated[str | None, said(description="why the import ended early; what was written before stays")]
    see: Annotated[str, said(format="uri-reference", description="the tournament")]


def imports(bp: Blueprint, jobs: ImportJobs) -> None:
    """An import started, and how far it is."""

    @bp.post("/v1/imports")
    @Operation(
        "Import a report file (TRF) as a new tournament",
        name="importReportFile",
        query=ImportQuery,
        files=(BYTES,),
        answer=ImportAnswer,
        status=202,
        makes="/v1/imports/{id}",
        tagged=False,
        cost=CHECK,
    )
    def start() -> Response:
        caller = caller_now()
        if request.mimetype != BYTES:
            how = say("send the file as Content-Type: {media}", media=BYTES)
            raise Problem(415, "file-expected", say("A file is expected"), how)
        options = query()
        sent = SentReport(
            content(), single_line(options["name"]), options["id"], options["encoding"], options["tiebreaks"]
        )
        report = jobs.start(caller, sent, idempotency_key(request, caller.actor))
        response = _answer(report)
        response.status_code = 202
        response.headers["Location"] = f"/v1/imports/{report.id}"
        return response

    @bp.get("/v1/imports/<i>")
    @Operation("How far an import is", name="getImport", answer=ImportAnswer, tagged=False, errors=(401,))
    def look(i: str) -> Response:
        return _answer(report_of(jobs, i))


def caller_now() -> Caller:
    """Return the identity of this request. Raises `Problem` 401 without one, 403 if it may not import."""
    actor = auth.require(None, MAY_IMPORT)
    token = auth.token_of_request()
    if token is None:
        raise no_token()
    return Caller(actor, token, language())


def report_of(jobs: ImportJobs, id: str) -> ImportReport:
    """Return an import of this request's identity. Raises `Problem` 401 without one, 404 for what is not an import of it."""
    report = jobs.report(auth.require(None), id)
    if report is None:
        why = say("no import {id} of yours is known here since this server started: send the file again", id=id[:40])
        raise Problem(404, "unknown-import", say("No such import"), why)
    return report


def _answer(report: ImportReport) -> Response:
    told: dict[str, Any] = {
        name: getattr(report, name) for name in ImportReport.__slots__ if name not in ("remarks", "problem")
    }
    told["remarks"] = [words(one) for one in report.remarks]
    told["problem"] = None if report.problem is None else words(report.problem)
    response = jsonify(told | {"see": f"/v1/tournaments/{report.tournament}"})
    response.headers["Cache-Control"] = "no-store"
    return response
