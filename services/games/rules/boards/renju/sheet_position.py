"""Renju on a score sheet: stones and passes are moves; the opening's agreement, swap and fifth stones are steps.

A swap counts as a move 一着, and so do the offered fifth stones together (000-C 2). The name of the opening, a declined
swap and White's choice do not.
"""

from typing import Self

from services.games.rules.boards.fifteen import Stones
from services.games.rules.boards.first_hand import ARTICLES
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, LegalStep, no_steps, not_due
from services.games.rules.boards.renju.phases import FIFTH, SWAP
from services.games.rules.boards.renju.position import PLACING, RenjuPosition
from shared.core.events.sheets import Step
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import RenjuRules
from shared.core.terms import Side

_DUE = {"agree": "opening", "offer": "offer_fifth", "choose": "choose_fifth"}
"""By state of the opening, the step that must be taken, so that no move is possible."""
_STEPS: dict[Step, str] = {
    "opening": "agree",
    "swap": "swap",
    "keep": "swap",
    "offer_fifth": "offer",
    "choose_fifth": "choose",
}
"""By step, the state that the opening must be in."""


class RenjuGame:
    """A `RenjuPosition` for a score sheet."""

    __slots__ = ("_begun", "_kept", "_position", "_rules")

    def __init__(self, rules: RenjuRules, start: tuple[Stones, Side] | None = None) -> None:
        self._rules = rules
        self._position = RenjuPosition(rules, start)
        self._begun = self._kept = False

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy._position, copy._kept = self._position.fork(), self._kept
        copy._rules, copy._begun = self._rules, self._begun
        return copy

    def to_move(self) -> Side:
        return self._position.to_move()

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a point or ``pass``. A stone also declines a swap."""
        due = _DUE.get(self._position.waits_for())
        if due is not None:
            return IllegalMove(
                say("the opening waits for a step, {due}", due=due), FIFTH if "fifth" in due else PLACING
            )
        if len(move.split()) != 1 or move.lower() == "swap":
            return IllegalMove(say("a move is one point from a1 to o15, or pass"), PLACING)
        played = self._position.play(move)
        self._begun |= isinstance(played, LegalMove)
        return played

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        taken = self._step(side, step, values)
        self._begun |= isinstance(taken, LegalStep)
        return taken

    def _step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if step == "guess":
            return self._guess(side, values)
        if step not in _STEPS:
            return no_steps(step)
        waits = self._position.waits_for()
        if waits != _STEPS[step] or (self._kept and step in ("swap", "keep")):
            return IllegalMove(
                say("{step} is not what the opening waits for", step=step), FIFTH if "fifth" in step else SWAP
            )
        if side != self.to_move():
            return not_due(side, self.to_move(), say("{step}", step=step), FIFTH if "fifth" in step else SWAP)
        if step in ("swap", "keep"):
            return self._swap(step, values)
        words = ["opening", *values] if step == "opening" else list(values)
        if step == "choose_fifth" and len(values) != 1:
            return IllegalMove(say("White keeps one of the stones on offer"), FIFTH)
        taken = self._position.play(" ".join(words))
        if isinstance(taken, IllegalMove):
            return taken
        return LegalStep(tuple(word for word in taken.move.split() if word != "opening"))

    def _guess(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if self._begun:
            detail = say("the first hand is guessed for once, before the opening")
            return IllegalMove(detail, ARTICLES[self._rules.first_hand])
        return self._position.guess(side, values)

    def _swap(self, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if values:
            return IllegalMove(say("{step} names nothing", step=step), SWAP)
        self._kept = True
        if step == "swap":
            self._position.play("swap")
        return LegalStep(())

    def holder(self, colour: Side) -> Side:
        return self._position.holder(colour)

    def colours_settled(self) -> bool:
        """Return whether the first hand has been guessed, and the swap made or declined, as far as the rules have them."""
        guessed = self._begun or self._rules.first_hand == "as_paired"
        return guessed and (self._kept or self._position.swap_over())

    def end(self) -> End | None:
        return self._position.end()

    def can_win(self, side: Side) -> bool:
        return self._position.can_win(side)

    def text(self) -> str:
        return self._position.text()

    def facts(self) -> dict[str, str]:
        opening = self._position.opening()
        return {"black": self._position.holder("black")} | ({"opening": opening.name} if opening else {})

    @property
    def renju(self) -> RenjuPosition:
        """The position itself: forbidden stones that may be claimed, and the opening's name."""
        return self._position
