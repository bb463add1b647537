"""Penalties over HTTP: rulings and what becomes of them."""

from collections.abc import Callable, Sequence
from typing import Any

from flask import Blueprint, Response

from services.penalties import answers, readers, responses, schemas
from services.penalties.rules import commands
from shared.core.events import Event
from shared.core.language.messages import say
from shared.core.terms import PENALTIES, Actor, Seq
from shared.desk.desk import Desk, View
from shared.http.commands.command_pipeline import Make, preview, run, wants_preview
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.http.reads import paging, tournament_query
from shared.http.requests.bodies import body
from shared.log.texts import Texts

T = "/v1/tournaments/<t>"
RULING = "/v1/tournaments/{t}/rulings/{ruling}"
Answer = Callable[[Sequence[Event]], dict[str, Any]]
PREVIEW = {"preview": "show what would be written, and write nothing"}
VIEW = {"at": "as of this line", "after": "not before it", "without": "as if these rulings did not stand"}


def previewed_or_run(desk: Desk, t: str, make: Make, answer: Answer = responses.ruling_and_consequences) -> Response:
    if wants_preview():
        return preview(desk, PENALTIES, t, make)
    return run(desk, PENALTIES, t, make, answer=answer)


LISTED = VIEW | {"player": "of this player", "round": "of this round", "cursor": "page", "limit": "page size"}
"""The query of a list of rows, each of a player and a round."""


def page(
    view: View, name: str, rows: Sequence[dict[str, Any]], more: Callable[[int], dict[str, Any]] | None = None
) -> Response:
    """A page of rows in the order of their ``seq``, those of the player and the round that are asked for; ``more``: what the
    answer says besides of the round. Raises `Problem` 422 for a query that is no number."""
    window = paging.window()
    filters = {"player": tournament_query.number("player", 1), "round": tournament_query.number("round", 1)}
    asked = [
        row
        for row in rows
        if row["seq"] > window.after and all(n is None or row.get(key) == n for key, n in filters.items())
    ]
    shown = asked[: window.limit]
    following = paging.next_url(shown[-1]["seq"]) if len(asked) > len(shown) else None
    round = filters["round"]
    return paging.listed(
        view, name, shown, following, **(more(round) if more is not None and round is not None else {})
    )


def rulings(bp: Blueprint, desk: Desk) -> None:
    """Rulings, annulments and retractions."""

    @bp.post(f"{T}/rulings")
    @Operation(
        "Make a ruling; what is due after it is made with it",
        name="makeRuling",
        makes=RULING,
        answer=answers.RulingWrittenAnswer,
        body=readers.RULING.schema,
        query=PREVIEW,
        status=201,
    )
    def rule(t: str) -> Response:
        return previewed_or_run(desk, t, readers.RULING.sent(desk.now, t=t))

    @bp.post("/v1/games/<g>/decision")
    @Operation(
        "Decide a game that cannot go on and that nobody is accused for, within what the infraction's article allows",
        name="decideGame",
        makes=RULING,
        answer=answers.RulingWrittenAnswer,
        body=readers.GAME_DECISION.schema,
        query=PREVIEW,
        status=201,
    )
    def decide_game(g: str) -> Response:
        return previewed_or_run(desk, tournament_query.tournament_of(g), readers.GAME_DECISION.sent(desk.now, g=g))

    @bp.post(f"{T}/rulings/<r>/annulment")
    @Operation(
        "Annul a ruling or an annulment; its preview shows what would be due again",
        name="annulRuling",
        makes=RULING,
        answer=answers.RulingWrittenAnswer,
        body=readers.ANNULMENT.schema,
        query=PREVIEW,
        status=201,
    )
    def annul(t: str, r: str) -> Response:
        return previewed_or_run(desk, t, readers.ANNULMENT.sent(desk.now, t=t, r=r))

    @bp.post(f"{T}/rulings/<r>/retraction")
    @Operation(
        "Retract a ruling or an annulment that was a slip, until others go by it",
        name="retractRuling",
        makes=RULING,
        answer=answers.RulingWrittenAnswer,
        body=readers.RETRACTION.schema,
        query=PREVIEW,
        status=201,
    )
    def retract(t: str, r: str) -> Response:
        return previewed_or_run(desk, t, readers.RETRACTION.sent(desk.now, t=t, r=r))


def appeals(bp: Blueprint, desk: Desk) -> None:
    """Appeals: lodged, decided, listed."""

    @bp.post(f"{T}/appeals")
    @Operation(
        "Appeal against a ruling: by the player concerned, or for him by an official",
        name="lodgeAppeal",
        makes="/v1/tournaments/{t}/appeals/{appeal}",
        answer=answers.AppealWrittenAnswer,
        body=readers.APPEAL.schema,
        status=201,
    )
    def lodge(t: str) -> Response:
        return run(desk, PENALTIES, t, readers.APPEAL.sent(desk.now, t=t), answer=responses.appeal_id)

    @bp.post(f"{T}/appeals/<a>/decision")
    @Operation(
        "Decide an appeal; upheld, it annuls the ruling",
        name="decideAppeal",
        answer=answers.ConsequencesAnswer,
        body=readers.APPEAL_DECISION.schema,
        status=201,
    )
    def decide(t: str, a: str) -> Response:
        return run(desk, PENALTIES, t, readers.APPEAL_DECISION.sent(desk.now, t=t, a=a), answer=responses.consequences)

    @bp.get(f"{T}/appeals")
    @Operation("Appeals, open and decided", name="listAppeals", answer=answers.AppealsAnswer, query=VIEW)
    def list_appeals(t: str) -> Response:
        view = tournament_query.view(desk, t)
        return paging.listed(view, "appeals", [responses.appeal(a) for a in view.state.appeals.values()])

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


def crossings(bp: Blueprint, desk: Desk) -> None:
    """Notes of the chief arbiter."""

    @bp.post(f"{T}/crossings/<int:seq>")
    @Operation(
        "Note a crossing of the integrity list",
        name="noteCrossing",
        body=schemas.CrossingSchema,
        optional_body=True,
        status=201,
    )
    def cross(t: str, seq: int) -> Response:
        def make(actor: Actor, texts: Texts) -> commands.NoteCrossing:
            return commands.NoteCrossing(actor, Seq(seq), texts.ref(body()["note"]))

        return run(desk, PENALTIES, t, make)


def reads(bp: Blueprint, desk: Desk) -> None:
    """Rulings as they stand, and the rulebook in force."""

    @bp.get(f"{T}/rulings")
    @Operation(
        "Rulings and annulments, each with whether it stands and why",
        name="listRulings",
        answer=answers.RulingsAnswer,
        query=LISTED,
    )
    def list_rulings(t: str) -> Response:
        view = tournament_query.view(desk, t)
        return page(view, "rulings", responses.rulings(view))

    @bp.get(f"{T}/rulings/<r>")
    @Operation("One ruling or annulment", name="getRuling", answer=answers.RulingAnswer, query=VIEW)
    def show_ruling(t: str, r: str) -> Response:
        view = tournament_query.view(desk, t)
        answer = responses.ruling(view, r)
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
        return tournament_query.answer(view, {"regulations": regulations.name, "rulebook": regulations.rulebook})
