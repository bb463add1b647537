"""What rows are proved by: answers of a board (`tests.http.boards`) in few words."""

from typing import Any

from werkzeug.test import TestResponse

from tests.http.boards import Board, G, T


def code(answer: TestResponse) -> tuple[int, str]:
    """Status and code of a problem."""
    assert answer.mimetype == "application/problem+json", answer.text
    return answer.status_code, answer.json["type"].rpartition(":")[2]


def article(answer: TestResponse) -> str:
    """The article that a problem names."""
    assert answer.mimetype == "application/problem+json", answer.text
    return str(answer.json["article"])


def followed(*answers: TestResponse) -> Any:
    """The JSON of the last of the answers, all of which must be followed."""
    for answer in answers:
        assert answer.status_code in (200, 201), answer.text
    return answers[-1].json


def claim(b: Board, claim: str, role: Any = "arbiter", **more: Any) -> Any:
    """The answer to a claim."""
    return followed(b.call("POST", f"{G}/claims", {"claim": claim, **more}, role))


def rule(b: Board, player: int, infraction: str, role: Any = "arbiter", **more: Any) -> Any:
    """The answer to a ruling in round 1."""
    body = {"player": player, "round": 1, "infraction": infraction, **more}
    return followed(b.call("POST", f"{T}/rulings", body, role))


def rulings(b: Board) -> list[tuple[str, str, str]]:
    """The rulings that stand: infraction, effect, article."""
    listed = b.call("GET", f"{T}/rulings", role=None).json["rulings"]
    return [(r["infraction"], r["effect"]["kind"], r["article"]) for r in listed if r["standing"]]


def result(b: Board) -> str | None:
    """The result of the game; None while it goes on."""
    found = b.get().json["result"]
    return None if found is None else str(found["notation"])
