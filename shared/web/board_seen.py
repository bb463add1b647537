"""A board of a round as a form shows it: the game, who sits there, and the line of the log that it was seen at."""

from dataclasses import dataclass
from typing import Any

from shared.core.language.messages import Message
from shared.core.readings.authority import Permit, permit
from shared.core.readings.colours import Colours, colours_of
from shared.core.readings.concern import Concern, concern
from shared.core.readings.player_acts import own_entry
from shared.core.readings.vocabulary import column_heading, seat_name
from shared.core.state.entities import Game
from shared.core.state.outcomes import notation_of
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Side
from shared.desk.desk import Desk, View
from shared.http.language.language import words
from shared.http.problems import unknown_board
from shared.http.reads import tournament_query
from shared.http.requests import auth
from shared.web.form import Form, back_to_round
from shared.web.names import called_in
from shared.web.page import Layout
from shared.web.particulars import names_of
from shared.web.result_words import marks, result_called

SIDES: tuple[Side, Side] = ("white", "black")
BOARD = "/t/<t>/rounds/<int:n>/boards/<int:b>"
"""The address below which the forms about a board are."""


@dataclass(frozen=True, slots=True)
class BoardSeen:
    """A board at ``view``; ``names`` are the players' by id, without those that are not at hand."""

    view: View
    game: Game
    names: dict[PlayerId, str]

    @property
    def t(self) -> Tournament:
        """Return the tournament, which has regulations since it has games."""
        return self.view.tournament

    @property
    def seats(self) -> dict[str, str]:
        """What the seats are called now, for this request's reader: White and Black, Red and Black, colours by guess."""
        return {side: words(seat_name(self.colours, side)) for side in SIDES}

    @property
    def colours(self) -> Colours:
        """The colours at the board, as far as the official log records them."""
        return colours_of(self.t, self.game)

    @property
    def won(self) -> Message | None:
        """The result in words, by the winner's colour or name; None without a result, and where only its marks say it."""
        players = {side: called_in(self.names, self.game.player(side)) for side in SIDES}
        return None if self.notation is None else result_called(self.colours, self.notation, players)

    @property
    def result(self) -> str | None:
        """The result as people write it; None while there is none."""
        setting = self.t.setting(self.game)
        return None if setting is None else marks(setting.white, setting.black)

    @property
    def notation(self) -> str | None:
        """The result's notation, ``1-0``; None without a result, and where only its marks say it."""
        setting = self.t.setting(self.game)
        return None if setting is None else notation_of(self.t.regulations.points, setting.white, setting.black)

    def may(self, act: str) -> bool:
        """Return whether the reader may do an act of an office here. Forms show every act to readers without a login."""
        who = auth.visitor_of(self.t.id)
        return who is None or permit(self.t, who.actor, act, self.game.game) is None

    @property
    def sides(self) -> tuple[Side, ...]:
        """Return the sides that the reader acts for: a player only for their own side, all others for both."""
        who = auth.visitor_of(self.t.id)
        own = None if who is None else own_entry(self.t, who.actor)
        return tuple(side for side in SIDES if own is None or self.game.player(side) == own)

    @property
    def concern(self) -> Concern:
        """The game and both players."""
        return concern([self.game.game], [self.game.white, self.game.black])


def board_seen(desk: Desk, t: str, round: int, board: int) -> BoardSeen:
    """A board of a round's standing pairing as it is now. Raises `Problem` 404 where there is none, and as `view_at`."""
    view = tournament_query.latest(desk, t)
    game = view.state.game_at(round, board)
    if game is None:
        raise unknown_board(t, round, board)
    return BoardSeen(view, game, names_of(desk, view.state, (game.white, game.black)))


def board_form(desk: Desk, layout: Layout, permit: Permit, board: BoardSeen, template: str, **context: Any) -> Form:
    """Return a form about a board. It leads back to its round, with the lowest open board next."""
    back = back_to_round(board.t.id, board.game.round)
    return Form(desk, layout, permit, board.view, template, board.concern, back, {"board": board, **context})


def columns_of(t: Tournament) -> dict[Side, Message]:
    """Return the headings of the two columns of boards: White's seat is on the left in every game."""
    return {side: column_heading(colours_of(t), side) for side in SIDES}
