"""The colours of the seats now, and the side that moves first: the one source for every page, paper, file and screen.

A seat is a side of the pairing. The White seat is the left column in every game, and ``1-0`` is its win. Standard library
only.
"""

from typing import NamedTuple

from shared.core.rulebook.game_rules import RULES, BoardRules, Settling
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Side, other

_NO_COLOURS = ("First", "Second")
"""The names of the pieces in a game without rules of ours: the side that moves first, and the other one."""


class Colours(NamedTuple):
    """The colours at a board. ``pieces``: the names of White's pieces and Black's. ``first``: the colour that moves first.

    ``black``: the seat that holds Black's pieces now, None until it is settled ``by`` a guess, a swap or predictions.
    ``over``: the game has a result, so colours that were not recorded are no longer open.
    """

    pieces: tuple[str, str]
    first: Side
    by: Settling | None
    black: Side | None
    over: bool = False

    def piece(self, colour: Side) -> str:
        """Return the name of the pieces of this colour."""
        return self.pieces[colour == "black"]

    @property
    def first_seat(self) -> Side | None:
        """Return the seat that moves first, or None until the colours are settled."""
        return self.black if self.first == "black" or self.black is None else other(self.black)


def seat_colour(seat: Side, colours: Colours) -> Side | None:
    """Return the colour of the pieces that a seat holds now, or None until the colours are settled."""
    if colours.black is None:
        return None
    return "black" if seat == colours.black else "white"


def colours_of(t: TournamentState, game: Game | None = None) -> Colours:
    """Return the colours of a game as far as the official log records them; without one, those for a table of games.

    The log records a guess from decision edition 2 on, and every change of colours from edition 3 on. In older logs a swap and
    predictions are only on the score sheet, so a begun game stays unsettled here: `with_sheet` adds the sheet's colours.
    """
    name = "" if t.announced is None else t.announced.game
    rules, decisions = _rules_at_start(t, game, name)
    row = RULES.get(name)
    first: Side = "white" if row is None else row.FIRST if rules is None else rules.first
    pieces = _NO_COLOURS if row is None else row.PIECES
    ways = () if rules is None else rules.settled_by
    if game is not None and game.position is not None:
        ways = tuple(way for way in ways if way != "swap")  # no opening led to a position that was set up
    begun = game is not None and game.started is not None
    by = None if not ways else ways[-1] if begun else ways[0]
    if game is None:
        return Colours(pieces, first, by, None if ways else "black")
    black: Side | None = "black" if game.reversed is None else "white"
    if game.settled is not None:
        black = game.settled.black
    elif ways and not (begun and ways == ("guess",) and decisions == 2):
        black = None
    over = black is None and isinstance(t, Tournament) and t.setting(game) is not None
    return Colours(pieces, first, by, black, over)


def with_sheet(colours: Colours, black: Side, settled: bool, over: bool) -> Colours:
    """Return the colours completed from a score sheet. ``black``: the seat with Black's pieces, if ``settled``.

    ``over``: the game has a result.
    """
    return colours._replace(black=black if settled else None, over=over and not settled)


def _rules_at_start(t: TournamentState, game: Game | None, name: str) -> tuple[BoardRules | None, int]:
    """Return the rules of a game and the decision edition: those in force when it started, or now if it has not."""
    if not isinstance(t, Tournament):
        return None, 1
    started = None if game is None else game.started
    regulations = t.regulations if started is None else t.regulations_at(started)
    return regulations.game.rules.get(name), regulations.decisions
