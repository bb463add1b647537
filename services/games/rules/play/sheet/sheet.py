"""The state of a score sheet: the counting events of a game, for any game."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from services.games.rules.boards.port.position import Position
from services.games.rules.boards.registry import PERMANENT_STEPS, PLY_STEPS, TOUCH_CLAIMS, VOID_REASONS, Variant
from services.games.rules.play.sheet.game_state import GameState
from shared.core import events as ev
from shared.core.events.sheets import StatedResult, Step
from shared.core.terms import Ply, Seq, Side, TextRef

Statement: TypeAlias = ev.OfferMade | ev.ClaimMade | ev.ClaimDecided
SheetEntry: TypeAlias = ev.MovePlayed | ev.StepTaken | Statement


BEFORE_ALL = Seq(0)
"""The basis of a decision on an empty log."""


class SheetClaim(NamedTuple):
    """A claim on a sheet, even if its moves were taken back since. ``decision``: None before it is decided.

    ``before``: the events that counted when it was made; dropped once it is decided.
    """

    made: ev.ClaimMade
    before: tuple[SheetEntry, ...] = ()
    decision: ev.ClaimDecided | None = None


class Sheet:
    """One game's sheet.

    ``entries``: the counting events. ``plies``: those of them that are a ply, in order. ``bases``: the log event that
    each ply was decided on. ``back``: that of the last moves taken back. ``claims``: all claims ever made.
    ``annotations``: those of the last file with annotations, valid up to the ply ``annotated`` (None: all of them).
    ``stated``: the result in the last file.
    """

    __slots__ = (
        "_state",
        "annotated",
        "annotations",
        "back",
        "bases",
        "claims",
        "entries",
        "game",
        "lines",
        "plies",
        "stated",
    )

    def __init__(self, game: str) -> None:
        self.game = game
        self.lines = 0
        self.entries: list[SheetEntry] = []
        self.plies: list[ev.MovePlayed | ev.StepTaken] = []
        self.claims: list[SheetClaim] = []
        self.bases: list[Seq] = []
        self.back: Seq | None = None
        self.annotations: TextRef | None = None
        self.annotated: Ply | None = None
        self.stated: StatedResult | None = None
        self._state: GameState | None = None

    def fork(self) -> "Sheet":
        """Return an independent copy."""
        copy = Sheet(self.game)
        copy.lines, copy.entries, copy.plies = self.lines, self.entries.copy(), self.plies.copy()
        copy.claims = self.claims.copy()
        copy.bases, copy.back = self.bases.copy(), self.back
        copy.annotations, copy.annotated, copy.stated = self.annotations, self.annotated, self.stated
        copy._state = None if self._state is None else self._state.fork()
        return copy

    @property
    def moves(self) -> list[ev.MovePlayed]:
        """The moves that count."""
        return [ply for ply in self.plies if isinstance(ply, ev.MovePlayed)]

    @property
    def steps(self) -> list[ev.StepTaken]:
        """The steps that count."""
        return [line for line in self.entries if isinstance(line, ev.StepTaken)]

    def step(self, side: Side, step: Step, values: tuple[str, ...] = ()) -> ev.StepTaken:
        """Return the event of a step that is taken now and is not a ply."""
        return ev.StepTaken(Ply(len(self.plies)), side, step, values)

    def claim(self, id: str) -> SheetClaim | None:
        """Return the claim with this ID, or None."""
        return next((one for one in self.claims if one.made.id == id), None)

    def state(self, variant: Variant) -> GameState:
        """Return the game's state in this variant, cached between events. Callers must fork it before changing it."""
        if self._state is None or self._state.variant != variant:
            self._state = state_after(variant, self.entries)
        return self._state

    def position(self, variant: Variant) -> Position:
        """Return a copy of the position reached in a game of this variant."""
        return self.state(variant).position.fork()

    def evolve(self, data: Any, basis: Seq = BEFORE_ALL) -> None:
        """Apply the next event. ``basis``: the log event it was decided on."""
        self.lines += 1
        match data:
            case ev.MovesTakenBack():
                self._take_back(data.to_ply, data.reason)
                self.back = basis
            case ev.FileRead():
                self.stated = data.result
                if data.annotations is not None:
                    self.annotations, self.annotated = data.annotations, None
            case _:
                self._counts(data, basis)

    def _counts(self, line: SheetEntry, basis: Seq) -> None:
        if isinstance(line, ev.ClaimMade):
            self.claims.append(SheetClaim(line, tuple(self.entries)))
        elif isinstance(line, ev.ClaimDecided):
            self._record_decision(line)
        self.entries.append(line)
        if isinstance(line, ev.MovePlayed) or (isinstance(line, ev.StepTaken) and line.step in PLY_STEPS):
            self.plies.append(line)
            self.bases.append(basis)
        if self._state is not None:
            self._state.take(line)

    def _record_decision(self, line: ev.ClaimDecided) -> None:
        """Record the decision on the last claim with this ID. Claims of old sheets have none, and are decided at once."""
        for n in range(len(self.claims) - 1, -1, -1):
            if self.claims[n].made.id == line.id:
                self.claims[n] = SheetClaim(self.claims[n].made, decision=line)
                return

    def _take_back(self, to_ply: Ply, reason: str) -> None:
        """Apply moves taken back.

        Steps up to that ply stay, and so do later corrections of colours. Offers and touches are removed with the
        moves, except a touch that is not decided yet. If the game is played again, nothing counts.
        """
        undecided = {one.made.id for one in self.claims if one.made.id and one.decision is None}
        stand = [one for one in self.entries if one.ply <= to_ply and not _lapses(one, undecided)]
        stand += [replace(one, ply=to_ply) for one in self.steps if one.step in PERMANENT_STEPS and one.ply > to_ply]
        self.entries = [] if reason in VOID_REASONS else stand
        self.plies, self.bases = self.plies[:to_ply], self.bases[:to_ply]
        self.annotated = to_ply if self.annotated is None else min(to_ply, self.annotated)
        self.stated = None
        self._state = None


def _lapses(line: SheetEntry, undecided: Collection[str]) -> bool:
    """Return whether an event is removed even if it was made at the very position that is restored.

    ``undecided``: the IDs of claims that are not decided yet. Draw offers and decided claims of touches are removed.
    """
    return isinstance(line, ev.OfferMade) or (
        isinstance(line, ev.ClaimMade | ev.ClaimDecided) and line.claim in TOUCH_CLAIMS and line.id not in undecided
    )


def state_after(variant: Variant, lines: list[SheetEntry]) -> GameState:
    """Return the state of a game after these events."""
    state = GameState(variant)
    for line in lines:
        state.take(line)
    return state


def evolve_sheet(sheet: Sheet, event: ev.Event) -> None:
    sheet.evolve(event.data, event.basis)
