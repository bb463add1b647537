"""A tournament as a file that other programs read."""

import re
from collections.abc import Sequence

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings import queries
from services.standings.files.trf.export import EDITIONS, Edition, trf_of
from services.standings.rules.commands import KeepReportFile
from shared.core.events import KeptRecord, PersonalMember, ReportFileKept
from shared.core.language.messages import Message, message_of, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import STANDINGS
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.common_problems import bad_fields
from shared.http.operations import TABLE, Creation, Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import ReadQuery
from shared.trf.kept_records import KEPT, PLAYER, Kept, code_of, kept_hashes
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfFile
from shared.trf.reader import FIRST_ROUND, read
from shared.trf.records import is_national_rating
from shared.trf.writer import write
from shared.web.particulars import hidden_from_reader, particulars_of

NATIONAL: tuple[PersonalMember, ...] = ("name", "sex", "birth_year", "national_id")
"""Members of an entry that a national rating record states."""
MOST_RECORDS = 5000
"""Maximum number of records of a report file in one command."""


class KeptRecordSchema(Schema):
    """A record of a report file: its ``line``, and the number of player lines before it."""

    line = fields.String(required=True, validate=validate.Length(0, 2000))
    after = fields.Integer(strict=True, load_default=0, validate=validate.Range(0, 9999))


class ReportFileSchema(Schema):
    """The records of a report file in its order, except those of players (001)."""

    records = fields.List(fields.Nested(KeptRecordSchema), required=True, validate=validate.Length(1, MOST_RECORDS))


PLAIN = "text/plain"


class FileQuery(ReadQuery):
    edition = fields.String(
        load_default="16",
        validate=validate.OneOf(EDITIONS),
        metadata={
            "description": "Edition of the format: `16` (TRF16 with the extensions of JaVaFo) or `26` (TRF26). Default `16`."
        },
    )


def report_file(desk: Desk, t: Tournament, edition: Edition, sent: Sequence[Kept] = ()) -> TrfFile:
    """Return the tournament as a report file, with the stored records and those that were ``sent``."""
    texts = queries.names(desk, t) | kept_texts(desk, t)
    return trf_of(t, texts, edition, particulars_of(desk, t), sent)


def kept_texts(desk: Desk, t: TournamentState) -> dict[str, str]:
    """Return the stored records of report files by hash, without those that state what is hidden from the reader."""
    texts = desk.called(kept_hashes(t))
    if not hidden_from_reader(desk, t, NATIONAL):
        return texts
    known = frozenset(t.players)
    return {hash: text for hash, text in texts.items() if not is_national_rating(text, known)}


def files(bp: Blueprint, desk: Desk) -> None:
    """Files."""

    @bp.get("/v1/tournaments/<t>/trf")
    @Operation(
        "Export the tournament as a TRF file",
        name="getReportFile",
        description=(
            "Returns FIDE's report file with the players, pairings and results. If the tournament was "
            "imported from a TRF file, records of that file that Arbiter does not use are included unchanged. "
            "Without the token of an official, the file lacks what not everyone may see of entries, by default the FIDE "
            "ID, sex and birth year."
        ),
        query=FileQuery,
        media=(PLAIN,),
        errors=(409,),
        cost=TABLE,
    )
    def trf(t: str) -> Response:
        sent = tournament_query.query()
        view = tournament_query.view(desk, t)
        content = write(report_file(desk, view.tournament, sent["edition"]))
        response = tournament_query.tagged(view.seq, content, PLAIN)
        if response.status_code == 200:
            response.headers["Content-Disposition"] = f'inline; filename="{t}.trf"'
        return response


def report_records(sent: Submission, t: str) -> KeepReportFile:
    """Return the command that stores records. Raises `Problem` 422 if the file would be invalid with them."""
    kept = [Kept(code_of(one["line"]), one["after"], one["line"].rstrip()) for one in sent["records"]]
    _check(sent.desk, t, kept)
    records = (KeptRecord(one.code, one.after, sent.texts.ref(one.line or None)) for one in kept)
    return KeepReportFile(sent.actor, ReportFileKept(tuple(records)))


WRITES = (
    WriteRoute(
        STANDINGS,
        f"{T}/report-file",
        report_records,
        Creation(
            "Store records of an imported report file",
            name="keepReportFile",
            description=(
                "Stores records (TRF) that the server does not compute itself. Later exports contain them. The "
                "resulting file must be readable."
            ),
            body=ReportFileSchema,
        ),
    ),
)


def _check(desk: Desk, t: str, sent: list[Kept]) -> None:
    """Raise `Problem` 422 if the tournament's file would be invalid with these records."""
    view = desk.view(t)
    if view is None or not isinstance(view.state, Tournament):
        return
    for n, one in enumerate(sent):
        line = one.line or ""
        if re.search(r"[\r\n]", line) or (one.code == PLAYER and line[8:FIRST_ROUND].strip()):
            raise _bad(
                n,
                say("a record must be one line, and a player record (001) must contain only the number and the rounds"),
            )
    state = view.state
    for edition in EDITIONS:
        try:
            read(write(report_file(desk, state, edition, sent)), t)
        except TrfError as problem:
            raise _bad(problem.line - 1 if problem.file == KEPT else 0, message_of(problem)) from None


def _bad(n: int, why: Message) -> Problem:
    return bad_fields({"records": {n: {"line": [why]}}})
