"""The problem codes of the API: the meaning, the cause and the remedy of each, and what the code says about it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from shared.http.problems import document_of
from shared.regulations.typed_toml import read_toml

FACTS = Path(__file__).with_name("problem_facts.json")
"""Code -> its statuses and messages, as `deploy.build.problem_sites` finds them in the code."""


@dataclass(frozen=True, slots=True)
class ProblemText:
    """The explanation of a problem code. ``messages`` are templates of details with which it is reported."""

    code: str
    statuses: Sequence[int]
    messages: Sequence[str]
    meaning: str
    cause: str
    remedy: str


@cache
def problem_texts() -> Mapping[str, ProblemText]:
    """Return the explanation of each problem code, sorted by code."""
    facts = json.loads(FACTS.read_text(encoding="utf-8"))
    rows = read_toml("shared.http", "problem_texts.toml", dict[str, dict[str, str]])
    return {code: _text(code, row, facts.get(code, {})) for code, row in sorted(rows.items())}


def _text(code: str, row: Mapping[str, str], facts: Mapping[str, Sequence[int | str]]) -> ProblemText:
    messages = tuple(str(text) for text in facts.get("messages", ()))
    statuses = tuple(int(status) for status in facts.get("statuses", ()))
    return ProblemText(code, statuses, messages, row["meaning"], row["cause"], row["remedy"])


def example_document(one: ProblemText) -> Mapping[str, Any]:
    """Return a problem document with this code. The placeholders of its detail have no values."""
    return document_of(
        next(iter(one.statuses), 400), one.code, one.meaning.removesuffix("."), next(iter(one.messages), None)
    )
