"""Previews of commands over HTTP: the events and the changes of the table, before anything is written."""

from collections.abc import Sequence
from typing import Any, ClassVar

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.standings import queries
from services.standings.descriptions.registry import sentence
from services.standings.rules.answers import DifferenceAnswer
from services.standings.rules.diff import Preview
from shared.core.event_types.evolve import evolve
from shared.core.event_types.registry import NAMES
from shared.core.language.messages import say
from shared.core.readings.settlement import rulings_out_of_force
from shared.core.state.tournament import TournamentState
from shared.core.terms import PlayerId
from shared.desk.desk import Desk, View
from shared.http.addresses import T
from shared.http.answers import EventTypes, OutdatedBasisAnswer
from shared.http.commands.command_pipeline import outdated
from shared.http.commands.previews import Posted, Previews
from shared.http.language.language import mark, words
from shared.http.operations import PREVIEW, Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.http.requests.request_parts import body
from shared.wire.answer import Answer, answer_of


class ForeseenEventAnswer(Answer, kw_only=True):
    """An event as it would be written."""

    EVENTS: ClassVar[EventTypes] = "official"

    type: str
    source: str
    actor: str
    role: str
    data: Any
    sentence: str


class ForeseenLineAnswer(Answer):
    """An event of a score sheet as it would be written."""

    EVENTS: ClassVar[EventTypes] = "sheets"

    type: str
    data: Any


class PreviewAnswer(Answer, kw_only=True):
    """The outcome that a command would have. Nothing was written."""

    tournament: str
    seq: int
    events: Sequence[ForeseenEventAnswer]
    lines: Sequence[ForeseenLineAnswer]
    open: int
    table: DifferenceAnswer | None
    out_of_force: Sequence[str]
    in_force_again: Sequence[str]
    outdated: Sequence[OutdatedBasisAnswer]


class PreviewSchema(Schema):
    """A command as it would be sent: the address of its route, and the body."""

    path = fields.String(required=True, validate=validate.Length(1, 300))
    body = fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True), load_default=dict)


def previews(bp: Blueprint, desk: Desk, previews: Previews[Preview]) -> None:
    """Register the preview of a command of any service."""

    @bp.post(f"{T}/preview")
    @Operation(
        "Preview a command",
        name="previewCommand",
        description=(
            "Returns the events that a command of any service would write, its automatic follow-up commands, and "
            "the changes of the standings. Nothing is written. An address without previews is refused with 422, which "
            "lists the addresses that have them; `pairRound` has the parameter `preview` instead."
        ),
        permission="a token that may give the command itself.",
        body=PreviewSchema,
        answer=PreviewAnswer,
        errors=(409, 503),
        cost=PREVIEW,
    )
    def preview(t: str) -> Response:
        actor, sent = auth.require(t), body()
        view = tournament_query.view_at(desk, t)
        posted = previews.readers.read(sent["path"], sent["body"])
        refuse_other_tournament(t, posted)
        foreseen = previews.preview(view, posted, actor)
        response = tournament_query.answer(view, preview_answer(desk, view, foreseen))
        response.headers["Cache-Control"] = "no-store"
        mark(response)
        return response


def refuse_other_tournament(t: str, posted: Posted) -> None:
    """Raise `Problem` 422 for a command on a different tournament, for which the token was not checked."""
    ids = posted.ids
    if (ids["t"] if "t" in ids else tournament_query.tournament_of(ids["g"])) != t:
        detail = say("the path must be of the tournament {t}", t=t)
        raise Problem(422, "bad-fields", say("Nothing to preview"), detail, errors={"path": [str(detail)]})


def state_after(view: View, preview: Preview) -> TournamentState:
    """Return the tournament with a command's consequences."""
    state = view.state.fork()
    for event in preview.events:
        evolve(state, event)
    return state


def preview_answer(desk: Desk, view: View, preview: Preview) -> PreviewAnswer:
    """Return a preview as an answer: each event with its sentence, and the changes of the table."""
    after = state_after(view, preview)
    names = queries.names(desk, view.state)

    def call(player: PlayerId) -> str:
        return names.get(after.players[player].name.text) or f"player {player}"

    events = [
        answer_of(
            ForeseenEventAnswer,
            event,
            type=NAMES[type(event.data)],
            sentence=words(sentence(after, event.data, call)),
        )
        for event in preview.events
    ]
    return PreviewAnswer(
        tournament=view.state.id,
        seq=preview.seq,
        events=events,
        lines=[ForeseenLineAnswer(NAMES[type(line)], line) for line in preview.lines],
        open=0,
        table=preview.table,
        out_of_force=rulings_out_of_force(view.state, after),
        in_force_again=rulings_out_of_force(after, view.state),
        outdated=outdated(after, preview.outdated),
    )
