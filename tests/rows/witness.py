"""What a test asked over HTTP, and whether that is what its marks claim."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from flask import current_app, request, request_finished
from werkzeug.wrappers import Response

from shared.core.rulebook.regulations import Regulations
from shared.core.state.tournament import Tournament
from shared.http.requests.app_context import EXTENSION
from shared.regulations import load, names
from shared.regulations.changes import changed
from tests.rows.marks import JUDGE
from tests.rows.values import values_at

_ADOPTION = re.compile(r"(?:/services/\w+)?/v1/tournaments(?:/(?P<t>[^/]+)/regulations)?")
_JUDGE = re.compile(r"(?:/services/\w+)?/v1/judge")
_PREPARATION = re.compile(r".*/(?:officials|entries)")


class Witness:
    """``adopted``: the regulations of each announcement and change that was followed; ``judged``: the questions that were
    answered, with the ``set`` that each names; ``played``: what else was sent."""

    def __init__(self) -> None:
        self.adopted: list[Regulations] = []
        self.judged: list[dict[str, Any]] = []
        self.played: list[str] = []

    def __enter__(self) -> "Witness":
        request_finished.connect(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        request_finished.disconnect(self._see)

    @property
    def sets(self) -> set[str]:
        """The sets that a tournament had as they are shipped, and those that the judge was asked to judge by."""
        unchanged = {one.name for one in self.adopted if not one.changes}
        asked = {str(one.get("regulations", JUDGE)) for one in self.judged if not one.get("changes")}
        return (unchanged & set(names())) | asked

    def _see(self, sender: Any, response: Response, **_: Any) -> None:
        if request.method != "POST":
            return
        if _JUDGE.fullmatch(request.path):
            self._see_answers(response)
        elif adoption := _ADOPTION.fullmatch(request.path):
            if response.status_code in (200, 201) and "preview" not in request.args:
                self._see_regulations(adoption["t"] or request.get_json()["id"])
        elif not _PREPARATION.fullmatch(request.path):
            self.played.append(request.path)

    def _see_regulations(self, tournament: str) -> None:
        view = current_app.extensions[EXTENSION].desk.view(tournament)
        if view is not None and isinstance(view.tournament, Tournament):
            self.adopted.append(view.tournament.regulations)

    def _see_answers(self, response: Response) -> None:
        asked, given = request.get_json(silent=True), response.get_json(silent=True)  # type: ignore[attr-defined]
        pairs = zip(asked, given, strict=True) if isinstance(given, list) else [(asked, given)]
        self.judged += [question for question, answer in pairs if isinstance(answer, dict) and _judged(answer)]

    def _judged_by(self) -> list[Regulations]:
        """The regulations that questions named, each with its changes."""
        named = [one for one in self.judged if "regulations" in one]
        return [changed(load(one["regulations"]), one.get("changes", {})) for one in named]

    def complaints(self, marks: Iterable[pytest.Mark]) -> list[str]:
        """What the marks of a test claim, and it did not do."""
        said = []
        for mark in marks:
            if mark.name == "row":
                said += self._of_row(mark.args[0], mark.kwargs["under"])
            elif mark.name == "plays":
                said += self._of_values(*mark.args)
        return said

    def _of_row(self, number: str, under: str) -> list[str]:
        if under != JUDGE and under not in names():
            return [f"row {number}: {under} is no shipped set"]
        if under not in self.sets:
            seen = ", ".join(sorted(self.sets)) or "none"
            return [f"row {number}: no tournament had {under} as it is shipped, but {seen}"]
        if not (self.played or self.judged):
            return [f"row {number}: nothing was sent but what announces a tournament"]
        return []

    def _of_values(self, path: str, *values: Any) -> list[str]:
        seen = [value for one in self.adopted for value in values_at(one, path)]
        seen += [value for one in self.judged for value in values_at(one, path)]
        seen += [value for one in self._judged_by() for value in values_at(one, path)]
        missing = [value for value in values if not any(type(value) is type(one) and value == one for one in seen)]
        if not values:
            return [f"{path}: no value is named"]
        return [f"{path}: {missing} stood in no tournament, but {seen}"] if missing else []


def _judged(answer: dict[str, Any]) -> bool:
    """Whether a question was judged: answered, or refused by an article."""
    return "answer" in answer or "article" in answer.get("error", {})
