"""Penalties over HTTP: rulings and their consequences."""

from collections.abc import Callable, Sequence

from flask import Blueprint, Response

from services.penalties import answers, readers, responses, schemas
from shared.core.language.messages import say
from shared.core.state.tournament import TournamentState
from shared.core.terms import PENALTIES
from shared.desk.desk import Desk, View
from shared.http.addresses import G, T
from shared.http.answers import TournamentListAnswer
from shared.http.commands.write_routes import PREVIEW, WriteRoute
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import paging, tournament_query

VIEW = {"at": "as of this line", "after": "not before it", "without": "as if these rulings did not stand"}
LISTED = VIEW | {"player": "of this player", "round": "of this round", "cursor": "page", "limit": "page size"}
"""The query of a list of rows, each of a player and a round."""
Row = answers.RulingAnswer | answers.ArrivalAnswer
Boards = Callable[[TournamentState, int], Sequence[answers.ArrivedBoardAnswer]]
_RULING = "/v1/tournaments/{t}/rulings/{ruling}"

RULING = WriteRoute(
    PENALTIES,
    f"{T}/rulings",
    readers.ruling,
    Operation(
        "Make a ruling; what is due after it is made with it",
        name="makeRuling",
        makes=_RULING,
        answer=answers.RulingWrittenAnswer,
        body=schemas.RulingSchema,
        query=PREVIEW,
        status=201,
    ),
    responses.ruling_and_consequences,
)
GAME_DECISION = WriteRoute(
    PENALTIES,
    f"{G}/decision",
    readers.game_decision,
    Operation(
        "Decide a game that cannot go on and that nobody is accused for, within what the infraction's article allows",
        name="decideGame",
        makes=_RULING,
        answer=answers.RulingWrittenAnswer,
        body=schemas.GameDecisionSchema,
        query=PREVIEW,
        status=201,
    ),
    responses.ruling_and_consequences,
)
ANNULMENT = WriteRoute(
    PENALTIES,
    f"{T}/rulings/<r>/annulment",
    readers.annulment,
    Operation(
        "Annul a ruling or an annulment; its preview shows what would be due again",
        name="annulRuling",
        makes=_RULING,
        answer=answers.RulingWrittenAnswer,
        body=schemas.AnnulmentSchema,
        query=PREVIEW,
        status=201,
    ),
    responses.ruling_and_consequences,
)
RETRACTION = WriteRoute(
    PENALTIES,
    f"{T}/rulings/<r>/retraction",
    readers.retraction,
    Operation(
        "Retract a ruling or an annulment that was a slip, until others go by it",
        name="retractRuling",
        makes=_RULING,
        answer=answers.RulingWrittenAnswer,
        body=schemas.RetractionSchema,
        query=PREVIEW,
        status=201,
    ),
    responses.ruling_and_consequences,
)
APPEAL = WriteRoute(
    PENALTIES,
    f"{T}/appeals",
    readers.appeal,
    Operation(
        "Appeal against a ruling: by the player concerned, or for him by an official",
        name="lodgeAppeal",
        makes="/v1/tournaments/{t}/appeals/{appeal}",
        answer=answers.AppealWrittenAnswer,
        body=schemas.AppealSchema,
        status=201,
    ),
    responses.appeal_id,
)
APPEAL_DECISION = WriteRoute(
    PENALTIES,
    f"{T}/appeals/<a>/decision",
    readers.appeal_decision,
    Operation(
        "Decide an appeal; upheld, it annuls the ruling",
        name="decideAppeal",
        answer=answers.ConsequencesAnswer,
        body=schemas.DecisionSchema,
        status=201,
    ),
    responses.consequences,
)
CROSSING = WriteRoute(
    PENALTIES,
    f"{T}/crossings/<int:seq>",
    readers.crossing,
    Operation(
        "Note a crossing of the integrity list",
        name="noteCrossing",
        body=schemas.CrossingSchema,
        optional_body=True,
        status=201,
    ),
)
WRITES = (RULING, GAME_DECISION, ANNULMENT, RETRACTION, APPEAL, APPEAL_DECISION)


def page(
    view: View, kind: Callable[..., TournamentListAnswer], rows: Sequence[Row], boards: Boards | None = None
) -> Response:
    """Return a page of the rows of the player and the round in the query, ordered by ``seq``; for a round also its ``boards``.
    Raises `Problem` 422 if a value of the query is not a number."""
    window = paging.window()
    filters = {"player": tournament_query.number("player", 1), "round": tournament_query.number("round", 1)}
    asked = [
        row
        for row in rows
        if row.seq > window.after and all(n is None or getattr(row, key) == n for key, n in filters.items())
    ]
    shown = asked[: window.limit]
    following = paging.next_url(shown[-1].seq) if len(asked) > len(shown) else None
    round = filters["round"]
    return paging.listed(
        view, kind, shown, following, **({"boards": boards(view.state, round)} if boards and round else {})
    )


def reads(bp: Blueprint, desk: Desk) -> None:
    """Rulings, appeals, and the rulebook in force."""

    @bp.get(f"{T}/appeals")
    @Operation("Appeals, open and decided", name="listAppeals", answer=answers.AppealsAnswer, query=VIEW)
    def list_appeals(t: str) -> Response:
        view = tournament_query.view(desk, t)
        return paging.listed(view, answers.AppealsAnswer, [responses.appeal(a) for a in view.state.appeals.values()])

    @bp.get(f"{T}/appeals/<a>")
    @Operation("One appeal", name="getAppeal", answer=answers.AppealAnswer, query=VIEW)
    def show_appeal(t: str, a: str) -> Response:
        view = tournament_query.view(desk, t)
        one = view.state.appeals.get(a)
        if one is None:
            raise Problem(
                404,
                "unknown-appeal",
                say("No such appeal"),
                say("{t} has no appeal {appeal}", t=t, appeal=repr(a[:40])),
            )
        return tournament_query.answer(view, responses.appeal(one))

    @bp.get(f"{T}/rulings")
    @Operation(
        "Rulings and annulments, each with whether it stands and why",
        name="listRulings",
        answer=answers.RulingsAnswer,
        query=LISTED,
    )
    def list_rulings(t: str) -> Response:
        view = tournament_query.view(desk, t)
        return page(view, answers.RulingsAnswer, responses.rulings(view.state))

    @bp.get(f"{T}/rulings/<r>")
    @Operation("One ruling or annulment", name="getRuling", answer=answers.RulingAnswer, query=VIEW)
    def show_ruling(t: str, r: str) -> Response:
        view = tournament_query.view(desk, t)
        answer = responses.ruling(view.state, r)
        if answer is None:
            raise Problem(
                404, "unknown-ruling", say("No such ruling"), say("{t} has no ruling {r}", t=t, r=repr(r[:40]))
            )
        return tournament_query.answer(view, answer)

    @bp.get(f"{T}/rulebook")
    @Operation(
        "The rulebook in force, each row with its article",
        name="getRulebook",
        answer=answers.RulebookAnswer,
        query={"at": "as of this line"},
        errors=(409,),
    )
    def rulebook(t: str) -> Response:
        view = tournament_query.view(desk, t)
        regulations = view.tournament.regulations
        return tournament_query.answer(view, answers.RulebookAnswer(regulations.name, regulations.rulebook))
