"""Pages of a list by cursor: opaque to the caller, the last ``seq`` of the page inside."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import Response, request

from shared.core.language.messages import say
from shared.desk.desk import View
from shared.http.answers import TournamentListAnswer
from shared.http.problems import Problem
from shared.http.reads.tournament_query import answer, number

_VERSION = b"s1:"
LIMIT = 100
LIMIT_AT_MOST = 500
QUERY = {
    "cursor": "Position of the page, from `next` of the page before.",
    "limit": f"Maximum number of rows on a page, from 1 to {LIMIT_AT_MOST}. Default {LIMIT}.",
}
"""The parameters of the query that choose a page, with their descriptions."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Window:
    """What a page is to hold: at most ``limit`` items, those after ``after``."""

    after: int
    limit: int


def window(default: int = LIMIT) -> Window:
    """The page that ``?cursor`` and ``?limit`` (1 to 500) ask for. Raises `Problem` 422."""
    limit = number("limit", 1, LIMIT_AT_MOST)
    sent = request.args.get("cursor")
    return Window(0 if sent is None else _position(sent), default if limit is None else limit)


def cursor(seq: int) -> str:
    return encoded(_VERSION, str(seq))


def _position(sent: str) -> int:
    text = decoded(_VERSION, sent)
    if not text.isdigit() or cursor(int(text)) != sent:
        raise bad_cursor()
    return int(text)


def encoded(version: bytes, text: str) -> str:
    """Return a cursor with a text inside. ``version``: the kind of list that it belongs to."""
    return urlsafe_b64encode(version + text.encode()).decode().rstrip("=")


def decoded(version: bytes, sent: str) -> str:
    """Return the text inside a cursor of this kind. Raises `Problem` 422 for any other cursor."""
    try:
        plain = urlsafe_b64decode(sent + "=" * (-len(sent) % 4))
        text = plain.removeprefix(version).decode()
    except ValueError:
        raise bad_cursor() from None
    if not plain.startswith(version) or encoded(version, text) != sent:
        raise bad_cursor()
    return text


def bad_cursor() -> Problem:
    """Return the problem of a cursor that no page of this list has given."""
    return Problem(
        422,
        "bad-cursor",
        say("Bad cursor"),
        say("the cursor is invalid; copy it unchanged from the next link of a page"),
        errors={"cursor": [say("not a cursor")]},
    )


def next_url(last: int) -> str:
    """The address of the page after item ``last``, with the rest of this request's query."""
    return url_with(cursor(last))


def url_with(cursor: str) -> str:
    """Return the address of the page at a cursor, with the rest of this request's query."""
    kept = [(name, value) for name, value in request.args.items(multi=True) if name != "cursor"]
    return f"{request.path}?{urlencode([*kept, ('cursor', cursor)])}"


def page(
    view: View,
    kind: Callable[..., TournamentListAnswer],
    items: Iterable[tuple[int, Item]],
    rows: Callable[[Sequence[Item]], Sequence[Any]] = lambda items: items,
) -> Response:
    """Return the page of a tournament's list that the query asks for. Raises `Problem` 422 like `window`.

    ``items``: each with its place in the list, which rises from 1 on. ``rows`` makes the rows of the items on the page.
    """
    asked = window()
    left = [(place, item) for place, item in items if place > asked.after]
    shown = left[: asked.limit]
    following = next_url(shown[-1][0]) if len(left) > len(shown) else None
    return listed(view, kind, rows([item for _, item in shown]), following)


def listed(
    view: View,
    kind: Callable[..., TournamentListAnswer],
    rows: Sequence[Any],
    next: str | None = None,
    **more: Any,
) -> Response:
    """Return a list of a tournament, an answer of this ``kind``: its ``rows``, and ``more`` members by name."""
    return linked(answer(view, kind(view.state.id, view.seq, rows, next=next, **more)), next)


def linked(response: Response, next: str | None) -> Response:
    """``response`` with its ``Link: …; rel="next"`` (RFC 8288), where there is a next page."""
    if next is not None:
        response.headers["Link"] = f'<{next}>; rel="next"'
    return response
