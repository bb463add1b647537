"""Most generated addresses name what there is, and who saw the log saw its end, so that rules answer and not the door."""

import os
import re
from http.client import HTTPConnection
from typing import Any
from zlib import crc32

import schemathesis

from shared.core.language.characters import is_blank, unseen_in_name

KNOWN = {"t": "T", "g": "T.1.1", "n": 1, "seq": 3, "p": 2, "r": "r1"}
LINES = 3
"""So many lines the log has from its first."""
_ETAG = re.compile(r'"?[0-9]+"?')
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """The ETag is that of the log as it is, with its quotes, which schemathesis takes for those of JSON: one of another line is
    stale, and nothing else of the request would be looked at."""
    said = (case.headers or {}).get("If-Match")
    if said is None or not _ETAG.fullmatch(said) or (case.meta is not None and case.meta.generation.mode.is_negative):
        return
    t = _log(case)
    if t is None:
        del case.headers["If-Match"]
    else:
        case.headers["If-Match"] = _etag(t)


def _log(case: Any) -> str | None:
    """The tournament whose log a case writes to; None where it announces one."""
    parameters = case.path_parameters or {}
    if "g" in parameters:
        return str(parameters["g"]).rsplit(".", 2)[0]
    return str(parameters["t"]) if "t" in parameters else None


def _etag(t: str) -> str:
    connection = HTTPConnection(os.environ["SCHEMATHESIS_HOUSE"], timeout=60)
    try:
        connection.request("GET", f"/v1/tournaments/{t if _NAME.fullmatch(t) else '0'}")
        return connection.getresponse().headers.get("ETag", '"0"')
    finally:
        connection.close()


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    for name, known in KNOWN.items():
        generated = (path_parameters or {}).get(name)
        fits = isinstance(known, str) or str(generated).isdigit()  # what is to be refused for its type stays so
        if generated is not None and fits and crc32(str(generated).encode()) % 4:
            path_parameters[name] = known
    return path_parameters


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any] | None) -> dict[str, Any] | None:
    """A line beyond the log's end is waited for, and then answered 503: real waits are in `test_strangers`. What is
    no text cannot be sent in an address."""
    for name, value in (query or {}).items():
        if name == "after" and type(value) is int and value > LINES:
            query[name] = LINES
        elif isinstance(value, str):
            query[name] = re.sub("[\x00\ud800-\udfff]", "x", value)
    return query


@schemathesis.hook
def map_body(context: Any, body: Any) -> Any:
    """Write a whole number without a point, and leave out characters that no text may contain.

    To JSON Schema 1.0 is an integer, and here it is not. The project's table of characters has too many ranges for a pattern.
    """
    match body:
        case float() if body.is_integer():
            return int(body)
        case dict():
            return {name: map_body(context, one) for name, one in body.items()}
        case list():
            return [map_body(context, one) for one in body]
        case str() if body:
            kept = "".join(character for character in body if unseen_in_name(character) is None)
            return "x" if is_blank(kept) else kept
    return body
