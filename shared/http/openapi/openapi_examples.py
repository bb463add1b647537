"""Examples of requests and answers in the OpenAPI documents, as a real house gave them (`deploy.build.examples_build`)."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("examples.json")
_JSON, _PROBLEM = "application/json", "application/problem+json"


def add(document: dict[str, Any]) -> None:
    """Put the examples of each operation into a document: its first body, the first answer of each status in JSON. Problems
    are shown where all operations have them, under what they are called."""
    operations = {told.get("operationId"): told for path in document["paths"].values() for told in path.values()}
    for example in _examples():
        told = operations.get(example["operation"])
        if told is None:
            continue
        if example["request"] is not None and example["status"] < 300:
            told["requestBody"]["content"][_JSON].setdefault("example", example["request"])
        if example["answer"] is not None:
            for place in _answers(document, told, example):
                place.setdefault("example", example["answer"])


def _answers(document: dict[str, Any], told: dict[str, Any], example: dict[str, Any]) -> Iterator[dict[str, Any]]:
    answer = told["responses"][str(example["status"])]
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    for media in (_JSON, _PROBLEM):
        if media in answer.get("content", {}):
            yield answer["content"][media]


@cache
def _examples() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    return found
