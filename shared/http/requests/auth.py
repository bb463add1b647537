"""The sender of a request: the identity that its token proves, and whether it may act here."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from flask import g, has_request_context, request

from shared.core.language.messages import either, say, term
from shared.core.readings.authority import ACTS, ANNOUNCE, MAY_IMPORT, READ_TEXTS
from shared.core.readings.token_boards import Boards
from shared.core.terms import Actor, Role
from shared.http.identity.tokens import Identity, bad_token
from shared.http.limits import rate_limits
from shared.http.limits.rate_limits import home_of
from shared.http.problems import Problem, no_token, unknown_tournament
from shared.http.requests.app_context import current_context, current_operation

COOKIE = "arbiter_token"
FOREIGN_ORIGIN = "foreign-origin"
TOO_MUCH = say("this reader has sent too many requests: wait, then ask again")
_READS = ("GET", "HEAD")


def token_of_request() -> str | None:
    """Return the bearer token of a request, or None.

    The token of the session cookie counts only for reads and for forms of this host, so that no page of another site can send
    commands. Raises `Problem`: 401 for a malformed header field, 403 like `require_own_origin`.
    """
    form = current_operation().form
    if form and request.method not in _READS:
        require_own_origin()
    header = request.headers.get("Authorization")
    if header is not None:
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise bad_token("token-malformed", say('the header Authorization must be "Bearer" and a token'))
        return token.strip()
    return session_cookie() if form or request.method in _READS else None


def cookie_name() -> str:
    """Return the name of the session cookie.

    Over HTTPS it has the prefix ``__Host-``: no other host of the domain can set such a cookie (RFC 6265bis, 4.1.3.2).
    """
    return f"__Host-{COOKIE}" if request.is_secure else COOKIE


def session_cookie() -> str | None:
    """Return the token in the session cookie of this request, or None."""
    return request.cookies.get(cookie_name())


def require_own_origin() -> None:
    """Check that a page of this host sent a form. Raises `Problem` 403 if another site's page did, or if it is unknown."""
    origin = request.headers.get("Origin", "")
    if urlsplit(origin).netloc != request.host:
        raise Problem(
            403,
            FOREIGN_ORIGIN,
            say("Not sent from a page of this server"),
            say("open the form on this server, and send it from there"),
        )


def identity() -> Identity | None:
    """Return the identity of the sender, or None without a token. Raises `Problem` 401 for an invalid token."""
    if "identity" not in g:
        token = token_of_request()
        g.identity = current_context().keyring.identify(token) if token else None
    proven: Identity | None = g.identity
    return proven


def required_identity() -> Identity:
    """Return the identity of this request. Raises `Problem` 401 without a token, or for a bad one."""
    sender = identity()
    if sender is None:
        raise no_token()
    return sender


def boards() -> Boards | None:
    """Return the boards that the token of this request is restricted to, or None for all boards."""
    sender = identity()
    return None if sender is None else sender.boards


def visitor() -> Identity | None:
    """Return the identity of a page's reader, or None. A token that is no longer valid counts as no token."""
    try:
        return identity()
    except Problem:
        return None


def visitor_of(t: str) -> Identity | None:
    """Return the identity of a reader of a tournament's page, or None if the token is not valid for the tournament."""
    who = visitor()
    return who if who is not None and who.tournament in (None, t) else None


def visits_as_player(t: str) -> bool:
    """Return whether the reader of a tournament's page is logged in as one of its players."""
    who = visitor_of(t)
    return who is not None and who.actor.role == "player"


def refuse_reader(arguments: dict[str, Any]) -> None:
    """Raise `Problem`: 401 for an invalid token if the route shows more to readers with a token, 404 like `refuse_unlisted`."""
    if request.method in _READS and HTTPStatus.UNAUTHORIZED in current_operation().errors:
        identity()
    refuse_unlisted(arguments)


def refuse_unlisted(arguments: dict[str, Any]) -> None:
    """Raise `Problem` 404, as for an unknown tournament, if a route is about an unlisted one and its reader has no token for it.

    ``arguments``: the parts of the address: a tournament ``t``, or a game ``g`` of one. Nothing else hides such tournaments.
    """
    t = arguments.get("t") or str(arguments.get("g", "")).rpartition(".")[0].rpartition(".")[0]
    context = current_context()
    if not isinstance(t, str) or not t or t in context.listed or visitor_of(t) is not None:
        return
    seen = context.desk.view(t)
    if seen is None or seen.state.announced is None:
        return
    if seen.state.unlisted:
        raise unknown_tournament(t)
    context.listed.add(t)


def may_announce() -> bool:
    """Return whether the reader of a page may create tournaments: by a token of that role, for all tournaments."""
    return _has_role_everywhere(ACTS[ANNOUNCE].roles)


def may_import() -> bool:
    """Return whether the reader of a page may import files, by a token for all tournaments."""
    return _has_role_everywhere(MAY_IMPORT)


def may_read_texts_everywhere() -> bool:
    """Return whether the reader may read the erasable texts of all tournaments, by a token for all of them."""
    return _has_role_everywhere(ACTS[READ_TEXTS].roles)


def may_read_all_people() -> bool:
    """Return whether the reader may read people without their consent: everyone if the operator chose so, else officials."""
    return current_context().public_people or may_read_texts_everywhere()


def _has_role_everywhere(roles: tuple[Role, ...]) -> bool:
    who = visitor()
    return who is not None and who.tournament is None and who.actor.role in roles


def reader_name() -> str:
    """Return the name of the allowance that a request uses: a token's tournament, role and name, or else an address."""
    sender = visitor()
    if sender is None:
        return home_of(request.remote_addr)
    return "\0".join((sender.tournament or "", sender.actor.role, sender.actor.name))


def is_stranger() -> bool:
    """Return whether a request without a valid token is being answered."""
    return has_request_context() and visitor() is None


def charge_later() -> Callable[[float], None]:
    """Return a function that takes CPU milliseconds beyond the declared cost from the allowance of a reader without a token."""
    if not is_stranger():
        return lambda milliseconds: None
    buckets, name, declared = current_context().reads, reader_name(), current_operation().cost
    return lambda milliseconds: buckets.settle(name, milliseconds - declared)


def charge(cost: float) -> None:
    """Take the ``cost`` of an answer from this reader's allowance (`rate_limits.Limits.reads`). Raises `Problem` 429."""
    rate_limits.take(current_context().reads, reader_name(), cost, TOO_MUCH)


def require(t: str | None, roles: tuple[Role, ...] | None = None) -> Actor:
    """Return the actor of this request, who acts in tournament ``t``. ``roles``: the roles that may act (None: all).

    Raises `Problem`: 401 without a valid token, 403 for a token of another tournament or role.
    """
    sender = required_identity()
    g.actor = sender.actor
    if sender.tournament is not None and sender.tournament != t:
        raise Problem(
            403,
            "token-scope",
            say("A token of another tournament"),
            say("this token is for {tournament} only", tournament=sender.tournament),
        )
    if roles is not None and sender.actor.role not in roles:
        raise Problem(
            403,
            "role-may-not",
            say("Not within this authority"),
            say("this requires the role {roles}", roles=either(map(term, roles))),
        )
    return sender.actor
