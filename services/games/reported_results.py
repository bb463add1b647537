"""Reported results and their corrections over HTTP: the body, the command that it becomes, the response, and the routes."""

from collections.abc import Sequence
from typing import Any, ClassVar

from marshmallow import Schema, ValidationError, fields, validate
from msgspec import UNSET

from services.games import answers
from services.games.rules import commands as co
from services.games.rules.boards.port.position import SIDES
from shared.core import events as ev
from shared.core.language.messages import say
from shared.core.state.outcomes import NOTATION, Share
from shared.core.terms import GAMES, HalfPoints, Mark
from shared.core.values.bounds import BOARD, POINTS, REASON, ROUND
from shared.http.addresses import T
from shared.http.answers import MarkAnswer
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Creation
from shared.http.requests.schema_fields import number_field, text_field

MOST_POINTS = POINTS.high // 2


def _mark(side: str, value: Any) -> Mark:
    if not isinstance(value, dict) or "points" not in value or set(value) - {"points", "played"}:
        raise ValidationError({side: [say('a mark must be like {{"points": 0.5, "played": true}}')]})
    points, played = value["points"], value.get("played", True)
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points <= MOST_POINTS:
        raise ValidationError({side: [say("points must be a number, at least 0")]})
    if points * 2 != int(points * 2):
        raise ValidationError({side: [say("points come in halves")]})
    if not isinstance(played, bool):
        raise ValidationError({side: [say("played must be true or false")]})
    return Mark(HalfPoints(int(points * 2)), played)


_MARK = {
    "type": "object",
    "properties": {
        "points": {"type": "number", "minimum": 0, "maximum": MOST_POINTS, "multipleOf": 0.5},
        "played": {"type": "boolean", "default": True},
    },
    "required": ["points"],
    "additionalProperties": False,
}


class ResultField(fields.Field[tuple[Mark | Share, Mark | Share]]):
    """``"1-0"`` and the like, or a mark for each side."""

    SCHEMA: ClassVar[dict[str, Any]] = {
        "oneOf": [
            {"type": "string", "enum": list(NOTATION)},
            {
                "type": "object",
                "properties": {"white": _MARK, "black": _MARK},
                "required": ["white", "black"],
                "additionalProperties": False,
            },
        ]
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> tuple[Mark | Share, Mark | Share]:
        if isinstance(value, str):
            if value not in NOTATION:
                raise ValidationError(
                    [say("a result must be {notation}, or a mark for each side", notation=" ".join(NOTATION))]
                )
            return NOTATION[value]
        if not isinstance(value, dict) or set(value) != set(SIDES):
            raise ValidationError([say('a result must be a notation, or {{"white": {{…}}, "black": {{…}}}}')])
        return _mark("white", value["white"]), _mark("black", value["black"])


class BoardResultSchema(Schema):
    board = number_field(BOARD, required=True)
    result = ResultField(required=True)


class ResultsSchema(Schema):
    round = number_field(ROUND, required=True)
    results = fields.List(
        fields.Nested(BoardResultSchema), required=True, validate=validate.Length(min=1, max=BOARD.high)
    )


class CorrectionsSchema(ResultsSchema):
    reason = text_field(REASON, required=True)


def read_results(sent: Submission, t: str) -> co.ReportResults:
    return co.ReportResults(sent.actor, _results(sent))


def read_corrections(sent: Submission, t: str) -> co.Correct:
    return co.Correct(sent.actor, _results(sent), sent.text("reason"))


def _results(sent: Submission) -> tuple[co.Result, ...]:
    return tuple(co.Result(co.Place(sent["round"], r["board"]), *r["result"]) for r in sent["results"])


def results_written(events: Sequence[ev.Event], sent: Submission) -> answers.ResultsWrittenAnswer:
    """Return the results that a command wrote."""
    written = [_result(e.data) for e in events if isinstance(e.data, ev.ResultReported | ev.ResultCorrected)]
    return answers.ResultsWrittenAnswer(sent["round"], written)


def _result(data: ev.ResultReported | ev.ResultCorrected) -> answers.ResultAnswer:
    return answers.ResultAnswer(
        board=int(data.game.rpartition(".")[2]),
        game=data.game,
        white=MarkAnswer.of(data.white),
        black=MarkAnswer.of(data.black),
        beneath=data.beneath if isinstance(data, ev.ResultCorrected) else UNSET,
    )


_UNITS = (
    "The response has each result twice. `results` counts points: a draw is `0.5`. `data` of the events counts half-points, as "
    "the log stores them: a draw is `1`."
)
_NOTATIONS = (
    "`1-0`, `0-1`, `1/2-1/2` and `0-0` are results of played games. With `0-0` both sides lose. `+/-` and `-/+` are wins by "
    "forfeit, and `-/-` is a forfeit by both: these games count as unplayed. Only a loss of both in a played game, such as "
    "`0-0`, requires the right to give a loss to both. A forfeit by both does not."
)
RESULTS = WriteRoute(
    GAMES,
    f"{T}/results",
    read_results,
    Creation(
        "Report results of a round",
        name="reportResults",
        description=(
            "Reports all of the results, or none of them. A board that already has a result needs a correction instead.\n\n"
            f"{_NOTATIONS}\n\n{_UNITS}"
        ),
        further=("give a loss to both",),
        answer=answers.ResultsWrittenAnswer,
        body=ResultsSchema,
    ),
    results_written,
)
CORRECTIONS = WriteRoute(
    GAMES,
    f"{T}/corrections",
    read_corrections,
    Creation(
        "Correct results of a round",
        name="correctResults",
        description=(
            "All corrections are applied, or none. If a ruling in force decides the game, the correction takes "
            "effect only when the ruling is annulled. Pairings of a Swiss or a round robin stay as they are; `outdated` "
            f"lists later rounds of a bracket and stages that depended on the result. A reason is required.\n\n"
            f"{_NOTATIONS}\n\n{_UNITS}"
        ),
        further=("give a loss to both",),
        answer=answers.ResultsWrittenAnswer,
        body=CorrectionsSchema,
        match=True,
    ),
    results_written,
)
