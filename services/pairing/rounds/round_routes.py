"""Pairing over HTTP: rounds paired, taken back and shown, and arrangements for those to come."""

from functools import partial

from flask import Blueprint, Response

from services.pairing import answers, responses, schemas
from services.pairing.rules import commands as co
from shared.core.events import BoardFixed, PairingUpheld, PairsForbidden, VirtualPoints, VirtualPointsGiven
from shared.core.terms import PAIRING, PlayerId
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.commands.write_routes import PREVIEW, Submission, WriteRoute, seed
from shared.http.common_problems import unknown_round
from shared.http.operations import Creation, Operation
from shared.http.reads import tournament_query

ROUND = "/v1/tournaments/{t}/rounds/{round}"


def forbidden_pairs(sent: Submission, t: str) -> co.ForbidPairs:
    pairs = tuple(tuple(map(PlayerId, pair)) for pair in sent["pairs"])
    return co.ForbidPairs(sent.actor, PairsForbidden(pairs, sent.text("reason")))


def virtual_points(sent: Submission, t: str) -> co.GiveVirtualPoints:
    given = (VirtualPoints(PlayerId(v.pop("player")), **v) for v in map(dict, sent["given"]))
    return co.GiveVirtualPoints(sent.actor, VirtualPointsGiven(tuple(given), sent.text("reason")))


def fixed_board(sent: Submission, t: str, p: int) -> co.FixBoard:
    return co.FixBoard(sent.actor, BoardFixed(PlayerId(p), sent["board"], sent.text("reason")))


def lots(sent: Submission, t: str) -> co.DrawLots:
    return co.DrawLots(sent.actor, sent["match"] or 0, seed(), tuple(sent["equals"]))


def round(sent: Submission, t: str) -> co.PairRound:
    boards = sent["boards"]
    return co.PairRound(
        sent.actor,
        boards=None if boards is None else tuple(boards),
        bye=sent["bye"],
        reason=sent.text("reason"),
        overrides=tuple(sorted(set(sent["overrides"]))),
        initial_colour=sent["initial_colour"],
        seed=sent["seed"] or seed(),
    )


def play_off(sent: Submission, t: str) -> co.PairPlayOff:
    return co.PairPlayOff(sent.actor, tuple(sent["boards"]), sent.text("reason"))


def withdrawal(sent: Submission, t: str, n: int) -> co.WithdrawPairing:
    return co.WithdrawPairing(sent.actor, n, sent.text("reason"), sent["played"])


def upholding(sent: Submission, t: str, n: int) -> co.UpholdPairing:
    """Raises `Problem` 404 for a round that is not paired."""
    pairing = sent.desk.folds.get(t).tournament.current(n)
    if pairing is None:
        raise unknown_round(n)
    seated, due = tuple(sent["seated"]), tuple(sent["due"])
    return co.UpholdPairing(
        sent.actor, PairingUpheld(pairing.event.pairing, sent["match"], seated, due, sent.required_text("reason"))
    )


_route = partial(WriteRoute, PAIRING)
WRITES = (
    _route(
        f"{T}/forbidden-pairs",
        forbidden_pairs,
        Creation(
            "Set the forbidden pairs",
            name="forbidPairs",
            description=(
                "Replaces the list of pairs of players who must not meet in later rounds. Pairs of the previous list "
                "that are not listed again are allowed."
            ),
            body=schemas.PairsSchema,
        ),
    ),
    _route(
        f"{T}/virtual-points",
        virtual_points,
        Creation(
            "Set virtual points for accelerated pairing",
            name="giveVirtualPoints",
            description=("Replaces all virtual points. Only a Swiss event by the Dutch system can be accelerated."),
            body=schemas.AccelerationSchema,
        ),
    ),
    _route(
        f"{T}/entries/<int:p>/board",
        fixed_board,
        Creation(
            "Assign a fixed board to a player",
            name="fixBoard",
            description=(
                "The player is seated at this board in every later round, for example because of a wheelchair. Board "
                "0 removes the assignment."
            ),
            body=schemas.FixedBoardSchema,
        ),
    ),
    _route(
        f"{T}/lots",
        lots,
        Creation(
            "Decide a drawn match or a shared place by lot",
            name="drawLots",
            description=(
                "Draws the winner of a match that ended drawn, or the order of players who share a place. The server "
                "draws the lot and stores its seed in the event. The ruleset must decide such a match or place by "
                "lot."
            ),
            body=schemas.LotsSchema,
            answer=answers.LotWrittenAnswer,
        ),
        responses.lot_drawn,
    ),
    _route(
        f"{T}/rounds",
        round,
        Creation(
            "Pair the next round",
            name="pairRound",
            description=(
                "Without `boards`, the tournament's format and its pairing engine make the pairing. With `boards`, "
                "the pairing is manual and needs a reason. Every game of the earlier rounds must have a result. "
                "Lots are drawn for each request: to write the pairing of a preview, send the `seed` in its event."
            ),
            further=("override an absolute rule",),
            makes=ROUND,
            body=schemas.RoundSchema,
            optional_body=True,
            query=PREVIEW,
            answer=answers.RoundWrittenAnswer,
            match=True,
        ),
        responses.round_paired,
    ),
    _route(
        f"{T}/play-offs",
        play_off,
        Creation(
            "Pair a play-off",
            name="pairPlayOff",
            description=(
                "Pairs the boards that are listed, after the last round, to separate players with equal scores. Its "
                "games give no points."
            ),
            makes=ROUND,
            body=schemas.PlayOffSchema,
            answer=answers.RoundWrittenAnswer,
            match=True,
        ),
        responses.round_paired,
    ),
    _route(
        f"{T}/rounds/<int:n>/withdrawal",
        withdrawal,
        Creation(
            "Withdraw the pairing of a round",
            name="withdrawPairing",
            description=(
                "Withdraws the last pairing before its games begin. To void a pairing whose games have begun, "
                "set `played` and give a reason."
            ),
            body=schemas.WithdrawalSchema,
            optional_body=True,
        ),
    ),
    _route(
        f"{T}/rounds/<int:n>/upholding",
        upholding,
        Creation(
            "Uphold an outdated pairing",
            name="upholdPairing",
            description=(
                "Keeps a pairing of a bracket or stage in force although a later correction would seat other sides. "
                "It settles exactly the difference that the request names."
            ),
            body=schemas.UpholdingSchema,
        ),
    ),
)


def rounds(bp: Blueprint, desk: Desk) -> None:
    """Pairings, shown."""

    @bp.get(f"{T}/rounds/<int:n>")
    @Operation(
        "Get the boards and byes of a round",
        name="getRound",
        description=("Returns the pairing of the round that is in force."),
        answer=answers.RoundAnswer,
        query=tournament_query.AT,
    )
    def show(t: str, n: int) -> Response:
        view = tournament_query.view(desk, t)
        found = responses.round_of(view.state, n)
        if found is None:
            raise unknown_round(n)
        return tournament_query.answer(view, found)
