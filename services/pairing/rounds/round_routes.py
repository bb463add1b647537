"""Pairing over HTTP: rounds paired, taken back and shown, and what is arranged for those to come."""

from flask import Blueprint, Response

from services.pairing import answers, responses, schemas
from services.pairing.routes import T, reason, seed
from services.pairing.rules import commands as co
from shared.core.events import VirtualPoints
from shared.core.language.messages import say
from shared.core.terms import PAIRING, Actor, PlayerId
from shared.desk.desk import Desk
from shared.http.commands.command_pipeline import preview, run, wants_preview
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.requests.bodies import body
from shared.log.texts import Texts

ROUND = "/v1/tournaments/{t}/rounds/{round}"


def arrangements(bp: Blueprint, desk: Desk) -> None:
    """Arrangements for the rounds to come: pairs that may not meet, boards that are fixed; lots for drawn matches."""

    @bp.post(f"{T}/forbidden-pairs")
    @Operation(
        "Say who may not meet from here on: all such pairs", name="forbidPairs", body=schemas.PairsSchema, status=201
    )
    def forbid(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.ForbidPairs:
            sent = body()
            pairs = tuple(tuple(map(PlayerId, pair)) for pair in sent["pairs"])
            return co.ForbidPairs(actor, pairs, texts.ref(sent["reason"]))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/virtual-points")
    @Operation(
        "Accelerate the rounds to come by virtual points: all of them, of every round",
        name="giveVirtualPoints",
        body=schemas.AccelerationSchema,
        status=201,
    )
    def accelerate(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.GiveVirtualPoints:
            sent = body()
            given = (VirtualPoints(PlayerId(v.pop("player")), **v) for v in map(dict, sent["given"]))
            return co.GiveVirtualPoints(actor, tuple(given), texts.ref(sent["reason"]))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/entries/<int:p>/board")
    @Operation(
        "Give a player who cannot move the same board in every round",
        name="fixBoard",
        body=schemas.FixedBoardSchema,
        status=201,
    )
    def fix_board(t: str, p: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.FixBoard:
            sent = body()
            return co.FixBoard(actor, PlayerId(p), sent["board"], texts.ref(sent["reason"]))

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/lots")
    @Operation(
        "Decide by lot a match that stayed drawn, or a place that is not to be shared",
        name="drawLots",
        body=schemas.LotsSchema,
        answer=answers.LotWrittenAnswer,
        status=201,
    )
    def draw(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.DrawLots:
            return co.DrawLots(actor, body()["match"] or 0, seed(), tuple(body()["equals"]))

        return run(desk, PAIRING, t, make, answer=responses.lot_drawn)


def rounds(bp: Blueprint, desk: Desk) -> None:
    """Pairings: made, taken back, shown."""

    @bp.post(f"{T}/rounds")
    @Operation(
        "Pair the next round, by its format or by hand",
        name="pairRound",
        makes=ROUND,
        body=schemas.RoundSchema,
        optional_body=True,
        query={"preview": "show what would be written, and write nothing"},
        answer=answers.RoundWrittenAnswer,
        status=201,
        match=True,
    )
    def pair(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.PairRound:
            sent = body()
            boards = sent["boards"]
            return co.PairRound(
                actor,
                boards=None if boards is None else tuple(boards),
                bye=sent["bye"],
                reason=texts.ref(sent["reason"]),
                overrides=tuple(sorted(set(sent["overrides"]))),
                initial_colour=sent["initial_colour"],
                seed=sent["seed"] or seed(),
            )

        if wants_preview():
            return preview(desk, PAIRING, t, make)
        return run(desk, PAIRING, t, make, answer=responses.round_paired)

    @bp.post(f"{T}/play-offs")
    @Operation(
        "Pair a play-off of equals after the last round: its games give no points",
        name="pairPlayOff",
        makes=ROUND,
        body=schemas.PlayOffSchema,
        answer=answers.RoundWrittenAnswer,
        status=201,
        match=True,
    )
    def play_off(t: str) -> Response:
        def make(actor: Actor, texts: Texts) -> co.PairPlayOff:
            sent = body()
            return co.PairPlayOff(actor, tuple(sent["boards"]), texts.ref(sent["reason"]))

        return run(desk, PAIRING, t, make, answer=responses.round_paired)

    @bp.post(f"{T}/rounds/<int:n>/withdrawal")
    @Operation(
        "Withdraw a pairing, or void one whose games have begun",
        name="withdrawPairing",
        body=schemas.WithdrawalSchema,
        optional_body=True,
        status=201,
    )
    def withdraw_pairing(t: str, n: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.WithdrawPairing:
            return co.WithdrawPairing(actor, n, reason(texts), body()["played"])

        return run(desk, PAIRING, t, make)

    @bp.post(f"{T}/rounds/<int:n>/upholding")
    @Operation(
        "Uphold a pairing although other sides would be seated now",
        name="upholdPairing",
        body=schemas.UpholdingSchema,
        status=201,
    )
    def uphold_pairing(t: str, n: int) -> Response:
        def make(actor: Actor, texts: Texts) -> co.UpholdPairing:
            sent, pairing = body(), desk.folds.get(t).tournament.current(n)
            if pairing is None:
                raise _no_such_round(n)
            seated, due = tuple(sent["seated"]), tuple(sent["due"])
            return co.UpholdPairing(
                actor, pairing.event.pairing, sent["match"], seated, due, texts.required(sent["reason"])
            )

        return run(desk, PAIRING, t, make)

    @bp.get(f"{T}/rounds/<int:n>")
    @Operation(
        "The boards and byes of a round",
        name="getRound",
        answer=answers.RoundAnswer,
        query={"at": "as of this line of the log"},
    )
    def show(t: str, n: int) -> Response:
        view = tournament_query.view(desk, t)
        round = responses.round_of(view.state, n)
        if round is None:
            raise _no_such_round(n)
        return tournament_query.answer(view, round)


def _no_such_round(n: int) -> Problem:
    return Problem(404, "unknown-round", say("No such round"), say("round {n} has not been paired", n=n))
