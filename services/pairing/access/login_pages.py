"""Logging in and out: a token that was given is pasted into the form and becomes a cookie; whoever logs out ends it."""

import time
from urllib.parse import urlsplit

from flask import Blueprint, Response, g, request

from services.pairing.layout import LAYOUT
from shared.core.language.messages import message_of, say
from shared.core.trust.token_revocations import Revocation
from shared.desk.desk import Desk
from shared.desk.keys.revocations import NoKey
from shared.http.identity.tokens import LEEWAY_SECONDS, Identity
from shared.http.language.language import own_path
from shared.http.operations import Operation
from shared.http.problems import Problem, unavailable
from shared.http.requests import auth
from shared.http.requests.app_context import current_context
from shared.log.invitations import Session
from shared.log.port import LogFull, LogUnavailable
from shared.web.page import leads_to, link

_INVITATION = "/invitations/"


def logins(bp: Blueprint, desk: Desk) -> None:
    """``next`` is the page to lead back to; one that is not of this site leads to the front."""

    @LAYOUT.serves(bp, "/login", form=True)
    def login() -> Response:
        if request.method != "POST":
            return _form()
        auth.require_own_origin()
        try:
            typed = _typed(request.form.get("token", ""))
            invited = _invitation(typed)
            if invited is not None:
                return leads_to(invited)
            who = current_context().keyring.identify(typed)
        except Problem as problem:
            return _form(problem)
        desk.log.invitations.keep_session(session_of(who))
        return logged_in(leads_to(_back(request.form.get("next", ""))), typed, who)

    @bp.post("/logout")
    @Operation(form=True)
    @LAYOUT.with_problem_page
    def logout() -> Response:
        auth.require_own_origin()
        who, response = auth.visitor(), leads_to(link("front", at=None, without=None))
        if who is not None:
            try:
                desk.revocations.revoke(Revocation(int(time.time()), who.actor.name, jti=who.actor.tokenid))
            except (NoKey, LogFull, LogUnavailable) as problem:
                why = say(
                    "this device is logged out, but the login could not be ended on the server: {problem}",
                    problem=message_of(problem),
                )
                g.identity = None
                response = LAYOUT.problem_page(unavailable("not-revoked", why))
        response.delete_cookie(auth.cookie_name(), httponly=True, samesite="Strict", secure=request.is_secure)
        return response


def session_of(who: Identity, inviter: str | None = None) -> Session:
    """The session that begins now with a token."""
    first, last = who.boards or (None, None)
    return Session(
        who.actor.tokenid, who.tournament, who.actor.name, who.actor.role, first, last,
        who.issued, int(time.time()), who.expires - LEEWAY_SECONDS, inviter,
    )  # fmt: skip


def logged_in(response: Response, token: str, who: Identity) -> Response:
    """Return the response with the cookie that gives the browser its token."""
    response.set_cookie(
        auth.cookie_name(), token, httponly=True, samesite="Strict", secure=request.is_secure, expires=who.expires
    )
    return response


def _typed(text: str) -> str:
    """Raises `Problem` 422 where nothing was typed."""
    text = "".join(text.split())
    if not text:
        raise Problem(422, "nothing-typed", say("Nothing was typed"), say("paste the invitation link"))
    return text


def _invitation(typed: str) -> str | None:
    """The address of the invitation whose link was pasted."""
    try:
        path = urlsplit(typed).path if typed.startswith(("http://", "https://")) else ""
    except ValueError:  # an address of no host that can be
        return None
    return own_path(path) if path.startswith(_INVITATION) else None


def _form(problem: Problem | None = None) -> Response:
    """The page with the form. What was typed is a secret, and is not shown again."""
    return LAYOUT.private_page("login.html", problem=problem, back=_back(request.values.get("next", "")))


def _back(address: str) -> str:
    """The page to lead back to: one of this site, and not the login itself; else the front."""
    path = own_path(address)
    return link("front", at=None, without=None) if path is None or urlsplit(path).path.endswith("/login") else path
