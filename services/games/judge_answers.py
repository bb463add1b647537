"""What the judge answers: the members of each question's answer."""

from marshmallow import fields

from shared.http.openapi.answers import Answer


class EndAnswer(Answer):
    """``winner`` null: a draw."""

    termination = fields.String()
    winner = fields.String(allow_none=True)
    article = fields.String(allow_none=True)


class LegalMovesAnswer(Answer):
    legal = fields.List(fields.String())


class ClaimableDrawsAnswer(Answer):
    """Claims of the position as it is, and moves with which one may be claimed."""

    now = fields.List(fields.String())
    with_move = fields.List(fields.String())


class ChessReplayAnswer(Answer):
    """``halfmove_clock``: plies since the last capture or pawn move."""

    uci = fields.List(fields.String())
    san = fields.List(fields.String())
    fen = fields.String()
    end = fields.Nested(EndAnswer, allow_none=True)
    halfmove_clock = fields.Integer()
    claims = fields.Nested(ClaimableDrawsAnswer)


class FlagFallAnswer(Answer):
    """``winner`` null: a draw."""

    winner = fields.String(allow_none=True)


class FutileTouchAnswer(Answer):
    kind = fields.String()
    square = fields.String()
    article = fields.String()


class TouchAnswer(Answer):
    """The moves ``due``; ``free``: any may be played."""

    due = fields.List(fields.String())
    free = fields.Boolean()
    article = fields.String()
    grounds = fields.String()
    futile = fields.List(fields.Nested(FutileTouchAnswer))


class XiangqiLegalMovesAnswer(Answer):
    """``illegal``: what the king's safety forbids, with its reason."""

    legal = fields.List(fields.String())
    illegal = fields.Dict(keys=fields.String(), values=fields.String())


class XiangqiReplayAnswer(Answer):
    iccs = fields.List(fields.String())
    chinese = fields.List(fields.String())
    fen = fields.String()
    end = fields.Nested(EndAnswer, allow_none=True)


class StatusAnswer(Answer):
    red = fields.String()
    black = fields.String()


class KindsAnswer(Answer):
    """What each side's moves are, in turn."""

    red = fields.List(fields.String())
    black = fields.List(fields.String())


class TurningPointAnswer(Answer):
    """A value of the regulations, and the verdict if it were another."""

    article = fields.String()
    what = fields.String()
    value = fields.String()
    otherwise = fields.String()


class DeedAnswer(Answer):
    move = fields.String()
    chinese = fields.String()
    side = fields.String()
    kind = fields.String()
    articles = fields.List(fields.String())


class RepetitionAnswer(Answer):
    """``turns_on`` null: to search for it would have taken too much effort."""

    verdict = fields.String()
    status = fields.Nested(StatusAnswer)
    kinds = fields.Nested(KindsAnswer)
    article = fields.String()
    explanation = fields.List(fields.String())
    articles = fields.List(fields.String())
    turns_on = fields.List(fields.Nested(TurningPointAnswer), allow_none=True)
    moves = fields.List(fields.Nested(DeedAnswer))


class NaturalLimitAnswer(Answer):
    valid = fields.Boolean()
    own_checks = fields.Integer()
    rounds = fields.Integer()


class DrawnMaterialAnswer(Answer):
    draw = fields.Boolean()


class IllegalPointsAnswer(Answer):
    ko = fields.List(fields.String())
    suicide = fields.List(fields.String())
    superko = fields.List(fields.String())


class GoMoveAnswer(Answer):
    verdict = fields.String()


class CapturedAnswer(Answer):
    black = fields.Integer()
    white = fields.Integer()


class GoReplayAnswer(Answer):
    """``captures``: by ply from 0 the stones that it takes."""

    captures = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    captured_by = fields.Nested(CapturedAnswer)


class AreaAnswer(Answer):
    """Points of each side; ``black_zi`` and ``margin_zi`` in 子."""

    black = fields.Integer()
    white = fields.Integer()
    neutral = fields.Integer()
    black_zi = fields.Float()
    margin_zi = fields.Float()
    winner = fields.String(allow_none=True)


class ForbiddenPointsAnswer(Answer):
    """``forbidden``: point and kind; ``five``: points that make exactly five."""

    forbidden = fields.Dict(keys=fields.String(), values=fields.String())
    five = fields.List(fields.String())


class FoulAnswer(Answer):
    point = fields.String()
    kind = fields.String()


class GomokuReplayAnswer(Answer):
    """``five``: the winning row."""

    end = fields.Nested(EndAnswer, allow_none=True)
    five = fields.List(fields.String(), allow_none=True)


class RenjuReplayAnswer(GomokuReplayAnswer):
    """``claimable``: the fouls that may be pointed out now."""

    claimable = fields.List(fields.Nested(FoulAnswer))


class ColoursAnswer(Answer):
    first = fields.String()
    second = fields.String()


class PliesLimitAnswer(Answer):
    colour = fields.String()
    plies = fields.Float()


class SettlementAnswer(Answer):
    """What two predictions settle; ``limit`` null: there is none."""

    colours = fields.Nested(ColoursAnswer)
    limit = fields.Nested(PliesLimitAnswer, allow_none=True)


class PredictionVerdictAnswer(Answer):
    """``string``: how it is announced."""

    winner = fields.String(allow_none=True)
    string = fields.String()


class PayoutAnswer(Answer):
    """``pays`` in stakes."""

    outcome = fields.String()
    pays = fields.Float()


class PayoutsAnswer(Answer):
    players = fields.List(fields.Nested(PayoutAnswer))


JUDGED: dict[tuple[str, str], type[Answer]] = {
    ("chess", "legal_moves"): LegalMovesAnswer,
    ("chess", "replay"): ChessReplayAnswer,
    ("chess", "flag_fall"): FlagFallAnswer,
    ("chess", "touch"): TouchAnswer,
    ("xiangqi", "legal_moves"): XiangqiLegalMovesAnswer,
    ("xiangqi", "replay"): XiangqiReplayAnswer,
    ("xiangqi", "repetition"): RepetitionAnswer,
    ("xiangqi", "natural_limit"): NaturalLimitAnswer,
    ("xiangqi", "drawn_material"): DrawnMaterialAnswer,
    ("xiangqi", "touch"): TouchAnswer,
    ("go", "legality"): IllegalPointsAnswer,
    ("go", "move"): GoMoveAnswer,
    ("go", "replay"): GoReplayAnswer,
    ("go", "area"): AreaAnswer,
    ("renju", "forbidden"): ForbiddenPointsAnswer,
    ("renju", "replay"): RenjuReplayAnswer,
    ("gomoku", "replay"): GomokuReplayAnswer,
    ("prediction", "settle"): SettlementAnswer,
    ("prediction", "verdict"): PredictionVerdictAnswer,
    ("twentyone", "settle"): PayoutsAnswer,
}
"""The answer to each question, by game and name."""
