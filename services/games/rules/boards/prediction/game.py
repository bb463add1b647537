"""Prediction gomoku 预判: everything that the game-independent code needs of it."""

from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.step_values import seconds_of
from services.games.rules.boards.prediction.position import default_rules, prediction_time
from services.games.rules.boards.prediction.sheet_position import PredictionGame
from services.games.rules.boards.prediction.verdict import TIME
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import PredictionRules
from shared.core.terms import TimeControl


def overtime(time: TimeControl, rules: PredictionRules, values: tuple[str, ...]) -> str | None:
    """Return the article by which a side spent too long on its prediction, or None (001 第三条 3(3)).

    The limit is the side's share of the time. The seconds are those in its seal; without them the result is None.
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
