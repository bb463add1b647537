"""The page of rulings: each, whether it stands, what took it away, and the claims that wait for one."""

from datetime import datetime
from typing import Any

from flask import Blueprint, Response

from services.standings.descriptions.words import infraction
from services.standings.page_context import LAYOUT, PageContext, page_context
from shared.core.readings.claims import accused_of, deadline, pending_claims, running_deadlines
from shared.core.state.entities import Ruling
from shared.desk.desk import Desk
from shared.http.operations import TABLE
from shared.web.page import circumstances
from shared.web.value_words import effect


def rulings(bp: Blueprint, desk: Desk) -> None:
    """Register the page of a tournament's rulings."""

    @LAYOUT.serves(bp, "/t/<t>/rulings", cost=TABLE)
    def rulings_page(t: str) -> Response:
        page = page_context(desk, t)
        claims = [
            {
                "event": c.event,
                "seq": c.seq,
                "accuses": accused_of(c.event) is not None,
                "accused": page.name(c.event.accused),
            }
            for c in (pending_claims(page.tournament) if page.state.claims else ())
        ]
        running = running_deadlines(page.tournament, datetime.fromisoformat(desk.now())) if page.state.rulings else {}
        rows = [_ruling(page, r, appealable=id in running) for id, r in page.state.rulings.items()]
        return page.render("rulings.html", rulings=rows, claims=claims)


def _ruling(page: PageContext, ruling: Ruling, *, appealable: bool) -> dict[str, Any]:
    """Return a ruling, whether it is in force, the reasons if it is not, and the deadline if it is still ``appealable``."""
    t, event = page.state, ruling.event
    standing = t.is_in_force(event.ruling)
    annulments = [t.annulments[a] for a in t.annulments_in_force(event.ruling)]
    correction = t.correction_of(event)
    until = deadline(page.tournament, event.ruling) if appealable else None
    return {
        "event": event,
        "seq": ruling.seq,
        "role": ruling.role,
        "player": None if event.player is None else page.name(event.player),
        "infraction": infraction(t, event.infraction),
        "effect": effect(t, event),
        "circumstances": circumstances(event.ply, event.facts),
        "stands": standing,
        "until": None if until is None else until.isoformat(),
        "effective": standing and t.has_effect(event.ruling),
        "fallen": t.lapsed_with(event.ruling),
        "correction": None if correction is None else t.arrivals.get(correction) or t.breaks[correction],
        "pardon": t.pardon(event.notes[-1]) if event.notes else None,
        "withdrawn": t.withdrawn_finding(event),
        "contradiction": t.contradiction(event.ruling),
        "thought_away": event.ruling in t.suppressed,
        "annulments": [{"event": a.event, "seq": a.seq, "reason": page.texts_of(a.event)} for a in annulments],
        "note": page.texts_of(event),
    }
