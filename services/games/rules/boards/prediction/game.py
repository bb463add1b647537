"""Prediction gomoku 预判: everything that the game-independent code needs of it."""

from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.position import (
    SHORTEST_SALT,
    IllegalMove,
    LegalMove,
    LegalStep,
    is_seal,
    no_steps,
    opens,
    seconds_of,
)
from services.games.rules.boards.prediction.position import (
    UNDECIDED,
    PredictionPosition,
    default_rules,
    prediction_time,
)
from services.games.rules.boards.prediction.verdict import (
    DECISIVE,
    LIMIT,
    PREDICTING,
    TIME,
    read_prediction,
    write_prediction,
)
from shared.core.events.sheets import Step as StepName
from shared.core.language.messages import say, term
from shared.core.rulebook.game_rules import PredictionRules
from shared.core.terms import Side, TimeControl


class PredictionGame(PredictionPosition):
    """A `PredictionPosition` for a score sheet. The first player sits on Black's seat."""

    __slots__ = ("_revealed", "_sealed")

    def __init__(self, rules: PredictionRules) -> None:
        super().__init__(rules)
        self._sealed: dict[Side, str] = {}
        self._revealed: dict[Side, str] = {}

    def to_move(self) -> Side:
        """Return the seat to move. While predictions are due, it is a seat that has not handed in its prediction."""
        predictions = self._revealed if len(self._sealed) == 2 else self._sealed
        return "white" if self.predicts() and "black" in predictions else super().to_move()

    def play(self, move: str) -> LegalMove | IllegalMove:
        if self.predicts():
            return IllegalMove(say("first submit the steps that seal and reveal both predictions"), PREDICTING)
        return super().play(move)

    def step(self, side: Side, step: StepName, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if step == "criterion":
            return self._agree(values)
        if step not in ("seal", "reveal"):
            return no_steps(step)
        if not self.predicts():
            return IllegalMove(
                say("predictions can be made only once, after the four stones of the opening"), PREDICTING
            )
        return self._seal(side, values) if step == "seal" else self._reveal(side, values)

    def _agree(self, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if self._sealed or self._criterion is not None:
            return IllegalMove(say("a criterion can be agreed on only once, before predictions are sealed"), DECISIVE)
        if values not in (("black",), ("white",)):
            detail = say("a criterion must state the colour that wins games that would be drawn: black or white")
            return IllegalMove(detail, DECISIVE)
        self._criterion = "black" if values == ("black",) else "white"
        return LegalStep(values)

    def _seal(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if side in self._sealed:
            return IllegalMove(say("{side}'s prediction is sealed already", side=term(side)), PREDICTING)
        if self.undecided():
            return IllegalMove(UNDECIDED, DECISIVE)
        if not 1 <= len(values) <= 2 or not is_seal(values[0]):
            return IllegalMove(say("a seal must be one SHA-256 in 64 hexadecimal digits, lower case"), PREDICTING)
        if len(values) == 2 and seconds_of(values[1]) is None:
            return IllegalMove(
                say("the value after a seal must be the whole seconds that the side spent predicting"), TIME
            )
        self._sealed[side] = values[0]
        return LegalStep(values)

    def _reveal(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if len(self._sealed) < 2:
            return IllegalMove(say("predictions can be revealed only after both are sealed"), PREDICTING)
        if side in self._revealed:
            return IllegalMove(say("{side}'s prediction has already been revealed", side=term(side)), PREDICTING)
        if len(values) != 2 or len(values[0]) < SHORTEST_SALT:
            detail = say(
                "give a salt of at least {shortest_salt} characters, and the prediction",
                shortest_salt=SHORTEST_SALT,
            )
            return IllegalMove(detail, PREDICTING)
        if not opens(self._sealed[side], *values):
            return IllegalMove(say("salt and prediction do not match the seal"), PREDICTING)
        prediction = read_prediction(values[1])
        if prediction is None:
            detail = say("invalid prediction {values}: use for example 白子42手 or 和", values=values[1][:20])
            return IllegalMove(detail, PREDICTING)
        if prediction == "draw" and self.decisive():
            return IllegalMove(say("和 must not be predicted, because this game must be decisive"), LIMIT)
        self._revealed[side] = write_prediction(prediction)
        if len(self._revealed) == 2:
            super().play(f"{self._revealed['black']} {self._revealed['white']}")
        return LegalStep(values)

    def facts(self) -> dict[str, str]:
        verdict = self.verdict()
        return (
            {"black": self.holder("black")}
            | ({"criterion": self._criterion} if self._criterion else {})
            | ({"verdict": verdict.string} if verdict else {})
        )


def overtime(time: TimeControl, rules: PredictionRules, values: tuple[str, ...]) -> str | None:
    """Return the article by which a side spent too long on its prediction, or None (001 第三条 3(3)).

    The limit is the side's share of the time. ``values``: those of its step ``seal``, the hash and the seconds spent;
    without seconds the result is None.
    """
    if len(values) < 2:
        return None
    most, spent = prediction_time(time, rules), seconds_of(values[1])
    return None if most is None or spent is None or spent <= most else TIME


PREDICTION = BoardGame(
    name="prediction",
    passing="pass",
    start=PredictionGame,
    default_rules=default_rules,
    turn="001 第二条 3",
    resignation="001 第三条 5",
    agreement="001 第三条 5",
    offering="001 第三条 5",
    steps=(
        *CLOCK_STEPS,
        Step("criterion", say("a drawn game is won by"), act="take moves back"),
        Step("seal", say("seals a prediction"), overtime=overtime),
        Step("reveal", say("shows the prediction")),
    ),
)
