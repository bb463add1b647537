"""The seats that hold the pieces: each seat those of its own name, until the seats exchange them."""

from dataclasses import dataclass

from services.games.rules.boards.port.position import End, other
from shared.core.terms import Side


@dataclass(frozen=True, slots=True)
class Seats:
    """The relation of seats and colours. ``swapped``: the seats hold each other's pieces."""

    swapped: bool = False

    def holder(self, colour: Side) -> Side:
        """Return the seat that holds the pieces of this colour; equally the colour of the pieces that this seat holds."""
        return other(colour) if self.swapped else colour

    def exchanged(self) -> "Seats":
        """Return the seats after exchanging their pieces."""
        return Seats(not self.swapped)

    def end(self, end: End) -> End:
        """Return an end by seats, from an end by colours."""
        return End(end.termination, end.winner and self.holder(end.winner), end.article)

    def text(self, text: str) -> str:
        """Return a position's text, with ``~`` if the seats hold each other's pieces."""
        return text + "~" * self.swapped
