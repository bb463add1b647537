"""The archive of an event over HTTP."""

from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.files.archive.contents import SHEETS
from services.standings.files.archive.zip_file import Given, archive_of
from services.standings.files.file_routes import kept_texts
from services.standings.files.sheet_sources import AskSheets
from shared.audit.checkpoints.note import BadCheckpoint, SignedNotes
from shared.core.language.messages import message_of, say
from shared.core.readings.authority import ACTS, READ_TEXTS, permit
from shared.core.readings.particulars import particular_hashes, without_hidden
from shared.core.state.tournament import TournamentState
from shared.core.terms import Actor
from shared.desk.computations.child_process import ChildProcess, Exhausted
from shared.desk.desk import SOFTWARE, Desk, View
from shared.desk.log_checkpoint import signed_checkpoint
from shared.desk.requests import Behind
from shared.desk.signer_port import NotSigned
from shared.desk.views import stream_of
from shared.http.limits.rate_limits import Limits, Places
from shared.http.operations import ARCHIVE, Operation, quoted
from shared.http.problems import unavailable
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.web.particulars import hidden_from_reader

_NICE = 10
"""Niceness of the child process, as for audits: pairings take precedence."""
_AT_ONCE = 4
"""Maximum number of concurrent requests that wait for an archive."""
_FULL_SECONDS, _AGAIN_SECONDS = 5, 60


class Archives:
    """The packer of a server's archives, from its verifier keys as text and from the score sheets of an event.

    The limits of an archive are ``limits.audit_seconds`` and ``limits.audit_memory``.
    """

    def __init__(self, limits: Limits, house: Callable[[], str], sheets: AskSheets) -> None:
        self.house, self._sheets = house, sheets
        self._child = ChildProcess(seconds=limits.audit_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self._places = Places(_AT_ONCE)

    def packed(self, given: Given) -> bytes:
        """Return the archive of the given data and of the tournament's score sheets.

        Raises `Problem` 503 if too many requests wait, if the archive exceeds its limits of time or memory, or if it cannot
        be made now.
        """
        full = say("as many requests as this service allows are already waiting for an archive: try again later")
        with self._places.held_beside(unavailable("archives-full", full, _FULL_SECONDS), stranger=auth.is_stranger()):
            try:
                sheets = self._sheets(given.tournament, given.lines)
                lacks = (f"{SHEETS}: {sheets.missing}",) if sheets.missing else ()
                whole = given._replace(sheets=sheets.lines, missing=(*given.missing, *lacks))
                return self._child.run(archive_of, whole)
            except Exhausted as problem:
                raise unavailable("archive-too-large", message_of(problem), _AGAIN_SECONDS) from None
            except Behind as problem:
                raise unavailable("behind", message_of(problem)) from None

    def end(self) -> None:
        """End the child without waiting for its archive."""
        self._child.end()


ZIP = "application/zip"


def archives(bp: Blueprint, desk: Desk, packer: Archives, notes: SignedNotes) -> None:
    """Add the route of the archive."""

    @bp.get("/v1/tournaments/<t>/archive")
    @Operation(
        "Download the archive of a tournament",
        name="getArchive",
        description=(
            "Returns one zip file with the log, the score sheets, a checkpoint, the keys, the standings, and "
            "instructions for `arbiter verify`. Without a token, it contains only what everyone may see of entries, and no "
            "other texts."
        ),
        permission="a token is optional. All names and texts are included only for the role "
        f"{quoted(ACTS[READ_TEXTS].roles)}.",
        media=(ZIP,),
        errors=(401, 403, 503),
        cost=ARCHIVE,
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
    """Return the reader, or None for a guest. Raises `Problem` 401 or 403 if the sent token is not valid here."""
    if "Authorization" in request.headers:
        return auth.require(t)
    who = auth.visitor_of(t)
    return None if who is None else who.actor


def _given(desk: Desk, packer: Archives, notes: SignedNotes, view: View, *, may: bool) -> Given:
    """Return the data of this server for an archive. ``may``: whether the reader may get the erasable texts."""
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
        b"".join(map(_text, desk.log.tournament_texts(t.id))) if may else None,
        _public(desk, t),
        checkpoint,
        cosigned.note if cosigned is not None and cosigned.size < view.seq else "",
        packer.house(),
        SOFTWARE,
    )


def _public(desk: Desk, t: TournamentState) -> dict[str, str]:
    """Return the texts that the reader's tables and files show, by hash."""
    hidden = hidden_from_reader(desk, t)
    seen = [without_hidden(entry, hidden) for entry in t.players.values()]
    return queries.names(desk, t) | desk.called(particular_hashes(seen)) | kept_texts(desk, t)


def _text(text: object) -> bytes:
    fields = {name: getattr(text, name) for name in ("hash", "salt", "text")}
    return msgspec.json.encode(fields) + b"\n"
