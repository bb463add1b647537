"""The archive of an event over HTTP."""

import msgspec
from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.files.archive.zip_file import Given
from services.standings.files.archives import Archives
from shared.audit.checkpoints.note import BadCheckpoint, SignedNotes
from shared.core.readings.authority import ACTS, READ_TEXTS, permit
from shared.core.readings.particulars import particular_hashes
from shared.core.state.tournament import TournamentState
from shared.core.terms import Actor
from shared.desk.desk import SOFTWARE, Desk, View
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.signer_port import NotSigned
from shared.desk.views import stream_of
from shared.http.operations import AUDIT, Operation, quoted
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.trf.kept_records import kept_hashes

ZIP = "application/zip"


def archives(bp: Blueprint, desk: Desk, packer: Archives, notes: SignedNotes) -> None:
    """The archive."""

    @bp.get("/v1/tournaments/<t>/archive")
    @Operation(
        "Download the archive of a tournament",
        name="getArchive",
        description=(
            "Returns one zip file with the log, the score sheets, a checkpoint, the keys, the standings, and "
            "instructions for `arbiter verify`."
        ),
        permission="a token is optional. Names and other texts are included only for the role "
        f"{quoted(ACTS[READ_TEXTS].roles)}.",
        media=(ZIP,),
        errors=(401, 403, 503),
        cost=AUDIT,
    )
    def archive(t: str) -> Response:
        view = tournament_query.view_at(desk, t)
        reader = _reader(t)
        may = reader is not None and permit(view.state, reader, READ_TEXTS) is None
        content = packer.packed(_given(desk, packer, notes, view, may=may))
        response = Response(content, mimetype=ZIP)
        response.headers["Content-Disposition"] = f'attachment; filename="{t}.{view.seq}.zip"'
        response.headers["Cache-Control"] = "no-store" if may else "no-cache"
        response.vary.update(("Authorization", "Cookie"))
        return response


def _reader(t: str) -> Actor | None:
    """Who asks; None for a guest. Raises `Problem` 401 and 403 for a token that was sent and is not good here."""
    if "Authorization" in request.headers:
        return auth.require(t)
    who = auth.visitor_of(t)
    return None if who is None else who.actor


def _given(desk: Desk, packer: Archives, notes: SignedNotes, view: View, *, may: bool) -> Given:
    """What is at hand here; ``may``: with the texts."""
    t = view.state
    missing = []
    try:
        checkpoint = signed_checkpoint(desk, view)
    except (NotSigned, BadCheckpoint) as problem:
        checkpoint = ""
        missing.append(f"checkpoint.txt: refused by the signer ({problem})")
    cosigned = notes.cosigned(t.origin)
    if cosigned is not None and cosigned.size == view.seq:
        checkpoint, cosigned = cosigned.note, None
    lines = [row.line for row in desk.lines(stream_of(t.id), 0, view.seq)]
    return Given(
        t.id,
        lines,
        None,
        tuple(missing),
        b"".join(map(_text, desk.tournament_texts(t.id))) if may else None,
        _public(desk, t),
        checkpoint,
        cosigned.note if cosigned is not None and cosigned.size < view.seq else "",
        packer.house(),
        SOFTWARE,
    )


def _public(desk: Desk, t: TournamentState) -> dict[str, str]:
    """The texts that every table and file shows, by hash."""
    return queries.names(desk, t) | desk.called(particular_hashes(t.players.values()) | kept_hashes(t))


def _text(text: object) -> bytes:
    fields = {name: getattr(text, name) for name in ("hash", "salt", "text")}
    return msgspec.json.encode(fields) + b"\n"
