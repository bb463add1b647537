"""Penalties over HTTP: rulings and their consequences."""

from collections.abc import Callable, Sequence
from functools import partial

from flask import Blueprint, Response

from services.penalties import answers, readers, responses, schemas
from shared.core.state.tournament import TournamentState
from shared.core.terms import PENALTIES
from shared.desk.desk import Desk, View
from shared.http.addresses import G, T
from shared.http.answers import TournamentListAnswer
from shared.http.commands.write_routes import PREVIEW, WriteRoute
from shared.http.common_problems import unknown_appeal, unknown_ruling
from shared.http.operations import Creation, Operation
from shared.http.reads import paging, tournament_query
from shared.web.particulars import limit_caches
from shared.web.texts import may_read_case_texts_now

LISTED = (
    tournament_query.VIEW
    | paging.QUERY
    | {
        "player": "Return only rows of this player number.",
        "round": "Return only rows of this round.",
    }
)
"""The query of a list of rows, each of a player and a round."""
Row = answers.RulingAnswer | answers.ArrivalAnswer
Boards = Callable[[TournamentState, int], Sequence[answers.ArrivedBoardAnswer]]
_RULING = "/v1/tournaments/{t}/rulings/{ruling}"

_READERS = (
    "callers in office as `arbiter`, `deputy_chief_arbiter`, `chief_arbiter` or `organiser`, for an `auditor`, and for the "
    "roles that decide appeals by the ruleset. Tokens that are limited to some boards are excluded."
)
_GROUNDS = f"The grounds are included only for {_READERS}"
_TEXTS = f"`reason` and `note` are references; `reason_text` and `note_text` have their words, only for {_READERS}"
_ruled = partial(Creation, makes=_RULING, answer=answers.RulingWrittenAnswer, query=PREVIEW)
_route = partial(WriteRoute, PENALTIES)
RULING = _route(
    f"{T}/rulings",
    readers.ruling,
    _ruled(
        "Make a ruling",
        name="makeRuling",
        description=(
            "Imposes the effect of an infraction on a player. Rulings that follow from it by the penalty ladder "
            "are made in the same command: the `ladder` of the ruleset (`getRegulations`) states which count costs a game. "
            "For an effect that the ruleset fixes, the role needs only the act `apply`. If the facts rule out the "
            "infraction, the response is 409 and names them."
        ),
        body=schemas.RulingSchema,
    ),
    responses.ruling_and_consequences,
)
GAME_DECISION = _route(
    f"{G}/decision",
    readers.game_decision,
    _ruled(
        "Decide a game that cannot continue",
        name="decideGame",
        description=(
            "Gives a game one of the results that the article of the infraction allows, if no player is accused."
        ),
        body=schemas.GameDecisionSchema,
    ),
    responses.ruling_and_consequences,
)
ANNULMENT = _route(
    f"{T}/rulings/<r>/annulment",
    readers.annulment,
    _ruled(
        "Annul a ruling",
        name="annulRuling",
        description=(
            "Rulings that depend on the ruling lapse. Annulling an annulment restores the ruling. The preview "
            "shows which rulings would be due again."
        ),
        body=schemas.AnnulmentSchema,
    ),
    responses.ruling_and_consequences,
)
RETRACTION = _route(
    f"{T}/rulings/<r>/retraction",
    readers.retraction,
    _ruled(
        "Retract a ruling made by mistake",
        name="retractRuling",
        description=(
            "Takes back a ruling or an annulment as a mistake. The same act can be ruled on again. The official "
            "who made the ruling can retract it, or a role that the ruleset names, until a later round is paired "
            "or standings are published."
        ),
        body=schemas.RetractionSchema,
    ),
    responses.ruling_and_consequences,
)
APPEAL = _route(
    f"{T}/appeals",
    readers.appeal,
    Creation(
        "Lodge an appeal against a ruling",
        name="lodgeAppeal",
        description=(
            "The player concerned lodges the appeal, logged in with an invitation, or an official does so for "
            "the player (`by`). Each ruling can be appealed once, within the time limit of the ruleset."
        ),
        makes="/v1/tournaments/{t}/appeals/{appeal}",
        answer=answers.AppealWrittenAnswer,
        body=schemas.AppealSchema,
    ),
    responses.appeal_id,
)
APPEAL_DECISION = _route(
    f"{T}/appeals/<a>/decision",
    readers.appeal_decision,
    Creation(
        "Decide an appeal",
        name="decideAppeal",
        description=(
            "If the appeal is upheld, the ruling is annulled. Rulings that depend on it are no longer in force then "
            "(`out_of_force`), and a game that they decided has its reported result, or none (`reopened`). `listRulings` says "
            "why a ruling is not in force, and `previewCommand` shows this before the decision. Nobody decides an appeal "
            "against their own decision."
        ),
        answer=answers.ConsequencesAnswer,
        body=schemas.DecisionSchema,
    ),
    responses.consequences,
)
CROSSING = _route(
    f"{T}/crossings/<int:seq>",
    readers.crossing,
    Creation(
        "Acknowledge concurrent decisions",
        name="noteCrossing",
        description=(
            "Two services decided at the same time, each without the other's event (`crossings` of "
            "`getIntegrity`). The acknowledgement removes them from that list."
        ),
        body=schemas.CrossingSchema,
        optional_body=True,
    ),
)
WRITES = (RULING, GAME_DECISION, ANNULMENT, RETRACTION, APPEAL, APPEAL_DECISION)


def page(
    view: View,
    kind: Callable[..., TournamentListAnswer],
    rows: Sequence[Row],
    boards: Boards | None = None,
    completed: Callable[[Sequence[Row]], Sequence[Row]] | None = None,
) -> Response:
    """Return a page of the rows of the player and the round in the query, ordered by ``seq``; for a round also its ``boards``.

    ``completed`` adds to the rows of the page what takes time. Raises `Problem` 422 if a value of the query is not a number.
    """
    window = paging.window()
    filters = {"player": tournament_query.number("player", 1), "round": tournament_query.number("round", 1)}
    asked = [
        row
        for row in rows
        if row.seq > window.after and all(n is None or getattr(row, key) == n for key, n in filters.items())
    ]
    shown: Sequence[Row] = asked[: window.limit]
    following = paging.next_url(shown[-1].seq) if len(asked) > len(shown) else None
    if completed is not None:
        shown = completed(shown)
    round = filters["round"]
    return paging.listed(
        view, kind, shown, following, **({"boards": boards(view.state, round)} if boards and round else {})
    )


def reads(bp: Blueprint, desk: Desk) -> None:
    """Rulings, appeals, and the rulebook in force."""

    @bp.get(f"{T}/appeals")
    @Operation(
        "List appeals",
        name="listAppeals",
        description=f"Open and decided appeals are included. {_GROUNDS}",
        answer=answers.AppealsAnswer,
        query=tournament_query.VIEW,
        errors=(401,),
    )
    def list_appeals(t: str) -> Response:
        view, personal = tournament_query.view(desk, t), may_read_case_texts_now(desk, t)
        rows = responses.appeals(view.state.appeals.values(), desk, reads_texts=personal)
        return limit_caches(paging.listed(view, answers.AppealsAnswer, rows), personal=personal)

    @bp.get(f"{T}/appeals/<a>")
    @Operation(
        "Get an appeal",
        name="getAppeal",
        description=f"Returns the appeal and its decision, if there is one. {_GROUNDS}",
        answer=answers.AppealAnswer,
        query=tournament_query.VIEW,
        errors=(401,),
    )
    def show_appeal(t: str, a: str) -> Response:
        view, personal = tournament_query.view(desk, t), may_read_case_texts_now(desk, t)
        one = view.state.appeals.get(a)
        if one is None:
            raise unknown_appeal(t, a)
        (row,) = responses.appeals([one], desk, reads_texts=personal)
        return limit_caches(tournament_query.answer(view, row), personal=personal)

    @bp.get(f"{T}/rulings")
    @Operation(
        "List rulings and annulments",
        name="listRulings",
        description=f"Each row says whether it is in force, and why not. Rows are sorted by `seq`. {_TEXTS}",
        answer=answers.RulingsAnswer,
        query=LISTED,
        errors=(401,),
    )
    def list_rulings(t: str) -> Response:
        view, personal = tournament_query.view(desk, t), may_read_case_texts_now(desk, t)
        texts = partial(responses.with_texts, desk) if personal else None
        answer = page(view, answers.RulingsAnswer, responses.rulings(view.state), completed=texts)
        return limit_caches(answer, personal=personal)

    @bp.get(f"{T}/rulings/<r>")
    @Operation(
        "Get a ruling or an annulment",
        name="getRuling",
        description=f"Returns the ruling, whether it is in force, and its consequences. {_TEXTS}",
        answer=answers.RulingAnswer,
        query=tournament_query.VIEW,
        errors=(401,),
    )
    def show_ruling(t: str, r: str) -> Response:
        view, personal = tournament_query.view(desk, t), may_read_case_texts_now(desk, t)
        answer = responses.ruling(view.state, r)
        if answer is None:
            raise unknown_ruling(t, r)
        if personal:
            (answer,) = responses.with_texts(desk, [answer])
        return limit_caches(tournament_query.answer(view, answer), personal=personal)

    @bp.get(f"{T}/rulebook")
    @Operation(
        "Get the rule text in force",
        name="getRulebook",
        description=("Returns the penalty rules of the tournament's ruleset, each with its article."),
        answer=answers.RulebookAnswer,
        query=tournament_query.AT,
        errors=(409,),
    )
    def rulebook(t: str) -> Response:
        view = tournament_query.view(desk, t)
        regulations = view.tournament.regulations
        return tournament_query.answer(view, answers.RulebookAnswer(regulations.name, regulations.rulebook))
