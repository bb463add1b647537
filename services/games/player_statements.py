"""Acts of players over HTTP, a stated result and a call of an arbiter: bodies, commands, responses and routes."""

from collections.abc import Sequence

from marshmallow import Schema, fields, validate

from services.games import answers
from services.games.rules import commands as co
from shared.core import events as ev
from shared.core.state.outcomes import NOTATION
from shared.core.terms import GAMES, Actor, GameId
from shared.http.addresses import G
from shared.http.answers import MarkAnswer
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.operations import Creation

STATED = ("1-0", "1/2-1/2", "0-1")
"""The results that players state: those of a played game with at most one winner. All others are left to arbiters."""


class StatementSchema(Schema):
    """The result of the caller's own game: `1-0` is a win of the white seat."""

    result = fields.String(required=True, validate=validate.OneOf(STATED))


def statement(actor: Actor, game: str, result: str) -> co.StateResult:
    """Return the command by which a player states a result of `STATED`."""
    white, black = NOTATION[result]
    return co.StateResult(actor, GameId(game), white, black)


def read_statement(sent: Submission, g: str) -> co.StateResult:
    return statement(sent.actor, g, sent["result"])


def statement_written(events: Sequence[ev.Event], sent: Submission) -> answers.StatementAnswer:
    """Return the statement that a command wrote, and whether the result is reported."""
    (stated,) = (e.data for e in events if isinstance(e.data, ev.StatementMade))
    reported = any(isinstance(e.data, ev.ResultReported) for e in events)
    return answers.StatementAnswer(
        stated.game, stated.player, MarkAnswer.of(stated.white), MarkAnswer.of(stated.black), reported
    )


STATEMENT = WriteRoute(
    GAMES,
    f"{G}/statements",
    read_statement,
    Creation(
        "Report the result of your own game",
        name="stateResult",
        description=(
            "A player states the result of their own game, if the regulations allow players to report results. "
            "If the opponent has stated the same, the result is reported in the same command. If both differ, the game stays "
            "open, and an arbiter must report the result. A new statement "
            "replaces the former one; a player may make five of one game. A game that has a result needs a correction by an "
            "arbiter instead."
        ),
        answer=answers.StatementAnswer,
        body=StatementSchema,
    ),
    statement_written,
)


class CallSchema(Schema):
    """Whether the call is open. Only an arbiter answers it."""

    open = fields.Boolean(load_default=True, truthy={True}, falsy={False})


def read_call(sent: Submission, g: str) -> co.CallArbiter:
    return co.CallArbiter(sent.actor, ev.CallMade(GameId(g), sent["open"]))


def call_written(events: Sequence[ev.Event], sent: Submission) -> answers.CallAnswer:
    """Return the call after a command."""
    return answers.CallAnswer(sent.ids["g"], sent["open"])


CALL = WriteRoute(
    GAMES,
    f"{G}/calls",
    read_call,
    Creation(
        "Submit a call of an arbiter to a game",
        name="callArbiter",
        description=(
            "A player of the game calls an arbiter to the board. Arbiters see the open call as a task. With `open` false, an "
            "arbiter records that the call is answered. A game has at most one open call."
        ),
        answer=answers.CallAnswer,
        body=CallSchema,
        optional_body=True,
    ),
    call_written,
)
