"""Pages for people: one layout, one style sheet, one language per page, templates per service. All work without scripts."""

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

from flask import Blueprint, Response, current_app, g, redirect, request, url_for
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from shared.core.language.decimals import decimal
from shared.core.language.messages import Message, say
from shared.core.readings import vocabulary
from shared.core.rulebook.books import citation
from shared.core.rulebook.effects import Fact
from shared.core.terms import Source
from shared.http.language import language
from shared.http.language.catalogue import LANGUAGES
from shared.http.operations import Operation
from shared.http.problems import PROBLEM_PAGE, Problem, help_path
from shared.http.requests.auth import visitor
from shared.regulations.passages import passages_of
from shared.regulations.set_names import set_name
from shared.web.markup import address, full_width, marked
from shared.web.names import named, titled
from shared.web.problem_words import errors_of, field_label, page_words
from shared.web.result_words import mark_sign, points
from shared.web.static_files import TAGS
from shared.web.times import day_and_time, time_of_day

PageView = TypeVar("PageView", bound=Callable[..., Response])

_HERE = Path(__file__).parent
_KEPT = ("at", "without")
"""Query parameters that links keep: the log position, and the rulings that are assumed not to exist."""
_OFFICE = (
    "entries", "check-in", "byes", "forbidden-pairs", "virtual-points", "visibility", "venue-notice", "details", "listing",
    "officials", "lots", "lineups",
)  # fmt: skip
SITE = {
    "front": "/",
    "announcement_form": "/tournaments/new",
    "import_form": "/tournaments/import",
    "import_page": "/imports/{i}",
    "docs_page": "/docs",
    "sets_page": "/regulations",
    "set_page": "/regulations/{name}",
    "logout": "/logout",
    "language": "/language",
    "login": "/login",
    "style_sheet": "/web/style.css",
    "static_file": "/web/static/{name}",
    "tournament_page": "/t/{t}",
    "round_page": "/t/{t}/rounds/{n}",
    "rulings_page": "/t/{t}/rulings",
    "what_if_page": "/t/{t}/what-if",
    "ruling_page": "/t/{t}/rulings/{r}",
    "ruling_notice": "/t/{t}/papers/rulings/{r}",
    "round_papers": "/t/{t}/rounds/{n}/papers",
    "appeal_decision_form": "/t/{t}/appeals/{a}/decision",
    "player_page": "/t/{t}/players/{p}",
    "players_page": "/t/{t}/players",
    **{f"{path.replace('-', '_')}_form": f"/t/{{t}}/{path}" for path in _OFFICE},
    "office_page": "/t/{t}/office",
    **{"own_board_page": "/t/{t}/me", "own_check_in_form": "/t/{t}/me/check-in"},
    **{f"player_{deed}_form": f"/t/{{t}}/players/{{p}}/{deed}" for deed in ("withdrawal", "return", "bye", "board")},
    "entry_correction_form": "/t/{t}/players/{p}/correction",
    "identity_form": "/t/{t}/players/{p}/identity",
    "line_page": "/t/{t}/log/{seq}",
    "game_page": "/games/{g}",
    "regulations_page": "/t/{t}/regulations",
    "crossings_page": "/t/{t}/crossings",
    "standings_page": "/t/{t}/standings",
    "teams_page": "/t/{t}/teams",
    "play_off_form": "/t/{t}/play-offs",
    "teams_form": "/t/{t}/teams/new",
    "team_withdrawal_form": "/t/{t}/teams/{team}/withdrawal",
    "roles_page": "/t/{t}/roles",
    "sessions_page": "/t/{t}/sessions",
    "integration_tokens_page": "/t/{t}/tokens",
}
"""Pages that pages of other services link to, at the addresses that all services share."""


class Layout:
    """The layout of all pages, around the templates in the ``folder`` of a service. ``source`` decides the service's forms."""

    def __init__(self, source: Source, folder: Path) -> None:
        self.source = source
        self._environment = Environment(
            loader=FileSystemLoader([folder, _HERE]),
            autoescape=True,
            undefined=StrictUndefined,
            optimized=False,  # if True, a constant's filtered word stays in the language of its first reader
            finalize=_said,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        self._environment.policies["ext.i18n.trimmed"] = True
        self._environment.install_gettext_callables(  # type: ignore[attr-defined]
            language.translated, language.translated_number, newstyle=True
        )
        self._environment.globals.update(
            link=link,
            tags=TAGS,
            kept_query=kept_query,
            language=language.language,
            here=_here,
            article=article,
            comma=language.comma,
            set_name=set_name,
            passages_of=passages_of,
        )
        self._shared = self._environment.globals.keys() | {"visitor"}
        self._environment.filters.update(
            points=points,
            decimal=decimal,
            named=named,
            titled=titled,
            facts=shown,
            day_and_time=_of_its_tournament(day_and_time),
            time_of_day=_of_its_tournament(time_of_day),
            duration=lambda seconds: language.words(vocabulary.duration(seconds)),
            words=_said,
            of_problem=page_words,
            field_label=field_label,
            plain=lambda said: str(language.words(said)),
            full_width=full_width,
            role=role,
        )
        self._environment.filters.update(game=game, format_of=format_of, called=called, mark_sign=mark_sign)

    def page(self, template: str, status: int = 200, **context: Any) -> Response:
        """Return a page, which caches must validate. Raises ValueError if the ``context`` hides a name that all pages share."""
        if hidden := self._shared & context.keys():
            raise ValueError(f"{template}: every page has {', '.join(sorted(hidden))} of its layout")
        text = self._environment.get_template(template).render(visitor=visitor(), **context)
        response = Response(text, status, content_type="text/html; charset=utf-8")
        response.headers["Cache-Control"] = "no-cache, private"
        language.mark(response)
        return response

    def part(self, template: str, **context: Any) -> Markup:
        """Return a part of a page, which is the same for all readers of its language."""
        return Markup(self._environment.get_template(template).render(**context))  # noqa: S704  # the template escapes

    def private_page(
        self, template: str, status: int = 200, problem: Problem | None = None, **context: Any
    ) -> Response:
        """Return a page that no cache stores; with a ``problem``, its status and its header fields."""
        response = self.page(template, status if problem is None else problem.status, problem=problem, **context)
        response.headers.update({} if problem is None else problem.headers)
        response.headers["Cache-Control"] = "no-store"
        return response

    def problem_page(self, problem: Problem) -> Response:
        """Return a problem as a page."""
        return self.private_page("problem.html", problem=problem, errors=errors_of(problem), help=help_path)

    def serve_problems(self, bp: Blueprint) -> None:
        """Make an app with this blueprint answer every problem of a browser with a page, even at an address without a route."""
        bp.record_once(lambda state: state.app.extensions.setdefault(PROBLEM_PAGE, self.problem_page))

    def serves(
        self,
        bp: Blueprint,
        address: str,
        *,
        endpoint: str | None = None,
        form: bool = False,
        shared: bool = False,
        cost: int = 1,
    ) -> Callable[[PageView], PageView]:
        """Return a decorator that serves a view at an address, and its problems as pages. A form accepts POST too."""
        declared = Operation(form=form, shared=shared, cost=cost)

        def serve(view: PageView) -> PageView:
            page, methods = declared(self.with_problem_page(view)), ("GET", "POST") if form else ("GET",)
            bp.add_url_rule(address, endpoint, page, methods=methods)
            return view

        return serve

    def with_problem_page(self, view: Callable[..., Response]) -> Callable[..., Response]:
        """Return a view whose problems are answered with a page."""

        @wraps(view)
        def within(**arguments: Any) -> Response:
            try:
                return view(**arguments)
            except Problem as problem:
                g.code = problem.code
                return self.problem_page(problem)

        return within


def language_switch(bp: Blueprint) -> None:
    """Register the route that stores the reader's language and leads back to the page."""

    @bp.post("/language")
    def language_choice() -> Response:
        chosen = request.form.get("to", "")
        if chosen not in LANGUAGES:
            raise Problem(422, "unknown-language", say("No such language"), say("available: {names}", names=LANGUAGES))
        back = language.own_path(request.form.get("back", "")) or url_for(".front")
        response = leads_to(back)
        response.set_cookie(
            language.COOKIE,
            chosen,
            max_age=language.COOKIE_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
        return response


def leads_to(address: str, status: int = 303) -> Response:
    """Return an answer that leads to another page: 303 requests it, 307 sends the same form there."""
    response = redirect(address, status, Response)
    assert isinstance(response, Response)
    response.headers["Cache-Control"] = "no-store"
    return response


def _here() -> str:
    """Return the path and query that this request asked for, or the front page if they cannot be requested again."""
    if request.method not in ("GET", "HEAD"):
        return f"{request.script_root}{SITE['front']}"
    return f"{request.script_root}{request.full_path.removesuffix('?')}"


def kept_query() -> dict[str, str]:
    """Return the part of this request's query that its links keep."""
    kept = {name: request.args[name] for name in _KEPT if name in request.args}
    if "without" in kept:
        kept["without"] = ",".join(request.args.getlist("without"))
    return kept


def link(endpoint: str, **values: Any) -> str:
    """Return an address of the same blueprint, else of `SITE`, with the kept query. ``at=None`` omits that parameter."""
    query = {**kept_query(), **values}
    if f"{request.blueprint}.{endpoint}" in current_app.view_functions:
        return url_for(f".{endpoint}", **query)
    rest = {name: value for name, value in query.items() if value is not None}
    named = {name: quote(str(rest.pop(name)), safe="") for name in list(rest) if f"{{{name}}}" in SITE[endpoint]}
    return f"{request.script_root}{SITE[endpoint].format(**named)}{'?' if rest else ''}{urlencode(rest)}"


@pass_context
def _said(context: Context, value: Any) -> Any:
    """Return a message in the reader's language with its articles as links, and any other value unchanged."""
    return marked(value, lambda cited: address(context, cited, link)) if isinstance(value, Message) else value


def _of_its_tournament(shown_time: Callable[[str, Any], Markup]) -> Callable[[Context, str], Markup]:
    """Return a filter that shows times in the time zone of the page's tournament ``t``."""

    @pass_context
    def filter(context: Context, time: str) -> Markup:
        return shown_time(time, context.get("t"))

    return filter


def article(text: str) -> Message:
    """Return an article with the name of its rule text."""
    return citation(text).message


def _display(names: Mapping[Any, Message]) -> Callable[[str], str]:
    return lambda name: language.words(vocabulary.display_name(names, name))


role, game, format_of = _display(vocabulary.ROLES), _display(vocabulary.GAMES), _display(vocabulary.FORMATS)
"""Functions that return the words for a role (chief arbiter), a game (xiangqi) and a format (round robin)."""


def called(code: str) -> str:
    """Return a member of a closed set as people call it: natural limit."""
    return language.translated(code.replace("_", " "))


def circumstances(ply: int | None, facts: Mapping[str, Fact]) -> Message | None:
    """Return a ruling's ply and facts in words: at ply 12, opponent passed: no. Return None without a ply and facts."""
    if ply is None:
        return shown(facts) if facts else None
    at = say("at ply {ply}", ply=ply)
    return say("{at}, {facts}", at=at, facts=shown(facts)) if facts else at


def shown(facts: Mapping[str, Fact]) -> Message:
    """Return facts in words: seconds left: 179, opponent passed: no."""
    return say("{facts}", facts=vocabulary.fact_words(facts))
