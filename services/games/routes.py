"""Games over HTTP: results from the hall, moves as devices feed them, and what the sheets say."""

from collections.abc import Callable, Sequence
from typing import Any, get_type_hints

from flask import Blueprint, Response, request

from services.games import answers, command_responses, readers, schemas
from services.games.file_routes import played
from services.games.files.file_readers import MEDIA_TYPES
from services.games.reported_results import CORRECTIONS, RESULTS
from shared.core.events import Event
from shared.core.terms import GAMES
from shared.desk.desk import Desk
from shared.http.addresses import G
from shared.http.answers import WrittenAnswer
from shared.http.commands.write_routes import Submission, WriteRoute, submit
from shared.http.operations import Operation


def _row(
    address: str,
    read: Callable[..., Any],
    response: Callable[[Sequence[Event], Submission], WrittenAnswer],
    summary: str,
    **declared: Any,
) -> WriteRoute:
    """Return the route of a command. By default its answer is of the class that ``response`` returns."""
    answer = declared.pop("answer", get_type_hints(response)["return"])
    return WriteRoute(GAMES, address, read, Operation(summary, answer=answer, status=201, **declared), response)


START = _row(
    f"{G}/start",
    readers.start,
    command_responses.game_written,
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
    readers.moves,
    command_responses.game_written,
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
    readers.take_back,
    command_responses.game_written,
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
    readers.step,
    command_responses.game_written,
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
    readers.offer,
    command_responses.game_written,
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
    readers.claim,
    command_responses.claim_decision,
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
    readers.claim_decision,
    command_responses.claim_decision,
    "Decide a pending claim",
    name="decideClaim",
    description=("Upholds or denies the claim. If it is upheld, the game's rules apply at the ply of the claim."),
    body=schemas.ClaimDecisionSchema,
)
END = _row(
    f"{G}/end",
    readers.end,
    command_responses.game_written,
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
    """Moves at a board, in JSON or in a file."""

    @bp.post(MOVES.address)
    @MOVES.operation
    def play_moves(g: str) -> Response:
        return (
            played(desk, g, lambda: request.mimetype)
            if request.mimetype in MEDIA_TYPES
            else submit(desk, MOVES, {"g": g})
        )
