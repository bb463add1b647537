"""The holders of the pieces: a seat of the pairing those of its own name, until the seats take each other's."""

from dataclasses import dataclass

from services.games.rules.boards.port.position import End, other
from shared.core.terms import Side


@dataclass(frozen=True, slots=True)
class Seats:
    """``swapped``: the seats hold each other's pieces."""

    swapped: bool = False

    def holder(self, colour: Side) -> Side:
        """The seat that holds the pieces of this colour; as well the colour of the pieces that this seat holds."""
        return other(colour) if self.swapped else colour

    def exchanged(self) -> "Seats":
        """After the seats have taken each other's pieces."""
        return Seats(not self.swapped)

    def end(self, end: End) -> End:
        """An end told by colours, told by seats."""
        return End(end.termination, end.winner and self.holder(end.winner), end.article)

    def text(self, text: str) -> str:
        """A position's text, with ``~`` where the seats hold each other's pieces."""
        return text + "~" * self.swapped
