"""The hall over HTTP: arrivals, a round's check-in, breaks, and the corrections of them."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Blueprint, Response

from services.penalties import answers, hall_schemas, readers
from services.penalties.answers import (
    ArrivalAnswer,
    ArrivalsWrittenAnswer,
    ArrivedBoardAnswer,
    BreakAnswer,
    BreakWrittenAnswer,
    SeatAnswer,
)
from services.penalties.responses import counted, written_rulings
from services.penalties.routes import LISTED, page
from shared.core.events import ArrivalCorrected, ArrivalNoted, BreakCorrected, BreakTaken, Event
from shared.core.language.messages import say
from shared.core.state.entities import Arrival, Break, Game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import PENALTIES, PlayerId
from shared.desk.desk import Desk
from shared.http.addresses import G, T
from shared.http.commands.write_routes import PREVIEW, Submission, WriteRoute
from shared.http.operations import Creation, Operation
from shared.http.problems import Problem
from shared.http.reads import paging, tournament_query
from shared.wire.answer import answer_of


def noted_arrivals(events: Sequence[Event], sent: Submission) -> ArrivalsWrittenAnswer:
    """Return the arrivals that a command wrote, and the rulings that followed from them."""
    ids = [e.data.arrival or f"a{e.sourceseq}" for e in events if isinstance(e.data, ArrivalNoted | ArrivalCorrected)]
    return ArrivalsWrittenAnswer(arrival=ids[0], arrivals=ids, brought=written_rulings(events))


def noted_break(events: Sequence[Event], sent: Submission) -> BreakWrittenAnswer:
    """Return the break that a command wrote, and the rulings that followed from it."""
    ids = (e.data.id or f"b{e.sourceseq}" for e in events if isinstance(e.data, BreakTaken | BreakCorrected))
    return BreakWrittenAnswer(break_=next(ids), brought=written_rulings(events))


def arrival(t: Tournament, one: Arrival) -> ArrivalAnswer:
    """Return an arrival, whether it is in force, and the rulings that follow from it."""
    game = t.games.get(one.game)
    return answer_of(
        ArrivalAnswer,
        one,
        round=None if game is None else game.round,
        board=None if game is None else game.board,
        absent=one.late is None,
        counted=counted(t, one),
        **_state(t, one.arrival),
    )


def break_(t: Tournament, one: Break) -> BreakAnswer:
    """Return a break, whether it is in force, and the rulings that follow from it."""
    return answer_of(BreakAnswer, one, break_=one.id, **_state(t, one.id))


def _state(t: Tournament, id: str) -> dict[str, Any]:
    return {
        "in_force": id not in t.corrections,
        "corrected_by": t.corrections.get(id),
        "rulings": t.consequences.get(id, ()),
    }


def boards(t: TournamentState, round: int) -> list[ArrivedBoardAnswer]:
    """Return the boards of a round's pairing in force, with the arrival of each seat."""
    pairing = t.current(round)
    games = [] if pairing is None else [t.games[b.game] for b in pairing.event.boards]
    return [ArrivedBoardAnswer(g.board, g.game, _seat(t, g, g.white), _seat(t, g, g.black)) for g in games]


def _seat(t: TournamentState, game: Game, player: PlayerId) -> SeatAnswer:
    one = t.arrival_of(game.game, player) or t.arrival_of(game.game, player, "hall")
    if one is None:
        return SeatAnswer(player, None, None, None, None)
    return SeatAnswer(player, one.arrival, one.late, one.late is None, one.place)


_ARRIVAL, _BREAK = "/v1/tournaments/{t}/arrivals/{arrival}", "/v1/games/{g}/breaks/{break}"

_route = partial(WriteRoute, PENALTIES)
ARRIVAL = _route(
    f"{T}/arrivals",
    readers.arrivals,
    Creation(
        "Record arrivals",
        name="noteArrivals",
        description=(
            "Records that a player arrived, was late or is absent. A body with `boards` records a whole round: "
            "all of its boards, or none. If the ruleset's limit for lateness at the board is exceeded, the game "
            "is lost."
        ),
        makes=_ARRIVAL,
        body=hall_schemas.ArrivalSchema,
        answer=answers.ArrivalsWrittenAnswer,
        query=PREVIEW,
    ),
    noted_arrivals,
)
ARRIVAL_CORRECTION = _route(
    f"{T}/arrivals/<a>/correction",
    readers.arrival_correction,
    Creation(
        "Correct an arrival",
        name="correctArrival",
        description=(
            "Replaces an arrival that is in force. Its consequences are computed again. A game that was played is "
            "not lost by a correction."
        ),
        makes=_ARRIVAL,
        body=hall_schemas.ArrivalCorrectionSchema,
        answer=answers.ArrivalsWrittenAnswer,
        query=PREVIEW,
    ),
    noted_arrivals,
)
BREAK = _route(
    f"{G}/breaks",
    readers.break_,
    Creation(
        "Record a player's absence from the board",
        name="noteBreak",
        description=(
            "If the ruleset limits breaks, a break that is too long, or one too many, loses the game or is a foul."
        ),
        makes=_BREAK,
        body=hall_schemas.BreakSchema,
        answer=answers.BreakWrittenAnswer,
        query=PREVIEW,
    ),
    noted_break,
)
BREAK_CORRECTION = _route(
    f"{G}/breaks/<b>/correction",
    readers.break_correction,
    Creation(
        "Correct a recorded absence from the board",
        name="correctBreak",
        description=(
            "Replaces the length of a break, or removes the break if `void` is true. Its consequences, and those "
            "of later breaks, are computed again."
        ),
        makes=_BREAK,
        body=hall_schemas.BreakCorrectionSchema,
        answer=answers.BreakWrittenAnswer,
        query=PREVIEW,
    ),
    noted_break,
)
WRITES = (ARRIVAL, ARRIVAL_CORRECTION, BREAK, BREAK_CORRECTION)


def reads(bp: Blueprint, desk: Desk) -> None:
    """Arrivals of a tournament and breaks of a game."""

    @bp.get(f"{T}/arrivals")
    @Operation(
        "List arrivals",
        name="listArrivals",
        description=(
            "Corrected arrivals are included. If `round` is given, the response also lists for each board who is "
            "present."
        ),
        answer=answers.ArrivalsAnswer,
        query=LISTED,
    )
    def list_arrivals(t: str) -> Response:
        view = tournament_query.view(desk, t)
        rows = [arrival(view.tournament, one) for one in view.state.arrivals.values()]
        return page(view, answers.ArrivalsAnswer, rows, boards)

    @bp.get(f"{T}/arrivals/<a>")
    @Operation(
        "Get an arrival",
        name="getArrival",
        description=("Returns the arrival, whether it is in force, and its consequences."),
        answer=answers.ArrivalAnswer,
        query=tournament_query.VIEW,
    )
    def show_arrival(t: str, a: str) -> Response:
        view = tournament_query.view(desk, t)
        one = view.state.arrivals.get(a)
        if one is None:
            raise Problem(
                404, "unknown-arrival", say("No such arrival"), say("{t} has no arrival {a}", t=t, a=repr(a[:40]))
            )
        return tournament_query.answer(view, arrival(view.tournament, one))

    @bp.get(f"{G}/breaks")
    @Operation(
        "List a game's absences from the board",
        name="listBreaks",
        description=("Corrected entries are included."),
        answer=answers.BreaksAnswer,
        query=tournament_query.VIEW,
    )
    def list_breaks(g: str) -> Response:
        view = tournament_query.view(desk, tournament_query.tournament_of(g))
        if g not in view.state.games:
            raise Problem(404, "unknown-game", say("No such game"), say("game {g} does not exist", g=repr(g[:100])))
        taken = [b for b in view.state.breaks.values() if b.game == g]
        rows = [break_(view.tournament, b) for b in taken]
        return paging.listed(view, answers.BreaksAnswer, rows)

    @bp.get(f"{G}/breaks/<b>")
    @Operation(
        "Get an absence from the board",
        name="getBreak",
        description=("Returns the break, whether it is in force, and its consequences."),
        answer=answers.BreakAnswer,
        query=tournament_query.VIEW,
    )
    def show_break(g: str, b: str) -> Response:
        view = tournament_query.view(desk, tournament_query.tournament_of(g))
        one = view.state.breaks.get(b)
        if one is None or one.game != g:
            raise Problem(
                404, "unknown-break", say("No such break"), say("{g} has no break {b}", g=g[:100], b=repr(b[:40]))
            )
        return tournament_query.answer(view, break_(view.tournament, one))
