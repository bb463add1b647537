"""The judge over HTTP: rulings on positions and games of no tournament."""

import msgspec
from flask import Blueprint, Response

from services.games import answers, schemas
from services.games.rules.boards.port.search_budget import Effort
from services.games.rules.judge.registry import answer
from shared.http.language import language
from shared.http.operations import JUDGEMENT, Operation
from shared.http.requests.request_parts import load_body, parsed

JSON = "application/json"


def judge(bp: Blueprint) -> None:
    """Rulings on positions and games of no tournament."""

    @bp.post("/v1/judge")
    @Operation(
        "Judge positions and games",
        name="judge",
        description=(
            "Answers one question, or a list of up to the permitted number of questions, about positions and "
            "games outside a tournament. A question that cannot be answered gets an error in its place in the "
            "list."
        ),
        body=schemas.QuestionsSchema,
        answer=answers.VerdictsAnswer,
        errors=(413, 415),
        public=True,
        cost=JUDGEMENT,
    )
    def ask() -> Response:
        document = parsed()
        questions = load_body({"questions": document if isinstance(document, list) else [document]})["questions"]
        effort = Effort()
        verdicts = [answer(question, effort, language.words) for question in questions]
        response = Response(msgspec.json.encode(verdicts if isinstance(document, list) else verdicts[0]), mimetype=JSON)
        language.mark(response)
        return response
