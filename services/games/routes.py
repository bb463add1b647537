"""Games over HTTP: results from the hall, moves as devices feed them, and what the sheets say."""

from flask import Blueprint, Response, request

from services.games import answers, command_responses, readers, schemas
from services.games.file_routes import played
from services.games.files.file_readers import MEDIA_TYPES
from services.games.reported_results import CORRECTIONS, RESULTS
from shared.core.terms import GAMES
from shared.desk.desk import Desk
from shared.http.addresses import G
from shared.http.commands.write_routes import WriteRoute, submit
from shared.http.operations import Operation

START = WriteRoute(
    GAMES,
    f"{G}/start",
    readers.start,
    Operation(
        "Start a game",
        name="startGame",
        description=(
            "The game starts from the usual position, or from `position`. After this the pairing can only be voided."
        ),
        further=("set up a position",),
        body=schemas.StartSchema,
        optional_body=True,
        answer=answers.GameWrittenAnswer,
        status=201,
    ),
    command_responses.game_written,
)
MOVES = WriteRoute(
    GAMES,
    f"{G}/moves",
    readers.moves,
    Operation(
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
        status=201,
    ),
    command_responses.game_written,
)
TAKE_BACK = WriteRoute(
    GAMES,
    f"{G}/take-back",
    readers.take_back,
    Operation(
        "Take back moves",
        name="takeBackMoves",
        description=(
            "Returns the game to the position after a ply. The moves that are taken back stay on the score sheet, "
            "and findings about them are withdrawn."
        ),
        answer=answers.GameWrittenAnswer,
        body=schemas.TakeBackSchema,
        status=201,
    ),
    command_responses.game_written,
)
STEP = WriteRoute(
    GAMES,
    f"{G}/steps",
    readers.step,
    Operation(
        "Take a step that is not a move",
        name="takeStep",
        description=(
            "Steps of an opening or of a phase of the game: a swap, fifth stones, a sealed prediction or move, "
            "dead stones, clock settings. The game must be waiting for the step."
        ),
        further=("set a clock", "settle boundaries"),
        answer=answers.GameWrittenAnswer,
        body=schemas.StepSchema,
        status=201,
    ),
    command_responses.game_written,
)
OFFER = WriteRoute(
    GAMES,
    f"{G}/offers",
    readers.offer,
    Operation(
        "Offer, accept or decline a draw",
        name="makeOffer",
        description=(
            "An accepted offer ends the game. An offer that breaks the ruleset is recorded and can be accepted, "
            "but becomes a finding."
        ),
        answer=answers.GameWrittenAnswer,
        body=schemas.OfferSchema,
        status=201,
    ),
    command_responses.game_written,
)
CLAIM = WriteRoute(
    GAMES,
    f"{G}/claims",
    readers.claim,
    Operation(
        "Make a claim or resign",
        name="makeClaim",
        description=(
            "The game's rules decide the claim. The decision and its grounds are recorded on the score sheet. A "
            "claim about something that the score sheet cannot show stays `pending` until an arbiter decides it. "
            "An arbiter may also request a decision without a claim from either side."
        ),
        body=schemas.ClaimSchema,
        answer=answers.ClaimDecisionAnswer,
        status=201,
    ),
    command_responses.claim_decision,
)
CLAIM_DECISION = WriteRoute(
    GAMES,
    f"{G}/claims/<c>/decision",
    readers.claim_decision,
    Operation(
        "Decide a pending claim",
        name="decideClaim",
        description=("Upholds or denies the claim. If it is upheld, the game's rules apply at the ply of the claim."),
        body=schemas.ClaimDecisionSchema,
        answer=answers.ClaimDecisionAnswer,
        status=201,
    ),
    command_responses.claim_decision,
)
END = WriteRoute(
    GAMES,
    f"{G}/end",
    readers.end,
    Operation(
        "End a game without a move",
        name="endGame",
        description=(
            "Ends a game by resignation, agreement or dead position. An arbiter reports an agreement as a result, and "
            "states a dead position."
        ),
        acts=("feed moves",),
        further=("report results",),
        answer=answers.GameWrittenAnswer,
        body=schemas.EndSchema,
        status=201,
    ),
    command_responses.game_written,
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
