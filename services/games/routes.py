"""Commands on games over HTTP: how a body becomes a command, the own members of its answer, and a row for each route."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_type_hints

from flask import Blueprint, Response, request

from services.games import answers, schemas
from services.games.file_routes import played
from services.games.files.upload import MEDIA_TYPES
from services.games.reported_results import CORRECTIONS, RESULTS
from services.games.responses import read_out
from services.games.rules import commands as co
from services.games.rules.boards.port.position import SIDES
from shared.core import events as ev
from shared.core.events import Event
from shared.core.language.messages import Message, say
from shared.core.state.grounds import lines_of
from shared.core.terms import GAMES, GameId, Ply, Seconds, Side
from shared.desk.desk import Desk
from shared.http.addresses import G
from shared.http.answers import WrittenAnswer
from shared.http.commands.write_routes import Submission, WriteRoute, submit
from shared.http.operations import Creation
from shared.http.problems import Problem

AWAITS_ARBITER = say("the score sheet cannot show it; an arbiter must uphold or deny the claim")
AWAITS_CONFIRMATION = say("the resignation counts only after it has been confirmed in time")


def game_written(events: Sequence[ev.Event], sent: Submission) -> answers.GameWrittenAnswer:
    """Return the game that a command wrote on."""
    return answers.GameWrittenAnswer(sent.ids["g"])


def claim_decided(events: Sequence[ev.Event], sent: Submission) -> answers.ClaimDecisionAnswer:
    """Return a claim after a command on it.

    It contains the ID, ``state``, article, grounds, the moves due, and the clock readings to set (None: unchanged or unknown).
    """
    g: str = sent.ids["g"]
    data = [e.data for e in events]
    decision = next((d for d in data if isinstance(d, ev.ClaimDecided)), None)
    if decision is not None:
        grounds = lines_of(decision.grounds)
        return _decided(
            g,
            decision.id,
            "upheld" if decision.upheld else "denied",
            decision.article,
            grounds,
            decision.due,
            decision.clocks,
        )
    pending = next((d for d in data if isinstance(d, ev.ClaimPending)), None)
    if pending is not None:
        return _decided(g, pending.claim, "pending", pending.article, (AWAITS_ARBITER,))
    made = next(d for d in data if isinstance(d, ev.ClaimMade))
    return _decided(g, made.id, "pending", None, (AWAITS_CONFIRMATION,))


def _decided(
    game: str,
    claim: str,
    state: Literal["upheld", "denied", "pending"],
    article: str | None,
    grounds: Sequence[Message],
    due: Sequence[str] = (),
    clocks: Mapping[Side, Seconds] | None = None,
) -> answers.ClaimDecisionAnswer:
    shown = answers.ClocksAnswer(**{side: (clocks or {}).get(side) for side in SIDES})
    return answers.ClaimDecisionAnswer(game, claim or None, state, article, read_out(grounds), due, shown)


def read_start(sent: Submission, g: str) -> co.StartGame:
    return co.StartGame(sent.actor, GameId(g), sent["position"])


def read_moves(sent: Submission, g: str) -> co.PlayMoves:
    return co.PlayMoves(sent.actor, GameId(g), Ply(sent["ply"]), tuple(sent["moves"]))


def read_take_back(sent: Submission, g: str) -> co.TakeBack:
    return co.TakeBack(sent.actor, GameId(g), Ply(sent["to_ply"]), sent["reason"], sent.fields.get("ruling"))


def read_step(sent: Submission, g: str) -> co.TakeStep:
    return co.TakeStep(sent.actor, GameId(g), sent["side"], sent["step"], tuple(sent.fields.get("values", ())))


def read_offer(sent: Submission, g: str) -> co.MakeOffer:
    return co.MakeOffer(sent.actor, GameId(g), sent["side"], sent["offer"])


def read_claim(sent: Submission, g: str) -> co.MakeClaim:
    side, move = sent.fields.get("side"), sent.fields.get("move")
    squares = tuple(sent.fields.get("squares", ()))
    return co.MakeClaim(sent.actor, GameId(g), side, sent["claim"], move, squares, sent["adjusting"])


def read_claim_decision(sent: Submission, g: str, c: str) -> co.DecideClaim:
    return co.DecideClaim(sent.actor, GameId(g), c, sent["upheld"], sent.text("note"))


def read_end(sent: Submission, g: str) -> co.MakeClaim | co.EndByAgreement:
    """Return the command that ends a game. Raises `Problem` 422 for a resignation without its side."""
    if sent["termination"] == "agreement":
        return co.EndByAgreement(sent.actor, GameId(g))
    if sent["termination"] == "dead_position":
        return co.MakeClaim(sent.actor, GameId(g), None, "dead_position")
    if "side" not in sent.fields:
        wrong = {"side": [say("which side resigns")]}
        raise Problem(422, "bad-fields", say("Fields are missing or wrong"), errors=wrong)
    return co.MakeClaim(sent.actor, GameId(g), sent["side"], "resignation")


def _row(
    address: str,
    read: Callable[..., Any],
    response: Callable[[Sequence[Event], Submission], WrittenAnswer],
    summary: str,
    **declared: Any,
) -> WriteRoute:
    """Return the route of a command. By default its answer is of the class that ``response`` returns."""
    answer = declared.pop("answer", get_type_hints(response)["return"])
    return WriteRoute(GAMES, address, read, Creation(summary, answer=answer, **declared), response)


START = _row(
    f"{G}/start",
    read_start,
    game_written,
    "Start a game",
    name="startGame",
    description=(
        "The game starts from the usual position, or from `position`. After this the pairing can only be voided."
    ),
    further=("set up a position",),
    body=schemas.StartSchema,
    optional_body=True,
)
MOVES = _row(
    f"{G}/moves",
    read_moves,
    game_written,
    "Record moves",
    name="playMoves",
    description=(
        "Records legal moves. The first move starts the game, and the last may end it. Moves that the score "
        "sheet already contains are recognised: the status is 200 if nothing was new. Game files should be "
        "sent to `playFile`, but are still accepted here."
    ),
    acts=("feed moves",),
    answer=answers.MovesWrittenAnswer,
    also={200: None},
    body=schemas.MovesSchema,
    files=MEDIA_TYPES,
    query={"number": "Number of the game in a file with several games, from 1."},
)
TAKE_BACK = _row(
    f"{G}/take-back",
    read_take_back,
    game_written,
    "Take back moves",
    name="takeBackMoves",
    description=(
        "Returns the game to the position after a ply. The moves that are taken back stay on the score sheet, "
        "and findings about them are withdrawn."
    ),
    body=schemas.TakeBackSchema,
)
STEP = _row(
    f"{G}/steps",
    read_step,
    game_written,
    "Take a step that is not a move",
    name="takeStep",
    description=(
        "Steps of an opening or of a phase of the game: a swap, fifth stones, a sealed prediction or move, "
        "dead stones, clock settings. The game must be waiting for the step."
    ),
    further=("set a clock", "settle boundaries"),
    body=schemas.StepSchema,
)
OFFER = _row(
    f"{G}/offers",
    read_offer,
    game_written,
    "Offer, accept or decline a draw",
    name="makeOffer",
    description=(
        "An accepted offer ends the game. An offer that breaks the ruleset is recorded and can be accepted, "
        "but becomes a finding."
    ),
    body=schemas.OfferSchema,
)
CLAIM = _row(
    f"{G}/claims",
    read_claim,
    claim_decided,
    "Make a claim or resign",
    name="makeClaim",
    description=(
        "The game's rules decide the claim. The decision and its grounds are recorded on the score sheet. A "
        "claim about something that the score sheet cannot show stays `pending` until an arbiter decides it. "
        "An arbiter may also request a decision without a claim from either side."
    ),
    body=schemas.ClaimSchema,
)
CLAIM_DECISION = _row(
    f"{G}/claims/<c>/decision",
    read_claim_decision,
    claim_decided,
    "Decide a pending claim",
    name="decideClaim",
    description=("Upholds or denies the claim. If it is upheld, the game's rules apply at the ply of the claim."),
    body=schemas.ClaimDecisionSchema,
)
END = _row(
    f"{G}/end",
    read_end,
    game_written,
    "End a game without a move",
    name="endGame",
    description=(
        "Ends a game by resignation, agreement or dead position. An arbiter reports an agreement as a result, and "
        "states a dead position."
    ),
    acts=("feed moves",),
    further=("report results",),
    body=schemas.EndSchema,
)
WRITES = (RESULTS, CORRECTIONS)
"""The commands that can be previewed with those of other services."""
PLAY = (START, TAKE_BACK, STEP, OFFER, CLAIM, CLAIM_DECISION, END)


def moves(bp: Blueprint, desk: Desk) -> None:
    """Add the route for moves at a board, in JSON or in a file."""

    @bp.post(MOVES.address)
    @MOVES.operation
    def play_moves(g: str) -> Response:
        return (
            played(desk, g, lambda: request.mimetype)
            if request.mimetype in MEDIA_TYPES
            else submit(desk, MOVES, {"g": g})
        )
