"""Prediction gomoku on a score sheet: both predictions are sealed as steps, then revealed.

A side seals the SHA-256 (hex) of a salt followed by its prediction, in UTF-8. Once both are sealed, each reveals salt
and prediction, and neither can differ from the sealed one (001 第三条 3). A seal may include the whole seconds that the
side spent predicting, by the clock in the venue. The first player's time runs from the third stone, the second's from
the fourth (3(3)). If the game must be decisive, because of the regulations or an arbiter, the colour that wins a game
that would be drawn is set first.
"""

from typing import Self

from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, LegalStep, no_steps
from services.games.rules.boards.port.step_values import SHORTEST_SALT, is_seal, opens, seconds_of
from services.games.rules.boards.prediction.position import UNDECIDED, PredictionPosition
from services.games.rules.boards.prediction.verdict import (
    DECISIVE,
    LIMIT,
    PREDICTING,
    TIME,
    read_prediction,
    write_prediction,
)
from shared.core.events.sheets import Step
from shared.core.language.messages import say, term
from shared.core.rulebook.game_rules import PredictionRules
from shared.core.terms import Side


class PredictionGame:
    """A `PredictionPosition` for a score sheet. The first player sits on Black's seat."""

    __slots__ = ("_position", "_revealed", "_sealed")

    def __init__(self, rules: PredictionRules) -> None:
        self._position = PredictionPosition(rules)
        self._sealed: dict[Side, str] = {}
        self._revealed: dict[Side, str] = {}

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy._position = self._position.fork()
        copy._sealed, copy._revealed = self._sealed.copy(), self._revealed.copy()
        return copy

    def to_move(self) -> Side:
        """Return the seat to move. While predictions are due, it is one that has not made its own."""
        predictions = self._revealed if len(self._sealed) == 2 else self._sealed
        return "white" if self._position.predicts() and "black" in predictions else self._position.to_move()

    def play(self, move: str) -> LegalMove | IllegalMove:
        if self._position.predicts():
            return IllegalMove(say("first submit the steps that seal and reveal both predictions"), PREDICTING)
        return self._position.play(move)

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if step == "criterion":
            return self._agree(values)
        if step not in ("seal", "reveal"):
            return no_steps(step)
        if not self._position.predicts():
            return IllegalMove(say("predictions are made once, after the four stones of the opening"), PREDICTING)
        return self._seal(side, values) if step == "seal" else self._reveal(side, values)

    def _agree(self, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if self._sealed or self._position.criterion() is not None:
            return IllegalMove(say("a criterion is agreed on once, before predictions are sealed"), DECISIVE)
        if values not in (("black",), ("white",)):
            return IllegalMove(
                say("a criterion names the colour that wins what would be drawn, black or white"), DECISIVE
            )
        self._position.agree("black" if values == ("black",) else "white")
        return LegalStep(values)

    def _seal(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if side in self._sealed:
            return IllegalMove(say("{side}'s prediction is sealed already", side=term(side)), PREDICTING)
        if self._position.undecided():
            return IllegalMove(UNDECIDED, DECISIVE)
        if not 1 <= len(values) <= 2 or not is_seal(values[0]):
            return IllegalMove(say("a seal is one SHA-256 in 64 hexadecimal digits, lower case"), PREDICTING)
        if len(values) == 2 and seconds_of(values[1]) is None:
            return IllegalMove(say("with a seal come the whole seconds that the side spent predicting"), TIME)
        self._sealed[side] = values[0]
        return LegalStep(values)

    def _reveal(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if len(self._sealed) < 2:
            return IllegalMove(say("predictions are shown together, once both are sealed"), PREDICTING)
        if side in self._revealed:
            return IllegalMove(say("{side}'s prediction is shown already", side=term(side)), PREDICTING)
        if len(values) != 2 or len(values[0]) < SHORTEST_SALT:
            return IllegalMove(
                say(
                    "a salt of at least {shortest_salt} characters and the prediction are revealed",
                    shortest_salt=SHORTEST_SALT,
                ),
                PREDICTING,
            )
        if not opens(self._sealed[side], *values):
            return IllegalMove(say("salt and prediction are not those that were sealed"), PREDICTING)
        prediction = read_prediction(values[1])
        if prediction is None:
            return IllegalMove(
                say("invalid prediction {values}: use for example 白子42手 or 和", values=values[1][:20]), PREDICTING
            )
        if prediction == "draw" and self._position.decisive():
            return IllegalMove(say("和 may not be predicted where the game must be decisive"), LIMIT)
        self._revealed[side] = write_prediction(prediction)
        if len(self._revealed) == 2:
            self._position.play(f"{self._revealed['black']} {self._revealed['white']}")
        return LegalStep(values)

    def holder(self, colour: Side) -> Side:
        return self._position.holder(colour)

    def end(self) -> End | None:
        return self._position.end()

    def can_win(self, side: Side) -> bool:
        return self._position.can_win(side)

    def text(self) -> str:
        return self._position.text()

    def facts(self) -> dict[str, str]:
        verdict = self._position.verdict()
        criterion = self._position.criterion()
        return (
            {"black": self._position.holder("black")}
            | ({"criterion": criterion} if criterion else {})
            | ({"verdict": verdict.string} if verdict else {})
        )

    @property
    def prediction(self) -> PredictionPosition:
        """The position itself: the seats' colours, and the verdict."""
        return self._position
