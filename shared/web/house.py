"""Pages for people: one layout, one style sheet, no scripts. A service brings its own templates."""

import re
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, g, request, url_for
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from shared.http.auth import visitor
from shared.http.problems import Problem

_HERE = Path(__file__).parent
_STYLE = (_HERE / "style.css").read_bytes()
_STYLE_TAG = sha256(_STYLE).hexdigest()[:16]
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KEPT = ("at", "without")
"""What of a query goes from page to page: the line, and the rulings thought away."""


class House:
    """Renders templates of ``folder`` within the house's layout."""

    def __init__(self, folder: Path) -> None:
        self._environment = Environment(
            loader=FileSystemLoader([folder, _HERE]),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals.update(link=link, style_tag=_STYLE_TAG, kept=kept)
        self._environment.filters.update(points=points, named=named)

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """A page as an answer that no cache keeps without asking."""
        text = self._environment.get_template(template).render(visitor=visitor(), **context)
        response = Response(text, status, content_type="text/html; charset=utf-8")
        response.headers["Cache-Control"] = "no-cache, private"
        response.vary.add("Cookie")
        return response

    def told(self, view: Callable[..., Response]) -> Callable[..., Response]:
        """A route whose problems are told on a page."""

        @wraps(view)
        def within(**arguments: Any) -> Response:
            try:
                return view(**arguments)
            except Problem as problem:
                g.code = problem.code
                response = self.page("problem.html", problem.status, problem=problem)
                response.headers.update(problem.headers)
                return response

        return within


def style(bp: Blueprint) -> None:
    """The route of the one style sheet, under the blueprint that shows pages."""

    @bp.get("/web/style.css")
    def style_sheet() -> Response:
        response = Response(_STYLE, mimetype="text/css")
        response.headers["Cache-Control"] = "public, max-age=86400"
        return response


def kept() -> dict[str, str]:
    """The part of this request's query that its links keep."""
    return {name: request.args[name] for name in _KEPT if name in request.args}


def link(endpoint: str, **values: Any) -> str:
    """An address of the same blueprint, with what is kept; ``at=None`` drops that."""
    return url_for(f".{endpoint}", **{**kept(), **values})


def points(half_points: int) -> str:
    """Half-points as people write them: 2½."""
    whole, half = divmod(abs(half_points), 2)
    sign = "\u2212" if half_points < 0 else ""
    return sign + (f"{whole or ''}½" if half else str(whole))


def named(name: str | None) -> Markup:
    """A name, marked as Chinese where it has Han characters, so that the right glyphs are taken."""
    if name is None:
        return Markup('<span class="nobody">name not at hand</span>')
    marked = Markup('<bdi lang="zh">{}</bdi>') if _HAN.search(name) else Markup("<bdi>{}</bdi>")
    return marked.format(name)
