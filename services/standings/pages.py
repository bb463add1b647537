"""The tournament's pages: its table and why it is so, its rounds and rulings, its log."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for

from services.standings import queries
from services.standings.descriptions.registry import sentence
from services.standings.descriptions.words import BYES, control, effect, stage, texts
from services.standings.routes import known
from services.standings.rules.crosstable import crosstable
from services.standings.rules.explanation import explanation
from services.standings.rules.table.table import Table, as_json
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.audit.checkpoint import short_digest
from shared.core.authority import READ_TEXTS, permit
from shared.core.claims import pending_claims
from shared.core.entities import Game, Ruling
from shared.core.game_rules import seat_names
from shared.core.merkle import leaf_hash
from shared.core.terms import PlayerId, RulingId, TextRef
from shared.core.tournament import Tournament
from shared.desk.desk import Desk, View
from shared.desk.views import stream_of
from shared.http import auth, paging, tournament_query
from shared.http.app_context import current_context
from shared.http.operations import TABLE, Operation
from shared.http.problems import Problem
from shared.web.page import Layout, circumstances, language_switch, link, marks, style

LAYOUT = Layout(Path(__file__).parent / "templates")
_LISTED = 60


def front(bp: Blueprint, desk: Desk) -> None:
    """The list of tournaments, logging in and out, the language."""
    style(bp)
    language_switch(bp)

    @bp.get("/")
    @LAYOUT.with_problem_page
    def front() -> Response:
        after = request.args.get("from", "")
        ids = [t for t in known(desk) if t > after]
        views = [v for t in ids[:_LISTED] if (v := desk.view(t)) is not None and v.tournament.announced is not None]
        more = ids[_LISTED - 1] if len(ids) > _LISTED else None
        return LAYOUT.page("front.html", views=views, more=more)

    @bp.get("/login")
    @LAYOUT.with_problem_page
    def login() -> Response:
        token = request.args.get("token", "")
        identity = current_context().keyring.identify(token)
        response = _to(url_for(".front"))
        response.set_cookie(
            auth.COOKIE, token, httponly=True, samesite="Strict", secure=request.is_secure, expires=identity.expires
        )
        return response

    @bp.post("/logout")
    def logout() -> Response:
        response = _to(url_for(".front"))
        response.delete_cookie(auth.COOKIE, httponly=True, samesite="Strict", secure=request.is_secure)
        return response


def _to(address: str) -> Response:
    response = redirect(address, 303, Response)
    assert isinstance(response, Response)
    response.headers["Cache-Control"] = "no-store"
    return response


def tournament(bp: Blueprint, desk: Desk) -> None:
    """One tournament's pages."""

    @bp.get("/t/<t>")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def tournament_page(t: str) -> Response:
        page = page_context(desk, t)
        state = page.state
        table = page.table()
        numbers = range(state.rounds_paired(), 0, -1)
        rulings = [_ruling(desk, page, r) for r in state.rulings.values()]
        return page.render(
            "tournament.html",
            table=table and as_json(table, page.names),
            rounds=[_round(page, number) for number in numbers],
            rulings=rulings,
            claims=[
                {"event": c.event, "seq": c.seq, "accused": page.name(c.event.accused)} for c in pending_claims(state)
            ],
            players=state.players,
            control=control,
            stage=stage,
        )

    @bp.get("/t/<t>/players/<int:p>")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def player_page(t: str, p: int) -> Response:
        page = page_context(desk, t)
        id = queries.player(page.view, p)
        table = page.table()
        row = table and explanation(table, id, page.names)
        return page.render("player.html", row=row, player=page.state.players[id], bye_names=BYES)

    @bp.get("/t/<t>/crosstable")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def crosstable_page(t: str) -> Response:
        page = page_context(desk, t)
        table = page.table()
        return page.render("crosstable.html", table=table and crosstable(table, page.names))

    @bp.get("/t/<t>/log")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def log_page(t: str) -> Response:
        page = page_context(desk, t)
        window = paging.window()
        rows = desk.lines(stream_of(t), window.after, min(page.view.seq, window.after + window.limit))
        events = [(row.seq, queries.event_of(row)) for row in rows]
        lines = [
            {
                "seq": seq,
                "event": event,
                "sentence": None if event is None else sentence(page.state, event.data, page.call),
                "texts": [] if event is None else page.texts_of(desk, texts(event.data)),
            }
            for seq, event in events
        ]
        last = window.after + len(rows)
        more = paging.cursor(last) if last < page.view.seq else None
        before = paging.cursor(max(0, window.after - window.limit)) if window.after else None
        return page.render("log.html", lines=lines, more=more, before=before)

    @bp.get("/t/<t>/log/<int:seq>")
    @Operation(cost=TABLE)
    @LAYOUT.with_problem_page
    def line_page(t: str, seq: int) -> Response:
        page = page_context(desk, t)
        rows = desk.lines(stream_of(t), seq - 1, seq) if 1 <= seq <= page.view.seq else []
        if not rows:
            raise Problem(404, "beyond-the-end", "The log has no such line", f"it has {page.view.seq} lines")
        line, event = rows[0].line, queries.event_of(rows[0])
        words = None if event is None else sentence(page.state, event.data, page.call)
        pretty = (
            json.dumps(json.loads(line), ensure_ascii=False, indent=2) if event else line.decode("utf-8", "replace")
        )
        return page.render(
            "line.html", seq=seq, sentence=words, pretty=pretty, size=len(line), leaf=leaf_hash(line).hex()
        )


# ---------------------------------------------------------------- what a page shows


@dataclass(frozen=True)
class PageContext:
    """A tournament as one page shows it; ``last`` is the log's length now."""

    view: View
    names: Mapping[str, str]
    last: int
    reader: bool

    @property
    def state(self) -> Tournament:
        return self.view.tournament

    def table(self) -> Table | None:
        """The table; None before there are regulations."""
        return None if self.state.regulations is None else queries.table(self.view)

    def name(self, player: PlayerId) -> str | None:
        entry = self.state.players.get(player)
        return None if entry is None else self.names.get(entry.name.text)

    def call(self, player: PlayerId) -> str:
        """A name, or the number of one whose name is not at hand."""
        return self.name(player) or f"player {player}"

    def texts_of(self, desk: Desk, refs: tuple[TextRef, ...]) -> list[str | None]:
        """The texts written, for those who may read them; None for the others and for what was erased."""
        rows = desk.texts({ref.text for ref in refs}) if self.reader and refs else {}
        return [rows[ref.text].text if ref.text in rows else None for ref in refs]

    def render(self, template: str, **context: Any) -> Response:
        game = self.state.announced.game if self.state.announced else ""
        return LAYOUT.page(
            template,
            t=self.state,
            page=self,
            line=_line,
            sides=dict(zip(("white", "black"), seat_names(game), strict=True)),
            digest=short_digest(self.view.seq, self.view.root),
            **{"titles": TIEBREAKS.titles} | context,
        )


def page_context(desk: Desk, t: str) -> PageContext:
    view = tournament_query.view(desk, t)
    now = desk.view(t) or view
    who = auth.visitor()
    reader = who is not None and who.tournament in (None, t) and permit(now.tournament, who.actor, READ_TEXTS) is None
    return PageContext(view, queries.names(desk, view.tournament), now.seq, reader)


def _line(seq: int) -> str:
    """The address of a line within the page of the log that holds it."""
    first = (seq - 1) // paging.LIMIT * paging.LIMIT
    cursor = {"cursor": paging.cursor(first)} if first else {}
    return link("log_page", t=(request.view_args or {})["t"], **cursor) + f"#l{seq}"


def _round(page: PageContext, number: int) -> dict[str, Any]:
    """A round's boards and byes; without any where its pairing was withdrawn."""
    pairing = page.state.current(number)
    if pairing is None:
        return {"round": number, "seq": None, "stage": "", "boards": [], "byes": []}
    games = [page.state.games[b.game] for b in pairing.event.boards]
    byes = [{"player": b.player, "name": page.name(b.player), "kind": BYES[b.kind]} for b in pairing.event.byes]
    return {
        "round": number,
        "seq": pairing.seq,
        "stage": pairing.event.stage.replace("_", " "),
        "boards": [_board(page, g) for g in games],
        "byes": byes,
    }


def _board(page: PageContext, game: Game) -> dict[str, Any]:
    setting = page.state.setting(game)
    ruling = page.state.ruling_on(game)
    return {
        "game": game,
        "white": page.name(game.white),
        "black": page.name(game.black),
        "result": None if setting is None else marks(setting.white, setting.black),
        "seq": None if setting is None else setting.seq,
        "ruled": None if ruling is None else ruling.event.ruling,
    }


def _ruling(desk: Desk, page: PageContext, ruling: Ruling) -> dict[str, Any]:
    """A ruling, whether it stands, and what took it away."""
    t, event = page.state, ruling.event
    standing = t.stands(event.ruling)
    annulments = [t.annulments[RulingId(a)] for a in t.annulled_by.get(event.ruling, ()) if t.stands(a)]
    correction = t.correction_of(event)
    rules = () if t.regulations is None else t.regulations.rulebook.infractions
    return {
        "event": event,
        "seq": ruling.seq,
        "role": ruling.role.replace("_", " "),
        "player": None if event.player is None else page.name(event.player),
        "chinese": next((r.chinese for r in rules if r.name == event.infraction), None),
        "effect": effect(event.effect),
        "circumstances": circumstances(event.ply, event.facts),
        "stands": standing,
        "effective": standing and t.effective(event.ruling),
        "fallen": [r for r in event.because if not t.stands(r)],
        "correction": None if correction is None else t.arrivals.get(correction) or t.breaks[correction],
        "pardon": t.pardon(event.notes[-1]) if event.notes else None,
        "withdrawn": t.withdrawn_finding(event),
        "contradiction": t.contradiction(event.ruling),
        "thought_away": event.ruling in t.suppressed,
        "annulments": [
            {"event": a.event, "seq": a.seq, "reason": page.texts_of(desk, texts(a.event))} for a in annulments
        ],
        "note": page.texts_of(desk, texts(event)),
    }
