"""Imports over HTTP: a report file is sent and checked, and a job enters it into a new tournament."""

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from flask import Blueprint, Response, request
from marshmallow import fields, validate

from services.pairing.imports.import_jobs import Caller, ImportJobs, ImportReport, ImportState, SentReport
from shared.core.language.charset import ENCODINGS
from shared.core.language.messages import say
from shared.core.language.single_line import single_line
from shared.core.readings.authority import MAY_IMPORT
from shared.http.language.language import language, words
from shared.http.operations import Operation, quoted
from shared.http.problems import Problem, no_token
from shared.http.reads.tournament_query import private_answer, query
from shared.http.requests import auth
from shared.http.requests.renamed_members import RenamedMembers, deprecated
from shared.http.requests.request_parts import content, idempotency_key
from shared.regulations import names
from shared.wire.answer import Answer, said

BYTES = "application/octet-stream"
CHECK = 500
"""Cost of checking a file, about that of one with half a megabyte."""
LONGEST_NAME = 200


class ImportQuery(RenamedMembers):
    """The options of an import. By default, the tournament's ``id`` is made from the ``name`` of the file."""

    name = fields.String(
        load_default="report.trf",
        validate=validate.Length(1, LONGEST_NAME),
        metadata={"description": "Name of the file, for messages."},
    )
    id = fields.String(
        load_default=None,
        validate=validate.Regexp(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z"),
        metadata={"description": "ID of the new tournament. Default: made from the name."},
    )
    encoding = fields.String(
        load_default=None,
        validate=validate.OneOf(tuple(ENCODINGS)),
        metadata={"description": "Encoding of the file, if its bytes do not show it."},
    )
    tiebreaks = fields.String(
        load_default=None,
        validate=validate.Length(1, 200),
        metadata={
            "description": "Comma-separated tie-break codes in order, for example `BH/C1,BH`. Default: those of the file."
        },
    )

    regulations = fields.String(
        load_default=None,
        validate=validate.OneOf(names()),
        metadata={
            "description": "Name of the ruleset. Default: as the file states, or FIDE's for the date of the file."
        },
    )
    discipline = fields.String(
        validate=validate.Length(1, 40),
        metadata={"description": "Game of the ruleset. Default: as the file states, or `chess`."},
    )
    game = fields.String(load_default=None, validate=validate.Length(1, 40), metadata=deprecated("discipline"))
    RENAMED: ClassVar[Mapping[str, str]] = {"discipline": "game"}


class ImportAnswer(Answer, kw_only=True):
    """The progress of an import."""

    file: str
    id: str
    players: Annotated[int, said(minimum=0, description="Number of players in the file.")]
    problem: Annotated[
        str | None,
        said(
            description="Why the import ended early, or null. The tournament keeps everything that was imported before."
        ),
    ]
    remarks: Annotated[
        Sequence[str],
        said(description="Remarks on the file, in the language of the request. Later responses append to the list."),
    ]
    rounds: Annotated[int, said(minimum=0, deprecated=True, description="Deprecated: use `rounds_in_file`.")]
    rounds_in_file: Annotated[int, said(minimum=0, description="Number of rounds in the file.")]
    rounds_done: Annotated[int, said(minimum=0, description="Number of rounds that are completely imported.")]
    see: Annotated[str, said(format="uri-reference", description="Address of the tournament.")]
    state: ImportState
    step: Annotated[
        str,
        said(description="Last step, for example `announce`, `entries 1 0`, `round 3`, `results 3` or `records 0`."),
    ]
    tournament: str


def imports(bp: Blueprint, jobs: ImportJobs) -> None:
    """Add the routes that start an import and return its progress."""

    @bp.post("/v1/imports")
    @Operation(
        "Import a report file as a new tournament",
        name="importReportFile",
        description=(
            "Checks a TRF file and starts a job that enters its players, pairings and results. The response is "
            "returned before the job ends. Use `getImport` to follow its progress. The operator of the server issues a "
            "token for all tournaments; an integration token is not enough."
        ),
        permission=f"the role {quoted(MAY_IMPORT)}, with a token for all tournaments.",
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
            content(), single_line(options["name"]), options["id"], options["encoding"], options["tiebreaks"],
            options["regulations"], options["game"],
        )  # fmt: skip
        report = jobs.start(caller, sent, idempotency_key(request, caller.actor))
        return private_answer(_answer(report), 202, f"/v1/imports/{report.id}")

    @bp.get("/v1/imports/<i>")
    @Operation(
        "Get the progress of an import",
        name="getImport",
        description=("Imports are known only until the server restarts."),
        permission="a token of the identity that started the import.",
        private=True,
        answer=ImportAnswer,
        tagged=False,
        errors=(401,),
    )
    def look(i: str) -> Response:
        return private_answer(_answer(report_of(jobs, i)))


def caller_now() -> Caller:
    """Return the identity of this request. Raises `Problem` 401 without one, 403 if it may not import."""
    actor = auth.require(None, MAY_IMPORT)
    token = auth.token_of_request()
    if token is None:
        raise no_token()
    return Caller(actor, token, language())


def report_of(jobs: ImportJobs, id: str) -> ImportReport:
    """Return an import that this request's identity started.

    Raises `Problem` 401 without an identity, and 404 if the import is unknown or another identity started it.
    """
    report = jobs.report(auth.require(None), id)
    if report is None:
        why = say(
            "import {id} does not exist: it is not yours, or the server was restarted; send the file again", id=id[:40]
        )
        raise Problem(404, "unknown-import", say("No such import"), why)
    return report


def _answer(report: ImportReport) -> ImportAnswer:
    own = {name: getattr(report, name) for name in ImportReport.__slots__ if name not in ("remarks", "problem")}
    remarks, problem = [*map(words, report.remarks)], None if report.problem is None else words(report.problem)
    see = f"/v1/tournaments/{report.tournament}"
    return ImportAnswer(**own, rounds_in_file=report.rounds, remarks=remarks, problem=problem, see=see)
