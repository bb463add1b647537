"""The notice of a ruling 判罚通知: what hangs in the hall, and what its code leads to from there."""

from typing import Any

from flask import request

from services.standings.descriptions.words import effect, infraction
from services.standings.page_context import PageContext
from shared.core.readings.appeals import deadline
from shared.core.state.entities import Annulment, Ruling
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, RulingId
from shared.desk.desk import Desk
from shared.http.common_problems import unknown_ruling
from shared.web.page import circumstances, link

_HEX = 64
"""Digits of a root."""


def notice(desk: Desk, page: PageContext, r: str) -> dict[str, Any]:
    """What a notice says of a ruling or an annulment. Raises `Problem` 404 for none of this tournament."""
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
    """The ruling that an annulment, perhaps of an annulment, is about."""
    while id in t.annulments:
        id = t.annulments[id].event.annuls
    return t.rulings[id].event


def _people(
    page: PageContext, player: PlayerId | None, seated: tuple[PlayerId, ...]
) -> list[tuple[PlayerId, str | None]]:
    """Whom it is about: the player; where nobody is accused, both of the game."""
    return [(one, page.name(one)) for one in ((player,) if player is not None else seated)]


def _address(page: PageContext, r: str) -> str:
    """The notice as it was printed, with the root that the sheet bears."""
    own = link("ruling_notice", t=page.state.id, r=r, at=page.view.seq, root=page.view.root.hex())
    return request.host_url.rstrip("/") + own


def _agrees(page: PageContext) -> bool | None:
    """Whether the root on a sheet (``?root``) is that of this log after so many lines; None where nobody asks."""
    root = request.args.get("root")
    return None if root is None else root.strip().lower()[: _HEX + 1] == page.view.root.hex()


def _stands_now(desk: Desk, page: PageContext, id: RulingId) -> bool | None:
    """Whether it stands by the log as it is now; None where the page shows that log."""
    now = desk.view(page.state.id)
    if now is None or now.seq == page.view.seq or not isinstance(now.state, Tournament):
        return None
    return now.state.is_in_force(id)
