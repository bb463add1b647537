"""The games that have score sheets: one row each."""

from collections.abc import Callable

from services.games.rules.chess import ChessPosition
from services.games.rules.position import Position
from shared.tournament import Tournament

STARTS: dict[str, Callable[[], Position]] = {"chess": ChessPosition}
"""Announced game -> its position before the first move."""


def kind_of(t: Tournament) -> str | None:
    """The row whose sheets this tournament's games have; None where results alone are reported.

    The regulations say which sheets there are, and they are for the game announced.
    """
    assert t.announced is not None and t.regulations is not None
    kind = t.regulations.game.sheet
    return kind if kind == t.announced.game else None
