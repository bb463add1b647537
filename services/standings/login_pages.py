"""Logging in and out: the token becomes a cookie, by the link that bears it or by the form of the page."""

from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, request, url_for

from services.standings.page_context import LAYOUT
from shared.core.messages import say
from shared.http import auth
from shared.http.app_context import current_context
from shared.http.language import own_path
from shared.http.operations import Operation
from shared.http.problems import Problem
from shared.web.page import leads_to


def sessions(bp: Blueprint) -> None:
    """``next`` is the page to lead back to; one that is not of this site leads to the front."""

    @bp.get("/login")
    @LAYOUT.with_problem_page
    def login() -> Response:
        if "token" in request.args:
            return _logged_in(request.args["token"], request.args.get("next", ""))
        return _form()

    @bp.post("/login")
    @Operation(form=True)
    @LAYOUT.with_problem_page
    def login_by_form() -> Response:
        auth.require_own_origin()
        try:
            return _logged_in(_token(request.form.get("token", "")), request.form.get("next", ""))
        except Problem as problem:
            return _form(problem)

    @bp.post("/logout")
    def logout() -> Response:
        response = leads_to(url_for(".front"))
        response.delete_cookie(auth.COOKIE, httponly=True, samesite="Strict", secure=request.is_secure)
        return response


def _token(typed: str) -> str:
    """The token that was typed, or that the link bears which was. Raises `Problem` 422 where nothing was."""
    typed = "".join(typed.split())
    found = parse_qs(urlsplit(typed).query).get("token") if "://" in typed[:8] else None
    token = found[0] if found else typed
    if not token:
        raise Problem(
            422, "nothing-typed", say("Nothing was typed"), say("paste the link or the token that you were given")
        )
    return token


def _form(problem: Problem | None = None) -> Response:
    """The page with the form. What was typed is a secret, and is not shown again."""
    status = 200 if problem is None else problem.status
    response = LAYOUT.page("login.html", status, problem=problem, back=_back(request.values.get("next", "")))
    response.headers.update(problem.headers if problem is not None else {})
    response.headers["Cache-Control"] = "no-store"
    return response


def _back(address: str) -> str:
    """The page to lead back to: one of this site, and not the login itself; else the front."""
    path = own_path(address)
    return url_for(".front") if path is None or urlsplit(path).path.endswith("/login") else path


def _logged_in(token: str, back: str) -> Response:
    """Raises `Problem` 401 for a token that is not good."""
    identity = current_context().keyring.identify(token)
    response = leads_to(_back(back))
    response.set_cookie(
        auth.COOKIE, token, httponly=True, samesite="Strict", secure=request.is_secure, expires=identity.expires
    )
    return response
