"""The problem codes of the API: the meaning, the cause and the remedy of each, and what the code says about it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shared.http.problems import STATUS_ONLY, document_of
from shared.regulations.typed_toml import read_toml

FACTS = Path(__file__).with_name("problem_facts.json")
"""Code -> its statuses and messages, as `deploy.build.problem_sites` finds them in the code."""


@dataclass(frozen=True, slots=True)
class ProblemText:
    """The explanation of a problem code. ``messages`` are templates of details with which it is reported.

    ``example``: the status, title, detail and ``written`` of a report in the code, or nothing if it has none.
    """

    code: str
    statuses: Sequence[int]
    messages: Sequence[str]
    meaning: str
    cause: str
    remedy: str
    example: Mapping[str, Any]


@cache
def problem_texts() -> Mapping[str, ProblemText]:
    """Return the explanation of each problem code, sorted by code."""
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    rows = read_toml("shared.http", "problem_texts.toml", dict[str, dict[str, str]])
    return {code: _text(code, row, facts.get(code, {})) for code, row in sorted(rows.items())}


def _text(code: str, row: Mapping[str, str], facts: Mapping[str, Any]) -> ProblemText:
    messages = tuple(str(text) for text in facts.get("messages", ()))
    statuses = tuple(int(status) for status in facts.get("statuses", ()))
    return ProblemText(code, statuses, messages, row["meaning"], row["cause"], row["remedy"], facts.get("example", {}))


def example_document(one: ProblemText) -> Mapping[str, Any]:
    """Return a problem document with this code as a server sends it, with invented facts."""
    told: Mapping[str, Any] = one.example or {"status": 418, "title": "Http 418", "detail": "", "written": "no"}
    rows = _examples()
    facts = rows["facts"] | rows["facts_of"].get(one.code, {})
    detail = rows["details"].get(one.code) or str(told["detail"]).format_map(facts) or None
    return document_of(
        told["status"],
        one.code if one.example else f"{STATUS_ONLY}418",
        told["title"],
        detail,
        written=told["written"],
        **rows["members"].get(one.code, {}),
    )


@cache
def _examples() -> Mapping[str, Mapping[str, Any]]:
    return read_toml("shared.http", "problem_examples.toml", dict[str, dict[str, Any]])
