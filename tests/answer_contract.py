"""Every answer of the API that a test asks for is held to the OpenAPI document: its status, media type, headers and body."""

import json
from collections.abc import Callable
from functools import cache, wraps
from inspect import unwrap
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator, ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse
from werkzeug.wrappers import Request

from deploy.openapi_build import FOLDER, UNION
from shared.http.app_context import EXTENSION
from shared.http.openapi import template

_API = "/v1/"
_OURS = ("services.", "shared.")
"""Tests of the machinery have routes of their own, which no document describes."""
_JSON = ("application/json", "application/problem+json")


class NotDescribed(AssertionError):
    """An answer that the OpenAPI document does not have."""


def watch() -> None:
    """Hold every answer to every test client's request of the API to the document, from now on."""
    opened: Callable[..., TestResponse] = FlaskClient.open

    @wraps(opened)
    def watched(client: FlaskClient, *args: Any, **options: Any) -> TestResponse:
        response = opened(client, *args, **options)
        if EXTENSION in client.application.extensions:
            check(client.application, response)
        return response

    FlaskClient.open = watched  # type: ignore[method-assign]


def check(app: Flask, response: TestResponse) -> None:
    """Compare one answer with what the document says of its route. Raises `NotDescribed`."""
    described = _described(app, response.request)
    if described is None:
        return
    name, operation = described
    answers = operation["responses"]
    answer = answers.get(str(response.status_code)) or _reference(answers.get(f"{response.status_code // 100}XX"))
    if answer is None:
        raise NotDescribed(f"{name}: no status {response.status_code}: {response.get_data(as_text=True)[:300]}")
    answer = _reference(answer)
    _check_headers(name, answer, response)
    content = answer.get("content")
    if content is None:
        if response.status_code not in (204, 304) and response.content_length:
            raise NotDescribed(f"{name}: {response.status_code} has no content")
        return
    if response.mimetype not in content:
        raise NotDescribed(f"{name}: {response.status_code} is no {response.mimetype}")
    if response.mimetype in _JSON and response.request.method != "HEAD":
        _check_body(f"{name} {response.status_code}", content[response.mimetype]["schema"], response)


def _check_headers(name: str, answer: dict[str, Any], response: TestResponse) -> None:
    for header, reference in answer.get("headers", {}).items():
        described = _reference(reference)
        if header not in response.headers:
            if described.get("required"):
                raise NotDescribed(f"{name}: {response.status_code} lacks {header}")
            continue
        value: Any = response.headers[header]
        if described["schema"].get("type") == "integer":
            value = int(value) if value.isdigit() else value
        if not _validator(json.dumps(described["schema"])).is_valid(value):
            raise NotDescribed(f"{name}: {header}: {value} is not as described")


def _check_body(name: str, schema: dict[str, Any], response: TestResponse) -> None:
    try:
        _validator(json.dumps(schema)).validate(json.loads(response.get_data()))
    except ValidationError as problem:
        where = "/".join(map(str, problem.instance_path))
        raise NotDescribed(f"{name} at /{where}: {problem.message[:400]}") from None


def _described(app: Flask, request: Request) -> tuple[str, dict[str, Any]] | None:
    """The operation's name and description; None for what is no operation of the API."""
    try:
        rule, _ = app.url_map.bind_to_environ(request.environ).match(return_rule=True)
    except HTTPException:
        return None
    address = template(rule.rule)
    _, api, path = address.partition(_API)
    if not api or not unwrap(app.view_functions[rule.endpoint]).__module__.startswith(_OURS):
        return None
    method = "get" if request.method == "HEAD" else request.method.lower()
    item = _document()["paths"].get(f"{api}{path}")
    if item is None or method not in item:
        return (f"{request.method} {api}{path}", {"responses": {}}) if method != "options" else None
    return f"{request.method} {api}{path}", item[method]


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((FOLDER / f"{UNION}.json").read_text(encoding="utf-8"))
    return document


def _reference(part: Any) -> Any:
    """What a reference within the document leads to, else the part itself."""
    while isinstance(part, dict) and "$ref" in part:
        place: Any = _document()
        for step in part["$ref"].removeprefix("#/").split("/"):
            place = place[step]
        part = place
    return part


@cache
def _validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema) | {"components": _document()["components"]})
