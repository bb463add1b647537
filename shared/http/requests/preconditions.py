"""``If-Match``, ``If-None-Match``, ``Idempotency-Key`` and ``Prefer`` (RFC 7240), as they are read here."""

import re
from hashlib import sha256

from flask import Request, Response
from werkzeug.http import parse_list_header

from shared.core.language.messages import say
from shared.core.terms import Actor
from shared.http.problems import Problem

_ETAG = re.compile(r'"(0|[1-9][0-9]{0,17})(?:-[0-9a-f]{16})?"')
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def etag(seq: int, content: bytes | None = None) -> str:
    """The strong ETag of a tournament at a line; with ``content``, of this content."""
    return f'"{seq}"' if content is None else f'"{seq}-{sha256(content).hexdigest()[:16]}"'


def if_match(request: Request, required: bool) -> int | None:
    """The ``seq`` that the caller saw; None where it does not say.

    428 where it must, 400 for anything but one strong ETag of ours: ``*`` and weak
    tags would not say what the caller saw.
    """
    header = request.headers.get("If-Match")
    if header is None:
        if required:
            raise Problem(
                428,
                "if-match-required",
                say("If-Match is required"),
                say(
                    "If-Match is required: send the tournament's current ETag, so that your request is rejected if "
                    "something changed"
                ),
            )
        return None
    tag = _ETAG.fullmatch(header.strip())
    if tag is None:
        raise Problem(
            400, "bad-if-match", say("Bad If-Match"), say('If-Match takes one strong ETag of the tournament, like "41"')
        )
    return int(tag[1])


def unchanged(request: Request, tag: str) -> bool:
    """Whether ``If-None-Match`` names the tag (weak comparison, RFC 9110 13.1.2)."""
    header = request.headers.get("If-None-Match")
    if header is None:
        return False
    return header.strip() == "*" or tag in (one.strip().removeprefix("W/") for one in header.split(","))


def idempotency_key(request: Request, actor: Actor) -> str | None:
    """The name under which an answer is kept: made of actor, method, path and the caller's key."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not _KEY.fullmatch(header):
        raise Problem(
            400,
            "bad-idempotency-key",
            say("Bad Idempotency-Key"),
            say("a key has 1 to 200 visible ASCII characters, no spaces"),
        )
    return key_name(request, actor, header)


def key_name(request: Request, actor: Actor, key: str) -> str:
    """The name under which the answer to this request of this actor is kept."""
    parts = (actor.name, actor.role, request.method, request.path, key)
    return sha256("\x00".join(parts).encode()).hexdigest()


MINIMAL = "return=minimal"
REPRESENTATION = "return=representation"


def applied(request: Request, response: Response) -> Response:
    """A command's answer as ``Prefer`` has it: ``return=minimal`` leaves the body out (204), its header fields stay.

    Of several wishes the first counts; what is not known is passed over (RFC 7240 2).
    """
    wish = _return(request)
    if wish == MINIMAL:
        response.set_data(b"")
        response.status_code = 204
        del response.headers["Content-Type"]
    if wish is not None:
        response.headers["Preference-Applied"] = wish
    return response


def _return(request: Request) -> str | None:
    for header in request.headers.getlist("Prefer"):
        for preference in parse_list_header(header):
            name, _, value = preference.partition(";")[0].partition("=")
            if name.strip().lower() == "return":
                wish = "return=" + value.strip().strip('"').lower()
                return wish if wish in (MINIMAL, REPRESENTATION) else None
    return None
