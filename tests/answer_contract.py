"""Every answer of the API that a test asks for is held to the OpenAPI document: its status, media type, headers and body.

Those of applications in this process, and those of real servers that are asked by httpx, whatever stands before them.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from inspect import unwrap
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from flask import Flask
from flask.testing import FlaskClient
from jsonschema_rs import Draft202012Validator, ValidationError
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule
from werkzeug.test import TestResponse

from shared.http.openapi.openapi_parameters import template
from shared.http.requests.app_context import EXTENSION

_DOCUMENT = Path(__file__).parents[1] / "deploy" / "openapi" / "arbiter.json"
_REFERENCE = re.compile(r'"#/components/(\w+)/([^"/]+)"')
_API = "/v1/"
_OURS = ("services.", "shared.")
"""Tests of the machinery have routes of their own, which no document describes."""
_STREAM = "text/event-stream"
_JSON = ("application/json", "application/problem+json")


class NotDescribed(AssertionError):
    """An answer that the OpenAPI document does not have."""


class Answer(NamedTuple):
    """What was answered to a request; of ``body`` all of it."""

    method: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def mimetype(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0].strip()


def hold_flask(client: FlaskClient, response: TestResponse) -> None:
    """Compare the answer of an application in this process with the document. Raises `NotDescribed`."""
    if EXTENSION in client.application.extensions:
        method, address = response.request.method, _address_in(client.application, response)
        body = response.get_data() if response.mimetype in _JSON else b""
        _hold(address, Answer(method, response.status_code, dict(response.headers), body))


def hold_httpx(client: httpx.Client, request: httpx.Request, response: httpx.Response) -> None:
    """Compare the answer of a real server, or of an application in this process, with the document. Raises `NotDescribed`.

    An answer that a test made up is not compared, and of a stream nothing is read.
    """
    real = isinstance(client._transport_for_url(request.url), httpx.HTTPTransport | httpx.WSGITransport)
    if real and response.headers.get("Content-Type", "").partition(";")[0] != _STREAM:
        check(request.url.path, Answer(request.method, response.status_code, response.headers, response.read()))


def check(path: str, answer: Answer) -> None:
    """Compare the answer at a path with what the document says. Raises `NotDescribed`."""
    _hold(_addresses_of_document().get(path), answer)


def _hold(address: str | None, given: Answer) -> None:
    """Compare an answer with what the document says of an address as it stands there; None: of no operation of the API."""
    described = None if address is None else _described(address, given.method)
    if described is None:
        return
    name, operation = described
    answers = operation["responses"]
    answer = answers.get(str(given.status)) or _reference(answers.get(f"{given.status // 100}XX"))
    if answer is None:
        raise NotDescribed(f"{name}: no status {given.status}: {given.body[:300]!r}")
    answer = _reference(answer)
    _check_headers(name, answer, given)
    content = answer.get("content")
    if content is None:
        if given.status not in (204, 304) and given.headers.get("Content-Length", "0") != "0":
            raise NotDescribed(f"{name}: {given.status} has no content")
        return
    if given.mimetype not in content:
        raise NotDescribed(f"{name}: {given.status} is no {given.mimetype}")
    if given.mimetype in _JSON and given.method != "HEAD":
        _check_body(f"{name} {given.status}", content[given.mimetype]["schema"], given.body)


def _check_headers(name: str, answer: dict[str, Any], given: Answer) -> None:
    for header, reference in answer.get("headers", {}).items():
        described = _reference(reference)
        if header not in given.headers:
            if described.get("required"):
                raise NotDescribed(f"{name}: {given.status} lacks {header}")
            continue
        value: Any = given.headers[header]
        if described["schema"].get("type") == "integer":
            value = int(value) if value.isdigit() else value
        if not _validator(json.dumps(described["schema"])).is_valid(value):
            raise NotDescribed(f"{name}: {header}: {value} is not as described")


def _check_body(name: str, schema: dict[str, Any], body: bytes) -> None:
    try:
        _validator(json.dumps(schema)).validate(json.loads(body))
    except ValidationError as problem:
        where = "/".join(map(str, problem.instance_path))
        raise NotDescribed(f"{name} at /{where}: {problem.message[:400]}") from None


def _address_in(app: Flask, response: TestResponse) -> str | None:
    """The address that an application has for a request, as the document writes it; None for what is not of the API."""
    try:
        rule, _ = app.url_map.bind_to_environ(response.request.environ).match(return_rule=True)
    except HTTPException:
        return None
    _, api, path = template(rule.rule).partition(_API)
    if not api or not unwrap(app.view_functions[rule.endpoint]).__module__.startswith(_OURS):
        return None
    return f"{api}{path}"


class _Addresses:
    """The addresses that the document has, for a server of which only these are known."""

    def __init__(self) -> None:
        rules = (Rule(re.sub(r"{(\w+)}", r"<\1>", path), endpoint=path) for path in _document()["paths"])
        self._map = Map(rules).bind("")

    def get(self, path: str) -> str | None:
        """The address of a path at the root, or under that of a service; None where there is none."""
        _, api, rest = path.partition(_API)
        try:
            return self._map.match(f"{api}{rest}", method="GET")[0]
        except HTTPException:
            return None


def _described(address: str, method: str) -> tuple[str, dict[str, Any]] | None:
    """The operation's name and description; None for a question about the address itself."""
    known = "get" if method == "HEAD" else method.lower()
    item = _document()["paths"].get(address)
    if item is None or known not in item:
        return (f"{method} {address}", {"responses": {}}) if known != "options" else None
    return f"{method} {address}", item[known]


@cache
def _addresses_of_document() -> _Addresses:
    return _Addresses()


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_DOCUMENT.read_text(encoding="utf-8"))
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
    return Draft202012Validator(json.loads(schema) | {"components": _components(schema)})


def _components(text: str) -> dict[str, dict[str, Any]]:
    """Return the components that a schema refers to: those of the whole document take more than twice as long to read."""
    found: dict[str, dict[str, Any]] = {}
    texts = [text]
    while texts:
        for kind, name in _REFERENCE.findall(texts.pop()):
            if name not in found.setdefault(kind, {}):
                found[kind][name] = _document()["components"][kind][name]
                texts.append(json.dumps(found[kind][name]))
    return found
