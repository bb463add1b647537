"""The page of a preview: the consequences of a form, their changes since an earlier preview, and the confirmation."""

import secrets
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from flask import Blueprint, Response, request

from services.standings import queries
from services.standings.descriptions.registry import mentions, sentence
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.previews.changed_rows import changed_rows, changed_teams
from services.standings.previews.preview_routes import state_after
from services.standings.rules.diff import Preview, team_diff
from shared.core.language.messages import Message
from shared.core.readings.settlement import describe, rulings_out_of_force
from shared.core.rulebook.articles import own_citation
from shared.core.state.tournament import TournamentState
from shared.core.terms import Actor, PlayerId
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http.commands.previews import Previews
from shared.http.operations import PREVIEW
from shared.http.problems import Problem
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import require_permit
from shared.http.requests import auth
from shared.http.requests.request_parts import load
from shared.web.form import OWN, fields_of, seq_of
from shared.web.page import leads_to
from shared.web.previewed_form import ANEW, EDIT, UNSEEN

WRITTEN = ("note", "reason", "grounds")
"""The fields of forms with free text."""
MOST_LINES = 20
"""Limit of later events that are listed."""


def pages(bp: Blueprint, desk: Desk, previews: Previews[Preview]) -> None:
    """Register the preview of any form, at the form's own address below ``/t/{t}/preview/``."""

    @LAYOUT.serves(bp, "/t/<t>/preview/<path:form>", form=True, cost=PREVIEW)
    def preview_page(t: str, form: str) -> Response:
        address = f"/t/{t}/{form}"
        if request.method != "POST":
            return leads_to(request.script_root + address)
        reader, ids = previews.readers.form(address)
        actor = auth.require(t)
        require_permit(desk, t, actor, reader.permit)
        seen = seq_of(request.form)
        tournament_query.view_at(desk, t, after=seen)
        page = page_context(desk, t)

        def foreseen(view: View) -> Preview:
            posted = reader.read(view.tournament, ids, load(reader.schema, fields_of(request.form)))
            return previews.preview(view, posted, actor)

        try:
            preview = foreseen(page.view)
        except Problem as problem:
            if problem.status != HTTPStatus.SERVICE_UNAVAILABLE:
                raise
            return _without_preview(page, problem, address)
        after = _state_after(page, preview)
        before = foreseen(tournament_query.view_at(desk, t, seen)) if ANEW in request.args and seen else None
        response = page.render(
            "preview.html",
            **_form(address),
            **_shown(page, preview, after, actor),
            anew=None if before is None else _differences(desk, page, before, preview, after),
            written=[request.form[name] for name in WRITTEN if request.form.get(name)],
            seq=preview.seq,
            foreseen=preview.digest,
        )
        response.headers["Cache-Control"] = "no-store"
        return response


def _form(address: str) -> dict[str, Any]:
    """Return what a page needs to send the form again: to be recorded, to be changed or to be previewed."""
    return {
        "form": request.script_root + address,
        "edit": f"{request.script_root}{address}?{EDIT}",
        "sent": [(name, value) for name, value in request.form.items(multi=True) if name not in OWN],
        "once": secrets.token_urlsafe(16),
    }


def _without_preview(page: PageContext, problem: Problem, address: str) -> Response:
    """Return the page that offers to preview a form once more, or to record it without a preview. It keeps what was filled in."""
    response = page.render(
        "preview_unavailable.html",
        **_form(address),
        detail=problem.detail,
        anew=ANEW in request.args,
        seq=page.view.seq if ANEW in request.args else seq_of(request.form) or page.view.seq,
        foreseen=UNSEEN,
        again=request.script_root + request.full_path.rstrip("?"),
    )
    response.status_code = problem.status
    response.headers["Cache-Control"] = "no-store"
    response.headers["Retry-After"] = problem.headers["Retry-After"]
    return response


def _state_after(page: PageContext, preview: Preview) -> TournamentState | None:
    """Return the tournament with a command's consequences, or None if the log has newer events."""
    return state_after(page.view, preview) if preview.seq == page.view.seq else None


def _shown(page: PageContext, preview: Preview, after: TournamentState | None, actor: Actor) -> dict[str, Any]:
    """Return the sentences of the decision and of its consequences, and the changed rows of the table."""
    told = _sentences(page, preview, after)
    own = [event.actor == actor.name and event.role == actor.role for event in preview.events]
    return {
        "decided": [one for one, mine in zip(told, own, strict=True) if mine],
        "follows": [one for one, mine in zip(told, own, strict=True) if not mine],
        "cited": list(dict.fromkeys(filter(None, (getattr(event.data, "article", None) for event in preview.events)))),
        **_changed_rulings(page, after),
        "changes": changed_rows(page, preview.table, _named(page, preview)),
        "paired_later": _paired_later(page.state, preview),
        "teams": [] if after is None else changed_teams(page, team_diff(page.state, after)),
        "outdated": [
            {
                "what": describe(page.view.tournament, one),
                "article": own_citation(page.view.tournament.regulations, one.article),
            }
            for one in preview.outdated
        ],
    }


def _named(page: PageContext, preview: Preview) -> set[PlayerId]:
    """Return the players that the events of a preview name."""
    return {p for event in preview.events for p in mentions(page.state, event.data).players}


def _paired_later(t: TournamentState, preview: Preview) -> int | None:
    """Return the last round if it was paired from the points that change, and its pairing stays, or None."""
    changes = () if preview.table is None or preview.outdated else preview.table.changes
    last = t.rounds_paired()
    earlier = any(cause.round is not None and cause.round < last for row in changes for cause in row.causes)
    return last if earlier else None


def _changed_rulings(page: PageContext, after: TournamentState | None) -> dict[str, list[Message]]:
    """Return the sentences of rulings that would lapse or be in force again, or nothing if the log has newer events."""
    if after is None:
        return {}
    now = page.state
    lapsed, restored = rulings_out_of_force(now, after), rulings_out_of_force(after, now)
    return {
        "out_of_force": [sentence(now, now.rulings[id].event, page.call) for id in lapsed],
        "in_force_again": [sentence(now, now.rulings[id].event, page.call) for id in restored],
    }


def _sentences(page: PageContext, preview: Preview, after: TournamentState | None) -> list[Message]:
    return [sentence(after or page.view.state, event.data, page.call) for event in preview.events]


def _differences(
    desk: Desk, page: PageContext, before: Preview, preview: Preview, after: TournamentState | None
) -> dict[str, Any]:
    """Return the events since an earlier preview about the same players, and the differences between the previews."""
    old, new = _sentences(page, before, _state_after(page, before)), _sentences(page, preview, after)
    ranks = [
        {"name": page.name(PlayerId(id)), "then": then, "now": now} for id, then, now in _other_ranks(before, preview)
    ]
    return {
        "seq": before.seq,
        "lines": _lines_since(desk, page, before.seq, _named(page, preview)),
        "gone": [one for one in old if one not in new],
        "ranks": ranks,
    }


def _other_ranks(before: Preview, preview: Preview) -> list[tuple[int, int, int]]:
    """Return the players whose rank after the command differs from the earlier preview: ID, then, now."""
    then, now = (
        {row.id: row.after.rank for row in (() if one.table is None else one.table.changes)}
        for one in (before, preview)
    )
    return [(id, then[id], now[id]) for id in then if id in now and then[id] != now[id]]


def _lines_since(desk: Desk, page: PageContext, seq: int, about: set[PlayerId]) -> Sequence[dict[str, Any]]:
    t = page.state
    rows = desk.lines(stream_of(t.id), seq, page.view.seq)
    events = [event for row in rows if (event := queries.event_of(row)) is not None]
    told = [event for event in events if not about.isdisjoint(mentions(t, event.data).players)]
    return [{"seq": e.seq, "actor": e.actor, "text": sentence(t, e.data, page.call)} for e in told[-MOST_LINES:]]
