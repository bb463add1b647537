"""Pages of imports: a form with a file field, and the progress of an import."""

import secrets

from flask import Blueprint, Response, g, request

from services.pairing.imports.import_jobs import ImportJobs, SentReport, step_words
from services.pairing.imports.import_routes import LONGEST_NAME, ImportQuery, caller_now, report_of
from services.pairing.layout import LAYOUT
from shared import regulations
from shared.core.language.charset import ENCODINGS
from shared.core.language.messages import Message, say
from shared.core.language.single_line import single_line
from shared.core.readings.vocabulary import GAMES
from shared.http.common_problems import bad_field
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.http.requests.request_parts import key_name, load
from shared.regulations.set_names import set_name
from shared.web.form import once_of, refused, typed_now
from shared.web.page import leads_to, link
from shared.web.problem_words import errors_of

OPTIONS = ("id", "encoding", "tiebreaks", "regulations", "game")
"""The fields of the form apart from the file."""


def import_pages(bp: Blueprint, jobs: ImportJobs) -> None:
    """Add the form that starts an import, and the page of its progress."""

    @LAYOUT.serves(bp, "/tournaments/import", form=True)
    def import_form() -> Response:
        if request.method != "POST":
            return _shown()
        try:
            caller = caller_now()
            key = key_name(request, caller.actor, once_of(request.form))
            file = request.files.get("file")
            if file is None or not file.filename:
                raise bad_field("file", say("choose a report file (.trf)"))
            name = single_line(file.filename[:LONGEST_NAME])
            typed = {k: v.strip() for k in OPTIONS if (v := request.form.get(k, "")).strip()}
            options = load(ImportQuery, typed)
            sent = SentReport(file.read(), name, **{option: options[option] for option in OPTIONS})
            report = jobs.start(caller, sent, key)
        except Problem as problem:
            return refused(problem, _shown)
        return leads_to(link("import_page", i=report.id, at=None, without=None))

    @LAYOUT.serves(bp, "/imports/<i>")
    def import_page(i: str) -> Response:
        report = report_of(jobs, i)
        return LAYOUT.private_page("import_progress.html", report=report, step=step_words(report.step))


def _shown(problem: Problem | None = None) -> Response:
    page = LAYOUT.page(
        "import.html",
        200 if problem is None else problem.status,
        may=auth.may_import(),
        once=secrets.token_urlsafe(16),
        typed=typed_now(),
        encodings=tuple(ENCODINGS),
        sets=[(name, set_name(regulations.load(name))) for name in regulations.names()],
        games=_games(),
        problem=problem,
        errors=errors_of(problem),
        outcome=None,
        later=(),
    )
    if problem is not None:
        page.headers.update(problem.headers)
        page.headers["Cache-Control"] = "no-store"
        g.code = problem.code
    return page


def _games() -> dict[str, Message]:
    """Return the games of all shipped rulesets with their names, in alphabetical order of the games."""
    there = {game for name in regulations.names() for game in regulations.load(name).game.rules}
    return {game: GAMES[game] for game in sorted(there)}
