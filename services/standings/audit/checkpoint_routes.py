"""Proofs of a log for others: signed checkpoints, receipts, and the hash tiles of c2sp.org/tlog-tiles."""

import re
from functools import partial

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings.rules import commands as co
from shared.audit.checkpoints.note import BadCheckpoint, SignedHead, SignedNotes
from shared.audit.receipts.receipt_check import SUFFIX, receipt
from shared.core.events import CheckpointRestarted
from shared.core.language.messages import Message, message_of, say
from shared.core.terms import STANDINGS
from shared.core.trust.merkle import TILE_WIDTH
from shared.desk.desk import Desk, View
from shared.desk.log_checkpoint import read_tree, root_at, signed_checkpoint
from shared.desk.signer_port import NotSigned, history_of
from shared.desk.views import stream_of
from shared.http.addresses import T
from shared.http.commands.command_pipeline import SIGNED_SECONDS
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.common_problems import beyond_the_end
from shared.http.operations import Creation, Operation
from shared.http.problems import Problem, unavailable
from shared.http.reads import tournament_query
from shared.http.requests.request_parts import etag


class RestartSchema(Schema):
    reason = fields.String(required=True, validate=validate.Length(1, 2000))


TEXT, BYTES = "text/plain", "application/octet-stream"
ENTRY_BYTES = (1 << 16) - 1
"""Limit of bytes in an entry of a bundle. Its length is written in two bytes."""
_IMMUTABLE = "public, max-age=31536000, immutable"
_MOMENTARY = "public, max-age=2"
_INDEX = re.compile(r"((?:x[0-9]{3}/)*)([0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
_LEVEL = re.compile(r"0|[1-9][0-9]?")
_HIGHEST = 63


def checkpoints(bp: Blueprint, desk: Desk, notes: SignedNotes) -> None:
    """Register the routes of signed checkpoints and of receipts of single events."""

    @bp.get(f"{T}/checkpoint")
    @Operation(
        "Get a signed checkpoint of the log",
        name="getCheckpoint",
        description=(
            "Returns a signed note with the size and the root hash of the log (C2SP tlog-checkpoint). It contains "
            "the signatures of witnesses if they are available. If the log does not continue what was signed "
            "before, the signer refuses: 503 with `checkpoint-refused`."
        ),
        query=tournament_query.ReadQuery,
        media=(TEXT,),
    )
    def checkpoint(t: str) -> Response:
        view = tournament_query.view(desk, t)
        note, size = _newest(desk, notes, view)
        return _note(size, note)

    @bp.get(f"{T}/receipts/<int:seq>")
    @Operation(
        "Get a receipt for an event",
        name="getReceipt",
        description=(
            "Returns the event, the proof that it is in the log, and a signed checkpoint in one text file "
            "(c2sp.org/tlog-proof). It can be verified without the server."
        ),
        query=tournament_query.ReadQuery,
        media=(TEXT,),
    )
    def receipt_of(t: str, seq: int) -> Response:
        view = tournament_query.view(desk, t)
        if not 1 <= seq <= view.seq:
            raise beyond_the_end(t, view.seq)
        note, size = _covering(desk, notes, view, seq)
        line = desk.lines(stream_of(t), seq - 1, seq)[0].line
        hashes = read_tree(desk, t, lambda tree: tree.inclusion(seq - 1, size))
        response = _note(size, str(receipt(line, seq, tuple(hashes), note)))
        response.headers["Content-Disposition"] = f'attachment; filename="{t}.{seq}{SUFFIX}"'
        return response


def restart_route(notes: SignedNotes) -> WriteRoute:
    """Return the route of the way out if a log does not continue the signed ``notes``."""

    def restart(sent: Submission, t: str) -> co.RestartCheckpoints:
        head = _not_continued(sent.desk, notes, t)
        data = CheckpointRestarted(head.size, head.root.hex(), sent.required_text("reason"))
        return co.RestartCheckpoints(sent.actor, data)

    return WriteRoute(
        STANDINGS,
        f"{T}/checkpoint/restarts",
        restart,
        Creation(
            "Restart the signed checkpoints of a log",
            name="restartCheckpoint",
            description=(
                "Use it only if the log does not continue the last signed checkpoint, for example after data were "
                "lost. Checkpoints are signed again from the present log. The restart is recorded in the log "
                "permanently, and every audit lists it."
            ),
            body=RestartSchema,
        ),
    )


def _not_continued(desk: Desk, notes: SignedNotes, t: str) -> SignedHead:
    """Return the signed head that the log does not continue, or the published head if no signed one is remembered.

    Return a head of size 0 if neither exists, or if the log can be signed.
    """
    view = desk.view(t)
    nothing = SignedHead(0, b"")
    if view is None or view.state.announced is None:
        return nothing
    try:
        signed_checkpoint(desk, view)
    except NotSigned:
        published = history_of(view.state, partial(root_at, desk, t)).published_head()
        return notes.largest_head(view.state.origin) or (SignedHead(*published) if published else nothing)
    return nothing


def tiles(bp: Blueprint, desk: Desk, notes: SignedNotes) -> None:
    """Register the routes of the log as tiles. Mirrors and monitors need no other resource."""

    @bp.get(f"{T}/tlog/checkpoint")
    @Operation(
        "Get the newest checkpoint for mirrors",
        name="getTlogCheckpoint",
        description=(
            "Returns the newest signed checkpoint of the log (c2sp.org/tlog-tiles). It may be cached for 2 seconds."
        ),
        media=(TEXT,),
        errors=(503,),
    )
    def newest_checkpoint(t: str) -> Response:
        note, _ = _newest(desk, notes, tournament_query.view_at(desk, t))
        return _cached(note.encode(), TEXT, _MOMENTARY)

    @bp.get(f"{T}/tlog/tile/<level>/<path:index>")
    @Operation(
        "Get a hash tile of the log",
        name="getHashTile",
        description=(
            "Returns up to 256 hashes of one level of the Merkle tree (c2sp.org/tlog-tiles). Tiles never change "
            "and can be cached."
        ),
        media=(BYTES,),
    )
    def tile(t: str, level: str, index: str) -> Response:
        tournament_query.view_at(desk, t)
        number, width = _tile(index)
        if not _LEVEL.fullmatch(level) or int(level) > _HIGHEST:
            raise _no_tile(say("a level must be a number from 0 to {highest}", highest=_HIGHEST))
        try:
            content = read_tree(desk, t, lambda tree: tree.tile(int(level), number, width))
        except ValueError as problem:
            raise _no_tile(message_of(problem)) from None
        return _cached(content, BYTES, _IMMUTABLE)

    @bp.get(f"{T}/tlog/tile/entries/<path:index>")
    @Operation(
        "Get a bundle of events of the log",
        name="getEntryBundle",
        description=(
            "Returns up to 256 events, each after its length in two bytes (c2sp.org/tlog-tiles). Bundles never "
            "change and can be cached. An event of more than 65,535 bytes is in no bundle."
        ),
        media=(BYTES,),
    )
    def entries(t: str, index: str) -> Response:
        view = tournament_query.view_at(desk, t)
        number, width = _tile(index)
        first = number * TILE_WIDTH
        if first + width > view.seq:
            raise _no_tile(say("the log of {t} has only {seq} events", t=t, seq=view.seq))
        lines = [row.line for row in desk.lines(stream_of(t), first, first + width)]
        long = next((seq for seq, line in enumerate(lines, first + 1) if len(line) > ENTRY_BYTES), None)
        if long is not None:
            why = say(
                "event {long} is larger than {entry_bytes} bytes, the limit for one entry",
                long=long,
                entry_bytes=ENTRY_BYTES,
            )
            raise Problem(
                404,
                "entry-too-long",
                say("The bundle of these events does not exist"),
                why,
                see=f"/v1/tournaments/{t}/events",
            )
        return _cached(b"".join(len(line).to_bytes(2, "big") + line for line in lines), BYTES, _IMMUTABLE)


def _newest(desk: Desk, notes: SignedNotes, view: View) -> tuple[str, int]:
    """Return the note of a view and its size: the cosigned one if it is as large as requested and not outdated."""
    asked = tournament_query.number("at", 1)
    least = asked or tournament_query.number("after", 0) or 0
    cosigned = notes.cosigned(view.state.origin)
    if (
        cosigned is not None
        and (cosigned.size == view.seq or (asked is None and cosigned.recent))
        and (least <= cosigned.size <= view.seq)
    ):
        return cosigned.note, cosigned.size
    return _signed(desk, view), view.seq


def _covering(desk: Desk, notes: SignedNotes, view: View, seq: int) -> tuple[str, int]:
    """Return a note that covers event ``seq``. A cosigned one may have any age, since the log only grows."""
    cosigned = notes.cosigned(view.state.origin)
    if cosigned is not None and seq <= cosigned.size <= view.seq:
        return cosigned.note, cosigned.size
    return _signed(desk, view), view.seq


def _signed(desk: Desk, view: View) -> str:
    """Return the signed checkpoint of a view. Raises `Problem` 503 if the signer refuses."""
    try:
        return signed_checkpoint(desk, view)
    except (NotSigned, BadCheckpoint) as problem:
        raise unavailable("checkpoint-refused", message_of(problem), SIGNED_SECONDS) from None


def _tile(index: str) -> tuple[int, int]:
    """Return number and width of a tile by its path (``x001/x234/067``, ``000.p/17``). Raises `Problem` 404."""
    found = _INDEX.fullmatch(index)
    if found is None or index.startswith("x000/") or int(found[3] or 1) >= TILE_WIDTH or len(index) > 40:
        raise _no_tile(
            say(
                "a tile must be addressed by its number, such as x001/x234/067, and a partial tile also "
                "by .p/ and its width"
            )
        )
    return int(found[1].replace("x", "").replace("/", "") + found[2]), int(found[3] or TILE_WIDTH)


def _no_tile(why: Message) -> Problem:
    return Problem(404, "no-such-tile", say("The log does not contain this tile"), why)


def _note(size: int, text: str) -> Response:
    """Return a note of ``size`` events, always completely: it may have gained cosignatures at the same size."""
    response = _cached(text.encode(), TEXT, "no-cache")
    response.headers["ETag"] = etag(size)
    return response


def _cached(content: bytes, media: str, caching: str) -> Response:
    response = Response(content, mimetype=media)
    response.headers["Cache-Control"] = caching
    return response
