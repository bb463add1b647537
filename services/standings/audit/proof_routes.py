"""Proofs over HTTP: of lines and of the whole log, and the texts that the log refers to."""

from base64 import b64encode
from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.queries import NDJSON
from shared.core.readings.authority import ACTS, READ_TEXTS
from shared.desk.desk import Desk
from shared.desk.log_checkpoint import read_tree
from shared.http.addresses import T
from shared.http.answers import TournamentListAnswer
from shared.http.common_problems import beyond_the_end
from shared.http.operations import WHOLE_LOG, Operation
from shared.http.reads import paging, tournament_query
from shared.http.reads.tournament_query import permitted
from shared.http.requests import auth
from shared.wire.answer import Answer


class InclusionAnswer(Answer, kw_only=True):
    """A proof that an event is in the log."""

    tournament: str
    seq: int
    index: int
    size: int
    leaf: str
    hashes: Sequence[str]
    root: str


class ConsistencyAnswer(Answer, kw_only=True):
    """A proof that the log only grew."""

    tournament: str
    old: int
    size: int
    old_root: str
    root: str
    hashes: Sequence[str]


class TextAnswer(Answer):
    """An erasable text."""

    hash: str
    salt: str
    text: str


class TextsAnswer(TournamentListAnswer):
    """The erasable texts of a tournament."""

    texts: Sequence[TextAnswer]


def _b64(hash: bytes) -> str:
    return b64encode(hash).decode()


def proofs(bp: Blueprint, desk: Desk) -> None:
    """Register the routes of proofs and of the texts that the log refers to."""

    @bp.get(f"{T}/proofs/<int:seq>")
    @Operation(
        "Prove that an event is in the log",
        name="getInclusionProof",
        description=("Returns the Merkle inclusion proof (RFC 6962) of an event. Hashes are base64."),
        query=tournament_query.ReadQuery,
        answer=InclusionAnswer,
        cost=WHOLE_LOG,
    )
    def inclusion(t: str, seq: int) -> Response:
        view = tournament_query.view(desk, t)
        if not 1 <= seq <= view.seq:
            raise beyond_the_end(t, view.seq)
        proof = read_tree(desk, t, lambda tree: tree.inclusion(seq - 1, view.seq))
        leaf = read_tree(desk, t, lambda tree: tree.levels[0][seq - 1])
        answer = InclusionAnswer(
            tournament=t,
            seq=seq,
            index=seq - 1,
            size=view.seq,
            leaf=_b64(leaf),
            hashes=[*map(_b64, proof)],
            root=_b64(view.root),
        )
        return tournament_query.answer(view, answer)

    @bp.get(f"{T}/proofs")
    @Operation(
        "Prove that the log only grew",
        name="getConsistencyProof",
        description=(
            "Returns the Merkle consistency proof (RFC 6962) between two sizes of the log. Hashes are base64."
        ),
        query=queries.RangeQuery,
        answer=ConsistencyAnswer,
        cost=WHOLE_LOG,
    )
    def consistency(t: str) -> Response:
        old, new = queries.span(desk, t)
        proof = read_tree(desk, t, lambda tree: tree.consistency(old.seq, new.seq))
        answer = ConsistencyAnswer(
            tournament=t,
            old=old.seq,
            size=new.seq,
            old_root=_b64(old.root),
            root=_b64(new.root),
            hashes=[*map(_b64, proof)],
        )
        return tournament_query.answer(new, answer)

    @bp.get(f"{T}/texts")
    @Operation(
        "List names and other erasable texts",
        name="listTexts",
        description=(
            "Returns the texts that the events refer to by hash, such as names and reasons, with the salt of each "
            "hash. Erased texts are not included. The list has no pages: `next` is always null."
        ),
        acts=(READ_TEXTS,),
        media=("application/json", NDJSON),
        answer=TextsAnswer,
        query=tournament_query.ReadQuery,
        errors=(401, 403),
    )
    def texts(t: str) -> Response:
        view = permitted(desk, t, auth.require(t, ACTS[READ_TEXTS].roles), READ_TEXTS)
        tournament_query.query()
        entries = [TextAnswer(x.hash, x.salt, x.text) for x in desk.log.tournament_texts(t)]
        if request.accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON:
            content = b"".join(msgspec.json.encode(x) + b"\n" for x in entries)
            response = tournament_query.tagged(view.seq, content, NDJSON)
        else:
            response = paging.listed(view, TextsAnswer, entries)
        response.headers["Cache-Control"] = "no-store"
        return response
