"""Games under a set with changes, and what tests of values ask of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from werkzeug.test import TestResponse

from tests.http.boards import Board, G, T, board


@contextmanager
def changed(data: Path, regulations: str, game: str, /, *, conditions: Any = None, **values: Any) -> Iterator[Board]:
    """The game T.1.1 under a set with these ``values`` of the game in place of its own; its ``conditions``, where any."""
    changes = {f"game.{game}.{name}": value for name, value in values.items()}
    more = {} if conditions is None else {"conditions": conditions}
    with board(data, game, regulations, changes=changes, **more) as b:
        yield b


def followed(*answers: TestResponse) -> Any:
    """What the last of these commands, which must all be followed, answered."""
    assert [answer.status_code for answer in answers] == [201] * len(answers), [answer.text for answer in answers]
    return answers[-1].json


def refused(answer: TestResponse) -> tuple[str, str | None]:
    """Code and article of a refusal by the rules."""
    assert answer.status_code == 409, answer.text
    return answer.json["type"].rpartition(":")[2], answer.json.get("article")


def claim(b: Board, claim: str, role: Any = "arbiter", **more: Any) -> TestResponse:
    return b.call("POST", f"{G}/claims", {"claim": claim, **more}, role)


def upheld(answer: TestResponse) -> bool:
    return bool(followed(answer)["state"] == "upheld")


def result(b: Board) -> str | None:
    """The result's notation; None while the game goes on."""
    told = b.get().json["result"]
    return None if told is None else str(told["notation"])


def rulings(b: Board) -> list[tuple[str, str]]:
    """Each ruling's infraction and effect."""
    made = b.call("GET", f"{T}/rulings", None, None).json["rulings"]
    return [(one["infraction"], one["effect"]["kind"]) for one in made]
