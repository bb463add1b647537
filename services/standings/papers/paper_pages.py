"""The papers that can be printed now, each for A4 as the browser prints it. A paper shows the log as it is, or was."""

from functools import partial
from typing import Any

from flask import Blueprint, Response, request

from services.standings.descriptions.words import control, infraction
from services.standings.page_context import LAYOUT, PageContext, page_context
from services.standings.papers.blank_papers import round_score_sheets
from services.standings.papers.papers import EVENT_PAPERS, ROUND_JOB, ROUND_PAPERS, slip_pages, slip_results
from services.standings.rounds.boards import RoundRows, round_rows
from services.standings.rounds.tournament_pages import known_round
from shared.core.language.messages import Message, say
from shared.core.readings.claims import deadline
from shared.core.state.entities import Annulment, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, RulingId
from shared.desk.desk import Desk
from shared.http.addresses import is_only_here
from shared.http.common_problems import unknown_ruling
from shared.http.operations import TABLE
from shared.http.problems import Problem
from shared.http.requests.site_address import site_address
from shared.web.form import board_address
from shared.web.page import circumstances, link
from shared.web.qr import qr
from shared.web.ruling_record import ruling_record
from shared.web.value_words import effect

_HEX = 64
"""Digits of a root."""


def notice(desk: Desk, page: PageContext, r: str) -> dict[str, Any]:
    """Return the facts of a notice of a ruling or an annulment. Raises `Problem` 404 if the tournament does not have it."""
    t, id = page.state, RulingId(r)
    annulment = t.annulments.get(id)
    if annulment is None and id not in t.rulings:
        raise unknown_ruling(t.id, r)
    base = _base(page.tournament, id)
    entry: Ruling | Annulment = t.rulings[id] if annulment is None else annulment
    game = None if base.game is None else t.games[base.game]
    until = deadline(page.tournament, id)
    return {
        "id": id,
        "entry": entry,
        "annuls": None if annulment is None else annulment.event.annuls,
        "retracted": annulment is not None and annulment.event.retracted,
        "made": base,
        "record": ruling_record(desk, page.tournament, id, base, reads_texts=page.reads_texts),
        "board": None if game is None else game.board,
        "people": _people(page, base.player, () if game is None else (game.white, game.black)),
        "infraction": infraction(t, base.infraction),
        "effect": effect(t, base),
        "circumstances": circumstances(base.ply, base.facts),
        "until": None if until is None else until.isoformat(),
        "stands": t.is_in_force(id),
        "root": page.view.root.hex(),
        "address": _address(page, r),
        "agrees": _agrees(page),
        "now": _stands_now(desk, page, id),
    }


def _base(t: Tournament, id: RulingId) -> Any:
    """Return the ruling that an annulment, perhaps of an annulment, is about."""
    while id in t.annulments:
        id = t.annulments[id].event.annuls
    return t.rulings[id].event


def _people(
    page: PageContext, player: PlayerId | None, seated: tuple[PlayerId, ...]
) -> list[tuple[PlayerId, str | None]]:
    """Return the player it is about, or both players of the game if nobody is accused."""
    return [(one, page.name(one)) for one in ((player,) if player is not None else seated)]


def _address(page: PageContext, r: str) -> str:
    """Return the address of the notice as it was printed, with the root on the sheet."""
    own = link("ruling_notice", t=page.state.id, r=r, at=page.view.seq, root=page.view.root.hex())
    return site_address() + own


def _agrees(page: PageContext) -> bool | None:
    """Return whether the root on a sheet (``?root``) is that of this log at this line, or None if nobody asks."""
    root = request.args.get("root")
    return None if root is None else root.strip().lower()[: _HEX + 1] == page.view.root.hex()


def _stands_now(desk: Desk, page: PageContext, id: RulingId) -> bool | None:
    """Return whether it is in force in the log as it is now, or None if the page shows that log."""
    now = desk.view(page.state.id)
    if now is None or now.seq == page.view.seq or not isinstance(now.state, Tournament):
        return None
    return now.state.is_in_force(id)


def papers(bp: Blueprint, desk: Desk) -> None:
    """Register the list of papers, the papers of a round and of the event, and the notice of a ruling."""

    @LAYOUT.serves(bp, "/t/<t>/papers", cost=TABLE)
    def papers_page(t: str) -> Response:
        page = page_context(desk, t)
        ready = {name: paper.title for name, paper in EVENT_PAPERS.items() if paper.ready(page)}
        rounds = [n for n in range(page.state.rounds_paired(), 0, -1) if page.state.current(n) is not None]
        rulings = [*page.state.rulings, *page.state.annulments] if page.state.regulations is not None else []
        return page.render("papers.html", ready=ready, of_round=ROUND_PAPERS, rounds=rounds, rulings=rulings)

    @LAYOUT.serves(bp, "/t/<t>/papers/<paper>", cost=TABLE)
    def event_paper(t: str, paper: str) -> Response:
        page = _page(desk, t)
        chosen = EVENT_PAPERS.get(paper)
        if chosen is None:
            raise _no_paper(EVENT_PAPERS)
        if not chosen.ready(page):
            detail = say("the paper has no content yet")
            raise Problem(404, "no-paper-yet", say("This paper cannot be printed yet"), detail)
        return _document(page, [paper], chosen.title, **chosen.context(desk, page))

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>/papers", cost=TABLE)
    def round_papers(t: str, n: int) -> Response:
        page = _page(desk, t)
        return _of_round(page, n, list(ROUND_JOB), say("Papers of round {n}", n=n))

    @LAYOUT.serves(bp, "/t/<t>/rounds/<int:n>/papers/<paper>", cost=TABLE)
    def round_paper(t: str, n: int, paper: str) -> Response:
        page = _page(desk, t)
        if paper not in ROUND_PAPERS:
            raise _no_paper(ROUND_PAPERS)
        return _of_round(page, n, [paper], ROUND_PAPERS[paper])

    @LAYOUT.serves(bp, "/t/<t>/papers/rulings/<r>", cost=TABLE)
    def ruling_notice(t: str, r: str) -> Response:
        page = _page(desk, t)
        return _document(page, ["notice"], say("Notice of ruling {ruling}", ruling=r), notice=notice(desk, page, r))


def _page(desk: Desk, t: str) -> PageContext:
    """Return the tournament. A paper of a supposed state could be taken for the real one."""
    if request.args.get("without"):
        detail = say("papers show only the recorded state: omit the parameter without")
        raise Problem(422, "bad-query", say("Bad query"), detail, errors={"without": [detail]})
    return page_context(desk, t)


def _no_paper(there_are: dict[str, Any]) -> Problem:
    return Problem(404, "unknown-paper", say("No such paper"), say("available: {names}", names=tuple(there_are)))


def _of_round(page: PageContext, n: int, parts: list[str], title: Message) -> Response:
    known_round(page, n)
    rows = round_rows(page, n)
    if rows.seq is None:
        detail = say("the pairing of round {n} was withdrawn", n=n)
        raise Problem(404, "no-paper-yet", say("This paper cannot be printed yet"), detail)
    slips = slip_pages(rows) if "slips" in parts else []
    return _document(
        page,
        parts,
        title,
        rows=rows,
        slips=slips,
        code=lambda board: _code(page, rows, board),
        counted=_counted(page),
        choices=partial(slip_results, page),
        **(round_score_sheets(page, rows) if "score-sheets" in parts else {}),
    )


_COUNTED = {"foul": say("Fouls"), "violation": say("Violations")}


def _counted(page: PageContext) -> list[Message]:
    """Return the counter of the rulebook that has a line on a slip: fouls 犯规 (002-X 10.1) or violations 违例."""
    counters = {rung.counter for rung in page.tournament.regulations.rulebook.ladder}
    return [words for one, words in _COUNTED.items() if one in counters] or [_COUNTED["foul"]]


def _code(page: PageContext, rows: RoundRows, board: int) -> Any:
    """Return the code that leads to the form of a board's result."""
    address = site_address() + board_address(page.state.id, rows.round, board, "result")
    return qr(address, address)


def _document(page: PageContext, parts: list[str], title: Message, **context: Any) -> Response:
    """Return papers one after another, as one job of the printer."""
    return page.render(
        "papers/document.html",
        parts=parts,
        title=title,
        on_paper=True,
        root=page.view.root.hex(),
        qr=qr,
        control=control,
        host=site_address(),
        unreachable=is_only_here(site_address()),
        **context,
    )
