"""The desk of a round: what an official is given beside the boards, to enter and to look after."""

import secrets
from dataclasses import dataclass

from flask import request

from services.standings.page_context import PageContext
from services.standings.rounds.boards import RoundRows
from services.standings.rounds.open_crossings import OpenCrossings
from services.standings.rules.publication import rounds_left
from shared.core.readings.authority import permit
from shared.core.readings.token_boards import Boards
from shared.core.state.tournament import Tournament
from shared.core.terms import RulingId
from shared.http.requests import auth
from shared.web.attention import Attention, attention, may_decide_appeals, open_appeals
from shared.web.page import kept_query

_AT_A_BOARD = ("call", "claim", "finding", "statement", "result")
"""What waits that whoever stands at its board has to know."""


@dataclass(frozen=True, slots=True)
class RoundDesk:
    """The entry of a round: the form's own ``once``, the board that is next (None: all results are in), and what waits."""

    once: str
    following: int | None
    attention: tuple[Attention, ...]
    sought: bool
    """Whether an audit looks for crossings just now."""
    rulings: dict[str, list[RulingId]]
    """Those that stand, by game."""
    pairable: int | None
    """The next round, where it can be paired and its visitor may."""
    withdrawable: bool
    """Whether no game of the round has begun, and its visitor may take its pairing back."""
    voidable: bool
    """True if games of the last round have begun, and the visitor may void its pairing."""
    closable: bool
    """Whether no round is left, all results are in, and its visitor may publish the final table."""
    decidable: bool
    """Whether an article of the rulebook decides a game that nobody is accused for."""
    boards: Boards | None
    """The boards that its visitor's session is narrowed to; None: all."""

    def has(self, board: int) -> bool:
        """Whether its visitor notes what happens at a board."""
        return self.boards is None or self.boards.has(board)


def desk_of(page: PageContext, rows: RoundRows, open_crossings: OpenCrossings) -> RoundDesk | None:
    """The desk of a round, for who may report results there; None for everybody else, and of the past.

    A round whose pairing was withdrawn has one too, without boards, and so has a tournament before its first: what waits
    there has to be reached from somewhere.
    """
    who = auth.visitor_of(page.state.id)
    if who is None or kept_query() or page.view.seq < page.last:
        return None
    if permit(page.state, who.actor, "report results") is not None:
        return None
    rulings: dict[str, list[RulingId]] = {}
    for id, ruling in page.state.rulings.items():
        if ruling.event.game is not None and page.state.is_in_force(id):
            rulings.setdefault(ruling.event.game, []).append(id)
    crossings = open_crossings.of(page)
    waiting = tuple(attention(page.tournament, rows.round, crossings or ()))
    still_open, last = _open(page.tournament, rows.round), page.tournament.rounds_paired()
    over = rows.round >= last and not _open(page.tournament, last)
    pairable = pairable_round(page) if over else None
    withdrawing = page.may("withdraw a pairing") and 0 < rows.round == last
    withdrawable = withdrawing and _untouched(page.tournament, rows.round)
    voidable = (
        withdrawing and not withdrawable and not page.tournament.closed() and page.tournament.regulations.decisions >= 3
    )
    closable = over and rows.round == last and rounds_left(page.tournament) == 0 and page.may("publish")
    decidable = bool(page.tournament.regulations.rulebook.decisive(page.tournament.announced.game))
    if who.boards is not None:
        waiting = tuple(
            one for one in waiting if one.kind in _AT_A_BOARD and one.game and who.boards.has(one.game.board)
        )
        still_open = [board for board in still_open if who.boards.has(board)]
    return RoundDesk(
        secrets.token_urlsafe(12),
        _following(still_open),
        waiting,
        crossings is None,
        rulings,
        pairable,
        withdrawable,
        voidable,
        closable,
        decidable,
        who.boards,
    )


def cases_of(page: PageContext) -> tuple[Attention, ...] | None:
    """Return the open appeals for an official who may decide them, or None for other readers and of a past state."""
    if kept_query() or not may_decide_appeals(page.state):
        return None
    return tuple(open_appeals(page.tournament))


def pairable_round(page: PageContext) -> int | None:
    """Return the next round if the reader may pair it, or None, also after the last round."""
    return page.next_round if page.may("pair a round") else None


def _untouched(t: Tournament, round: int) -> bool:
    return 0 < round == t.rounds_paired() and not any(t.has_begun(g) for g in t.games_in_force() if g.round == round)


def _open(t: Tournament, round: int) -> list[int]:
    """The boards of a round that have no result, by number."""
    return sorted(g.board for g in t.games_in_force() if g.round == round and t.setting(g) is None)


def _following(still_open: list[int]) -> int | None:
    """The open board after the one that was just dealt with (``?board``), the first again after the last."""
    text = request.args.get("board", "")
    last = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return next((n for n in still_open if n > last), still_open[0] if still_open else None)
