"""Prediction gomoku on a score sheet: both predictions are sealed as steps, then shown.

A side seals the SHA-256 (hex) of a salt and its prediction, written one after the other in UTF-8; once both are sealed
each reveals salt and prediction, and neither can be another than was sealed (001 第三条 3).
"""

import re
from hashlib import sha256
from typing import Self

from services.games.rules.position import Done, End, Illegal, Written, no_steps
from services.games.rules.prediction.position import PredictionPosition
from services.games.rules.prediction.settle import LIMIT, PREDICTING, prediction, written
from shared.events.sheets import Step
from shared.gamerules import PredictionRules
from shared.terms import Side

SHORTEST_SALT = 16
"""With fewer characters a prediction could be found by trying them all."""
_HASH = re.compile(r"[0-9a-f]{64}")


class PredictionGame:
    """`PredictionPosition` for a score sheet; the first player sits on Black's seat."""

    __slots__ = ("_position", "_revealed", "_sealed")

    def __init__(self, rules: PredictionRules) -> None:
        self._position = PredictionPosition(rules)
        self._sealed: dict[Side, str] = {}
        self._revealed: dict[Side, str] = {}

    def fork(self) -> Self:
        made = object.__new__(type(self))
        made._position = self._position.fork()
        made._sealed, made._revealed = self._sealed.copy(), self._revealed.copy()
        return made

    def to_move(self) -> Side:
        """The seat; while predictions are due, one that has not made its own."""
        made = self._revealed if len(self._sealed) == 2 else self._sealed
        return "white" if self._position.predicts() and "black" in made else self._position.to_move()

    def play(self, move: str) -> Written | Illegal:
        if self._position.predicts():
            return Illegal("both predictions are sealed and revealed first, which are steps", PREDICTING)
        return self._position.play(move)

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> Done | Illegal:
        if step not in ("seal", "reveal"):
            return no_steps(step)
        if not self._position.predicts():
            return Illegal("predictions are made once, after the four stones of the opening", PREDICTING)
        return self._seal(side, values) if step == "seal" else self._reveal(side, values)

    def _seal(self, side: Side, values: tuple[str, ...]) -> Done | Illegal:
        if side in self._sealed:
            return Illegal(f"{side}'s prediction is sealed already", PREDICTING)
        if len(values) != 1 or not _HASH.fullmatch(values[0]):
            return Illegal("a seal is one SHA-256 in 64 hexadecimal digits, lower case", PREDICTING)
        self._sealed[side] = values[0]
        return Done(values)

    def _reveal(self, side: Side, values: tuple[str, ...]) -> Done | Illegal:
        if len(self._sealed) < 2:
            return Illegal("predictions are shown together, once both are sealed", PREDICTING)
        if side in self._revealed:
            return Illegal(f"{side}'s prediction is shown already", PREDICTING)
        if len(values) != 2 or len(values[0]) < SHORTEST_SALT:
            return Illegal(f"a salt of at least {SHORTEST_SALT} characters and the prediction are revealed", PREDICTING)
        if sha256("".join(values).encode()).hexdigest() != self._sealed[side]:
            return Illegal("salt and prediction are not those that were sealed", PREDICTING)
        said = prediction(values[1])
        if said is None:
            return Illegal(f"{values[1][:20]} is no prediction, such as 白子42手, or 和", PREDICTING)
        if said == "draw" and not self._position.draw_predictable():
            return Illegal("和 may not be predicted where the game must be decisive", LIMIT)
        self._revealed[side] = written(said)
        if len(self._revealed) == 2:
            self._position.play(f"{self._revealed['black']} {self._revealed['white']}")
        return Done(values)

    def end(self) -> End | None:
        return self._position.end()

    def can_win(self, side: Side) -> bool:
        return self._position.can_win(side)

    def text(self) -> str:
        return self._position.text()

    def facts(self) -> dict[str, str]:
        verdict = self._position.verdict()
        return {"black": self._position.holder("black")} | ({"verdict": verdict.string} if verdict else {})

    @property
    def prediction(self) -> PredictionPosition:
        """The position itself: who holds which colour, and the verdict."""
        return self._position
