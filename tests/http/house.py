"""A small house for the tests of the HTTP base: real desk and log, two commands of pairing, one page."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, request
from marshmallow import Schema, fields

from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys.key_files import make
from shared.audit.keys.key_files import read as read_key
from shared.core.events import Decision, PlayerEntered, TournamentAnnounced
from shared.core.language.messages import Message
from shared.core.readings.authority import ANNOUNCE, unknown_tournament
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PAIRING, Actor, PlayerId, Refusal, TextRef
from shared.desk.desk import Desk
from shared.desk.rules_port import CommandRow, Rules
from shared.desk.views import stream_of
from shared.http.answers import WrittenAnswer
from shared.http.app import Settings, create_app, mount
from shared.http.commands import command_pipeline
from shared.http.commands.write_routes import PREVIEW
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.operations import Operation
from shared.http.reads import paging, stream, tournament_query
from shared.http.requests import auth
from shared.http.requests.request_parts import body
from shared.log.sqlite import SqliteLog
from shared.log.texts import Texts


@dataclass(frozen=True)
class Announce:
    actor: Actor
    name: str


@dataclass(frozen=True)
class Enter:
    actor: Actor
    name: TextRef


def announce(t: Tournament, c: Announce) -> Decision | Refusal:
    if t.announced is not None:
        return Refusal(
            "rule",
            "announced-already",
            Message("{id} is announced", {"id": t.id}),
            article="1.1",
            see="/v1/tournaments",
        )
    return Decision((TournamentAnnounced(c.name, "xiangqi", "swiss", 3),))


def enter(t: Tournament, c: Enter) -> Decision | Refusal:
    number = PlayerId(len(t.players) + 1)
    return Decision((PlayerEntered(number, c.name, number),))


class Row(CommandRow):
    """A row of a house whose tournaments have no regulations."""

    def refuse(self, t: TournamentState, command: Any) -> Refusal | None:
        known = t.announced is not None or self.act == ANNOUNCE
        return self.permit(t, command.actor) or (None if known else unknown_tournament(t))


ROWS = (
    Row(Announce, ANNOUNCE, TournamentAnnounced, announce),
    Row(Enter, "enter players", PlayerEntered, enter),
)
RULES = {PAIRING: Rules(PAIRING, ROWS)}


class AnnounceSchema(Schema):
    id = fields.String(required=True)
    name = fields.String(required=True)


class AnnouncedAnswer(WrittenAnswer):
    id: str


class EnterSchema(Schema):
    name = fields.String(required=True)


def blueprint(desk: Desk) -> Blueprint:
    bp = Blueprint("pairing", __name__)

    @bp.post("/v1/tournaments")
    @Operation("Announce a tournament", body=AnnounceSchema, status=201)
    def announce() -> Response:
        sent = body()
        return command_pipeline.run(
            desk,
            PAIRING,
            sent["id"],
            lambda actor, texts: Announce(actor, sent["name"]),
            answer=lambda events: AnnouncedAnswer(sent["id"]),
        )

    @bp.post("/v1/tournaments/<t>/entries")
    @Operation("Enter a player", body=EnterSchema, query=PREVIEW, status=201)
    def enter(t: str) -> Response:
        sent = body()

        def make(actor: Actor, texts: Texts) -> Enter:
            return Enter(actor, texts.required(sent["name"]))

        if command_pipeline.wants_preview():
            return command_pipeline.preview(desk, PAIRING, t, make)
        return command_pipeline.run(desk, PAIRING, t, make)

    @bp.post("/v1/tournaments/<t>/rounds")
    @Operation("Pair", match=True, status=201)
    def rounds(t: str) -> Response:
        return command_pipeline.run(desk, PAIRING, t, lambda actor, texts: Enter(actor, texts.required("late")))

    @bp.get("/v1/tournaments/<t>/players")
    @Operation("Players", query={"at": "as of this line"})
    def players(t: str) -> Response:
        view = tournament_query.view(desk, t)
        return tournament_query.answer(view, {"players": sorted(view.state.players)})

    @bp.get("/v1/tournaments/<t>/events")
    @Operation("The log", media=("application/json", stream.MEDIA))
    def events(t: str) -> Response:
        if request.accept_mimetypes.best_match(["application/json", stream.MEDIA]) == stream.MEDIA:
            return stream.follow(desk, t)
        view, page = tournament_query.view(desk, t), paging.window()
        rows = desk.lines(stream_of(t), page.after, min(view.seq, page.after + page.limit))
        more = paging.next_url(rows[-1].seq) if rows and rows[-1].seq < view.seq else None
        return paging.linked(tournament_query.answer(view, {"seqs": [row.seq for row in rows], "next": more}), more)

    @bp.get("/v1/tournaments/<t>/texts")
    @Operation("Texts")
    def texts(t: str) -> Response:
        auth.require(t, ("auditor", "organiser"))
        return Response("[]", mimetype="application/json")

    @bp.get("/crash")
    def crash() -> Response:
        raise RuntimeError("the secret name 陈平")

    @bp.get("/page")
    def page() -> Response:
        visitor = auth.visitor()
        return Response(f"<p>{visitor.actor.name if visitor else 'nobody'}", mimetype="text/html")

    return bp


def a_desk(data: Path, **options: Any) -> Desk:
    make(data / "arbiter.key")
    signer = Signer("arbiter", read_key(data / "arbiter.key"))
    return Desk(SqliteLog(data / "arbiter.db"), RULES, signer.sign, **options)


def an_app(
    data: Path,
    limits: Limits | None = None,
    desk: Desk | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Flask:
    tokens.ensure_keys(data)
    desk = desk or a_desk(data)
    pairing = blueprint(desk)
    app = create_app([pairing], desk, Settings(data / "token-keys", limits or Limits(), clock=clock), "arbiter")
    mount(app, "pairing", pairing, desk)
    return app
