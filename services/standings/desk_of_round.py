"""The desk of a round: what an official is given beside the boards, to enter and to look after."""

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import request

from services.standings.boards import RoundRows
from services.standings.page_context import PageContext
from shared.core.authority import permit
from shared.core.claims import pending_claims
from shared.core.entities import Game, Ruling
from shared.core.messages import Message, say, term
from shared.core.terms import RulingId
from shared.core.tournament import Tournament
from shared.http import auth
from shared.web.page import kept_query, link

NEAR = timedelta(hours=1)
"""How long before its deadline an appeal that may still come is shown."""


@dataclass(frozen=True, slots=True)
class Attention:
    """What waits for somebody: where it is, what it is, and the form that settles it (``address``, ``deed``)."""

    game: Game | None
    what: Message
    deed: Message
    address: str


@dataclass(frozen=True, slots=True)
class RoundDesk:
    """The entry of a round: the form's own ``once``, the board that is next (None: all results are in), and what waits."""

    once: str
    following: int | None
    attention: tuple[Attention, ...]
    rulings: dict[str, list[RulingId]]
    """Those that stand, by game."""


def desk_of(page: PageContext, rows: RoundRows, now: str) -> RoundDesk | None:
    """The desk of a round, for who may report results there; None for everybody else, and of the past."""
    who = auth.visitor()
    if who is None or kept_query() or rows.seq is None or page.view.seq < page.last:
        return None
    if who.tournament not in (None, page.state.id) or permit(page.state, who.actor, "report results") is not None:
        return None
    rulings: dict[str, list[RulingId]] = {}
    for id, ruling in page.state.rulings.items():
        if ruling.event.game is not None and page.state.stands(id):
            rulings.setdefault(ruling.event.game, []).append(id)
    attention = tuple(_attention(page.state, rows.round, now))
    return RoundDesk(secrets.token_urlsafe(12), _following(page.state, rows.round), attention, rulings)


def _following(t: Tournament, round: int) -> int | None:
    """The open board after the one that was just dealt with (``?board``), the first again after the last."""
    still_open = sorted(g.board for g in t.standing_games() if g.round == round and t.setting(g) is None)
    text = request.args.get("board", "")
    last = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return next((n for n in still_open if n > last), still_open[0] if still_open else None)


def board_address(t: str, game: Game, form: str) -> str:
    """A form of a board."""
    return f"{link('round_page', t=t, n=game.round)}/boards/{game.board}/{form}"


def _attention(t: Tournament, round: int, now: str) -> Iterator[Attention]:
    """What needs attention in any round, the most urgent first."""
    for claim in pending_claims(t):
        game = t.games[claim.event.game]
        what = say("claim {claim}: {kind}", claim=claim.event.claim, kind=_called(claim.event.kind))
        yield Attention(game, what, say("decide it"), board_address(t.id, game, "claim"))
    for finding in t.findings.values():
        if finding.open:
            game = t.games[finding.event.game]
            what = say("finding {finding}: {kind}", finding=finding.event.finding, kind=_called(finding.event.kind))
            yield Attention(game, what, say("rule on it"), board_address(t.id, game, "ruling"))
    yield from _appeals(t, now)
    games = [g for g in t.standing_games() if g.round < round and t.setting(g) is None]
    for game in games:
        yield Attention(game, say("no result"), say("enter it"), board_address(t.id, game, "result"))


def _appeals(t: Tournament, now: str) -> Iterator[Attention]:
    """Appeals that are open, and rulings that may still be appealed against, with the time that ends it."""
    for id, appeal in t.appeals.items():
        if appeal.decision is None:
            game = _game_of(t, appeal.event.ruling)
            what = say("appeal {appeal} against {ruling}", appeal=id, ruling=appeal.event.ruling)
            yield Attention(game, what, say("decide it"), f"{link('tournament_page', t=t.id)}/appeals/{id}/decision")
    within = t.regulations.rulebook.appeals.within if t.regulations.rulebook.appeals is not None else None
    if within is None:
        return
    appealed = {appeal.event.ruling for appeal in t.appeals.values()}
    for id, ruling in t.rulings.items():
        left = _time(ruling) + timedelta(seconds=within) - datetime.fromisoformat(now)
        if id not in appealed and t.stands(id) and timedelta() < left <= NEAR:
            minutes = max(1, left.seconds // 60)
            what = say("{ruling} can be appealed against for {minutes} min more", ruling=id, minutes=minutes)
            address = f"{link('tournament_page', t=t.id)}/rulings/{id}/appeal"
            yield Attention(_game_of(t, id), what, say("lodge an appeal"), address)


def _called(kind: str) -> Message:
    """A kind of claim or finding as people call it."""
    return term(kind.replace("_", " "))


def _time(ruling: Ruling) -> datetime:
    return datetime.fromisoformat(ruling.time)


def _game_of(t: Tournament, id: RulingId) -> Game | None:
    ruling = t.rulings.get(id)
    return None if ruling is None or ruling.event.game is None else t.games.get(ruling.event.game)
