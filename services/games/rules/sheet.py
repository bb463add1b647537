"""The fold of a score sheet: what counts of a game's lines, whichever game it is."""

from typing import Any

from services.games.rules.kinds import STARTS
from services.games.rules.position import Position, side_of
from shared import events as ev
from shared.terms import Seconds, Side


class Sheet:
    """One game's sheet. ``moves`` are those that count, ``offer`` is who has a draw offer standing."""

    __slots__ = ("_kind", "_position", "game", "lines", "moves", "offer")

    def __init__(self, game: str) -> None:
        self.game = game
        self.lines = 0
        self.moves: list[ev.MovePlayed] = []
        self.offer: Side | None = None
        self._kind = ""
        self._position: Position | None = None

    def fork(self) -> "Sheet":
        """An independent copy."""
        made = Sheet(self.game)
        made.lines, made.moves, made.offer = self.lines, self.moves.copy(), self.offer
        made._kind = self._kind
        made._position = None if self._position is None else self._position.fork()
        return made

    def position(self, kind: str) -> Position:
        """A copy of the position reached in a game of this kind, played again only where it is not known."""
        if self._position is None or self._kind != kind:
            self._kind, self._position = kind, position_after(kind, self.moves)
        return self._position.fork()

    def clock(self, side: Side) -> Seconds | None:
        """The side's last reading on the sheet; None where there is none."""
        readings = (m.clock for m in reversed(self.moves) if side_of(m.ply) == side)
        return next((reading for reading in readings if reading is not None), None)

    def evolve(self, data: Any) -> None:
        """Take the next line."""
        self.lines += 1
        match data:
            case ev.MovePlayed():
                self._moved(data)
            case ev.OfferMade():
                self.offer = data.side if data.offer == "draw" else None
            case ev.MovesTakenBack():
                self.moves = self.moves[: data.to_ply]
                self.offer = None
                self._position = None

    def _moved(self, move: ev.MovePlayed) -> None:
        """An offer stands until the other side refuses it by word or by moving (000-A 国际象棋, 对局结束 7)."""
        self.moves.append(move)
        if self.offer is not None and self.offer != side_of(move.ply):
            self.offer = None
        if self._position is not None:
            self._position.play(move.move)


def position_after(kind: str, moves: list[ev.MovePlayed]) -> Position:
    """The position after these moves from the start."""
    position = STARTS[kind]()
    for move in moves:
        position.play(move.move)
    return position


def evolve_sheet(sheet: Sheet, event: ev.Event) -> None:
    sheet.evolve(event.data)
