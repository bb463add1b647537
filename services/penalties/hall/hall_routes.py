"""The hall over HTTP: arrivals, a round's check-in, breaks, and the corrections of them."""

from flask import Blueprint, Response

from services.penalties import answers, readers
from services.penalties.hall import hall_responses
from services.penalties.routes import LISTED, PREVIEW, VIEW, T, page, previewed_or_run
from shared.core.language.messages import say
from shared.desk.desk import Desk
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import paging, tournament_query

ARRIVAL, BREAK = "/v1/tournaments/{t}/arrivals/{arrival}", "/v1/games/{g}/breaks/{break}"


def arrivals(bp: Blueprint, desk: Desk) -> None:
    """Arrivals: noted, corrected, listed."""

    @bp.post(f"{T}/arrivals")
    @Operation(
        "Note who came, late or not at all: one player, or a round by its boards, all or none",
        name="noteArrivals",
        makes=ARRIVAL,
        body=readers.ARRIVAL.schema,
        answer=answers.ArrivalsWrittenAnswer,
        query=PREVIEW,
        status=201,
    )
    def arrive(t: str) -> Response:
        return previewed_or_run(desk, t, readers.ARRIVAL.sent(desk.now, t=t), hall_responses.noted_arrivals)

    @bp.post(f"{T}/arrivals/<a>/correction")
    @Operation(
        "Correct an arrival in force; what followed from it follows no longer, or anew",
        name="correctArrival",
        makes=ARRIVAL,
        body=readers.ARRIVAL_CORRECTION.schema,
        answer=answers.ArrivalsWrittenAnswer,
        query=PREVIEW,
        status=201,
    )
    def correct_arrival(t: str, a: str) -> Response:
        make = readers.ARRIVAL_CORRECTION.sent(desk.now, t=t, a=a)
        return previewed_or_run(desk, t, make, hall_responses.noted_arrivals)

    @bp.get(f"{T}/arrivals")
    @Operation(
        "Arrivals, corrected ones too; of a round also who is there, by board",
        name="listArrivals",
        answer=answers.ArrivalsAnswer,
        query=LISTED,
    )
    def list_arrivals(t: str) -> Response:
        view = tournament_query.view(desk, t)
        rows = [hall_responses.arrival(view.tournament, one) for one in view.state.arrivals.values()]
        return page(view, "arrivals", rows, lambda round: {"boards": hall_responses.boards(view.state, round)})

    @bp.get(f"{T}/arrivals/<a>")
    @Operation("One arrival", name="getArrival", answer=answers.ArrivalAnswer, query=VIEW)
    def show_arrival(t: str, a: str) -> Response:
        view = tournament_query.view(desk, t)
        one = view.state.arrivals.get(a)
        if one is None:
            raise Problem(
                404, "unknown-arrival", say("No such arrival"), say("{t} has no arrival {a}", t=t, a=repr(a[:40]))
            )
        return tournament_query.answer(view, hall_responses.arrival(view.tournament, one))


def breaks(bp: Blueprint, desk: Desk) -> None:
    """Breaks of a game: noted, corrected, listed."""

    @bp.post("/v1/games/<g>/breaks")
    @Operation(
        "Note for how long a player left the board; too long or too often loses where the rulebook measures it",
        name="noteBreak",
        makes=BREAK,
        body=readers.BREAK.schema,
        answer=answers.BreakWrittenAnswer,
        query=PREVIEW,
        status=201,
    )
    def leave(g: str) -> Response:
        make = readers.BREAK.sent(desk.now, g=g)
        return previewed_or_run(desk, tournament_query.tournament_of(g), make, hall_responses.noted_break)

    @bp.post("/v1/games/<g>/breaks/<b>/correction")
    @Operation(
        "Correct a break in force, or say that there was none",
        name="correctBreak",
        makes=BREAK,
        body=readers.BREAK_CORRECTION.schema,
        answer=answers.BreakWrittenAnswer,
        query=PREVIEW,
        status=201,
    )
    def correct_break(g: str, b: str) -> Response:
        make = readers.BREAK_CORRECTION.sent(desk.now, g=g, b=b)
        return previewed_or_run(desk, tournament_query.tournament_of(g), make, hall_responses.noted_break)

    @bp.get("/v1/games/<g>/breaks")
    @Operation("Breaks of a game, corrected ones too", name="listBreaks", answer=answers.BreaksAnswer, query=VIEW)
    def list_breaks(g: str) -> Response:
        view = tournament_query.view(desk, tournament_query.tournament_of(g))
        if g not in view.state.games:
            raise Problem(404, "unknown-game", say("No such game"), say("no game {g}", g=repr(g[:100])))
        taken = [b for b in view.state.breaks.values() if b.game == g]
        rows = [hall_responses.break_(view.tournament, b) for b in taken]
        return paging.listed(view, "breaks", rows)

    @bp.get("/v1/games/<g>/breaks/<b>")
    @Operation("One break", name="getBreak", answer=answers.BreakAnswer, query=VIEW)
    def show_break(g: str, b: str) -> Response:
        view = tournament_query.view(desk, tournament_query.tournament_of(g))
        one = view.state.breaks.get(b)
        if one is None or one.game != g:
            raise Problem(
                404, "unknown-break", say("No such break"), say("{g} has no break {b}", g=g[:100], b=repr(b[:40]))
            )
        return tournament_query.answer(view, hall_responses.break_(view.tournament, one))
