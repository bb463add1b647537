"""Prediction gomoku 预判 as a `Position`. A `Side` is a seat; the first player 先手方 sits on ``black``.

Moves: four points, which are the first player's black 1 and white 4, the second's white 2 and black 3. Then one ply
with both sealed predictions, the first player's first (``白子42手 黑子43手``), as the arbiter reveals them. Then points and
``pass``, Black first. White and Black are the colours that were settled.
"""

from functools import partial

from services.games.rules.boards.fifteen import FivesPosition, Point, Stones, name, point_of
from services.games.rules.boards.port.board_game import rules_of
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, Seats
from services.games.rules.boards.prediction.verdict import (
    DECISIVE,
    LIMIT,
    PREDICTING,
    VERDICTS,
    Finish,
    Settlement,
    Verdict,
    judge,
    read_prediction,
    settle,
    write_prediction,
)
from services.games.rules.boards.renju.forbidden import ARTICLES, Forbidden, reading
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import PredictionRules
from shared.core.rulebook.terminations import Termination
from shared.core.terms import Ply, Seconds, Side, TimeControl, other

default_rules = partial(rules_of, "campus", "prediction", PredictionRules)
"""Returns the rules without a tournament's regulations: those of the set ``campus``."""
OPENING = "001 第三条 2"
PLACING = "001 第二条 3-4"
FORBIDDEN = "001 第三条 4"
UNDECIDED = say(
    "this game must be decisive: before predicting, agree on the colour that wins if the game would be drawn"
)

_OPENING_STONES = 4
_SEATS: tuple[Side, Side, Side, Side] = ("black", "white", "white", "black")
"""The seats that place the opening's stones; the first player is ``black``."""


class PredictionPosition(FivesPosition):
    """A game of prediction gomoku up to here."""

    __slots__ = ("_criterion", "_foul", "_hands", "_rules", "_settlement")

    def __init__(self, rules: PredictionRules | None = None) -> None:
        self._rules = default_rules() if rules is None else rules
        self._stones = Stones()
        self._hands = 0
        """手数: stones and passes so far; predictions do not count."""
        self._settlement: Settlement | None = None
        self._criterion: Side | None = None
        """The colour that wins a game that would be drawn, once that is agreed (必然能分胜负的依据)."""
        self._five = None
        self._foul: tuple[Side, Forbidden] | None = None

    def to_move(self) -> Side:
        """Return the seat to move. While both predictions are due, it is the first player's."""
        if self._settlement is None:
            return _SEATS[self._hands] if self._hands < _OPENING_STONES else "black"
        return self.holder(self._colour())

    def holder(self, colour: Side) -> Side:
        """Return the seat that plays this colour, once colours are settled."""
        return Seats(self._settlement is not None and self._settlement.first == "white").holder(colour)

    def _colour(self) -> Side:
        return "white" if self._hands % 2 else "black"

    def predicts(self) -> bool:
        """Return whether both predictions are due now."""
        return self._hands == _OPENING_STONES and self._settlement is None

    def colours_settled(self) -> bool:
        return self._settlement is not None

    def decisive(self) -> bool:
        """Return whether the game must be decisive 必须分胜负: by the regulations, or by an agreed criterion."""
        return not self._rules.draw_predictable or self._criterion is not None

    def no_draw(self) -> IllegalMove | None:
        if not self.decisive():
            return None
        why = say(
            "a draw cannot be agreed on, because this game must be decisive: the criterion agreed on "
            "before the game decides"
        )
        return IllegalMove(why, DECISIVE)

    def undecided(self) -> bool:
        """Return whether the game must be decisive and no criterion for that is agreed yet."""
        return self._criterion is None and self.decisive()

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a move: a point, ``pass``, or, when predictions are due, both sealed predictions as the arbiter reveals them."""
        if self.end() is not None:
            return IllegalMove(say("the game has ended"), VERDICTS)
        if self.predicts():
            return self._predict(move.split())
        if move.lower() == "pass":
            if self._hands < _OPENING_STONES:
                return IllegalMove(say("passing is not allowed in the opening"), OPENING)
            if not self._rules.pass_allowed:
                return IllegalMove(say("passing is not allowed by this ruleset"), PLACING)
            self._hands += 1
            return LegalMove("pass")
        point = point_of(move)
        if point is None:
            return IllegalMove(say("a move must be a point from a1 to o15, or pass"), PLACING)
        if self._stones.at(point) is not None:
            return IllegalMove(say("{name} is occupied by a stone", name=name(point)), PLACING)
        self._place(point)
        return LegalMove(name(point))

    def _place(self, point: Point) -> None:
        colour = self._colour()
        barred = self._rules.both_forbidden or colour == "black"
        kind = reading(self._stones, colour, point) if barred else None
        self._put(colour, point, not barred)
        self._hands += 1
        if kind is not None and kind != "five" and self._foul is None:
            self._foul = colour, kind

    def _predict(self, texts: list[str]) -> LegalMove | IllegalMove:
        predictions = [read_prediction(one) for one in texts]
        if len(predictions) != 2 or predictions[0] is None or predictions[1] is None:
            return IllegalMove(say("give both predictions together, such as 白子42手 黑子43手, or 和"), PREDICTING)
        if "draw" in predictions and self.decisive():
            return IllegalMove(say("和 must not be predicted, because this game must be decisive"), LIMIT)
        if self.undecided():
            return IllegalMove(UNDECIDED, DECISIVE)
        self._settlement = settle(predictions[0], predictions[1])
        return LegalMove(f"{write_prediction(predictions[0])} {write_prediction(predictions[1])}")

    def verdict(self) -> Verdict | None:
        """Return the result according to both predictions, or None while the game continues or if a forbidden move ended it."""
        if self._settlement is None or self._foul is not None:
            return None
        finish = self._finish(self._settlement)
        if finish is None:
            return None
        judgement = judge(self._settlement, finish, self._rules, self._criterion)
        assert isinstance(judgement, Verdict)
        return judgement

    def _finish(self, settlement: Settlement) -> Finish | None:
        if self._five is not None:
            return Finish(self._five[0], Ply(self._hands))
        if settlement.limit is not None and self._hands >= int(settlement.limit.plies):
            return Finish("stopped", Ply(self._hands))
        return Finish("draw", Ply(self._hands)) if self._stones.full() else None

    def end(self) -> End | None:
        """Return the end by a forbidden move, a five, the limit, or a full board, or None."""
        if self._foul is not None:
            colour, kind = self._foul
            return End("forbidden_move", self.holder(other(colour)), f"{FORBIDDEN}; {ARTICLES[kind]}")
        verdict = self.verdict()
        if verdict is None:
            return None
        termination: Termination = (
            "five" if self._five is not None else "full_board" if self._stones.full() else "limit"
        )
        return End(termination, None if verdict.winner is None else self.holder(verdict.winner), VERDICTS)

    def text(self) -> str:
        return f"{self._stones.text()} {self._colour()[0]} {self._hands}"


def prediction_time(time: TimeControl, rules: PredictionRules) -> Seconds | None:
    """Return the time limit for writing a prediction, or None if the game has no total time (001 第三条 3(3)).

    It is one ``share_of_time``-th of the game's total time 比赛总时间, which is interpreted as the time of one side in all
    periods. Increments and byo-yomi do not count, because the number of moves is unknown. A side that exceeds it loses.
    """
    game = sum(period.seconds for period in time.periods)
    return Seconds(game // rules.share_of_time) if game else None
