"""The page of a player's own board: opponent, unit, colours and time, and the acts that the regulations allow the player."""

from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from services.games.layout import LAYOUT
from services.games.player_statements import STATED, statement
from services.games.rules import RULES
from services.games.rules import commands as co
from services.games.rules.boards.registry import variant_of
from shared.core.events import CallMade
from shared.core.readings.authority import permit
from shared.core.readings.concern import Concern
from shared.core.readings.player_acts import own_entry, player_rules
from shared.core.readings.statements import statement_state, statements_in_force
from shared.core.state.entities import Game
from shared.core.state.outcomes import notation_of
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, PlayerId, Side, other
from shared.desk.desk import Desk
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.log.texts import Texts
from shared.web.board_seen import BOARD, BoardSeen, board_form, board_seen
from shared.web.form import Form, back_to, board_address
from shared.web.particulars import limit_caches, names_of, units_of
from shared.web.result_words import ResultWords, results_of
from shared.web.texts import text_of
from shared.web.times import next_round_begins


class StatementForm(Schema):
    """The ``game`` that the page showed, and its result."""

    game = fields.String(required=True, validate=validate.Length(1, 100))
    result = fields.String(required=True, validate=validate.OneOf(STATED))


@dataclass(frozen=True, slots=True)
class OwnBoard:
    """The board of a ``player`` in the round that is being played, as the player sees it."""

    board: BoardSeen
    player: PlayerId

    @property
    def side(self) -> Side:
        """Return the player's seat."""
        return "white" if self.board.game.white == self.player else "black"

    @property
    def opponent(self) -> PlayerId:
        """Return the number of the opponent."""
        return self.board.game.player(other(self.side))

    @property
    def results(self) -> tuple[ResultWords, ResultWords, ResultWords]:
        """Return the results that the player may state: a win, a draw, and a loss of the player."""
        won, draw, lost = results_of(self.board.colours, STATED if self.side == "white" else STATED[::-1])
        return won, draw, lost

    @property
    def state(self) -> str | None:
        """Return ``waiting``, ``differs``, or None without a statement or with a result."""
        return statement_state(self.board.t, self.board.game)

    @property
    def call_address(self) -> str:
        """Return the address of the form that calls an arbiter."""
        return board_address(self.board.t.id, self.board.game.round, self.board.game.board, "call")

    @property
    def called(self) -> bool:
        """Return whether a call of an arbiter to the board is open."""
        return self.board.game.game in self.board.t.calls

    @property
    def moves_address(self) -> str | None:
        """Return the address of the form of moves while the game has a score sheet and no result, or None."""
        t, game = self.board.t, self.board.game
        if t.setting(game) is not None or variant_of(t, game) is None:
            return None
        return board_address(t.id, game.round, game.board, "moves")

    @property
    def claim_address(self) -> str | None:
        """Return the address of the form of claims while the game is played with a score sheet, or None."""
        t, game = self.board.t, self.board.game
        if game.started is None or self.moves_address is None:
            return None
        return f"{board_address(t.id, game.round, game.board, 'claim')}?side={self.side}"

    def stated(self, player: PlayerId) -> ResultWords | None:
        """Return the result that a player of the board states, or None."""
        made = statements_in_force(self.board.t, self.board.game).get(player)
        if made is None:
            return None
        notation = notation_of(self.board.t.regulations.points, made.white, made.black)
        return None if notation is None else results_of(self.board.colours, (notation,))[0]


def own_board(bp: Blueprint, desk: Desk) -> None:
    """Register the page of a player's own board."""

    @LAYOUT.serves(bp, "/t/<t>/me", form=True)
    def own_board_page(t: str) -> Response:
        view = tournament_query.latest(desk, t)
        state, who = view.state, auth.visitor_of(t)
        player = None if who is None else own_entry(state, who.actor)
        round, seen = state.rounds_paired(), "see" in player_rules(state).allowed_acts
        game = _game(state, player, round) if seen and player is not None and isinstance(state, Tournament) else None
        own, units = None, {}
        if game is not None and player is not None:
            names = names_of(desk, state, (game.white, game.black))
            own, units = OwnBoard(BoardSeen(view, game, names), player), units_of(desk, state, (game.white, game.black))

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.StateResult:
            return statement(actor, typed["game"], typed["result"])

        context = {
            "own": own,
            "units": units,
            "player": player,
            "called": None if player is None else names_of(desk, state, (player,)).get(player),
            "seen": seen,
            "may": _acts(state, None if who is None or player is None else who.actor),
            "bye_rounds": sorted(round for one, round in state.byes if one == player),
            "came": player in state.checked_in,
            "present": player is not None and state.players[player].left_after is None and not state.closed(),
            "round": round,
            "begins": next_round_begins(state, desk.now()),
            "notice": text_of(desk, state.venue_notice.text),
        }
        # No event makes the page too old: the rules refuse a game that has a result, and the statement names its game.
        back = back_to("own_board_page", "tournament_page", t=t)
        form = Form(desk, LAYOUT, RULES.permit(co.StateResult), view, "own_board.html", Concern(), back, context)
        return limit_caches(form.respond(StatementForm, make), personal=True)


class CallForm(Schema):
    """A call, or an answer to it, which has no fields: the form does the one that is possible now."""


def calls(bp: Blueprint, desk: Desk) -> None:
    """Register the form by which a player calls an arbiter to the board, and an arbiter records the answer."""

    @LAYOUT.serves(bp, f"{BOARD}/call", form=True)
    def call_form(t: str, n: int, b: int) -> Response:
        board = board_seen(desk, t, n, b)
        called = board.game.game in board.t.calls

        def make(actor: Actor, texts: Texts, typed: dict[str, Any]) -> co.CallArbiter:
            return co.CallArbiter(actor, CallMade(board.game.game, not called))

        form = board_form(desk, LAYOUT, RULES.permit(co.CallArbiter), board, "call.html", called=called)
        if auth.visits_as_player(t):
            form = replace(form, back=back_to("own_board_page", "tournament_page", t=t))
        return form.respond(CallForm, make)


_ACTS = {
    "check_in": "check in players",
    "call": "call an arbiter",
    "report": "state a result",
    "claim": "make a claim",
    "moves": "feed moves",
    "bye": "grant a bye",
}
"""The acts of the page, by the names that its template uses."""


def _acts(t: TournamentState, player: Actor | None) -> set[str]:
    """Return the acts of the page that a player may do now."""
    if player is None or t.closed():
        return set()
    return {name for name, act in _ACTS.items() if permit(t, player, act) is None}


def _game(t: Tournament, player: PlayerId, round: int) -> Game | None:
    """Return the player's game of a round: the first without a result, or else the last one."""
    games = [g for g in t.games_in_force() if g.round == round and player in (g.white, g.black)]
    return next((g for g in games if t.setting(g) is None), games[-1] if games else None)
